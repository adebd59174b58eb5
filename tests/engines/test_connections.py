"""What a connection is left with, and what Spark takes beside names of tables."""

import re
from pathlib import Path

import psycopg
import pyarrow as pa
import pyarrow.parquet
from pytest import fixture, mark, raises

import sqlrec
from sqlrec.cli import main

from ..tables import lists, rows, wanted


@mark.xdist_group("postgres")
class TestPostgres:
    @fixture(autouse=True)
    def tables(self, postgres):
        postgres.load("recs", lists({"u1": "ba"}))
        postgres.load("truth", wanted({"u1": "a"}))

    def status(self, connection):
        return connection.info.transaction_status.name

    def test_an_idle_connection_is_left_idle(self, postgres):
        sqlrec.evaluate("mrr@2", recs="recs", truth="truth", engine=postgres.engine)
        assert self.status(postgres.engine) == "IDLE"

    def test_an_error_leaves_a_connection_that_can_be_used(self, postgres):
        with raises(sqlrec.InputError, match="can't be read"):
            sqlrec.evaluate("mrr@2", recs="nowhere", truth="truth", engine=postgres.engine)
        assert postgres.engine.execute("select 1").fetchone() == (1,)
        postgres.engine.rollback()

    def test_an_open_transaction_stays_open_with_what_it_did(self, postgres):
        postgres.engine.execute("create temp table mine as select * from recs")
        result = sqlrec.evaluate("mrr@2", recs="mine", truth="truth", engine=postgres.engine)
        assert rows(result, "value") == [(0.5,)]
        assert self.status(postgres.engine) == "INTRANS"
        assert postgres.engine.execute("select count(*) from mine").fetchone() == (2,)
        postgres.engine.rollback()

    def test_the_readme_evaluates_tables_where_they_are(self, postgres_uri):
        readme = Path(__file__).parents[2] / "README.md"
        (code,) = re.findall(r"```python\n(import psycopg\n.*?)```", readme.read_text(), re.DOTALL)
        with psycopg.connect(postgres_uri) as connection:
            connection.execute("create table recs as select 'u' user_id, 'a' item_id, 1 score")
            connection.execute("create schema eval")
            connection.execute("create table eval.truth as select 'u' user_id, 'a' item_id")
        shown = {"sqlrec": sqlrec}
        exec(re.sub(r'"postgresql:.*?"', repr(postgres_uri), code), shown)
        assert rows(shown["result"], "metric", "value") == [("ndcg", 1)]

    def test_the_command_line_takes_its_address(self, postgres_uri, capsys):
        with psycopg.connect(postgres_uri) as connection:
            connection.execute("create table shown as select 1 user_id, 2 item_id, 1 rank")
            connection.execute("create table liked as select 1 user_id, 2 item_id")
        asked = ["evaluate", "mrr@1", "--recs", "shown", "--truth", "liked", "--engine"]
        assert main([*asked, postgres_uri, "--format", "csv"]) == 0
        assert "recs,reciprocal_rank,1,1.0,1" in capsys.readouterr().out
        assert main([*asked, "postgresql://ann:secret@127.0.0.1:1/none"]) == 1
        message = capsys.readouterr().err
        assert "can't be opened" in message and "secret" not in message

    def test_text_is_ordered_by_its_characters_whatever_the_language(self, postgres):
        statement = sqlrec.sql("mrr@2", recs="recs", truth="truth", dialect="postgres")
        assert 'cast(item_id as text) collate "C" asc' in statement

    def test_knows_every_reserved_word(self, postgres):
        query = "select word from pg_get_keywords() where catcode in ('R', 'T')"
        words = {word for (word,) in postgres.engine.execute(query)}
        postgres.engine.rollback()
        assert words - sqlrec.names.RESERVED == set()


@mark.xdist_group("spark")
class TestSpark:
    def test_takes_frames_and_forgets_their_names(self, spark):
        before = spark.engine.catalog.listTables()
        recs = spark.engine.createDataFrame(lists({"u1": "ba"}))
        truth = spark.engine.createDataFrame(wanted({"u1": "a"}))
        result = sqlrec.evaluate(
            "mrr@2", recs={"a": recs, "b": recs}, truth=truth, engine=spark.engine
        )
        assert rows(result, "model", "value") == [("a", 0.5), ("b", 0.5)]
        assert rows(result.per_user(), "value") == [(0.5,), (0.5,)]
        assert spark.engine.catalog.listTables() == before

    def test_takes_parquet_paths(self, spark, tmp_path):
        folder = tmp_path / "with a `space`"
        folder.mkdir()
        pyarrow.parquet.write_table(lists({"u1": "ba"}), folder / "recs.parquet")
        pyarrow.parquet.write_table(wanted({"u1": "a"}), folder / "truth.parquet")
        result = sqlrec.evaluate(
            "mrr@2",
            recs=folder / "recs.parquet",
            truth=folder / "truth.parquet",
            engine=spark.engine,
        )
        assert rows(result, "value") == [(0.5,)]

    def test_refuses_other_files_and_frames(self, spark):
        given = {"truth": "truth.parquet", "engine": spark.engine}
        with raises(sqlrec.InputError, match="Spark is given Parquet files"):
            sqlrec.evaluate("mrr@2", recs="recs.csv", **given)
        with raises(sqlrec.InputError, match="give Spark a Spark frame"):
            sqlrec.evaluate("mrr@2", recs=pa.table({"user_id": [1]}), **given)
        with raises(sqlrec.InputError, match="takes for a variable"):
            sqlrec.evaluate("mrr@2", recs="${spark.app.name}", **given)

    def test_the_command_line_takes_its_tables(self, spark, capsys):
        spark.load("recs", lists({"u1": "ba"}))
        spark.load("truth", wanted({"u1": "a"}))
        asked = ["evaluate", "mrr@2", "--recs", "recs", "--truth", "truth", "--engine", "spark"]
        assert main([*asked, "--format", "csv"]) == 0
        assert "recs,reciprocal_rank,2,0.5,1" in capsys.readouterr().out

    def test_plans_no_cartesian_product(self, spark):
        spark.load("recs", lists({"u1": "ba"}))
        spark.load("truth", wanted({"u1": {"a": 1}}))
        statement = sqlrec.sql("ndcg@2 map@5", recs="recs", truth="truth", engine=spark.engine)
        ((plan,),) = spark.engine.sql(f"explain {statement}").collect()
        assert "Window" in plan
        assert "CartesianProduct" not in plan


class TestOthers:
    def test_refuses_what_is_no_connection(self):
        with raises(sqlrec.InputError, match="an engine is a DuckDB connection, a SparkSession"):
            sqlrec.evaluate("mrr@2", recs="recs", truth="truth", engine="postgresql://x")

    def test_refuses_a_driver_whose_sql_is_not_known(self):
        class Connection:
            def cursor(self):
                raise AssertionError

        with raises(sqlrec.InputError, match="whose SQL is not known"):
            sqlrec.evaluate("mrr@2", recs="recs", truth="truth", engine=Connection())
