"""Warnings about values outside the domain of a metric. The metric clips such values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isnan

from ..catalogue.requests import MetricRequest
from .read import Inputs
from .source import Source, is_number


def domain_warnings(
    inputs: Inputs, requests: Sequence[MetricRequest], recs: Iterable[Source], truth: Source | None
) -> list[str]:
    """Return warnings about scores outside 0 to 1 for ``log_loss``, and about large grades."""
    warnings = []
    if any(request.settings.get("of") == "probabilities" for request in requests):
        for source in recs:
            limits = _column_limits(inputs, source, "score")
            if limits and not (limits[0] >= 0 and limits[1] <= 1):
                warnings.append(
                    f"{source.name} has scores from {limits[0]:g} to {limits[1]:g}, but log_loss "
                    "reads them as probabilities from 0 to 1: if they are log odds, write "
                    "log_loss(of=logits)"
                )
    problems = {
        request.label: float(request.settings["max_grade"])
        for request in requests
        if "max_grade" in request.settings and request.settings.get("scale") != "own"
    }
    limits = _column_limits(inputs, truth, "relevance") if truth and problems else None
    labels = [label for label, grade in problems.items() if limits and limits[1] > grade]
    if limits and labels:
        warnings.append(
            f"truth has grades up to {limits[1]:g}, but {', '.join(labels)} counts those above "
            f"max_grade as max_grade: write max_grade={limits[1]:g}"
        )
    return warnings


def _column_limits(inputs: Inputs, source: Source, column: str) -> tuple[float, float] | None:
    """Return the minimum and maximum of a column, None if they are unknown."""
    if column not in source.columns or not is_number(source.kind(column)):
        return None
    name = source.expression(column)
    ((low, high),) = inputs.rows_once(
        f"select min({name}) as low, max({name}) as high from {source.relation}"
    )
    are_numbers = low is not None and not isnan(low) and not isnan(high)
    return (float(low), float(high)) if are_numbers else None
