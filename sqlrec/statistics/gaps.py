"""How far the means of groups of users are apart, of which each has an interval."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from .formulas import Interval


class Mean(NamedTuple):
    """A mean and its interval."""

    value: float
    low: float
    high: float


def level_of_pairs(level: float, groups: int) -> float:
    """Return the level at which intervals of each pair of groups hold together as asked.

    Source: Sidak 1967, doi.org/10.1080/01621459.1967.10482935
    """
    return float(level ** (1 / max(math.comb(groups, 2), 1)))


def difference(one: Mean, other: Mean) -> tuple[float, float]:
    """Return the interval of the difference of two independent means, by their own intervals.

    Source: Newcombe 1998, doi.org/10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I;
    of any means Zou & Donner 2008, doi.org/10.1002/sim.3095
    """
    apart = one.value - other.value
    return (
        apart - math.hypot(one.value - one.low, other.high - other.value),
        apart + math.hypot(one.high - one.value, other.value - other.low),
    )


def ratio(one: Mean, other: Mean) -> tuple[float, float]:
    """Return the interval of the ratio of two independent means that are not below 0.

    It has no upper bound where the other mean might be 0. Of intervals that reach as far to both
    sides it is Fieller's.

    Source: Donner & Zou 2012, doi.org/10.1177/0962280210383082
    """
    one, other = (mean._replace(low=max(mean.low, 0.0)) for mean in (one, other))
    product = one.value * other.value
    least, most = (_twice(mean.value, mean.low) for mean in (one, other))
    above, below = (_twice(mean.value, mean.high) for mean in (one, other))
    low = least / (product + math.sqrt(product**2 - least * below)) if least > 0 else 0.0
    high = (product + math.sqrt(product**2 - most * above)) / most if most > 0 else math.inf
    return low, high


def _twice(value: float, limit: float) -> float:
    """Return value^2 - (value - limit)^2, in a form that loses no digits."""
    return limit * (2 * value - limit)


def widest(means: Sequence[Mean]) -> Interval:
    """Return the interval of the largest less the least mean, by those of all pairs."""
    limits = [difference(*pair) for pair in combinations(means, 2)]
    return (
        max(max(low, -high, 0.0) for low, high in limits),
        max(max(high, -low) for low, high in limits),
    )


def least_ratio(means: Sequence[Mean]) -> Interval:
    """Return the interval of the least mean divided by the largest, by those of all pairs."""
    limits = [ratio(*pair) for pair in combinations(means, 2)]
    # Either mean of a pair may be the less: what is above 1 is turned around.
    return (
        min(min(low, 1 / high) for low, high in limits),
        min(high if high < 1 else 1 / low if low > 1 else 1.0 for low, high in limits),
    )
