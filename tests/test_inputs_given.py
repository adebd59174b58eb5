"""Inputs other than table names: queries, conditions, composite keys, fields, printed names."""

import sqlite3
import sys
from pathlib import Path

import duckdb
import pyarrow as pa
from pytest import fixture, mark, raises, warns

import sqlrec
from sqlrec.cli import main
from sqlrec.dialects import relation

from .packages import deltalake, pyiceberg
from .packages import pandas as pd
from .tables import evaluate, values

# Three users of two names and two days; their composite keys differ only in escaped characters.
RECS = pd.DataFrame(
    {
        "user": ["a|b", "a", "a", "ü"],
        "day": ["c", "b|c", "c", None],
        "item_id": [*"xyzw"],
        "score": [1.0, 2, 3, 4],
        "order": [1, 2, 3, 4],
    }
)
TRUTH = pd.DataFrame({"user": ["a|b", "a", "a"], "day": ["c", "b|c", "c"], "item_id": [*"xyq"]})
KEY = {"user_id": ["user", "day"]}


def hits(**inputs):
    return values(evaluate("hit_rate@1", **{"truth": TRUTH, "columns": KEY} | inputs))


@fixture
def database():
    with duckdb.connect() as connection:
        connection.register("given_recs", RECS)
        connection.register("given_truth", TRUTH)
        connection.execute(
            'create schema "S x"; create table recs as from given_recs;'
            'create table "S x"."T" as from given_truth; create table listed as from given_recs;'
            "create view whole as select * from recs where day is not null;"
            "create table nested as select {'id': \"user\" || day} as u, item_id, score from whole;"
            'create table wanted as select {\'id\': "user" || day} as u, item_id from "S x"."T"'
        )
        yield connection


def test_composite_keys_need_all_parts():
    assert hits(recs=RECS.dropna()) == [2 / 3]
    with raises(sqlrec.DataError, match="recs has 1 row without user_id"):
        hits(recs=RECS)
    result = evaluate("hit_rate@1", recs=RECS.dropna(), truth=TRUTH, columns=KEY).per_user()
    assert sorted(result.to_arrow()["user_id"].to_pylist()) == ["a | b||c", "a | c", "a||b | c"]


def test_a_key_is_the_same_in_files_and_in_other_databases(tmp_path):
    folder = tmp_path / "a b'é"
    folder.mkdir()
    RECS.dropna().to_csv(folder / "recs.csv", index=False)
    TRUTH.to_parquet(folder / "truth.parquet")
    assert hits(recs=folder / "recs.csv", truth=folder / "truth.parquet") == [2 / 3]
    engine = sqlite3.connect(":memory:")
    RECS.dropna().to_sql("recs", engine, index=False)
    TRUTH.to_sql("truth", engine, index=False)
    query = "(select * from recs where score > 0)"
    assert hits(recs=query, truth="truth", engine=engine, where={"truth": "day <> ''"}) == [2 / 3]


def test_a_query_a_view_and_a_name_as_it_is_printed_are_inputs(database):
    texts = "day = 'it''s -- ; (' or day is not null"
    inputs = [
        ("whole", '"S x"."T"'),
        (f"(select * from recs where {texts})", 'memory."S x".T'),
        ("( with d as (select *\nfrom recs) select * from d where day <> '' ) as d", '"S x".T'),
    ]
    for recs, truth in inputs:
        assert hits(recs=recs, truth=truth, engine=database) == [2 / 3]


def test_a_field_of_a_column_is_taken(database):
    inputs = {"recs": "nested", "truth": "wanted", "engine": database}
    assert hits(**inputs, columns={"user_id": "u.id"}) == [2 / 3]
    with raises(sqlrec.InputError, match=r"recs='nested' can't be read: [^.]*idd[^.]*$"):
        hits(**inputs, columns={"user_id": "u.idd"})
    with raises(sqlrec.InputError, match=r"recs='nested' where u.idd = 1 can't be .*idd[^.]*$"):
        hits(**inputs, columns={"user_id": "u.id"}, where={"recs": "u.idd = 1"})
    with raises(sqlrec.InputError, match="recs has no column 'user_id': it has u, item_id, score"):
        hits(**inputs, columns={"user_id": "v.id"})


def test_a_condition_leaves_rows_out():
    assert hits(recs=RECS, where={"recs": "day is not null"}) == [2 / 3]
    assert hits(recs=RECS, where={"recs": 'day is not null and "order" < 3'}) == [2 / 3]
    with raises(sqlrec.InputError, match="recs=<DataFrame> where day = 'nope' is empty"):
        hits(recs=RECS, where={"recs": "day = 'nope'"})


@mark.parametrize(
    ("inputs", "message"),
    [
        ({"where": {"recs": "1 = 1) or (1 = 1"}}, "unbalanced parentheses"),
        ({"where": {"recs": "(day = 'c'"}}, "unbalanced parentheses"),
        ({"where": {"recs": "day = 'c' -- )"}}, "has '--', which is not allowed here"),
        ({"where": {"recs": "day = 'c"}}, 'has "\'", which is not allowed here'),
        ({"where": {"rec": "day = 'c'"}}, "where['rec']: no input 'rec': did you mean 'recs'?"),
        ({"where": "day = 'c'"}, "where=\"day = 'c'\": give a dict"),
        ({"where": {"recs": " "}}, "where['recs']=' ': a condition must be a string"),
        ({"recs": "(select 1); drop table x"}, "has ';', which is not allowed here"),
        ({"recs": "(select 1) union all (select 2)"}, "unbalanced parentheses"),
        ({"recs": "select * from recs"}, "put a query in parentheses"),
        ({"recs": "with a as (select 1) select * from a"}, "put a query in parentheses"),
        ({"recs": "(select 1) as a b"}, "put a query in parentheses"),
        ({"columns": {"user_id": ["user", "dy"]}}, "['user', 'dy']: recs has user, day, item_id,"),
        ({"columns": {"user_id": ["user", "user"]}}, "only user_id and item_id can have several"),
        ({"columns": {"score": ["user", "day"]}}, "only user_id and item_id can have several"),
        ({"columns": {"user_id": []}}, "a column's name must be a string"),
        ({"columns": {"user_id": ["user", "score"]}}, "recs.score is DOUBLE: each part of a user_"),
    ],
)
def test_invalid_queries_and_conditions_are_refused(inputs, message):
    with raises(sqlrec.InputError) as refused:
        hits(**{"recs": RECS} | inputs)
    assert message in str(refused.value)


def test_parts_of_different_types_are_refused():
    days = pa.array([1, 2, 3], pa.timestamp("s"))
    truth = pa.table({"user": ["a", "a", "b"], "day": days, "item_id": [*"xyz"]})
    recs = truth.set_column(1, "day", days.cast(pa.date32())).append_column("score", [[1.0, 2, 3]])
    with raises(sqlrec.InputError, match="day is TIMESTAMP_S in truth but DATE in recs: this part"):
        hits(recs=recs, truth=truth)


def test_a_query_reads_no_name_inside_the_statement(database):
    with raises(sqlrec.InputError, match="listed is also the name of a query in the statement"):
        hits(recs="(select * from listed where day is not null)", truth='"S x".T', engine=database)


def test_the_command_line_takes_queries_and_conditions(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    RECS.to_csv("recs.csv", index=False)
    TRUTH.to_csv("truth.csv", index=False)
    call = "evaluate hit_rate@1 --recs recs.csv --truth truth.csv --column user_id=user,day".split()
    assert main([*call, "--where", "recs=day is not null", "--format", "csv"]) == 0
    assert "0.666" in capsys.readouterr().out


def test_printed_statements_have_them_as_each_dialect_writes_them():
    inputs = {"columns": KEY | {"item_id": "item.id"}, "where": {"recs": "day > 3"}}
    for dialect, recs, part, field in (
        ("bigquery", "`p-1.d.Recs`", "replace(cast(`user` as string), '|', '||')", "item.id as"),
        ("snowflake", 'D."S".recs', "replace(cast(\"USER\" as varchar), '|', '||')", 'item:"id"'),
        ("postgres", '"d"."Recs"', "replace(cast(\"user\" as varchar), '|', '||')", "(item).id as"),
    ):
        text = sqlrec.sql("mrr@5", recs=recs, truth="(select * from t)", dialect=dialect, **inputs)
        line = " ".join(text.split()).replace("( ", "(").replace(" )", ")")
        assert f"{part} || ' | ' || " in line
        assert field in line
        assert f"from {relation(recs, dialect)} where day > 3) as recs_rows" in line
        assert "from (select * from t) as truth_rows" in line


@mark.parametrize(
    ("name", "dialect", "written"),
    [
        ("`my-p.d.t`", "bigquery", "`my-p`.d.t"),
        ('"db".x.T', "postgres", 'db.x."T"'),
        ('"D b"."x.y".t', "duckdb", '"D b"."x.y".t'),
        ('"ANALYTICS".PUBLIC."recs"', "snowflake", '"ANALYTICS"."PUBLIC"."recs"'),
        ("`order`.`x`", "spark", "`order`.x"),
        ('"a""b".c', "duckdb", '"a""b".c'),
        ('a"b.c', "postgres", '"a""b".c'),
    ],
)
def test_names_are_read_as_they_are_printed(name, dialect, written):
    assert relation(name, dialect) == written


def test_only_current_files_of_a_delta_table_are_read(tmp_path: Path):
    path = tmp_path / "a table"
    old = pa.table({"user_id": ["a", "b"], "item_id": ["x", "y"], "score": [1.0, 2.0]})
    deltalake.write_deltalake(path, old)
    deltalake.write_deltalake(path, old.slice(0, 1), mode="overwrite")
    truth = old.select(["user_id", "item_id"])
    for recs in (path, str(path), deltalake.DeltaTable(path)):
        assert values(evaluate("hit_rate@1", recs=recs, truth=truth)) == [1 / 2]
    (tmp_path / "odd" / "_delta_log").mkdir(parents=True)
    with raises(sqlrec.InputError, match=r"odd' can't be read: .*No files in log segment"):
        evaluate("hit_rate@1", recs=tmp_path / "odd", truth=truth)


@mark.slow
def test_only_current_files_of_an_iceberg_table_are_read(tmp_path: Path, monkeypatch):
    catalog = pyiceberg.SqlCatalog("c", uri="sqlite://", warehouse=str(tmp_path))
    catalog.create_namespace("shop")
    old = pa.table({"user_id": ["a", "b"], "item_id": ["x", "y"], "score": [1.0, 2.0]})
    table = catalog.create_table("shop.recs", schema=old.schema)
    path = Path(table.location().removeprefix("file://"))
    truth = old.select(["user_id", "item_id"])

    def compute(recs):
        return values(evaluate("hit_rate@1", recs=recs, truth=truth))

    table.append(old)
    whole = Path(table.metadata_location.removeprefix("file://"))
    table.overwrite(old.slice(0, 1))
    assert compute(table) == compute(table.scan()) == [1 / 2]
    with warns(UserWarning, match=r"read with 00002-.*\.json, the newest metadata; if its cat"):
        assert compute(path) == [1 / 2]
    assert compute(whole) == compute(str(whole)) == [1]
    (path / "metadata" / "version-hint.text").write_text(whole.name)
    assert compute(str(path)) == [1]
    (path / "metadata" / "version-hint.text").unlink()
    (path / "metadata" / "00002-0.metadata.json").write_text("{}")
    with raises(sqlrec.InputError, match="is an Iceberg table with several newest metadata f"):
        compute(path)
    with raises(sqlrec.InputError, match=r"00002-0.metadata.json' can't be read: "):
        compute(path / "metadata" / "00002-0.metadata.json")
    monkeypatch.setitem(sys.modules, "pyiceberg.table", None)
    with raises(sqlrec.InputError, match="is an Iceberg table, and needs pyiceberg: pip install"):
        compute(whole)
    catalog.close()


@mark.parametrize(
    "module, kind, fix",
    [
        ("dask.dataframe.dask_expr", "DataFrame", r"write it with frame.to_parquet\('folder/'\)"),
        ("ray.data.dataset", "Dataset", r"write it with dataset.write_parquet\('folder/'\)"),
        ("modin.pandas.dataframe", "DataFrame", r"give frame.modin.to_pandas\(\)"),
        ("snowflake.snowpark.dataframe", "DataFrame", "with engine=session.connection"),
        ("bigframes.dataframe", "DataFrame", r"engine=google.cloud.bigquery.dbapi.connect\(\)"),
    ],
)
def test_rows_that_other_libraries_hold_are_not_copied(module, kind, fix):
    def to_arrow(frame):
        raise AssertionError("all rows were copied")

    frame = type(kind, (), {"__module__": module, "to_arrow": to_arrow})()
    with raises(sqlrec.InputError, match=f"recs is a {kind} of {module.split('.')[0]}: .*{fix}"):
        sqlrec.evaluate("mrr@2", recs=frame, truth="truth")
