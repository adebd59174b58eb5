"""Lists that a rule empties: a warning names the rule; lists of other users are an error."""

from uuid import UUID
from warnings import catch_warnings, simplefilter

import duckdb
import pyarrow as pa
from pytest import mark, raises

import sqlrec

from ..packages import pandas as pd
from ..tables import in_rows, lists, scored, wanted

TRUTH = wanted({"ann": "y"})
NEGATIVE = scored({"ann": {"x": -1.0, "y": -0.5}})
UNLIKE_USERS = (
    ": check that user_id has the same format in both tables; lists have {!r}, and truth has {!r}"
)
EMPTY = pa.table({"user_id": ["ann", "bob"], "item_id": [[], ["y"]]})
NAN = float("nan")


def warnings_of(metrics="mrr@2", **options):
    with catch_warnings(record=True) as caught:
        simplefilter("always")
        sqlrec.evaluate(metrics, **{"truth": TRUTH, "interval": None} | options)
    return [str(one.message) for one in caught]


@mark.parametrize(
    "recs, options, reason",
    [
        (
            NEGATIVE,
            {"convention": "torchmetrics"},
            ": the rules of the convention remove items with a score of 0 or below",
        ),
        (
            scored({"ann": {"x": NAN, "y": NAN}}),
            {"null_scores": "drop"},
            ": null_scores='drop' removes items without a score, and all scores are missing",
        ),
        (in_rows("x 5, y 6", "rank"), {}, ": ranks begin at 5, and cutoffs end at 2"),
        (EMPTY, {}, " with an item within the cutoffs"),
    ],
)
def test_a_warning_says_why_no_user_has_a_list(recs, options, reason):
    assert warnings_of(recs=recs, **options)[0] == f"recs: no user of truth has a list{reason}"


@mark.parametrize(
    "recs, options, reason",
    [
        (
            scored({"ann": {"y": 1.0}, "bob": {"y": 1.0}}),
            {"where": {"recs": "user_id = 'bob'"}},
            ": where={'recs': \"user_id = 'bob'\"} removes all of them",
        ),
        (lists({"ann": "", "bob": "y"}), {}, UNLIKE_USERS.format("bob", "ann")),
        (lists({"Ann": "y"}), {}, UNLIKE_USERS.format("Ann", "ann")),
    ],
)
def test_an_error_says_why_lists_have_other_users(recs, options, reason):
    with raises(sqlrec.DataError) as raised:
        sqlrec.evaluate("mrr@2", recs=recs, truth=TRUTH, **options)
    assert str(raised.value) == f"recs: no user of truth has a list{reason}"


def test_each_model_has_its_own_reason():
    models = {"low": NEGATIVE, "high": scored({"ann": {"y": 1.0, "x": 0.5}})}
    expected = (
        "low: no user of truth has a list: the rules of the convention remove items with a score "
        "of 0 or below"
    )
    assert warnings_of(recs=models, convention="torchmetrics") == [expected]
    column = pa.concat_tables(
        table.append_column("model", pa.array([name] * 2)) for name, table in models.items()
    )
    assert warnings_of(recs=column, convention="torchmetrics") == [expected]


def test_a_condition_may_leave_no_item_of_the_truth():
    recs = scored({"ann": {"x": 2.0, "y": 1.0, "z": 0.5}})
    where = {"recs": "item_id <> 'y'"}
    assert warnings_of(recs=recs, where=where) == [
        f"recs: with where={where}, no item of truth is in any list"
    ]
    message = (
        "recs: no item of truth is in any list: check that item_id has the same format in both "
        "tables; lists have 'X', and truth has 'y'"
    )
    assert warnings_of(recs=lists({"ann": "XY"}), where={"truth": "item_id = 'y'"}) == [message]


def test_a_warning_says_why_nothing_is_relevant():
    graded = wanted({"ann": {"y": 3.0}, "bob": {"y": 5.0}})
    inputs = {"recs": lists({"ann": "yx"}), "truth": graded, "population": "recs"}
    nothing = "recs: no user with a list has a relevant item in truth"
    assert warnings_of("hit_rate@2", **inputs, relevance_threshold=4) == [
        f"{nothing}: none of their items in truth has a relevance of at least 4"
    ]
    inputs["recs"] = lists({"Ann": "yx"})
    with raises(sqlrec.DataError) as raised:
        sqlrec.evaluate("hit_rate@2", **inputs)
    assert str(raised.value) == nothing + UNLIKE_USERS.format("Ann", "ann")


def test_an_error_names_the_rule_too():
    with raises(sqlrec.DataError, match="cutoff; items with a score of 0 or below are removed"):
        inputs = {"recs": NEGATIVE, "truth": TRUTH, "rules": sqlrec.Rules(population="recs")}
        sqlrec.evaluate("mrr(convention=torchmetrics)@2", **inputs)
    recs = scored({"ann": {"x": NAN}})
    with raises(sqlrec.DataError, match="cutoff; items without a score are removed"):
        sqlrec.evaluate("gini@2", recs=recs, rules=sqlrec.Rules(null_scores="drop"))


class TestUuids:
    IDS = tuple(UUID(int=number) for number in range(3))
    TEXTS = tuple(map(str, IDS))

    def test_are_compared_with_text_as_they_are_written(self):
        for users, others in ((self.IDS, self.TEXTS), (self.TEXTS, self.IDS), (self.IDS, self.IDS)):
            recs = pd.DataFrame({"user_id": users, "item_id": [["a"]] * 3})
            truth = pd.DataFrame({"user_id": others, "item_id": ["a"] * 3})
            result = sqlrec.evaluate("hit_rate@1", recs=recs, truth=truth)
            assert result.to_arrow()["value"].to_pylist() == [1]

    def test_may_be_items_of_lists_in_a_database(self):
        connection = duckdb.connect()
        connection.execute("create table texts (user_id varchar, item_id varchar)")
        connection.executemany("insert into texts values (?, ?)", [[x, x] for x in self.TEXTS])
        recs = "select user_id, [item_id::uuid] as item_id from texts"
        connection.execute(f"create table recs as {recs}")
        result = sqlrec.evaluate("hit_rate@1", recs="recs", truth="texts", engine=connection)
        assert result.to_arrow()["value"].to_pylist() == [1]

    def test_and_numbers_are_not_compared(self):
        recs = pd.DataFrame({"user_id": self.IDS, "item_id": [["a"]] * 3})
        truth = pd.DataFrame({"user_id": [0, 1, 2], "item_id": ["a"] * 3})
        with raises(sqlrec.InputError, match="UUID in recs but BIGINT in truth"):
            sqlrec.evaluate("hit_rate@1", recs=recs, truth=truth)
