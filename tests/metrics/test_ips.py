from math import sqrt
from statistics import stdev

import pyarrow as pa
from pytest import approx, raises

import sqlrec

from ..tables import decisions, lists, rows, table, values

RECS = lists({"ann": "abc", "bob": "xa", "dan": "a"})
LOGS = decisions(
    "user_id item_id reward propensity",
    ("ann", "a", 1, 0.5),
    ("ann", "b", 1, 0.25),
    ("ann", "z", 1, 0.25),
    ("bob", "a", 2, 0.125),
    ("cid", "a", 1, 1),
)
OF_A_POLICY = decisions(
    "reward propensity target_probability",
    (1, 0.5, 0.25),
    (0, 0.5, 1),
    (3, 0.25, 0.5),
    (1, 1, 0),
)


def test_weighs_rewards_by_target_probability_and_propensity():
    result = sqlrec.evaluate("ips", logs=OF_A_POLICY)
    assert rows(result, "model", "k", "value", "users") == [("recs", None, approx(6.5 / 4), 4)]


def test_takes_lists_for_a_policy_that_shows_them():
    result = sqlrec.evaluate("ips@1 ips@2 ips", recs=RECS, logs=LOGS)
    assert values(result) == approx([2 / 5, (2 + 4 + 16) / 5, (2 + 4 + 16) / 5])


def test_counts_a_decision_of_a_user_without_list_as_one_not_taken():
    logs = decisions(
        "user_id item_id reward propensity", ("ann", "a", 1, 0.5), ("cid", "a", 1, 0.5)
    )
    assert values(sqlrec.evaluate("ips", recs=RECS, logs=logs)) == [1]


def test_asks_for_the_logged_place_where_logs_has_one():
    logs = decisions(
        "user_id item_id position reward propensity",
        ("ann", "a", 1, 1, 0.5),
        ("ann", "a", 2, 1, 0.5),
        ("ann", "b", 2, 1, 0.25),
        ("ann", "c", 4, 1, 0.25),
    )
    assert values(sqlrec.evaluate("ips@1 ips@5", recs=RECS, logs=logs)) == approx([2 / 4, 6 / 4])


def test_its_error_is_that_of_the_mean_of_weighted_rewards():
    (found,) = rows(sqlrec.evaluate("ips", logs=OF_A_POLICY, interval="normal"), "standard_error")
    # Weighted rewards of 0.5, 0, 6 and 0.
    assert found == approx((stdev([0.5, 0, 6, 0]) / sqrt(4),))


def test_its_error_by_places_is_that_of_a_sum_over_how_many_there_are():
    logs = decisions(
        "user_id item_id reward propensity",
        ("ann", "a", 1, 0.5),
        ("bob", "x", 2, 0.25),
        ("dan", "b", 1, 0.25),
    )
    asked = "ips(divide_by=recommended)@2"
    result = sqlrec.evaluate(asked, recs=RECS, logs=logs, interval="normal")
    (found,) = rows(result, "standard_error")
    # Weighted rewards of 2, 8 and 0, and two, two and one places.
    assert found == approx((stdev([2, 8, 0]) * sqrt(3) / 5,))
    one_place = {"recs": lists({"ann": "a"}), "logs": logs, "interval": "normal"}
    (found,) = rows(sqlrec.evaluate(asked.replace("2", "1"), **one_place), "standard_error")
    assert found == approx((stdev([2, 0, 0]) * sqrt(3),))


def test_divides_by_the_places_of_all_lists_within_k_where_asked():
    result = sqlrec.evaluate(
        "ips(divide_by=recommended)@1 ips(divide_by=recommended)@2", recs=RECS, logs=LOGS
    )
    assert values(result) == approx([2 / 3, 22 / 5])


def test_counts_places_of_the_same_segment_and_model():
    users = table(
        [("ann", "nl"), ("bob", "nl"), ("cid", None)], user_id=pa.string(), country=pa.string()
    )
    result = sqlrec.evaluate(
        "ips(divide_by=recommended)@2 ips@2",
        recs={"a": RECS, "b": lists({"cid": "ab", "dan": "c"})},
        logs=LOGS,
        users=users,
        by="country",
    )
    assert rows(result, "model", "country", "metric", "value", "users") == [
        ("a", "nl", "ips(divide_by=recommended)", approx(22 / 4), 4),
        ("a", "nl", "ips", approx(22 / 4), 4),
        # Who is not in users, as dan, is in the segment without name.
        ("a", None, "ips(divide_by=recommended)", 0, 1),
        ("a", None, "ips", 0, 1),
        ("b", "nl", "ips(divide_by=recommended)", None, 0),
        ("b", "nl", "ips", 0, 4),
        ("b", None, "ips(divide_by=recommended)", approx(1 / 3), 1),
        ("b", None, "ips", approx(1), 1),
    ]


def test_has_places_to_divide_by_only_with_recs():
    logs = decisions("reward propensity target_probability", (1, 0.5, 0.25))
    with raises(sqlrec.InputError, match=r"recs is missing: ips\(divide_by=recommended\) needs"):
        sqlrec.evaluate("ips(divide_by=recommended)", logs=logs)
