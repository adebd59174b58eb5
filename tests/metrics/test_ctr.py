from pytest import approx

import sqlrec

from ..tables import decisions, lists, rows, values

RECS = lists({"ann": "abc", "bob": "xa"})
LOGS = decisions(
    "user_id item_id reward",
    ("ann", "a", 1),
    ("ann", "a", 0),
    ("ann", "b", 1),
    ("ann", "z", 1),
    ("bob", "a", 0),
    ("cid", "a", 1),
)


def ctr(metric, logs=LOGS, **options):
    return values(sqlrec.evaluate(metric, recs=RECS, logs=logs, **options))


def test_is_the_mean_reward_of_decisions_whose_item_is_in_the_users_list():
    assert ctr("ctr@1 ctr@2 ctr") == approx([1 / 2, 2 / 4, 2 / 4])


def test_counts_rewards_of_any_size():
    logs = decisions("user_id item_id reward", ("ann", "a", 2.5), ("ann", "b", -1))
    assert ctr("ctr", logs) == approx([1.5 / 2])


def test_asks_for_the_logged_place_where_logs_has_one():
    logs = decisions(
        "user_id item_id position reward",
        ("ann", "a", 1, 1),
        ("ann", "b", 1, 1),
        ("ann", "c", 3, 0),
    )
    assert ctr("ctr@1 ctr@3", logs) == approx([1, 1 / 2])


def test_has_no_value_where_no_decision_is_in_a_list():
    logs = decisions("user_id item_id reward", ("ann", "z", 1))
    result = sqlrec.evaluate("ctr", recs=RECS, logs=logs)
    assert rows(result, "value", "users") == [(None, 0)]
