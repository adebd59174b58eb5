"""Plots as dbt models: the package writes Python's queries."""

import re
from pathlib import Path

import duckdb
import pyarrow as pa
from jinja2 import Template
from pytest import approx, fixture, mark

import sqlrec
from sqlrec.catalogue.headers import TABLES
from sqlrec.engines.base import Unconnected
from sqlrec.plots import from_results
from sqlrec.rendering.prune import prune_statement
from sqlrec.rendering.sql_format import format_statement
from sqlrec.rendering.templates import render

from ..dialects import rest_slow, slow
from ..jinja import Relation, package, texts
from ..tables import prepare
from .data import inputs

LISTS = {
    "plot_longtail": ("popularity_count@10", ("recs", "history")),
    "plot_lorenz": ("gini(items=catalog)@5", ("recs", "catalog")),
    "plot_ranks": ("hit_rate@10", ("recs", "truth")),
    "plot_calibration": ("calibration_kl@10", ("recs", "history", "items")),
}


@mark.parametrize("dialect", ["duckdb", *slow("snowflake")])
@mark.parametrize("macro", rest_slow(LISTS, ["plot_longtail"]))
def test_plots_of_lists_are_those_of_python(macro, dialect):
    metric, names = LISTS[macro]
    given = {name: f"shop.{name}" for name in names}
    columns = {"model": "model"}
    whole = dict.fromkeys(TABLES) | given
    job = prepare(metric, arguments=whole, columns=columns, engine=Unconnected(dialect))
    actual = package(dialect)
    plan = actual.plan(metric, {**given, "columns": columns})
    written = prune_statement(actual.tidy_white_space(actual[macro](plan)), dialect)
    assert format_statement(written, dialect) == format_statement(job.render(macro), dialect)


@mark.parametrize("macro", ["plot_curve", "plot_history", "plot_forest"])
def test_plots_of_results_take_a_table(macro):
    requests = {"relation": "shop.evaluation", "segments": ["country"], "limits": True}
    written = package("snowflake")[macro](requests)
    assert "from shop.evaluation" in written
    assert written.split() == render(macro, requests, "snowflake").split()


PAGE = (Path(__file__).parents[2] / "docs" / "plots.md").read_text(encoding="utf-8")
MODELS = {
    call.partition("(")[0]: call
    for call in re.findall(r"^\{\{ sqlrec\.plot_(.*?) \}\}$", PAGE, re.MULTILINE | re.DOTALL)
}


@fixture(scope="module")
def tables():
    given = inputs()
    requests = {"recs": given["recs"], "truth": given["truth"]}
    result = sqlrec.evaluate("ndcg@5,10 recall@10", **requests, interval="t")
    compared = sqlrec.compare(
        "ndcg@10", **requests, baseline="pop", users=given["users"], by="country"
    )
    stored = {"evaluation": result.to_arrow(), "comparison": compared.to_arrow()}
    return given | {"events": given["history"]} | stored


def test_the_page_has_a_model_of_each_query():
    macros = {name for text in texts() for name in re.findall(r"macro plot_(\w+)\(", text)}
    # A history is a curve over another column; losers and lists are parts of a report.
    assert {*MODELS} == macros - {"history", "losers", "lists"}


@mark.parametrize("name", rest_slow(MODELS, [*MODELS][:4]))
def test_a_model_of_the_page_makes_the_table_of_python(name, tables):
    relations = {each: relation(each, one.schema) for each, one in tables.items()}
    code = f"{{{{ sqlrec.plot_{MODELS[name]} }}}}"
    sql = Template(code).render(sqlrec=package("duckdb"), ref=relations.__getitem__)
    with duckdb.connect() as connection:
        for each, one in tables.items():
            connection.register(each, one)
        actual = connection.sql(sql).to_arrow_table()
    if name == "pairs":
        check_pairs(actual.to_pylist(), tables)
        return
    plot = drawn(name, tables)
    expected = plot.data.to_arrow()
    assert actual.num_rows and ({*actual.column_names} - {"violations"}) == {*expected.column_names}
    for one, other in zip(actual.to_pylist(), expected.to_pylist(), strict=True):
        assert not one.pop("violations", 0)
        assert one == approx(other, abs=1e-12), name


def check_pairs(actual, tables):
    """Check that differences in both orders of two models equal the differences from compare."""
    requests = {"recs": tables["recs"], "truth": tables["truth"]}
    compared = {
        frozenset((row["model"], row["baseline"])): row
        for row in sqlrec.compare("ndcg@10", **requests).to_arrow().to_pylist()
    }
    assert len(actual) == 2 * len(compared) > 0
    for row in actual:
        expected = compared[frozenset((row["model"], row["rival"]))]
        sign = 1 if row["model"] == expected["model"] else -1
        assert row["difference"] == approx(sign * expected["difference"], abs=1e-12)
        value = expected["value" if sign > 0 else "baseline_value"]
        assert row["value"] == approx(value, abs=1e-12)
        for column in ("users", "ties", "standard_error"):
            assert row[column] == approx(expected[column], abs=1e-12)


def relation(name, schema):
    kinds = {pa.int64(): "BIGINT", pa.float64(): "DOUBLE", pa.bool_(): "BOOLEAN"}
    return Relation(name, **{field.name: kinds.get(field.type, "VARCHAR") for field in schema})


def drawn(name, tables):
    """Return Python's plot of the same tables."""
    if name == "tradeoff":
        return from_results.tradeoff(tables["evaluation"], x="recall@10", y="ndcg@10")
    if name in ("curve", "forest"):
        stored = "evaluation" if name == "curve" else "comparison"
        return sqlrec.plot(name, results=tables[stored])
    metrics = "ndcg@10" if name in ("differences", "activity") else ()
    more = {"baseline": "pop"} if name == "differences" else {}
    given = {each: tables[each] for each in NEEDED[name]}
    return sqlrec.plot(name, metrics, **given, **more)


NEEDED = dict.fromkeys(("differences", "ranks"), ("recs", "truth"))
NEEDED |= {"activity": ("recs", "truth", "history"), "lorenz": ("recs",), "weights": ("logs",)}
NEEDED |= {"longtail": ("recs", "history"), "calibration": ("recs", "history", "items")}
