"""Padding: rows and items that fill lists to one length, excluded as in the guide."""

from math import log2

import pyarrow as pa
import pyarrow.parquet
from pytest import approx, mark

import sqlrec

from ..tables import values, wanted

# The padding has the highest score.
SCORES = {"score": [3.0, 1.0, 0.0], "label": [-1, 1, 0]}
PADDED = pa.table({"user_id": ["q"] * 3, "item_id": ["p", "a", "b"], **SCORES})
BOTH = {"recs": PADDED, "truth": PADDED, "columns": {"truth.relevance": "label"}}


@mark.filterwarnings("ignore:recs has an unused column 'label'")
def test_an_item_of_grade_minus_one_takes_a_rank():
    assert values(sqlrec.evaluate("dcg@3 mrr@3", **BOTH)) == [approx(1 / log2(3)), 0.5]


def test_a_condition_on_the_grade_leaves_it_out():
    where = {"recs": "label >= 0", "truth": "label >= 0"}
    assert values(sqlrec.evaluate("dcg@3 mrr@3", **BOTH, where=where)) == [1, 1]


def test_a_query_leaves_items_out_of_lists(tmp_path):
    path = tmp_path / "recs.parquet"
    padded = pa.table({"user_id": ["u"], "item_id": [[0, 5, 3, 0]]})
    pa.parquet.write_table(padded, path)
    recs = f"(select user_id, [x for x in item_id if x <> 0] as item_id from '{path}')"
    truth = pa.table({"user_id": ["u"], "item_id": [3]})
    # The relevant item is the second of two.
    metrics = "mrr@4 precision(divide_by=list_length)@4"
    assert values(sqlrec.evaluate(metrics, recs=recs, truth=truth)) == [0.5, 0.5]


def test_a_condition_leaves_items_out_of_rows():
    recs = pa.table({"user_id": ["u"] * 2, "item_id": [0, 3], "rank": [1, 2]})
    truth = wanted({"u": "x"}).set_column(1, "item_id", pa.array([3]))
    result = sqlrec.evaluate("mrr@2 ndcg@2", recs=recs, truth=truth, where={"recs": "item_id <> 0"})
    # Ranks are read unchanged, with the gap.
    assert values(result) == [0.5, approx(1 / log2(3))]
