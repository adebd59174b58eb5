"""Margins: how much worse, or how different, a metric may be."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..catalogue.requests import MetricRequest, parse_metrics, spelled
from ..errors import InputError, nearest

# What a metric and its cutoff are called in a result.
Name = tuple[str, int | None]

# Numbers that differ further down are the same: sums of engines do.
TOLERANCE = 1e-12


@dataclass(frozen=True)
class Margin:
    """How much worse a value may be: a number, or a share of the stored one."""

    size: float
    relative: bool
    better: str

    def held(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """Hold a difference, with the ``reach`` of its limit if that is known, against it."""
        row = {name: value for name, value in found.items() if name != "reach"}
        side, sign = ("low", 1) if self.better == "higher" else ("high", -1)
        limit = -sign * (self.size * abs(row["stored"]) if self.relative else self.size)
        worst = row["difference"] - sign * (found["reach"] or 0)
        if found["reach"] is not None:
            row[side] = worst
        passed = sign * (worst - limit) >= -TOLERANCE
        return row | {"check": "margin", "limit": limit, "result": passed}


def read_margins(
    given: Any,
    known: Mapping[str, MetricRequest],
    convention: str,
    *,
    of_worse: bool = True,
    option: str = "margin",
) -> dict[Name, Margin]:
    """Read the margins of metrics, by name and cutoff; one without name is for all others.

    Args:
        given: What was given: None, a number, a share as in ``"1%"``, or a dict of these by metric.
        known: The metrics that are computed, as they are spelled.
        convention: Whose names of metrics are meant.
        of_worse: Whether a margin is how much worse a metric may be, which some can't be.
        option: What messages call it.

    Raises:
        InputError: No margin; one of a metric that is not computed, or of which neither is better.
    """
    found: dict[Name, Margin] = {}
    for text, value in of_each(given, known).items():
        one = named(option, text, known, convention)
        if of_worse and one.metric.better == "neither":
            raise InputError(
                f"margin of {spelled(one.label, one.k)}: its direction is neither, and a "
                "margin is how much worse it may be; give min or max, and margins of others by "
                "name"
            )
        relative = isinstance(value, str) and value.endswith("%")
        size = read_number(f"{option}[{text!r}]", value[:-1] if relative else value, shown=value)
        if size < 0:
            raise InputError(f"{option}[{text!r}]={value!r}: a {option} is 0 or more")
        found[one.label, one.k] = Margin(
            size / 100 if relative else size, relative, one.metric.better
        )
    return found


def of_each(given: Any, known: Mapping[str, MetricRequest]) -> dict[str, Any]:
    """Give each metric its own value, and those without one what is given for all."""
    if given is None:
        return {}
    own = dict(given) if isinstance(given, Mapping) else {"": given}
    return dict.fromkeys(known, own.pop("")) | own if "" in own else own


def named(
    option: str, text: Any, known: Mapping[str, MetricRequest], convention: str
) -> MetricRequest:
    """Find the metric that a check names among those that are computed."""
    one, *more = parse_metrics([text], convention)
    name = spelled(one.label, one.k)
    if more or name not in known:
        raise InputError(f"{option} of {text}, which is not computed: {nearest(name, known)}")
    return known[name]


def read_number(name: str, value: Any, shown: Any = None) -> float:
    """Read a number; shown is what was given of it.

    Raises:
        InputError: It is none.
    """
    try:
        number = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"{name}={value if shown is None else shown!r}: give a number")
    return number
