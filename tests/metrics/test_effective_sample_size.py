from pytest import approx

import sqlrec

from ..tables import decisions, lists, rows, values


def test_is_the_number_of_decisions_of_equal_weight():
    logs = decisions("propensity target_probability", *[(0.25, 0.5)] * 5)
    assert values(sqlrec.evaluate("ess", logs=logs)) == approx([5])


def test_nears_1_where_one_decision_has_nearly_all_weight():
    logs = decisions("propensity target_probability", (1, 1), (1, 0.5), (0.001, 1))
    assert values(sqlrec.evaluate("ess", logs=logs)) == approx([1001.5**2 / (1 + 0.25 + 1e6)])


def test_has_no_value_where_nothing_has_weight():
    logs = decisions("user_id item_id propensity", ("ann", "b", 0.5), ("ann", "b", 0.25))
    result = sqlrec.evaluate("ess@1 ess@2", recs=lists({"ann": "ab"}), logs=logs)
    assert rows(result, "value", "users") == [(None, 0), (approx(36 / 20), 2)]
