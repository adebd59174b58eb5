"""Lists in shapes without a row per item."""

import json
import re
from decimal import Decimal
from itertools import count

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
from pytest import importorskip, mark, raises

import sqlrec
import sqlrec.adapters

from ..tables import values

TRUTH = pa.table({"user_id": ["u1", "u2"], "item_id": ["b", "c"]})
MRR = 0.75  # u1's relevant item is at rank 2, u2's at rank 1.
pytestmark = mark.filterwarnings("ignore:.*every list is shorter")


def evaluate(recs, truth=TRUTH, **options):
    return values(sqlrec.evaluate("mrr@2", recs=recs, truth=truth, interval=None, **options))


def lists(*items):
    return pa.table({"user_id": ["u1", "u2"], "item_id": [*items]})


def users(**columns):
    return pa.table({"user_id": ["u1", "u2"], **columns})


def structs(name="recommendations", **more):
    """Return lists of structs, with further fields in front."""
    return users(**{name: [[{**more, **row} for row in rows] for rows in ROWS]})


ROWS = (
    [{"item": "a", "rating": 3.0}, {"item": "b", "rating": 2.0}],
    [{"item": "c", "rating": 3.0}],
)
DICTS = {"u1": {"a": 3.0, "b": 2.0}, "u2": {"c": 3.0}}
LISTS = {"u1": ["a", "b"], "u2": ["c", "a"]}
WHOLE = [[{**row, "rating": int(row["rating"])} for row in rows] for rows in ROWS]
DECIMALS = {user: {item: Decimal(n) for item, n in of.items()} for user, of in DICTS.items()}
# Lists, the truth, columns, and the value.
READ = {
    "quotes and blanks in items": (
        lists("""["it's", 'say \\'b\\'']""", '["a b", "c"]'),
        *(lists("it's", "c"), {}, MRR),
    ),
    "blanks in the truth": (lists("a b", "c a"), lists("b x", "c"), {}, MRR),
    "commas in the truth": (lists("a b", "c a"), lists("b,x", "c,y"), {}, MRR),
    "brackets in the truth": (lists("a b", "c a"), lists("['b']", "['c', 'y']"), {}, MRR),
    "a truth of known items": (lists(["a", "b"], ["c", "d"]), lists("b d", "c"), {}, MRR),
    "an item with a blank": (lists(["a", "b"], ["c", "d"]), lists("b wars", "c"), {}, 0.5),
    "items with blanks": (
        *(lists(["the x", "the b"], ["the c"]), lists("the b", "the c"), {}, MRR),
    ),
    "an item with a score": (users(item_id=["a b", "c"], score=[1.0, 1.0]), TRUTH, {}, 0.5),
    "named columns of ranks": (
        *(users(best=["a", "c"], next=["b", "a"]), TRUTH),
        *({"recs.item_id": ["best", "next"]}, MRR),
    ),
    "structs with whole scores": (users(recommendations=WHOLE), TRUTH, {}, MRR),
    "named fields of structs": (
        *(structs("found", n=1), TRUTH),
        *({"recs.item_id": "found.item", "recs.score": "found.rating"}, MRR),
    ),
    "decimal numbers": (DECIMALS, TRUTH, {}, MRR),
}
ODD = ["[a ... b]", "[a, None]", "[nan, b]", "[{'item': 'a'}]", "[('a', 1)]", r"['a\tb']"]
UNCERTAIN = [
    lists("a b, c|d", "c"),  # More than one separator.
    pa.table({"user_id": ["u1", "u1"], "item_id": ["a b", "c"]}),  # A user twice.
    lists("{'a', 'b'}", "{'c'}"),  # A set.
]
LARGE = pa.array([Decimal(1), Decimal(2)], pa.decimal256(50, 0))
# Lists, the truth, and the message.
REFUSED = [
    *((lists(odd, "[c]"), TRUTH, "and its items can't be read") for odd in [*ODD, r"['\xe9']"]),
    (
        *(lists(["a"], ["c"]), lists("[b]", "c")),
        "truth.item_id has lists in brackets and the value 'c'",
    ),
    *((recs, TRUTH, "recs has no column 'score' or 'rank'") for recs in UNCERTAIN),
    (users(top1=[1, 2], top2=[1.5, None]), TRUTH, "item_id is DOUBLE"),
    (structs("found", why="new"), TRUTH, "columns={'recs.item_id': 'found.item'"),
    ({"u1": None, "u2": {"c": 1.0}}, TRUTH, "recs['u1'] is None: give a dict of items"),
    ({"u1": ["a"], "u2": None}, TRUTH, "recs['u2'] is None: give a list of items"),
    ({"u1": {"a": "x"}}, TRUTH, "recs.score has the value 'x': a score must be a number"),
    ({"u1": {"a": None}}, TRUTH, "recs.score is null in every row"),
    (LISTS, [("u1", "b"), ("u2", "c")], "truth has tuples: give a frame"),
    (LISTS, [("u1", "b", 1.0)], "truth has tuples: give a frame"),
    ({"u1": [("a", 0.5)], "u2": [1]}, TRUTH, "recs['u2'] is [1]: give a list of pairs"),
    ({"u1": {"a", "b"}}, TRUTH, "recs['u1'] is a set, which has no order"),
    ({"u1": {"a": 1.0}, "u2": ["c"]}, TRUTH, "recs['u2'] is ['c']: give a dict of items"),
    (
        users(item_id=["b", "c"], score=LARGE),
        TRUTH,
        "recs.score is decimal256(50, 0), which DuckDB does not read: cast it",
    ),
    (users(item_id=pa.nulls(2), score=[1, 2]), TRUTH, "recs.item_id is null in every row"),
    (users(item_id=["b", "c"], score=pa.nulls(2)), TRUTH, "recs.score is null in every row"),
]


@mark.parametrize("recs, truth, columns, expected", READ.values(), ids=READ)
def test_shapes_are_read(recs, truth, columns, expected):
    assert evaluate(recs, truth, columns=columns) == [expected]


@mark.parametrize("recs, truth, message", REFUSED, ids=count())
def test_other_shapes_are_refused(recs, truth, message):
    with raises(sqlrec.InputError, match=re.escape(message)):
        evaluate(recs, truth)


class TestText:
    def test_is_a_list(self):
        written = [
            *(("a b", "c a"), ("a  b ", " c a"), ("a,b", "c,a"), ("a, b", "c, a"), ("a;b", "c")),
            *(("a|b", "c|a"), ("['a', 'b']", "['c', 'a']"), ("['a' 'b']", "['c' 'a']")),
            *(('["a", "b"]', '["c", "a"]'), ("[a, b]", "[c, a]"), ('["a", "b"]', "['c']")),
        ]
        models = {" ".join(recs): lists(*recs) for recs in written}
        assert evaluate(models) == [MRR] * 11

    @mark.parametrize("recs", [("a, b", "c, a"), ('["a", "b"]', '["c", "a"]')])
    def test_is_a_list_in_a_file(self, recs, tmp_path):
        pa.csv.write_csv(lists(*recs), tmp_path / "recs.csv")
        assert evaluate(tmp_path / "recs.csv") == [MRR]

    def test_has_the_types_of_the_truth(self, tmp_path):
        pa.csv.write_csv(lists("[10 20]", "[30 10]"), tmp_path / "recs.csv")
        numbers = pa.table({"user_id": ["u1", "u2"], "item_id": [20, 30]})
        assert evaluate(tmp_path / "recs.csv", numbers) == [MRR]
        pa.csv.write_csv(lists("010 020", "030"), tmp_path / "padded.csv")
        padded = pa.table({"user_id": ["u1", "u2"], "item_id": ["020", "030"]})
        assert evaluate(tmp_path / "padded.csv", padded) == [MRR]
        with raises(sqlrec.InputError, match="item_id is VARCHAR in recs but BIGINT in truth"):
            evaluate(tmp_path / "padded.csv", numbers)


class TestColumns:
    def test_with_numbers_are_ranks(self, tmp_path):
        rows = "user_id,top_2,top_1\nu1,b,a\nu2,,c\n"
        (tmp_path / "wide.csv").write_text(rows)
        assert evaluate(tmp_path / "wide.csv") == [MRR]
        assert evaluate(pa.csv.read_csv(tmp_path / "wide.csv")) == [MRR]

    @mark.parametrize("blank", ["", None])
    def test_keep_their_ranks_behind_a_blank(self, blank, tmp_path):
        # u1's relevant item is at rank 3, u2's at rank 2.
        rows = {"user_id": ["u1", "u2"], "top1": ["a", blank], "top2": [blank, "c"]}
        recs = pa.table(rows | {"top3": ["b", "a"]})
        assert values(sqlrec.evaluate("mrr@3", recs=recs, truth=TRUTH)) == [(1 / 3 + 1 / 2) / 2]
        pa.csv.write_csv(recs, tmp_path / "wide.csv")
        assert evaluate(tmp_path / "wide.csv") == [(0 + 1 / 2) / 2]

    def test_of_other_names_are_no_ranks(self, tmp_path):
        years = pa.table({"user_id": ["u1"], "movie": ["b"], "year_1": [1], "year_2": [2]})
        with raises(sqlrec.InputError, match="recs has no column 'item_id'"):
            evaluate(years)
        (tmp_path / "plain.txt").write_text("1,6,10\n2,13,5\n")
        with raises(sqlrec.InputError, match="recs has no column 'item_id'"):
            evaluate(tmp_path / "plain.txt", columns={"recs.user_id": "column0"})

    def test_of_zeros_and_ones_have_an_adapter(self):
        pd = importorskip("pandas")
        frame = pd.DataFrame({"user": ["u1", "u2"], "a": [0, 0], "b": [1, 0], "c": [0, 1]})
        truth = sqlrec.adapters.one_hot(frame, users="user")
        assert evaluate(lists(["a", "b"], ["c", "a"]), truth) == [MRR]
        truth = sqlrec.adapters.one_hot(
            frame[["a", "b", "c"]].to_numpy(), ["u1", "u2"], list("abc")
        )
        assert evaluate(lists(["a", "b"], ["c", "a"]), truth) == [MRR]
        with raises(sqlrec.InputError, match="frame has the value 2: give 1"):
            sqlrec.adapters.one_hot(frame.replace(1, 2), users="user")
        wide = frame.assign(d=0, e=1, f=0)
        with raises(sqlrec.InputError, match=r"sqlrec\.adapters\.one_hot"):
            evaluate(lists(["a"], ["c"]), wide, columns={"truth.user_id": "user"})


class TestStructs:
    def test_of_an_item_and_its_score_are_rows(self, tmp_path):
        recs = pa.table({"user_id": ["u1", "u2"], "recommendations": [*ROWS]})
        assert evaluate(recs) == [MRR]
        pa.parquet.write_table(recs, tmp_path / "als.parquet")
        assert evaluate(tmp_path / "als.parquet") == [MRR]

    def test_of_an_item_are_lists(self):
        rows = [[{"item": one["item"]} for one in some] for some in ROWS]
        recs = pa.table({"user_id": ["u1", "u2"], "recommendations": rows})
        assert evaluate(recs) == [MRR]
        truth = recs.rename_columns(["user_id", "bought"])
        assert evaluate(LISTS, truth) == [1]


class TestObjects:
    @mark.parametrize(
        "truth", [{"u1": {"b": 1}, "u2": {"c": 2}}, {"u1": {"b"}, "u2": ["c"]}, TRUTH]
    )
    def test_are_dicts_of_users(self, truth):
        for recs in (DICTS, LISTS):
            assert evaluate({"als": recs, "pop": recs}, truth) == [MRR, MRR]

    @mark.parametrize(
        "recs",
        [
            {"user_id": ["u1", "u1", "u2"], "item_id": [*"abc"], "score": [3, 2, 1]},
            [
                {"user_id": "u1", "item_id": "b", "rank": 2},
                {"rank": 1, "user_id": "u2", "item_id": "c"},
            ],
            {"u1": [("a", 0.5), ("b", 0.2)], "u2": [("c", 0.3)]},
        ],
    )
    def test_are_columns_records_and_pairs(self, recs):
        assert evaluate(recs, {"user_id": ("u1", "u2"), "item_id": ["b", "c"]}) == [MRR]
        assert evaluate({"als": recs}) == [MRR]

    def test_have_the_names_of_an_index(self):
        frame = importorskip("pandas").DataFrame(TRUTH.to_pydict())
        assert evaluate(LISTS, frame.set_index(["user_id", "item_id"])) == [MRR]

    def test_are_a_series_of_pandas(self):
        pd = importorskip("pandas")
        truth = TRUTH.to_pandas().groupby("user_id")["item_id"].apply(list)
        assert evaluate(pd.Series(LISTS), truth) == [MRR]
        for series in (pd.Series(["a", "b"]), pd.Series([["a"], ["b"]], index=["u1", "u1"])):
            with raises(sqlrec.InputError, match=r"recs is a Series: .*series\.reset_index\(\)"):
                evaluate(series)

    def test_of_models_may_be_lists_of_files(self, tmp_path):
        files = [tmp_path / "1.csv", tmp_path / "2.csv"]
        for file, row in zip(files, ["u1,b,1", "u2,c,1"], strict=True):
            file.write_text(f"user_id,item_id,score\n{row}\n")
        assert evaluate({"als": [*map(str, files)]}) == [1]

    def test_are_lists_of_users(self):
        np = importorskip("numpy")
        assert evaluate([["a", "b"], ["c", "a"]], [["b"], ["c"]]) == [MRR]
        assert evaluate(np.array([[10, 20], [30, 10]]), np.array([[20], [30]])) == [MRR]

    def test_of_scores_have_an_adapter(self):
        np = importorskip("numpy")
        with raises(sqlrec.InputError, match=r"sqlrec\.adapters\.matrix\(scores, k\)"):
            evaluate(np.array([[0.1, 0.5], [0.3, 0.2]]))
        with raises(sqlrec.InputError, match=r"sqlrec\.adapters\.one_hot\(matrix\)"):
            evaluate([[1, 2], [3, 1]], np.array([[0, 1, 0], [0, 0, 1]]))

    @mark.parametrize("recs", [DICTS, LISTS])
    def test_may_be_files_of_json(self, recs, tmp_path):
        (tmp_path / "run.json").write_text(json.dumps(recs))
        (tmp_path / "qrels.json").write_text(json.dumps({"u1": {"b": 1}, "u2": {"c": 1}}))
        assert evaluate(tmp_path / "run.json", tmp_path / "qrels.json") == [MRR]

    @mark.parametrize("orient", ["columns", "index", "split", "table"])
    def test_of_tables_in_json_are_errors(self, orient, tmp_path):
        importorskip("pandas")
        TRUTH.to_pandas().to_json(tmp_path / "truth.json", orient=orient)
        with raises(sqlrec.InputError, match=r"frame\.to_json\(path, orient='records'\)"):
            evaluate(LISTS, tmp_path / "truth.json")

    @mark.parametrize(
        "text, message",
        [
            ("{}", "is empty"),
            (" [ ]\n", "is empty"),
            ('{"u1": []}', "is empty"),
            ('[["u1", "b"]]', "a record for each row"),
            ("null", "a record for each row"),
            ('{"data": [{"user_id": "u1"}]}', "does not have a record for each row"),
            ("é".encode("latin-1"), "is not UTF-8: write it as UTF-8"),
        ],
    )
    def test_of_nothing_in_json_are_errors(self, text, message, tmp_path):
        content = text if isinstance(text, bytes) else text.encode()
        (tmp_path / "truth.json").write_bytes(content)
        with raises(sqlrec.InputError, match=message):
            evaluate(LISTS, tmp_path / "truth.json")

    def test_records_of_structs_are_not_a_dict_of_users(self, tmp_path):
        record = {"user": {"id": "u1"}, "item": {"id": "b"}, "score": 1}
        (tmp_path / "records.json").write_text(json.dumps([record]))
        columns = {"recs.user_id": "user.id", "recs.item_id": "item.id"}
        assert evaluate(tmp_path / "records.json", columns=columns) == [0.5]


class TestTypesOfArrow:
    def test_of_half_precision_are_scores(self):
        np = importorskip("numpy")
        scores = pa.array(np.array([3, 2, 1], "float16"))
        recs = pa.table({"user_id": ["u1", "u1", "u2"], "item_id": ["a", "b", "c"]})
        assert evaluate(recs.append_column("score", scores)) == [MRR]
