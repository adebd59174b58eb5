"""Plain statements, run elsewhere, give what evaluate gives in DuckDB."""

import pyarrow as pa
from pytest import approx, mark, param

from .. import flat
from ..golden.values import als, table


def test_counts_of_what_is_relevant_are_numbers_of_the_same_type(database):
    """Where the truth has no grades, its rows are counted."""
    forms = ("achievable", "k", "list_length", "relevant")
    rows = {"plain_recs": als(), "plain_truth": table("truth", "relevance")}
    for name, rows_ in rows.items():
        database.load(name, rows_)
    asked = [f"ndcg(ideal={form})@5" for form in forms]
    names = {"recs": "plain_recs", "truth": "plain_truth"}
    found = database.paste(flat.sql(asked, **names, engine=database.engine))
    given = {"recs": rows["plain_recs"], "truth": rows["plain_truth"]}
    expected = flat.evaluate(asked, **given).to_arrow().to_pylist()
    values = {row["metric"]: row["value"] for row in found}
    assert values == approx({row["metric"]: row["value"] for row in expected}, rel=1e-12)


def test_metrics_become_rows_also_where_nobody_has_a_value(database):
    """Grades of 0 alone have no ideal."""
    given = {"user_id": ["u", "u"], "item_id": ["a", "b"]}
    database.load("plain_recs", pa.table(given | {"score": [2.0, 1.0]}))
    database.load("plain_truth", pa.table(given | {"relevance": [0, 0]}))
    names = {"recs": "plain_recs", "truth": "plain_truth", "population": "recs"}
    asked = "precision@1,2 ndcg@1,2 ndcg(gain=exponential)@2"
    columns = {"relevance": "relevance"}
    statement = flat.sql(asked, **names, columns=columns, engine=database.engine)
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
    found = database.paste(flat.sql(asked, compare_with="pop", **names, engine=database.engine))
    given = {"recs": table("recs", "rank"), "truth": table("truth")}
    expected = flat.compare(asked, baseline="pop", interval="normal", **given)
    rows = {(row["model"], row["metric"]): row for row in found}
    for row in expected.to_arrow().to_pylist():
        ours = rows.pop((row["model"], row["metric"]))
        for name in ("users", "value", "baseline_value", "difference", "low", "high"):
            assert ours[name] == approx(row[name], rel=1e-12, abs=1e-12), name
    assert not rows
