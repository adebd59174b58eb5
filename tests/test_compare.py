"""Models compared with a baseline, by user: sql/statistics/comparison.sql."""

import math
from random import Random

import duckdb
import pyarrow as pa
from pytest import approx

import sqlrec

from .jinja import package
from .tables import in_sqlite, lists, scored, wanted

COLUMNS = ("model", "metric", "k", "users", "value", "baseline_value", "difference")


def statement(dialect, metrics, baseline, tables, **options):
    """Return the statement of a comparison of tables of a database."""
    models = {name.removeprefix("recs_"): name for name in tables if name.startswith("recs_")}
    columns = {"rank": "rank"}
    if "model" in tables.get("recs", TRUTH).column_names:
        columns["model"] = "model"
    if "relevance" in tables["truth"].column_names:
        columns["relevance"] = "relevance"
    return package(dialect).compare(
        metrics,
        baseline=baseline,
        recs=models or "main.recs",
        truth="truth",
        users="users" if "users" in tables else None,
        columns=columns,
        **options,
    )


def compare(metrics, baseline, recs, **given):
    """Run the comparison on DuckDB."""
    models = recs if isinstance(recs, dict) else {}
    tables = {f"recs_{name}": table for name, table in models.items()} or {"recs": recs}
    tables |= {name: given.pop(name) for name in ("truth", "users") if name in given}
    text = statement("duckdb", metrics, baseline, tables, **given)
    return rows_of(text, tables)


def rows_of(text, tables):
    with duckdb.connect() as engine:
        for name, table in tables.items():
            engine.register(name, table)
        return engine.sql(text).to_arrow_table().to_pylist()


# Reciprocal ranks within 2: als 1, 1/2, 0; pop 1/2, 1/2, 1. Differences 1/2, 0, -1.
ALS = lists({"ann": "ab", "bob": "ba", "cid": "bc"})
POP = lists({"ann": "ba", "bob": "ca", "cid": "ab"})
TRUTH = wanted({"ann": "a", "bob": "a", "cid": "a"})


def test_the_difference_is_the_mean_over_users_with_its_standard_error():
    (row,) = compare("mrr@2", "pop", recs={"als": ALS, "pop": POP}, truth=TRUTH)
    assert [row[name] for name in COLUMNS] == [
        *("als", "reciprocal_rank", 2, 3),
        *(approx(1 / 2), approx(2 / 3), approx(-1 / 6)),
    ]
    error = math.sqrt(((2 / 3) ** 2 + (1 / 6) ** 2 + (5 / 6) ** 2) / 2 / 3)
    assert row["standard_error"] == approx(error, rel=1e-14)
    assert row["low"] == approx(-1 / 6 - 1.959963984540054 * error, rel=1e-14)
    assert row["high"] == approx(-1 / 6 + 1.959963984540054 * error, rel=1e-14)
    assert [row[name] for name in ("wins", "ties", "losses")] == [1, 1, 1]
    assert row["violations"] == 0


def test_every_model_is_compared_with_the_baseline_in_every_segment_and_at_every_cutoff():
    recs = {"als": ALS, "pop": POP, "als again": ALS}
    users = pa.table({"user_id": ["ann", "bob"], "country": ["x", "x"]})
    result = compare("mrr@2 P@1 mrr@1", "pop", recs=recs, truth=TRUTH, users=users, by="country")
    difference = {
        (row["model"], row["country"], row["metric"], row["k"]): row["difference"] for row in result
    }
    assert len(result) == len(difference)
    assert {*difference} == {
        (model, country, metric, k)
        for model in ("als", "als again")
        for country in ("x", None)
        for metric, k in (("precision", 1), ("reciprocal_rank", 1), ("reciprocal_rank", 2))
    }
    for model in ("als", "als again"):
        of_two = [difference[model, country, "reciprocal_rank", 2] for country in ("x", None)]
        assert of_two == approx([0.25, -1])


def test_broken_rules_are_counted():
    (row,) = compare("P@2", "pop", recs={"als": lists({"ann": "aa"}), "pop": POP}, truth=TRUTH)
    assert row["violations"] > 0


def test_the_baseline_may_be_a_value_of_the_column_model():
    recs = pa.concat_tables(
        table.append_column("model", [pa.repeat(pa.scalar(name), table.num_rows)])
        for name, table in (("als", ALS), ("it's", POP))
    )
    (row,) = compare("mrr@2", "it's", recs=recs, truth=TRUTH)
    assert (row["model"], row["difference"]) == ("als", approx(-1 / 6))


# Errors of als 1, 2, 3 and of pop 1, 1, 1; popularity 1, 1, 1 and 0, 0, 0; precision 1 and 0.
RATED = {
    "als": scored({"ann": {"a": 2}, "bob": {"a": 3}, "cid": {"a": 4}}),
    "pop": scored({user: {"b": 2} for user in ("ann", "bob", "cid")}),
}
GRADES = wanted({user: {"a": 1, "b": 1} for user in ("ann", "bob", "cid")})
DIRECTED = "mae(average=users)@all popularity_count@1 dcg@1"


def test_wins_are_of_the_better_as_the_metric_has_it():
    options = {"recs": RATED, "truth": GRADES, "history": lists({"ann": "a"})}
    result = sqlrec.compare(DIRECTED, **options, baseline="pop", test="sign")
    rows = {row["metric"]: row for row in result.to_arrow().to_pylist()}
    names = ("difference", "better", "wins", "ties", "losses", "p")
    assert {metric: [row[name] for name in names] for metric, row in rows.items()} == {
        "mae(average=users)": [1, "lower", 0, 1, 2, 0.5],
        "popularity_count": [1, "neither", None, 0, None, 0.25],
        "dcg": [0, "higher", 0, 3, 0, None],
    }
    assert [row["metric"] for row in result.worse().to_arrow().to_pylist()] == [
        "mae(average=users)"
    ]
    back = sqlrec.compare(DIRECTED, **options, baseline="als")
    assert not back.worse().to_arrow().num_rows
    (row, *_) = back.to_arrow().to_pylist()
    assert (row["metric"], row["wins"], row["losses"]) == ("mae(average=users)", 2, 0)


def test_rows_are_found_by_the_requested_name():
    written = ["MAP@2", "mrr@all", "precision(divide_by=list_length)@1"]
    recs = {"als": ALS, "pop": POP}
    result = sqlrec.compare(written, recs=recs, truth=TRUTH, baseline="pop")
    assert result.to_arrow()["request"].to_pylist() == written
    assert result.worse().to_arrow()["request"].to_pylist() == written[:2]
    theirs = compare(written, "pop", recs=recs, truth=TRUTH)
    assert sorted(row["request"] for row in theirs) == sorted(written)


def test_wins_in_dbt_are_of_the_better():
    requests, recs = "unjudged_share@1 popularity_count@1 mrr@2", {"als": ALS, "pop": POP}
    result = compare(requests, "pop", recs=recs, truth=TRUTH, history="truth")
    names = ("metric", "better", "wins", "ties", "losses")
    assert sorted([row[name] for name in names] for row in result) == [
        ["popularity_count", "neither", None, 1, None],
        ["reciprocal_rank", "higher", 1, 1, 1],
        ["unjudged_share", "lower", 1, 1, 1],
    ]


METRICS = "ndcg@5 map@3 recall@all mrr@1 map(divide_by=hits)@all"


def test_sqlite_compares_as_duckdb_does():
    random = Random(5)
    items = [f"i{n}" for n in range(12)]
    ids = [f"u{n}" for n in range(100)]
    models = {
        model: lists({u: random.sample(items, 6) for u in ids if random.random() < 0.9})
        for model in ("als", "pop", "knn")
    }
    truth = wanted({u: {item: random.randint(0, 3) for item in items[::3]} for u in ids})
    users = pa.table({"user_id": ids, "country": [*"xy"] * 50})
    given = {"recs": models, "truth": truth, "users": users, "by": "country"}
    tables = {f"recs_{name}": table for name, table in given["recs"].items()}
    tables |= {"truth": given["truth"], "users": given["users"]}
    connection = in_sqlite(tables)["engine"]
    cursor = connection.execute(statement("sqlite", METRICS, "pop", tables, by="country"))
    columns = [column for column, *_ in cursor.description]
    result = [dict(zip(columns, row, strict=True)) for row in cursor]
    connection.close()
    expected = compare(METRICS, "pop", **given)
    assert len(result) == len(expected) == 20
    # Rows of a statement have no order.
    result, expected = (
        sorted(rows, key=lambda row: (row["model"], row["country"], row["request"]))
        for rows in (result, expected)
    )
    for theirs, ours in zip(result, expected, strict=True):
        assert theirs == approx(ours, abs=1e-12)


def test_many_pairs_of_models_are_printed_as_ranks():
    recs = {f"m{n}": lists({"ann": "abcd"[n % 4 :] or "a", "bob": "b"}) for n in range(7)}
    pairs = sqlrec.compare("mrr@2", recs=recs, truth=wanted({"ann": "a", "bob": "b"}))
    assert len(pairs) == 21
    text = str(pairs)
    assert "Models that share a letter do not differ" in text
    assert text.endswith("21 differences of pairs: use --all, or to_pandas().")
    assert len(pairs.layout().groups[0].rows) == 21
    del recs["m6"]
    pairs = sqlrec.compare("mrr@2", recs=recs, truth=wanted({"ann": "a", "bob": "b"}))
    assert "every pair of models" in str(pairs) and "share a letter" not in str(pairs)
