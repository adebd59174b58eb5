"""Conventions on every engine, several in one statement: what DuckDB finds, each engine finds."""

from itertools import combinations

import pyarrow as pa
from pytest import mark, raises

import sqlrec
from sqlrec.catalogue.requests import parse_metrics
from sqlrec.plan.build import WHOLE_KINDS

from ..golden.values import of_library
from ..tables import lists, random_inputs, wanted
from .conftest import DIALECTS
from .test_engines import same

CONVENTIONS = sqlrec.conventions()
FORMS = {
    name: {entry.metric: entry for entry in reversed(convention.entries)}
    for name, convention in CONVENTIONS.items()
}


def written(metric, convention, k=5):
    return of_library(convention, metric, k)


def of_several(metric, holds=lambda rules: True):
    """A metric under each convention whose form of it fits."""
    return [
        written(metric, name)
        for name, forms in FORMS.items()
        if metric in forms and holds(forms[metric].rules)
    ]


def pairwise():
    """Some metrics of each library, by its name.

    Between them every rule is met on each kind of rows, and every two rules that meet anywhere.
    """
    met = {}
    for name, forms in FORMS.items():
        for metric in forms:
            (asked,) = parse_metrics(written(metric, name))
            rules = sorted((rule, str(value)) for rule, value in asked.rules.items())
            rows = asked.metric.rows
            on_rows = ((rows, rule) for rule in rules)
            met[name, metric] = {rows, *on_rows, *combinations(rules, 2)}
    left, found = set().union(*met.values()), {}
    while left:
        name, metric = max(met, key=lambda one: len(met[one] & left))
        left -= met[name, metric]
        found.setdefault(name, []).append(written(metric, name))
    for name, asked in found.items():
        # Per-user values are compared too.
        if all(one.metric.rows in WHOLE_KINDS for one in parse_metrics(asked)):
            asked.append(next(written(x, name) for x in FORMS[name] if not is_whole(x)))
    return found


def is_whole(metric):
    return sqlrec.metric(metric).rows in WHOLE_KINDS


SOME = pairwise()


def takes_repeated(rules):
    """Say whether rows may be there again, in lists and truth."""
    duplicates = rules.get("duplicates", "error")
    return "error" not in (duplicates, rules.get("truth_duplicates", duplicates))


def inputs(seed, again=0):
    """All inputs; a column orders the rows of lists and truth, of which each so-many-th repeats."""
    tables = random_inputs(seed, users=12)
    for name in ("recs", "baseline", "truth"):
        rows = [*range(len(tables[name])), *(range(0, len(tables[name]), again) if again else ())]
        tables[name] = tables[name].take(rows).append_column("ts", pa.array(range(len(rows))))
    return tables


# Not all libraries go by the order of rows.
pytestmark = mark.filterwarnings("ignore:order_by='ts'")


@mark.slow
@mark.parametrize("database", DIALECTS, indirect=True)
@mark.parametrize("name", SOME)
def test_finds_what_duckdb_finds_under_each_convention(database, name):
    # A convention changes the rows that values are made of: means of the right ones are right.
    same(database, SOME[name], inputs(6), per_user=False, order_by="ts")


def test_finds_what_duckdb_finds_under_many_conventions_at_once(database):
    metrics = ["ndcg@5", "map(divide_by=k)@5", *of_several("ndcg")[::2]]
    metrics.append(written("recall", "sklearn"))
    same(database, metrics, {name: inputs(7)[name] for name in ("recs", "truth")}, order_by="ts")


@mark.slow
def test_counts_repeated_rows_as_each_convention_does(database):
    repeated = {name: inputs(9, again=3)[name] for name in ("recs", "truth")}
    metrics = of_several("average_precision", takes_repeated)
    same(database, metrics, repeated, order_by="ts")


def test_refuses_the_order_of_rows_before_it_evaluates(database):
    with raises(sqlrec.InputError, match="have no order; name a column of recs"):
        database.load("recs", lists({"u1": "a"}))
        database.load("truth", wanted({"u1": "a"}))
        sqlrec.evaluate("mrr@2", recs="recs", truth="truth", ties="first", engine=database.engine)
