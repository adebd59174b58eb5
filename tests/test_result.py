"""Results, and their methods."""

import datetime
import subprocess
import sys

import duckdb
import pyarrow as pa
import pyarrow.parquet
from pytest import fixture, mark, raises

import sqlrec
from sqlrec.engines import duckdb as duckdb_engine

from .packages import polars as pl
from .tables import lists, rows, wanted

RECS = {"new": lists({"ann": "ab", "bob": "ba"}), "old": lists({"ann": "ba"})}
TRUTH = wanted({"ann": "a", "bob": "a"})


@fixture
def result():
    return sqlrec.evaluate(["ndcg@2", "map@1 map@2", "mrr@all"], recs=RECS, truth=TRUTH)


def test_rows_have_the_requested_order(result):
    assert result.to_arrow().column_names == [
        *("model", "metric", "k", "request", "value", "users"),
        *("standard_error", "low", "high", "interval"),
    ]
    requests = [
        ("ndcg", 2),
        ("average_precision", 1),
        ("average_precision", 2),
        ("reciprocal_rank", None),
    ]
    expected = [(model, *one) for model in ("new", "old") for one in requests]
    assert rows(result, "model", "metric", "k") == expected
    requests = ["ndcg@2", "map@1", "map@2", "mrr@all"]
    assert result.to_arrow()["request"].to_pylist() == requests * 2


def test_columns_have_plain_types(result):
    types = [str(field.type) for field in result.to_arrow().schema]
    assert types == [
        *("string", "string", "int64", "string", "double", "int64"),
        *("double", "double", "double", "string"),
    ]
    assert {str(field.type) for field in result.user_counts.to_arrow().schema} == {
        "string",
        "int64",
    }


def test_results_convert_to_other_libraries(result):
    expected = result.to_arrow().to_pylist()
    assert pa.table(result).to_pylist() == expected
    assert pl.DataFrame(result).to_dicts() == expected
    assert result.to_polars().to_dicts() == expected
    assert result.to_pandas()["value"].to_list() == [row["value"] for row in expected]
    assert len(result) == len(expected)


@mark.parametrize("package", ["pandas", "polars"])
def test_a_missing_library_names_the_package(result, package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    message = rf"to_{package}\(\) needs {package}: pip install {package}"
    with raises(sqlrec.InputError, match=message):
        getattr(result, f"to_{package}")()


@mark.parametrize("interval", [None, "t"])
def test_the_metric_that_was_written_first_decides_which_model_is_best(interval):
    # The relevant item is first in one user's list, and second in the other three lists.
    users = ("ann", "bob", "cid", "dan")
    top = lists({user: "axy" if user == "ann" else "xya" for user in users})
    recs = {"top": top, "middle": lists(dict.fromkeys(users, "xay"))}
    inputs = {"recs": recs, "truth": wanted(dict.fromkeys(users, "a")), "interval": interval}
    assert "★ middle" in str(sqlrec.evaluate("mrr@2,1", **inputs))
    assert "★ top" in str(sqlrec.evaluate("mrr@1,2", **inputs))


def test_a_long_result_counts_hidden_rows():
    metrics = [f"P@{k}" for k in range(1, 71)]
    result = sqlrec.evaluate(metrics, recs=RECS["new"], truth=TRUTH)
    assert "\n... and 10 more rows.\n" in repr(result)
    assert "<p>... and 10 more rows.</p>" in result._repr_html_()


class TestPerUser:
    def test_has_the_values_before_the_mean(self, result):
        results = result.per_user()
        assert results.to_arrow().column_names == "model user_id metric k request value".split()
        values = rows(results, "request", "model", "user_id", "value")
        assert sorted(row[1:] for row in values if row[0] == "mrr@all") == [
            *(("new", "ann", 1), ("new", "bob", 1 / 2), ("old", "ann", 1 / 2), ("old", "bob", 0))
        ]

    def test_per_user_values_are_written_without_being_loaded(self, result, tmp_path):
        path = tmp_path / "it's per user.parquet"
        result.per_user().to_parquet(path)
        written = pyarrow.parquet.read_table(path)
        looked_at = result.per_user().to_arrow()
        assert sorted(written.to_pylist(), key=str) == sorted(looked_at.to_pylist(), key=str)
        assert written.schema.types == looked_at.schema.types
        assert written.num_rows == 2 * 2 * 4

    def test_per_user_values_are_computed_when_read(self):
        with duckdb.connect() as connection:
            connection.execute("create table recs as select 1 as user_id, 1 as item_id, 1 as rank")
            connection.execute("create table truth as select 1 as user_id, 1 as item_id")
            result = sqlrec.evaluate("mrr@1", recs="recs", truth="truth", engine=connection)
            connection.execute("update recs set user_id = 2")
            assert rows(result.per_user(), "user_id", "value") == [(1, 0)]


class TestAFile:
    def test_a_file_has_the_result(self, result, tmp_path):
        result.to_parquet(tmp_path / "result.parquet")
        assert pyarrow.parquet.read_table(tmp_path / "result.parquet") == result.to_arrow()

    def test_a_table_is_unchanged_if_writing_fails(self, tmp_path):
        path = tmp_path / "per_user.parquet"
        path.write_text("was here")
        with duckdb.connect() as connection:
            connection.execute("create table recs as select 1 as user_id, 1 as item_id, 1 as rank")
            connection.execute("create table truth as select 1 as user_id, 1 as item_id")
            result = sqlrec.evaluate("mrr@1", recs="recs", truth="truth", engine=connection)
            connection.execute("drop table recs")
            with raises(sqlrec.DataError, match="recs does not exist"):
                result.per_user().to_parquet(path)
        assert path.read_text() == "was here"
        assert [file.name for file in tmp_path.iterdir()] == ["per_user.parquet"]


def test_a_stored_result_holds_no_database(monkeypatch):
    opened = []
    connect = duckdb_engine.open_database

    def connect_and_note(*inputs, **named):
        opened.append(connect(*inputs, **named))
        return opened[-1]

    monkeypatch.setattr(duckdb_engine, "open_database", connect_and_note)

    def check_closed():
        for connection in opened:
            with raises(duckdb.ConnectionException):
                connection.execute("select 1")

    result = sqlrec.evaluate("mrr@2", recs=RECS, truth=TRUTH, settings={"threads": 2})
    check_closed()
    assert len(result.per_user()) == 4
    check_closed()
    comparison = sqlrec.compare("mrr@2", recs=RECS, truth=TRUTH, baseline="old")
    check_closed()
    assert len(comparison.user_counts) == 2
    check_closed()
    assert len(opened) == 3


def test_sql_is_the_executed_statement(tmp_path):
    recs, truth = tmp_path / "recs.parquet", tmp_path / "truth.parquet"
    pyarrow.parquet.write_table(RECS["new"], recs)
    pyarrow.parquet.write_table(TRUTH, truth)
    result = sqlrec.evaluate("ndcg@2", recs=recs, truth=truth)
    inputs = {"recs": recs, "truth": truth, "form": "audited"}
    assert result.sql == sqlrec.sql("ndcg@2", **inputs, interval="normal")
    bare = sqlrec.evaluate("ndcg@2", recs=recs, truth=truth, interval=None)
    assert bare.sql == sqlrec.sql("ndcg@2", **inputs)
    row = duckdb.sql(result.sql).to_arrow_table().to_pylist()[0]
    value = result.to_arrow()["value"][0].as_py()
    assert [row[x] for x in ("metric", "k", "value", "users")] == ["ndcg", 2, value, 2]
    per_user = sqlrec.sql("ndcg@2", **inputs, per_user=True)
    assert per_user == result.per_user().sql
    assert len(duckdb.sql(per_user).fetchall()) == 2


def test_sql_of_tables_of_python_runs_on_variables_of_their_names():
    recs, truth = RECS["new"], TRUTH
    result = sqlrec.evaluate("mrr@2", recs=recs, truth=truth)
    assert duckdb.sql(result.sql).fetchall()[0][4] == result.to_arrow()["value"][0].as_py()
    assert recs is not truth


def test_segments_keep_their_types():
    truth = TRUTH.append_column("day", pa.array([datetime.date(2024, 1, 2)] * 2))
    result = sqlrec.evaluate("mrr@2", recs=RECS["new"], truth=truth, by="day")
    assert rows(result, "day") == [(datetime.date(2024, 1, 2),)]


def test_packages_are_imported_at_first_use():
    code = (
        "import sys, sqlrec\n"
        "def there(*names): return [name for name in names if name in sys.modules]\n"
        "assert not [name for name in sys.modules if name.startswith('sqlrec.')]\n"
        "from sqlrec.cli import main\n"
        "main(['--version'])\n"
        "assert not there('sqlrec.evaluation', 'sqlrec.engines.duckdb')\n"
        "assert 'Args:' in sqlrec.evaluate.__doc__\n"
        "assert not there('pandas', 'polars', 'duckdb', 'pyarrow', 'jinja2')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_names_are_those_of_the_package():
    assert {name: getattr(sqlrec, name).__name__ for name in sqlrec.__all__} == {
        name: name for name in sqlrec.__all__
    }
    assert {*sqlrec.__all__} <= {*dir(sqlrec)}
    with raises(AttributeError, match="no attribute 'evalaute'"):
        sqlrec.evalaute  # noqa: B018


def test_evaluating_files_does_not_import_pandas_or_polars(tmp_path):
    pyarrow.parquet.write_table(RECS["new"], tmp_path / "recs.parquet")
    pyarrow.parquet.write_table(TRUTH, tmp_path / "truth.parquet")
    users = pa.table({"user_id": ["ann", "bob"], "land": ["x", "y"], "age": [1, None]})
    pyarrow.parquet.write_table(users, tmp_path / "users.parquet")
    code = (
        "import sys, sqlrec\n"
        "given = {'recs': 'recs.parquet', 'truth': 'truth.parquet'}\n"
        "result = sqlrec.evaluate('mrr@2', **given)\n"
        "print(result)\n"
        "by = sqlrec.Segments(['land', 'age'], each=True)\n"
        "given['recs'] = dict.fromkeys(('new', 'old'), 'recs.parquet')\n"
        "results = sqlrec.evaluate('mrr@2', **given, users='users.parquet', by=by)\n"
        "assert len(results.rows().to_pylist()) == 14\n"
        "assert 'pyarrow' not in sys.modules\n"
        "print(len(result.per_user()), result.to_arrow(), result.user_counts.to_arrow())\n"
        "assert not {'pandas', 'polars'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)
