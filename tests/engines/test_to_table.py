"""Rows of results in tables of the database that computed them."""

import json
import math
import subprocess
import sys
from datetime import datetime
from itertools import count
from pathlib import Path

import duckdb
import pyarrow as pa
from pytest import approx, fixture, mark, param, raises

import sqlrec
from sqlrec.engines.connect import open_engine
from sqlrec.results.database_table import DatabaseRows, select_constants
from sqlrec.results.rows import Rows

from ..golden.values import als, table
from ..packages import psycopg
from .conftest import ENGINES, Database, on

NUMBERS = count()
ROOT = Path(__file__).parents[2]


class InDuckDB(Database):
    def load(self, name, table):
        self.engine.register("loaded", table)
        self.engine.execute(f'create or replace table "{name}" as from loaded')
        self.engine.unregister("loaded")


@fixture(scope="module")
def in_duckdb():
    with duckdb.connect() as connection:
        yield InDuckDB(connection, "?", {})


@fixture(scope="module", params=["in_duckdb", *map(on, ENGINES)])
def target(request):
    """A database with lists and truth."""
    database = request.getfixturevalue(request.param)
    database.load("target_recs", table("recs", "rank"))
    database.load("target_truth", table("truth"))
    return database


@fixture
def name(request):
    """The name of a new table. It has to be quoted, except in Spark's own catalog."""
    session = getattr(request.getfixturevalue("target").engine, "catalog", None)
    name = f"runs_{next(NUMBERS)}" if session else f"Evaluation's {next(NUMBERS)} runs"
    yield name
    if session:
        request.getfixturevalue("target").engine.sql(f"drop table if exists {name}")


def of(database, function=sqlrec.evaluate, metrics="ndcg@5 mrr@all", **options):
    names = {"recs": "target_recs", "truth": "target_truth"}
    return function(metrics, **names, engine=database.engine, **options)


def stored(database, name):
    quote = "`" if hasattr(database.engine, "catalog") else '"'
    return database.paste(f"select * from {quote}{name}{quote}")


def in_order(rows):
    """Sort rows with rounded numbers, because the order of sums changes the last digits."""
    return sorted((tuple(approx_key(value) for value in row.values()) for row in rows), key=repr)


def approx_key(value):
    return float(f"{value:.12g}") if isinstance(value, float) else value


def same(database, name, expected):
    stored_rows = stored(database, name)
    assert [*stored_rows[0]] == [*expected[0]]
    assert in_order(stored_rows) == in_order(expected)


TABLES = {
    "result": lambda target: of(target),
    "per_user": lambda target: of(target).per_user(),
    "comparison": lambda target: of(target, sqlrec.compare, baseline="pop"),
    "best": lambda target: of(target).best(),
}


@mark.parametrize("kind", TABLES)
def test_rows_are_written_replaced_and_appended(target, name, kind):
    evaluated = TABLES[kind](target)
    rows = evaluated.to_arrow().to_pylist()
    evaluated.to_table(name)
    same(target, name, rows)
    evaluated.to_table(name, "append")
    same(target, name, rows * 2)
    evaluated.to_table(name, mode="replace")
    same(target, name, rows)
    with raises(sqlrec.InputError, match="exists: give mode='replace' or mode='append'"):
        evaluated.to_table(name)
    same(target, name, rows)


@mark.parametrize("mode", ["error", "replace", "append"])
def test_an_input_is_not_written(mode):
    with duckdb.connect() as connection:
        connection.execute("create table recs as select 1 as user_id, 2 as item_id, 1 as rank")
        connection.execute("create table truth as select 1 as user_id, 2 as item_id")
        arguments = {"recs": {"als": "recs"}, "truth": "main.truth", "engine": connection}
        result = sqlrec.evaluate("ndcg@1", **arguments)
        for table in (result, result.per_user(), result.user_counts):
            for name in ("recs", "main.recs", '"RECS"', "truth", "memory.main.truth"):
                with raises(sqlrec.InputError, match=r"is the input .*, which would be lost"):
                    table.to_table(name, mode)
        assert connection.sql("from truth").fetchall() == [(1, 2)]


def test_appending_creates_a_table_and_takes_columns_by_name(target, name):
    users = of(target).per_user()
    users.to_table(name, "append", run_id="2026-01-31", evaluated_at=True, options=True)
    (first, *_) = rows = stored(target, name)
    assert first["run_id"] == "2026-01-31"
    moment = first["evaluated_at"]
    moment = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    assert moment.year >= 2026
    assert '"rules"' in first["options"]
    with raises(sqlrec.InputError, match="has also evaluated_at, options: append to a table of"):
        users.to_table(name, "append", run_id="2026-02-01")
    with raises(sqlrec.InputError, match=r"has also .* and lacks .*low"):
        of(target).to_table(name, "append")
    assert len(stored(target, name)) == len(rows)


@mark.parametrize("mode", ["replace", "append", "error"])
def test_a_failure_leaves_the_old_table(target, name, mode):
    """The first of two queries succeeds."""
    engine = open_engine(target.engine)
    quoted = f"`{name}`" if engine.dialect == "spark" else f'"{name}"'
    if mode != "error":
        engine.write(quoted, {"value": "value"}, ["select 1 as value"], "error")
    broken = ["select 2 as value", "select no_such_column as value from target_recs"]
    with raises(engine.error):
        engine.write(quoted, {"value": "value"}, broken, mode)
    if mode == "error":
        assert engine.stored_columns(quoted) is None
    else:
        assert [row["value"] for row in stored(target, name)] == [1]


def test_errors_of_the_database_are_named(target, name):
    users = of(target).per_user()
    users.to_table(name)
    rows = stored(target, name)
    target.load("target_truth", pa.table({"user_id": ["u01"], "other": ["a"]}))
    try:
        with raises(sqlrec.DataError, match=f"{name}. is not written: "):
            users.to_table(name, "replace")
    finally:
        target.load("target_truth", table("truth"))
    same(target, name, rows)


def test_numbers_keep_all_digits(target, name):
    numbers = [0.1, 1 / 3, math.pi * 1e-300, 2.0**-52, 123456789.123456789]
    engine = open_engine(target.engine)
    rows = pa.table({"number": numbers, "number_of_row": range(5)})
    evaluated = sqlrec.Table("", lambda: rows, source=of(target).source)
    evaluated.to_table(name)
    numbers_by_row = {row["number_of_row"]: row["number"] for row in stored(target, name)}
    assert [numbers_by_row[number] for number in range(5)] == numbers, engine.dialect


@fixture(params=["duckdb", "sqlite", *map(on, ("postgres", "clickhouse", "spark"))])
def address(request, tmp_path):
    """An engine, and the address of a database that a killed process leaves."""
    engine = request.param
    if engine == "postgres":
        yield engine, request.getfixturevalue("postgres_uri")
    elif engine == "spark":
        session = request.getfixturevalue("spark").engine
        gateway = session.sparkContext._gateway.gateway_parameters
        values = {"PORT": str(gateway.port), "SECRET": gateway.auth_token}
        yield engine, json.dumps({f"PYSPARK_GATEWAY_{name}": v for name, v in values.items()})
        session.sql("drop table if exists killed")
    else:
        yield engine, str(tmp_path / "a file")


@mark.engine
def test_a_killed_process_leaves_the_old_table(address):
    program = [sys.executable, "-W", "ignore", "-m", "tests.engines.killed", *address]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    old, appended, replaced = map(json.loads, done.stdout.splitlines())
    assert old == {"old": 3}
    assert appended == {"old": 3, "new": 3}
    assert replaced == {"new": 3}


@mark.xdist_group("postgres")
def test_a_lost_connection_leaves_the_old_table_and_is_named(postgres_uri):
    with (
        psycopg.connect(postgres_uri, autocommit=True) as other,
        psycopg.connect(postgres_uri) as connection,
    ):
        engine = open_engine(connection)
        engine.write("lost", {"value": "value"}, ["select 1 as value"], "error")
        connection.commit()
        rows = pa.table({"value": range(300)})
        written = sqlrec.Table("", lambda: rows, source=DatabaseRows(engine))
        run = engine.execute

        def run_and_lose(sql):
            run(sql)
            if sql.startswith("create table"):
                other.execute(f"select pg_terminate_backend({connection.info.backend_pid})")

        engine.execute = run_and_lose
        with raises(sqlrec.DataError, match="'lost' is not written: terminating connection due"):
            written.to_table("lost", "replace")
        assert other.execute("table lost").fetchall() == [(1,)]
        other.execute("drop table lost")


def test_frames_are_named_while_rows_are_written():
    name = "of frames"
    with duckdb.connect() as connection:
        result = sqlrec.evaluate("ndcg@5", recs=als(), truth=table("truth"), engine=connection)
        result.per_user().to_table(name)
        (rows,) = connection.sql(f'select avg(value) from "{name}"').fetchall()
        assert rows[0] == approx(result.to_arrow()["value"][0].as_py())
        assert connection.sql("show tables").fetchall() == [(name,)]


def test_printed_statements_read_frames_by_the_names_of_inputs():
    with duckdb.connect() as connection:
        inputs = {"recs": {"als": als(), "pop": als()}, "truth": table("truth")}
        connection.register("recs", als())
        given = inputs | {"engine": connection}
        result = sqlrec.evaluate("ndcg@5", **given)
        comparison = sqlrec.compare("ndcg@5", baseline="pop", **given)
        plain = sqlrec.sql("ndcg@5", **given)
        texts = {plain, *(x.sql for x in (result, result.per_user(), comparison))}
        assert "sqlrec_" not in sqlrec.explain("ndcg@5", **given).sql
        assert connection.sql("from recs").fetchall()
        for name, frame in {"recs_2": als(), "truth": table("truth")}.items():
            connection.register(name, frame)
        for text in texts:
            assert connection.sql(text).fetchall()


@mark.parametrize("engine", [param("spark", marks=mark.xdist_group("spark"))])
def test_frames_of_spark_are_named_while_rows_are_written(request, engine):
    session = request.getfixturevalue(engine).engine
    recs, truth = session.createDataFrame(als()), session.createDataFrame(table("truth"))
    result = sqlrec.evaluate("ndcg@5", recs=recs, truth=truth)
    users = result.per_user()
    users.to_table("framed")
    assert session.table("framed").count() == len(users)
    session.sql("drop table framed")
    frame = users.to_spark()
    assert frame.columns == users.to_arrow().column_names
    assert in_order(frame.toArrow().to_pylist()) == in_order(users.to_arrow().to_pylist())
    assert result.to_spark().count() == len(result)
    for name, table_of_input in {"recs": recs, "truth": truth}.items():
        table_of_input.createOrReplaceTempView(name)
    assert session.sql(result.per_user().sql).count() == len(users)


@mark.parametrize("engine", [param("spark", marks=mark.xdist_group("spark"))])
def test_rows_of_a_result_are_one_partition_in_spark(request, engine):
    session = request.getfixturevalue(engine).engine
    rows = Rows({"k": "int64", "metric": "string"}, [{"k": k, "metric": "it's"} for k in range(5)])
    (query,) = select_constants(rows, "spark")
    constants = session.sql(query)
    assert [tuple(row) for row in constants.collect()] == [(k, "it's") for k in range(5)]
    assert constants.rdd.getNumPartitions() == 1


class TestRefused:
    def test_results_of_files_are_refused(self):
        result = sqlrec.evaluate("ndcg@5", recs=als(), truth=table("truth"))
        with raises(sqlrec.InputError, match=r"give engine=duckdb\.connect"):
            result.to_table("results")
        with raises(sqlrec.InputError, match="was not computed by Spark: use to_arrow"):
            result.to_spark()

    def test_an_open_transaction_is_refused(self):
        with duckdb.connect() as connection:
            result = sqlrec.evaluate("ndcg@5", recs=als(), truth=table("truth"), engine=connection)
            connection.begin()
            with raises(sqlrec.InputError, match="a transaction is open"):
                result.to_table("results")

    @mark.parametrize(
        ("options", "message"),
        [
            ({"mode": "overwrite"}, "mode='overwrite'"),
            ({"name": ""}, "name='': give the name of a table"),
            ({"run_id": 3}, "run_id=3: give a string"),
        ],
    )
    def test_invalid_options_are_refused(self, options, message):
        with duckdb.connect() as connection:
            result = sqlrec.evaluate("ndcg@5", recs=als(), truth=table("truth"), engine=connection)
            with raises(sqlrec.InputError, match=message):
                result.to_table(**{"name": "results", **options})

    def test_invalid_options_of_a_comparison_are_refused(self):
        with duckdb.connect() as connection:
            inputs = {"recs": table("recs", "rank"), "truth": table("truth"), "engine": connection}
            comparison = sqlrec.compare("ndcg@5", baseline="pop", **inputs)
            with raises(sqlrec.InputError, match="options=True is for results of evaluate only"):
                comparison.to_table("results", options=True)
