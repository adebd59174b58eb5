"""Means of which a few users have people's labels, and all have a judge's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .formulas import by_error


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
    value = share * _mean(others) + _mean(rest)
    variance = share**2 * _variance(others) / len(others) + _variance(rest) / len(rest)
    error = math.sqrt(variance) if len(labels) > 1 else None
    low, high = by_error("normal", level, value, len(labels), error)
    return Predicted(value, error, low, high, share)


def _best(labels: Sequence[float], judged: Sequence[float], others: Sequence[float]) -> float:
    """Return how much the judge counts where the mean varies least, as of PPI++, from 0 to 1."""
    everyone = [*judged, *others]
    squares = _variance(everyone) * len(everyone) / (len(everyone) - 1)
    if not squares:
        return 0.0
    label, value = _mean(labels), _mean(judged)
    together = _mean([(a - label) * (b - value) for a, b in zip(labels, judged, strict=True)])
    return min(max(together / squares / (1 + len(labels) / len(others)), 0.0), 1.0)


def _mean(numbers: Sequence[float]) -> float:
    return math.fsum(numbers) / len(numbers)


def _variance(numbers: Sequence[float]) -> float:
    center = _mean(numbers)
    return _mean([(number - center) ** 2 for number in numbers])
