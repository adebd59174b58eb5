"""The self-test passes on each engine, finds broken statements, and leaves nothing behind."""

import json
import re
import sqlite3
from pathlib import Path

import duckdb
from pytest import fixture, mark, raises

import sqlrec
from sqlrec import self_test
from sqlrec.engines.connect import open_engine
from sqlrec.engines.estimate import estimate

from .conftest import QUICK_ENGINES, on


@fixture
def few(monkeypatch):
    """Run one case of each part and call, the first."""
    every = self_test.cases

    def cases(values):
        firsts = {(case.part, case.call): case for case in reversed([*every(values)])}
        return reversed(firsts.values())

    monkeypatch.setattr(self_test, "cases", cases)


def tables_of(connection):
    return [name for (name,) in connection.execute("show tables").fetchall()]


def failures(tested):
    return [row["message"] for row in tested.rows().to_pylist() if row["result"] == "FAIL"]


@mark.parametrize("database", [*map(on, QUICK_ENGINES), on("spark", mark.weekly)])
def test_every_statement_passes(request, database, few):
    engine = request.getfixturevalue(database).engine
    tested = sqlrec.selftest(engine)
    assert not failures(tested)
    assert tested.passed


@mark.slow
def test_all_statements_pass():
    tested = sqlrec.selftest()
    assert not failures(tested)
    assert len(tested) > 100


@mark.usefixtures("few")
class TestDuckDB:
    def test_the_tables_are_removed(self):
        with duckdb.connect() as connection:
            connection.execute("create schema scratch; create table recs as select 1 as user_id")
            tested = sqlrec.selftest(connection, schema="scratch")
            assert tested.passed
            assert tables_of(connection) == ["recs"]
            assert "statements on duckdb passed" in str(tested)

    def test_a_table_of_others_is_left_as_it_is(self, monkeypatch):
        monkeypatch.setattr("os.urandom", lambda count: b"\1" * count)
        with duckdb.connect() as connection:
            connection.execute("create table sqlrec_01010101_items as select 7 as item_id")
            with raises(duckdb.CatalogException, match="already exists"):
                sqlrec.selftest(connection)
            assert tables_of(connection) == ["sqlrec_01010101_items"]
            assert connection.sql("from sqlrec_01010101_items").fetchall() == [(7,)]

    def test_a_transaction_of_the_caller_is_left_as_it_is(self):
        with duckdb.connect() as connection:
            connection.begin()
            with raises(sqlrec.InputError, match="a transaction is open"):
                sqlrec.selftest(connection)


class Broken(sqlrec.Engine):
    """SQLite, with one change in each statement."""

    dialect, error = "sqlite", sqlite3.Error

    def __init__(self, old, new):
        self.inner = open_engine(sqlite3.connect(":memory:"))
        self.change = old, new

    def query(self, sql):
        return self.inner.query(sql.replace(*self.change))

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def columns(self, relation):
        return self.inner.columns(relation)

    def execute(self, sql):
        self.inner.execute(sql)


@mark.usefixtures("few")
@mark.parametrize(
    ("old", "new", "message"),
    [
        ("item_id asc", "item_id desc", " is 0."),
        ("avg(", "no_such_function(", "no such function"),
        ("union all", "union all select 'a', 'b' union all", "Error"),
    ],
)
def test_a_broken_statement_is_found(old, new, message):
    tested = sqlrec.selftest(Broken(old, new))
    assert not tested.passed
    assert any(message in one for one in failures(tested))
    assert "statements on sqlite failed" in str(tested)


@mark.usefixtures("few")
@mark.parametrize(("exact", "code", "result"), [(1e-12, 0, "pass"), (-1, 3, "FAIL")])
def test_the_command_line_returns_3_for_a_failure(
    command_line, monkeypatch, tmp_path, exact, code, result
):
    path = tmp_path / "shop.sqlite"
    sqlite3.connect(path).executescript("create table recs (user_id)")
    monkeypatch.setattr(self_test, "_EXACT", exact)
    given = ("selftest", "--engine", str(path), "--format", "json")
    returned, out, _ = command_line(tmp_path, *given)
    assert returned == code
    assert {row["result"] for row in json.loads(out)} == {result}
    names = sqlite3.connect(path).execute("select name from sqlite_master").fetchall()
    assert names == [("recs",)]


@mark.parametrize("database", [on(name) for name in ("sqlite", "postgres", "clickhouse")])
def test_a_statement_is_estimated(request, database):
    engine = open_engine(request.getfixturevalue(database).engine)
    assert len(estimate(engine, "select 1 as a union all select 2")) > 10


def test_the_command_line_estimates_a_statement(command_line, tmp_path):
    for name in ("recs", "truth"):
        (tmp_path / f"{name}.csv").write_text("user_id,item_id,score\n1,2,0.5\n")
    words = ("sql", "mrr@5", "--recs", "recs.csv", "--truth", "truth.csv", "--estimate")
    code, out, err = command_line(tmp_path, *words)
    assert (code, "aggregate" in out.lower()) == (0, True), err
    code, _, err = command_line(tmp_path, *words, "--steps")
    assert (code, "--estimate needs inputs that exist" in err) == (1, True)


@mark.usefixtures("few")
def test_the_class_for_other_services():
    page = (Path(__file__).parents[2] / "docs" / "engines.md").read_text(encoding="utf-8")
    names = {}
    exec(re.search(r"```python\n(import pyarrow\n.*?)```", page, re.DOTALL)[1], names)
    connection = sqlite3.connect(":memory:")
    assert not failures(sqlrec.selftest(names["Service"](connection, "sqlite")))


def test_the_values_are_golden(update):
    ((path, text),) = update.self_test().items()
    assert path.read_text(encoding="utf-8") == text, "run python docs/update.py"
