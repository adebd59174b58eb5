"""Prediction-powered means: a judge's values for all users, corrected by some human labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import covariance, fmean, pvariance, variance

from ..records import Record
from .formulas import interval_from_error


def prediction_powered(
    labels: Sequence[float],
    predictions: Sequence[float],
    others: Sequence[float],
    level: float,
    tuning: float | None = None,
) -> Record:
    """Return the prediction-powered mean: the judge's mean, corrected by its error on the labels.

    Users with labels must be a random sample; ``others`` are the judge's values of all other users.
    The normal interval is valid for 50 labels or more. If the judge does not correlate with the
    labels, only the labels determine the mean. ``tuning`` is the judge's weight, by default the one
    with the smallest variance.

    Source: Angelopoulos et al. 2023, doi.org/10.1126/science.adi6000, where tuning is 1; tuned
    Angelopoulos, Duchi & Zrnic 2023, arxiv.org/abs/2311.01453
    """
    if not labels or not others:
        return dict.fromkeys(("value", "standard_error", "low", "high")) | {"tuning": tuning or 0.0}
    share = _best_weight(labels, predictions, others) if tuning is None else tuning
    rest = [label - share * value for label, value in zip(labels, predictions, strict=True)]
    value = share * fmean(others) + fmean(rest)
    squared = share**2 * _mean_variance(others) + _mean_variance(rest)
    error = math.sqrt(squared) if len(labels) > 1 else None
    low, high = interval_from_error("normal", level, value, len(labels), error)
    interval = {"standard_error": error, "low": low, "high": high}
    return {"value": value, **interval, "tuning": share}


def labels_mean(labels: Sequence[float], level: float) -> tuple[float, float | None, float | None]:
    """Return the mean of only the labels, and its normal interval."""
    value = fmean(labels)
    return value, *interval_from_error(
        "normal", level, value, len(labels), math.sqrt(_mean_variance(labels))
    )


def _best_weight(
    labels: Sequence[float], predictions: Sequence[float], others: Sequence[float]
) -> float:
    """Return the weight of the judge with the smallest variance, from 0 to 1, as in PPI++."""
    values = [*predictions, *others]
    squares = variance(values)
    if not squares or len(labels) < 2:
        return 0.0
    shared = covariance(labels, predictions) * (len(labels) - 1) / len(labels)
    return min(max(shared / squares / (1 + len(labels) / len(others)), 0.0), 1.0)


def _mean_variance(numbers: Sequence[float]) -> float:
    """Return the variance of the mean; as in PPI, the divisor is the count, not count - 1."""
    return pvariance(numbers) / len(numbers)
