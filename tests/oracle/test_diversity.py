"""Diversity within lists, on small random data, compared with plain Python."""

import math
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

import sqlrec

from .. import oracle
from ..examples import examples, reject_disjoint_users
from . import Row, diversity

CUTOFFS = ((1, 3, None), (2,), (4, 1), (None, 2))
NAMES = ("a", "b", "c", "d")
ITEMS = ("1", "2", "3", "A", "b", "c", "é")
LABELS = (None, "B", "a", "é", "")
NUMBERS = (None, math.nan, -1.0, -0.0, 0.0, 1e-3, 0.5, 1.0, 3.0)
ITEM_TYPES = {
    **dict.fromkeys(("item_id", "category", "aspect", "feature", "other_item_id"), pa.string()),
    **dict.fromkeys(("value", "distance"), pa.float64()),
}

few = examples(32)


@dataclass(frozen=True)
class Case:
    """Inputs and rules of one evaluation."""

    recs: list[Row]
    truth: list[Row]
    history: list[Row]
    items: list[Row]
    segments: dict[str, str | None]
    rules: dict[str, Any]
    models: bool
    cutoffs: tuple[int | None, ...]

    def arguments(self):
        """Return the arguments of sqlrec."""
        types = {"user_id": pa.string(), "item_id": pa.string()}
        order = {"score": pa.float64()} if self.rules["order"] == "score" else {"rank": pa.int64()}
        model = {"model": pa.string()} if self.models else {}
        given = {
            "recs": _table(self.recs, types | order | model),
            "truth": _table(self.truth, types | {"relevance": pa.int64()}),
            "history": _table(self.history, types),
            "items": _table(self.items, ITEM_TYPES),
        }
        if self.segments:
            users = [{"user_id": name, "land": land} for name, land in self.segments.items()]
            given["users"] = _table(users, {"user_id": pa.string(), "land": pa.string()})
            given["by"] = "land"
        return given | self.rules


def _table(rows, types):
    names = types.items()
    return pa.table({name: pa.array([row[name] for row in rows], kind) for name, kind in names})


@st.composite
def cases(draw):
    """Draw lists of several users, one with a hit at rank 1."""
    pick = lambda *values: draw(st.sampled_from(values))  # noqa: E731
    item, label_ = st.sampled_from(ITEMS), st.sampled_from(LABELS)
    listed = st.tuples(item, st.sampled_from((0.0, 0.5, 1.0)), st.sampled_from((1, 1, 1, 2)))
    lists = st.lists(listed, max_size=6, unique_by=lambda row: row[0])
    judgments = st.lists(
        st.tuples(item, st.sampled_from((0, 1, 1, 2))), max_size=7, unique_by=lambda row: row[0]
    )
    models = pick((), ("a",), ("b", "a"))
    recs = []
    for model in models or ("recs",):
        own = {name: draw(lists) for name in NAMES}
        recs += oracle.list_rows(model, {"z": [("1", 9.0, 1)], **own})
    judged = {name: draw(judgments) for name in (*NAMES, "y")}
    truth = oracle.truth_rows({"z": [("1", 2)], **judged})
    had = draw(st.lists(st.tuples(st.sampled_from(NAMES), item), min_size=1, max_size=12))
    value, distance = st.sampled_from(NUMBERS), st.sampled_from([n for n in NUMBERS if n != -1])
    described = st.tuples(item, label_, label_, label_, item, value, distance)
    rows = draw(st.lists(described, min_size=1, max_size=20))
    lands = st.sampled_from((None, "x", "y"))
    return Case(
        recs,
        truth,
        [{"user_id": name, "item_id": i} for name, i in had],
        [dict(zip(ITEM_TYPES, row, strict=True)) for row in rows],
        {name: draw(lands) for name in ("z", "y", *NAMES)} if pick(False, True) else {},
        {
            "population": pick("truth", "truth_and_recs", "judged", "recs"),
            "order": pick("score", "rank"),
            "ties": pick("item_asc", "item_desc"),
            "relevance_threshold": pick(None, None, 2),
        },
        bool(models),
        pick(*CUTOFFS),
    )


@few
@given(cases())
def test_diversity_equals_plain_python(case):
    requests = oracle.asked(diversity.PARAMS, case.cutoffs, diversity.NUMBERED)
    inputs = (case.recs, case.truth, case.history, case.items, case.segments)
    means, values = diversity.evaluate(requests, *inputs, oracle.Rules(**case.rules))
    # Errors and intervals have tests of their own.
    with reject_disjoint_users():
        result = sqlrec.evaluate(oracle.texts(requests), interval=None, **case.arguments())
    segments = ["land"] * bool(case.segments)
    oracle.compare(oracle.keyed(result, *segments), means)
    oracle.compare(oracle.keyed(result.per_user(), *segments), values)
