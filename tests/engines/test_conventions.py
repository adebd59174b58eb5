"""Conventions on every engine, several in one statement: what DuckDB finds, each engine finds."""

import pyarrow as pa
from pytest import mark, raises

import sqlrec

from ..tables import lists, random_inputs, wanted
from .test_engines import same

CONVENTIONS = sqlrec.conventions()
FORMS = {
    name: {entry.metric: entry for entry in reversed(convention.entries)}
    for name, convention in CONVENTIONS.items()
}


def written(metric, convention, k=5):
    at = "" if sqlrec.metric(metric).entries["Cutoff"] == "none" else f"@{k}"
    return f"{metric}(convention={convention}){at}"


def of_several(metric, holds=lambda rules: True):
    """A metric under each convention whose form of it fits."""
    return [
        written(metric, name)
        for name, forms in FORMS.items()
        if metric in forms and holds(forms[metric].rules)
    ]


def orders_ties(rules):
    """Say whether equal scores are told apart by ids, which all engines have."""
    return rules.get("ties") != "first"


def takes_repeated(rules):
    """Say whether rows may be there again, in lists and truth."""
    duplicates = rules.get("duplicates", "error")
    return "error" not in (duplicates, rules.get("truth_duplicates", duplicates))


def untied(table):
    """Lists in which no two scores are equal, so that the order of rows tells nothing."""
    scores = [row["score"] + number / 4096 for number, row in enumerate(table.to_pylist())]
    return table.set_column(table.column_names.index("score"), "score", pa.array(scores))


def inputs(seed):
    tables = random_inputs(seed, users=12)
    return tables | {name: untied(tables[name]) for name in ("recs", "baseline")}


@mark.parametrize("name", [name for name in CONVENTIONS if FORMS[name]])
def test_finds_what_duckdb_finds_in_every_metric_of_a_library(database, name):
    same(database, [written(metric, name) for metric in FORMS[name]], inputs(6))


def test_finds_what_duckdb_finds_under_all_conventions_at_once(database):
    metrics = ["ndcg@5", "map(divide_by=k)@5", *of_several("ndcg"), written("recall", "sklearn")]
    same(database, metrics, {name: inputs(7)[name] for name in ("recs", "truth")})


def test_tells_equal_scores_apart_as_each_convention_does(database):
    tables = random_inputs(8, users=12)
    same(
        database,
        of_several("ndcg", orders_ties),
        {name: tables[name] for name in ("recs", "truth")},
    )


def test_counts_repeated_rows_as_each_convention_does(database):
    tables = inputs(9)
    # Each third row is there again, as it is, so that the last of them is the best one too.
    repeated = {
        name: pa.concat_tables([tables[name], tables[name].take([*range(0, len(tables[name]), 3)])])
        for name in ("recs", "truth")
    }
    same(database, of_several("average_precision", takes_repeated), repeated)


def test_refuses_the_order_of_rows_before_it_evaluates(database):
    with raises(sqlrec.InputError, match="have no order; give 'item_asc' or 'item_desc'"):
        database.load("recs", lists({"u1": "a"}))
        database.load("truth", wanted({"u1": "a"}))
        sqlrec.evaluate("mrr@2", recs="recs", truth="truth", ties="first", engine=database.engine)
