"""Margins for differences, by metric."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ..catalogue.requests import MetricRequest, format_metric, format_range, parse_metrics
from ..errors import InputError, MetricError, suggest_name
from ..statistics.comparison_options import Margin, Name

# Tolerance for sums, which differ in the last digits between engines.
TOLERANCE = 1e-12


def read_margins(
    margin: Any, requests: Mapping[str, MetricRequest], convention: str, option: str = "margin"
) -> dict[Name, Margin]:
    """Parse the margins of metrics by name and cutoff: numbers, or shares such as ``"1%"``.

    A margin without a name is the default.
    """
    margins: dict[Name, Margin] = {}
    for text, value in values_by_metric(margin, requests).items():
        request = find_request(option, text, requests, convention)
        relative = isinstance(value, str) and value.endswith("%")
        size = read_number(f"{option}[{text!r}]", value[:-1] if relative else value, raw=value)
        if size < 0:
            raise InputError(f"{option}[{text!r}]={value!r}: a {option} is 0 or more")
        low, high = request.range
        if not relative and size > high - low:
            raise InputError(
                f"{option}[{text!r}]={value!r}: {request.text} is {format_range(low, high)}; give "
                f"a {option} of at most {high - low:g}"
            )
        margins[request.label, request.k] = Margin(
            size / 100 if relative else size, relative, request.metric.better
        )
    return margins


def values_by_metric(values: Any, metrics: Mapping[str, MetricRequest]) -> dict[str, Any]:
    """Return the value of each metric; metrics without a value get the default."""
    if values is None:
        return {}
    by_metric = dict(values) if isinstance(values, Mapping) else {"": values}
    return dict.fromkeys(metrics, by_metric.pop("")) | by_metric if "" in by_metric else by_metric


def find_request(
    option: str, text: Any, requests: Mapping[str, MetricRequest], convention: str
) -> MetricRequest:
    """Return the computed metric that a check names, by its requested text or its full name."""
    same = [request for request in requests.values() if request.text == text]
    if same:
        return same[0]
    try:
        request, *more = parse_metrics([text], convention)
    except MetricError as error:
        raise MetricError(f"{option} of {text}: {error}", option=option) from None
    name = format_metric(request.label, request.k)
    if more or name not in requests:
        raise InputError(
            f"{option} of {text}, which is not computed: {suggest_name(name, requests)}"
        )
    return requests[name]


def read_number(name: str, value: Any, raw: Any = None) -> float:
    """Parse a number."""
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{name}={value if raw is None else raw!r}: give a number")
    return number
