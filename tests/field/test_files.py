"""Real files: every row is read, or an error names the file, the line and the fix."""

import csv
import gzip
import io
import json
import pickle
import re
import subprocess
import sys
from itertools import count

import duckdb
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet
from hypothesis import given
from hypothesis import strategies as st
from pytest import fixture, mark, raises, warns

import sqlrec

from ..examples import examples
from ..tables import values

RECS = "user_id,item_id,score\nu1,a,3\nu1,b,2\nu2,c,3\nu2,a,1\n"
TRUTH = "user_id,item_id\nu1,b\nu2,c\n"
MRR = 0.75  # u1's relevant item is at rank 2, u2's at rank 1.
pytestmark = mark.filterwarnings("ignore:.*every list is shorter")


@fixture
def write(tmp_path, monkeypatch):
    """Write files into the current folder, and the usual recs.csv and truth.csv."""
    monkeypatch.chdir(tmp_path)

    def write(name, content):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    write("recs.csv", RECS)
    write("truth.csv", TRUTH)
    return write


def evaluate(metric="mrr@2", recs="recs.csv", truth="truth.csv", **options):
    return values(sqlrec.evaluate(metric, recs=recs, truth=truth, interval=None, **options))


SEMICOLONS = "user_id;item_id;score\n"
NO_MARK = r"no byte order mark; give sqlrec\.File\(path, encoding='utf-16'"
# The content of a file, and the message, for lists and for the truth.
REFUSED = {
    "recs": [
        (f"{RECS}user_id,item_id,score,model\nu2,c,3,als\n", r"csv, line 6, .*4 columns, .* has 3"),
        (f"exported 2026-01-01\n{RECS}", "no columns 'user_id', 'item_id': it has exp"),
        (f"# made by x\n{RECS}", "starts with '#': if it is a comment, delete it"),
        (f"# a, b, c\n{RECS}", "starts with '#': if it is a comment, delete it"),
        (f"#\n{RECS}", "starts with '#': if it is a comment, delete it"),
        (f"{SEMICOLONS}u1;a;0,9\n", r"x.csv', line 2, .* decimal=','"),
        (f"{SEMICOLONS}u1;a;1.234,5\n", r"x.csv', line 2, .* decimal=','"),
        (f'{SEMICOLONS}u1;a;"1,234"\n', r"x.csv', line 2, .* decimal=','"),
        (f"{SEMICOLONS}u1;a;1\nu1;b;0,5\n", r"x.csv', line 3, .* decimal=','"),
        (f'{RECS}u3,"a,1\nu4,b,2\n', r"x.csv, line 6, .*a quote is not closed"),
        (RECS.encode("utf-32"), "is a UTF-32 file: write it as UTF-8"),
        (RECS.encode("utf-16-le"), NO_MARK),
        (RECS.encode("utf-16-be"), "is a big-endian UTF-16 file: write it as UTF-8"),
        (RECS.replace("\n", "\r\n", 1), "line breaks of two kinds"),
    ],
    "truth": [
        (TRUTH + TRUTH, "x.csv', line 4, .* repeats the header"),
        ("user_id,item_id\nu1,b\nitem_id,user_id\nc,u2\n", "x.csv', line 3, .* repeats the header"),
        ("user_id,item_id\n\nu1,b\nUser_ID,Item_ID\n", "x.csv', line 4, .* repeats the header"),
        (f"{TRUTH}\ufeffu3,b\n", "x.csv', line 4, .* byte order mark"),
    ],
}
OTHERS = [
    (pickle.dumps({"u1": {"a": 1.0}}), "a pickle can run code, so load it yourself"),
    (b"\x93NUMPY\x01\x00", "is a NumPy file: extract or convert it"),
    (bytes(range(256)), "is a binary file"),
    ("1 0 5\n2 0 4\n", "it has column0, column1, column2"),
]
FILES = [(name, "x.csv", *one) for name, files in REFUSED.items() for one in files]
FILES += [("recs", "./x", *one) for one in OTHERS]


@mark.parametrize("name, file, content, message", FILES, ids=count())
def test_a_wrong_file_is_refused(write, name, file, content, message):
    write(file, content)
    with raises(sqlrec.InputError, match=message):
        evaluate(**{name: file})


class TestRowsThatVanished:
    def test_parts_of_which_one_has_a_header_are_an_error(self, write):
        write("parts/1.csv", RECS)
        write("parts/2.csv", "u3,a,3\n")
        with raises(sqlrec.InputError, match=r"2\.csv' has no header, but .*1\.csv' has one"):
            evaluate(recs="parts")

    def test_parts_may_have_their_columns_in_any_order(self, write):
        write("parts/1.csv", "user_id,item_id,score\nu1,a,3\nu1,b,2\n")
        write("parts/2.csv", "score,item_id,user_id,note\n3,c,u2,\n")
        assert evaluate(recs="parts") == [MRR]

    def test_lines_above_the_rows_and_empty_parts_are_not_rows(self, write):
        write("parts/1.csv", "")
        write("parts/2.csv", RECS)
        write("parts/3.csv", "user_id,item_id,score\n")
        files = [
            write("blank.csv", f"\n\n{RECS}"),
            write("excel.csv", "sep=;\n" + RECS.replace(",", ";")),
            # As NumPy writes comments.
            write("savetxt.csv", f"#{RECS}"),
            write("savetxt_2.csv", f"# {RECS}"),
            "parts/*.csv",
        ]
        assert evaluate(recs={file: file for file in files}) == [MRR] * 5

    def test_names_of_columns_may_be_ids_too(self, write):
        write("wide.csv", "user_id,1,2\n1,2,1\n2,1,2\n")
        assert evaluate(
            recs="wide.csv", truth=pa.table({"user_id": [1, 2], "item_id": [2, 2]})
        ) == [0.75]

    def test_missing_ids_in_words_are_warned_of(self, write):
        write("missing.csv", f"{TRUTH}u3,None\n")
        for truth in ("missing.csv", pa.csv.read_csv("missing.csv")):
            with warns(UserWarning, match="truth has the item_id 'None', which is read as an id"):
                assert evaluate(truth=truth) == [0.5]

    def test_lines_of_comments_are_warned_of_among_rows(self, write):
        write("noted.csv", f"{TRUTH}# u3,b\n")
        with warns(
            UserWarning, match=r"noted\.csv', line 4, '# u3,b' is read as a row: if it is a"
        ):
            assert evaluate(truth="noted.csv") == [0.5]
        write("tags.csv", "user_id,item_id\n#u1,b\n#u2,c\n")
        assert evaluate(recs=write("tagged.csv", RECS.replace("u", "#u")[1:]), truth="tags.csv")

    def test_a_part_without_a_column_is_named(self, write):
        write("parts/1.csv", RECS)
        write("parts/2.csv", TRUTH.replace("\nu", "\nv"))
        with raises(sqlrec.DataError, match=r"recs: 'parts/2\.csv' has no column 'score'"):
            evaluate(recs="parts")
        write("parts/2.csv", RECS.replace("user", "person"))
        with raises(sqlrec.DataError, match=r"recs: 'parts/2\.csv' has no column 'user_id'"):
            evaluate(recs="parts")

    def test_one_column_is_one_column(self, write):
        write("catalog.csv", "item_id\na;x\nb;y\nc\n")
        write("marks.csv", "user_id,item_id,score\nu1,a;x,3\nu1,c,2\n")
        result = evaluate("catalog_coverage@2", recs="marks.csv", truth=None, catalog="catalog.csv")
        assert result == [2 / 3]

    @given(
        st.lists(
            st.tuples(
                st.text("ab,;|\t\"' \n", min_size=1, max_size=5),
                st.sampled_from(["x", "y;z", 'q"', "1,5", "#"]),
            ),
            min_size=1,
            max_size=20,
        )
    )
    @examples(50)
    def test_all_rows_are_read_as_pythons_csv_has_them(self, tmp_path_factory, rows):
        path = tmp_path_factory.mktemp("random") / "rows.csv"
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([("user_id", "item_id"), *rows])
        path.write_text(text.getvalue())
        from sqlrec.engines.files import file_relation

        result = duckdb.sql(f"select * from {file_relation(str(path), 'truth')}").fetchall()
        assert result == [tuple(row) for row in rows]


class TestSpellingsOfIds:
    """Ids are compared unchanged, with a warning of ids that differ only in their spelling."""

    @mark.parametrize(
        "ours, theirs, difference",
        [
            ("b", "b ", "blanks"),
            ("b", "\u00a0b", "blanks"),
            ("b x", "b\u00a0x", "blanks"),
            ("7", "007", "number format"),
            ("007", "7", "number format"),
            ("7", "7.0", "number format"),
        ],
    )
    @mark.parametrize("from_file", [False, True])
    def test_similar_ids_of_two_inputs_have_a_warning(
        self, write, ours, theirs, difference, from_file
    ):
        recs, truth = RECS.replace(",b,", f",{theirs},"), TRUTH.replace(",b", f",{ours}")
        tables = [write("recs.csv", recs), write("truth.csv", truth)]
        if not from_file:
            text = pa.csv.ConvertOptions(column_types={"item_id": "string"})
            tables = [pa.csv.read_csv(table, convert_options=text) for table in tables]
        shown = f"truth has the item_id {ours!r}, but recs has {theirs!r}, which differ in "
        with warns(UserWarning, match=re.escape(shown + difference)):
            assert evaluate("mrr@2", *tables) == [0.5]

    def test_similar_ids_of_two_files_have_a_warning(self, write):
        write("parts/1.csv", "user_id,item_id,score\n1,007,2\n")
        write("parts/2.csv", "user_id,item_id,score\n2,8,2\n")
        write("truth.csv", "user_id,item_id\n1,7\n2,8\n")
        with warns(UserWarning, match="'7', but recs has '007'"):
            assert evaluate(recs="parts") == [0.5]

    @mark.filterwarnings("error:.*ids must be equal")
    @mark.parametrize("item", ["007", "b ", "7.0"])
    def test_ids_of_equal_spelling_have_no_warning(self, write, item):
        write("recs.csv", RECS.replace(",b,", f",{item},"))
        assert evaluate(truth=write("truth.csv", TRUTH.replace(",b", f",{item}"))) == [MRR]

    def test_with_underscores_are_text(self, write):
        # DuckDB reads both as the number 311.
        write("recs.csv", "user_id,item_id,score\n1_0,31_1,2\n1_0,3_11,1\n")
        write("truth.csv", "user_id,item_id\n1_0,3_11\n")
        assert evaluate("mrr@2") == [0.5]
        write("recs.csv", "user_id,item_id,score\n1_0,31_1,1_0\n")
        with raises(sqlrec.InputError, match=r"recs\.score has the value '1_0'"):
            evaluate("mrr@2")

    def test_shortened_by_a_spreadsheet_are_warned_of(self, write):
        write("truth.csv", TRUTH.replace(",b", ",1.23E+10"))
        with warns(
            UserWarning, match=r"truth has the item_id '1\.23E\+10', probably a long number"
        ):
            assert evaluate() == [0.5]

    def test_text_ids_next_to_integer_ids_are_errors_that_name_one(self, write):
        write("recs.csv", "user_id,item_id,score\n1,007,2\n")
        truth = pa.table({"user_id": [1], "item_id": [7]})
        with raises(sqlrec.InputError, match="'007' in recs begins with a zero"):
            evaluate(truth=truth)


class TestEncodings:
    def test_of_unicode_are_found(self, write):
        recs = RECS.replace("b", "café")
        files = [write(f"{x}.csv", recs.encode(x)) for x in ("utf-8", "utf-8-sig", "utf-16")]
        write("cafe.csv", TRUTH.replace("b", "café"))
        assert evaluate(recs={file: file for file in files}, truth="cafe.csv") == [MRR] * 3

    def test_others_have_a_name(self, write):
        write("latin.csv", RECS.replace("b", "café").encode("latin-1"))
        write("cafe.csv", TRUTH.replace("b", "café"))
        with raises(sqlrec.InputError, match=r"line 3: it is not UTF-8; .*encoding='latin-1'"):
            evaluate(recs="latin.csv", truth="cafe.csv")
        file = sqlrec.File("latin.csv", encoding="latin-1")
        assert evaluate(recs=file, truth="cafe.csv") == [MRR]

    def test_may_be_named_without_a_byte_order_mark(self, write):
        write("wide.csv", RECS.encode("utf-16-le"))
        assert evaluate(recs=sqlrec.File("wide.csv", encoding="utf-16")) == [MRR]


class TestEndings:
    def test_of_tables_are_known(self, write):
        table = pa.csv.read_csv("recs.csv")
        names = ["r.pq", "r.parq", "r.parquet", "r.PQ", "r", "r.feather", "r.arrow", "r.ipc", "s"]
        for name in names[:5]:
            pa.parquet.write_table(table, name)
        for name in names[5:]:
            pa.feather.write_feather(table, name)
        assert evaluate(recs={name: f"./{name}" for name in names}) == [MRR] * len(names)

    def test_of_compressed_text_are_known(self, write):
        rows = [row | {"score": int(row["score"])} for row in csv.DictReader(io.StringIO(RECS))]
        texts = dict.fromkeys(("r.csv.gz", "r.txt.gz"), RECS)
        texts |= dict.fromkeys(("r.json.gz", "r.jsonl.gz"), "\n".join(map(json.dumps, rows)))
        for name, text in texts.items():
            write(name, gzip.compress(text.encode()))
        duckdb.sql("select * from 'recs.csv'").write_csv("r.csv.zst", compression="zstd")
        assert evaluate(recs={name: name for name in (*texts, "r.csv.zst")}) == [MRR] * 5

    def test_of_text_with_a_header_need_no_delimiter(self, write):
        names = ["r.txt", "r.dat", "r.data", "r"]
        files = [
            write(f"{n}/{name}", RECS.replace(",", delimiter))
            for n, delimiter in enumerate([",", "\t", ";", "|", "::"])
            for name in [*names, *["r.tab"] * (delimiter == "\t")]
        ]
        assert evaluate(recs={file: f"./{file}" for file in files}) == [MRR] * 21

    def test_the_home_folder_has_a_short_name(self, write, monkeypatch, tmp_path):
        monkeypatch.setenv("HOME", str(tmp_path))
        assert evaluate(recs="~/recs.csv", truth="~/truth.csv") == [MRR]

    def test_several_files_are_one_table(self, write):
        first, *rest = RECS.splitlines(keepends=True)
        write("1.csv", first + rest[0] + rest[1])
        write("2.csv", first + rest[2] + rest[3])
        assert evaluate(recs=["1.csv", "2.csv"]) == [MRR]


class TestFormats:
    RATINGS = "1\t6\t5\t887431973\n1\t10\t3\t875693118\n2\t13\t4\t888551648\n"
    LISTS = pa.table(
        {
            "user_id": [1, 1, 1, 2, 2, 2],
            "item_id": [6, 5, 10, 4, 50, 13],
            "score": [0.9, 0.8, 0.7, 0.5, 0.4, 0.3],
        }
    )

    def test_four_words_a_line_are_not_always_qrels(self, write):
        # Ratings that are item ids of lists: with ratings as items, recall would be 0.75.
        write("u1.test", self.RATINGS)
        with warns(UserWarning, match="is read as ratings of MovieLens"):
            assert evaluate("recall@2", self.LISTS, "./u1.test") == [0.25]

    def test_a_named_format_is_not_warned_of(self, write):
        write("u1.test", self.RATINGS)
        file = sqlrec.File("u1.test", "movielens")
        assert evaluate("recall@2", self.LISTS, file) == [0.25]
        assert evaluate(
            "recall@2", self.LISTS, file, rules=sqlrec.Rules(relevance_threshold=4)
        ) == [0.5]
        # In lists, ratings are scores.
        assert evaluate("mrr@2", file, self.LISTS.drop(["score"])) == [1]

    @mark.parametrize("iteration", ["0", "Q0"])
    def test_qrels_and_runs_have_an_iteration(self, write, iteration):
        write("run", "".join(f"q Q0 {item} 1 {score} t\n" for item, score in [("a", 2), ("b", 1)]))
        write("judged", f"q {iteration} b 1\nq {iteration} z 2\n")
        assert evaluate(recs="./run", truth="./judged") == [0.5]

    @mark.filterwarnings("ignore:.*rated.txt.*TREC")
    def test_qrels_of_only_numbers_have_a_warning(self, write):
        write("judged.txt", "1 0 10 1\n2 0 50 1\n")
        recs = self.LISTS.cast(
            pa.schema([("user_id", "string"), ("item_id", "string"), ("score", "double")])
        )
        with warns(UserWarning, match="is read as a run or qrels of TREC"):
            assert evaluate("mrr@3", recs, "judged.txt") == [(1 / 3 + 1 / 2) / 2]
        # Ratings in the order of items, from item 0.
        write("rated.txt", "1 0 5 3\n2 0 4 3\n1 1 3 3\n")
        with raises(sqlrec.InputError, match=r"rated\.txt', line 3, .*: its iteration is '1'"):
            evaluate("mrr@3", recs, "rated.txt")

    def test_columns_without_a_header_have_numbers(self, write):
        write("plain.txt", "1 6 10 7\n2 13 50 8\n")
        with raises(
            sqlrec.InputError, match=r"it has column0, .*sqlrec\.File\(path, 'movielens'\)"
        ):
            evaluate(recs=self.LISTS, truth="plain.txt")
        file = sqlrec.File("plain.txt", "lightgcn")
        assert evaluate("recall@2", self.LISTS, file) == [(1 / 3 + 1 / 3) / 2]

    def test_the_delimiter_and_the_header_may_be_given(self, write):
        write("odd.dat", "u1~a~3\nu1~b~2\nu2~c~3\n")
        columns = {f"recs.{x}": f"column{n}" for n, x in enumerate(["user_id", "item_id", "score"])}
        file = sqlrec.File("odd.dat", delimiter="~", header=False)
        assert evaluate(recs=file, columns=columns) == [MRR]

    def test_clicks_of_mind_are_grades_and_its_history_is_one(self, write):
        write(
            "behaviors.tsv",
            "1\tU1\t11/11/2019 9:05:58 AM\tN9 N8\tN1-0 N2-1 N3-0\n"
            "2\tU2\t11/12/2019 9:05:58 AM\t\tN4-1 N5-0\n",
        )
        recs = pa.table({"user_id": [1, 1, 2], "item_id": ["N9", "N2", "N4"], "rank": [1, 2, 1]})
        assert evaluate(recs=recs, truth="behaviors.tsv") == [0.75]
        # N9 and N8 are earlier clicks of user 1; one of them is relevant.
        truth = pa.table({"user_id": [1, 1], "item_id": ["N9", "N2"]})
        history = sqlrec.File("behaviors.tsv", "mind")
        assert evaluate("leak_share", recs, truth, history=history) == [0.5]

    def test_netflix_has_its_items_above_their_users(self, write):
        write("combined.txt", "1:\n10,3,2005-09-06\n12,5,2005-09-06\n2:\n11,4,2005-01-01\n")
        recs = pa.table({"user_id": [10, 11, 12], "item_id": [1, 2, 2], "score": [1.0, 1.0, 1.0]})
        assert evaluate("mrr@1", recs, "combined.txt") == [2 / 3]
        assert evaluate(
            "mrr@1", recs, "combined.txt", rules=sqlrec.Rules(relevance_threshold=4)
        ) == [0.5]

    @mark.parametrize(
        "options, message",
        [
            ({"format": "movielen"}, "format='movielen': did you mean 'movielens'"),
            ({"encoding": "cp1252"}, "encoding='cp1252': "),
            ({"delimiter": ""}, "delimiter='': give the text between two columns"),
            ({"header": "no"}, "header='no': it must be True, False or None"),
        ],
    )
    def test_wrong_options_are_errors(self, options, message):
        with raises(sqlrec.InputError, match=re.escape(message)):
            sqlrec.File("x.csv", **options)


class TestColumnsThatNothingReads:
    """Conditions and keys see the columns of CSV, JSON lines and Parquet with the same types."""

    ROWS = "user_id,item_id,score,days,site\nu1,a,3,9,x\nu1,b,2,10,\nu2,c,3,10,y\n"

    @fixture
    def recs(self, write):
        rows = [*csv.DictReader(io.StringIO(self.ROWS))]
        typed = [row | {"score": int(row["score"]), "days": int(row["days"])} for row in rows]
        write("days.csv", self.ROWS)
        write("days.tsv", self.ROWS.replace(",", "\t"))
        write("days.jsonl", "\n".join(map(json.dumps, typed)))
        pa.parquet.write_table(pa.Table.from_pylist(typed), "days.parquet")
        return {kind: f"days.{kind}" for kind in ("csv", "tsv", "jsonl", "parquet")}

    # Only in text files, an empty text is null.
    @mark.parametrize(
        "condition, expected",
        [
            ("days >= 10", [1] * 4),
            ("days > '9'", [1] * 4),
            ("site is null or site = 'y'", [1, 1, 0.5, 0.5]),
        ],
    )
    def test_conditions_compare_numbers(self, recs, condition, expected):
        assert evaluate(recs=recs, where={"recs": condition}) == expected

    def test_keys_have_several_columns(self, recs):
        truth = pa.table({"user_id": ["u1", "u2"], "days": [10, 10], "item_id": ["b", "c"]})
        columns = {"user_id": ["user_id", "days"]}
        assert evaluate(recs=recs, truth=truth, columns=columns) == [1] * 4


class TestCommandLine:
    ASKED = ("evaluate", "mrr@2", "--no-interval", "--format", "json")

    @fixture
    def run(self, tmp_path, command_line):
        """Return the values of files, or the error."""

        def run(*words):
            code, out, err = command_line(tmp_path, *self.ASKED, *words)
            return err if code else [row["value"] for row in json.loads(out)]

        return run

    def test_a_glob_without_quotes_is_several_files(self, write, run):
        first, second = write("p/1.csv", RECS), write("p/2.csv", RECS.replace("\nu", "\nv"))
        words = ["--recs", first, second, "--truth", write("t/1.csv", TRUTH), "truth.csv"]
        assert "more than once" in run(*words)  # Both files of the truth.
        assert run("--recs", first, second, "--truth", "truth.csv") == [MRR]
        assert run("--recs", f"x={first}", second, "--truth", "truth.csv") == [MRR]
        # Each flag is a model, by default with the name of its file.
        error = run("--recs", first, "--recs", second, "--truth", "truth.csv")
        assert error.startswith("error: 2: no user of truth has a list")

    def test_a_pipe_is_a_file(self, write):
        command = [sys.executable, "-m", "sqlrec", *self.ASKED]
        command += ["--recs", "/dev/stdin", "--truth", "truth.csv"]
        done = subprocess.run(command, capture_output=True, text=True, input=RECS, check=True)
        assert [row["value"] for row in json.loads(done.stdout)] == [MRR]

    def test_formats_have_a_flag(self, write, run):
        write("u1.test", "u1\tb\t5\t887431973\nu2\tc\t4\t888551648\n")
        words = ["--recs", "recs.csv", "--truth", "./u1.test", "--input-format"]
        assert run(*words, "truth=movielens") == [MRR]
        write("plain", "u1~a~3\nu1~b~2\nu2~c~3\n")
        words = ["--recs", "./plain", "--truth", "truth.csv", "--input-format"]
        names = ("user_id", "item_id", "score")
        columns = [f"--column=recs.{name}=column{n}" for n, name in enumerate(names)]
        assert run(*words, "recs=csv,delimiter=~,header=no", *columns) == [MRR]
        messages = "--input-format rec=csv: write INPUT=FORMAT, where INPUT is one of recs, truth"
        assert messages in run(*words, "rec=csv")

    @mark.parametrize(
        ("truth", "encoding", "form"),
        [
            ("u1,b,5\nu2,c,4\n", "utf-8", "truth=movielens"),
            ("user,item\nu1,b\n", "utf-8", "truth=csv,header=no"),
            ("user_id,item_id\nu1,b\n", "utf-16-le", "truth=csv,encoding=utf-16"),
        ],
    )
    def test_errors_name_the_flag(self, write, run, truth, encoding, form):
        write("odd.csv", truth.encode(encoding))
        message = run("--recs", "recs.csv", "--truth", "odd.csv")
        assert f" --input-format {form}" in message and "File(" not in message
