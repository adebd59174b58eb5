"""Values outside of a metric's domain are rejected with the row, the rule and the fix."""

from functools import partial
from warnings import catch_warnings, simplefilter

import duckdb
import pyarrow as pa
from pytest import approx, mark, raises, warns

import sqlrec
from sqlrec.errors import DataError

from ..jinja import package
from ..tables import in_sqlite, lists, values

RECS = lists({"u": "abc"})


def diversity(distances, recs=RECS, engine="duckdb"):
    """Return intra-list diversity for the distances of a and b, a and c, b and c."""
    items = pa.table({"item_id": [*"aab"], "other_item_id": [*"bcc"], "distance": distances})
    tables = {"recs": recs, "items": items}
    inputs = in_sqlite(tables) if engine == "sqlite" else tables
    return values(sqlrec.evaluate("intra_list_diversity@3", **inputs, interval=None))


@mark.parametrize("distance", [-3.0, -1e-9, float("-inf")])
def test_a_distance_below_0_is_refused(distance):
    message = r"items: item a has a distance below 0 \(rows: 1\): distances are at least 0"
    if distance == float("-inf"):
        message = "items: item a has a value or distance beyond 1e100"
    with raises(DataError, match=message):
        diversity([1.0, distance, 0.5])


@mark.parametrize("engine", ["duckdb", "sqlite"])
def test_each_such_row_is_counted(engine):
    with raises(DataError, match=r"distance below 0 \(rows: 2\)"):
        diversity([-1, 2, -1], engine=engine)


def test_a_distance_of_pairs_that_no_list_has_is_refused_too():
    with raises(DataError, match="distance below 0"):
        diversity([1.0, 0.5, -1.0], recs=lists({"u": "ab"}))


@mark.parametrize("missing", [None, float("nan")])
def test_a_distance_of_0_counts_and_one_that_is_missing_is_left_out(missing):
    assert diversity([1.0, missing, 0.0]) == approx([(1 + 0) / 2])


def test_metrics_without_distances_accept_such_items():
    items = pa.table({"item_id": [*"abc"], "distance": [-1.0] * 3, "category": [*"xyy"]})
    result = sqlrec.evaluate("jaccard_diversity@2", recs=RECS, items=items, interval=None)
    assert values(result) == approx([1])


def test_the_checks_of_dbt_have_the_rule():
    connection = duckdb.connect()
    connection.register("recs", RECS)
    items = {"item_id": [*"ab"], "other_item_id": [*"bc"], "distance": [-1.0, 0.5]}
    connection.register("items", pa.table(items))
    named = {"recs": "recs", "items": "items", "columns": {"rank": "rank"}}
    ask = partial(package("duckdb").evaluate, "intra_list_diversity@3", **named)
    ((table, rule, result, *_, message),) = connection.sql(ask(form="check")).fetchall()
    assert (table, rule, result) == ("items", "items_distance", 1)
    assert "items: item a has a distance below 0 (rows: 1)" in message
    with raises(duckdb.ConversionException, match="1 rows break a rule"):
        connection.sql(ask(on_violation="fail")).fetchall()
    text = sqlrec.sql("intra_list_diversity@3", form="check", engine=connection, **named)
    ((rule, result, *_),) = connection.execute(text).fetchall()
    assert (rule, result) == ("items_distance", 1)


def test_scores_other_than_probabilities_have_a_warning():
    recs = pa.table({"user_id": ["u", "u"], "item_id": ["a", "b"], "score": [1.8, 0.3]})
    truth = pa.table({"user_id": ["u", "u"], "item_id": ["a", "b"], "relevance": [1, 0]})
    with warns(UserWarning, match="scores from 0.3 to 1.8, but log_loss reads them as probab"):
        sqlrec.evaluate("log_loss", recs=recs, truth=truth, interval=None)
    with catch_warnings():
        simplefilter("error")
        sqlrec.evaluate("log_loss(of=logits) mrr@2", recs=recs, truth=truth, interval=None)


def test_grades_above_the_scale_have_a_warning():
    recs = pa.table({"user_id": ["u"], "item_id": ["a"], "score": [0.5]})
    truth = pa.table({"user_id": ["u"], "item_id": ["a"], "relevance": [5]})
    message = r"truth has grades up to 5, but bpm, err counts .* write max_grade=5"
    with warns(UserWarning, match=message):
        sqlrec.evaluate("bpm@1 err@1 ndcg@1", recs=recs, truth=truth, interval=None)
    with catch_warnings():
        simplefilter("error")
        sqlrec.evaluate("bpm(max_grade=5)@1 err(scale=own)@1", recs=recs, truth=truth)
