"""Conventions of repeated rows on every engine; golden values hold all conventions."""

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


def takes_repeated(rules):
    """Return whether lists and truth may have repeated rows."""
    duplicates = rules.get("duplicates", "error")
    return "error" not in (duplicates, rules.get("truth_duplicates", duplicates))


@mark.slow
@mark.filterwarnings("ignore:order_by='ts'")  # Not all libraries use the order of rows.
def test_repeated_rows_count_by_the_convention(database):
    inputs, repeated = random_inputs(9, users=12), {}
    for name in ("recs", "truth"):
        rows = [*range(len(inputs[name])), *range(0, len(inputs[name]), 3)]
        repeated[name] = inputs[name].take(rows).append_column("ts", pa.array(range(len(rows))))
    metrics = [
        of_library(name, "average_precision", 5)
        for name, forms in FORMS.items()
        if "average_precision" in forms and takes_repeated(forms["average_precision"].rules)
    ][::2]
    same(database, metrics, repeated, order_by="ts")


def test_the_row_order_is_refused_before_the_evaluation(database):
    with raises(sqlrec.InputError, match="have no order; name a column of recs"):
        database.load("recs", lists({"u1": "a"}))
        database.load("truth", wanted({"u1": "a"}))
        names = {"recs": "recs", "truth": "truth", "engine": database.engine}
        sqlrec.evaluate("mrr@2", **names, rules=sqlrec.Rules(ties="first"))
