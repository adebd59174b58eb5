"""Means of which a few users have people's labels, and all have a judge's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from .formulas import by_error, covariance


@dataclass(frozen=True)
class Predicted:
    """A mean, how certain it is, and the share of the judge in it."""

    value: float | None
    standard_error: float | None
    low: float | None
    high: float | None
    tuning: float


def predicted(
    labels: Sequence[float],
    judged: Sequence[float],
    others: Sequence[float],
    level: float,
    tuning: float | None = None,
) -> Predicted:
    """Return the prediction-powered mean: the judge's, less what it is off by where people look.

    Users with labels are a random sample of all. The interval is normal, and holds for samples of
    some 50 users on. Where the judge says nothing of people, the mean is that of the labels alone.

    Args:
        labels: The values by people, a user each.
        judged: The values by the judge of the same users.
        others: Those of all other users.
        level: Of the interval.
        tuning: How much the judge counts, from 0 to 1; by default where the variance is least.

    Source: Angelopoulos et al. 2023, doi.org/10.1126/science.adi6000, where tuning is 1; tuned
    Angelopoulos, Duchi & Zrnic 2023, arxiv.org/abs/2311.01453
    """
    if not labels or not others:
        return Predicted(None, None, None, None, tuning or 0.0)
    share = _best(labels, judged, others) if tuning is None else tuning
    rest = [label - share * value for label, value in zip(labels, judged, strict=True)]
    value = share * fmean(others) + fmean(rest)
    squared = share**2 * _error_squared(others) + _error_squared(rest)
    error = math.sqrt(squared) if len(labels) > 1 else None
    low, high = by_error("normal", level, value, len(labels), error)
    return Predicted(value, error, low, high, share)


def alone(labels: Sequence[float], level: float) -> tuple[float, float | None, float | None]:
    """Return the mean of labels without a judge, and its interval, normal as those of both are."""
    value = fmean(labels)
    return value, *by_error("normal", level, value, len(labels), math.sqrt(_error_squared(labels)))


def _best(labels: Sequence[float], judged: Sequence[float], others: Sequence[float]) -> float:
    """Return how much the judge counts where the mean varies least, as of PPI++, from 0 to 1."""
    every = [*judged, *others]
    squares = _squares(every) / (len(every) - 1)
    if not squares or len(labels) < 2:
        return 0.0
    together = covariance(labels, judged) * (len(labels) - 1) / len(labels)
    return min(max(together / squares / (1 + len(labels) / len(others)), 0.0), 1.0)


def _error_squared(numbers: Sequence[float]) -> float:
    """Return the variance of the mean; as PPI has it, not by one less than there are numbers."""
    return _squares(numbers) / len(numbers) ** 2


def _squares(numbers: Sequence[float]) -> float:
    """Return the sum of squares of what they are off their mean."""
    # From the first of them on, equal numbers are off by 0 to the last digit.
    off = [number - numbers[0] for number in numbers]
    mean = fmean(off)
    return math.fsum([(one - mean) ** 2 for one in off])
