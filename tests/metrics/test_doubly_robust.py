from pytest import approx

import sqlrec

from ..tables import decisions, lists, values

COLUMNS = "reward propensity target_probability predicted_reward expected_reward"


def test_corrects_expected_rewards_by_the_weighted_errors_of_the_model():
    logs = decisions(COLUMNS, (1, 0.5, 0.25, 0.5, 0.25), (0, 0.25, 1, 0.125, 0.75))
    expected = [(0.25 + 0.5 * 0.5 + 0.75 - 4 * 0.125) / 2]
    assert values(sqlrec.evaluate("doubly_robust", logs=logs)) == approx(expected)


def test_is_ips_where_the_model_says_0_and_the_direct_method_where_it_is_right():
    logs = decisions(COLUMNS, (1, 0.5, 0.25, 0, 0), (0, 0.25, 1, 0, 0))
    dr, ips = values(sqlrec.evaluate("dr ips", logs=logs))
    assert dr == approx(ips)
    logs = decisions(COLUMNS, (1, 0.5, 0.25, 1, 0.5), (0, 0.25, 1, 0, 0.25))
    dr, dm = values(sqlrec.evaluate("dr dm", logs=logs))
    assert dr == approx(dm)


def test_takes_the_whole_lists_of_one_model():
    logs = decisions(
        "user_id item_id reward propensity predicted_reward expected_reward",
        ("ann", "b", 1, 0.25, 0.5, 0.125),
        ("ann", "z", 1, 0.25, 0.5, 0.125),
    )
    result = sqlrec.evaluate("doubly_robust", recs=lists({"ann": "ab"}), logs=logs)
    assert values(result) == approx([(0.125 + 4 * 0.5 + 0.125) / 2])
