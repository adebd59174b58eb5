"""The definition of a plot: marks, axes and their columns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ..display.numbers import round_last_digits
from ..records import Row, group_by

# Okabe and Ito's palette, which is safe for color blindness, on white and on black.
COLORS = (
    *(("#0072b2", "#58b0ec"), ("#d55e00", "#f58a4a"), ("#009e73", "#2fcf9f")),
    *(("#b0578d", "#e29bc4"), ("#c98a00", "#f2b838"), ("#3a9bd0", "#9ad4f7")),
)
GRAY = ("#6e7781", "#9aa4ae")

# Forms of axis labels: numbers, percentages, powers on a log scale, or names.
FORMS = ("number", "share", "log", "name")


@dataclass(frozen=True)
class Axis:
    """One axis."""

    column: str  # The column of the values.
    title: str
    form: str = "number"  # One of ``FORMS``.
    low: str | None = None  # The columns of the interval, if any.
    high: str | None = None
    at: tuple[float, ...] = ()  # The values of ticks, by default round numbers.
    labels: tuple[str, ...] = ()  # The labels of ticks that are not numbers.

    def limits(self, row: Row) -> tuple[float, float] | None:
        """Return the interval of a row, or None if it has no interval."""
        if not self.low or not self.high or row[self.low] is None or row[self.high] is None:
            return None
        return row[self.low], row[self.high]

    def names(self, rows: Iterable[Row]) -> list[str]:
        """Return the names on the axis, in order."""
        return list(dict.fromkeys(str(row[self.column]) for row in rows))


@dataclass(frozen=True)
class Chart:
    """A plot without its rows."""

    # ``line``: lines with bands. ``bar``: bars for the reference, and lines for all other names.
    # ``dot``: a row of dots for each name on the y-axis. ``point``: a scatter plot.
    mark: str
    x: Axis
    y: Axis
    title: str  # The title, in a few words.
    about: str  # The subtitle, a sentence, which is also the description for screen readers.
    color: str = "model"
    panel: str | None = None  # The column of panels, if there are several.
    zero: bool = False  # Whether to draw a line at 0, which means no difference.
    diagonal: bool = False  # Whether to draw the diagonal, on which both values are equal.
    reference: str | None = None  # The name of the reference, which is drawn in gray.
    # Whether to draw a legend above the plot, if lines end at the same point.
    legend: bool = False
    models: tuple[str, ...] = ()  # All models of the report, to use the same colors in all plots.
    wraps: bool = False  # Whether names on the y-axis are sentences, which wrap.

    def panels(self, rows: Sequence[Row]) -> dict[str, list[Row]]:
        """Group the rows by panel, in their order."""
        return group_by(rows, lambda row: "" if self.panel is None else str(row[self.panel]))

    def has_single_colors(self, rows: Sequence[Row]) -> bool:
        """Return whether each name on the y-axis has a single color."""
        pairs = {(str(row[self.y.column]), str(row[self.color])) for row in rows}
        return len(pairs) == len({name for name, _ in pairs})

    def numbers(self, rows: Iterable[Row]) -> dict[str, int]:
        """Return the names in order, with the numbers of their colors and shapes.

        The reference is last, with the number -1.
        """
        models = {str(row[self.color]): row.get("model") for row in rows}
        reference = {}
        if self.reference in models:
            del models[self.reference]
            reference = {self.reference: -1}
        if len({*models.values()}) < len(models):
            return {name: number for number, name in enumerate(models)} | reference
        order = [*dict.fromkeys((*self.models, *models.values()))]
        by_name = {name: order.index(model) for name, model in models.items()}
        return dict(sorted(by_name.items(), key=lambda item: item[1])) | reference


def round_ticks(low: float, high: float, limit: int) -> list[float]:
    """Return round numbers within a range, at least three and at most ``limit``."""
    if not high > low:
        return [low]
    finer: list[float] = []
    for step in _round_steps((high - low) / 8):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        marks = [number * step for number in range(first, last + 1)]
        if len(marks) < 3:
            return finer or marks
        if len(marks) <= limit:
            return marks
        finer = marks
    raise AssertionError(step)


def _round_steps(minimum: float) -> Iterable[float]:
    power = math.floor(math.log10(minimum))
    for exponent in range(power, power + 3):
        yield from (digit * 10.0**exponent for digit in (1, 2, 2.5, 5))


def widen_range(low: float, high: float, limit: int) -> tuple[float, float]:
    """Return a range, widened to the next round numbers."""
    if not high > low:
        reach = abs(low) / 2 or 1.0
        low, high = low - reach, high + reach
    step = next(iter(_round_steps((high - low) / limit / 2)))
    return math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step


def format_value(value: Any, form: str = "number", digits: int | None = None) -> str:
    """Format a value for display."""
    if value is None:
        return "none"
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return str(value)
    if math.isnan(value) or math.isinf(value):
        return str(value)
    if isinstance(value, float):
        value = round_last_digits(value)
    if form == "share":
        value, unit = value * 100, "%"
        is_whole = math.isclose(value, round(value), abs_tol=1e-9)
        digits = (0 if is_whole else 1) if digits is None else max(0, digits - 2)
    else:
        unit = ""
    if isinstance(value, int) or (digits is None and value == round(value) and abs(value) >= 10):
        text = f"{value:,.0f}"
    elif digits is None:
        text = f"{value:.4g}" if abs(value) >= 1 or value == 0 else f"{value:.3g}"
    else:
        text = f"{value:,.{digits}f}"
    if not float(text.replace(",", "")):
        text = text.lstrip("-")
    return text + unit


def tick_decimals(values: Sequence[float]) -> int:
    """Return the number of decimals that distinguishes the ticks of an axis."""
    steps = [abs(b - a) for a, b in pairwise(values) if b != a]
    step = min(steps, default=1.0)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return digits + (0 if math.isclose(step * 10**digits, round(step * 10**digits)) else 1)
