"""Tests that are still to come: how likely they find a difference, and how many users find it."""

from __future__ import annotations

import math
from collections.abc import Callable

from .distributions import normal, t_above, t_quantile

# More users than this nobody has: what takes more has no answer.
MOST_UNITS = 1e15


def chance(design: str, effect: float, units: float, level: float, sides: int) -> float:
    """Return the chance that a test at 1 - level finds an effect.

    Args:
        design: ``pairs``, the same users see both: Student's t test; ``groups``, as many others see
            the other: by the normal distribution.
        effect: The true difference, in standard deviations of users (of their differences in
            pairs, of their values in groups).
        units: How many users, or clusters; in each of two groups.
        level: How sure the test is, as in 0.95.
        sides: 2 where a difference to either side counts, or 1.

    Source: Cohen 1988, Statistical Power Analysis
    """
    upper = (1 + level) / 2 if sides == 2 else level
    both = (1, -1)[:sides]
    if design == "pairs":
        limit, shift = t_quantile(upper, units - 1), effect * math.sqrt(units)
        return sum(t_above(limit, units - 1, side * shift) for side in both)
    limit, shift = normal().inv_cdf(upper), effect * math.sqrt(units / 2)
    return sum(normal().cdf(side * shift - limit) for side in both)


def effect_found(design: str, power: float, units: float, level: float, sides: int) -> float:
    """Return the least effect that a test finds with a chance of power."""
    return _least(0.0, 1.0, power, lambda effect: chance(design, effect, units, level, sides))


def units_needed(
    design: str, power: float, effect: float, level: float, sides: int
) -> float | None:
    """Return how many units a test needs to find an effect with a chance of power: two or more.

    Null where more than anybody has are too few.
    """
    if chance(design, effect, MOST_UNITS, level, sides) < power:
        return None
    return _least(2.0, 4.0, power, lambda units: chance(design, effect, units, level, sides))


def _least(least: float, most: float, goal: float, found: Callable[[float], float]) -> float:
    """Return where what rises reaches a goal, by halves, to the last digits."""
    if found(least) >= goal:
        return least
    while found(most) < goal:
        least, most = most, 2 * most
    while True:
        middle = (least + most) / 2
        if not least < middle < most:
            return most
        least, most = (middle, most) if found(middle) < goal else (least, middle)
