"""Differences and ratios of group means that have intervals."""

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


def pair_level(level: float, groups: int) -> float:
    """Return the level of the interval for each pair, so all intervals together have ``level``.

    Source: Sidak 1967, doi.org/10.1080/01621459.1967.10482935
    """
    return float(level ** (1 / max(math.comb(groups, 2), 1)))


def difference_interval(first: Mean, second: Mean) -> tuple[float, float]:
    """Return the interval for the difference between two independent means, from their intervals.

    Source: Newcombe 1998, doi.org/10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I;
    for any means Zou & Donner 2008, doi.org/10.1002/sim.3095
    """
    gap = first.value - second.value
    return (
        gap - math.hypot(first.value - first.low, second.high - second.value),
        gap + math.hypot(first.high - first.value, second.value - second.low),
    )


def ratio_interval(first: Mean, second: Mean) -> tuple[float, float]:
    """Return the interval for the ratio of two independent means that are at least 0.

    The interval has no upper bound if the denominator may be 0. For symmetric intervals, it is
    Fieller's interval.

    Source: Donner & Zou 2012, doi.org/10.1177/0962280210383082
    """
    first, second = (mean._replace(low=max(mean.low, 0.0)) for mean in (first, second))
    product = first.value * second.value
    # value^2 - (value - limit)^2 without loss of digits
    (lower_first, upper_first), (lower_second, upper_second) = (
        [limit * (2 * mean.value - limit) for limit in (mean.low, mean.high)]
        for mean in (first, second)
    )
    low, high = 0.0, math.inf
    if lower_first > 0:
        low = lower_first / (product + math.sqrt(product**2 - lower_first * upper_second))
    if lower_second > 0:
        high = (product + math.sqrt(product**2 - lower_second * upper_first)) / lower_second
    return low, high


def widest_difference(means: Sequence[Mean]) -> Interval:
    """Return the interval for the largest mean minus the smallest, over all pairs."""
    limits = [difference_interval(*pair) for pair in combinations(means, 2)]
    return (
        max(max(low, -high, 0.0) for low, high in limits),
        max(max(high, -low) for low, high in limits),
    )


def smallest_ratio(means: Sequence[Mean]) -> Interval:
    """Return the interval for the smallest mean divided by the largest, over all pairs."""
    limits = [ratio_interval(*pair) for pair in combinations(means, 2)]
    # Ratios above 1 are inverted, since either mean of a pair may be the smaller one.
    return (
        min(min(low, 1 / high) for low, high in limits),
        min(high if high < 1 else 1 / low if low > 1 else 1.0 for low, high in limits),
    )
