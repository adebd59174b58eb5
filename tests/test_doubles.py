"""Each metric's value is a double in every dialect: some dialects truncate integer division.

DuckDB has a setting for integer division, and returns the types of columns without running the
statement.
"""

import duckdb
from pytest import fixture, mark

from sqlrec.engines.connect import open_engine
from sqlrec.rendering.templates import _load_macros, render_unpruned

from .dialects import slow
from .golden.values import als, asked, table
from .tables import prepare

TABLES = ("truth", "history", "catalog", "items", "users", "baseline")


@fixture(scope="module")
def connection():
    with duckdb.connect() as result:
        result.execute("set integer_division = true")
        for name in TABLES:
            result.register(name, table(name))
        result.register("recs", als())
        result.register("logs", table("logs", "target_probability"))
        # Queries of tables that are not given, which pruning removes.
        result.register("catalog_not_passed", table("catalog"))
        result.register("history_not_passed", table("history"))
        yield result


def types(connection, metrics, **options):
    """Return the type of the column of each metric."""
    names = {name: name for name in (*TABLES, "recs", "logs")}
    job = prepare(metrics, arguments=names, engine=open_engine(connection), **options)
    # The statement before queries that are read once are inlined.
    text = render_unpruned("evaluation", job.plan, "duckdb")
    values, _ = text.split(f"\n{job.plan.kinds[0].name}_means as (")
    every = ", ".join(f"{kind.name}_values" for kind in job.plan.kinds)
    described = connection.execute(f"describe {values.rstrip().rstrip(',')} select * from {every}")
    known = {row[0]: row[1] for row in described.fetchall()}
    return {
        metric.label: known[metric.column] for kind in job.plan.kinds for metric in kind.metrics
    }


@mark.parametrize("at", ["@5", *slow("@all")])
def test_value_of_each_metric_is_a_double(connection, at):
    every = [*asked(at, every=True), *asked(at, every=True, logged=True)]
    result = types(connection, every)
    assert len(result) > 100
    others = {name: kind for name, kind in result.items() if kind != "DOUBLE"}
    assert not others, f"{others}: write hit * rank for rank, cast(1 as double) for 1"


def test_a_rank_is_not_a_double(connection, monkeypatch):
    monkeypatch.setattr(_load_macros("duckdb"), "hits__recall", lambda: "max(rank)")
    assert types(connection, "recall@5 precision@5") == {"recall": "BIGINT", "precision": "DOUBLE"}
