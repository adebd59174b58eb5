from pytest import approx, raises

import sqlrec

from ..tables import values
from .test_shrunk_dr import LOGS


def test_does_not_correct_where_a_weight_is_above_tau():
    result = sqlrec.evaluate("switch_dr(tau=3.5)", logs=LOGS)
    assert values(result) == approx([(0.375 + 0.5 * 0.5 + 0.75) / 2])


def test_corrects_where_it_is_tau():
    switched, dr = values(sqlrec.evaluate("switch_dr(tau=4) dr", logs=LOGS))
    assert switched == dr


def test_is_the_direct_method_with_0():
    switched, dm = values(sqlrec.evaluate("switch_dr(tau=0) dm", logs=LOGS))
    assert switched == dm
    with raises(sqlrec.MetricError, match="tau is a number from 0"):
        sqlrec.evaluate("switch_dr(tau=-1)", logs=LOGS)
