"""Plots as models of dbt: the package writes what Python runs."""

from pytest import mark

from sqlrec.catalogue.headers import TABLES
from sqlrec.engines.base import Unconnected
from sqlrec.rendering.templates import render
from sqlrec.run.job import prepare

from ..dialects import slow
from ..jinja import package

LISTS = {
    "plot_longtail": ("popularity_count@10", ("recs", "history")),
    "plot_lorenz": ("gini(items=catalog)@5", ("recs", "catalog")),
    "plot_places": ("hit_rate@10", ("recs", "truth")),
    "plot_calibration": ("calibration_kl@10", ("recs", "history", "items")),
}


@mark.parametrize("dialect", ["duckdb", *slow("snowflake")])
@mark.parametrize("macro", LISTS)
def test_plots_of_lists_are_those_of_python(macro, dialect):
    metric, names = LISTS[macro]
    given = {name: f"shop.{name}" for name in names}
    columns = {"model": "model"}
    whole = dict.fromkeys(TABLES) | given
    job = prepare(metric, given=whole, columns=columns, engine=Unconnected(dialect))
    found = package(dialect)
    plan = found.plan(metric, {**given, "columns": columns})
    assert found.tidy(found[macro](plan)).strip() == found.tidy(job.render(macro)).strip()


@mark.parametrize("macro", ["plot_curve", "plot_history", "plot_forest"])
def test_plots_of_results_take_a_table(macro):
    asked = {"relation": "shop.evaluation", "segments": ["country"], "limits": True}
    written = package("snowflake")[macro](asked)
    assert "from shop.evaluation" in written
    assert written.split() == render(macro, asked, "snowflake").split()
