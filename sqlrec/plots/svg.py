"""Plots as small SVG files without scripts, for light and dark screens and for print."""

from __future__ import annotations

import html
import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from .chart import (
    BETTER,
    COLOURS,
    GREY,
    WORSE,
    Axis,
    Chart,
    Row,
    digits_of,
    format_cells,
    format_value,
    ticks,
    widened,
)

WIDTH = 440
SIZE, SMALL = 12.5, 12
FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
INK, MUTED, LINE, PAPER = (
    *(("#1f2328", "#e6edf3"), ("#59636e", "#a3adb8")),
    *(("#d1d9e0", "#3d444d"), ("#ffffff", "#0d1117")),
)

# Maximum width of y-axis labels in pixels, and maximum number of rows.
LONGEST_NAME, MOST_ROWS = 170, 30

# Maximum number of points with labels; more points have a legend.
MOST_NAMES = 8

# Dark colours apply only to screens. Print, and programs without CSS, use the attributes.
_DARK = {"t": INK, "m": MUTED, "r": GREY, **{f"s{n}": pair for n, pair in enumerate(COLOURS)}}
STYLE = (
    ".sqlrec-plot text{font-variant-numeric:tabular-nums}"
    "@media screen{"
    + "".join(
        f".sqlrec-plot .{name}{{fill:light-dark({light},{dark});color:light-dark({light},{dark})}}"
        for name, (light, dark) in _DARK.items()
    )
    + f".sqlrec-plot .g{{stroke:light-dark({LINE[0]},{LINE[1]})}}"
    + f".sqlrec-plot .h{{stroke:light-dark({PAPER[0]},{PAPER[1]})}}}}"
)

# Colours of cells by test result: the third colour, the second, or grey.
CELLS = {
    "better": ("s2", COLOURS[2][0]),
    "worse": ("s1", COLOURS[1][0]),
    **dict.fromkeys(("apart", "open"), ("r", GREY[0])),
}

# Shapes of points: paths around 0, 0. The last is the shape of the reference. With one shape less
# than colours, their combinations distinguish thirty names.
_SHAPES = (
    "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",
    "M-3.6,-3.6h7.2v7.2h-7.2z",
    "M0,-4.6L4.4,3.4H-4.4z",
    "M0,-5L5,0L0,5L-5,0z",
    "M0,4.6L4.4,-3.4H-4.4z",
    "M-1.5,-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
)


def width_of(text: str, size: float = SIZE) -> float:
    """Estimate the width of a text in a sans-serif font."""
    total = 0.0
    for letter in text:
        if unicodedata.east_asian_width(letter) in "WF":
            total += 1.0
        elif letter in "iIjl.,:;'|!()[]\u00a0\u202f ft":
            total += 0.33
        elif letter in "mwMW@%":
            total += 0.9
        else:
            total += 0.68 if letter.isupper() else 0.57
    return total * size * 1.04


def cut(text: str, width: float, size: float = SIZE) -> str:
    """Truncate a text to a width."""
    if width_of(text, size) <= width:
        return text
    while text and width_of(text + "\u2026", size) > width:
        text = text[:-1]
    return text.rstrip() + "\u2026"


def distinct(names: Sequence[str], width: float) -> dict[str, str]:
    """Truncate names to a width, in the middle if they have the same beginning."""
    short_names = {name: cut(name, width) for name in names}
    seen = Counter(short_names.values())
    for name, short in short_names.items():
        if seen[short] > 1:
            head = cut(name, width / 2)
            tail = name
            while width_of(head + tail) > width:
                tail = tail[1:]
            short_names[name] = head + tail
    return short_names


def wrapped(text: str, width: float, size: float = SMALL) -> list[str]:
    """Wrap a text to a width."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and width_of(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return [cut(line, width, size) for line in lines]


def escaped(text: Any) -> str:
    """Return a text with special characters escaped."""
    # XML has no control characters.
    clean = "".join(c if c.isprintable() or c in "\u00a0\u202f" else " " for c in str(text))
    return html.escape(clean)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _at(x: float, y: float) -> str:
    return f"{_number(x)},{_number(y)}"


def _path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(_at(x, y) for x, y in points)


def _line(points: Iterable[tuple[float, float]], width: float) -> str:
    return f'<path fill="none" stroke-width="{width}" d="{_path(points)}"/>'


def _text(x: float, y: float, text: str, *, of: str = "m", anchor: str = "", more: str = "") -> str:
    colour = INK[0] if of == "t" else MUTED[0]
    side = f' text-anchor="{anchor}"' if anchor else ""
    at = f'x="{_number(x)}" y="{_number(y)}"'
    return f'<text class="{of}" fill="{colour}" {at}{side}{more}>{escaped(text)}</text>'


class Place(NamedTuple):
    """The edges of the plot area of a panel."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Scale:
    """A mapping of values to positions on an axis."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, value: float) -> float:
        """Return the position of a value."""
        low, high = self.low, self.high
        if self.log:
            low, high, value = math.log(low), math.log(high), math.log(value)
        return self.start + (value - low) / ((high - low) or 1) * (self.end - self.start)


def _values(axis: Axis, rows: Iterable[Row]) -> list[float]:
    """Return all numbers of an axis, with interval limits."""
    names = [name for name in (axis.column, axis.low, axis.high) if name]
    values = (row[name] for row in rows for name in names)
    return [value for value in values if value is not None and math.isfinite(value)]


class _Panel:
    """One panel of a chart, drawn from its rows."""

    def __init__(
        self, chart: Chart, rows: Sequence[Row], numbers: dict[str, int], title: str
    ) -> None:
        self.chart, self.rows, self.numbers, self.title = chart, rows, numbers, title
        self.present = [name for name in numbers if any(self._name(row) == name for row in rows)]
        self.parts: list[str] = []
        self.categories = chart.y.names(rows)[:MOST_ROWS] if chart.y.form == "name" else []
        self.height = 0
        self.labels = distinct(self.categories, LONGEST_NAME)
        # Labels at the ends of lines.
        lines = chart.mark in ("line", "bar") and not chart.legend and len(self.present) > 1
        self.ends = distinct(self.present, 108) if lines else {}
        self.single_colours = chart.mark == "dot" and chart.has_single_colours(rows)
        # Few points have labels instead of a legend.
        several = len(self.present) > 1 and chart.mark not in ("point", "cell")
        crowded = chart.mark == "point" and MOST_NAMES < len(self.present) <= MOST_ROWS
        self.legend = not self.ends and not self.single_colours and (several or crowded)

    def _name(self, row: Row) -> str:
        return str(row[self.chart.colour])

    def group(self, name: str, inside: str, stroke: bool = True) -> str:
        """Return elements in the colour of a name."""
        number = self.numbers[name]
        kind = f"s{number % len(COLOURS)}" if number >= 0 else "r"
        colour = (COLOURS[number % len(COLOURS)] if number >= 0 else GREY)[0]
        line = ' stroke="currentColor"' if stroke else ""
        return f'<g class="{kind}" fill="{colour}" color="{colour}"{line}>{inside}</g>'

    def shape(self, name: str, x: float, y: float, tooltip: str = "") -> str:
        """Return the shape of a name, with a tooltip."""
        number = self.numbers[name]
        path = _SHAPES[number % (len(_SHAPES) - 1) if number >= 0 else number]
        title = f"<title>{escaped(tooltip)}</title>" if tooltip else ""
        return (
            f'<path class="h" stroke="{PAPER[0]}" stroke-width="1.2" d="{path}" '
            f'transform="translate({_at(x, y)})">{title}</path>'
        )

    def tooltip(self, row: Row) -> str:
        """Return the tooltip of a row."""
        chart = self.chart
        words = [self._name(row)]
        for axis in (chart.x, chart.y):
            text = f"{axis.title}: {format_value(row[axis.column], axis.form)}"
            if limits := axis.limits(row):
                text += f" ({' to '.join(format_value(value, axis.form) for value in limits)})"
            words.append(text)
        return "; ".join(words)

    def draw(self) -> str:
        """Return the marks of the panel, and set its height."""
        chart = self.chart
        y = 0.0
        if self.title:
            y += 16
            self.parts.append(
                _text(
                    0, y - 3, self.title, of="t", more=f' font-size="{SIZE + 1}" font-weight="600"'
                )
            )
        if chart.mark == "cell":
            self._cells(y + 8)
            return "".join(self.parts)
        if self.legend:
            y = self._legend(y + 4)
        y += 29 if not self.categories else 8  # Space for the title of the y axis.
        left, right = self._margins()
        if self.categories:
            step = 14 + self._dot_distance() * (
                1 if self.single_colours else max(1, len(self.present))
            )
            bottom = y + step * len(self.categories)
        else:
            bottom = y + max(190, 15 * len(self.present) if self.ends else 0)
        place = Place(left, y, WIDTH - right, bottom)
        self.height = round(bottom + 40)
        scales = self._scales(place)
        self._axes(place, *scales)
        {"line": self._lines, "bar": self._lines, "dot": self._dots, "point": self._points}[
            chart.mark
        ](place, *scales)
        return "".join(self.parts)

    def _margins(self) -> tuple[float, float]:
        chart = self.chart
        if self.categories:
            left = max(map(width_of, self.labels.values())) + 12
        else:
            values = _values(chart.y, self.rows) or [0.0, 1.0]
            low, high = self._range(chart.y, values)
            scale = Scale(low, high, 0.0, 1.0, chart.y.form == "log")
            marks = _marks(scale, 5)
            digits = None if scale.log else digits_of(marks)
            left = max(width_of(format_value(v, chart.y.form, digits), SMALL) for v in marks) + 10
        right = 14.0
        if self.ends:
            right = min(130, max(map(width_of, self.ends.values())) + 20)
        return left, right

    def _legend(self, y: float) -> float:
        x, line = 6.0, y + 12
        for name in self.present:
            text = cut(name, WIDTH - 40)
            if x > 6 and x + 14 + width_of(text) > WIDTH:
                x, line = 6.0, line + 18
            self.parts.append(self.group(name, self.shape(name, x, line - 4)))
            self.parts.append(_text(x + 9, line, text, of="t"))
            x += 28 + width_of(text)
        return line + 8

    def _range(self, axis: Axis, values: Sequence[float]) -> tuple[float, float]:
        low, high = min(values), max(values)
        if axis.form == "log":
            return low, high if high > low else low * 10
        if axis.at:
            return min(low, *axis.at), max(high, *axis.at)
        if self.chart.zero and axis.column != "share" and self.chart.mark in ("dot", "line"):
            low, high = min(low, 0.0), max(high, 0.0)
        if self.chart.mark == "bar" and axis is self.chart.y:
            low = min(low, 0.0)
        if self.chart.mark == "point":
            reach = (high - low or abs(high) or 1.0) * 0.08
            bound = 0.0 if low >= 0 else -math.inf
            return max(bound, low - reach), high + reach
        # Start at 0 if the values still fill half of the height.
        if low > 0 and low < high / 2 and self.chart.mark == "line":
            low = 0.0
        return widened(low, high, 5)

    def _scales(self, place: Place) -> tuple[Scale, Scale]:
        chart = self.chart
        x_low, x_high = self._range(chart.x, _values(chart.x, self.rows) or [0.0, 1.0])
        pad = 8 if chart.mark in ("line", "bar") and chart.x.form != "share" else 0
        if chart.mark == "bar":
            pad = 18
        x = Scale(x_low, x_high, place.left + pad, place.right - pad, chart.x.form == "log")
        if self.categories:
            return x, Scale(0, len(self.categories), place.top, place.bottom)
        y_low, y_high = self._range(chart.y, _values(chart.y, self.rows) or [0.0, 1.0])
        return x, Scale(y_low, y_high, place.bottom, place.top, chart.y.form == "log")

    def _axes(self, place: Place, x: Scale, y: Scale) -> None:
        chart, lines, texts = self.chart, [], []
        marks = list(chart.x.at) or _marks(x, max(2, int((place.right - place.left) / 62)))
        digits = digits_of(marks)
        last = -math.inf
        for value in marks:
            at = x(value)
            text = format_value(value, chart.x.form, None if chart.x.at or x.log else digits)
            text = chart.x.labels[marks.index(value)] if chart.x.labels else text
            if self.categories or chart.mark == "point":
                lines.append(f"M{_at(at, place.top)}V{_number(place.bottom)}")
            else:
                lines.append(f"M{_at(at, place.bottom)}v4")
            if at - width_of(text, SMALL) / 2 > last + 4:
                edge = "end" if at + width_of(text, SMALL) / 2 > WIDTH else "middle"
                texts.append(_text(min(at, WIDTH), place.bottom + 16, text, anchor=edge))
                last = at + width_of(text, SMALL) / 2
        if self.categories:
            step = (place.bottom - place.top) / len(self.categories)
            for number, name in enumerate(self.categories):
                middle = place.top + step * (number + 0.5) + 4
                label = self.labels[name]
                texts.append(_text(place.left - 12, middle, label, of="t", anchor="end"))
        else:
            marks = _marks(y, 5)
            digits = digits_of(marks)
            for value in marks:
                lines.append(f"M{_at(place.left, y(value))}H{_number(place.right)}")
                text = format_value(value, chart.y.form, None if y.log else digits)
                texts.append(_text(place.left - 7, y(value) + 4, text, anchor="end"))
            texts.append(_text(0, place.top - 12, chart.y.title))
        middle = (place.left + place.right) / 2
        half = width_of(chart.x.title, SMALL) / 2
        middle = min(max(middle, half), WIDTH - half)
        texts.append(_text(middle, place.bottom + 34, chart.x.title, anchor="middle"))
        strong = ""
        if chart.diagonal:
            strong = _path([(x(0), y(0)), (x(1), y(1))])
        if chart.zero and not self.categories:
            strong = f"M{_at(place.left, y(0))}H{_number(place.right)}"
        elif chart.zero:
            strong = f"M{_at(x(0), place.top)}V{_number(place.bottom)}"
        if chart.mark == "point":
            lines += [f"M{_at(place.left, place.bottom)}H{_number(place.right)}"]
        self.parts.append(
            f'<path class="g" fill="none" stroke="{LINE[0]}" d="{"".join(lines)}"/>'
            f'<g font-size="{SMALL}">{"".join(texts)}</g>'
        )
        if strong:
            self.parts.append(
                f'<g class="r" color="{GREY[0]}"><path stroke="currentColor" d="{strong}"/></g>'
            )

    def _lines(self, place: Place, x: Scale, y: Scale) -> None:
        chart, ends = self.chart, []
        step = (place.right - place.left) / max(1, len(chart.x.at) or 40)
        for name in self.present:
            rows = [row for row in self.rows if self._name(row) == name]
            rows = [row for row in rows if row[chart.y.column] is not None]
            points = [(x(row[chart.x.column]), y(row[chart.y.column])) for row in rows]
            if not points:
                continue
            inside = self._band(rows, x, y)
            if chart.mark == "bar" and name == chart.reference:
                wide = min(26, step * 0.62)
                for (at, top), row in zip(points, rows, strict=True):
                    inside += (
                        f'<rect stroke="none" fill-opacity=".32" x="{_number(at - wide / 2)}" '
                        f'y="{_number(top)}" width="{_number(wide)}" '
                        f'height="{_number(max(0.0, y(0) - top))}">'
                        f"<title>{escaped(self.tooltip(row))}</title></rect>"
                    )
            else:
                inside += (
                    f'<path fill="none" stroke-width="2" stroke-linejoin="round" '
                    f'd="{_path(points)}"><title>{escaped(name)}</title></path>'
                )
                if len(points) <= 20:
                    for (at, top), row in zip(points, rows, strict=True):
                        inside += self.shape(name, at, top, self.tooltip(row))
            self.parts.append(self.group(name, inside))
            ends.append((points[-1], name))
        if self.ends:
            self._names(place, ends)

    def _band(self, rows: Sequence[Row], x: Scale, y: Scale) -> str:
        axis, column = self.chart.y, self.chart.x.column
        with_limits = [(x(row[column]), limits) for row in rows if (limits := axis.limits(row))]
        if not with_limits:
            return ""
        upper = [(at, y(high)) for at, (_, high) in with_limits]
        lower = [(at, y(low)) for at, (low, _) in with_limits]
        if len(with_limits) == 1:
            return _line([*upper, *lower], 1.5)
        return f'<path stroke="none" fill-opacity=".16" d="{_path([*upper, *lower[::-1]])}z"/>'

    def _names(self, place: Place, ends: Sequence[tuple[tuple[float, float], str]]) -> None:
        """Draw labels at the ends of lines, moved to avoid overlaps."""
        ordered = sorted(ends, key=lambda end: end[0][1])
        gap = 15.0
        heights = [y for (_, y), _ in ordered]
        for _ in range(200):
            for index in range(len(heights) - 1):
                overlap = gap - (heights[index + 1] - heights[index])
                if overlap > 0.01:
                    heights[index] -= overlap / 2
                    heights[index + 1] += overlap / 2
            heights = [min(max(at, place.top), place.bottom) for at in heights]
        for ((x, y), name), at in zip(ordered, heights, strict=True):
            edge = place.right + 2
            if abs(at - y) > 3 or edge - x > 12:
                line = _line([(x + 5, y), (edge + 4, at)], 1)
                self.parts.append(self.group(name, line))
            self.parts.append(_text(edge + 7, at + 4, self.ends[name], of="t"))

    def _dot_distance(self) -> int:
        """Return the vertical distance of dots of the same name, larger with intervals."""
        return 9 if self.chart.x.low else 3

    def _dots(self, place: Place, x: Scale, y: Scale) -> None:
        axis = self.chart.x
        count = len(self.present)
        for offset, name in enumerate(self.present):
            inside = ""
            for row in self.rows:
                category = str(row[self.chart.y.column])
                if self._name(row) != name or category not in self.categories:
                    continue
                if row[axis.column] is None:
                    continue
                at = y(self.categories.index(category) + 0.5)
                at += (
                    0 if self.single_colours else (offset - (count - 1) / 2) * self._dot_distance()
                )
                if limits := axis.limits(row):
                    inside += _line([(x(limit), at) for limit in limits], 1.8)
                inside += self.shape(name, x(row[axis.column]), at, self.tooltip(row))
            self.parts.append(self.group(name, inside))

    def _cells(self, y: float) -> None:
        """Draw a matrix with names as row and column headings; long names have numbers instead."""
        chart, names = self.chart, self.categories
        left = max(map(width_of, self.labels.values())) + 30
        wide, tall = min(90.0, (WIDTH - left) / len(names)), 26.0
        fit = all(width_of(name, SMALL) < wide - 4 for name in names)
        values = [row[chart.value or ""] for row in self.rows]
        texts = format_cells(values, [self._name(row) for row in self.rows])
        top = y + 18
        heads = []
        for number, name in enumerate(names):
            middle = left + (number + 0.5) * wide
            heads.append(_text(middle, y + 10, name if fit else str(number + 1), anchor="middle"))
            label = self.labels[name] if fit else f"{number + 1} {self.labels[name]}"
            heads.append(_text(0, top + number * tall + 17, label, of="t"))
        self.parts.append(f'<g font-size="{SMALL}">{"".join(heads)}</g>')
        for row, text in zip(self.rows, texts, strict=True):
            if str(row[chart.x.column]) not in names or str(row[chart.y.column]) not in names:
                continue
            x = left + names.index(str(row[chart.x.column])) * wide
            line = top + names.index(str(row[chart.y.column])) * tall
            value, outcome = row[chart.value or ""], self._name(row)
            pair = f"{row[chart.y.column]} less {row[chart.x.column]}"
            tooltip = f"{pair}: {format_value(value)}; {outcome}"
            kind, colour = CELLS[outcome]
            self.parts.append(
                f'<rect class="{kind}" fill="{colour}" fill-opacity=".18" x="{_number(x + 1)}" '
                f'y="{_number(line + 1)}" width="{_number(wide - 2)}" height="{_number(tall - 2)}">'
                f"<title>{escaped(tooltip)}</title></rect>"
            )
            if width_of(text, SMALL) >= wide - 2:
                text = text[-1] if text.endswith((BETTER, WORSE)) else ""
            middle = x + wide / 2
            small = f' font-size="{SMALL}"'
            self.parts.append(_text(middle, line + 17, text, of="t", anchor="middle", more=small))
        self.height = round(top + len(names) * tall + 14)

    def _points(self, place: Place, x: Scale, y: Scale) -> None:
        across, up = self.chart.x, self.chart.y
        covered: list[tuple[float, float, float, float]] = []
        front = [row for row in self.rows if row.get("pareto")]
        front.sort(key=lambda row: row[across.column])
        if len(front) > 1:
            points = [(x(row[across.column]), y(row[up.column])) for row in front]
            line = _path(points)
            for start, end in pairwise(points):
                covered += _along(start, end)
            self.parts.append(
                f'<g class="r" color="{GREY[0]}"><path fill="none" stroke="currentColor" '
                f'stroke-dasharray="4 4" d="{line}"><title>Pareto line</title></path></g>'
            )
        drawn = [
            row
            for row in self.rows
            if row[across.column] is not None and row[up.column] is not None
        ]
        for row in drawn:
            at, top = x(row[across.column]), y(row[up.column])
            covered.append((at - 7, top - 7, at + 7, top + 7))
            inside = ""
            ends = [(x(limit), top) for limit in across.limits(row) or ()]
            for cross in (ends, [(at, y(limit)) for limit in up.limits(row) or ()]):
                if cross:
                    inside += _line(cross, 1.5)
                    covered += _along(*cross)
            inside += self.shape(self._name(row), at, top, self.tooltip(row))
            self.parts.append(self.group(self._name(row), inside))
        points = [(x(row[across.column]), y(row[up.column])) for row in drawn]
        # If there are very many points, only the Pareto front has labels.
        labelled = [] if self.legend else [*zip(drawn, points, strict=True)]
        if len(labelled) > MOST_ROWS:
            labelled = [(row, point) for row, point in labelled if row.get("pareto")][:MOST_ROWS]
        for row, point in labelled:
            name = cut(self._name(row), 140)
            others = [other for other in points if other != point]
            box = _free(point, others, width_of(name), place, covered)
            covered.append(box)
            self.parts.append(_text(box[0], box[3] - 3, name, of="t"))


def _along(
    start: tuple[float, float], end: tuple[float, float]
) -> list[tuple[float, float, float, float]]:
    """Return boxes along a line, which labels should not cover."""
    steps = max(1, int(math.dist(start, end) / 5))
    boxes = []
    for step in range(steps + 1):
        x, y = (a + (b - a) * step / steps for a, b in zip(start, end, strict=True))
        boxes.append((x - 3, y - 3, x + 3, y + 3))
    return boxes


def _free(
    point: tuple[float, float],
    others: Sequence[tuple[float, float]],
    width: float,
    place: Place,
    covered_boxes: Sequence[tuple[float, ...]],
) -> tuple[float, float, float, float]:
    """Return a box for a label near its point, with few overlaps and no nearer point."""
    x, y = point
    best: tuple[float, tuple[float, float, float, float]] | None = None
    for distance in (9, 18, 30):
        for across, up in ((1, -1), (1, 1), (-1, -1), (-1, 1), (1, 0), (-1, 0), (0, -1), (0, 1)):
            left = x + across * distance if across > 0 else x - width - distance
            left = x - width / 2 if not across else left
            top = y + up * distance - 8
            box = (left, top, left + width, top + 15)
            outside = max(0.0, place.left - left) + max(0.0, left + width - WIDTH)
            outside += max(0.0, place.top - 14 - top) + max(0.0, top + 15 - place.bottom)
            covered = sum(
                max(0.0, min(box[2], b[2]) - max(box[0], b[0]))
                * max(0.0, min(box[3], b[3]) - max(box[1], b[1]))
                for b in covered_boxes
            )
            distance_from_point = _distance(box, point)
            nearer = any(_distance(box, other) <= distance_from_point for other in others)
            cost = covered + outside * 20 + distance + 400 * nearer
            if best is None or cost < best[0]:
                best = (cost, box)
    assert best
    return best[1]


def _distance(box: tuple[float, float, float, float], point: tuple[float, float]) -> float:
    """Return the distance of a point from a box."""
    left, top, right, bottom = box
    across = max(left - point[0], 0.0, point[0] - right)
    return math.hypot(across, max(top - point[1], 0.0, point[1] - bottom))


def _marks(scale: Scale, limit: int) -> list[float]:
    """Return the values of ticks on an axis, at most a number of them."""
    if not scale.log:
        return ticks(scale.low, scale.high, limit)
    first, last = math.floor(math.log10(scale.low)), math.ceil(math.log10(scale.high))
    step = max(1, math.ceil((last - first) / limit))
    powers = [10.0**power for power in range(first, last + 1, step)]
    inside = [power for power in powers if scale.low <= power <= scale.high]
    return inside or [scale.low, scale.high]


def panels(chart: Chart, rows: Sequence[Row]) -> list[tuple[str, int, str]]:
    """Return the title, the height and the marks of each panel."""
    numbers = chart.numbers(rows)
    drawn = []
    for title, panel_rows in chart.panels(rows).items():
        panel = _Panel(chart, panel_rows, numbers, title)
        marks = panel.draw()
        drawn.append((title, panel.height, marks))
    return drawn


def _root(title: str, about: str, width: int, height: int, inside: str, style: str = "") -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sqlrec-plot" role="img" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'aria-label="{escaped(title)}" font-family="{escaped(FONT)}" font-size="{SIZE}">'
        f"<title>{escaped(title)}</title><desc>{escaped(about)}</desc>{style}{inside}</svg>"
    )


def pieces(chart: Chart, rows: Sequence[Row]) -> list[str]:
    """Return an SVG without style for each panel, for pages that arrange them."""
    images = []
    for title, height, marks in panels(chart, rows):
        full_title = f"{chart.title}: {title}" if title else chart.title
        images.append(_root(full_title, chart.about, WIDTH, height, marks))
    return images


def full_image(chart: Chart, rows: Sequence[Row]) -> str:
    """Return one SVG with all panels, two in a row."""
    parts = panels(chart, rows)
    across = min(2, len(parts))
    pad, gap = 12, 24
    inner = max(1, across) * WIDTH + (across - 1) * gap
    y = pad + 18.0
    inside = _text(pad, y - 4, chart.title, of="t", more=' font-size="15" font-weight="600"')
    for line in wrapped(chart.about, inner):
        y += 16
        inside += _text(pad, y - 2, line, more=f' font-size="{SMALL}"')
    y += 12
    for start in range(0, len(parts), 2):
        line_parts = parts[start : start + 2]
        for number, (_, _, marks) in enumerate(line_parts):
            inside += (
                f'<g transform="translate({_at(pad + number * (WIDTH + gap), y)})">{marks}</g>'
            )
        y += max(height for _, height, _ in line_parts) + gap / 2
    style = f"<style>svg{{color-scheme:light dark;max-width:100%;height:auto}}{STYLE}</style>"
    width, height = inner + 2 * pad, round(y)
    back = f'<rect class="b" width="{width}" height="{height}" fill="{PAPER[0]}"/>'
    style = style.replace(
        "@media screen{", f"@media screen{{.b{{fill:light-dark({PAPER[0]},{PAPER[1]})}}", 1
    )
    return _root(chart.title, chart.about, width, height, back + inside, style)
