"""Plots in axes of Matplotlib, which is not imported: whoever has axes has it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from .chart import COLOURS, GREY, Axis, Chart, Row, written

# How far apart the dots of models are that stand at one name.
APART = 0.16


def draw(chart: Chart, rows: Sequence[Row], target: Any) -> Any:
    """Draw a panel in each axes, of a figure in axes that it gets.

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
    for ax, (title, those) in zip(axes, panels.items(), strict=True):
        (_draw_cells if chart.mark == "cell" else _draw_names)(ax, chart, those, chart.names(rows))
        ax.set_title(title or chart.title)
    names = chart.names(rows)
    if len(names) > 1 and chart.mark != "cell":
        axes[-1].legend(frameon=False)
    return axes if is_figure else target


def _axes_of(figure: Any, panels: int) -> list[Any]:
    """Lay out a figure, three panels in a row."""
    if hasattr(figure, "get_layout_engine") and figure.get_layout_engine() is None:
        figure.set_layout_engine("constrained")
    across = min(3, panels)
    down = math.ceil(panels / across)
    return [figure.add_subplot(down, across, place + 1) for place in range(panels)]


def _draw_names(ax: Any, chart: Chart, rows: list[Row], names: list[str]) -> None:
    """Draw what stands for each name, in its colour."""
    places = {name: at for at, name in enumerate(_texts(rows, chart.y))}
    for number, name in enumerate(names):
        those = [row for row in rows if str(row[chart.colour]) == name]
        grey = name == chart.reference
        style = {"color": GREY[0] if grey else COLOURS[number % len(COLOURS)][0], "label": name}
        if chart.mark == "dot":
            aside = (number - (len(names) - 1) / 2) * APART
            height = [places[str(row[chart.y.column])] + aside for row in those]
            _draw_points(ax, chart, those, height, style)
        elif chart.mark == "point":
            _draw_points(ax, chart, those, [row[chart.y.column] for row in those], style)
        else:
            _draw_line(ax, chart, those, style, bars=grey and chart.mark == "bar")
    if chart.zero:
        (ax.axvline if chart.mark == "dot" else ax.axhline)(0, color=GREY[0], linewidth=1)
    if chart.mark == "dot":
        ax.set_yticks([*places.values()], [*places])
        ax.set_ylim(len(places) - 0.5, -0.5)
    else:
        _mark(ax, "y", chart.y)
    _mark(ax, "x", chart.x)


def _mark(ax: Any, side: str, axis: Axis) -> None:
    """Title an axis, and write on it what the plot has there."""
    marks: dict[str, Any] = {f"{side}label": axis.title}
    if axis.form == "log":
        marks[f"{side}scale"] = "log"
    ax.set(**marks)
    if axis.at:
        labels = axis.labels or [written(value, axis.form) for value in axis.at]
        getattr(ax, f"set_{side}ticks")(axis.at, labels)
        getattr(ax, f"{side}axis").minorticks_off()


def _draw_line(ax: Any, chart: Chart, rows: list[Row], style: dict[str, Any], bars: bool) -> None:
    x, y = ([row[axis.column] for row in rows] for axis in (chart.x, chart.y))
    if bars:
        ax.bar(x, y, alpha=0.35, **style)
        return
    ax.plot(x, y, marker="o" if len(rows) <= 20 else None, **style)
    known = [(row[chart.x.column], *limits) for row in rows if (limits := chart.y.limits(row))]
    if known:
        across, low, high = zip(*known, strict=True)
        ax.fill_between(across, low, high, color=style["color"], alpha=0.16, linewidth=0)


def _draw_points(
    ax: Any, chart: Chart, rows: list[Row], height: list[float], style: Mapping[str, Any]
) -> None:
    reach = {"xerr": _errors(rows, chart.x), "yerr": _errors(rows, chart.y)}
    ax.errorbar([row[chart.x.column] for row in rows], height, fmt="o", **reach, **style)


def _draw_cells(ax: Any, chart: Chart, rows: list[Row], names: list[str]) -> None:
    names = _texts(rows, chart.y)
    values: list[list[float]] = [[math.nan] * len(names) for _ in names]
    for row in rows:
        down, across = (names.index(str(row[axis.column])) for axis in (chart.y, chart.x))
        values[down][across] = row[chart.value or ""]
        ax.text(across, down, written(row[chart.value or ""]), ha="center", va="center")
    ax.imshow(values, cmap="PiYG", alpha=0.5)
    ax.set_xticks(range(len(names)), names)
    ax.set_yticks(range(len(names)), names)


def _texts(rows: list[Row], axis: Axis) -> list[str]:
    """Return the names on an axis, in order."""
    return list(dict.fromkeys(str(row[axis.column]) for row in rows))


def _errors(rows: list[Row], axis: Axis) -> list[list[float]] | None:
    """Return how far intervals reach to each side of values."""
    known = [(row[axis.column], limits) for row in rows if (limits := axis.limits(row))]
    if not known or len(known) < len(rows):
        return None
    return [[at - low for at, (low, _) in known], [high - at for at, (_, high) in known]]
