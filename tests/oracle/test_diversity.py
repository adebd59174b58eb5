"""Diversity within lists, on small random data, compared with plain Python."""

import math
from dataclasses import replace

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from .. import oracle
from . import diversity
from .test_rules import ARROW, cases, few, results

LABELS = (None, "B", "a", "é", "")
NUMBERS = (None, math.nan, -1.0, -0.0, 0.0, 1e-3, 0.5, 1.0, 3.0)
DISTANCES = [number for number in NUMBERS if number != -1]


@few
@given(cases(), st.data())
def test_diversity_equals_plain_python(case, data):
    item, user = (
        st.sampled_from(sorted({row[name] for row in [*case.recs, *case.truth]}))
        for name in ("item_id", "user_id")
    )
    label, value, distance = map(st.sampled_from, (LABELS, NUMBERS, DISTANCES))
    described = {"item_id": item, "category": label, "aspect": label, "feature": label}
    described |= {"other_item_id": item, "value": value, "distance": distance}
    row = st.fixed_dictionaries(described)
    items = data.draw(st.lists(row, min_size=1, max_size=20))
    pair = st.fixed_dictionaries({"user_id": user, "item_id": item})
    history = data.draw(st.lists(pair, min_size=1, max_size=12))
    ids = {name: ARROW[case.types[name]] for name in ("user_id", "item_id")}
    types = dict.fromkeys(("category", "aspect", "feature"), pa.string())
    types |= dict.fromkeys(("value", "distance"), pa.float64()) | {"other_item_id": ids["item_id"]}
    inputs = {
        "history": pa.Table.from_pylist(history, pa.schema(ids)),
        "items": pa.Table.from_pylist(items, pa.schema({"item_id": ids["item_id"]} | types)),
    }
    metrics = diversity.metrics(history, items)
    for of_aspects, population in ((True, {}), (False, {"population": "recs"})):
        params = {
            name: own
            for name, own in diversity.PARAMS.items()
            if (name in diversity.OF_ASPECTS) == of_aspects
        }
        requests = oracle.asked(params, case.cutoffs, diversity.NUMBERED)
        counted = replace(case, rules=case.rules | population)
        expected = counted.expected(requests, metrics=metrics)
        got = results(requests, replace(counted, rules=counted.rules | inputs))
        assert (got is None) == (not expected[0])
        # Metrics that do not read the truth count no lists without judgments.
        for ours, theirs in zip(got[:2] if got else (), expected[:2], strict=False):
            oracle.compare(ours, theirs)
