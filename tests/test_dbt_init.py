"""The models that `sqlrec dbt-init` writes."""

import duckdb
from pytest import approx, mark

import sqlrec

from .golden.values import table
from .test_dbt import Project

GIVEN = ("--recs", "stg_recs", "--truth", "shop.orders", "--column", "user_id=customer")


def test_files_are_written_once(command_line, tmp_path):
    code, out, _ = command_line(tmp_path, "dbt-init", "ndcg@10", "map@5", *GIVEN)
    assert code == 0
    names = ["evaluation.sql", "evaluation_per_user.sql", "evaluation.yml"]
    assert out.splitlines()[:3] == [f"models/{name}" for name in names]
    model = (tmp_path / "models" / "evaluation.sql").read_text()
    assert model == (
        "{{ sqlrec.evaluate(\n"
        "    'ndcg@10 map@5',\n"
        "    recs=ref('stg_recs'),\n"
        "    truth=source('shop', 'orders'),\n"
        "    columns={'user_id': 'customer'}\n"
        ") }}\n"
    )
    code, _, err = command_line(tmp_path, "dbt-init", "map@5", *GIVEN)
    assert (code, "models/evaluation.sql exists: remove it" in err) == (1, True)
    assert (tmp_path / "models" / "evaluation.sql").read_text() == model


def test_a_day_is_part_of_the_key_of_each_input(command_line, tmp_path):
    words = ("--recs", "recs", "--truth", "truth", "--column", "truth.user_id=customer")
    assert command_line(tmp_path, "dbt-init", "ndcg@10", *words, "--day", "day")[0] == 0
    for name in ("evaluation", "evaluation_per_user", "evaluation_daily"):
        model = (tmp_path / "models" / f"{name}.sql").read_text()
        assert "'user_id': ['user_id', 'day']" in model
        assert "'truth.user_id': ['customer', 'day']" in model


@mark.parametrize(
    ("words", "message"),
    [
        (("ndcg@10", "intra_list_similarity@5", *GIVEN), "intra_list_similarity@5 needs items"),
        (("ndcg@10", *GIVEN, "--day", "the day"), "'the day': dbt-init takes names of single"),
        (("ndcg@10", *GIVEN, "--column", "item_id=a,b"), "takes names of single columns"),
        (("ndcg@10", *GIVEN, "--column", "item_id=Item"), "in lower case, as in user_id; rename"),
        (("ndcg@10", "--recs", "a.b.c", "--truth", "t"), "'a.b.c': write the name of a model"),
        (("ndgc@10", *GIVEN), "did you mean 'ndcg'"),
    ],
)
def test_invalid_options_of_models_are_refused(command_line, tmp_path, words, message):
    code, _, err = command_line(tmp_path, "dbt-init", *words)
    assert (code, message in err) == (1, True), err
    assert not (tmp_path / "models").exists()


@mark.dbt
@mark.xdist_group("dbt")
def test_the_models_are_built(command_line, tmp_path):
    project = Project(tmp_path, "duckdb", None)
    columns = ("user_id=customer", "rank=rank", "model=model", "relevance=stars")
    named = [word for column in columns for word in ("--column", column)]
    words = ("--recs", "stg_recs", "--truth", "shop.orders", "--day", "ordered_on")
    code, _, _ = command_line(tmp_path, "dbt-init", "ndcg@5", "recall@5", *words, *named)
    assert code == 0
    days = "select unnest([date '2026-01-01', date '2026-01-02']) as ordered_on"
    with duckdb.connect(str(tmp_path / "example.duckdb")) as connection:
        for name in ("recs", "truth"):
            connection.register(f"{name}_rows", table(name))
        connection.execute(f"""
            create schema shop;
            create table shop.orders as
            select user_id as customer, item_id, relevance as stars, ordered_on
            from truth_rows cross join ({days});
            create table lists as
            select model, user_id as customer, item_id, rank as rank, ordered_on
            from recs_rows cross join ({days});
        """)
    (tmp_path / "models" / "stg_recs.sql").write_text("select * from main.lists")
    (tmp_path / "models" / "sources.yml").write_text(
        "sources: [{name: shop, schema: shop, tables: [{name: orders}]}]"
    )
    project.dbt("build")
    # Three models and their inputs, and three tests; a model is skipped if its unit test fails.
    assert len(project.status) == 7
    assert set(project.status.values()) == {"success", "pass"}
    recs, truth = table("recs", "score"), table("truth")
    expected = sqlrec.evaluate("ndcg@5 recall@5", recs=recs, truth=truth, interval=None)
    expected = {(row["model"], row["metric"]): row["value"] for row in expected}
    # Both days have equal rows.
    for name, days in (("evaluation", 1), ("evaluation_daily", 2)):
        rows = project.query(f"select * from {name}")
        assert len(rows) == days * len(expected)
        for row in rows:
            assert row["value"] == approx(expected[row["model"], row["metric"]], abs=1e-12)
