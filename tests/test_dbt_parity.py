"""Options and errors of the dbt package that Python has too."""

import re
from contextlib import suppress

import duckdb
from pytest import fixture, mark, raises

import sqlrec

from .jinja import DATABASE, CompilerError, Relation, package

ITEMS = {"user_id": "bigint", "item_id": "bigint"}
RECS = Relation("recs", **ITEMS, score="double precision")
TRUTH = Relation("truth", **ITEMS)
GIVEN = {"recs": RECS, "truth": TRUTH}


def asked(metrics, **inputs):
    plan = package("duckdb").plan(metrics, GIVEN | inputs)
    return [
        text for kind in plan["kinds"] for metric in kind["metrics"] for text in metric["texts"]
    ]


@mark.parametrize("k", [5, "5,10", [5, 10]])
@mark.parametrize("metrics", ["ndcg mrr@3 mean_rank", "standard", ["recall", "map"]])
def test_metrics_without_a_cutoff_have_k(metrics, k):
    options = {"recs": "recs", "truth": "truth", "dialect": "duckdb"}
    text = sqlrec.sql(metrics, k=k, **options)
    result = asked(metrics, k=k)
    assert sqlrec.sql(result, **options) == text


def test_k_can_be_whole_lists():
    assert asked("ndcg mrr@3", k="all") == ["ndcg@all", "mrr@3"]


@mark.parametrize("k", [0.5, "ten", [], True])
def test_k_is_a_cutoff(k):
    with raises(CompilerError, match="pass one cutoff"):
        asked("ndcg", k=k)
    with raises(sqlrec.MetricError, match="pass one cutoff"):
        sqlrec.sql("ndcg", k=k, dialect="duckdb")


@fixture
def days():
    with duckdb.connect() as connection:
        connection.execute("""
            create table recs (user_id int, item_id int, score double, day int);
            insert into recs values (1, 7, 0.5, 1), (1, 8, 0.9, 2);
            create table truth as select 1 as user_id, 7 as item_id, 1 as day;
        """)
        yield connection


@mark.parametrize("recs", ["recs", {"als": "recs"}])
def test_where_selects_rows(days, recs):
    where = {"recs": "day = 1", "truth": "day = 1"}
    inputs = {"recs": recs, "truth": "truth", "where": where}
    text = package("duckdb").evaluate("mrr@5", **inputs)
    (row,) = days.sql(text).to_arrow_table().to_pylist()
    (expected,) = sqlrec.evaluate("mrr@5", **inputs, engine=days, interval=None)
    assert row["value"] == expected["value"] == 1


@mark.parametrize(
    ("inputs", "message"),
    [
        ({"where": {"rex": "day = 1"}}, "where['rex']: no input 'rex': choose from baseline"),
        ({"where": "day = 1"}, "where='day = 1': give a dict of conditions by input: {'recs'"),
        ({"where": {"recs": 1}}, "where['recs']=1: a condition must be a string, as in 'day = 7'"),
        ({"recs": ["als", "pop"]}, "recs is a list: give one relation, or a dict by model: {'als'"),
        ({"truth": ["a", "b"]}, "truth is a list: give one relation"),
        ({"recs": {"als": [RECS]}}, "recs['als'] is a list: give one relation"),
        ({"recs": Relation("recs", **ITEMS, score="text")}, "recs.score is VARCHAR: a score must"),
        ({"truth": Relation("t", **ITEMS, relevance="text")}, "truth.relevance is VARCHAR: a rel"),
        ({"level": 0.97}, "level=0.97: choose from 0.95, 0.5, 0.8, 0.9, 0.98, 0.99, 0.999"),
    ],
)
def test_mistakes_are_explained(inputs, message):
    with raises(CompilerError) as refused:
        package("duckdb").plan("ndcg@5", GIVEN | inputs)
    assert message in str(refused.value)


@mark.parametrize(
    ("baseline", "message"),
    [
        ("popp", "did you mean 'pop'?"),
        ("KNN", "did you mean 'item_knn'?"),
        ("x", "choose from als, item_knn, pop"),
        ("2", "choose from als, item_knn, pop"),
    ],
)
def test_a_baseline_is_in_the_column_of_models(baseline, message):
    models = "values ('als'), ('item_knn'), ('pop'), (null)"
    DATABASE.execute(f"create or replace table rows as select * from ({models}) as rows (model)")
    recs = Relation("rows", **ITEMS, score="double precision", model="varchar")
    with raises(CompilerError) as refused:
        package("duckdb").compare("ndcg@5", recs, TRUTH, baseline=baseline)
    assert f"baseline={baseline!r} is not a model in recs: {message}" in str(refused.value)
    assert package("duckdb").compare("ndcg@5", recs, TRUTH, baseline="pop")


@mark.parametrize("dialect", ["duckdb", "bigquery", "fabric"])
@mark.parametrize("form", ["plain", "audited", "check", "steps"])
def test_calls_of_dbt_are_printed_unchanged(dialect, form):
    names = {"{{ ref('stg_recs') }}": "stg_recs", '{{ source("shop", "orders") }}': "orders"}

    def squeezed(text):
        return "".join(re.sub("--.*", "", text).split())

    def printed(recs, truth):
        options = {"dialect": dialect, "form": form}
        return squeezed(sqlrec.sql("ndcg@5 mrr@5", recs=recs, truth=truth, **options))

    text = printed(*names)
    for call, name in names.items():
        assert squeezed(call) in text
        text = text.replace(squeezed(call), name)
    assert text == printed(*names.values())


# Kinds of rows that read the columns of all tables, given or not.
WITH_ALL_TABLES = ("item_exposure", "recommended_items", "target_items")


def test_a_statement_reads_only_tables_that_are_passed():
    result, read = package("duckdb"), {}
    for name, metric in sqlrec.metrics().items():
        if metric.rows in WITH_ALL_TABLES:
            needed = [need.table for need in metric.needs if not need.when]
            tables = {table: table for table in ["truth", *needed]}
            # Some metrics need further tables by default.
            with suppress(CompilerError):
                plan = result.plan(f"{name}@5,10", tables)
                sql = result.prune_statement(result.tidy_white_space(result.evaluation(plan)))
                read[name] = re.findall(r"\w+_not_passed", sql)
    assert {"gini", "novelty", "unbiased_recall"} <= read.keys()
    assert not {name: tables for name, tables in read.items() if tables}
