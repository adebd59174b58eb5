from pytest import approx, raises

import sqlrec

from ..tables import decisions, values

LOGS = decisions("reward propensity target_probability", (1, 0.5, 0.25), (2, 0.25, 1), (1, 0.5, 0))


def test_bounds_weights():
    # Weights 0.5, 4 and 0, which become 0.5 / 0.75, 4 / 2.5 and 0.
    (value,) = values(sqlrec.evaluate("sub_gaussian_ips(shrinkage=0.5)", logs=LOGS))
    assert value == approx((2 / 3 + 2 * 1.6) / 3)


def test_is_ips_with_0_and_bounded_near_1():
    asked = "sgips(shrinkage=0) ips sgips(shrinkage=0.999999999)"
    plain, ips, bounded = values(sqlrec.evaluate(asked, logs=LOGS))
    assert plain == approx(ips)
    assert bounded == approx(1, abs=1e-8)
    with raises(sqlrec.MetricError, match="shrinkage is a number from 0"):
        sqlrec.evaluate("sgips(shrinkage=1)", logs=LOGS)
