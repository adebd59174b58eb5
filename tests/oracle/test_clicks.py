"""Metrics of clicks weighted by propensities, on small random data, compared with plain Python."""

import math

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

import sqlrec

from ..examples import examples, reject_disjoint_users
from ..tables import table

IDS = {"user_id": pa.string(), "item_id": pa.int64()}
ITEM = st.integers(0, 6)
RANKS = st.lists(ITEM, max_size=6, unique=True)
CHANCE = st.sampled_from((None, 0.0, 1e-100, 0.01, 0.125, 0.5, 1.0))
CLICKS = st.dictionaries(ITEM, CHANCE, max_size=5)
CAPS = st.sampled_from((1, 4, 10000))
ASKED = (
    *("precision(cap={cap})", "recall(cap={cap})", "ndcg(cap={cap})"),
    "recall(cap={cap}, divide_by=relevant)",
    *("ndcg(cap={cap}, divide_by=weights)", "ndcg(cap={cap}, divide_by=nothing)"),
)


def discounted(weights):
    return math.fsum(weight / math.log2(rank + 1) for rank, weight in weights)


def expected(shown, clicks, k, cap):
    """Return precision, recall and NDCG of each user, and forms with other denominators."""
    results = ([], [], [], [], [], [])
    for user, own in clicks.items():
        weights = {item: min(1 / chance, cap) if chance else 0.0 for item, chance in own.items()}
        hits = [(n, weights[i]) for n, i in enumerate(shown.get(user, ())[:k], 1) if i in weights]
        results[0].append(math.fsum(weight for _, weight in hits) / (k or 1))
        results[3].append(math.fsum(weight for _, weight in hits) / len(own))
        results[5].append(discounted(hits))
        if whole := math.fsum(weights.values()):
            best = enumerate(sorted(weights.values(), reverse=True)[:k], 1)
            results[1].append(math.fsum(weight for _, weight in hits) / whole)
            results[2].append(discounted(hits) / discounted(best))
            results[4].append(discounted(hits) / whole)
    return [math.fsum(values) / len(values) if values else None for values in results]


@examples(60)
@given(RANKS, RANKS, CLICKS, CLICKS, st.sampled_from((1, 2, 5, None)), CAPS)
def test_click_metrics_equal_plain_python(ann, bob, of_ann, of_bob, k, cap):
    # cid has only a list, dan only a click, and eve both.
    shown = {"ann": ann, "bob": bob, "cid": [9], "eve": [8]}
    clicks = {"ann": of_ann, "bob": of_bob, "dan": {9: 0.5}, "eve": {8: 1.0}}
    ranks = [(u, i, -n) for u, own in shown.items() for n, i in enumerate(own)]
    chances = [(u, i, chance) for u, own in clicks.items() for i, chance in own.items()]
    recs = table(ranks, **IDS, score=pa.int64())
    truth = table(chances, **IDS, propensity=pa.float64())
    clicks = {user: own for user, own in clicks.items() if own}
    values = dict(zip(ASKED, expected(shown, clicks, k, cap), strict=True))
    if k is None:
        del values["precision(cap={cap})"]
    requests = [f"unbiased_{name.format(cap=cap)}@{k or 'all'}" for name in values]
    with reject_disjoint_users():
        result = sqlrec.evaluate(requests, recs=recs, truth=truth, interval=None)
    for value, row in zip(values.values(), result.to_arrow().to_pylist(), strict=True):
        assert (row["value"] is None) == (value is None)
        assert value is None or math.isclose(row["value"], value, rel_tol=1e-12)
