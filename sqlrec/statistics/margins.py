"""Differences beside margins, and as shares of a baseline; sizes of effects."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from .distributions import t_outside, t_quantile
from .formulas import Interval, freedom_of, quantile_of, wilson
from .pairs import p_of_pairs, p_of_ratio

# Alternatives that ask for a margin.
WITHIN = ("equivalent", "noninferior")

_SIGNS = {"higher": 1, "lower": -1}


def p_by_margin(
    alternative: str,
    row: Mapping[str, Any],
    size: float,
    *,
    relative: bool = False,
    most: float | None = None,
    test: str = "t",
) -> float | None:
    """Return how likely such a difference is where what an alternative says does not hold.

    ``greater``: the difference is above the margin; ``less``: below -margin; ``noninferior``: the
    model is not worse than the baseline by the margin; ``equivalent``: neither is better by it, the
    larger of two one-sided p values. A relative margin is a share of the baseline's mean, which is
    as uncertain as the difference is.

    Where all users differ by the same, no error says how far others may be off. Beside a margin it
    is then the chance to draw none of those others, were they as far off as they can be, and null
    where they may be off by anything; without a margin that of coins that fall alike.

    Args:
        alternative: One of these.
        row: ``difference``, ``standard_error``, ``units`` of which the error is, ``better``; for a
            relative margin ``baseline_value``, ``baseline_error`` and ``covariance``.
        size: The margin, or its share.
        relative: Whether it is one.
        most: The largest difference that a user can have, if there is one.
        test: ``t``, or ``score`` for values that are 0 and 1 alone.

    Source: Schuirmann 1987, doi.org/10.1007/BF01068419; of ratios Fieller 1954,
    doi.org/10.1111/j.2517-6161.1954.tb00159.x
    """

    def above(side: int, least: float) -> float | None:
        """Return p of the alternative that side * difference is above least margins."""
        difference, error = side * row["difference"], row["standard_error"]
        margin, unseen = least * size, 0.0
        if test == "score":
            apart, signs, users = row["users"] - row["ties"], int(row["signs"]), row["users"]
            gains, losses = (apart + side * signs) // 2, (apart - side * signs) // 2
            if not relative:
                return p_of_pairs(gains, losses, users, margin)
            both = round(users * row["baseline_value"]) - (apart - signs) // 2
            # Below 0 no share is.
            ratio = 1 + margin if side > 0 else 1 / (1 - margin) if margin < 1 else math.inf
            return p_of_ratio(both, gains, losses, users, ratio) if ratio < math.inf else 1.0
        if relative:
            # The share is of the baseline's size: side and the sign of its mean go together.
            share = margin * side * math.copysign(1, row["baseline_value"])
            margin *= abs(row["baseline_value"])
        if not error and size:
            if most is None and difference > margin:
                return None
            unseen = none_drawn(difference, margin)
        if relative:
            shared = 2 * share * row["covariance"]
            squared = error**2 - shared + share**2 * row["baseline_error"] ** 2
            error = math.sqrt(max(0.0, squared))
        if not error:
            # All differ by the same: as likely as coins that fall alike.
            half = math.ldexp(1, -int(row["units"]))
            return max(half, unseen) if difference > margin else 1.0
        half = t_outside((difference - margin) / error, freedom_of(row)) / 2
        return max(half if difference > margin else 1 - half, unseen)

    def none_drawn(difference: float, margin: float) -> float:
        """Return the chance to draw no user of those who would bring the mean to a margin."""
        if most is None or difference <= margin:
            return 1.0
        # A mean of what all have, and of the least that a user can have, is the margin.
        share = min(1.0, (difference - margin) / (difference + most)) if difference > -most else 1.0
        return float((1 - share) ** row["units"])

    if row["standard_error"] is None or row["units"] < 2:
        return None
    if alternative == "greater":
        return above(1, 1)
    if alternative == "less":
        return above(-1, 1)
    if alternative == "noninferior":
        sign = _SIGNS.get(row["better"])
        return None if sign is None else above(sign, -1)
    sides = [above(side, -1) for side in (1, -1)]
    return max((p for p in sides if p is not None), default=None)


def of_one_side(p: float | None, difference: float, alternative: str) -> float | None:
    """Return p of an alternative to one side, ``greater`` or ``less``, from that to both."""
    if p is None:
        return None
    side = -difference if alternative == "less" else difference
    return p / 2 if side > 0 else 1 - p / 2


def fieller(method: str, level: float, row: Mapping[str, Any]) -> Interval:
    """Return the interval of the relative difference, a ratio of two means, by their errors.

    It is a share of the size of the baseline's mean, so that its sign is that of the difference.
    Null where the baseline's mean might be 0: then the ratio has no bounds.

    Source: Fieller 1954, doi.org/10.1111/j.2517-6161.1954.tb00159.x
    """
    error, base = row["standard_error"], row["baseline_value"]
    if not error or not base or row["baseline_error"] is None or row["units"] < 2:
        return None, None
    squared = quantile_of(method, level, row["units"], freedom_of(row)) ** 2
    a = base**2 - squared * row["baseline_error"] ** 2
    b = row["difference"] * base - squared * row["covariance"]
    c = row["difference"] ** 2 - squared * error**2
    root = b * b - a * c
    if a <= 0 or root < 0:
        return None, None
    low, high = (b - math.sqrt(root)) / a, (b + math.sqrt(root)) / a
    return (low, high) if base > 0 else (-high, -low)


def effect(
    level: float, difference: float | None, deviation: float | None, users: int
) -> dict[str, Any]:
    """Return Cohen's d of pairs, the mean difference by the deviation, and its interval.

    Source: Cohen 1988, Statistical Power Analysis; the error by Cooper, Hedges & Valentine 2009,
    The Handbook of Research Synthesis, 12.
    """
    names = ("effect_size", "effect_low", "effect_high")
    if not deviation or difference is None or users < 2:
        return dict.fromkeys(names)
    d = difference / deviation
    reach = t_quantile((1 + level) / 2, users - 1) * math.sqrt(1 / users + d * d / (2 * users))
    return dict(zip(names, (d, d - reach, d + reach), strict=True))


def gained(level: float, wins: int | None, users: int) -> dict[str, Any]:
    """Return the share of users who gain, and its interval by Wilson."""
    share = None if wins is None or not users else wins / users
    low, high = wilson(level, share, users)
    return {"win_share": share, "win_share_low": low, "win_share_high": high}
