"""The share of the truth in the history, on small random data, compared with plain Python."""

import math

import pyarrow as pa
from hypothesis import assume, given
from hypothesis import strategies as st

import sqlrec

from ..examples import examples
from ..tables import table

IDS = {"user_id": pa.string(), "item_id": pa.int64()}
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
