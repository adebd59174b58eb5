"""The metrics of prices on small random data, against plain Python."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from .. import oracle
from . import value
from .test_rules import ARROW, Case, cases, check_same, few, results


@few
@given(cases(), st.randoms(use_true_random=False))
def test_oracle(case: Case, chance: Any) -> None:
    ids = sorted({row["item_id"] for row in [*case.recs, *case.truth]})
    prices = {item: chance.choice([0.0, 0.5, 2.0, 1e6]) for item in ids}
    items = pa.table(
        {
            "item_id": pa.array(ids, ARROW[case.types["item_id"]]),
            "price": pa.array(prices.values(), pa.float64()),
        }
    )
    metrics = {
        name: partial(getattr(value, name), prices=prices)
        for name, _ in [*value.OF_TRUTH, *value.OF_LISTS]
    }
    wholes = {
        "value_recall": value.pooled(lambda user, k: sum(value.relevant(user, prices))),
        "value_precision": value.pooled(lambda user, k: sum(value.shown(user, k, prices))),
    }
    order = "rank" if "rank" in case.types and "score" not in case.types else "score"
    rules = {"order": order} | case.rules
    for forms, own in ((value.OF_TRUTH, {}), (value.OF_LISTS, {"population": "recs"})):
        asked = [(*form, k) for form in forms for k in case.cutoffs]
        given = replace(case, rules=case.rules | own | {"items": items})
        expected = oracle.evaluate(
            asked,
            case.recs,
            case.truth,
            case.segments,
            **(rules | own),
            metrics=metrics,
            summaries=wholes,
        )
        got = results(asked, given)
        assert (got is None) == (not expected[0])
        if got:
            check_same(got, expected)
