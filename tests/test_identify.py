"""What functions of one's own compute."""

import random
import sys

import numpy
from pytest import mark, raises

import sqlrec
from sqlrec.analyses import identify
from sqlrec.analyses.call_styles import calls_of
from sqlrec.analyses.identify_tables import FEATURES, SmallTable, are_equal, small_table
from sqlrec.analyses.seeds import SEEDS
from sqlrec.catalogue.requests import parse_metrics
from sqlrec.cli import main

from . import in_house


def identified(name):
    function, metric, _ = in_house.ANSWERS[name]
    return sqlrec.identify(function, metric)


@mark.slow
@mark.parametrize("name", in_house.ANSWERS)
def test_functions_are_identified(name):
    text = str(identified(name))
    for expected in in_house.ANSWERS[name][2]:
        assert expected in text


def hit_rate(recs, truth, k=10):
    users = [user for user in truth if truth[user]]
    return sum(bool({*recs.get(user, [])[:k]} & {*truth[user]}) for user in users) / len(users)


def test_a_function_is_identified_with_the_request_that_prints_it():
    found = sqlrec.identify(hit_rate, "hit_rate@3")
    assert found.equal == found.tables and not found.differences
    assert "sqlrec" in found.names
    assert found.request


def test_the_smallest_table_shows_a_difference():
    def two_hits(recs, truth, k=10):
        return hit_rate({user: items[: k - 1] for user, items in recs.items()}, truth, k) ** 2

    found = sqlrec.identify(two_hits, "hit_rate@3")
    assert found.differences
    for difference in found.differences:
        assert difference.value == two_hits(*inputs(difference.table), k=3)
        assert difference.value != difference.expected


def inputs(table):
    lists = {user: [i for i, _ in listed] for user, (listed, _) in table.users.items() if listed}
    truth = {u: [i for i, g in judged if g > 0] for u, (_, judged) in table.users.items() if judged}
    return lists, truth


def capped_recall(recs, truth, k=10):
    """The share of min(k, rows of the truth), of frames, as RecTools computes it."""
    shares = []
    for user, wanted in truth.groupby("user_id")["item_id"]:
        listed = recs[recs["user_id"] == user].head(k)["item_id"]
        shares.append(sum(sum(wanted == item) for item in listed) / min(k, len(wanted)))
    return sum(shares) / len(shares)


def test_a_function_under_the_name_of_another_metric_is_identified(monkeypatch):
    tried = {request.metric.name for request in identify._other_metrics(*parse_metrics("p@3"))}
    assert len(tried) > 30 and "recall" in tried
    few = {name: metric for name, metric in sqlrec.metrics().items() if name in ("recall", "dcg")}
    monkeypatch.setattr(identify, "known_metrics", lambda: few)
    found = sqlrec.identify(capped_recall, "precision@3")
    assert str(found).startswith("is not precision@3, but recall@3: equals rectools Precision r_")
    assert found.request == '"recall(divide_by=achievable)@3" --relevance-threshold -inf'
    assert found.equal == found.tables


@mark.parametrize(
    "function, metric, message",
    [
        ("ndcg", "ndcg@3", "function='ndcg': give a function"),
        (len, "gini@3", "give one metric of lists and truth"),
        (len, "ndcg@3 map@3", "give one metric of lists and truth"),
        (len, "ndgc@3", "ndcg"),
        (lambda recs, truth, items: 0.5, "ndcg@3", "it needs recs, truth, items"),
        (lambda recs, truth: "much", "hit_rate@3", "it returns no number"),
        (lambda recs, truth: 1 / 0, "hit_rate@3", "it raises ZeroDivisionError"),
        (lambda recs, truth: None, "hit_rate@3", "it returns nothing"),
        (lambda recs, truth: float("nan"), "hit_rate@3", "it returns nan"),
    ],
)
def test_what_is_no_function_of_a_metric_is_refused(function, metric, message):
    with raises(sqlrec.SqlrecError, match=message):
        sqlrec.identify(function, metric)


def test_a_function_with_another_value_in_a_second_call_is_refused():
    call, *_ = calls_of(lambda recs, truth: random.random(), ["hit_rate"])
    with raises(sqlrec.InputError, match="a second call"):
        trial = identify._Trial(call, identify._tables(3))
        identify._nearest(*parse_metrics("hit_rate@3"), [trial])


@mark.parametrize(
    "changed",
    [
        lambda recs, truth, k: {"hit_rate": hit_rate(recs, truth, k), "users": 7.0},
        lambda recs, truth, k: numpy.float32(hit_rate(recs, truth, k)),
        lambda recs, truth, k: (hit_rate(recs, truth, k), recs.clear(), truth.clear())[0],
        lambda recs, truth, k: {u: hit_rate(recs, {u: truth[u]}, k) for u in truth if truth[u]},
        lambda recs, truth, k: [hit_rate(recs, {u: truth[u]}, k) for u in truth if truth[u]],
    ],
    ids=["dict of metrics", "numpy", "changed inputs", "dict of users", "list of users"],
)
def test_results_in_other_types_are_read(changed):
    (call, *_), (plain, *_) = (calls_of(one, ["hit_rate"]) for one in (changed, hit_rate))
    tables = [table for table in (small_table(seed, 3) for seed in SEEDS) if plain.uses(table)]
    numbers = {table: x for table in tables if isinstance(x := plain.value(table), float)}
    assert len(numbers) > 10
    for table, number in numbers.items():
        assert are_equal(call.value(table), number), table


def test_a_function_gets_no_cutoff_of_a_metric_without_one():
    cutoffs = set()
    with raises(sqlrec.SqlrecError, match="it returns no number"):
        sqlrec.identify(lambda recs, truth, k=None: cutoffs.add(k) or "much", "hit_rate@all")
    assert cutoffs == {None}


@mark.slow
def test_a_metric_without_a_cutoff_is_identified():
    found = sqlrec.identify(lambda recs, truth: hit_rate(recs, truth, 100), "hit_rate@all")
    assert found.equal == found.tables and not found.switches


def test_the_command_line_imports_the_function(tmp_path, monkeypatch, capsys):
    code = "def rate(recs, truth, k=10):\n    users = [u for u in truth if truth[u]]\n"
    code += "    return sum(bool({*recs.get(u, [])[:k]} & {*truth[u]}) for u in users) / len(users)"
    (tmp_path / "shop_metrics.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert main(["identify", "shop_metrics:rate", "--metric", "hit_rate@3"]) == 0
    assert "sqlrec evaluate hit_rate@3" in capsys.readouterr().out
    (tmp_path / "shop metrics.py").write_text(code, encoding="utf-8")
    assert main(["identify", "shop metrics.py:rate", "--metric", "hit_rate@3"]) == 0
    (tmp_path / "broken.py").write_text("1 / 0", encoding="utf-8")
    assert main(["identify", "broken:rate", "--metric", "hit_rate@3"]) == 1
    assert "broken:rate: ZeroDivisionError" in capsys.readouterr().err
    assert main(["identify", "shop_metrics:none", "--metric", "hit_rate@3"]) == 1
    assert "shop_metrics:none: AttributeError: module" in capsys.readouterr().err
    assert main(["identify", "shop_metrics", "--metric", "hit_rate@3"]) == 1


def test_tables_have_their_features():
    tables = [small_table(seed, 3) for seed in SEEDS]
    assert {feature for table in tables for feature in table.features} == {*FEATURES}
    table = SmallTable(2, (("a", 1, 2.0), ("a", 1, 2.0)), (("a", 3, 0.5), ("b", 3, 0.0)))
    assert table.features == {
        *("no_list", "no_relevant", "no_hit", "fractions", "zeros", "ties", "list_repeats"),
        "users",
    }
