"""Inputs that can be read only once are read once; outputs do not replace inputs."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import duckdb
import pyarrow as pa
import pyarrow.parquet
from pytest import mark, raises

import sqlrec

from .dialects import slow
from .packages import pandas as pd
from .packages import polars as pl
from .tables import evaluate, lists, rows, values, wanted

A, B = lists({"ann": "ab", "bob": "ba"}), lists({"ann": "ba", "bob": "ab"})
TRUTH = wanted({"ann": "a", "bob": "a"})
USERS = pa.table({"user_id": ["ann", "bob"], "country": ["x", "y"], "home": ["h", "i"]})


class Once:
    """A table with the Arrow C stream interface, whose rows can be read once."""

    def __init__(self, table):
        self.left = [table]

    def __arrow_c_stream__(self, requested_schema=None):
        return self.left.pop().__arrow_c_stream__(requested_schema)


def relation(table):
    return duckdb.from_arrow(table.to_reader())


FORMS = [pa.Table.to_reader, Once, relation, lambda table: pl.LazyFrame(table)]


class TestAStreamIsReadOnce:
    def given(self, form):
        return {"truth": form(TRUTH), "users": form(USERS)}

    @mark.slow
    @mark.parametrize("form", FORMS)
    def test_groupings_read_a_stream_once(self, form):
        result = evaluate(
            "mrr@2", recs=form(A), by=["country", "home"], each=True, **self.given(form)
        )
        assert values(result)[0] == 0.75

    @mark.parametrize("form", FORMS)
    def test_clusters_read_a_stream_once(self, form):
        options = {"cluster": "home", "summaries": "median"}
        result = evaluate("mrr@2", recs=form(A), interval="normal", **self.given(form), **options)
        assert rows(result, "value", "median") == [(0.75, 0.75)]
        assert len(result.per_user()) == 2

    @mark.parametrize("form", FORMS)
    def test_violations_read_a_stream_once(self, form):
        twice = pa.concat_tables([A, A])
        with raises(sqlrec.DataError, match="has item a more than once"):
            evaluate("mrr@2", recs=form(twice), truth=form(TRUTH), rules=sqlrec.Rules(order="rank"))

    @mark.parametrize("form", [Once, *slow(*FORMS[::2], FORMS[3])])
    def test_comparisons_read_a_stream_once(self, form):
        options = {"baseline": "a", "cluster": "home"}
        results = sqlrec.compare(
            "mrr@2", recs={"a": form(A), "b": form(B)}, **self.given(form), **options
        )
        assert rows(results, "model", "difference") == [("b", 0)]
        assert len(results.user_counts) == 2

    @mark.parametrize("form", [Once, *slow(*FORMS[::2], FORMS[3])])
    def test_checks_read_a_stream_once(self, form):
        past = evaluate("mrr@2", recs=A, truth=TRUTH).per_user()
        results = sqlrec.check(
            "mrr@2 >= stored - 0.1; mrr@2 >= 0.5", recs=form(A), truth=form(TRUTH), against=past
        )
        assert results.passed

    @mark.parametrize("form", [Once, *slow(*FORMS[::2], FORMS[3])])
    def test_explanations_read_a_stream_once(self, form):
        results = sqlrec.explain("mrr@2", recs=form(A), truth=form(TRUTH), conventions=["ranx"])
        assert 0.75 in results.to_arrow()["value"].to_pylist()


def test_a_consumed_stream_is_empty():
    reader = A.to_reader()
    reader.read_all()
    with raises(sqlrec.InputError, match="recs=<Table> is empty"):
        evaluate("mrr@2", recs=reader, truth=TRUTH)


@mark.parametrize(
    "column",
    [
        pa.array([["a", "b"], ["b", "a"]], pa.list_(pa.string(), 2)),
        pa.array([["a", "b"], ["b", "a"]], pa.large_list(pa.string())),
        pa.array([["a", "b"], ["b", "a"]], pa.list_view(pa.string())),
    ],
)
def test_lists_of_any_kind_are_lists(column):
    recs = pa.table({"user_id": ["ann", "bob"], "item_id": column})
    assert values(evaluate("mrr@2", recs=recs, truth=TRUTH)) == [0.75]


def test_arrays_are_lists():
    frame = pl.DataFrame({"user_id": ["ann", "bob"], "item_id": [["a", "b"], ["b", "a"]]})
    arrays = frame.with_columns(pl.col("item_id").cast(pl.Array(pl.String, 2)))
    objects = pd.DataFrame({"user_id": ["ann", "bob"], "item_id": [["a", "b"], ("b", "a")]})
    for recs in (frame, arrays, objects):
        assert values(evaluate("mrr@2", recs=recs, truth=TRUTH)) == [0.75]
    with duckdb.connect() as engine:
        engine.execute(
            "create table recs as select user_id, item_id::varchar[2] as item_id from "
            "(values ('ann', ['a', 'b']), ('bob', ['b', 'a'])) t(user_id, item_id)"
        )
        assert values(evaluate("mrr@2", recs="recs", truth=TRUTH, engine=engine)) == [0.75]


class TestWhatIsRead:
    """Results in Python are not written to the files of their inputs."""

    def test_inputs_are_not_written_over(self, tmp_path):
        (tmp_path / "no").mkdir()
        recs, truth = tmp_path / "recs.parquet", tmp_path / "truth.parquet"
        pyarrow.parquet.write_table(A, recs)
        pyarrow.parquet.write_table(TRUTH, truth)
        (tmp_path / "link.parquet").symlink_to(recs)
        os.link(recs, tmp_path / "hard.parquet")
        before = recs.read_bytes()
        result = evaluate("mrr@2", recs=recs, truth=str(truth))
        compared = sqlrec.compare("mrr@2", recs={"a": recs, "b": B}, truth=truth, baseline="a")
        checked = sqlrec.check("mrr@2 >= 0", recs=recs, truth=truth)
        explained = sqlrec.explain("mrr@2", recs=recs, truth=truth, conventions=["ranx"])
        results = (
            result,
            result.per_user(),
            result.user_counts,
            compared,
            compared.worse(),
            checked,
        )
        for table in (*results, compared.user_counts, explained):
            for name in ("recs.parquet", "link.parquet", "hard.parquet", "no/../recs.parquet"):
                with raises(sqlrec.InputError, match="is an input, or part of the input"):
                    table.to_parquet(tmp_path / name)
        assert recs.read_bytes() == before

    def test_folders_and_globs_are_not_written_over(self, tmp_path):
        (tmp_path / "recs").mkdir()
        pyarrow.parquet.write_table(A, tmp_path / "recs" / "a.parquet")
        for recs in (tmp_path / "recs", tmp_path / "re*" / "*.parquet"):
            result = evaluate("mrr@2", recs=recs, truth=TRUTH)
            for form in ("parquet", "csv", "json", "markdown", "html", "latex"):
                write = getattr(result, f"to_{form}")
                with raises(sqlrec.InputError, match="is an input, or part of the input"):
                    write(tmp_path / "recs" / "a.parquet")
                write(tmp_path / f"b.{form}")


def test_a_file_without_results_is_refused_for_merging(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("x.csv").write_text("model,metric,k,value,users\n")
    Path("folder").mkdir()
    result = evaluate("mrr@2", recs=A, truth=TRUTH)
    for past in ("x.csv", "none.parquet", "folder", 5, None, [1], "x" * 5000, "a\0b"):
        with raises(sqlrec.InputError, match=r"past|the earlier result"):
            result.merge(past)


class TestWhatCanNotBeRead:
    """Errors are sqlrec's own."""

    @mark.parametrize(
        "recs",
        [
            *("x" * 5000, "x/" * 3000 + "a.parquet", "a\0b.parquet", "a\0*.csv", "[.csv", "**.csv"),
            *("no/such.csv", "~/no.csv", "https://", "s3://nobody", "file:///no.parquet", "", " "),
            *"""
                one.csv.zip dir.csv empty.csv empty.parquet empty.jsonl empty.csv.gz
            """.split(),
            *("empty.csv.gz", "half.parquet", "half.csv.gz", "plain.csv.gz", "latin.csv"),
            *"""
                array.json broken.json binary.csv plain.gz loop.csv value.json words.json
            """.split(),
            *(5, b"recs.csv", [1], {"x": 5}, {"x": None}, object(), iter([]), (1,), True, 0.5),
            *(open, pd.Series([1]), pd.DataFrame(), pd.DataFrame({"a": [1]}), pa.array([1])),
            pa.table({}),
        ],
    )
    def test_an_unreadable_input_is_named(self, tmp_path, monkeypatch, recs):
        monkeypatch.chdir(tmp_path)
        pyarrow.parquet.write_table(A, "half.parquet")
        Path("half.parquet").write_bytes(Path("half.parquet").read_bytes()[:300])
        with pa.output_stream("half.csv.gz", compression="gzip") as stream:
            stream.write(os.urandom(9000).hex().encode())
        Path("half.csv.gz").write_bytes(Path("half.csv.gz").read_bytes()[:300])
        for name in ("empty.csv", "empty.parquet", "empty.jsonl", "empty.csv.gz"):
            Path(name).touch()
        Path("dir.csv").mkdir()
        Path("loop.csv").symlink_to("loop.csv")
        for name, text in {
            "plain.csv.gz": b"user_id,item_id,score\n1,2,3\n",
            "plain.gz": b"1 Q0 2 1 0.5 x\n",
            "latin.csv": "user_id,item_id,score\n\xe4,2,3\n".encode("latin-1"),
            "array.json": b"[1, 2]",
            "value.json": b"1",
            "words.json": b"hello",
            "broken.json": b'{"user_id": 1',
            "binary.csv": Random(1).randbytes(3000),
            "one.csv.zip": b"PK",
        }.items():
            Path(name).write_bytes(text)
        with raises(sqlrec.InputError, match=r"recs|model"):
            evaluate("mrr@2", recs=recs, truth=TRUTH)

    @mark.parametrize(
        "recs",
        [
            lambda: pl.DataFrame(),
            lambda: pl.Series([1]),
            lambda: pl.LazyFrame({"a": [1]}).select("nothing"),
            lambda: pl.scan_parquet("no/such.parquet"),
            lambda: pl.LazyFrame({"user_id": ["x"]}).with_columns(pl.col("user_id").cast(pl.Int8)),
        ],
    )
    def test_an_unreadable_polars_frame_is_named(self, recs):
        with raises(sqlrec.InputError, match=r"recs|model"):
            evaluate("mrr@2", recs=recs(), truth=TRUTH)
        with raises(sqlrec.InputError, match="truth"):
            evaluate("mrr@2", recs=A, truth=recs)


# Each is a program with its own folder for temporary files.
PROGRAMS = {
    "spills": """
engine = DuckDB(settings={"memory_limit": "60MB", "threads": 1})
engine.rows("select max(h) from (select hash(i) as h from range(4000000) t(i) order by h desc)")
""",
    "has workers that are ended": """
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map(evaluated, range(2)) == [1, 1]
""",
    "has a fork that forgets its connection": """
engine = DuckDB()
((folder,),) = engine.rows("select current_setting('temp_directory')")
if not os.fork():
    del engine
    os._exit(0)
os.wait()
assert os.path.isdir(folder)
""",
}


@mark.slow
@mark.parametrize("program", PROGRAMS)
def test_nothing_is_left_by_a_program_that(program, tmp_path):
    text = """
import multiprocessing, os
import sqlrec
import pyarrow as pa
from sqlrec.engines.duckdb import DuckDB

def evaluated(_):
    recs = pa.table({"user_id": [1], "item_id": [1], "rank": [1]})
    return sqlrec.evaluate("mrr@1", recs=recs, truth=recs).to_arrow()["value"][0].as_py()
"""
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", text + PROGRAMS[program]], env=environment, check=True)
    assert not [path for path in tmp_path.iterdir() if path.name.startswith("sqlrec-")]
