"""Plots as small SVG files without scripts, for light and dark screens and for print."""

from __future__ import annotations

import html
import math
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..records import Row
from .chart import COLORS, GRAY, Axis, Chart, format_value, round_ticks, tick_decimals, widen_range

WIDTH = 440
SIZE, SMALL = 12.5, 12
FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
INK, MUTED, LINE, PAPER = (
    *(("#1f2328", "#e6edf3"), ("#59636e", "#a3adb8")),
    *(("#d1d9e0", "#3d444d"), ("#ffffff", "#0d1117")),
)

# Maximum width of y-axis labels in pixels, and maximum number of rows on the y-axis.
LONGEST_NAME, MOST_ROWS = 170, 30

# Dark colors apply only to screens. Printers, and programs without CSS, use the attributes.
_DARK = {"t": INK, "m": MUTED, "r": GRAY, **{f"s{n}": pair for n, pair in enumerate(COLORS)}}
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

# Shapes of points, as paths around 0, 0. The last shape is for the reference. The number of other
# shapes is one less than the number of colors, so thirty names differ in shape or color.
_SHAPES = (
    "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",
    "M-3.6,-3.6h7.2v7.2h-7.2z",
    "M0,-4.6L4.4,3.4H-4.4z",
    "M0,-5L5,0L0,5L-5,0z",
    "M0,4.6L4.4,-3.4H-4.4z",
    "M-1.5,-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
)


def text_width(text: str, size: float = SIZE) -> float:
    """Estimate the width of a string in a sans-serif font."""
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


def truncate_text(text: str, width: float, size: float = SIZE) -> str:
    """Truncate a string to a width."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(text + "\u2026", size) > width:
        text = text[:-1]
    return text.rstrip() + "\u2026"


def truncate_names(names: Sequence[str], width: float) -> dict[str, str]:
    """Truncate names to a width, in the middle if the names have the same beginning."""
    short_names = {name: truncate_text(name, width) for name in names}
    seen = Counter(short_names.values())
    for name, short in short_names.items():
        if seen[short] > 1:
            head = truncate_text(name, width / 2)
            tail = name
            while text_width(head + tail) > width:
                tail = tail[1:]
            short_names[name] = head + tail
    return short_names


def wrap_text(text: str, width: float, size: float = SMALL) -> list[str]:
    """Wrap a string to a width."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return [truncate_text(line, width, size) for line in lines]


def escape_text(text: Any) -> str:
    """Return a string with special characters escaped."""
    # XML forbids control characters.
    clean = "".join(c if c.isprintable() or c in "\u00a0\u202f" else " " for c in str(text))
    return html.escape(clean)


def _decimal(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _point(x: float, y: float) -> str:
    return f"{_decimal(x)},{_decimal(y)}"


def _path_data(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(_point(x, y) for x, y in points)


def _line_path(points: Iterable[tuple[float, float]], width: float) -> str:
    return f'<path fill="none" stroke-width="{width}" d="{_path_data(points)}"/>'


def _svg_text(
    x: float, y: float, text: str, *, of: str = "m", anchor: str = "", more: str = ""
) -> str:
    color = INK[0] if of == "t" else MUTED[0]
    side = f' text-anchor="{anchor}"' if anchor else ""
    at = f'x="{_decimal(x)}" y="{_decimal(y)}"'
    return f'<text class="{of}" fill="{color}" {at}{side}{more}>{escape_text(text)}</text>'


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


class _Panel:
    """One panel of a chart, drawn from its rows. ``parts`` are the marks."""

    x: Scale
    y: Scale

    def __init__(
        self, chart: Chart, rows: Sequence[Row], numbers: dict[str, int], title: str
    ) -> None:
        self.chart, self.rows, self.numbers = chart, rows, numbers
        self.present = [
            name for name in numbers if any(self._series_name(row) == name for row in rows)
        ]
        self.categories = chart.y.names(rows)[:MOST_ROWS] if chart.y.form == "name" else []
        short_names = truncate_names(self.categories, LONGEST_NAME)
        self.labels = {
            name: wrap_text(name, LONGEST_NAME, SIZE) if chart.wraps else [short_names[name]]
            for name in self.categories
        }
        # Lines have labels at their ends. If there are few names, a legend has room for long names.
        lines = chart.mark in ("line", "bar") and not chart.legend and len(self.present) > 1
        short_names = truncate_names(self.present, 108)
        is_short = [*short_names] == [*short_names.values()] or len(short_names) > MOST_ROWS
        self.ends = short_names if lines and is_short else {}
        self.single_colors = chart.mark == "dot" and chart.has_single_colors(rows)
        self.parts: list[str] = []
        top = 16.0 if title else 0.0
        if title:
            bold = f' font-size="{SIZE + 1}" font-weight="600"'
            self.parts.append(_svg_text(0, top - 3, title, of="t", more=bold))
        if 1 < len(self.present) <= MOST_ROWS and not self.ends and not self.single_colors:
            top = self._draw_legend(top + 4)
        self._place_scales(top)
        self._draw_axes()
        {
            "line": self._draw_lines,
            "bar": self._draw_lines,
            "dot": self._draw_dots,
            "point": self._draw_points,
        }[chart.mark]()

    def _series_name(self, row: Row) -> str:
        return str(row[self.chart.color])

    def group(self, name: str, inside: str) -> str:
        """Return elements in the color of a name."""
        number = self.numbers[name]
        kind = f"s{number % len(COLORS)}" if number >= 0 else "r"
        color = (COLORS[number % len(COLORS)] if number >= 0 else GRAY)[0]
        return (
            f'<g class="{kind}" fill="{color}" color="{color}" stroke="currentColor">{inside}</g>'
        )

    def shape(self, name: str, x: float, y: float, tooltip: str = "") -> str:
        """Return the point of a name in its shape, with a tooltip."""
        number = self.numbers[name]
        path = _SHAPES[number % (len(_SHAPES) - 1) if number >= 0 else number]
        title = f"<title>{escape_text(tooltip)}</title>" if tooltip else ""
        return (
            f'<path class="h" stroke="{PAPER[0]}" stroke-width="1.2" d="{path}" '
            f'transform="translate({_point(x, y)})">{title}</path>'
        )

    def tooltip(self, row: Row) -> str:
        """Return the tooltip of a row."""
        words = [self._series_name(row)]
        for axis in (self.chart.x, self.chart.y):
            text = f"{axis.title}: {format_value(row[axis.column], axis.form)}"
            if limits := axis.limits(row):
                text += f" ({' to '.join(format_value(value, axis.form) for value in limits)})"
            words.append(text)
        return "; ".join(words)

    def _draw_legend(self, y: float) -> float:
        """Draw the legend, and return the height at which it ends."""
        x, line = 6.0, y + 12
        for name in self.present:
            text = truncate_text(name, WIDTH - 40)
            if x > 6 and x + 14 + text_width(text) > WIDTH:
                x, line = 6.0, line + 18
            self.parts.append(self.group(name, self.shape(name, x, line - 4)))
            self.parts.append(_svg_text(x + 9, line, text, of="t"))
            x += 28 + text_width(text)
        return line + 8

    def _place_scales(self, top: float) -> None:
        """Set the edges of the plot area, and the scales of the axes."""
        chart, right = self.chart, 14.0
        if self.ends:
            right = min(130, max(map(text_width, self.ends.values())) + 20)
        if self.categories:
            self.top = top + 8
            rows = 1 if self.single_colors else max(1, len(self.present))
            tall = 14 * max(map(len, self.labels.values())) + self._dot_distance() * rows
            self.bottom = self.top + tall * len(self.categories)
            left = max(text_width(line) for label in self.labels.values() for line in label) + 12
            self.y = Scale(0, len(self.categories), self.top, self.bottom)
        else:
            # The title of the axis is above the plot area.
            self.top = top + 29
            self.bottom = self.top + max(190, 15 * len(self.present) if self.ends else 0)
            low, high = self._axis_range(chart.y)
            self.y = Scale(low, high, self.bottom, self.top, chart.y.form == "log")
            left = (
                max(text_width(text, SMALL) for _, text in self._axis_ticks(chart.y, self.y, 5))
                + 10
            )
        self.left, self.right = left, WIDTH - right
        self.height = round(self.bottom + 40)
        pad = 8 if chart.mark == "line" and chart.x.form != "share" else 0
        pad = 18 if chart.mark == "bar" else pad
        low, high = self._axis_range(chart.x)
        self.x = Scale(low, high, left + pad, self.right - pad, chart.x.form == "log")

    def _axis_range(self, axis: Axis) -> tuple[float, float]:
        """Return the smallest and the largest value on an axis."""
        names = [name for name in (axis.column, axis.low, axis.high) if name]
        values = [x for row in self.rows for name in names if (x := row[name]) is not None]
        values = [x for x in values if math.isfinite(x)] or [0.0, 1.0]
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
            return max(0.0 if low >= 0 else -math.inf, low - reach), high + reach
        # The axis starts at 0 if the values then still fill half of the height.
        if low > 0 and low < high / 2 and self.chart.mark == "line":
            low = 0.0
        return widen_range(low, high, 5)

    def _axis_ticks(self, axis: Axis, scale: Scale, limit: int) -> list[tuple[float, str]]:
        """Return the values of a limited number of ticks on an axis, with their labels."""
        marks = [*axis.at] or _tick_values(scale, limit)
        digits = None if axis.at or scale.log else tick_decimals(marks)
        labels = axis.labels or [format_value(mark, axis.form, digits) for mark in marks]
        return [*zip(marks, labels, strict=True)]

    def _draw_axes(self) -> None:
        """Draw the ticks, labels, grid lines and titles of both axes."""
        chart, lines, texts, last = self.chart, [], [], -math.inf
        left, top, right, bottom = map(_decimal, (self.left, self.top, self.right, self.bottom))
        for value, text in self._axis_ticks(
            chart.x, self.x, max(2, int(self.right - self.left) // 62)
        ):
            at, half = self.x(value), text_width(text, SMALL) / 2
            is_grid = self.categories or chart.mark == "point"
            lines.append(
                f"M{_decimal(at)},{top}V{bottom}" if is_grid else f"M{_decimal(at)},{bottom}v4"
            )
            if at - half > last + 4:
                edge = "end" if at + half > WIDTH else "middle"
                texts.append(_svg_text(min(at, WIDTH), self.bottom + 16, text, anchor=edge))
                last = at + half
        for number, name in enumerate(self.categories):
            first = self.y(number + 0.5) + 4 - 7 * (len(self.labels[name]) - 1)
            for line, text in enumerate(self.labels[name]):
                at = first + 14 * line
                texts.append(_svg_text(self.left - 12, at, text, of="t", anchor="end"))
        if not self.categories:
            for value, text in self._axis_ticks(chart.y, self.y, 5):
                at = self.y(value)
                lines.append(f"M{left},{_decimal(at)}H{right}")
                texts.append(_svg_text(self.left - 7, at + 4, text, anchor="end"))
            texts.append(_svg_text(0, self.top - 12, chart.y.title))
        half = text_width(chart.x.title, SMALL) / 2
        middle = min(max((self.left + self.right) / 2, half), WIDTH - half)
        texts.append(_svg_text(middle, self.bottom + 34, chart.x.title, anchor="middle"))
        if chart.mark == "point":
            lines.append(f"M{left},{bottom}H{right}")
        self.parts.append(
            f'<path class="g" fill="none" stroke="{LINE[0]}" d="{"".join(lines)}"/>'
            f'<g font-size="{SMALL}">{"".join(texts)}</g>'
        )
        if chart.diagonal:
            self._reference(_path_data([(self.x(0), self.y(0)), (self.x(1), self.y(1))]))
        if chart.zero and self.categories:
            self._reference(f"M{_decimal(self.x(0))},{top}V{bottom}")
        elif chart.zero:
            self._reference(f"M{left},{_decimal(self.y(0))}H{right}")

    def _reference(self, line: str, more: str = "", title: str = "") -> None:
        """Draw a gray line."""
        self.parts.append(
            f'<g class="r" color="{GRAY[0]}"><path fill="none" stroke="currentColor"{more} '
            f'd="{line}">{title and f"<title>{title}</title>"}</path></g>'
        )

    def _point_positions(self, rows: Iterable[Row]) -> list[tuple[float, float, Row]]:
        """Return the positions of rows that have a value on both axes."""
        x, y = self.chart.x.column, self.chart.y.column
        return [
            (self.x(row[x]), self.y(row[y]), row)
            for row in rows
            if row[x] is not None and row[y] is not None
        ]

    def _draw_lines(self) -> None:
        """Draw a line for each name with its band and label; the reference may be drawn as bars."""
        chart, ends = self.chart, []
        wide = min(26, (self.right - self.left) / max(1, len(chart.x.at) or 40) * 0.62)
        for name in self.present:
            points = self._point_positions(
                row for row in self.rows if self._series_name(row) == name
            )
            if not points:
                continue
            inside = self._draw_band([row for _, _, row in points])
            if chart.mark == "bar" and name == chart.reference:
                for at, top, row in points:
                    inside += (
                        f'<rect stroke="none" fill-opacity=".32" x="{_decimal(at - wide / 2)}" '
                        f'y="{_decimal(top)}" width="{_decimal(wide)}" '
                        f'height="{_decimal(max(0.0, self.y(0) - top))}">'
                        f"<title>{escape_text(self.tooltip(row))}</title></rect>"
                    )
            else:
                line = _path_data(point[:2] for point in points)
                inside += (
                    f'<path fill="none" stroke-width="2" stroke-linejoin="round" d="{line}">'
                    f"<title>{escape_text(name)}</title></path>"
                )
                for at, top, row in points if len(points) <= 20 else ():
                    inside += self.shape(name, at, top, self.tooltip(row))
            self.parts.append(self.group(name, inside))
            ends.append((points[-1][1], points[-1][0], name))
        if self.ends:
            self._draw_names(sorted(ends))

    def _draw_band(self, rows: Sequence[Row]) -> str:
        """Return the area between the lower and upper limits of rows."""
        axis, column = self.chart.y, self.chart.x.column
        bounds = [(self.x(row[column]), limits) for row in rows if (limits := axis.limits(row))]
        if not bounds:
            return ""
        upper = [(at, self.y(high)) for at, (_, high) in bounds]
        lower = [(at, self.y(low)) for at, (low, _) in bounds]
        if len(bounds) == 1:
            return _line_path([*upper, *lower], 1.5)
        return f'<path stroke="none" fill-opacity=".16" d="{_path_data([*upper, *lower[::-1]])}z"/>'

    def _draw_names(self, ends: Sequence[tuple[float, float, str]]) -> None:
        """Draw labels at the ends of lines, moved to avoid overlaps."""
        gap, edge = 15.0, self.right + 2
        heights = [y for y, _, _ in ends]
        # Move labels down where they overlap, then up from the lower edge.
        for index in range(1, len(heights)):
            heights[index] = max(heights[index], heights[index - 1] + gap)
        for index in reversed(range(len(heights))):
            lowest = self.bottom - gap * (len(heights) - 1 - index)
            heights[index] = min(heights[index], lowest)
        for (y, x, name), at in zip(ends, heights, strict=True):
            if abs(at - y) > 3 or edge - x > 12:
                self.parts.append(self.group(name, _line_path([(x + 5, y), (edge + 4, at)], 1)))
            self.parts.append(_svg_text(edge + 7, at + 4, self.ends[name], of="t"))

    def _dot_distance(self) -> int:
        """Return the vertical distance between dots of the same name, larger with intervals."""
        return 9 if self.chart.x.low else 3

    def _draw_dots(self) -> None:
        """Draw a dot with its interval for each row, by name on the y-axis."""
        axis, middle = self.chart.x, (len(self.present) - 1) / 2
        for number, name in enumerate(self.present):
            offset = 0 if self.single_colors else (number - middle) * self._dot_distance()
            inside = ""
            for row in self.rows:
                category = str(row[self.chart.y.column])
                is_shown = self._series_name(row) == name and category in self.categories
                if not is_shown or row[axis.column] is None:
                    continue
                at = self.y(self.categories.index(category) + 0.5) + offset
                if limits := axis.limits(row):
                    inside += _line_path([(self.x(limit), at) for limit in limits], 1.8)
                inside += self.shape(name, self.x(row[axis.column]), at, self.tooltip(row))
            self.parts.append(self.group(name, inside))

    def _draw_points(self) -> None:
        """Draw a point with its intervals for each row, and the Pareto line."""
        x, y = self.chart.x, self.chart.y
        front = self._point_positions(row for row in self.rows if row.get("pareto"))
        if len(front) > 1:
            line = _path_data(sorted(point[:2] for point in front))
            self._reference(line, ' stroke-dasharray="4 4"', "Pareto line")
        for at, top, row in self._point_positions(self.rows):
            across = [(self.x(limit), top) for limit in x.limits(row) or ()]
            up = [(at, self.y(limit)) for limit in y.limits(row) or ()]
            inside = "".join(_line_path(cross, 1.5) for cross in (across, up) if cross)
            inside += self.shape(self._series_name(row), at, top, self.tooltip(row))
            self.parts.append(self.group(self._series_name(row), inside))


def _tick_values(scale: Scale, limit: int) -> list[float]:
    """Return the values of a limited number of ticks on an axis."""
    if not scale.log:
        return round_ticks(scale.low, scale.high, limit)
    first, last = math.floor(math.log10(scale.low)), math.ceil(math.log10(scale.high))
    step = max(1, math.ceil((last - first) / limit))
    powers = [10.0**power for power in range(first, last + 1, step)]
    inside = [power for power in powers if scale.low <= power <= scale.high]
    return inside or [scale.low, scale.high]


def _draw_panels(chart: Chart, rows: Sequence[Row]) -> list[tuple[str, int, str]]:
    """Draw each panel; return its title, its height and its marks."""
    numbers = chart.numbers(rows)
    panels = {
        title: _Panel(chart, panel_rows, numbers, title)
        for title, panel_rows in chart.panels(rows).items()
    }
    return [(title, panel.height, "".join(panel.parts)) for title, panel in panels.items()]


def _svg_root(title: str, about: str, width: int, height: int, inside: str, style: str = "") -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sqlrec-plot" role="img" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'aria-label="{escape_text(title)}" font-family="{escape_text(FONT)}" font-size="{SIZE}">'
        f"<title>{escape_text(title)}</title><desc>{escape_text(about)}</desc>{style}{inside}</svg>"
    )


def panel_images(chart: Chart, rows: Sequence[Row]) -> list[str]:
    """Return an SVG without style for each panel, for pages that arrange the panels."""
    images = []
    for title, height, marks in _draw_panels(chart, rows):
        full_title = f"{chart.title}: {title}" if title else chart.title
        images.append(_svg_root(full_title, chart.about, WIDTH, height, marks))
    return images


def full_image(chart: Chart, rows: Sequence[Row]) -> str:
    """Return one SVG with all panels, two in a row."""
    parts = _draw_panels(chart, rows)
    across = min(2, len(parts))
    pad, gap = 12, 24
    inner = max(1, across) * WIDTH + (across - 1) * gap
    y = pad + 18.0
    inside = _svg_text(pad, y - 4, chart.title, of="t", more=' font-size="15" font-weight="600"')
    for line in wrap_text(chart.about, inner):
        y += 16
        inside += _svg_text(pad, y - 2, line, more=f' font-size="{SMALL}"')
    y += 12
    for start in range(0, len(parts), 2):
        line_parts = parts[start : start + 2]
        for number, (_, _, marks) in enumerate(line_parts):
            inside += (
                f'<g transform="translate({_point(pad + number * (WIDTH + gap), y)})">{marks}</g>'
            )
        y += max(height for _, height, _ in line_parts) + gap / 2
    style = f"<style>svg{{color-scheme:light dark;max-width:100%;height:auto}}{STYLE}</style>"
    width, height = inner + 2 * pad, round(y)
    back = f'<rect class="b" width="{width}" height="{height}" fill="{PAPER[0]}"/>'
    style = style.replace(
        "@media screen{", f"@media screen{{.b{{fill:light-dark({PAPER[0]},{PAPER[1]})}}", 1
    )
    return _svg_root(chart.title, chart.about, width, height, back + inside, style)
