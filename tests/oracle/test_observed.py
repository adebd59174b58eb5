"""Means over the ranks of items in the truth, on small random data, compared with plain Python."""

import math

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

import sqlrec

from ..examples import examples
from ..tables import table

IDS = {"user_id": pa.string(), "item_id": pa.int64()}
ITEM = st.integers(1, 5)
NUMBERS = st.sampled_from((0.0, 0.25, 0.5, 1.0, 3.0))
RANKS = st.lists(st.tuples(ITEM, NUMBERS), max_size=5, unique_by=lambda row: row[0])
CHANCE = st.sampled_from((0.0, 0.125, 0.5, 1.0, None))
JUDGED = st.lists(st.tuples(ITEM, NUMBERS, CHANCE), max_size=4, unique_by=lambda row: row[0])


def expected(recs, truth, k, chances):
    """Return the three means over the ranks within k."""
    uniform = 1 / len({item for _, item, _, _ in truth})
    known = {row[:2]: (row[2], row[3] if chances else uniform) for row in truth}
    observed, weighed, corrected = [], [], []
    for user in {row[0] for row in recs}:
        own = sorted((-score, item) for name, item, score in recs if name == user)[:k]
        sums = [[], []]
        for minus, item in own:
            worth, chance = known.get((user, item), (None, None))
            observed += [] if worth is None else [worth]
            # The prediction is 0 for IPS, and the score for the doubly robust mean.
            for results, predicted in zip(sums, (0, -minus), strict=True):
                if worth is None or chance is None or worth - predicted == chance == 0:
                    results.append(predicted)
                else:
                    error = worth - predicted
                    results.append(predicted + error / chance if chance else math.inf)
        weighed += sums[0] if math.inf not in sums[0] else []
        corrected += sums[1] if math.inf not in sums[1] else []
    return [math.fsum(v) / len(v) if v else None for v in (observed, weighed, corrected)]


@examples(32)
@given(RANKS, RANKS, JUDGED, JUDGED, st.sampled_from((1, 2, None)), st.booleans())
def test_observed_means_equal_plain_python(ann, bob, of_ann, of_bob, k, chances):
    recs = [("ann", *row) for row in ann] + [("bob", *row) for row in bob] + [("cid", 9, 0.5)]
    truth = [("ann", *row) for row in of_ann] + [("bob", *row) for row in of_bob]
    truth += [("cid", 9, 1.0, 0.5)]
    shown = table(recs, **IDS, score=pa.float64())
    known = table(truth, **IDS, relevance=pa.float64(), propensity=pa.float64())
    known = known if chances else known.drop_columns("propensity")
    at = f"@{k or 'all'}"
    names = ("list_ctr", "list_ips", "list_doubly_robust")
    result = sqlrec.evaluate([name + at for name in names], recs=shown, truth=known)
    results = {row["metric"]: row["value"] for row in result.to_arrow().to_pylist()}
    for name, value in zip(names, expected(recs, truth, k, chances), strict=True):
        assert (results[name] is None) == (value is None)
        assert value is None or math.isclose(results[name], value, rel_tol=1e-12, abs_tol=1e-12)
