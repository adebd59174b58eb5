"""Score tests for differences of 0/1 values with a margin, from counts of gains and losses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache

from .distributions import binomial_tail, multinomial_probability, normal_distribution

# Minimum number of users with a difference for the normal distribution, and tolerance of scores.
_MANY, _SAME = 200, 1e-9
_MANY_OF_RATIO = 50


def score_test_p(gains: int, losses: int, users: int, margin: float) -> float:
    """Return the one-sided p-value of the score test for gains minus losses above a margin.

    It is the probability of all counts with at least this score, at the maximum likelihood shares
    under the margin, which is a difference of shares of users. If few users differ, its error rate
    stays below the level, unlike the error rate of t. If hundreds of users differ, the normal
    distribution is used.

    Source: Tango 1998, doi.org/10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B;
    p at the maximum likelihood shares, Lloyd 2008, Aust. N. Z. J. Stat. 50.
    """
    if abs(margin) >= 1:
        return 0.0 if margin < 0 else 1.0
    observed_score, loss_share = _score(gains, losses, users, margin)
    shares = (max(0.0, loss_share + margin), loss_share)
    if users * sum(shares) > _MANY:
        return normal_distribution().cdf(-observed_score)

    def score(_: int, gains: int, losses: int) -> float:
        return _score(gains, losses, users, margin)[0]

    # A difference is 0 for users with hits in both models and for users without a hit.
    return _p_at(observed_score, users, (0.0, *shares), score)


def _score(gains: int, losses: int, users: int, margin: float) -> tuple[float, float]:
    """Return the score statistic, and the maximum likelihood share of losses under a margin."""
    slope = (2 * users - gains + losses) * margin - gains - losses
    discriminant = slope**2 + 8 * users * losses * margin * (1 - margin)
    loss_share = max(0.0, -margin, (math.sqrt(max(0.0, discriminant)) - slope) / (4 * users))
    excess = gains - losses - users * margin
    variance = users * (2 * loss_share + margin - margin**2)
    if variance > _SAME:
        return excess / math.sqrt(variance), loss_share
    return (math.copysign(math.inf, excess) if abs(excess) > _SAME else 0.0), loss_share


def ratio_score_test_p(both: int, gains: int, losses: int, users: int, ratio: float) -> float:
    """Return the one-sided p-value of the score test for a ratio of two shares of hits.

    The test is like ``score_test_p``, with the score for a ratio. The shares of losses and of users
    with a hit are both unknown, so p is the largest of five values: at the maximum likelihood
    shares, and with one of the shares a standard error larger or smaller.

    Source: Nam & Blackwelder 2002, doi.org/10.1002/sim.1017; Tang, Tang & Chan 2003,
    Statistics in Medicine 22; the largest p of several shares as in Berger & Boos 1994,
    doi.org/10.1080/01621459.1994.10476836.
    """
    if ratio <= 0:
        return 0.0
    observed_score, shares = _ratio_score(both, gains, losses, users, ratio)
    hits = sum(shares)
    if not hits:
        return 1.0
    if users * (shares[1] + shares[2]) > _MANY_OF_RATIO:
        return normal_distribution().cdf(-observed_score)
    loss_share = shares[2]
    hits_error, loss_error = (
        math.sqrt(share * (1 - share) / users) for share in (min(1.0, hits), loss_share)
    )
    points = {(hits, loss_share), *((hits, loss_share + loss_error * side) for side in (-1, 1))}
    points |= {
        (shifted, loss_share * shifted / hits)
        for shifted in (hits - hits_error, min(1.0, hits + hits_error))
        if shifted > 0
    }

    @cache
    def score(both: int, gains: int, losses: int) -> float:
        return _ratio_score(both, gains, losses, users, ratio)[0]

    return max(
        _p_at(observed_score, users, _ratio_shares(*point, ratio), score) for point in points
    )


def _ratio_shares(hits: float, loss_share: float, ratio: float) -> tuple[float, float, float]:
    """Return feasible shares of both, gains and losses, from the shares of hits and of losses."""
    loss_share = min(max(loss_share, hits * (1 - ratio), 0.0), hits / (1 + ratio))
    baseline_hits = (hits - loss_share) / ratio
    return max(0.0, baseline_hits - loss_share), max(0.0, hits - baseline_hits), loss_share


def _p_at(
    minimum: float, users: int, shares: Sequence[float], score: Callable[[int, int, int], float]
) -> float:
    """Return the probability of at least this score, for shares of both, gains and losses.

    If the number of users with hits in both models is fixed, more losses require more gains.
    """
    both_share, gain_share, loss_share = shares
    rest_share = max(0.0, 1 - both_share - loss_share)
    share = min(1.0, gain_share / rest_share) if rest_share else 0.0
    above = cache(lambda rest, count: binomial_tail(rest, count, share))
    p = 0.0
    for both in _likely_counts(users, both_share):
        gains = 0
        for losses in _likely_counts(users, loss_share):
            rest = users - both - losses
            if rest < 0:
                break
            while gains <= rest and score(both, gains, losses) < minimum - _SAME:
                gains += 1
            chance = multinomial_probability(
                (both, losses, rest), (both_share, loss_share, rest_share)
            )
            p += chance * above(rest, gains) if chance else 0.0
    return min(1.0, p)


def _ratio_score(
    both: int, gains: int, losses: int, users: int, ratio: float
) -> tuple[float, tuple[float, float, float]]:
    """Return the score statistic, and the maximum likelihood shares of both, gains and losses."""
    hits = both + gains + losses
    share = hits / users
    slope = (both + losses) * ratio**2 - both - gains - 2 * losses
    discriminant = slope**2 - 4 * (1 + ratio) * losses * (1 - ratio) * hits
    loss_share = (math.sqrt(max(0.0, discriminant)) - slope) / (2 * users * (1 + ratio))
    shares = _ratio_shares(share, loss_share, ratio)
    loss_share = shares[2]
    excess = both + gains - ratio * (both + losses)
    variance = users * (1 + ratio) * loss_share + hits * (ratio - 1)
    if variance > _SAME:
        return excess / math.sqrt(variance), shares
    return (math.copysign(math.inf, excess) if abs(excess) > _SAME else 0.0), shares


def _likely_counts(users: int, share: float) -> range:
    """Return the range of binomial counts, except for probabilities below 1e-12."""
    mean = users * share
    if not mean:
        return range(1)
    reach = 8 * math.sqrt(mean) + 20
    return range(max(0, math.floor(mean - reach)), min(users, math.ceil(mean + reach)) + 1)
