"""The examples of the page on off-policy evaluation have the printed results."""

import math
import re
from operator import mul
from pathlib import Path

from pytest import approx

import sqlrec
from sqlrec.catalogue.headers import TABLES
from sqlrec.run.input_problems import SMALL_SAMPLE, SMALL_SHARE

from .test_page_examples import printed

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "off_policy.md").read_text(encoding="utf-8")
METRICS = [one for one in sqlrec.metrics().values() if one.rows == "logged"]


def test_the_example_prints_the_documented_output():
    codes = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    shown = re.findall(r"^```text\n(model.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    names = {}
    for code, own in zip(codes, shown, strict=True):
        assert printed("python", code, names) == own
    weights_of_their_own_are_those_of_the_papers(names)


def weights_of_their_own_are_those_of_the_papers(names):
    policy = {row["item_id"]: row for row in names["policy"].to_pylist()}
    chances = dict.fromkeys(("hat", "shoe"), (0.0, 0.0))
    for row in policy.values():
        logged, target = chances[row["category"]]
        chances[row["category"]] = (logged + row["logged"], target + row["target"])
    rewards = [
        chances[policy[row["item_id"]]["category"]][1]
        / chances[policy[row["item_id"]]["category"]][0]
        * row["reward"]
        for row in names["decisions"].to_pylist()
    ]
    assert value("ips", names["by_category"]) == approx(math.fsum(rewards) / len(rewards))

    # In shuffled lists, all users clicked at position 1, and half of them at position 2.
    seen = (1, 0.5)
    weights = {
        item: sum(map(mul, seen, target)) / sum(map(mul, seen, (0.5, 0.5)))
        for item, target in {"a": (0.9, 0.1), "b": (0.1, 0.9)}.items()
    }
    clicks = [weights[row["item_id"]] * row["reward"] for row in names["slates"].to_pylist()]
    result = value("slate_ips(behavior=independent)", names["examined"])
    assert result == approx(math.fsum(clicks) / 200)


def value(metric, logs):
    return sqlrec.evaluate(metric, logs=logs, interval=None).to_arrow()["value"][0].as_py()


def test_it_names_all_metrics_and_columns():
    columns = {name for one in METRICS for need in one.needs for name in need.columns}
    for name in (*columns, *TABLES["logs"][1], *(one.name for one in METRICS)):
        assert f"`{name}`" in PAGE, name


def test_it_says_when_a_warning_comes():
    assert (SMALL_SAMPLE, SMALL_SHARE) == (100, 0.01)
    assert "below 100 or below 1% of the decisions" in " ".join(PAGE.split())
