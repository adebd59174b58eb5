"""Plots as Vega-Lite has them: a dict with the rows, which notebooks and editors draw."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .chart import COLOURS, GREY, Axis, Chart, Row

# A name of a format, no address that is asked for anything.
SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"


def vega_lite(chart: Chart, rows: Sequence[Row]) -> dict[str, Any]:
    """Write a chart with its rows."""
    names = chart.names(rows)
    colours = [COLOURS[n % len(COLOURS)][0] for n in range(len(names))]
    if chart.reference in names:
        colours[names.index(chart.reference)] = GREY[0]
    colour = {
        "field": _field(chart.colour),
        "type": "nominal",
        "title": None,
        "scale": {"domain": names, "range": colours},
    }
    shape = dict(colour, scale={"domain": names})
    x, y = _channel(chart.x), _channel(chart.y)
    tooltip = [dict(_channel(axis), scale=None) for axis in (chart.x, chart.y)]
    for one in tooltip:
        del one["scale"]
        one.pop("sort", None)
        one.pop("axis", None)
    tooltip.insert(0, {"field": _field(chart.colour), "type": "nominal"})
    encoding = {"x": x, "y": y, "color": colour}
    layers: list[dict[str, Any]] = []
    if chart.diagonal:
        ends = [{"x": 0, "y": 0}, {"x": 1, "y": 1}]
        straight = {axis: {"field": axis, "type": "quantitative"} for axis in ("x", "y")}
        layers.append(
            {
                "data": {"values": ends},
                "mark": {"type": "line", "color": GREY[0]},
                "encoding": straight,
            }
        )
    if chart.zero:
        zero = "x" if chart.mark == "dot" else "y"
        layers.append(
            {"mark": {"type": "rule", "color": GREY[0]}, "encoding": {zero: {"datum": 0}}}
        )
    reference = f"datum[{chart.colour!r}] === {chart.reference!r}"
    if chart.mark == "bar":
        layers.append(
            {
                "transform": [{"filter": reference}],
                "mark": {"type": "bar", "opacity": 0.35},
                "encoding": encoding | {"tooltip": tooltip},
            }
        )
    others = [{"filter": f"!({reference})"}] if chart.mark == "bar" else []
    if chart.mark in ("line", "bar"):
        if chart.y.low and chart.y.high:
            band = {"x": x, "y": dict(y, field=chart.y.low), "y2": {"field": chart.y.high}}
            layers.append(
                {"mark": {"type": "area", "opacity": 0.16}, "encoding": band | {"color": colour}}
            )
        line: dict[str, Any] = {
            "mark": {"type": "line"},
            "encoding": encoding | {"tooltip": tooltip},
        }
        layers.append(line | ({"transform": others} if others else {}))
    else:
        for axis, side in ((chart.x, "x"), (chart.y, "y")):
            if axis.low and axis.high:
                interval = dict(encoding)
                interval[side] = dict(_channel(axis), field=axis.low)
                interval[f"{side}2"] = {"field": axis.high}
                layers.append({"mark": "rule", "encoding": interval})
        layers.append(
            {
                "mark": {"type": "point", "filled": True, "size": 60},
                "encoding": encoding | {"shape": shape, "tooltip": tooltip},
            }
        )
    spec: dict[str, Any] = {
        "$schema": SCHEMA,
        "title": chart.title,
        "description": chart.about,
        "data": {"values": [dict(row) for row in rows]},
    }
    if chart.panel is None:
        return spec | {"layer": layers}
    facet = {"field": _field(chart.panel), "type": "nominal", "title": None, "sort": None}
    return spec | {
        "facet": facet,
        "columns": 2,
        "spec": {"layer": layers},
        "resolve": {"scale": {"y": "independent", "x": "independent"}},
    }


def _field(column: str) -> str:
    """Write a column as a field: what stands for a path is no more than its sign."""
    for sign in "\\.[]":
        column = column.replace(sign, f"\\{sign}")
    return column


def _channel(axis: Axis) -> dict[str, Any]:
    found: dict[str, Any] = {"field": _field(axis.column), "title": axis.title}
    if axis.form == "name":
        return found | {"type": "nominal", "sort": None}
    found["type"] = "quantitative"
    if axis.form == "log":
        found["scale"] = {"type": "log"}
    shown: dict[str, Any] = {"format": "%"} if axis.form == "share" else {}
    if axis.at:
        shown["values"] = list(axis.at)
    return found | ({"axis": shown} if shown else {})
