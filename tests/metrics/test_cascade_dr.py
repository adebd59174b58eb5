from pytest import approx

import sqlrec

from ..tables import decisions, values

COLUMNS = "slate_id position reward propensity target_probability predicted_reward expected_reward"


def test_corrects_from_the_top_down():
    # Weights 0.5 and 4: from the top 0.5 and 2, above each 1 and 0.5.
    logs = decisions(COLUMNS, (7, 2, 1, 0.25, 1, 0.5, 0.75), (7, 1, 3, 0.5, 0.25, 2, 2.5))
    (value,) = values(sqlrec.evaluate("cascade_dr", logs=logs))
    assert value == approx(0.5 * (3 - 2) + 2.5 + 2 * (1 - 0.5) + 0.5 * 0.75)


def test_is_doubly_robust_with_one_position():
    logs = decisions(COLUMNS, (7, 1, 1, 0.5, 0.25, 0.5, 0.375), (8, 1, 0, 0.25, 1, 0.125, 0.75))
    cascade, dr = values(sqlrec.evaluate("cascade_dr dr", logs=logs))
    assert cascade == approx(dr)
