"""Power of planned tests, and the number of users that they need."""

from __future__ import annotations

import math

from .distributions import normal_distribution, solve, t_above, t_quantile

# Upper limit of the search for a number of users.
MAX_UNITS = 1e15


def compute_power(design: str, effect: float, units: float, level: float, sides: int) -> float:
    """Return the power of a test at 1 - level for an effect in standard deviations.

    ``pairs`` is Student's t test of users' differences; ``groups`` compares two groups, each with
    these units, by the normal distribution.

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
    return solve(0.0, 1.0, power, lambda effect: compute_power(design, effect, units, level, sides))


def units_needed(
    design: str, power: float, effect: float, level: float, sides: int
) -> float | None:
    """Return the number of units that a test needs, at least 2; None beyond ``MAX_UNITS``."""
    if compute_power(design, effect, MAX_UNITS, level, sides) < power:
        return None
    return solve(2.0, 4.0, power, lambda units: compute_power(design, effect, units, level, sides))
