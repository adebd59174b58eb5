"""Gains and losses of values of 0 and 1, compared with a margin."""

import itertools

import numpy as np
from pytest import approx, mark

from sqlrec.statistics.pairs import _ratio_score, _score, ratio_score_test_p, score_test_p

from .packages import optimize, stats


def counts(users):
    """Return all possible counts of gains and losses of a number of users."""
    return [(more, less) for more in range(users + 1) for less in range(users + 1 - more)]


def test_the_score_is_that_of_a_published_interval():
    """1 gain and 7 losses of 21 pairs: -0.517 to -0.026 (Fagerland et al. 2014)."""
    limits = [
        optimize.brentq(lambda margin, z=z: _score(1, 7, 21, margin)[0] - z, -0.99, 0.99)
        for z in stats.norm.ppf([0.975, 0.025])
    ]
    assert limits == approx([-0.517, -0.026], abs=5e-4)


@mark.parametrize(("users", "margin"), [(8, -0.1), (9, 0.05), (12, -0.3)])
def test_p_is_the_probability_of_counts_with_as_large_a_score(users, margin):
    """Here, the most likely shares are found by a search of the likelihood."""

    def unlikely(lost, gains, losses):
        shares = np.array([lost + margin, lost, 1 - 2 * lost - margin])
        return -float(
            np.sum(np.log(np.maximum(shares, 1e-300)) * [gains, losses, users - gains - losses])
        )

    def score(gains, losses):
        limits = (max(0.0, -margin), (1 - margin) / 2)
        result = optimize.minimize_scalar(
            unlikely, bounds=limits, args=(gains, losses), options={"xatol": 1e-12}
        )
        # A search ends next to a limit.
        lost = min([*limits, result.x], key=lambda lost: unlikely(lost, gains, losses))
        variance = users * (2 * lost + margin - margin**2)
        return (gains - losses - users * margin) / np.sqrt(variance), lost

    scores = {pair: score(*pair) for pair in counts(users)}
    for pair, (least, lost) in scores.items():
        shares = [lost + margin, lost, 1 - 2 * lost - margin]
        as_large = [other for other, (result, _) in scores.items() if result >= least - 1e-7]
        expected = chance_of_any(as_large, users, np.clip(shares, 0, 1))
        assert score_test_p(*pair, users, margin) == approx(expected, rel=1e-5, abs=1e-9)


def chance_of_any(counted, users, shares):
    """Return the probability of any of these counts; the last count is that of the other users."""
    counted = np.array(counted)
    whole = np.column_stack([counted, users - counted.sum(axis=1)])
    return stats.multinomial.pmf(whole, users, shares).sum()


def passing(passed, users, margin):
    """Return the largest exact probability that a model that is worse by the margin passes."""
    result = []
    for gained in (0, 0.01, 0.05, 0.1, 0.2, 0.3):
        shares = [gained, gained + margin, 1 - 2 * gained - margin]
        result.append(chance_of_any(passed, users, shares))
    return max(result)


@mark.parametrize(("users", "margin"), [(10, 0.05), (20, 0.02), (20, 0.2), (30, 0.1)])
def test_at_most_one_model_in_20_that_is_worse_by_the_margin_passes(users, margin):
    passed = [pair for pair in counts(users) if score_test_p(*pair, users, -margin) <= 0.05]
    assert passing(passed, users, margin) <= 0.0505


def test_many_differing_users_have_the_normal_p_value():
    exact, normal = score_test_p(95, 100, 2000, -0.01), score_test_p(950, 1000, 20000, -0.01)
    assert exact == approx(stats.norm.sf(15 / np.sqrt(195)), rel=0.05)
    assert normal == approx(stats.norm.sf(150 / np.sqrt(1950)), rel=0.05)


@mark.parametrize("counted", [(0, 0, 10), (10, 0, 10), (0, 10, 10), (3, 4, 10), (1, 0, 10**7)])
@mark.parametrize("margin", [-2, -1, -0.999, -1e-9, 1e-9, 0.999, 1, 2])
def test_p_is_a_probability_for_any_margin(counted, margin):
    assert 0 <= score_test_p(*counted, margin) <= 1


def tables(users):
    """Return all possible counts of common hits, gains and losses of a number of users."""
    counts = range(users + 1)
    return [
        (both, *pair)
        for both in counts
        for pair in itertools.product(counts, repeat=2)
        if both + sum(pair) <= users
    ]


def test_the_score_of_a_ratio_is_that_of_a_published_interval():
    """1 and 7 of 21 children who changed, 1 with both: 0.065 to 0.907 (Fagerland et al. 2014)."""
    limits = [
        optimize.brentq(lambda ratio, z=z: _ratio_score(1, 1, 7, 21, ratio)[0] - z, 0.01, 20)
        for z in stats.norm.ppf([0.975, 0.025])
    ]
    assert limits == approx([0.065, 0.907], abs=5e-4)


@mark.slow
@mark.parametrize(("users", "ratio"), [(5, 0.9), (6, 1.3), (7, 0.7)])
def test_p_of_a_ratio_is_the_chance_of_scores_as_large_at_five_shares(users, ratio):
    """Here, the most likely shares are found by a search."""

    def shares_at(hits, lost):
        lost = min(max(lost, hits * (1 - ratio), 0), hits / (1 + ratio))
        of_baseline = (hits - lost) / ratio
        return np.clip([of_baseline - lost, hits - of_baseline, lost, 1 - hits], 0, 1)

    def score(counted):
        hits = sum(counted) / users

        def unlikely(lost):
            return -np.sum(np.log(np.maximum(shares_at(hits, lost)[:3], 1e-300)) * counted)

        limits = (max(0.0, hits * (1 - ratio)), hits / (1 + ratio))
        result = optimize.minimize_scalar(unlikely, bounds=limits, options={"xatol": 1e-12})
        lost = min([*limits, result.x], key=unlikely)
        both, gained, lost, _ = shares_at(hits, lost)
        variance = users * (gained + ratio**2 * lost + (1 - ratio) ** 2 * both)
        return (both_of(counted) @ [1, -ratio]) / np.sqrt(variance), hits, lost

    def both_of(counted):
        return np.array([counted[0] + counted[1], counted[0] + counted[2]])

    scores = {counted: score(counted) for counted in tables(users) if sum(counted)}
    scores[0, 0, 0] = (0.0, 0.0, 0.0)
    for counted, (least, hits, lost) in scores.items():
        result = ratio_score_test_p(*counted, users, ratio)
        if not hits:
            assert result == 1
            continue
        off, off_lost = (np.sqrt(share * (1 - share) / users) for share in (hits, lost))
        points = [(hits, lost), (hits, lost - off_lost), (hits, lost + off_lost)]
        points += [(near, lost * near / hits) for near in (hits - off, min(1, hits + off)) if near]
        larger = [other for other, one in scores.items() if one[0] >= least - 1e-7]
        expected = max(
            sum(stats.multinomial.pmf([*one, users - sum(one)], users, at) for one in larger)
            for at in (shares_at(*point) for point in points)
        )
        assert result == approx(expected, rel=1e-5, abs=1e-9), counted


@mark.parametrize("counted", [(0, 0, 0, 9), (9, 0, 0, 9), (0, 9, 0, 9), (0, 0, 9, 9), (2, 3, 4, 9)])
@mark.parametrize("ratio", [-1, 0, 0.001, 1, 1 + 1e-9, 1000])
def test_p_of_a_ratio_is_a_probability_for_any_ratio(counted, ratio):
    assert 0 <= ratio_score_test_p(*counted, ratio) <= 1


@mark.slow
def test_many_differing_users_have_the_normal_p_value_of_a_ratio():
    exact, normal = (
        ratio_score_test_p(100, 22, 24, 1000, 0.9),
        ratio_score_test_p(10_000, 2200, 2400, 10**5, 0.97),
    )
    assert exact == approx(stats.norm.sf(_ratio_score(100, 22, 24, 1000, 0.9)[0]), rel=0.06)
    assert normal == approx(stats.norm.sf(_ratio_score(10**4, 2200, 2400, 10**5, 0.97)[0]))
