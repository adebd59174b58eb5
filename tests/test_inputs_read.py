"""Inputs are read completely: all rows of a file, no other files, one type per column."""

import json
import sys
from decimal import Decimal

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
from pytest import fixture, mark, raises

import sqlrec

from .dialects import slow
from .packages import pandas as pd
from .packages import polars as pl
from .tables import evaluate, lists, rows, values, wanted

TRUTH = wanted({"ann": "b"})
# DuckDB infers types of text from 20,480 rows.
MANY = 21_000


@fixture
def read(tmp_path):
    """Return the reciprocal rank of recs and truth from texts of files, by extension."""

    def read(ending, recs, truth=TRUTH, metric="mrr@2", **options):
        inputs = {"recs": recs, "truth": truth}
        for name, text in inputs.items():
            if isinstance(text, str):
                inputs[name] = tmp_path / f"{name}.{ending}"
                inputs[name].write_text(text)
        return evaluate(metric, **inputs, **options)

    return read


def csv(*lines, columns="user_id,item_id,score"):
    return "\n".join((columns, *lines, ""))


def jsonl(*records):
    return "\n".join(map(json.dumps, records))


@mark.parametrize("depth", [63, 124, 1100])
def test_ranks_are_distinct_to_the_depth_of_lists(depth):
    # With any number of bits: a repeated rank, missing ranks, and equal scores across a cutoff.
    items = [(1, item, item, min(depth - item, 1.0)) for item in range(1, depth + 1)]
    columns = ["user_id", "item_id", "rank", "score"]
    recs = pd.DataFrame(items, columns=columns)
    requests = {"metrics": f"recall@{depth - 1},{depth}", "truth": recs[["user_id", "item_id"]]}
    results = evaluate(**requests, recs=recs[1:], order="rank").user_counts.to_pandas()
    assert [*results.short_lists] == [1, 1]
    results = evaluate(**requests, recs=recs, order="score").user_counts.to_pandas()
    assert [*results.ties_at_cutoff] == [0, 0]
    results = evaluate(**requests, recs=recs.assign(score=1.0), order="score")
    assert [*results.user_counts.to_pandas().ties_at_cutoff] == [1, 0]
    again = recs.assign(rank=recs["rank"].replace(depth - 1, depth))
    with raises(sqlrec.DataError, match=f"rank {depth} more than once \\(repeats: 1\\)"):
        evaluate(**requests, recs=again, order="rank")


class TestTypesOfTextFiles:
    """Types are inferred from all values, not only from the first rows."""

    def test_late_fractions_of_csv_are_not_rounded(self, read):
        first = [f"{n},a,1" for n in range(MANY)]
        late = ["ann,a,0.1", "ann,b,0.2"]
        assert values(read("csv", csv(*first, *late))) == [1]
        assert values(read("tsv", csv(*first, *late).replace(",", "\t"))) == [1]

    def test_late_fractions_of_json_are_not_rounded(self, read):
        first = [{"user_id": str(n), "item_id": "a", "score": 1} for n in range(MANY)]
        late = [{"user_id": "ann", "item_id": i, "score": s} for i, s in [("a", 0.1), ("b", 0.2)]]
        assert values(read("jsonl", jsonl(*first, *late))) == [1]
        assert values(read("json", json.dumps([*first, *late]))) == [1]

    @mark.parametrize("late", ["50000.25", "1e5", "nan"])
    def test_late_fractions_of_ids_are_refused(self, read, late):
        recs = csv(*(f"1,{n},1" for n in range(MANY)), f"1,{late},2")
        with raises(sqlrec.InputError, match=r"recs\.item_id is DOUBLE: floating-point numbers"):
            read("csv", recs, truth=csv("1,5", columns="user_id,item_id"))

    def test_quotes_and_escapes_may_come_late(self, read):
        first = [f"{n},a,1" for n in range(MANY)]
        truth = wanted({"ann": ['b "1", 2', "#c"]})
        recs = csv(*first, '"ann","b ""1"", 2",0.2', "ann,#c,0.1")
        assert values(read("csv", recs, truth=truth, metric="recall@2")) == [1]
        assert values(read("csv", csv('ann,b "1,1'), truth=wanted({"ann": ['b "1']}))) == [1]

    def test_signs_of_comments_are_text(self, read):
        recs = csv("#ann,#b,1", "# c,#d,2", "#e,f,3")
        assert values(read("csv", recs, truth=wanted({"#ann": ["#b"]}))) == [1]

    @mark.parametrize("late", ["NULL", "n/a", "1,5"])
    def test_late_text_among_numbers_is_named(self, read, late):
        recs = csv(*(f"{n},a,1" for n in range(MANY)), f'ann,a,"{late}"')
        with raises(sqlrec.InputError, match=f"recs.score has the value '{late}' .*: a sc"):
            read("csv", recs)

    def test_files_of_a_folder_have_types_together(self, read, tmp_path):
        folder = tmp_path / "recs"
        folder.mkdir()
        (folder / "a.csv").write_text(csv("ann,a,1", "ann,b,2"))
        (folder / "b.csv").write_text(csv("bob,a,0.1", "bob,b,0.2"))
        truth = wanted({"ann": "b", "bob": "b"})
        for recs in (folder, folder / "*.csv"):
            assert values(evaluate("mrr@2", recs=recs, truth=truth)) == [1]

    def test_scores_beyond_64_bits_are_not_rounded(self, read):
        recs = csv(f"ann,a,{2**63 + 1}", f"ann,b,{2**63 + 2}")
        assert values(read("csv", recs)) == [1]

    @mark.parametrize("ending", ["csv", "jsonl"])
    def test_integer_scores_of_one_model_compare_with_decimals_of_another(self, tmp_path, ending):
        def file(name, *scores):
            records = [
                {"user_id": "ann", "item_id": i, "score": s}
                for i, s in zip("ab", scores, strict=True)
            ]
            lines = csv(*(",".join(map(str, one.values())) for one in records))
            path = tmp_path / f"{name}.{ending}"
            path.write_text(lines if ending == "csv" else jsonl(*records))
            return path

        recs = {"whole": file("whole", 1, 2), "parts": file("parts", 0.5, 0.25)}
        assert values(evaluate("mrr@2", recs=recs, truth=TRUTH)) == [1, 1 / 2]
        requests = {"truth": TRUTH, "baseline": "whole"}
        assert len(sqlrec.compare("mrr@2", recs=recs, **requests)) == 1
        # Numbers that would be rounded are rejected.
        recs["whole"] = file("large", 2**53, 2**53 + 1)
        assert values(evaluate("mrr@2", recs=recs["whole"], truth=TRUTH)) == [1]
        with raises(sqlrec.InputError, match="in one column they could lose digits and tie"):
            evaluate("mrr@2", recs=recs, truth=TRUTH)

    @mark.parametrize("ending, id", [("csv", 1), ("jsonl", "ann"), *slow(("csv", "ann"))])
    @mark.parametrize("column", ["user_id", "item_id", "score"])
    def test_a_column_without_values_is_of_any_type(self, read, ending, column, id):
        row = {"user_id": id, "item_id": id, "score": 1, column: None}
        text = (
            jsonl(row) if ending == "jsonl" else csv(",".join(str(v or "") for v in row.values()))
        )
        truth = pa.table({"user_id": [id], "item_id": [id]})
        with raises(sqlrec.DataError, match=r"without|has no score"):
            read(ending, text, truth=truth)

    def test_a_rank_is_whole(self, read):
        recs = csv("ann,a,1", "ann,b,1.5", columns="user_id,item_id,rank")
        with raises(sqlrec.InputError, match=r"recs\.rank has the value '1.5' .*: .*whole number"):
            read("csv", recs)

    def test_grades_may_be_said_in_words(self, read):
        truth = csv("ann,a,false", "ann,b,TRUE", columns="user_id,item_id,relevance")
        assert values(read("csv", csv("ann,a,2", "ann,b,1"), truth=truth)) == [0.5]

    def test_segments_are_unchanged_texts(self, read):
        truth = csv("ann,b,01", "bob,b,1", columns="user_id,item_id,zone")
        result = read("csv", csv("ann,b,1", "bob,a,1"), truth=truth, by="zone")
        assert rows(result, "zone", "value") == [("01", 1), ("1", 0)]

    def test_columns_that_nobody_reads_may_hold_anything(self, read):
        recs = csv(
            *(f"{n},a,1,7" for n in range(MANY)), "ann,b,1,?", columns="user_id,item_id,score,more"
        )
        assert values(read("csv", recs)) == [1]


class TestIdsOfTextFiles:
    TWO = "ann,007,2", "ann,7,1"

    @mark.filterwarnings("ignore:.*differ in number format")
    def test_keep_their_zeros(self, read):
        truth = csv("ann,7", columns="user_id,item_id")
        assert values(read("csv", csv(*self.TWO), truth=truth)) == [0.5]
        assert values(read("csv", csv(*self.TWO), truth=wanted({"ann": "7"}))) == [0.5]

    @mark.filterwarnings("ignore:.*differ in number format")
    def test_are_text_where_another_input_has_text(self, read):
        truth = csv("1,10", "2,20", columns="user_id,item_id")
        recs = pa.table({"user_id": ["1", "2"], "item_id": ["10", "020"], "score": [1.0, 1.0]})
        assert values(read("csv", recs, truth=truth)) == [0.5]

    @mark.parametrize(
        "ending, id",
        [
            *(("csv", id) for id in (2**53 + 1, 2**63 - 1, 2**64 - 1, -(2**63))),
            *(("jsonl", id) for id in (2**53 + 1, 2**63 - 1, -(2**63))),
        ],
    )
    def test_keep_their_digits(self, read, ending, id):
        kind = pa.int64() if id < 2**63 else pa.uint64()
        near = id - 1 if id > 0 else id + 1
        truth = pa.table({"user_id": [1], "item_id": pa.array([id], kind)})
        recs = [{"user_id": 1, "item_id": one, "score": s} for one, s in [(near, 2), (id, 1)]]
        text = csv(*(f"1,{r['item_id']},{r['score']}" for r in recs))
        results = read(ending, text if ending == "csv" else jsonl(*recs), truth=truth)
        assert values(results) == [0.5]

    def test_beyond_64_bits_are_text(self, read):
        recs = csv(f"1,{2**70},1", f"1,{2**70 + 1},2")
        assert values(read("csv", recs, truth=csv(f"1,{2**70}", columns="user_id,item_id"))) == [
            0.5
        ]

    def test_of_json_are_text_where_they_are_written_so(self, read):
        day = "2024-01-01"
        recs = jsonl({"user_id": day, "item_id": "7", "score": 1})
        assert values(read("jsonl", recs, truth=wanted({day: ["7"]}))) == [1]


class TestObjectColumns:
    """Columns of pandas with any objects."""

    def frame(self, **columns):
        return pd.DataFrame({name: pd.Series(c, dtype=object) for name, c in columns.items()})

    def test_late_fractions_are_not_rounded(self):
        n = 5000
        options = {"item_id": ["a"] * n + ["a", "b"], "score": [1] * n + [0.1, 0.2]}
        recs = self.frame(user_id=[str(i) for i in range(n)] + ["ann"] * 2, **options)
        assert values(evaluate("mrr@2", recs=recs, truth=TRUTH)) == [1]

    @mark.parametrize("column, rule", [("score", "a number"), ("rank", "a whole")])
    def test_late_text_is_named(self, column, rule):
        n = 5000
        recs = self.frame(
            user_id=[*range(n), n], item_id=["a"] * (n + 1), **{column: [1] * n + ["x"]}
        )
        message = rf"recs\.{column} has the value 'x': a {column} must be {rule}"
        truth = pa.table({"user_id": [1], "item_id": ["a"]})
        with raises(sqlrec.InputError, match=message):
            evaluate("mrr@2", recs=recs, truth=truth)

    def test_late_text_among_ids_is_named(self):
        n = 5000
        recs = self.frame(user_id=[*range(n), "x"], item_id=["a"] * (n + 1), score=[1] * (n + 1))
        truth = pa.table({"user_id": [1], "item_id": ["a"]})
        message = r"user_id is VARCHAR in recs but BIGINT in truth.*; 'x' in recs is not a whole n"
        with raises(sqlrec.InputError, match=message):
            evaluate("mrr@2", recs=recs, truth=truth)

    @mark.parametrize("rank", [2**63, 2**64, 2**70])
    @mark.parametrize("kind", [object, "uint64"])
    def test_a_rank_beyond_64_bits_is_named(self, rank, kind):
        if kind == "uint64" and rank >= 2**64:
            return
        recs = self.frame(user_id=["ann", "ann"], item_id=["a", "b"], rank=[1, rank])
        recs = recs.astype({"rank": kind})
        with raises(sqlrec.InputError, match=rf"recs\.rank has the value '{rank}': a rank must"):
            evaluate("mrr@2", recs=recs, truth=TRUTH)

    def test_columns_that_nobody_reads_may_hold_anything(self):
        recs = self.frame(user_id=["ann"], item_id=["b"], score=[1], more=[1 + 2j])
        recs["times"] = pd.period_range("2024-01", periods=1, freq="M")
        recs["sparse"] = pd.arrays.SparseArray([1])
        assert values(evaluate("mrr@2", recs=recs, truth=TRUTH)) == [1]

    def test_a_set_is_not_a_list(self):
        recs = pd.DataFrame({"user_id": ["ann"], "item_id": [{"a", "b"}]})
        with raises(sqlrec.InputError, match="recs has no column 'score' or 'rank'"):
            evaluate("mrr@2", recs=recs, truth=TRUTH)

    def test_missing_values_are_null(self):
        recs = self.frame(
            user_id=["ann"] * 4, item_id=list("abcd"), score=[None, pd.NA, float("nan"), Decimal(1)]
        )
        with raises(sqlrec.DataError, match=r"has no score .*; rows: 3"):
            evaluate("mrr@all", recs=recs, truth=TRUTH)


class TestFolders:
    def fill(self, folder, *names):
        for name in names:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            pyarrow.parquet.write_table(lists({"ann": "ab"}), path)

    @mark.parametrize(
        "beside",
        [
            *("_temporary/0/part.parquet", ".ipynb_checkpoints/a-checkpoint.parquet"),
            *("_a.parquet", ".a.parquet", "_logs/a.csv", ".b.csv"),
        ],
    )
    def test_markers_of_jobs_are_not_read(self, tmp_path, beside):
        self.fill(tmp_path, "part.parquet", beside)
        assert values(evaluate("mrr@2", recs=tmp_path, truth=TRUTH)) == [0.5]

    def test_markers_in_partitions_are_not_read(self, tmp_path):
        names = ("a.parquet", "_a.parquet", "_temporary/a.parquet", "_spark_metadata/0")
        self.fill(tmp_path, *(f"model={model}/{name}" for model in "xy" for name in names))
        result = evaluate("mrr@2", recs=tmp_path, truth=TRUTH)
        assert rows(result, "model", "value") == [("x", 0.5), ("y", 0.5)]

    def test_a_folder_may_be_named_like_a_marker(self, tmp_path):
        self.fill(tmp_path, "_mine/deep/a.parquet")
        assert values(evaluate("mrr@2", recs=tmp_path / "_mine", truth=TRUTH)) == [0.5]

    def test_links_are_followed(self, tmp_path):
        self.fill(tmp_path, "recs/a.parquet", "more/b.parquet")
        other = tmp_path / "more" / "b.parquet"
        pyarrow.parquet.write_table(lists({"bob": "b"}), other)
        (tmp_path / "recs" / "more").symlink_to(tmp_path / "more")
        (tmp_path / "recs" / "gone.parquet").symlink_to("nowhere.parquet")
        truth = wanted({"ann": "b", "bob": "b"})
        assert values(evaluate("mrr@2", recs=tmp_path / "recs", truth=truth)) == [0.75]

    def test_of_delta_need_its_library(self, tmp_path, monkeypatch):
        self.fill(tmp_path, "a.parquet", "_delta_log/a.parquet")
        monkeypatch.setitem(sys.modules, "deltalake", None)
        with raises(sqlrec.InputError, match="is a Delta table, and needs deltalake: pip install"):
            evaluate("mrr@2", recs=tmp_path, truth=TRUTH)

    @mark.parametrize("recs", [".", "*/*.parquet", "user_id=ann/a.parquet", "**/*.parquet"])
    def test_a_partition_named_like_a_column_is_refused(self, tmp_path, recs):
        self.fill(tmp_path, "user_id=ann/a.parquet")
        with raises(sqlrec.InputError, match="'user_id' is both a column of the files and a key"):
            evaluate("mrr@2", recs=tmp_path / recs, truth=TRUTH)


class TestNamesOfColumns:
    TWO = ("User_ID", "item_id", "rank", "user_id")
    DATA = (["x"], ["b"], [1], ["ann"])

    def forms(self, tmp_path, names):
        table = pa.Table.from_arrays([pa.array(c) for c in self.DATA], names=[*names])
        pyarrow.parquet.write_table(table, tmp_path / "recs.parquet")
        pyarrow.csv.write_csv(table, tmp_path / "recs.csv")
        frame = table.to_pandas() if len(set(names)) == len(names) else None
        yield from (table, tmp_path / "recs.parquet", tmp_path / "recs.csv")
        if frame is not None:
            yield frame
            yield pl.DataFrame(frame)

    def values(self, tmp_path, names, **options):
        """Return the values of all forms, each as a model."""
        recs = {str(number): form for number, form in enumerate(self.forms(tmp_path, names))}
        return values(evaluate("mrr@2", recs=recs, truth=TRUTH, **options))

    def test_the_exact_spelling_wins(self, tmp_path):
        for names in (self.TWO, ("USER_ID", *self.TWO[1:])):
            assert self.values(tmp_path, names) == [1] * 5

    @mark.parametrize("last", ["USER_ID", "User_ID"])
    def test_names_that_differ_in_case_are_refused(self, tmp_path, last):
        for recs in self.forms(tmp_path, (*self.TWO[:3], last)):
            with raises(sqlrec.InputError, match="recs has 2 columns for 'user_id': User_ID, "):
                evaluate("mrr@2", recs=recs, truth=TRUTH)

    def test_columns_choose_among_names_that_differ_in_case(self, tmp_path):
        columns = {"recs.user_id": "USER_ID"}
        assert self.values(tmp_path, (*self.TWO[:3], "USER_ID"), columns=columns) == [1] * 5

    def test_a_column_twice_is_refused(self, tmp_path):
        for recs in self.forms(tmp_path, ("user_id", "item_id", "rank", "user_id")):
            with raises(sqlrec.InputError, match="recs has 2 columns for 'user_id': user_id, user"):
                evaluate("mrr@2", recs=recs, truth=TRUTH)

    def test_twice_in_a_file_of_many_are_refused(self, tmp_path):
        [*self.forms(tmp_path, ("user_id", "item_id", "rank", "user_id"))]
        (tmp_path / "recs.csv").unlink()
        pyarrow.parquet.write_table(lists({"bob": "b"}), tmp_path / "more.parquet")
        with raises(sqlrec.InputError, match="columns with equal names, ignoring case"):
            evaluate("mrr@2", recs=tmp_path, truth=TRUTH)

    def test_of_json_that_differ_in_case_are_refused(self, read):
        recs = jsonl(dict(zip(self.TWO, ["x", "b", 1, "ann"], strict=True)))
        with raises(sqlrec.InputError, match="columns with equal names, ignoring case"):
            read("jsonl", recs)

    def test_may_end_in_a_number(self, tmp_path):
        names = ("user_id_1", "item_id", "rank", "user_id")
        assert self.values(tmp_path, names) == [1] * 5


class TestMeaningsOfColumns:
    RECS = pa.table({"user_id": ["ann", "ann"], "model": ["a", "b"], "score": [2.0, 1.0]})

    def test_a_column_named_item_does_not_name_a_model(self):
        results = evaluate("mrr@2", recs=self.RECS, truth=TRUTH, columns={"recs.item_id": "model"})
        assert rows(results, "model", "value") == [("recs", 0.5)]

    @mark.parametrize("name", ["score", "SCORE"])
    def test_a_column_named_rank_is_not_a_score(self, name):
        recs = pa.table({"user_id": ["ann"] * 2, "item_id": ["a", "b"], name: [2, 1]})
        columns = {"rank": "score"}
        assert values(evaluate("mrr@2", recs=recs, truth=TRUTH, columns=columns)) == [1]

    def test_one_column_for_two_meanings_is_refused(self):
        columns = {"item_id": "model", "recs.user_id": "model"}
        with raises(sqlrec.InputError, match="'model' would be both 'user_id' and 'item_id'"):
            evaluate("mrr@2", recs=self.RECS, truth=TRUTH, columns=columns)

    @mark.parametrize(
        "options",
        [{"order_by": "score", "duplicates": "last"}, {"columns": {"recs.model": "score"}}],
    )
    def test_the_order_of_lists_cannot_be_another_column(self, options):
        recs = pa.table({"user_id": ["ann"] * 2, "item_id": ["a", "b"], "score": [2.0, 1.0]})
        with raises(sqlrec.InputError, match=r"recs: 'score' would be both '\w+' and 'score'"):
            evaluate("mrr@2", recs=recs, truth=TRUTH, **options)

    def test_a_segment_may_have_another_meaning(self):
        truth = pa.table({"user_id": ["ann"], "item_id": ["b"], "relevance": [2]})
        columns = {"segment": "relevance", "recs.item_id": "model"}
        results = evaluate(
            "cumulative_gain@2", recs=self.RECS, truth=truth, by="segment", columns=columns
        )
        assert rows(results, "segment", "value") == [(2, 2)]
