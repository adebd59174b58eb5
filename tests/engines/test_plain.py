"""Plain statements return the values of evaluate in DuckDB, on every engine."""

import re

import pyarrow as pa
from pytest import approx, mark, param

import sqlrec

from ..golden.values import als, table
from ..tables import lists, scored, wanted


def test_counts_of_relevant_items_have_the_type_of_evaluate(database):
    """If the truth has no grades, its rows are counted."""
    forms = ("achievable", "k", "list_length", "relevant")
    rows = {"plain_recs": als(), "plain_truth": table("truth", "relevance")}
    for name, rows_ in rows.items():
        database.load(name, rows_)
    requests = [f"ndcg(ideal={form})@5" for form in forms]
    names = {"recs": "plain_recs", "truth": "plain_truth"}
    result = database.paste(sqlrec.sql(requests, **names, engine=database.engine))
    inputs = {"recs": rows["plain_recs"], "truth": rows["plain_truth"]}
    expected = sqlrec.evaluate(requests, **inputs).to_arrow().to_pylist()
    values = {row["metric"]: row["value"] for row in result}
    assert values == approx({row["metric"]: row["value"] for row in expected}, rel=1e-12)


def test_metrics_become_rows_also_where_nobody_has_a_value(database):
    """If all grades are 0, the ideal is undefined."""
    inputs = {"user_id": ["u", "u"], "item_id": ["a", "b"]}
    database.load("plain_recs", pa.table(inputs | {"score": [2.0, 1.0]}))
    database.load("plain_truth", pa.table(inputs | {"relevance": [0, 0]}))
    names = {"recs": "plain_recs", "truth": "plain_truth", "population": "recs"}
    requests = "precision@1,2 ndcg@1,2 ndcg(gain=exponential)@2"
    columns = {"relevance": "relevance"}
    statement = sqlrec.sql(requests, **names, columns=columns, engine=database.engine)
    result = [
        (row["metric"], row["k"], row["value"], row["users"]) for row in database.paste(statement)
    ]
    undefined = [("ndcg", 1), ("ndcg", 2), ("ndcg(gain=exponential)", 2)]
    assert sorted(result) == [
        *((name, k, None, 0) for name, k in undefined),
        *(("precision", k, 0, 1) for k in (1, 2)),
    ]


@mark.parametrize(
    "engine",
    [
        "sqlite",
        param("postgres", marks=mark.xdist_group("postgres")),
        param("clickhouse", marks=mark.xdist_group("clickhouse")),
    ],
)
def test_the_plain_comparison_is_that_of_compare(request, engine):
    database = request.getfixturevalue(engine)
    database.load("plain_models", table("recs", "rank"))
    database.load("plain_truth", table("truth"))
    names = {"recs": "plain_models", "truth": "plain_truth"}
    requests = "ndcg@5 average_precision@all"
    result = database.paste(
        sqlrec.sql(requests, compare_with="pop", **names, engine=database.engine)
    )
    inputs = {"recs": table("recs", "rank"), "truth": table("truth")}
    expected = sqlrec.compare(
        requests, baseline="pop", interval="normal", correction="none", **inputs
    )
    rows = {(row["model"], row["metric"]): row for row in result}
    for row in expected.to_arrow().to_pylist():
        ours = rows.pop((row["model"], row["metric"]))
        for name in ("users", "value", "baseline_value", "difference", "low", "high"):
            assert ours[name] == approx(row[name], rel=1e-12, abs=1e-12), name
    assert not rows


def values(database, metrics, recs, truth, **options):
    """Return the values of the plain statement, run by the engine, by metric."""
    database.load("plain_recs", recs)
    database.load("plain_truth", truth)
    names = {"recs": "plain_recs", "truth": "plain_truth"}
    result = database.paste(sqlrec.sql(metrics, **names, engine=database.engine, **options))
    return {row["metric"]: row["value"] for row in result}


def test_an_item_without_a_score_comes_last(database):
    recs = scored({"u1": {"b": 3, "a": None, "c": 2}, "u2": {"d": None, "e": 1}})
    truth = wanted({"u1": "b", "u2": "d"})
    result = values(database, "mrr@2 precision@1", recs, truth)
    assert result == approx({"reciprocal_rank": (1 + 1 / 2) / 2, "precision": 1 / 2})
    last = values(database, "mrr@2 precision@1", recs, truth, null_scores="last")
    assert result == approx(last, rel=1e-12)


@mark.parametrize("cutoff", ["@2", "@all"])
def test_rows_without_a_rank_above_0_are_left_out(database, cutoff):
    """The list is b, with rank 1, and c: divided by rank 0, or its discount, a is infinite."""
    ranks = [0, 1, 2, None]
    recs = lists({"u1": "abcd"}).set_column(2, "rank", pa.array(ranks, pa.int64()))
    metrics = [name + cutoff for name in ("mrr", "dcg", "list_auc", "recall")]
    result = values(database, metrics, recs, wanted({"u1": "abd"}))
    truth = {"reciprocal_rank": 1, "dcg": 1, "list_auc": 1, "recall": 1 / 3}
    assert result == approx(truth, rel=1e-12)


def test_an_item_without_a_grade_is_not_rated(database):
    """The squared error of b is 1, and of c 4."""
    recs = scored({"u1": {"a": 3, "b": 2}, "u2": {"c": 1}})
    truth = wanted({"u1": {"a": None, "b": 1}, "u2": {"c": 3}})
    columns = {"relevance": "relevance"}
    result = values(database, "mse@2 rmse@2", recs, truth, columns=columns)
    assert result["mse"] == approx((1 + 4) / 2, rel=1e-12)


@mark.parametrize("metrics", ["mrr@5", "ndcg@2,5 gini(items=recommended)@5"])
def test_each_grouping_is_in_one_statement(database, metrics):
    """Columns of segments contain text and numbers; they are null in other groupings."""
    inputs = {"recs": als(), "truth": table("truth"), "users": table("users")}
    for name, rows in inputs.items():
        database.load(f"plain_{name}", rows)
    names = {name: f"plain_{name}" for name in inputs}
    options = {"by": ["country", "age"], "each": True}
    statement = sqlrec.sql(metrics, **names, **options, engine=database.engine)
    columns = ("grouping", "country", "age", "metric", "k")
    expected = sqlrec.evaluate(metrics, **inputs, **options, interval=None).to_arrow().to_pylist()

    def by_key(rows):
        named = "metric" in rows[0]
        keys = columns if named else columns[:3]
        return {tuple(row[name] for name in keys): row["value"] for row in rows}

    result = database.paste(statement)
    if "metric" not in result[0]:
        expected = [{name: row[name] for name in (*columns[:3], "value")} for row in expected]
    assert by_key(result) == approx(by_key(expected), rel=1e-12)


def test_steps_can_run_twice_in_a_session(database):
    database.load("plain_recs", lists({"u1": "ab", "u2": "ba"}))
    database.load("plain_truth", wanted({"u1": "a", "u2": "a"}))
    names = {"recs": "plain_recs", "truth": "plain_truth"}
    run = getattr(database, "run", None) or database.engine.sql
    result = []
    for metrics in ("mrr@2 ndcg@1", "mrr@2 ndcg@1", "mrr@1"):
        text = sqlrec.sql(metrics, form="steps", **names, engine=database.engine)
        *steps, last = re.sub(r"(--.*)?\n", "\n", text).strip(" ;\n").split(";\n")
        for step in steps:
            run(step)
        result += [row["value"] for row in database.paste(last)]
    assert result == approx([1 / 2, 3 / 4, 1 / 2, 3 / 4, 1 / 2])


@mark.parametrize("by", [(), "country"])
def test_users_of_values_of_all_lists_are_those_of_evaluate(database, by):
    inputs = {"recs": als(), "truth": table("truth"), "users": table("users")}
    inputs |= {"items": table("items"), "history": table("history")}
    for name, rows in inputs.items():
        database.load(f"plain_{name}", rows)
    names = {name: f"plain_{name}" for name in inputs}
    metrics = "gini(items=recommended)@2,5 score_entropy@5 rsp@5 herfindahl@5"
    columns = ("country", "metric", "k") if by else ("metric", "k")

    def users(rows):
        return {tuple(row[name] for name in columns): row["users"] for row in rows}

    result = database.paste(sqlrec.sql(metrics, **names, by=by, engine=database.engine))
    expected = sqlrec.evaluate(metrics, **inputs, by=by, interval=None).to_arrow().to_pylist()
    assert users(result) == users(expected)
