"""Intervals, summaries and comparisons on every engine: values equal DuckDB's values."""

from contextlib import nullcontext
from random import Random

import pyarrow as pa
from pytest import approx, fixture, mark, raises

import sqlrec

from ..tables import lists, random_inputs, rows_of, scored, table, wanted
from ..test_interleaved import shown

METRICS = "ndcg@5 map(divide_by=hits)@all recall(convention=trec_eval)@5"
SUMMARIES = "median lower_p25 standard_deviation min max zero_share"


@fixture(scope="module")
def tables():
    inputs = random_inputs(6)
    # Realistic ids, with letters of several bytes, and a user without a household.
    names = {f"u{n}": name for n, name in enumerate(("O'Hara", "Ζωή", "商品", 'a"b', "Ä:1"))}
    result = {
        name: renamed(inputs[arguments], names)
        for name, arguments in {"als": "recs", "pop": "baseline", "truth": "truth"}.items()
    }
    users = [(names.get(f"u{n}", f"u{n}"), f"c{n % 2}", f"h{n % 9}") for n in range(42)]
    types = dict.fromkeys(("user_id", "Land", "home"), pa.string())
    return result | {"users": table(users, **types)}


def renamed(rows, names):
    users = [names.get(user, user) for user in rows["user_id"].to_pylist()]
    return rows.set_column(0, "user_id", pa.array(users))


def draws(database):
    """Draw users in the database: ADBC's SQLite has no hash function, and the error has the fix."""
    if type(database.engine).__module__.startswith("adbc_driver_sqlite"):
        return raises(sqlrec.InputError, match=r"connect with sqlite3\.connect\(\)")
    return nullcontext()


def same(database, do, tables, models=("als", "pop"), metrics=METRICS, **options):
    """Compare an engine's results with DuckDB's."""
    for name, rows in tables.items():
        database.load(name, rows)
    recs = {name: name for name in models}
    others = {name: name for name in tables if name not in models}
    result = do(metrics, recs=recs, **others, **options, engine=database.engine).to_arrow()
    recs = {name: tables[name] for name in models}
    others = {name: tables[name] for name in others}
    expected = do(metrics, recs=recs, **others, **options).to_arrow()
    assert result.column_names == expected.column_names
    assert result.num_rows == expected.num_rows > 0
    for theirs, ours in zip(result.to_pylist(), expected.to_pylist(), strict=True):
        assert theirs == approx(ours, abs=1e-9)


def test_intervals_and_summaries_equal_those_of_duckdb(connection, tables):
    options = {"by": "Land", "interval": "t", "summaries": SUMMARIES}
    same(connection, sqlrec.evaluate, tables, **options)
    same(connection, sqlrec.evaluate, tables, interval="normal", cluster="home")


CLUSTERED = [{"interval": how, "cluster": "home"} for how in ("bootstrap", "bca")]


@mark.usefixtures("in_parts")
@mark.parametrize("options", [{"interval": "bca"}, *CLUSTERED])
def test_draws_the_users_that_duckdb_draws(database, tables, options):
    same(database, sqlrec.evaluate, tables, **options, by="Land", replicates=200)


@mark.parametrize("options", [{"test": "wilcoxon"}, {"cluster": "home"}, {"correction": "tukey"}])
def test_compares_models_as_duckdb_does(database, tables, options):
    same(database, sqlrec.compare, tables, baseline="pop", by="Land", **options)


def test_draws_functions_of_sums_as_duckdb_does(database, tables):
    metrics = "rmse gauc(weight=impressions) fcp gmap@3 f_beta(of=means)@3 item_count@3"
    arguments = {"population": "truth_and_recs", "by": "Land", "replicates": 200}
    same(database, sqlrec.evaluate, tables, metrics=metrics, interval="bootstrap", **arguments)


def test_draws_functions_of_pooled_sums_as_duckdb_does(connection, tables):
    metrics = "r2@1 r2(constant=zero) cohen_kappa krippendorff_alpha@3"
    with draws(connection):
        arguments = {"by": "Land", "interval": "bootstrap", "replicates": 100}
        same(connection, sqlrec.evaluate, tables, metrics=metrics, **arguments)


@mark.parametrize("options", [{"by": "Land"}, {"cluster": "home", "correction": "tukey"}])
def test_compares_functions_of_sums_as_duckdb_does(database, tables, options):
    metrics = "rmse gauc(weight=impressions) fcp gmap@3 f_beta(of=means)@3 item_count@3 mrr@3"
    arguments = {"population": "truth_and_recs", "baseline": "pop", **options}
    same(database, sqlrec.compare, tables, metrics=metrics, **arguments)


def test_adjusts_means_as_duckdb_does(database, tables):
    evaluated = {user for name in ("als", "truth") for user in tables[name]["user_id"].to_pylist()}
    users = [(user, n % 3, f"c{n % 2}") for n, user in enumerate(sorted({*evaluated, "x", "y"}))]
    known = table(users, user_id=pa.string(), age=pa.int64(), Land=pa.string())
    arguments = {"adjust": "Land age", "baseline": "pop"}
    same(database, sqlrec.compare, tables | {"users": known}, **arguments)


def test_compares_every_pair_as_duckdb_does(database, tables):
    models, copy = ("als", "pop", "knn"), tables["pop"].slice(7)
    arguments = {"metrics": "ndcg@3 rmse", "models": models, "population": "truth_and_recs"}
    options = {"correction": "tukey", "test": "randomization", "replicates": 100}
    same(database, sqlrec.compare, {**tables, "knn": copy}, **arguments, **options, by="Land")


def test_turns_the_signs_that_duckdb_turns(connection, tables):
    options = {"baseline": "pop", "test": "randomization", "interval": "bootstrap"}
    same(connection, sqlrec.compare, tables, **options, replicates=200)


def test_draws_users_by_the_digits_of_large_numbers(database):
    ids = [2**53 + n for n in range(6)] + [-1, 0, 2**62]
    types = {"user_id": pa.int64(), "item_id": pa.string(), "score": pa.float64()}
    rows = {
        name: table([(user, f"i{n % of}", 1.0) for n, user in enumerate(ids)], **types)
        for name, of in (("als", 2), ("pop", 3))
    }
    truth = table([(user, "i0") for user in ids], user_id=pa.int64(), item_id=pa.string())
    tables = {**rows, "truth": truth}
    same(database, sqlrec.evaluate, tables, interval="bootstrap", replicates=100)


def test_draws_whole_lists_as_duckdb_does(database):
    tables = {
        name: lists({f"u{n}": (f"i{(n * 7 + r * of) % 11}" for r in (0, 1)) for n in range(12)})
        for name, of in (("als", 2), ("pop", 3))
    }
    tables["truth"] = wanted({f"u{n}": "a" for n in range(12)})
    arguments = {"interval": "bootstrap", "replicates": 100}
    metrics = "gini@2 inter_list_diversity@2"
    same(database, sqlrec.evaluate, tables, metrics=metrics, **arguments)


def test_says_which_user_belongs_to_two_clusters(database):
    database.load("als", wanted({"ann": "a", "bob": "b"}).append_column("score", [[1.0, 1.0]]))
    ids = {"user_id": pa.string(), "item_id": pa.string(), "home": pa.string()}
    database.load("truth", table([("ann", "a", "x"), ("ann", "b", "y"), ("bob", "b", "y")], **ids))
    inputs = {"recs": "als", "truth": "truth", "engine": database.engine}
    with raises(sqlrec.DataError, match="user ann has more than one value of home"):
        sqlrec.evaluate("mrr@2", **inputs, interval="t", cluster="home")


def test_values_of_sampled_ranks_equal_those_of_duckdb(database):
    random = Random(4)
    users = [f"u{n}" for n in range(30)]
    items = [f"i{n}" for n in range(9)]
    recs = scored({user: {item: random.random() for item in [user, *items]} for user in users})
    tables = {"als": recs, "pop": recs.set_column(2, "score", recs["score"].combine_chunks()[::-1])}
    truth = wanted({user: [user] for user in users})
    tables["truth"] = truth.append_column("country", [["x", "y", "z"] * 10])
    options = {"by": "country", "catalog_size": 500, "candidates": 10}
    same(database, sqlrec.unsampled, tables, metrics="hit_rate@3 ndcg@5", **options)


def test_values_of_interleaved_lists_equal_those_of_duckdb(database):
    database.load("shown", shown())
    result = rows_of(sqlrec.interleaved("shown", engine=database.engine, by="land"))
    expected = rows_of(sqlrec.interleaved(shown(), by="land"))
    assert len(result) == 6
    for theirs, ours in zip(result, expected, strict=True):
        assert theirs == approx(ours)
