"""Columns of lists, on the engines that have them."""

import pyarrow as pa
from pytest import fixture, mark, param, raises, warns

import sqlrec
from sqlrec.engines.base import Engine

from .test_engines import FEW, same

WITH_LISTS = ["postgres", "clickhouse", "spark"]
LISTS = pa.list_(pa.string())


@fixture(params=[param(name, marks=mark.xdist_group(name)) for name in WITH_LISTS])
def database(request):
    return request.getfixturevalue(request.param)


def test_takes_a_list_from_best_to_worst(database):
    shown = pa.table({"user_id": ["u1", "u2"], "item_id": pa.array([["c", "a"], ["b"]], LISTS)})
    liked = pa.table({"user_id": ["u1", "u2"], "item_id": pa.array([["a", "d"], []], LISTS)})
    same(database, FEW, {"recs": shown, "truth": liked})


def test_any_names_are_allowed_next_to_lists(database):
    shown = pa.table({"entry": ["m"], "reader": ["u"], "items": pa.array([["c", "a"]], LISTS)})
    database.load("entries", shown)
    database.load("truth", pa.table({"user_id": ["u"], "item_id": ["a"]}))
    columns = {"model": "entry", "recs.user_id": "reader", "recs.item_id": "items"}
    result = sqlrec.evaluate(
        "mrr@2", recs="entries", truth="truth", columns=columns, engine=database.engine
    )
    assert result.to_arrow()["value"].to_pylist() == [0.5]


def test_warns_where_no_list_has_an_item_of_truth(database):
    for entry, items in (("recs", ["a", "b"]), ("truth", ["A", "B"])):
        database.load(entry, pa.table({"user_id": ["u"], "item_id": pa.array([items], LISTS)}))
    with warns(UserWarning, match="recs: no item of truth is in any list"):
        sqlrec.evaluate("mrr@2", recs="recs", truth="truth", engine=database.engine)


def test_an_engine_for_which_lists_are_not_written_takes_a_row_per_item():
    class Trino(Engine):
        dialect = "trino"

        def query(self, sql):
            return pa.table({"filled": [1]})

        def columns(self, relation):
            return {"user_id": "BIGINT", "item_id": "BIGINT[]"}

    with raises(sqlrec.InputError, match=r"recs.item_id is BIGINT\[\]: trino can't read lists"):
        sqlrec.evaluate("mrr@2", recs="recs", truth="truth", engine=Trino())
