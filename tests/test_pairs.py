"""Gains and losses of 0/1 values beside a margin."""

import numpy as np
from pytest import approx, mark
from scipy import optimize, stats

from sqlrec.statistics.pairs import _score, p_of_pairs


def counts(users):
    """All counts of gains and losses that so many users can have."""
    return [(more, less) for more in range(users + 1) for less in range(users + 1 - more)]


def test_the_score_is_that_of_a_published_interval():
    """1 gain and 7 losses of 21 pairs: -0.517 to -0.026 (Fagerland et al. 2014)."""
    limits = [
        optimize.brentq(lambda margin, z=z: _score(1, 7, 21, margin)[0] - z, -0.99, 0.99)
        for z in stats.norm.ppf([0.975, 0.025])
    ]
    assert limits == approx([-0.517, -0.026], abs=5e-4)


@mark.parametrize(("users", "margin"), [(8, -0.1), (9, 0.05), (12, -0.3)])
def test_p_is_the_chance_of_counts_whose_score_is_as_large(users, margin):
    """The most likely shares are found by search here, of the likelihood itself."""

    def unlikely(lost, gains, losses):
        shares = np.array([lost + margin, lost, 1 - 2 * lost - margin])
        return -float(
            np.sum(np.log(np.maximum(shares, 1e-300)) * [gains, losses, users - gains - losses])
        )

    def score(gains, losses):
        limits = (max(0.0, -margin), (1 - margin) / 2)
        found = optimize.minimize_scalar(
            unlikely, bounds=limits, args=(gains, losses), options={"xatol": 1e-12}
        )
        # A search ends beside a limit.
        lost = min([*limits, found.x], key=lambda lost: unlikely(lost, gains, losses))
        variance = users * (2 * lost + margin - margin**2)
        return (gains - losses - users * margin) / np.sqrt(variance), lost

    scores = {pair: score(*pair) for pair in counts(users)}
    for pair, (least, lost) in scores.items():
        shares = [lost + margin, lost, 1 - 2 * lost - margin]
        expected = sum(
            stats.multinomial.pmf([*other, users - sum(other)], users, np.clip(shares, 0, 1))
            for other, (found, _) in scores.items()
            if found >= least - 1e-7
        )
        assert p_of_pairs(*pair, users, margin) == approx(expected, rel=1e-5, abs=1e-9)


def passing(passed, users, margin):
    """The largest chance that a model passes that is worse by the margin, exactly."""
    found = []
    for gained in (0, 0.01, 0.05, 0.1, 0.2, 0.3):
        shares = [gained, gained + margin, 1 - 2 * gained - margin]
        chances = [stats.multinomial.pmf([*one, users - sum(one)], users, shares) for one in passed]
        found.append(sum(chances))
    return max(found)


@mark.parametrize(("users", "margin"), [(10, 0.05), (20, 0.02), (20, 0.2), (30, 0.1)])
def test_at_most_one_model_in_20_that_is_worse_by_the_margin_passes(users, margin):
    passed = [pair for pair in counts(users) if p_of_pairs(*pair, users, -margin) <= 0.05]
    assert passing(passed, users, margin) <= 0.0505


def test_t_lets_18_in_100_pass():
    """As docs/statistics.md says of 30 users and a margin of 0.1."""
    passed = []
    for gains, losses in counts(30):
        mean = (gains - losses) / 30
        error = np.sqrt(((gains + losses) / 30 - mean**2) / 29)
        unseen = 0.9**30 if gains == losses == 0 else 1
        if (stats.t.sf((mean + 0.1) / error, 29) if error else unseen) <= 0.05:
            passed.append((gains, losses))
    assert passing(passed, 30, 0.1) == approx(0.18, abs=0.005)


def test_many_users_who_differ_have_the_normal_distribution():
    exact, normal = p_of_pairs(95, 100, 2000, -0.01), p_of_pairs(950, 1000, 20000, -0.01)
    assert exact == approx(stats.norm.sf(15 / np.sqrt(195)), rel=0.05)
    assert normal == approx(stats.norm.sf(150 / np.sqrt(1950)), rel=0.05)


@mark.parametrize("counted", [(0, 0, 10), (10, 0, 10), (0, 10, 10), (3, 4, 10), (1, 0, 10**7)])
@mark.parametrize("margin", [-2, -1, -0.999, -1e-9, 1e-9, 0.999, 1, 2])
def test_p_is_a_chance_whatever_the_margin(counted, margin):
    assert 0 <= p_of_pairs(*counted, margin) <= 1
