"""Rating errors, threshold metrics and AUC, on small random data, compared with plain Python."""

import math

from hypothesis import given
from hypothesis import strategies as st

import sqlrec

from .. import oracle
from ..examples import examples, reject_disjoint_users
from . import ratings
from .test_rules import Case

SCORES = (-1.0, -0.75, -0.0, 0.0, 0.1, 0.5, 0.5 + 2**-53, 2.0, 3.5, 4.0)
GRADES = (-1.0, -0.75, -0.0, 0.0, 0.1, 0.5, 2.0, 3.5, 4.0)
CUTOFFS = ((None,), (1, 3, None), (2,), (5, 1), (3, 20))
NAMES = ("a", "b", "c", "d")
few = examples(40)


TYPES = {"user_id": str, "item_id": int, "score": float, "rank": int, "relevance": float}


@st.composite
def cases(draw):
    """Draw lists and grades of several users, one of whom has a rated item at rank 1."""
    pick = lambda *values: draw(st.sampled_from(values))  # noqa: E731
    rules = {
        "population": pick("truth", "truth_and_recs", "judged", "recs"),
        "ties": pick("item_asc", "item_desc"),
        "null_scores": pick("error", "last", "drop"),
        "relevance_threshold": pick(None, None, 0, 0.5, 2),
    }
    missing = () if rules["null_scores"] == "error" else (None, math.nan)
    columns = pick(("score",), ("score",), ("score", "rank"))
    if "rank" in columns:
        rules["order"] = pick("score", "rank")
    item, score = st.integers(1, 9), st.sampled_from((*SCORES, *missing))
    gap, grade = st.sampled_from((1, 1, 1, 2)), st.sampled_from(GRADES)
    lists = st.lists(st.tuples(item, score, gap), max_size=9, unique_by=lambda row: row[0])
    judgments = st.lists(st.tuples(item, grade), max_size=9, unique_by=lambda row: row[0])
    models = pick((), ("a",), ("b", "a"))
    recs = []
    for model in models or ("recs",):
        own = {name: draw(lists) for name in NAMES}
        recs += oracle.list_rows(model, {"z": [(0, 9.0, 1)], **own})
    truth = oracle.truth_rows({"z": [(0, 4.0)], **{name: draw(judgments) for name in NAMES}})
    lands = st.tuples(st.none(), st.sampled_from((None, "x", "y")))
    segments = {name: draw(lands) for name in ("z", *NAMES)} if pick(False, True) else {}
    types = {n: kind for n, kind in TYPES.items() if n not in ("score", "rank") or n in columns}
    types |= {"model": str} if models else {}
    of_models = "column" if models else "none"
    return Case(recs, truth, types, rules, pick(*CUTOFFS), of_models, segments)


def check(case, params, metrics):
    """Compare sqlrec's values with the values in plain Python."""
    requests = oracle.asked(params, case.cutoffs)
    inputs = (case.recs, case.truth, case.segments)
    means, values = ratings.evaluate(metrics, requests, *inputs, oracle.Rules(**case.rules))
    with reject_disjoint_users():
        result = sqlrec.evaluate(oracle.texts(requests), **case.arguments())
    segments = ("age", "land") if case.segments else ()
    oracle.compare(oracle.keyed(result, *segments), means)
    oracle.compare(oracle.keyed(result.per_user(), *segments), values)


@few
@given(cases())
def test_ratings_equal_plain_python(case):
    check(case, ratings.PARAMS, ratings.METRICS)
