"""Values of ``engine=``: addresses, and connections inside of other libraries' objects."""

import asyncio
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import duckdb
import pyarrow as pa
from pytest import fixture, mark, raises

import sqlrec
from sqlrec.cli import main

from ..packages import ibis, narwhals, orm, psycopg, sqlalchemy
from ..tables import rows
from . import connect

ROOT = Path(__file__).parents[2]
GIVEN = {"recs": "recs", "truth": "truth"}
TABLES = """
    create table recs as select 'u' user_id, 'a' item_id, 2 score;
    create table truth as select 'u' user_id, 'a' item_id
"""


def value(engine, **options):
    return rows(sqlrec.evaluate("mrr@2", **GIVEN | options, engine=engine), "value")


@fixture
def sqlite_file(tmp_path):
    path = tmp_path / "a shop.db"
    connection = sqlite3.connect(path)
    connection.executescript(TABLES)
    connection.close()
    return path


@fixture
def duckdb_file(tmp_path):
    path = tmp_path / "a shop.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute(TABLES)
    return path


class TestAddresses:
    def test_a_duckdb_file_is_an_engine(self, duckdb_file):
        for inputs in (duckdb_file, str(duckdb_file), f"duckdb:///{duckdb_file}"):
            assert value(inputs) == [(1,)]
        # The connection was only read from, and is closed.
        with duckdb.connect(duckdb_file) as connection:
            connection.execute("drop table recs")

    def test_per_user_values_are_read_on_request(self, duckdb_file):
        result = sqlrec.evaluate("mrr@2", **GIVEN, engine=duckdb_file)
        assert rows(result.per_user(), "user_id", "value") == [("u", 1)]

    def test_a_file_of_sqlite_and_any_url_of_sqlalchemy(self, sqlite_file):
        for inputs in (sqlite_file, str(sqlite_file), f"sqlite:///{sqlite_file}"):
            assert value(inputs) == [(1,)]

    def test_the_command_line_takes_addresses(self, sqlite_file, capsys):
        requests = ["evaluate", "mrr@2", "--recs", "recs", "--truth", "truth", "--format", "csv"]
        assert main([*requests, "--engine", f"sqlite:///{sqlite_file}"]) == 0
        assert ",1.0,1" in capsys.readouterr().out

    @mark.xdist_group("postgres")
    def test_an_address_of_postgres_is_an_engine(self, postgres_uri):
        with psycopg.connect(postgres_uri, autocommit=True) as connection:
            connection.execute("create table url_recs as select 7 user_id, 'a' item_id, 2 score")
            connection.execute("create table url_truth as select 7 user_id, 'a' item_id")
        inputs = {"recs": "url_recs", "truth": "url_truth"}
        for address in (postgres_uri, postgres_uri.replace("postgresql", "postgresql+psycopg")):
            result = sqlrec.evaluate("mrr@2", **inputs, engine=address)
            assert rows(result, "value") == [(1,)]

    @mark.slow
    def test_that_can_not_be_opened_say_why_without_their_password(self, tmp_path):
        table = tmp_path / "table.csv"
        table.touch()
        for address, why in (
            (str(tmp_path / "none.duckdb"), "the file does not exist"),
            ("oracle+thing://u:secret@h/db", "engine='oracle"),
            ("postgresql://u:secret@127.0.0.1:1/db", "can't be opened"),
            ("sqlite:////nowhere/at.all", "unable to open"),
            ("snowflake://u:secret@h/db", "pip install sqlalchemy snowflake-sqlalchemy"),
            ("a b://u:secret@h", "is not a URL: an engine is"),
            ("awsathena+rest://u:secret@h", r"sqlrec.sql\(..., dialect='athena'\)"),
            (str(table), "table.csv': a file of rows is an input, as in recs='"),
            ("mysql://u:secret@h/db", "'mysql' is not supported, only sqlite, postgres"),
            ("ducklake:none.ducklake", "'ducklake:none.ducklake' can't be opened: .*ducklake"),
            ("md:shop?motherduck_token=secret", "'md:shop.*' can't be opened: .*motherduck"),
        ):
            with raises(sqlrec.InputError, match=why) as error:
                value(address)
            assert "secret" not in str(error.value)
            assert "\\n" not in str(error.value)

    def test_addresses_refuse_settings(self, duckdb_file):
        with raises(sqlrec.InputError, match="settings and engine"):
            value(duckdb_file, settings={"threads": 1})


class TestInside:
    def test_engines_of_sqlalchemy_are_read(self, sqlite_file):
        engine = sqlalchemy.create_engine(f"sqlite:///{sqlite_file}")
        with engine.connect() as connection, orm.Session(engine) as session:
            lent = engine.raw_connection()
            scoped = orm.scoped_session(orm.sessionmaker(engine))
            for inputs in (engine, connection, session, scoped, lent, lent.driver_connection):
                result = sqlrec.evaluate("mrr@2", **GIVEN, engine=inputs)
                assert rows(result, "value") == rows(result.per_user(), "value") == [(1,)]
            assert connection.execute(sqlalchemy.text("select 1")).scalar() == 1
            lent.close()
            scoped.remove()
        engine.dispose()

    def test_selects_of_sqlalchemy_are_queries(self, sqlite_file):
        engine = sqlalchemy.create_engine(f"sqlite:///{sqlite_file}")
        metadata = sqlalchemy.MetaData()
        metadata.reflect(engine)
        recs, truth = metadata.tables["recs"], metadata.tables["truth"]
        selected = sqlalchemy.select(recs).where(
            recs.c.user_id != "it's 5% :a", recs.c.score % 3 == 2
        )
        with engine.connect() as connection, orm.Session(engine) as session:
            for source in (engine, connection, session):
                assert value(source, recs={"a": selected}, truth=truth) == [(1,)]
                with raises(sqlrec.InputError, match=r"recs.score > 2\)\" is empty"):
                    value(source, recs=selected.where(recs.c.score > 2), truth=truth.select())
        with raises(sqlrec.InputError, match="recs is a Table of sqlalchemy: give its engine too"):
            value(None, recs=recs)
        with (
            closing(engine.raw_connection()) as connection,
            raises(sqlrec.InputError, match=r"sqlite reads only .*: give SQLAlchemy's engine"),
        ):
            value(connection, recs=recs)
        engine.dispose()

    def test_text_and_mapped_classes_of_sqlalchemy_are_queries(self, sqlite_file):
        engine = sqlalchemy.create_engine(f"sqlite:///{sqlite_file}")
        truth = sqlalchemy.text("select * from truth")

        class Recs(orm.declarative_base()):
            __tablename__ = "recs"
            user_id = sqlalchemy.Column(sqlalchemy.Text, primary_key=True)
            item_id = sqlalchemy.Column(sqlalchemy.Text, primary_key=True)
            score = sqlalchemy.Column(sqlalchemy.Float)

        with orm.Session(engine) as session:
            rows = session.query(Recs).where(Recs.score > 0)
            for recs in (Recs, orm.aliased(Recs), rows, {"a": Recs}):
                assert value(session, recs=recs, truth=truth) == value(engine)
            one = sqlalchemy.text("select * from recs where user_id = :user")
            with raises(
                sqlrec.InputError, match=r"no value for :user: .*bindparams\(user=\.\.\.\)"
            ):
                value(session, recs=one, truth=truth)
            bound = one.bindparams(user="u")
            assert value(session, recs=bound, truth=truth) == value(engine)
        engine.dispose()

    def test_a_lent_connection_goes_back_to_its_pool(self, sqlite_file):
        engine = sqlalchemy.create_engine(f"sqlite:///{sqlite_file}", pool_size=1, max_overflow=0)
        for _ in range(3):
            assert value(engine) == [(1,)]
        assert engine.pool.checkedout() == 0
        engine.dispose()

    @mark.filterwarnings("ignore:convention")
    def test_a_call_uses_one_connection_for_all_its_statements(self, sqlite_file):
        with sqlite3.connect(sqlite_file) as connection:
            users = "select 'u' user_id, 'x' home, 'y' city, 3 age"
            connection.execute(f"create table users as {users}")
            connection.execute("create table lists as select *, 'als' model from recs")
            connection.execute("insert into lists select *, 'pop' model from recs")
        connection.close()
        pool = {"pool_size": 1, "max_overflow": 0}
        engine = sqlalchemy.create_engine(f"sqlite:///{sqlite_file}", **pool)
        taken = []
        sqlalchemy.event.listen(engine, "checkout", lambda *of: taken.append(of))
        models = {"recs": "lists", "truth": "truth", "users": "users", "engine": engine}
        groups = {"by": ["age", "city"], "each": True}
        clusters = {"users": "users", "interval": "normal", "cluster": "home"}
        for made in (
            lambda: value(engine),
            lambda: value(engine, **groups, **clusters),
            lambda: len(sqlrec.evaluate("mrr@2", **GIVEN, engine=engine).plot.curve().data),
            lambda: len(sqlrec.compare("mrr@2", baseline="pop", **models, **groups)),
            lambda: len(sqlrec.explain("map@2", **GIVEN, engine=engine, conventions=["ranx"])),
            lambda: len(sqlrec.plot("ranks", k=2, **GIVEN, engine=engine).data),
            lambda: sqlrec.report("map@2", baseline="pop", **models),
        ):
            assert made()
            assert len(taken) == 1
            taken.clear()
        engine.dispose()

    def test_backends_of_ibis_are_read(self, duckdb_file, sqlite_file):
        for backend in (ibis.duckdb.connect(duckdb_file), ibis.sqlite.connect(sqlite_file)):
            assert value(backend) == [(1,)]
            backend.disconnect()

    @mark.filterwarnings("ignore")  # ibis uses deprecated functions of DuckDB and pandas.
    def test_tables_of_ibis_are_evaluated_where_they_are(self, duckdb_file, sqlite_file):
        for backend in (ibis.duckdb.connect(duckdb_file), ibis.sqlite.connect(sqlite_file)):
            recs, truth = backend.table("recs"), backend.table("truth")
            here = {"recs": {"a": recs.filter(recs.score > 1)}, "truth": truth}
            results = sqlrec.evaluate("mrr@2", **here)
            assert rows(results, "model", "value") == [("a", 1)]
            assert '"score" > 1' in results.sql
            assert value(backend, truth=truth) == [(1,)]
            # Only columns of several ranks are read.
            away = pa.table({"user_id": ["u"], "item_id": ["b"]})
            assert rows(sqlrec.evaluate("mrr@2", recs=recs, truth=away), "value") == [(0,)]
            backend.disconnect()

    @mark.filterwarnings("ignore")  # As above.
    def test_frames_of_narwhals_are_the_frames_that_they_wrap(self, duckdb_file):
        with duckdb.connect(duckdb_file) as connection:
            backend = ibis.duckdb.from_connection(connection)
            recs, truth = (narwhals.from_native(backend.table(name)) for name in GIVEN)
            result = sqlrec.evaluate("mrr@2", recs={"a": recs}, truth=truth)
            assert rows(result, "model", "value") == [("a", 1)]
            relation = narwhals.from_native(connection.table("recs"))
            assert value(connection, recs=relation) == [(1,)]

    def test_the_duckdb_module_is_an_engine(self):
        duckdb.sql("create temp table recs as select 'u' user_id, 'a' item_id, 2 score")
        duckdb.sql("create temp view truth as select user_id, item_id from recs")
        assert value(duckdb) == [(1,)]
        duckdb.sql("drop view truth")
        duckdb.sql("drop table recs")

    def test_a_cursor_is_an_engine(self, sqlite_file):
        connection = sqlite3.connect(sqlite_file)
        assert value(connection.cursor()) == [(1,)]
        connection.close()

    @mark.xdist_group("postgres")
    def test_an_async_connection_is_refused(self, postgres_uri):
        async def evaluate():
            async with await psycopg.AsyncConnection.connect(postgres_uri) as connection:
                with raises(sqlrec.InputError, match="async connections are not supported"):
                    value(connection)

        asyncio.run(evaluate())

    def test_objects_without_a_connection_are_refused(self):
        for inputs in (5, object(), ["postgresql://h"]):
            with raises(sqlrec.InputError, match="an engine is a DuckDB connection"):
                value(inputs)

    @mark.parametrize(
        ("module", "fix"),
        [
            ("chdb.session.state", r"give the connection of chdb.connect\(\)"),
            ("datafusion.context", r"give tables, as in recs=context.table\('recs'\)"),
            ("google.cloud.bigquery.client", r"google.cloud.bigquery.dbapi.connect\(client\)"),
            ("snowflake.snowpark.session", "give session.connection"),
        ],
    )
    def test_sessions_of_other_libraries_are_refused_with_the_fix(self, module, fix):
        session = type("Session", (), {"__module__": module})()
        with raises(sqlrec.InputError, match=fix):
            value(session)


@mark.weekly
@mark.xdist_group("spark")
def test_spark_connect_is_an_engine():
    command = [sys.executable, "-m", connect.__name__]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1800)
    assert done.returncode == 0, done.stderr[-3000:]
    results = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    expected = json.loads(json.dumps(connect.values(None, connect.RECS, connect.TRUTH)))
    of_self_test = ["passes"], ["is broken", "metrics"]
    session = ["pyspark.sql.connect.session", 0]
    of_frames = [["a", 0.0]], [["u1", 0.5], ["u2", 0.5]]
    assert results == [*[expected] * 4, *of_frames, *of_self_test, session]
