"""Metrics of prices on small random data, compared with plain Python."""

from dataclasses import replace
from functools import partial

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from . import value
from .test_rules import ARROW, agree, cases, few


@few
@given(cases(), st.randoms(use_true_random=False))
def test_metrics_of_prices_equal_plain_python(case, chance):
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
    for forms, own in ((value.OF_TRUTH, {}), (value.OF_LISTS, {"population": "recs"})):
        requests = [(*form, k) for form in forms for k in case.cutoffs]
        counted = replace(case, rules=case.rules | own)
        agree(counted, requests, {"items": items}, metrics=metrics, summaries=wholes)
