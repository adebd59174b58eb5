"""Columns of truth that could be the grade and are not read."""

import re
from decimal import Decimal
from itertools import cycle
from warnings import catch_warnings, simplefilter

import duckdb
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
from pytest import mark

import sqlrec
from sqlrec.engines.duckdb import DuckDB

from ..jinja import DATABASE, WARNINGS, Relation, package
from ..tables import in_sqlite, lists, prepare, wanted

TRUTH = wanted({"ann": "ab", "bob": "ab"})
RECS = lists({"ann": "ab", "bob": "ab"})

# Values of a column with and without a warning, under any name.
ANY_NAME = [
    [0, 1, 1, 0],
    [0, 0, 0, 0],
    [0.0, 1.0, 1.0, 1.0],
    [True, False, True, True],
    [Decimal("0.00"), Decimal("1.00"), Decimal("1.00"), Decimal("1.00")],
    ["0", "1", "1", "1"],
    ["True", "False", "True", "True"],
    [1, None, 1, None],
]
NO_GRADE = [
    [1, 1, 1, 1],
    [True, True, True, True],
    ["1", "1", "1", "1"],
    [0, 1, 2, 1],
    [0.0, 0.5, 1.0, 1.0],
    ["0", "1", "x", "1"],
    [1_700_000_000, 1_700_000_001, 1_700_000_002, 1_700_000_003],
    [None, None, None, None],
]


def with_column(name, values):
    return TRUTH.append_column(name, pa.array(values))


def message_of(column):
    return (
        f"truth has an unused column '{column}', so all rows are treated as relevant; if it is "
        f"the grade, give columns={{'truth.relevance': '{column}'}}"
    )


def warnings_of(truth, metrics="ndcg@2", **options):
    with catch_warnings(record=True) as caught:
        simplefilter("always")
        sqlrec.evaluate(metrics, **{"recs": RECS, "truth": truth, "interval": None, **options})
    return [str(one.message) for one in caught]


def warnings_of_plan(truth):
    """Return the warnings before a statement runs."""
    with catch_warnings(record=True) as caught:
        simplefilter("always")
        prepare("ndcg@2", arguments={"recs": RECS, "truth": truth}, engine=DuckDB())
    return [str(one.message) for one in caught]


def warnings_in_dbt(truth):
    """Return dbt's warnings about a table in its warehouse while it compiles."""
    DATABASE.register("judged", truth)
    described = DATABASE.execute("describe judged").fetchall()
    relation = Relation("judged", **{name: kind for name, kind, *_ in described})
    options = {"found": {"user_id": "user_id", "item_id": "item_id"}, "table_name": "truth"}
    kinds = {
        column.name: kind
        for column in relation.columns
        for form, kind in package("duckdb").limits()["kinds"].items()
        if re.fullmatch(form, column.dtype.lower())
    }
    source = options | {"kinds": kinds, "name": "truth", "table": {"relation": "judged"}}
    WARNINGS.clear()
    package("duckdb").check_unread(source, {"columns": {}})
    return [*WARNINGS]


@mark.parametrize("values", ANY_NAME)
def test_zeros_and_ones_have_a_warning_under_any_name(values):
    truth = with_column("flagged", values)
    assert warnings_of_plan(truth) == warnings_in_dbt(truth) == [message_of("flagged")]


@mark.parametrize("values", NO_GRADE)
def test_other_columns_have_no_warning(values):
    truth = with_column("flagged", values)
    assert warnings_of_plan(truth) == warnings_in_dbt(truth) == []


NUMBERS = [[5, 3, 1, 2], ["5", "3.5", "1", "2"], [0.5, 0.1, 0.9, 1.0]]
GRADES = """target rating user_rating label is_relevant reward y y_true weight feedback playcount
    play_count clicked num_clicks liked purchased stars score""".split()


@mark.parametrize("name, values", [*zip(GRADES, cycle(NUMBERS), strict=False)])
def test_numbers_named_like_a_grade_are_a_warning(name, values):
    truth = with_column(name, values)
    assert warnings_of_plan(truth) == warnings_in_dbt(truth) == [message_of(name)]


@mark.parametrize("name", ["delta_y", "rating_id", "day", "price", "label"])
def test_other_names_and_texts_have_no_warning(name):
    truth = with_column(name, ["5", "3", "x", "y"] if name == "label" else [5, 3, 1, 2])
    assert warnings_of_plan(truth) == warnings_in_dbt(truth) == []


def test_several_columns_of_zeros_and_ones_share_a_warning():
    truth = TRUTH
    for name in ("a", "b", "c", "d", "e", "f"):
        truth = truth.append_column(name, pa.array([0, 1, 1, 1]))
    message = (
        "truth has unused columns of zeros and ones (a, b, c, d, e, ...), so all rows are treated "
        "as relevant; if one is the grade, give columns={'truth.relevance': 'a'}"
    )
    assert warnings_of_plan(truth) == warnings_in_dbt(truth) == [message]


def test_of_a_wide_table_the_names_count():
    truth = with_column("target", [0, 1, 1, 1])
    for number in range(50):
        truth = truth.append_column(f"feature_{number}", pa.array([0, 1, 1, 1]))
    assert warnings_of_plan(truth) == warnings_in_dbt(truth) == [message_of("target")]


def test_a_zero_far_down_is_seen():
    users = [f"u{number}" for number in range(3000)]
    truth = pa.table({"user_id": users, "item_id": ["a"] * 3000})
    ones = truth.append_column("flagged", pa.array([1] * 3000))
    late = truth.append_column("flagged", pa.array([1] * 2999 + [0]))
    other = truth.append_column("flagged", pa.array([1] * 2999 + [7]))
    recs = lists(dict.fromkeys(users, "ab"))
    assert warnings_of(ones, recs=recs) == warnings_of(other, recs=recs) == []
    assert warnings_of(late, recs=recs) == [message_of("flagged")]


def files(tmp_path, truth):
    pa.csv.write_csv(truth, tmp_path / "truth.csv")
    pa.parquet.write_table(truth, tmp_path / "truth.parquet")
    (tmp_path / "truth.jsonl").write_text(truth.to_pandas().to_json(orient="records", lines=True))
    return [tmp_path / f"truth.{ending}" for ending in ("csv", "parquet", "jsonl")]


@mark.parametrize("name, values", [("flagged", [0, 1, 1, 1]), ("target", [3, 1, 2, 4])])
def test_every_reader_warns(tmp_path, name, values):
    truth = with_column(name, values)
    for path in files(tmp_path, truth):
        assert warnings_of(path) == [message_of(name)], path
    assert warnings_of(truth.to_pandas()) == [message_of(name)]
    connection = duckdb.connect()
    connection.register("shown", RECS)
    connection.register("wanted", truth)
    message = warnings_of("wanted", recs="shown", engine=connection)
    assert message == [message_of(name)]
    tables = in_sqlite({"recs": RECS_BY_ROW, "truth": truth})
    assert warnings_of(**tables) == [message_of(name)]


RECS_BY_ROW = pa.table(
    {"user_id": ["ann", "ann", "bob", "bob"], "item_id": [*"abab"], "rank": [1, 2, 1, 2]}
)


def test_a_grade_in_a_csv_of_recs_is_a_warning(tmp_path):
    recs = RECS_BY_ROW.append_column("label", pa.array([0, 1, 1, 0]))
    pa.csv.write_csv(recs, tmp_path / "recs.csv")
    for given in (recs, tmp_path / "recs.csv"):
        message = "recs has an unused column 'label': relevance belongs in truth"
        assert warnings_of(TRUTH, recs=given) == [message]


def test_columns_that_are_read_have_no_warning():
    truth = with_column("fold", [0, 0, 1, 1])
    assert warnings_of(truth, by="fold") == []
    assert warnings_of(truth, where={"truth": "Fold < 2"}) == []
    recs = RECS_BY_ROW.append_column("fold", pa.array([0, 0, 1, 1]))
    key = {"user_id": ["user_id", "fold"]}
    assert warnings_of(truth, recs=recs, columns=key) == []
    assert warnings_of(truth, columns={"relevance": "fold"}) == []
    assert warnings_of(truth, "gini@2") == []
    assert warnings_of(with_column("relevance", [0, 1, 1, 1])) == []
