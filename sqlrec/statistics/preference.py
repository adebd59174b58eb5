"""Which of two models is preferred, of interleaved lists."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from .distributions import as_uneven, t_outside, t_quantile
from .formulas import wilson

# What an impression is worth to the model, by what becomes of ties; the others do not count.
_WORTH = {
    "half": {"wins": Fraction(1), "ties": Fraction(1, 2), "losses": Fraction(0)},
    "drop": {"wins": Fraction(1), "losses": Fraction(0)},
}


def preference(row: Mapping[str, Any], ties: str, level: float, *, by_user: bool) -> dict[str, Any]:
    """Return the share of impressions that a model wins, its interval and p.

    By impressions: with ties as halves Student's t test of a mean of 1/2; without ties the sign
    test, exact, and Wilson's interval. By users the share is a ratio of sums, linearised by user,
    with t of as many users less one: impressions of the same user are alike.

    Args:
        row: ``all_wins``, ``all_ties``, ``all_losses``, ``units``, and the sums over units of their
            products, ``wins_ties`` and others.
        ties: ``half`` or ``drop``.
        level: How often the interval holds the truth.
        by_user: Whether units are users.

    Source: Chapelle et al. 2012, doi.org/10.1145/2094072.2094078; of ratios Cochran 1977, 6.19.
    """
    worth = _WORTH[ties]
    count = sum(row[f"all_{name}"] for name in worth)
    names = ("preference", "low", "high", "delta", "p")
    if not count:
        return dict.fromkeys(names)
    share = sum(value * row[f"all_{name}"] for name, value in worth.items()) / count
    found = float(share), float(share - Fraction(1, 2))
    if ties == "drop" and not by_user:
        low, high = wilson(level, found[0], count)
        p = as_uneven(min(row["all_wins"], row["all_losses"]), count)
        return dict(zip(names, (found[0], low, high, found[1], p), strict=True))
    units = row["units"]
    # How far a unit's wins are from what its impressions would have at the share of all, squared.
    off = {name: value - share for name, value in worth.items()}
    squares = sum(
        one * other * row[_product(name, against)]
        for name, one in off.items()
        for against, other in off.items()
    )
    if units < 2 or not squares:
        # All alike: as likely as coins that fall alike.
        p = math.ldexp(1, 1 - units) if found[1] else 1.0
        return dict(zip(names, (found[0], None, None, found[1], p), strict=True))
    error = math.sqrt(squares * units / (units - 1)) / count
    reach = t_quantile((1 + level) / 2, units - 1) * error
    p = t_outside(found[1] / error, units - 1)
    limits = max(0.0, found[0] - reach), min(1.0, found[0] + reach)
    return dict(zip(names, (found[0], *limits, found[1], p), strict=True))


def _product(name: str, other: str) -> str:
    """Return what the sum of products of two counts is called."""
    order = ("wins", "ties", "losses")
    return "_".join(sorted((name, other), key=order.index))
