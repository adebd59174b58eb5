"""Draw plots in the caller's Matplotlib axes, without an import of Matplotlib."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from .chart import COLOURS, GREY, Axis, Chart, Row, cells_written, written
from .svg import CELLS

# Marker for each colour, as in SVG; the last is the marker of the reference.
MARKERS = "os^DvP"

# Vertical distance between dots of models with the same name on the y axis.
DOT_OFFSET = 0.16


def draw(chart: Chart, rows: Sequence[Row], target: Any) -> Any:
    """Draw each panel in its axes; for a figure, create the axes first.

    Raises:
        ValueError: The plot has another number of panels.
    """
    panels, is_figure = chart.panels(rows), hasattr(target, "add_subplot")
    if is_figure:
        axes = _axes_of(target, len(panels))
        if chart.panel is not None:
            target.suptitle(chart.title)
    else:
        axes = [target] if hasattr(target, "plot") else [*getattr(target, "flat", target)]
    if len(axes) != len(panels):
        raise ValueError(
            f"{len(panels)} panels, {len(axes)} axes: give one for each, or a figure, as in "
            "plot.draw(plt.figure())"
        )
    names = chart.numbers(rows)
    for ax, (title, panel_rows) in zip(axes, panels.items(), strict=True):
        (_draw_cells if chart.mark == "cell" else _draw_names)(ax, chart, panel_rows, names)
        ax.set_title(title or chart.title)
    if len(names) > 1 and chart.mark != "cell":
        engine = target.get_layout_engine() if is_figure else None
        # A constrained layout has space for a legend below the panels.
        if engine is not None and not engine.colorbar_gridspec:
            across = max(1, min(len(names), 60 // (max(map(len, names)) + 6)))
            handles = axes[-1].get_legend_handles_labels()
            target.legend(*handles, loc="outside lower center", ncols=across)
        else:
            axes[-1].legend(frameon=False)
    return axes if is_figure else target


def _axes_of(figure: Any, panels: int) -> list[Any]:
    """Add axes to a figure, three panels in a row."""
    # A subfigure uses the layout of its figure.
    if hasattr(figure, "set_layout_engine") and figure.get_layout_engine() is None:
        figure.set_layout_engine("constrained")
    across = min(3, panels)
    down = math.ceil(panels / across)
    return [figure.add_subplot(down, across, index + 1) for index in range(panels)]


def _draw_names(ax: Any, chart: Chart, rows: list[Row], names: dict[str, int]) -> None:
    """Draw the rows of each name in its colour."""
    positions = {name: index for index, name in enumerate(chart.y.names(rows))}
    distance = 0.0 if chart.mark == "dot" and chart.has_single_colours(rows) else DOT_OFFSET
    for index, (name, number) in enumerate(names.items()):
        name_rows = [row for row in rows if str(row[chart.colour]) == name]
        grey = number < 0
        style = {"color": COLOURS[number % len(COLOURS)][0], "label": name}
        style |= {"marker": MARKERS[number % (len(MARKERS) - 1)]}
        if grey:
            style |= {"color": GREY[0], "marker": MARKERS[-1]}
        if chart.mark == "dot":
            offset = (index - (len(names) - 1) / 2) * distance
            height = [positions[str(row[chart.y.column])] + offset for row in name_rows]
            _draw_points(ax, chart, name_rows, height, style)
        elif chart.mark == "point":
            _draw_points(ax, chart, name_rows, [row[chart.y.column] for row in name_rows], style)
        else:
            _draw_line(ax, chart, name_rows, style, bars=grey and chart.mark == "bar")
    if chart.mark == "point":
        front = sorted((row[chart.x.column], row[chart.y.column]) for row in rows if row["pareto"])
        ax.plot(*zip(*front, strict=True), color=GREY[0], linestyle="--", linewidth=1, zorder=0)
    if chart.diagonal:
        ax.plot((0, 1), (0, 1), color=GREY[0], linewidth=1)
    if chart.zero:
        (ax.axvline if chart.mark == "dot" else ax.axhline)(0, color=GREY[0], linewidth=1)
    if chart.mark == "dot":
        # Many names need a small font.
        room = ax.bbox.height * 72 / ax.figure.dpi / len(positions)
        ax.set_yticks([*positions.values()], [*positions], fontsize=min(10.0, 0.7 * room))
        ax.set_ylim(len(positions) - 0.5, -0.5)
    else:
        _mark(ax, "y", chart.y)
    _mark(ax, "x", chart.x)


def _mark(ax: Any, side: str, axis: Axis) -> None:
    """Set the title, scale and ticks of an axis."""
    marks: dict[str, Any] = {f"{side}label": axis.title}
    if axis.form == "log":
        marks[f"{side}scale"] = "log"
    ax.set(**marks)
    if axis.form == "share":
        numbers = getattr(ax, f"{side}axis")
        numbers.set_major_formatter(lambda value, _: written(value, "share"))
    if axis.at:
        labels = axis.labels or [written(value, axis.form) for value in axis.at]
        getattr(ax, f"set_{side}ticks")(axis.at, labels)
        getattr(ax, f"{side}axis").minorticks_off()
    if axis.labels:
        ax.tick_params(side, labelrotation=30)


def _draw_line(ax: Any, chart: Chart, rows: list[Row], style: dict[str, Any], bars: bool) -> None:
    x, y = ([row[axis.column] for row in rows] for axis in (chart.x, chart.y))
    if bars:
        ax.bar(x, y, alpha=0.35, color=style["color"], label=style["label"])
        return
    ax.plot(x, y, **(style if len(rows) <= 20 else style | {"marker": None}))
    with_limits = [
        (row[chart.x.column], *limits) for row in rows if (limits := chart.y.limits(row))
    ]
    if with_limits:
        across, low, high = zip(*with_limits, strict=True)
        ax.fill_between(across, low, high, color=style["color"], alpha=0.16, linewidth=0)


def _draw_points(
    ax: Any, chart: Chart, rows: list[Row], height: list[float], style: Mapping[str, Any]
) -> None:
    reach = {"xerr": _errors(rows, chart.x), "yerr": _errors(rows, chart.y)}
    ax.errorbar([row[chart.x.column] for row in rows], height, linestyle="", **reach, **style)


def _draw_cells(ax: Any, chart: Chart, rows: list[Row], _: dict[str, int]) -> None:
    """Draw a matrix of values, coloured by the test results."""
    names = chart.y.names(rows)
    outcomes = [str(row[chart.colour]) for row in rows]
    texts = cells_written([row[chart.value or ""] for row in rows], outcomes)
    colours: list[list[tuple[float, ...]]] = [[(1.0, 1.0, 1.0)] * len(names) for _ in names]
    for row, word, text in zip(rows, outcomes, texts, strict=True):
        down, across = (names.index(str(row[axis.column])) for axis in (chart.y, chart.x))
        red, green, blue = (int(CELLS[word][1][at : at + 2], 16) / 255 for at in (1, 3, 5))
        colours[down][across] = tuple(1 - 0.2 * (1 - part) for part in (red, green, blue))
        ax.text(across, down, text, ha="center", va="center")
    ax.imshow(colours)
    ax.set_xticks(range(len(names)), names)
    ax.set_yticks(range(len(names)), names)


def _errors(rows: list[Row], axis: Axis) -> list[list[float]] | None:
    """Return the distances of interval limits from values."""
    with_limits = [(row[axis.column], limits) for row in rows if (limits := axis.limits(row))]
    if not with_limits or len(with_limits) < len(rows):
        return None
    return [
        [value - low for value, (low, _) in with_limits],
        [high - value for value, (_, high) in with_limits],
    ]
