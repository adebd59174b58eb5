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

from ..environments import python_with, run
from .conftest import QUICK_ENGINES, break_one, few_cases, on


@fixture
def few(monkeypatch):
    few_cases(monkeypatch)


def tables_of(connection):
    return [name for (name,) in connection.execute("show tables").fetchall()]


def failures(tested):
    return [row["message"] for row in tested.rows().to_pylist() if row["result"] == "FAIL"]


@mark.parametrize("database", [*map(on, QUICK_ENGINES), on("spark", mark.weekly)])
def test_the_self_test_passes(request, database, few):
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

    def test_a_transaction_of_the_caller_is_left_as_it_is(self):
        with duckdb.connect() as connection:
            connection.begin()
            with raises(sqlrec.InputError, match="a transaction is open"):
                sqlrec.selftest(connection)


@fixture(params=["duckdb", *map(on, QUICK_ENGINES), on("spark", mark.weekly)])
def engine(request):
    """An engine whose tables can be listed."""
    if request.param == "duckdb":
        yield open_engine(duckdb.connect())
    else:
        yield open_engine(request.getfixturevalue(request.param).engine)


def tables_in(engine):
    statements = {
        "sqlite": "select name from sqlite_master",
        "postgres": "select relname from pg_class where relkind = 'r'",
        "spark": "show tables",
    }
    return engine.rows(statements.get(engine.dialect, "show tables"))


@mark.usefixtures("few")
@mark.parametrize(
    ("old", "new", "message"),
    [
        ("item_id asc", "item_id desc", " is stored"),
        ("avg(", "no_such_function(", "no_such_function"),
    ],
)
def test_a_broken_statement_is_found(engine, monkeypatch, old, new, message):
    before = tables_in(engine)
    if engine.dialect == "postgres":
        old, new = (x.replace("item_id ", '(item_id collate "C") ') for x in (old, new))
    break_one(engine, monkeypatch, old, new)
    tested = sqlrec.selftest(engine)
    assert not tested.passed
    (row,) = (row for row in tested.rows().to_pylist() if row["result"] == "FAIL")
    assert message in row["message"]
    text = " ".join(str(tested).split()).lower()
    assert f"1 of {len(tested)} statements on {engine.dialect} failed" in text
    assert f"{row['part']}, {row['metrics']}: {row['message']}".lower() in text
    assert tables_in(engine) == before


@mark.usefixtures("few")
def test_a_table_of_others_is_left_as_it_is(engine, monkeypatch):
    monkeypatch.setattr("os.urandom", lambda count: b"\1" * count)
    name = "sqlrec_01010101_truth"
    engine.write(name, {"item_id": "item_id"}, ["select 7 as item_id"], "error")
    before = tables_in(engine)
    with raises(engine.error, match="exist"):
        sqlrec.selftest(engine)
    assert tables_in(engine) == before
    assert engine.rows(f"select * from {name}") == [(7,)]
    engine.execute(f"drop table {name}")


@mark.usefixtures("few")
@mark.parametrize(("exact", "code", "result"), [(1e-12, 0, "pass"), (-1, 3, "FAIL")])
def test_the_command_line_returns_3_for_a_failure(
    command_line, monkeypatch, tmp_path, exact, code, result
):
    path = tmp_path / "shop.sqlite"
    sqlite3.connect(path).executescript("create table recs (user_id)")
    monkeypatch.setattr(self_test, "_EXACT", exact)
    inputs = ("selftest", "--engine", str(path), "--format", "json")
    returned, out, _ = command_line(tmp_path, *inputs)
    assert returned == code
    assert {row["result"] for row in json.loads(out)} == {result}
    names = sqlite3.connect(path).execute("select name from sqlite_master").fetchall()
    assert names == [("recs",)]


@mark.parametrize("database", [*map(on, QUICK_ENGINES), on("spark", mark.weekly)])
def test_a_statement_is_estimated(request, database):
    engine = open_engine(request.getfixturevalue(database).engine)
    assert len(estimate(engine, "select 1 as a union all select 2")) > 10


@mark.weekly
def test_a_dry_run_of_bigquery_is_read(tmp_path):
    """Only the client is real; see the docstring of the program."""
    python = python_with("bigquery", "google-cloud-bigquery")
    request, bytes_read = map(json.loads, run([python, "-m", "tests.engines.bigquery"], tmp_path))
    assert request == ["/bigquery/v2/projects/shop/jobs?prettyPrint=false", True, "select 1 as a"]
    assert bytes_read == "1,234,567 bytes"


def test_the_command_line_estimates_a_statement(command_line, tmp_path):
    for name in ("recs", "truth"):
        (tmp_path / f"{name}.csv").write_text("user_id,item_id,score\n1,2,0.5\n")
    words = ("sql", "mrr@5", "--recs", "recs.csv", "--truth", "truth.csv", "--estimate")
    code, out, err = command_line(tmp_path, *words)
    assert (code, "aggregate" in out.lower()) == (0, True), err
    code, _, err = command_line(tmp_path, *words, "--steps")
    assert (code, "--estimate needs inputs or --engine" in err) == (1, True)


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
