"""Power of planned tests, and the number of users that they need."""

from __future__ import annotations

import math
from collections.abc import Callable

from .distributions import normal_distribution, t_above, t_quantile

# Upper limit of the search for a number of users.
MAX_UNITS = 1e15


def compute_power(design: str, effect: float, units: float, level: float, sides: int) -> float:
    """Return the power of a test at 1 - level for an effect.

    Args:
        design: ``pairs``: the same users see both models, Student's t test; ``groups``: two groups
            of equal size, normal distribution.
        effect: The true difference in standard deviations: of users' differences for pairs, of
            users' values for groups.
        units: The number of users or clusters; for groups, in each group.
        level: The confidence level, as in 0.95.
        sides: 2 for a two-sided test, or 1.

    Source: Cohen 1988, Statistical Power Analysis
    """
    upper = (1 + level) / 2 if sides == 2 else level
    both = (1, -1)[:sides]
    if design == "pairs":
        limit, shift = t_quantile(upper, units - 1), effect * math.sqrt(units)
        return sum(t_above(limit, units - 1, side * shift) for side in both)
    limit, shift = normal_distribution().inv_cdf(upper), effect * math.sqrt(units / 2)
    return sum(normal_distribution().cdf(side * shift - limit) for side in both)


def detectable_effect(design: str, power: float, units: float, level: float, sides: int) -> float:
    """Return the smallest effect that a test detects with the power."""
    return _solve(
        0.0, 1.0, power, lambda effect: compute_power(design, effect, units, level, sides)
    )


def units_needed(
    design: str, power: float, effect: float, level: float, sides: int
) -> float | None:
    """Return the number of units that a test needs to detect an effect, at least two.

    Null if ``MAX_UNITS`` are too few.
    """
    if compute_power(design, effect, MAX_UNITS, level, sides) < power:
        return None
    return _solve(2.0, 4.0, power, lambda units: compute_power(design, effect, units, level, sides))


def _solve(low: float, high: float, goal: float, function: Callable[[float], float]) -> float:
    """Return the value at which a rising function reaches a goal, by bisection."""
    if function(low) >= goal:
        return low
    while function(high) < goal:
        low, high = high, 2 * high
    while True:
        middle = (low + high) / 2
        if not low < middle < high:
            return high
        low, high = (middle, high) if function(middle) < goal else (low, middle)
