"""Plots as Vega-Lite specifications, which notebooks and editors draw."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ..records import Row
from .chart import COLORS, GRAY, Axis, Chart
from .svg import wrap_text

# The identifier of the format; nothing is loaded from this address.
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"

# Maximum width of a line of the subtitle.
ABOUT = 420

# A part of a specification.
Layer = dict[str, Any]


def vega_lite(chart: Chart, rows: Sequence[Row]) -> Layer:
    """Return the specification of a chart with its rows."""
    numbers = chart.numbers(rows)
    names = [*numbers]
    colors = [(COLORS[n % len(COLORS)] if n >= 0 else GRAY)[0] for n in numbers.values()]
    series = {"field": _field_name(chart.color), "type": "nominal"}
    color: Layer = series | {"title": None, "scale": {"domain": names, "range": colors}}
    if len(names) == 1:
        color["legend"] = None
    tooltip = [series, _axis_tooltip(chart.x), _axis_tooltip(chart.y)]
    encoding = {"x": _axis_channel(chart.x), "y": _axis_channel(chart.y), "color": color}
    values = [dict(row) for row in rows]
    if chart.mark in ("line", "bar"):
        layers = [*_reference_layers(chart), *_line_layers(chart, encoding, tooltip)]
    else:
        shape = color | {"scale": {"domain": names}}
        if chart.mark == "dot" and chart.x.low and not chart.has_single_colors(rows):
            encoding["yOffset"] = {"field": _field_name(chart.color), "sort": names}
        layers = [*_reference_layers(chart), *_dot_layers(chart, encoding, shape, tooltip)]
    subtitle = wrap_text(chart.about, ABOUT)
    spec: Layer = {
        "$schema": SCHEMA,
        "title": {"text": chart.title, "subtitle": subtitle, "anchor": "start"},
        "description": chart.about,
        "data": {"values": values},
    }
    inner = {"layer": layers}
    if chart.panel is None:
        return spec | inner
    return spec | {
        "facet": {
            "field": _field_name(chart.panel),
            "type": "nominal",
            "title": None,
            "sort": None,
        },
        "columns": 2,
        "spec": inner,
        "resolve": {"scale": {"y": "independent", "x": "independent"}},
    }


def _reference_layers(chart: Chart) -> Iterator[Layer]:
    """Yield the layers of reference lines."""
    if chart.diagonal:
        straight = {axis: {"field": axis, "type": "quantitative"} for axis in ("x", "y")}
        yield {
            "data": {"values": [{"x": 0, "y": 0}, {"x": 1, "y": 1}]},
            "mark": {"type": "line", "color": GRAY[0]},
            "encoding": straight,
        }
    if chart.zero:
        zero = "x" if chart.mark == "dot" else "y"
        yield {"mark": {"type": "rule", "color": GRAY[0]}, "encoding": {zero: {"datum": 0}}}
    if chart.mark == "point":
        yield {
            "transform": [{"filter": "datum.pareto"}],
            "mark": {"type": "line", "color": GRAY[0], "strokeDash": [4, 4]},
            "encoding": {"x": _axis_channel(chart.x), "y": _axis_channel(chart.y)},
        }


def _line_layers(chart: Chart, encoding: Layer, tooltip: list[Layer]) -> Iterator[Layer]:
    """Yield the layers of lines: bars of the reference, bands of intervals, and lines."""
    line: Layer = {"mark": {"type": "line"}, "encoding": encoding | {"tooltip": tooltip}}
    if chart.mark == "bar":
        reference = f"datum[{chart.color!r}] === {chart.reference!r}"
        yield {
            "transform": [{"filter": reference}],
            "mark": {"type": "bar", "opacity": 0.35},
            "encoding": encoding | {"tooltip": tooltip},
        }
        line["transform"] = [{"filter": f"!({reference})"}]
    if chart.y.low and chart.y.high:
        band = {"y": dict(encoding["y"], field=chart.y.low), "y2": {"field": chart.y.high}}
        yield {"mark": {"type": "area", "opacity": 0.16}, "encoding": encoding | band}
    yield line


def _dot_layers(
    chart: Chart, encoding: Layer, shape: Layer, tooltip: list[Layer]
) -> Iterator[Layer]:
    """Yield the layers of dots: intervals and dots."""
    for axis, side in ((chart.x, "x"), (chart.y, "y")):
        if axis.low and axis.high:
            ends = {
                side: dict(_axis_channel(axis), field=axis.low),
                f"{side}2": {"field": axis.high},
            }
            yield {"mark": "rule", "encoding": encoding | ends}
    yield {
        "mark": {"type": "point", "filled": True, "size": 60},
        "encoding": encoding | {"shape": shape, "tooltip": tooltip},
    }


def _axis_tooltip(axis: Axis) -> Layer:
    """Return the tooltip of an axis."""
    left_out = ("scale", "sort", "axis")
    return {name: value for name, value in _axis_channel(axis).items() if name not in left_out}


def _field_name(column: str) -> str:
    """Return a column as a field, with the characters of paths escaped."""
    for sign in "\\.[]":
        column = column.replace(sign, f"\\{sign}")
    return column


def _axis_channel(axis: Axis) -> Layer:
    """Return the encoding of an axis."""
    channel: Layer = {"field": _field_name(axis.column), "title": axis.title}
    if axis.form == "name":
        return channel | {"type": "nominal", "sort": None}
    channel["type"] = "quantitative"
    if axis.form == "log":
        channel["scale"] = {"type": "log"}
    axis_options: Layer = {"format": "%"} if axis.form == "share" else {}
    if axis.at:
        axis_options["values"] = list(axis.at)
    if axis.labels:
        axis_options["labelExpr"] = f"{json.dumps(axis.labels)}[indexof({[*axis.at]}, datum.value)]"
    return channel | ({"axis": axis_options} if axis_options else {})
