"""Differences of 0/1 values beside a margin: gains and losses, counted."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache

from .distributions import normal

# From so many users on who differ, counts are normal enough; scores that differ by less are equal.
_MANY, _SAME = 200, 1e-9
_MANY_OF_RATIO = 50

# A limit is found to a millionth.
_HALVINGS = 21


def p_of_pairs(gains: int, losses: int, users: int, margin: float) -> float:
    """Return how likely so many gains and losses are if gains exceed losses by the margin alone.

    The score test's p, one-sided: the probability of all counts whose score is as large or larger,
    at the shares that are most likely under the margin. Its error rate stays below the level where
    few users differ, for which t is too sure. If hundreds differ, by the normal distribution.

    Args:
        gains, losses: How many users have 1 with the one model alone, and with the other alone.
        users: How many there are.
        margin: By how much the share of gains exceeds that of losses; below 0 for a loss.

    Source: Tango 1998, doi.org/10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B;
    p at the most likely shares, Lloyd 2008, Australian & New Zealand Journal of Statistics 50.
    """
    if abs(margin) >= 1:
        return 0.0 if margin < 0 else 1.0
    least, lost = _score(gains, losses, users, margin)
    shares = (max(0.0, lost + margin), lost)
    if users * sum(shares) > _MANY:
        return normal().cdf(-least)

    def score(_: int, gains: int, losses: int) -> float:
        return _score(gains, losses, users, margin)[0]

    # A difference does not tell users with both hits from those with none.
    return _p_at(least, users, (0.0, *shares), score)


def limit_of_pairs(gains: int, losses: int, users: int, level: float) -> float:
    """Return the lower limit of a difference of shares: the margin at which p is 1 - level."""
    low, high = -1.0, (gains - losses) / users
    for _ in range(_HALVINGS):
        margin = (low + high) / 2
        if p_of_pairs(gains, losses, users, margin) <= 1 - level:
            low = margin
        else:
            high = margin
    return low


def _score(gains: int, losses: int, users: int, margin: float) -> tuple[float, float]:
    """Return the score statistic, and the most likely share of losses under the margin."""
    slope = (2 * users - gains + losses) * margin - gains - losses
    under = slope**2 + 8 * users * losses * margin * (1 - margin)
    lost = max(0.0, -margin, (math.sqrt(max(0.0, under)) - slope) / (4 * users))
    off = gains - losses - users * margin
    variance = users * (2 * lost + margin - margin**2)
    if variance > _SAME:
        return off / math.sqrt(variance), lost
    return (math.copysign(math.inf, off) if abs(off) > _SAME else 0.0), lost


def p_of_ratio(both: int, gains: int, losses: int, users: int, ratio: float) -> float:
    """Return how likely such counts are if a model's share of hits is the baseline's times a ratio.

    As ``p_of_pairs``, by the score of a ratio. Beside the share of losses, that of users with a hit
    is unknown, so p is the largest of five: at the most likely shares, and where one of the two is
    a standard error larger or smaller.

    Args:
        both: How many users have 1 with both models.
        gains, losses, users: As in ``p_of_pairs``.
        ratio: The ratio of the two shares.

    Source: Nam & Blackwelder 2002, doi.org/10.1002/sim.1017; Tang, Tang & Chan 2003,
    Statistics in Medicine 22; the largest p of some shares as in Berger & Boos 1994,
    doi.org/10.1080/01621459.1994.10476836.
    """
    if ratio <= 0:
        return 0.0
    least, shares = _score_of_ratio(both, gains, losses, users, ratio)
    hits = sum(shares)
    if not hits:
        return 1.0
    if users * (shares[1] + shares[2]) > _MANY_OF_RATIO:
        return normal().cdf(-least)
    lost = shares[2]
    off, off_lost = (math.sqrt(share * (1 - share) / users) for share in (min(1.0, hits), lost))
    points = {(hits, lost), *((hits, lost + off_lost * side) for side in (-1, 1))}
    points |= {
        (near, lost * near / hits) for near in (hits - off, min(1.0, hits + off)) if near > 0
    }

    @cache
    def score(both: int, gains: int, losses: int) -> float:
        return _score_of_ratio(both, gains, losses, users, ratio)[0]

    return max(_p_at(least, users, _shares_of_ratio(*point, ratio), score) for point in points)


def _shares_of_ratio(hits: float, lost: float, ratio: float) -> tuple[float, float, float]:
    """Return shares of both, gains and losses: of all that have a hit, and as far as possible."""
    lost = min(max(lost, hits * (1 - ratio), 0.0), hits / (1 + ratio))
    of_baseline = (hits - lost) / ratio
    return max(0.0, of_baseline - lost), max(0.0, hits - of_baseline), lost


def _p_at(
    least: float, users: int, shares: Sequence[float], score: Callable[[int, int, int], float]
) -> float:
    """Return the chance of a score as large, at some shares of both, gains and losses.

    With as many users who have both hits, more gains are needed where there are more losses.
    """
    of_both, gained, lost = shares
    rest_share = max(0.0, 1 - of_both - lost)
    share = min(1.0, gained / rest_share) if rest_share else 0.0
    above = cache(lambda rest, count: _at_least(rest, count, share))
    p = 0.0
    for both in _likely(users, of_both):
        gains = 0
        for losses in _likely(users, lost):
            rest = users - both - losses
            if rest < 0:
                break
            while gains <= rest and score(both, gains, losses) < least - _SAME:
                gains += 1
            chance = _chance((both, losses, rest), (of_both, lost, rest_share))
            p += chance * above(rest, gains) if chance else 0.0
    return min(1.0, p)


def _score_of_ratio(
    both: int, gains: int, losses: int, users: int, ratio: float
) -> tuple[float, tuple[float, float, float]]:
    """Return the score statistic, and the most likely shares of both, gains and losses."""
    some = both + gains + losses
    share = some / users
    slope = (both + losses) * ratio**2 - both - gains - 2 * losses
    under = slope**2 - 4 * (1 + ratio) * losses * (1 - ratio) * some
    lost = (math.sqrt(max(0.0, under)) - slope) / (2 * users * (1 + ratio))
    shares = _shares_of_ratio(share, lost, ratio)
    lost = shares[2]
    off = both + gains - ratio * (both + losses)
    variance = users * (1 + ratio) * lost + some * (ratio - 1)
    if variance > _SAME:
        return off / math.sqrt(variance), shares
    return (math.copysign(math.inf, off) if abs(off) > _SAME else 0.0), shares


def _at_least(users: int, count: int, share: float) -> float:
    """Return the chance of a binomial share to give so many or more."""
    if count > users:
        return 0.0
    if count <= users * share:
        return 1 - _at_least(users, users - count + 1, 1 - share)
    chance = total = _chance((count, users - count), (share, 1 - share))
    # Above the mean chances fall: what is next to nothing ends the sum.
    for number in range(count, users):
        chance *= (users - number) / (number + 1) * share / (1 - share)
        if chance <= total * 1e-17:
            break
        total += chance
    return total


def _likely(users: int, share: float) -> range:
    """Return the counts that a binomial share gives but for chances of less than 1e-12."""
    mean = users * share
    if not mean:
        return range(1)
    reach = 8 * math.sqrt(mean) + 20
    return range(max(0, math.floor(mean - reach)), min(users, math.ceil(mean + reach)) + 1)


def _chance(counts: Sequence[int], shares: Sequence[float]) -> float:
    """Return the multinomial chance of these counts."""
    logs = math.lgamma(sum(counts) + 1)
    for count, share in zip(counts, shares, strict=True):
        if count and share <= 0:
            return 0.0
        if count:
            logs += count * math.log(share) - math.lgamma(count + 1)
    return math.exp(logs)
