"""Distributions in plain Python, compared with SciPy's."""

import itertools

import numpy as np
from pytest import approx, mark

from sqlrec.statistics.distributions import (
    normal_outside,
    sign_test_p,
    signed_ranks_outside,
    t_outside,
    t_quantile,
)

from .packages import stats

FREEDOMS = [1, 1.5, 2, 2.7, 3, 4, 7, 15, 29, 38.6, 79, 81, 200, 1000, 3333, 1e4, 123456.7, 1e6]


@mark.parametrize("freedom", FREEDOMS)
def test_quantiles_of_t_are_those_of_scipy(freedom):
    for level in (0.01, 0.5, 0.6, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999, 0.999999):
        share = (1 + level) / 2
        expected = float(stats.t.ppf(share, freedom))
        assert t_quantile(share, freedom) == approx(expected, rel=1e-12, abs=0)
        assert t_quantile(1 - share, freedom) == approx(-expected, rel=1e-9, abs=0)


@mark.parametrize("freedom", FREEDOMS)
def test_areas_of_t_are_those_of_scipy(freedom):
    for t in (0.1, 0.5, 1, 1.5, 1.7, 1.75, 2, 3, 5, 8, 12, 20, 35, 1e3):
        expected = 2 * float(stats.t.sf(t, freedom))
        if expected > 1e-290:
            assert t_outside(t, freedom) == approx(expected, rel=1e-12, abs=0)
            assert t_outside(-t, freedom) == t_outside(t, freedom)


def test_quantiles_have_no_end_and_a_middle():
    assert t_quantile(0.5, 7) == 0
    assert t_outside(0, 7) == 1
    assert 0 <= t_outside(1e200, 1) < 1e-140
    for freedom in (1, 3, 1e6):
        for share in (0.5 + 1e-12, 1 - 1e-15):
            assert stats.t.cdf(t_quantile(share, freedom), freedom) == approx(share, rel=1e-13)


def test_the_normal_distribution_keeps_its_digits():
    for z in (0, 0.1, 2, -7, 30):
        assert normal_outside(z) == approx(2 * stats.norm.sf(abs(z)), rel=1e-12, abs=0)


@mark.parametrize("whole", [1, 2, 3, 10, 61, 1500, 5000, 100_001, 3_000_000])
def test_wins_and_losses_are_as_uneven_as_scipy_has_it(whole):
    for part in (0, 0.1, 0.3, 0.45, 0.49, 0.4999, 0.5):
        fewer = int(part * whole)
        expected = stats.binomtest(fewer, whole).pvalue
        assert sign_test_p(fewer, whole) == approx(expected, rel=1e-7, abs=1e-300)


@mark.parametrize("size", [1, 2, 5, 12, 50])
def test_signed_ranks_are_exact(size):
    chance = np.random.default_rng(size)
    for _ in range(5):
        off = chance.normal(0.3, 1, size)
        ranks = stats.rankdata(abs(off))
        expected = stats.wilcoxon(off, method="exact").pvalue
        assert signed_ranks_outside(np.sign(off) @ ranks, ranks) == approx(expected, rel=1e-12)


def test_signed_ranks_with_ties_are_exact_too():
    chance = np.random.default_rng(3)
    for size in (2, 3, 6, 9):
        off = chance.choice([-2, -1, 1, 2, 3], size)
        ranks = stats.rankdata(abs(off))
        every = [abs(ranks @ signs) for signs in itertools.product((-1, 1), repeat=size)]
        result = signed_ranks_outside(np.sign(off) @ ranks, ranks)
        assert result == approx(np.mean(np.array(every) >= abs(np.sign(off) @ ranks)), rel=1e-12)
