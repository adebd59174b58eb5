"""The state of connections after calls, and Spark's inputs other than table names."""

import datetime
import re
import sqlite3
from pathlib import Path

import pyarrow.parquet
from pytest import fixture, mark, raises

import sqlrec
from sqlrec.cli import main
from sqlrec.dialects import RESERVED

from ..packages import polars as pl
from ..packages import psycopg
from ..tables import lists, rows, wanted


def mrr(database, recs="recs", truth="truth", **options):
    return sqlrec.evaluate("mrr@2", recs=recs, truth=truth, engine=database.engine, **options)


@mark.xdist_group("postgres")
class TestPostgres:
    @fixture(autouse=True)
    def tables(self, postgres):
        postgres.load("recs", lists({"u1": "ba"}))
        postgres.load("truth", wanted({"u1": "a"}))

    def status(self, connection):
        return connection.info.transaction_status.name

    def test_an_idle_connection_is_left_idle(self, postgres):
        mrr(postgres)
        assert self.status(postgres.engine) == "IDLE"

    def test_an_error_leaves_a_connection_that_can_be_used(self, postgres):
        with raises(sqlrec.InputError, match="can't be read"):
            mrr(postgres, "nowhere")
        # After the error, a query checks whether the missing table is a model of recs.
        with raises(sqlrec.InputError, match="baseline='nowhere' can't be read"):
            mrr(postgres, baseline="nowhere")
        assert postgres.engine.execute("select 1").fetchone() == (1,)
        postgres.engine.rollback()

    def test_an_open_transaction_keeps_its_changes(self, postgres):
        postgres.engine.execute("create temp table mine as select * from recs")
        result = mrr(postgres, "mine")
        assert rows(result, "value") == [(0.5,)]
        assert self.status(postgres.engine) == "INTRANS"
        assert postgres.engine.execute("select count(*) from mine").fetchone() == (2,)
        postgres.engine.rollback()

    def test_an_error_costs_an_open_transaction_nothing(self, postgres):
        postgres.engine.execute("create temp table mine as select * from recs")
        with raises(sqlrec.InputError, match="can't be read"):
            mrr(postgres, "nowhere")
        assert postgres.engine.execute("select count(*) from mine").fetchone() == (2,)
        postgres.engine.rollback()

    def test_rows_may_come_as_dicts_and_tables_be_made_anew(self, postgres_uri):
        with psycopg.connect(
            postgres_uri, row_factory=psycopg.rows.dict_row, autocommit=True
        ) as connection:
            for kind in ("int", "bigint", "text") * 3:
                for name, more in (("anew_recs", ", 1 score"), ("anew_truth", "")):
                    connection.execute(f"drop table if exists {name}")
                    made = f"select 7::{kind} user_id, 1 item_id{more}"
                    connection.execute(f"create table {name} as {made}")
                result = sqlrec.evaluate(
                    "mrr@2", recs="anew_recs", truth="anew_truth", engine=connection
                )
                assert rows(result, "value") == [(1,)]

    def test_an_enum_is_text_and_an_exact_number_may_be_nan(self, postgres):
        postgres.engine.execute("create type pg_temp.letter as enum ('b', 'a')")
        postgres.engine.execute(
            "create temp table odd as select 'u' user_id, cast(item_id as letter), score::numeric "
            "from (values ('b', '1'), ('a', '1')) as found (item_id, score)"
        )
        requests = {"recs": "odd", "truth": "truth", "engine": postgres.engine}
        postgres.engine.execute(
            "create temp table liked as select 'u' user_id, 'a'::letter item_id"
        )
        result = sqlrec.evaluate("recall@1", **requests | {"truth": "liked"})
        assert rows(result, "value") == [(1,)]
        postgres.engine.execute("insert into odd values ('v', 'a', 'NaN')")
        with raises(sqlrec.DataError, match="item a of user v has no score"):
            sqlrec.evaluate("recall@1", **requests | {"truth": "liked"})
        postgres.engine.rollback()

    def test_relevance_may_be_true_or_false_and_a_segment_a_day(self, postgres):
        postgres.engine.execute(
            "create temp table liked as select 'u1' user_id, 'a' item_id, true relevance, "
            "date '2026-01-31' as day, true as new"
        )
        requests = {"recs": "recs", "truth": "liked", "engine": postgres.engine}
        result = sqlrec.evaluate("mrr@2", **requests, by="day")
        assert rows(result, "day", "value") == [(datetime.date(2026, 1, 31), 0.5)]
        with raises(sqlrec.InputError, match="by='new' is BOOLEAN"):
            sqlrec.evaluate("mrr@2", **requests, by="new")
        postgres.engine.rollback()

    def test_the_guide_evaluates_tables_where_they_are(self, postgres_uri):
        guide = Path(__file__).parents[2] / "docs" / "guide.md"
        (code,) = re.findall(r"```python\n(import psycopg\n.*?)```", guide.read_text(), re.DOTALL)
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
        requests = ["evaluate", "mrr@1", "--recs", "shown", "--truth", "liked", "--engine"]
        assert main([*requests, postgres_uri, "--format", "csv"]) == 0
        assert "recs,reciprocal_rank,1,mrr@1,1.0,1" in capsys.readouterr().out

    def test_text_is_ordered_by_code_points_in_any_collation(self, postgres):
        names = {"recs": "recs", "truth": "truth", "dialect": "postgres"}
        statement = sqlrec.sql("mrr@2", form="audited", **names)
        assert 'cast(item_id as text) collate "C" asc' in statement

    def test_knows_every_reserved_word(self, postgres):
        query = "select word from pg_get_keywords() where catcode in ('R', 'T')"
        words = {word for (word,) in postgres.engine.execute(query)}
        postgres.engine.rollback()
        assert words - RESERVED == set()


@mark.xdist_group("spark")
class TestSpark:
    def test_takes_frames_and_forgets_their_names(self, spark):
        before = spark.engine.catalog.listTables()
        recs = spark.engine.createDataFrame(lists({"u1": "ba"}))
        truth = spark.engine.createDataFrame(wanted({"u1": "a"}))
        result = mrr(spark, {"a": recs, "b": recs}, truth)
        assert rows(result, "model", "value") == [("a", 0.5), ("b", 0.5)]
        assert rows(result.per_user(), "value") == [(0.5,), (0.5,)]
        assert spark.engine.catalog.listTables() == before

    def test_takes_parquet_paths(self, spark, tmp_path):
        folder = tmp_path / "with a `space`"
        folder.mkdir()
        pyarrow.parquet.write_table(lists({"u1": "ba"}), folder / "recs.parquet")
        pyarrow.parquet.write_table(wanted({"u1": "a"}), folder / "truth.parquet")
        result = mrr(spark, folder / "recs.parquet", folder / "truth.parquet")
        assert rows(result, "value") == [(0.5,)]

    def test_evaluates_frames_where_they_are_and_makes_frames_of_other_tables(self, spark):
        recs = spark.engine.createDataFrame(lists({"u1": "ba"}))
        truth = wanted({"u1": "a"})
        for options in (truth, truth.to_pandas(), pl.DataFrame(truth)):
            result = sqlrec.evaluate("mrr@2", recs={"one": recs}, truth=options)
            assert rows(result, "value") == [(0.5,)]

    def test_refuses_other_files(self, spark):
        with raises(sqlrec.InputError, match="is not a Parquet file"):
            mrr(spark, "recs.csv", "truth.parquet")
        with raises(sqlrec.InputError, match="reads as a variable"):
            mrr(spark, "${spark.app.name}", "truth.parquet")

    def test_the_command_line_takes_its_tables(self, spark, capsys):
        spark.load("recs", lists({"u1": "ba"}))
        spark.load("truth", wanted({"u1": "a"}))
        requests = ["evaluate", "mrr@2", "--recs", "recs", "--truth", "truth", "--engine", "spark"]
        assert main([*requests, "--format", "csv"]) == 0
        assert "recs,reciprocal_rank,2,mrr@2,0.5,1" in capsys.readouterr().out

    def test_a_name_inside_the_statement_is_refused_in_any_case(self, spark):
        with raises(sqlrec.InputError, match="is also the name of a query in the statement"):
            sqlrec.sql("mrr@2", recs="recs", truth="Listed", dialect="spark")

    def test_plans_no_cartesian_product(self, spark):
        spark.load("recs", lists({"u1": "ba"}))
        spark.load("truth", wanted({"u1": {"a": 1}}))
        statement = sqlrec.sql("ndcg@2 map@5", recs="recs", truth="truth", engine=spark.engine)
        ((plan,),) = spark.engine.sql(f"explain {statement}").collect()
        assert "Window" in plan
        assert "CartesianProduct" not in plan


@mark.xdist_group("clickhouse")
class TestClickHouse:
    def test_enums_are_their_texts_and_numbers_that_cannot_be_null_are_no_zeros(self, clickhouse):
        for made in (
            "odd_recs (user_id String, item_id Enum8('b' = 1, 'a' = 2), score Int32, rank UInt8)",
            "odd_truth (user_id String, item_id Enum8('b' = 1, 'c' = 2))",
        ):
            clickhouse.run(f"create table {made} engine = Memory")
        clickhouse.run("insert into odd_recs values ('u', 'b', 2, 1), ('u', 'a', 0, 2)")
        clickhouse.run("insert into odd_truth values ('u', 'c')")
        requests = {"recs": "odd_recs", "truth": "odd_truth", "engine": clickhouse.engine}
        result = sqlrec.evaluate("mrr@2", **requests)
        assert rows(result, "value") == [(0,)]
        result = sqlrec.evaluate("mrr@2", **requests, order="score")
        assert rows(result.user_counts, "ties_at_cutoff") == [(0,)]


@mark.xdist_group("sqlite")
class TestSQLite:
    @fixture
    def connection(self):
        connection = sqlite3.connect(":memory:")
        connection.execute("create table truth as select 'u' user_id, 'a' item_id")
        yield connection
        connection.close()

    @mark.parametrize(
        ("rows_", "message"),
        [
            ("select 'u', 'a', 1.0 union all select 'u', 'b', ''", "score is REAL AND TEXT"),
            ("select 'u', 'a', 1 union all select 'u', 7, 2", "item_id is INTEGER AND TEXT"),
        ],
    )
    def test_looks_at_the_type_of_every_value(self, connection, rows_, message):
        connection.execute("create table recs (user_id, item_id, score)")
        connection.execute(f"insert into recs {rows_}")
        with raises(sqlrec.InputError, match=message):
            sqlrec.evaluate("mrr@2", recs="recs", truth="truth", engine=connection)

    def test_a_misspelled_name_is_not_text(self, connection):
        connection.execute("create table recs as select 'u' user_id, 'a' item_id, 1 score")
        names = {"recs": "recs", "truth": "truth", "columns": {"score": "Predicted Score"}}
        statement = sqlrec.sql("mrr@2", **names, dialect="sqlite")
        with raises(sqlite3.OperationalError, match="no such column"):
            connection.execute(statement)


class TestOthers:
    def test_objects_other_than_connections_are_refused(self):
        with raises(sqlrec.InputError, match="an engine is a DuckDB connection"):
            sqlrec.evaluate("mrr@2", recs="recs", truth="truth", engine=object())

    def test_refuses_a_driver_whose_sql_is_not_known(self):
        class Connection:
            def cursor(self):
                raise AssertionError

        with raises(sqlrec.InputError, match="which is not supported"):
            sqlrec.evaluate("mrr@2", recs="recs", truth="truth", engine=Connection())
