"""Metrics with definitions of a few lines, on small random data, compared with plain Python."""

import math

import pyarrow as pa
from hypothesis import assume, given
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


NUMBERS = st.sampled_from((0.0, 0.25, 0.5, 1.0, 3.0))
SCORED = st.lists(st.tuples(ITEM, NUMBERS), max_size=5, unique_by=lambda row: row[0])
CHANCES = st.sampled_from((0.0, 0.125, 0.5, 1.0, None))
JUDGED = st.lists(st.tuples(ITEM, NUMBERS, CHANCES), max_size=4, unique_by=lambda row: row[0])


def expected_means(recs, truth, k, chances):
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
@given(SCORED, SCORED, JUDGED, JUDGED, st.sampled_from((1, 2, None)), st.booleans())
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
    for name, value in zip(names, expected_means(recs, truth, k, chances), strict=True):
        assert (results[name] is None) == (value is None)
        assert value is None or math.isclose(results[name], value, rel_tol=1e-12, abs_tol=1e-12)


NAMES = ("ann", "bob", "cid", "dan")
USER = st.sampled_from(NAMES)
EVENTS = st.lists(st.tuples(USER, st.integers(0, 4)), min_size=1, max_size=12)
PAIRS, GRADE = st.tuples(USER, st.integers(0, 4)), st.sampled_from((-1.0, 0.0, 0.5, 2.0))
GRADES = st.dictionaries(PAIRS, GRADE, min_size=1, max_size=12)


@examples(60)
@given(EVENTS, GRADES)
def test_leak_share_equals_plain_python(events, grades):
    assume(max(grades.values()) > 0)
    recs = table([(user, 1, 1.0) for user in NAMES], **IDS, score=pa.float64())
    judged = [(*pair, grade) for pair, grade in grades.items()]
    truth = table(judged, **IDS, relevance=pa.float64())
    inputs = {"recs": recs, "truth": truth, "history": table(events, **IDS)}
    result = sqlrec.evaluate("leak_share", **inputs, interval=None)
    shares = []
    for one in NAMES:
        own = [pair for pair, grade in grades.items() if pair[0] == one and grade > 0]
        if own:
            shares.append(sum(pair in events for pair in own) / len(own))
    (row,) = result.to_arrow().to_pylist()
    assert row["users"] == len(shares)
    assert math.isclose(row["value"], math.fsum(shares) / len(shares), rel_tol=1e-12)
