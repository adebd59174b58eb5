"""Differences of 0/1 values beside a margin: gains and losses, counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

from .distributions import normal

# From so many users on who differ, counts are normal enough; scores that differ by less are equal.
_MANY, _SAME = 200, 1e-9


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
    p = 0.0
    for more, less in product(*(_likely(users, share) for share in shares)):
        if more + less <= users and _score(more, less, users, margin)[0] >= least - _SAME:
            p += _chance((more, less, users - more - less), (*shares, 1 - sum(shares)))
    return min(1.0, p)


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


def _likely(users: int, share: float) -> range:
    """Return the counts that a binomial share gives but for chances of less than 1e-12."""
    mean = users * share
    reach = 8 * math.sqrt(mean) + 20
    return range(max(0, math.floor(mean - reach)), min(users, math.ceil(mean + reach)) + 1)


def _chance(counts: Sequence[int], shares: Sequence[float]) -> float:
    """Return the multinomial chance of these counts."""
    if any(count and share <= 0 for count, share in zip(counts, shares, strict=True)):
        return 0.0
    logs = math.lgamma(sum(counts) + 1)
    for count, share in zip(counts, shares, strict=True):
        logs += (count * math.log(share) if count else 0.0) - math.lgamma(count + 1)
    return math.exp(logs)
