"""Equal scores: expected, best and worst values, compared with all possible orders."""

import itertools
import math
from collections import defaultdict
from functools import partial

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx, mark

import sqlrec
from sqlrec.catalogue.requests import format_metric, parse_metrics

from .. import oracle
from ..examples import examples
from . import ranking

TYPES = {"user_id": pa.int64(), "item_id": pa.int64()}
CATALOG = 9
OF_CATALOG = ("catalog_auc", "fall_out")
METRICS = oracle.METRICS | {
    name: partial(ranking.METRICS[name], catalog=CATALOG) for name in OF_CATALOG
}
PARAMS = oracle.PARAMS | {name: ranking.PARAMS[name] for name in OF_CATALOG}
# All metrics and parameter values that have an expected, best or worst form.
FORMS = {
    one.label: (name, params)
    for name, metric in sqlrec.metrics().items()
    if metric.expected
    for params in oracle.forms(PARAMS[name])
    for one in parse_metrics(f"{oracle.label(name, params)}@1")
    if not one.no_expected_form
}


def orders(scores):
    """Return every order of items by descending score."""
    groups = defaultdict(list)
    for item, score in scores.items():
        groups[-math.inf if score is None else score].append(item)
    parts = [itertools.permutations(groups[score]) for score in sorted(groups, reverse=True)]
    for chosen in itertools.product(*parts):
        yield list(itertools.chain(*chosen))


def ids(count):
    return st.integers(0, count - 1)


@st.composite
def lists(draw):
    """Items of two users with mostly equal scores, their grades, and a threshold."""
    score, grade = st.sampled_from([None, 0.5, 1.0]), st.sampled_from([-1.0, 0.0, 1.0, 2.0])
    return {
        "lists": [
            draw(st.dictionaries(ids(7), score, min_size=least, max_size=6)) for least in (1, 0)
        ],
        "grades": [draw(st.dictionaries(ids(8), grade, min_size=1)) for _ in range(2)],
        "threshold": draw(st.sampled_from([None, 0.0, 1.0, 2.0])),
        "depth": draw(st.sampled_from([None, None, 1, 3])),
    }


@mark.slow
@examples(8)
@given(lists(), st.sampled_from([(1, 3, None), (2, 5), (4, None)]))
def test_agrees_with_all_orders(case, cutoffs):
    requests = [
        (label, k)
        for label, (_, params) in FORMS.items()
        for k in cutoffs
        if k or "k" not in params.values()
    ]
    recs, truth = (
        [(user, *pair) for user, items in enumerate(case[name]) for pair in items.items()]
        for name in ("lists", "grades")
    )
    inputs = {"recs": _table(recs, "score"), "truth": _table(truth, "relevance")}
    inputs["catalog"] = pa.table({"item_id": [*range(CATALOG)]})
    rules = {"population": "judged", "null_scores": "last", "depth": case["depth"]}
    rules["relevance_threshold"] = case["threshold"]
    results = {}
    for ties in ("expected", "best", "worst"):
        metrics = [format_metric(label, k) for label, k in requests]
        result = sqlrec.evaluate(metrics, **inputs, **rules, ties=ties, interval=None)
        for row in result.per_user().to_arrow().to_pylist():
            results[ties, row["metric"], row["k"], row["user_id"]] = row["value"]
    for label, k in requests:
        name, params = FORMS[label]
        best, worst = (min, max) if sqlrec.metrics()[name].better == "lower" else (max, min)
        for user, (scores, grades) in enumerate(zip(case["lists"], case["grades"], strict=True)):
            shown = [dict(enumerate(order[: case["depth"]], 1)) for order in orders(scores)]
            users = [oracle.User(ranks, {}, grades, case["threshold"]) for ranks in shown]
            values = [METRICS[name](one, k or math.inf, **params) for one in users]
            known = [value for value in values if value is not None]
            for ties, value in (
                ("expected", math.fsum(known) / len(known) if known else None),
                ("best", best(known, default=None)),
                ("worst", worst(known, default=None)),
            ):
                ours = results[ties, label, k, user]
                assert ours == approx(value, abs=1e-9), (ties, label, k)


def _table(rows, value):
    schema = pa.schema({**TYPES, value: pa.float64()})
    return pa.Table.from_pylist([dict(zip(schema.names, row, strict=True)) for row in rows], schema)


@mark.parametrize("ties", ["expected", "best", "worst"])
def test_equal_values_need_no_order(ties):
    recs = [(0, item, 1.0) for item in range(4)]
    truth = [(0, item, 1.0) for item in range(4)]
    result = sqlrec.evaluate(
        "ndcg@2 map@3", recs=_table(recs, "score"), truth=_table(truth, "relevance"), ties=ties
    )
    assert result.to_arrow()["value"].to_pylist() == approx([1, 3 / 4])
