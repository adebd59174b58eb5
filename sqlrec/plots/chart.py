"""What a plot shows: which column is on which axis, and how."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ..display.numbers import steady

Row = Mapping[str, Any]

# Okabe and Ito's colours, which people tell apart who do not see all; on white and on black.
COLOURS = (
    *(("#0072b2", "#58b0ec"), ("#d55e00", "#f58a4a"), ("#009e73", "#2fcf9f")),
    *(("#b0578d", "#e29bc4"), ("#c98a00", "#f2b838"), ("#3a9bd0", "#9ad4f7")),
)
GREY = ("#6e7781", "#9aa4ae")

# Beside colours, where a model is better or worse.
BETTER, WORSE = "\u25b2", "\u25bc"

# Numbers on an axis, as they are written: plain, of a hundred, by powers; or they are names.
FORMS = ("number", "share", "log", "name")


@dataclass(frozen=True)
class Axis:
    """One axis.

    Attributes:
        column: The column that it shows.
        title: What stands beside it.
        form: One of ``FORMS``.
        low, high: The columns of the interval, where there is one.
        at: The values that are written on it; by default round ones.
        labels: What is written there in place of numbers.
    """

    column: str
    title: str
    form: str = "number"
    low: str | None = None
    high: str | None = None
    at: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()

    def limits(self, row: Row) -> tuple[float, float] | None:
        """Return the interval of a row, where it has one."""
        if not self.low or not self.high or row[self.low] is None or row[self.high] is None:
            return None
        return row[self.low], row[self.high]

    def names(self, rows: Iterable[Row]) -> list[str]:
        """Return the names on it, in order."""
        return list(dict.fromkeys(str(row[self.column]) for row in rows))


@dataclass(frozen=True)
class Chart:
    """A plot without its rows.

    Attributes:
        mark: ``line``, with bands; ``bar``, for what others are compared with, with lines for the
            others; ``dot``, a row of dots for each name on the y axis; ``point``, in a plane;
            ``cell``, a number for each two names, in the colour of what was found.
        title: What it shows, in a few words.
        about: The same in a sentence, for those who don't see it, and below the title.
        panel: The column that tells the panels apart, if there are several.
        zero: Whether a line stands at 0: of no difference.
        diagonal: Whether one stands where both axes are equal.
        reference: The name that others are compared with, which is grey.
        legend: Whether names stand above: where lines end at one point.
        value: The column that cells show.
        models: All models of which this may show some: each has the same colour in all pictures.
    """

    mark: str
    x: Axis
    y: Axis
    title: str
    about: str
    colour: str = "model"
    panel: str | None = None
    zero: bool = False
    diagonal: bool = False
    reference: str | None = None
    legend: bool = False
    value: str | None = None
    models: tuple[str, ...] = ()

    def panels(self, rows: Sequence[Row]) -> dict[str, list[Row]]:
        """Part the rows by panel, in their order."""
        found: dict[str, list[Row]] = {}
        for row in rows:
            name = "" if self.panel is None else str(row[self.panel])
            found.setdefault(name, []).append(row)
        return found

    def is_alone(self, rows: Sequence[Row]) -> bool:
        """Say whether each name on the y axis has one colour, as models have that are listed."""
        shown = {(str(row[self.y.column]), str(row[self.colour])) for row in rows}
        return len(shown) == len({name for name, _ in shown})

    def numbers(self, rows: Iterable[Row]) -> dict[str, int]:
        """Return the names, with the numbers of their colours and shapes, in order.

        The reference is the last, and has -1.
        """
        models = {str(row[self.colour]): row.get("model") for row in rows}
        held = {}
        if self.reference in models:
            del models[self.reference]
            held = {self.reference: -1}
        if len({*models.values()}) < len(models):
            return {name: number for number, name in enumerate(models)} | held
        known = [*dict.fromkeys((*self.models, *models.values()))]
        found = {name: known.index(model) for name, model in models.items()}
        return dict(sorted(found.items(), key=lambda one: one[1])) | held


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return round numbers within a range, at most so many."""
    if not high > low:
        return [low]
    for step in _steps((high - low) / most):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first < most:
            return [number * step for number in range(first, last + 1)]
    raise AssertionError(step)


def _steps(least: float) -> Iterable[float]:
    power = math.floor(math.log10(least))
    for exponent in range(power, power + 3):
        yield from (digit * 10.0**exponent for digit in (1, 2, 5))


def widened(low: float, high: float, most: int) -> tuple[float, float]:
    """Widen a range a little, to the next round numbers."""
    if not high > low:
        reach = abs(low) / 2 or 1.0
        low, high = low - reach, high + reach
    step = next(iter(_steps((high - low) / most / 2)))
    return math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step


def written(value: Any, form: str = "number", digits: int | None = None) -> str:
    """Write a value as people read it."""
    if value is None:
        return "none"
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return str(value)
    if math.isnan(value) or math.isinf(value):
        return str(value)
    if isinstance(value, float):
        value = steady(value)
    if form == "share":
        value, unit = value * 100, "\u00a0%"
        whole = math.isclose(value, round(value), abs_tol=1e-9)
        digits = (0 if whole else 1) if digits is None else max(0, digits - 2)
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
    return text.replace("-", "\u2212") + unit


def cells_written(values: Sequence[float], found: Sequence[str]) -> list[str]:
    """Write the numbers of cells with their sign, and the sign of what was found of them."""
    digits = max(0, 2 - math.floor(math.log10(max(map(abs, values), default=1) or 1)))
    texts = []
    for value, word in zip(values, found, strict=True):
        text = written(value, digits=digits)
        plus = "+" if value > 0 and text.strip("0.") else ""
        texts.append(plus + text + {"better": BETTER, "worse": WORSE}.get(word, ""))
    return texts


def digits_of(values: Sequence[float]) -> int:
    """Return how many digits tell numbers apart that stand on an axis."""
    steps = [abs(b - a) for a, b in pairwise(values) if b != a]
    step = min(steps, default=1.0)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return digits + (0 if math.isclose(step * 10**digits, round(step * 10**digits)) else 1)
