"""The plain statement of each metric, run elsewhere, gives what evaluate gives in DuckDB."""

import pyarrow as pa
from pytest import approx, fixture, mark, param

import sqlrec

from ..golden.values import als, asked, table

METRICS = [*asked("@5"), *asked("@2", logged=True)]
FEW = ["ndcg@5", "average_precision@5", "catalog_coverage@5", "novelty@5", "rbo@5", "kendall@5"]
TABLES = {
    "recs": als(),
    "truth": table("truth"),
    "baseline": table("baseline", "rank"),
    "logs": table("logs", "target_probability"),
    **{name: table(name) for name in ("history", "catalog", "items")},
}
NAMES = {name: f"plain_{name}" for name in TABLES}


@fixture(scope="module")
def expected(open_duckdb):
    """The value of each metric in DuckDB."""
    with open_duckdb.cursor() as connection:
        for name, rows in TABLES.items():
            connection.register(NAMES[name], rows)
        found = sqlrec.evaluate(METRICS, **NAMES, engine=connection).to_arrow().to_pylist()
        yield {row["asked"]: row["value"] for row in found}


@mark.parametrize(
    "engine, metrics",
    [
        param("sqlite", METRICS, id="sqlite"),
        param("postgres", METRICS, id="postgres", marks=mark.xdist_group("postgres")),
        param("clickhouse", METRICS, id="clickhouse", marks=mark.xdist_group("clickhouse")),
        param("spark", FEW, id="spark", marks=mark.xdist_group("spark")),
    ],
)
def test_the_plain_statement_gives_what_evaluate_gives(request, expected, engine, metrics):
    database = request.getfixturevalue(engine)
    for name, rows in TABLES.items():
        database.load(NAMES[name], rows)
    found = {}
    for one in metrics:
        statement = sqlrec.sql(one, **NAMES, engine=database.engine)
        (row,) = database.paste(statement)
        found[one] = row["value"]
    assert found == approx({one: expected[one] for one in metrics}, rel=1e-12, abs=1e-12)


@mark.parametrize("form", ["achievable", "k", "list_length", "relevant"])
def test_counts_of_what_is_relevant_are_numbers_of_the_same_type(database, form):
    """Where the truth has no grades, its rows are counted."""
    rows = {"plain_recs": als(), "plain_truth": table("truth", "relevance")}
    for name, rows_ in rows.items():
        database.load(name, rows_)
    asked, names = f"ndcg(ideal={form})@5", {"recs": "plain_recs", "truth": "plain_truth"}
    (found,) = database.paste(sqlrec.sql(asked, **names, engine=database.engine))
    (expected,) = (
        sqlrec.evaluate(asked, recs=rows["plain_recs"], truth=rows["plain_truth"])
        .to_arrow()
        .to_pylist()
    )
    assert found["value"] == approx(expected["value"], rel=1e-12)


def test_metrics_become_rows_also_where_nobody_has_a_value(database):
    """Grades of 0 alone have no ideal."""
    given = {"user_id": ["u", "u"], "item_id": ["a", "b"]}
    database.load("plain_recs", pa.table(given | {"score": [2.0, 1.0]}))
    database.load("plain_truth", pa.table(given | {"relevance": [0, 0]}))
    names = {"recs": "plain_recs", "truth": "plain_truth", "population": "recs"}
    asked = "precision@1,2 ndcg@1,2 ndcg(gain=exponential)@2"
    columns = {"relevance": "relevance"}
    statement = sqlrec.sql(asked, **names, columns=columns, engine=database.engine)
    found = [
        (row["metric"], row["k"], row["value"], row["users"]) for row in database.paste(statement)
    ]
    undefined = [("ndcg", 1), ("ndcg", 2), ("ndcg(gain=exponential)", 2)]
    assert sorted(found) == [
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
    asked = "ndcg@5 average_precision@all"
    found = database.paste(sqlrec.sql(asked, compare_with="pop", **names, engine=database.engine))
    given = {"recs": table("recs", "rank"), "truth": table("truth")}
    expected = sqlrec.compare(asked, baseline="pop", interval="normal", **given)
    rows = {(row["model"], row["metric"]): row for row in found}
    for row in expected.to_arrow().to_pylist():
        ours = rows.pop((row["model"], row["metric"]))
        for name in ("users", "value", "baseline_value", "difference", "low", "high"):
            assert ours[name] == approx(row[name], rel=1e-12, abs=1e-12), name
    assert not rows
