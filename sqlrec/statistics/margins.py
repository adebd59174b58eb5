"""Differences compared with margins, relative differences, and effect sizes."""

from __future__ import annotations

import math

from ..records import Record, Row
from .distributions import t_outside, t_quantile
from .formulas import Interval, anytime_p, degrees_of_freedom, half_width_in_errors, wilson_interval
from .pairs import ratio_score_test_p, score_test_p

# Alternatives that require a margin.
WITHIN = ("equivalent", "noninferior")

_SIGNS = {"higher": 1, "lower": -1}


def p_by_margin(
    alternative: str,
    row: Row,
    size: float,
    *,
    relative: bool = False,
    limit: float | None = None,
    test: str = "t",
    level: float = 0.95,
) -> float | None:
    """Return the p-value of a difference for an alternative with a margin.

    ``greater``: the difference is above the margin; ``less``: below -margin; ``noninferior``: the
    model is not worse than the baseline by the margin; ``equivalent``: neither is better by the
    margin, by the larger of two one-sided p-values. A relative margin is a share of the baseline's
    mean, which is as uncertain as the difference. The test is ``t``; ``score`` for values of 0 and
    1; or ``anytime``, tuned at ``level``.

    If the difference is equal for all users, the standard error is 0. With a margin p is then the
    probability of a sample without the users that bring the mean to the margin, each at the largest
    possible difference ``limit``, and null without a limit. Without a margin it is the exact
    sign-flip probability.

    Source: Schuirmann 1987, doi.org/10.1007/BF01068419; for ratios Fieller 1954,
    doi.org/10.1111/j.2517-6161.1954.tb00159.x
    """

    def above(side: int, margins: float) -> float | None:
        """Return p for the alternative that side * difference exceeds a multiple of the margin."""
        difference, error = side * row["difference"], row["standard_error"]
        margin, unseen = margins * size, 0.0
        if test == "score":
            different, signs, users = row["users"] - row["ties"], int(row["signs"]), row["users"]
            gains = (different + side * signs) // 2
            losses = different - gains
            if not relative:
                return score_test_p(gains, losses, users, margin)
            both = round(users * row["baseline_value"]) - (different - signs) // 2
            # A share is never below 0.
            ratio = 1 + margin if side > 0 else 1 / (1 - margin) if margin < 1 else math.inf
            return (
                ratio_score_test_p(both, gains, losses, users, ratio) if ratio < math.inf else 1.0
            )
        if relative:
            # The margin is relative to the baseline's absolute mean.
            share = margin * side * math.copysign(1, row["baseline_value"])
            margin *= abs(row["baseline_value"])
        if not error and size:
            if limit is None and difference > margin:
                return None
            unseen = unseen_probability(difference, margin)
        if relative:
            shared = 2 * share * row["covariance"]
            squared = error**2 - shared + share**2 * row["baseline_error"] ** 2
            error = math.sqrt(max(0.0, squared))
        if not error:
            # If all differences are equal, p is the exact sign-flip probability.
            half = math.ldexp(1, -int(row["units"]))
            return max(half, unseen) if difference > margin else 1.0
        if test == "anytime":
            return anytime_p((difference - margin) / error, level, int(row["units"]))
        half = t_outside((difference - margin) / error, degrees_of_freedom(row)) / 2
        return max(half if difference > margin else 1 - half, unseen)

    def unseen_probability(difference: float, margin: float) -> float:
        """Return the probability of a sample without the users who bring the mean to the margin."""
        if limit is None or difference <= margin:
            return 1.0
        # The share of users with a difference of -limit at which the mean is the margin.
        share = (difference - margin) / (difference + limit) if difference > -limit else 1.0
        return float((1 - min(1.0, share)) ** row["units"])

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


def one_sided_p(p: float | None, difference: float, alternative: str) -> float | None:
    """Return the one-sided p-value for ``greater`` or ``less`` from the two-sided p-value."""
    if p is None:
        return None
    side = -difference if alternative == "less" else difference
    return p / 2 if side > 0 else 1 - p / 2


def fieller_interval(method: str, level: float, row: Row) -> Interval:
    """Return the interval for the relative difference, a ratio of two means, from their errors.

    The divisor is the baseline's absolute mean, so the ratio has the sign of the difference. The
    interval is null if the baseline's mean may be 0, because the ratio then has no bounds.

    Source: Fieller 1954, doi.org/10.1111/j.2517-6161.1954.tb00159.x
    """
    error, base = row["standard_error"], row["baseline_value"]
    if not error or not base or row["baseline_error"] is None or row["units"] < 2:
        return None, None
    squared = half_width_in_errors(method, level, row["units"], degrees_of_freedom(row)) ** 2
    a = base**2 - squared * row["baseline_error"] ** 2
    b = row["difference"] * base - squared * row["covariance"]
    c = row["difference"] ** 2 - squared * error**2
    root = b * b - a * c
    if a <= 0 or root < 0:
        return None, None
    low, high = (b - math.sqrt(root)) / a, (b + math.sqrt(root)) / a
    return (low, high) if base > 0 else (-high, -low)


def effect_size(
    level: float, difference: float | None, deviation: float | None, users: int
) -> Record:
    """Return Cohen's d for pairs, the mean difference divided by the deviation, and its interval.

    Source: Cohen 1988, Statistical Power Analysis; the error by Cooper, Hedges & Valentine 2009,
    The Handbook of Research Synthesis, 12.
    """
    names = ("effect_size", "effect_low", "effect_high")
    if not deviation or difference is None or users < 2:
        return dict.fromkeys(names)
    d = difference / deviation
    reach = t_quantile((1 + level) / 2, users - 1) * math.sqrt(1 / users + d * d / (2 * users))
    return dict(zip(names, (d, d - reach, d + reach), strict=True))


def gain_share(level: float, wins: int | None, users: int) -> Record:
    """Return the share of users who gain, with its Wilson interval."""
    share = None if wins is None or not users else wins / users
    low, high = wilson_interval(level, share, users)
    return {"win_share": share, "win_share_low": low, "win_share_high": high}
