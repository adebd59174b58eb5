from math import sqrt

from pytest import approx

import sqlrec

from ..tables import decisions, lists, rows, values


def test_is_the_mean_reward_by_weight():
    logs = decisions(
        "reward propensity target_probability", (1, 0.5, 0.25), (0, 0.5, 1), (3, 0.25, 0.5)
    )
    assert values(sqlrec.evaluate("snips", logs=logs)) == approx([6.5 / 4.5])


def test_its_error_is_that_of_a_ratio_of_sums():
    logs = decisions(
        "reward propensity target_probability", (1, 0.5, 0.25), (0, 0.5, 1), (3, 0.25, 0.5)
    )
    (found,) = rows(sqlrec.evaluate("snips", logs=logs, interval="normal"), "standard_error")
    # Weights of 0.5, 2 and 2 and weighted rewards of 0.5, 0 and 6, whose ratio is 13 / 9. What is
    # left of each is reward * weight - ratio * weight.
    left = [0.5 - 6.5 / 9, 0 - 26 / 9, 6 - 26 / 9]
    assert found == approx((sqrt(sum(each**2 for each in left) * 3 / 2) / 4.5,))


def test_is_1_where_all_rewards_are():
    logs = decisions("reward propensity target_probability", (1, 0.001, 1), (1, 0.9, 0.1))
    assert values(sqlrec.evaluate("snips", logs=logs)) == approx([1])


def test_has_no_value_where_nothing_has_weight():
    recs = lists({"ann": "ab"})
    logs = decisions(
        "user_id item_id reward propensity", ("ann", "b", 1, 0.5), ("ann", "c", 1, 0.5)
    )
    result = sqlrec.evaluate("snips@1 snips@2", recs=recs, logs=logs)
    assert rows(result, "k", "value", "users") == [(1, None, 0), (2, 1, 2)]
