"""Conventions on every engine, several in one statement: values equal DuckDB's values."""

import pyarrow as pa
from pytest import mark, raises

import sqlrec

from ..golden.values import of_library
from ..tables import lists, random_inputs, wanted
from .test_engines import same

CONVENTIONS = sqlrec.conventions()
FORMS = {
    name: {entry.metric: entry for entry in reversed(convention.entries)}
    for name, convention in CONVENTIONS.items()
}


def written(metric, convention, k=5):
    return of_library(convention, metric, k)


def of_several(metric, holds=lambda rules: True):
    """A metric under each convention with a suitable form."""
    return [
        written(metric, name)
        for name, forms in FORMS.items()
        if metric in forms and holds(forms[metric].rules)
    ]


def takes_repeated(rules):
    """Return whether lists and truth may have repeated rows."""
    duplicates = rules.get("duplicates", "error")
    return "error" not in (duplicates, rules.get("truth_duplicates", duplicates))


def inputs(seed, again=0):
    """Return all inputs; a column orders the rows of lists and truth, some of them repeated."""
    tables = random_inputs(seed, users=12)
    for name in ("recs", "baseline", "truth"):
        rows = [*range(len(tables[name])), *(range(0, len(tables[name]), again) if again else ())]
        tables[name] = tables[name].take(rows).append_column("ts", pa.array(range(len(rows))))
    return tables


# Not all libraries use the order of rows.
pytestmark = mark.filterwarnings("ignore:order_by='ts'")


def test_values_under_many_conventions_equal_those_of_duckdb(database):
    metrics = ["ndcg@5", "map(divide_by=k)@5", *of_several("ndcg")[::5]]
    metrics.append(written("recall", "sklearn"))
    tables = {name: inputs(7)[name] for name in ("recs", "truth")}
    same(database, metrics, tables, order_by="ts", per_user=True)


@mark.slow
def test_repeated_rows_count_by_the_convention(database):
    repeated = {name: inputs(9, again=3)[name] for name in ("recs", "truth")}
    metrics = of_several("average_precision", takes_repeated)[::2]
    same(database, metrics, repeated, order_by="ts")


def test_the_row_order_is_refused_before_the_evaluation(database):
    with raises(sqlrec.InputError, match="have no order; name a column of recs"):
        database.load("recs", lists({"u1": "a"}))
        database.load("truth", wanted({"u1": "a"}))
        names = {"recs": "recs", "truth": "truth", "engine": database.engine}
        sqlrec.evaluate("mrr@2", **names, rules=sqlrec.Rules(ties="first"))
