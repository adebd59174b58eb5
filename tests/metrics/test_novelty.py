import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, rows, table, values

RECS = lists({"ann": "abcd", "bob": "xy"})
HISTORY = lists({"ann": "bx", "cid": "a"})


def novelty(metric, **options):
    return values(sqlrec.evaluate(metric, recs=RECS, history=HISTORY, **options))


def test_is_the_share_of_items_that_the_user_has_not_had():
    assert novelty("novelty@2 novelty@4") == approx([(1 / 2 + 1) / 2, (3 / 4 + 1) / 2])


def test_divides_by_the_places_of_a_short_list_or_by_k():
    assert novelty("novelty@8 novelty(divide_by=k)@8") == approx([7 / 8, (3 / 8 + 2 / 8) / 2])


def test_of_users_of_the_history_one_without_list_counts_1():
    # Of ann and cid; bob has no history.
    assert novelty("novelty(users=history)@2") == approx([(1 / 2 + 1) / 2])
    assert novelty("novelty(users=history, divide_by=k)@8") == approx([(3 / 8 + 1) / 2])


def test_a_history_of_one_user_is_one():
    given = {"recs": lists({"ann": "abcd"}), "history": lists({"ann": "bx"})}
    assert values(sqlrec.evaluate("novelty(users=history)@9", **given)) == [3 / 4]


def test_of_users_of_the_history_each_segment_has_its_own():
    users = [("ann", "x"), ("cid", "y"), ("eve", "x"), ("bob", "x"), ("dan", "y")]
    lands = table(users, user_id=pa.string(), land=pa.string())
    result = sqlrec.evaluate(
        "novelty(users=history)@2",
        recs=lists({"ann": "ab", "bob": "ab", "dan": "ac"}),
        history=lists({"ann": "b", "cid": "a", "dan": "ac", "eve": "a"}),
        users=lands,
        by="land",
    )
    assert dict(rows(result, "land", "value")) == approx({"x": (1 / 2 + 1) / 2, "y": (0 + 1) / 2})


def test_of_users_of_the_history_all_that_are_averaged_over_have_a_value():
    result = sqlrec.evaluate(
        "novelty(users=history)@2", recs=RECS, history=HISTORY, interval="t", summaries="min max"
    )
    ours = ("value", "users", "min", "max", "standard_error")
    assert rows(result, *ours) == [approx((3 / 4, 2, 1 / 2, 1, 1 / 4))]
    assert dict(rows(result.per_user(), "user_id", "value")) == {"ann": 0.5, "bob": None, "cid": 1}
    assert rows(result.user_counts, "users_evaluated", "users_without_list") == [(3, 1)]
