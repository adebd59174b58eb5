from pytest import approx

import sqlrec

from ..tables import decisions, rows, values

COLUMNS = "reward propensity target_probability predicted_reward expected_reward"


def test_divides_the_correction_by_the_weights():
    logs = decisions(COLUMNS, (1, 0.5, 0.25, 0.5, 0.25), (0, 0.25, 1, 0.125, 0.5))
    expected = (0.25 + 0.5) / 2 + (0.5 * 0.5 - 4 * 0.125) / 4.5
    assert values(sqlrec.evaluate("sndr", logs=logs)) == approx([expected])


def test_has_no_value_where_nothing_has_weight():
    logs = decisions(COLUMNS, (1, 0.5, 0, 0.5, 0.25))
    assert rows(sqlrec.evaluate("sndr", logs=logs), "value", "users") == [(None, 0)]
