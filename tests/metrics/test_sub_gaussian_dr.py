from pytest import approx

import sqlrec

from ..tables import values
from .test_shrunk_dr import LOGS


def test_corrects_by_bounded_weights():
    # Weights 0.5 and 4, which become 0.5 / 0.75 and 4 / 2.5.
    (value,) = values(sqlrec.evaluate("sub_gaussian_dr(shrinkage=0.5)", logs=LOGS))
    assert value == approx((0.375 + 2 / 3 * 0.5 + 0.75 - 1.6 * 0.125) / 2)


def test_is_doubly_robust_with_0():
    bounded, dr = values(sqlrec.evaluate("sgdr(shrinkage=0) dr", logs=LOGS))
    assert bounded == approx(dr)
