"""Inputs in every form have equal values, or are rejected with a reason."""

import uuid

import duckdb
import pyarrow as pa
import pyarrow.csv
import pyarrow.dataset
import pyarrow.parquet
from pytest import approx, fixture, mark, raises, warns

import sqlrec

from .packages import pandas as pd
from .packages import polars as pl
from .tables import evaluate, lists, rows, values, wanted

RECS = pa.table(
    {"user_id": [1, 1, 2, 2], "item_id": [10, 11, 10, 12], "score": [0.5, 0.25, 0.75, 0.5]}
)
TRUTH = pa.table({"user_id": [1, 2, 3], "item_id": [11, 10, 10], "country": ["US", "DE", "US"]})
EXPECTED = approx([(1 / 2 + 1 + 0) / 3])


def mrr(recs=RECS, truth=TRUTH, **options):
    return values(evaluate("mrr@2", recs=recs, truth=truth, **options))


# A connection other than that of the metrics.
OTHER = duckdb.connect()


class Stream:
    """An object with only the Arrow C stream interface."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


@mark.parametrize(
    "form",
    [
        lambda table: table,
        lambda table: table.to_pandas(),
        lambda table: table.to_pandas().convert_dtypes(),
        lambda table: pl.DataFrame(table),
        lambda table: pl.DataFrame(table).lazy(),
        lambda table: pa.dataset.dataset(table),
        lambda table: table.to_reader(),
        lambda table: table.combine_chunks().to_batches()[0],
        Stream,
        lambda table: duckdb.from_arrow(table),
        lambda table: OTHER.from_arrow(table).filter("true"),
    ],
)
def test_tables_of_python_libraries_are_read(form):
    assert mrr(form(RECS), form(TRUTH)) == EXPECTED


def test_a_missing_table_is_an_error():
    with duckdb.connect() as connection:
        gone = connection.from_arrow(RECS)
    with raises(sqlrec.InputError, match="recs=<DuckDBPyRelation> can't be read: Connection"):
        evaluate("mrr@2", recs=gone, truth=TRUTH)


def write(table, path):
    kind = path.suffix
    if kind in (".parquet", ".pq"):
        pyarrow.parquet.write_table(table, path)
    elif kind in (".csv", ".gz"):
        with pa.output_stream(str(path), compression="detect") as stream:
            pyarrow.csv.write_csv(table, stream)
    elif kind == ".tsv":
        table.to_pandas().to_csv(path, sep="\t", index=False)
    else:
        table.to_pandas().to_json(path, orient="records", lines=kind != ".json")
    return path


@mark.parametrize("name", ["parquet", "csv", "tsv", "csv.gz", "jsonl", "ndjson", "json"])
def test_files_are_read_by_their_extension(tmp_path, name):
    recs = write(RECS, tmp_path / f"re cs.{name}")
    truth = write(TRUTH, tmp_path / f"it's.{name}")
    assert mrr(str(recs), truth) == EXPECTED


@mark.parametrize("name", ["a[1].parquet", "a*.parquet", "ünï'\"codé.PARQUET"])
def test_a_file_may_have_any_name(tmp_path, name):
    pyarrow.parquet.write_table(RECS, tmp_path / name)
    assert mrr(tmp_path / name) == EXPECTED


def test_a_glob_and_a_folder_are_read_whole(tmp_path):
    for number in range(4):
        write(RECS.slice(number, 1), tmp_path / f"part-{number}.parquet")
    (tmp_path / "_SUCCESS").touch()
    for recs in (tmp_path, str(tmp_path / "part-*.parquet"), f"{tmp_path}/"):
        assert mrr(recs) == EXPECTED


@mark.parametrize("kind, as_glob", [("parquet", True), ("csv", False), ("jsonl", True)])
def test_files_of_a_folder_may_differ_in_their_types_and_order_of_columns(tmp_path, kind, as_glob):
    whole = pa.table({"user_id": [1, 1], "item_id": [2, 3], "score": [1, 2]})
    parts = pa.table({"score": [0.2, 0.4], "user_id": [5, 5], "item_id": [2, 3]})
    write(whole, tmp_path / f"a.{kind}")
    write(parts, tmp_path / f"b.{kind}")
    truth = pa.table({"user_id": [1, 5], "item_id": [3, 3]})
    recs = tmp_path / f"*.{kind}" if as_glob else tmp_path
    assert mrr(recs, truth) == [1]


def test_files_of_a_folder_may_differ_in_the_case_of_their_ending(tmp_path):
    write(RECS.slice(0, 2), tmp_path / "a.parquet")
    pyarrow.parquet.write_table(RECS.slice(2, 2), tmp_path / "b.PARQUET")
    assert mrr(tmp_path) == EXPECTED


def test_a_folder_holds_one_kind_of_file(tmp_path):
    write(RECS, tmp_path / "a.csv")
    write(RECS, tmp_path / "b.parquet")
    with raises(sqlrec.InputError, match=r"contains csv, parquet: all files of a folder are read"):
        evaluate("mrr@2", recs=tmp_path, truth=TRUTH)


class TestTablesOfADatabase:
    @fixture
    def connection(self):
        with duckdb.connect() as connection:
            connection.execute('create schema shop; create table shop."re cs" as from RECS')
            connection.execute("create table truth as from TRUTH")
            yield connection

    def test_tables_of_a_database_are_read_by_name(self, connection):
        result = evaluate("mrr@2", recs="shop.re cs", truth="truth", engine=connection)
        assert values(result) == EXPECTED
        assert len(result.per_user()) == 3

    def test_no_view_is_left_in_the_database(self, connection):
        before = connection.sql("show all tables").fetchall()
        other = TRUTH.set_column(1, "item_id", pa.array([0, 0, 10]))
        result = evaluate("mrr@2", recs="shop.re cs", truth=other, engine=connection)
        assert values(result) == [0]
        assert connection.sql("show all tables").fetchall() == before
        assert connection.sql("from truth").fetchall() == [
            tuple(row.values()) for row in TRUTH.to_pylist()
        ]

    def test_tables_of_a_database_may_be_named_like_inputs(self, connection):
        connection.execute("create table RECS as select 1 as user_id, 10 as item_id")
        connection.register("Users", RECS)
        recs = pa.table({"user_id": [1], "item_id": [10], "score": [1.0]})
        result = evaluate("hit_rate@1", recs=recs, truth="RECS", engine=connection)
        connection.register("recs_2", TRUTH)
        assert values(result) == values(result.per_user()) == [1]
        assert len(connection.sql("from Users").fetchall()) == len(RECS)

    def test_inputs_are_read_independently_of_settings_of_the_connection(self, connection):
        connection.execute("set default_order = 'desc'; set default_null_order = 'nulls_first'")
        recs = lists({"ann": "abc"})
        tied = recs.append_column("score", pa.array([1.0, 1.0, 0.5])).drop_columns(["rank"])
        options = {"truth": wanted({"ann": "bc"}), "engine": connection}
        assert values(evaluate("map@3", recs=recs, **options)) == approx([(1 / 2 + 2 / 3) / 2])
        assert values(evaluate("map@3", recs=tied, **options)) == approx([(1 / 2 + 2 / 3) / 2])

    def test_have_to_stay_the_same_while_they_are_read(self, connection):
        connection.execute("create sequence times")
        once = "case when nextval('times') = 1 then 0 else 1 end as rank"
        connection.execute(f"create view changing as select 1 as user_id, 1 as item_id, {once}")
        with raises(sqlrec.DataError, match="give tables that do not change"):
            evaluate("mrr@2", recs="changing", truth=TRUTH, engine=connection)

    @mark.parametrize(
        "recs, columns",
        [
            ("nowhere", {}),
            ("truth", {}),
            ("shop.re cs", {"user_id": "nothing"}),
            ("stops", {}),
            ("nowhere.parquet", {}),
        ],
    )
    def test_an_open_transaction_survives_a_failed_statement(self, connection, recs, columns):
        connection.execute(
            "create view stops as select 'ann' as user_id, 'a' as item_id, "
            "cast(letter as double) as score from (values ('x')) as letters (letter)"
        )
        connection.execute("begin")
        connection.execute("create table mine as select 1 as number")
        with raises(sqlrec.SqlrecError):
            evaluate("mrr@2", recs=recs, truth="truth", columns=columns, engine=connection)
        connection.execute("commit")
        assert connection.sql("from mine").fetchall() == [(1,)]

    def test_tables_of_an_open_transaction_are_read_in_it(self, connection):
        connection.execute("begin")
        connection.execute(
            "create temp table mine as select 7::hugeint as user_id, uuid() as item_id, 1 as score"
        )
        connection.execute("create table liked as select user_id, item_id from mine")
        inputs = {"recs": "mine", "truth": "liked", "engine": connection}
        result = evaluate("mrr@2", **inputs, interval="t")
        assert values(result) == values(result.per_user()) == [1]
        connection.execute("commit")
        assert sqlrec.sql("mrr@2", form="audited", interval="normal", **inputs) == result.sql
        assert connection.sql(result.sql).fetchall()[0][4] == 1

    def test_need_an_open_connection(self, connection):
        connection.close()
        with raises(sqlrec.InputError, match="can't be read"):
            evaluate("mrr@2", recs=RECS, truth=TRUTH, engine=connection)

    @mark.parametrize("name", ["recommended", "Hits", "truth_segments"])
    def test_have_names_of_their_own(self, connection, name):
        connection.execute(f"create table {name} as from TRUTH")
        with raises(
            sqlrec.InputError, match=r"is also the name of a query in the statement: .*main"
        ):
            evaluate("mrr@2", recs="shop.re cs", truth=name, engine=connection, by="country")
        result = evaluate(
            "mrr@2", recs="shop.re cs", truth=f"main.{name}", engine=connection, by="country"
        )
        assert len(result) == 2

    @mark.parametrize("name", ['x"; drop table truth; --', "x'; drop table truth; --", "no_table"])
    def test_a_name_is_never_run(self, connection, name):
        with raises(sqlrec.InputError, match=r"can't be read.*read as a table's name"):
            evaluate("mrr@2", recs=name, truth="truth", engine=connection)
        assert connection.sql("from truth").fetchall()


class TestIds:
    @mark.parametrize(
        "ids",
        [
            [2**53 + 1, 2**53, 2**63 - 1],
            [-(2**63), -1, 0],
            ["O'Neil", 'quo"te', "日本 \N{PILE OF POO}"],
            ["", " ", "a"],
            [uuid.UUID(int=i).bytes for i in range(3)],
            [pd.Timestamp("2024-01-01"), pd.Timestamp("2024-01-02"), pd.Timestamp("1970-01-01")],
        ],
    )
    def test_ids_of_any_type_are_compared(self, ids):
        a, b, c = ids
        recs = pa.table({"user_id": [a, a, b], "item_id": [a, b, c], "rank": [1, 2, 1]})
        truth = pa.table({"user_id": [a, b], "item_id": [b, c]})
        result = evaluate("mrr@2", recs=recs, truth=truth)
        assert values(result) == [(1 / 2 + 1) / 2]
        results = {row["user_id"]: row["value"] for row in result.per_user().to_arrow().to_pylist()}
        assert results == {a: 1 / 2, b: 1}

    @mark.parametrize("kinds", [(pa.uint64(), pa.int8()), (pa.int32(), pa.int64())])
    def test_whole_numbers_of_different_sizes_are_the_same(self, kinds):
        recs = RECS.set_column(0, "user_id", RECS["user_id"].cast(kinds[0]))
        truth = TRUTH.set_column(0, "user_id", TRUTH["user_id"].cast(kinds[1]))
        assert mrr(recs, truth) == EXPECTED

    def test_large_unsigned_ids_do_not_meet_signed_ones_by_rounding(self):
        recs = pa.table(
            {"user_id": pa.array([2**53 + 1], pa.uint64()), "item_id": ["a"], "rank": [1]}
        )
        truth = pa.table({"user_id": pa.array([2**53 + 1, 2**53]), "item_id": ["a", "a"]})
        assert values(evaluate("mrr@1", recs=recs, truth=truth)) == [1 / 2]

    def test_categories_are_text(self):
        recs, truth = (table.to_pandas().astype({"item_id": str}) for table in (RECS, TRUTH))
        recs = recs.astype({"item_id": "category"})
        assert mrr(recs, truth) == EXPECTED

    def test_signed_and_the_largest_unsigned_ones_are_of_two_kinds(self):
        with duckdb.connect() as connection:
            ids = "cast(1 as {}) as user_id, 1 as item_id, 1 as rank"
            for name, kind in (("recs", "hugeint"), ("truth", "uhugeint")):
                connection.execute(f"create table {name} as select {ids.format(kind)}")
            with raises(sqlrec.InputError, match="is HUGEINT in recs but UHUGEINT in truth"):
                evaluate("mrr@1", recs="recs", truth="truth", engine=connection)


class TestColumns:
    def test_may_have_other_names(self):
        recs = RECS.rename_columns(["uid", "order", "how good"])
        truth = TRUTH.rename_columns(["uid", "s'k\"u", "c"])
        columns = {
            "user_id": "uid",
            "recs.item_id": "order",
            "truth.item_id": "s'k\"u",
            "score": "how good",
        }
        result = evaluate("mrr@2", recs=recs, truth=truth, columns=columns)
        assert values(result) == EXPECTED

    def test_that_are_missing_are_named_in_all_tables(self):
        message = (
            "recs has no columns 'user_id', 'item_id': it has userId, movieId, score. Pass your "
            "names: columns={'recs.user_id': 'userId', 'recs.item_id': 'movieId'}; truth has no "
            "column 'item_id': it has user_id, sku, country. Pass your names: "
            "columns={'truth.item_id': ...}"
        )
        recs = RECS.rename_columns({"user_id": "userId", "item_id": "movieId"})
        with raises(sqlrec.ColumnError) as raised:
            evaluate("mrr@2", recs=recs, truth=TRUTH.rename_columns({"item_id": "sku"}))
        assert str(raised.value) == message
        assert (raised.value.input, raised.value.column) == ("recs", "user_id")

    @mark.filterwarnings("ignore:.* has an unused column")
    def test_exchanged_tables_have_a_message(self):
        graded = TRUTH.append_column("relevance", pa.array([1.0] * TRUTH.num_rows))
        with raises(sqlrec.InputError, match="truth's relevance: are the two exchanged"):
            evaluate("mrr@2", recs=graded, truth=RECS)
        with raises(sqlrec.InputError, match="truth has the column 'score' of recs: are the two"):
            evaluate("mrr@2", recs=TRUTH, truth=RECS)

    def test_a_model_of_the_truth_may_be_exchanged(self):
        truth = RECS.append_column("model", pa.array(["a", *["b"] * (RECS.num_rows - 1)]))
        message = "unused column 'model' with 2 values .*: are recs and truth exchanged"
        with warns(UserWarning, match=message):
            evaluate("mrr@2", recs=RECS, truth=truth.drop(["score"]))

    @mark.parametrize(
        ("condition", "message"),
        [
            ("scor > 3", "no column 'scor': did you mean 'score'"),
            (
                "user_id = ann",
                "'ann': recs has user_id, item_id, score; write strings in single quo",
            ),
        ],
    )
    def test_of_a_condition_are_suggested(self, condition, message):
        with raises(sqlrec.InputError, match=rf"^where\['recs'\]: .*{message}"):
            evaluate("mrr@2", recs=RECS, truth=TRUTH, where={"recs": condition})

    def test_of_inputs_that_are_not_read_are_checked(self):
        inputs = {"recs": RECS, "truth": TRUTH, "catalog": RECS}
        columns = {"relevance": "country", "truth.user_id": "user_id"}
        assert evaluate("catalog_coverage@2", **inputs, columns=columns)
        for columns in ({"truth.relevance": "x"}, {"relevance": "x"}):
            with raises(sqlrec.InputError, match=r"'x': (truth has|no input has this column)"):
                evaluate("catalog_coverage@2", **inputs, columns=columns)

    def test_list_order_is_the_rank(self):
        recs = pa.table({"user_id": [1], "item_id": [[10, 11]], "score": [0.5]})
        with raises(sqlrec.InputError, match="item_id is a list, its order is the rank"):
            evaluate("mrr@2", recs=recs, truth=TRUTH)
        result = evaluate("mrr@2", recs=recs, truth=TRUTH, rules=sqlrec.Rules(order="rank"))
        assert values(result) == approx([1 / 2 / 3])


@mark.parametrize("name", ["recs", "truth"])
class TestAnInput:
    def test_an_unknown_extension_is_an_error(self, name, tmp_path):
        (tmp_path / "x.xlsx").write_bytes(b"PK\x03\x04 and more")
        inputs = {"recs": RECS, "truth": TRUTH, name: tmp_path / "x.xlsx"}
        with raises(sqlrec.InputError, match="is a zip file: extract or convert it"):
            evaluate("mrr@2", **inputs)


RANKED = RECS.rename_columns(["user_id", "item_id", "rank"])
RANKED = RANKED.set_column(2, "rank", pa.array([1, 2, 1, 2]))
TWICE = TRUTH.append_column("a", TRUTH["user_id"]).append_column("b", TRUTH["user_id"])
EMPTY = "=<Table> is empty: at least one row"


@mark.parametrize(
    "inputs, message",
    [
        ({"recs": "recs"}, r"recs='recs' can't be read.*ends in \.parquet"),
        ({"engine": "postgres"}, "an engine is a DuckDB connection"),
        ({"recs": None}, "recs is missing"),
        ({"truth": None}, "truth is missing"),
        ({"recs": RECS.slice(0, 0)}, f"recs{EMPTY}"),
        ({"truth": TRUTH.slice(0, 0)}, f"truth{EMPTY}"),
        ({"recs": [1, 2]}, "recs is a list: give a path"),
        ({"truth": [1, 2]}, "truth is a list: give a path"),
        # Ids.
        *(
            inputs
            for column in ("user_id", "item_id")
            for inputs in (
                (
                    {"truth": TRUTH.to_pandas().astype({column: str})},
                    f"{column} is BIGINT in recs but VARCHAR in truth",
                ),
                (
                    {"recs": RECS.to_pandas().astype({column: float})},
                    rf"recs\.{column} is DOUBLE: .*cast it",
                ),
            )
        ),
        (
            {"recs": pa.table({"user_id": [{"a": 1}], "item_id": [1], "rank": [1]})},
            r"recs\.user_id is STRUCT.*single value",
        ),
        # Columns.
        *(
            ({"columns": columns}, message)
            for columns, message in (
                ({"user_id": "nobody"}, r"columns\['user_id'\]='nobody': no input has this"),
                ({"truth.user_id": "uid"}, r"columns\['truth.user_id'\]='uid': truth has user_id"),
                ({"usr_id": "uid"}, "no column 'usr_id': did you mean 'user_id'"),
                ({"relevance": "country"}, r"truth\.relevance has the value 'US': a relevance"),
            )
        ),
        *(
            ({"recs": RECS.drop_columns([gone])}, f"recs has no column {names}. Pass your names")
            for gone, names in (
                ("user_id", "'user_id': it has item_id, score"),
                ("item_id", "'item_id': it has user_id, score"),
                ("score", "'score' or 'rank': it has user_id, item_id"),
            )
        ),
        ({"rules": sqlrec.Rules(order="rank")}, "recs has no column 'rank': it has user_id"),
        ({"rules": sqlrec.Rules(relevance_threshold=3)}, "=3 needs a column 'relevance'"),
        (
            {"by": "city"},
            r"by='city': no such column in truth: truth has .*; give a table of users that has it, "
            r"users=\.\.\.",
        ),
        ({"by": "contry"}, "did you mean 'country'"),
        ({"truth": TWICE, "by": "a,b"}, r"by=.a,b.: .* name each column by itself"),
        (
            {"recs": RECS.set_column(2, "score", RECS["item_id"].cast(pa.string()))},
            "recs.score is VARCHAR: a score must be a number",
        ),
        (
            {"recs": RANKED.set_column(2, "rank", RANKED["rank"].cast(pa.float64()))},
            "recs.rank is DOUBLE: a rank must be a whole number",
        ),
        # Models.
        ({"recs": {"a": RECS, "b": RANKED, "c": RECS}}, r"recs\['b'\] has ranks and recs\['a'\]"),
        *(({"recs": recs}, "model") for recs in ({}, {"": RECS}, {7: RECS})),
        *(
            ({"recs": {name: RECS}}, "has a line break or another control character")
            for name in ("a\nb", "a\n)\nb", "a\x00b", "a\u2028b")
        ),
    ],
)
def test_unreadable_inputs_are_refused(inputs, message):
    with raises(sqlrec.InputError, match=message):
        mrr(**inputs)


UNREAD = ["history", "catalog", "items", "users", "baseline", "logs"]


@mark.parametrize("name", UNREAD)
def test_unread_inputs_are_checked(name):
    for inputs in (5, True, b"x.csv", [1], (), {"a": RECS}, object()):
        with raises(sqlrec.InputError, match=f"{name} is a {type(inputs).__name__}: give a path"):
            evaluate("mrr@2", recs=RECS, truth=TRUTH, **{name: inputs})
    with raises(sqlrec.InputError, match=f"{name} is missing: give a path"):
        evaluate("mrr@2", recs=RECS, truth=TRUTH, **{name: " "})


@mark.parametrize("form", [pa.Table.to_pandas, pa.Table.to_reader, lambda _: None])
def test_unread_inputs_may_be_none(form):
    more = {name: form(RECS) for name in UNREAD}
    assert values(evaluate("mrr@2", recs=RECS, truth=TRUTH, **more)) == EXPECTED


def test_a_model_may_have_any_name():
    name = 'it\'s "the" model; 100%'
    result = evaluate("mrr@2", recs={name: RECS}, truth=TRUTH)
    assert rows(result, "model") == [(name,)]


def test_a_truncated_file_is_not_a_result(tmp_path):
    lines = ["user_id,item_id,score", *(f"{n},1,0.5" for n in range(21_000)), "x,1"]
    (tmp_path / "recs.csv").write_text("\n".join(lines))
    with raises(sqlrec.InputError, match=r"recs=.*recs\.csv'\) can't be read: .*line 21002"):
        evaluate("mrr@2", recs=tmp_path / "recs.csv", truth=TRUTH)


def test_a_table_is_preferred_to_a_folder_of_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "recs").mkdir()
    pyarrow.parquet.write_table(lists({"ann": "b"}), tmp_path / "recs" / "one.parquet")
    with duckdb.connect() as engine:
        engine.register("recs", lists({"ann": "a"}))
        result = evaluate("mrr@1", recs="recs", truth=wanted({"ann": "a"}), engine=engine)
    assert values(result) == [1]
