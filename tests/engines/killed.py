"""A process that kills children while they write a table, and then prints the table's rows."""

import json
import os
import re
import signal
import sys
import traceback
from collections import Counter

import sqlrec
from sqlrec.engines.connect import open_engine
from sqlrec.results.database_table import DatabaseRows
from sqlrec.results.rows import Rows

# The statement that completes a table, by engine.
LAST = {
    "duckdb": "commit",
    "sqlite": "commit",
    "postgres": "commit",
    "clickhouse": "exchange tables",
    "spark": r"alter table \S+ rename to killed$",
}


def connect(kind, address):
    """Open a database, or a session of Spark in the JVM of another process."""
    if kind == "spark":
        return spark_session(json.loads(address))
    if kind == "duckdb":
        import duckdb as driver
    elif kind == "sqlite":
        import sqlite3 as driver
    elif kind == "postgres":
        import psycopg as driver
    else:
        import chdb.dbapi as driver

        return driver.connect(path=address)
    return driver.connect(address)


def spark_session(address):
    from pyspark import SparkConf, SparkContext
    from pyspark.java_gateway import launch_gateway
    from pyspark.sql import SparkSession

    os.environ |= address
    gateway = launch_gateway()
    running = gateway.jvm.org.apache.spark.SparkContext.getOrCreate()
    java = gateway.jvm.org.apache.spark.api.java.JavaSparkContext.fromSparkContext(running)
    context = SparkContext(gateway=gateway, jsc=java, conf=SparkConf(_jconf=running.getConf()))
    return SparkSession(context)


def rows_of(engine):
    """Return a table of three rows."""
    rows = Rows({"number": "int64"}, [{"number": number} for number in range(3)])
    return sqlrec.Table("", lambda: rows, source=DatabaseRows(engine))


def killed(kind, address, mode, first):
    """Write the table in a child process that is killed before the completing statement."""
    if child := os.fork():
        status = os.waitpid(child, 0)[1]
        assert os.WTERMSIG(status) == signal.SIGKILL, status
        return
    try:
        engine = open_engine(connect(kind, address))
        if first:
            rows_of(engine).to_table("killed", run_id="old")
        holder, method = (engine.session, "sql") if kind == "spark" else (engine, "execute")
        run = getattr(holder, method)

        def run_or_die(sql, *args, **options):
            if re.match(LAST[kind], sql):
                os.kill(os.getpid(), signal.SIGKILL)
            return run(sql, *args, **options)

        setattr(holder, method, run_or_die)
        rows_of(engine).to_table("killed", mode, run_id="lost")
    finally:
        traceback.print_exc()
        os._exit(1)


def main(kind, address):
    # Spark completes an append as part of its statement.
    for number, mode in enumerate(("replace", "append")[: 1 if kind == "spark" else 2]):
        killed(kind, address, mode, not number)
    engine = open_engine(connect(kind, address))
    for mode in ("error", "append", "replace"):
        try:
            rows_of(engine).to_table("killed", mode, run_id="new")
        except sqlrec.InputError as error:
            assert "exists: give mode='replace'" in str(error), error
        runs = engine.rows("select run_id from killed")
        print(json.dumps(Counter(run for (run,) in runs)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
