from pytest import approx, raises

import sqlrec

from ..tables import decisions, values

LOGS = decisions(
    "reward propensity target_probability predicted_reward expected_reward",
    (1, 0.5, 0.25, 0.5, 0.375),
    (0, 0.25, 1, 0.125, 0.75),
)


def test_a_weight_of_the_square_root_of_the_shrinkage_counts_half():
    # Weights 0.5 and 4, which become 16 * 0.5 / 16.25 and 2.
    (value,) = values(sqlrec.evaluate("shrunk_dr(shrinkage=16)", logs=LOGS))
    assert value == approx((0.375 + 8 / 16.25 * 0.5 + 0.75 - 2 * 0.125) / 2)


def test_lies_between_the_direct_method_and_doubly_robust():
    asked = "shrunk_dr(shrinkage=0.000001) dm shrunk_dr(shrinkage=1000000000) dr"
    small, dm, large, dr = values(sqlrec.evaluate(asked, logs=LOGS))
    assert (small, large) == approx((dm, dr), abs=1e-5)
    with raises(sqlrec.MetricError, match="shrinkage is a number above 0"):
        sqlrec.evaluate("dros(shrinkage=0)", logs=LOGS)
