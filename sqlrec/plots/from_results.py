"""Plots of results and comparisons, without new evaluations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ..dialects import identifier, text
from ..display.table_layout import ARROWS, SIGNS, join_words
from ..engines.base import Engine
from ..engines.connect import open_engine
from ..errors import InputError, suggest_name
from ..layouts.result import metric_direction, name_for_papers
from ..records import Record, Row, segment_order
from ..rendering.templates import render
from ..results.rows import Rows
from .chart import Axis, Chart
from .plot import Plot

# Columns before the metric that are not segments.
_KEYS = ("model", "grouping", "metric", "k", "request", "step")


def query_results(
    name: str, results: Any, engine: Engine | None = None, **options: Any
) -> tuple[list[Record], Rows, str]:
    """Run a query from sql/plots/results.sql over a table of results; return rows, table and SQL.

    The query runs in the results' engine if only sqlrec uses it, or else in DuckDB.
    """
    if engine is None or not engine.own:
        engine = open_engine(None)
    names, dialect = results.column_names, engine.dialect
    segments = [*(["grouping"] if "grouping" in names else []), *segments_of(names)]
    plan = {
        "relation": "results",
        "segments": [identifier(column, dialect, stored=True) for column in segments],
        "limits": "low" in names,
        **options,
    }
    sql = render(f"plot_{name}", plan, dialect)
    with engine.naming({"results": engine.table(results, "results")}):
        table = Rows.read(engine, sql)
    engine.release()
    return table.to_pylist(), table, sql


def segments_of(columns: Iterable[str]) -> list[str]:
    """Return the segment columns, which come before the metric."""
    names = list(columns)
    return [name for name in names[: names.index("metric")] if name not in _KEYS]


def format_segment(row: Row, segments: Sequence[str], with_names: bool = False) -> str:
    """Format the segment of a row by its values, with column names if there are several."""
    grouped = row["grouping"].split(", ") if "grouping" in row else segments
    words = [
        (f"{name}=" if with_names or len(segments) > 1 else "")
        + ("not known" if row[name] is None else str(row[name]))
        for name in segments
        if name in grouped
    ]
    return ", ".join(words) or "all"


def axis_title(row: Row, request: str) -> str:
    """Format a metric with the arrow of its direction."""
    return f"{name_for_papers(request)} {ARROWS.get(metric_direction(row['metric']), '')}".rstrip()


def format_panel(row: Row, segments: Sequence[str], cutoff: bool = True) -> str:
    """Format the panel of a row: metric, arrow and segment."""
    request = row["request"] if cutoff else re.sub(r"@[^)]*$", "", row["request"])
    where = f", {format_segment(row, segments)}" if segments else ""
    return axis_title(row, request) + where


def curve(results: Any, engine: Engine | None = None) -> Plot:
    """Plot metrics by cutoff."""
    rows, table, sql = query_results("curve", results, engine)
    if not rows:
        raise InputError("curve: no metric has a cutoff; request several, as in ndcg@5,10,20")
    # Metrics are in the order of the result. Metrics with one cutoff are omitted if other metrics
    # have several cutoffs.
    order = list(dict.fromkeys(row["metric"] for row in results.to_pylist()))
    rows.sort(key=lambda row: order.index(row["metric"]))
    curved = [name for name in order if len({r["k"] for r in rows if r["metric"] == name}) > 1]
    rows = [row for row in rows if row["metric"] in (curved or order)]
    ks = {row["k"] for row in rows}
    form = "log" if max(ks) > 12 * min(ks) else "number"
    return _plot_over_column("curve", rows, table, sql, Axis("k", "cutoff k", form))


def history(results: Any) -> Plot:
    """Plot metrics by the column ``step`` of results."""
    if "step" not in results.column_names:
        raise InputError(
            "history: the results have no column 'step': add one with the order of the runs"
        )
    rows, table, sql = query_results("history", results)
    return _plot_over_column("history", rows, table, sql, Axis("step", "step"))


def _plot_over_column(name: str, rows: list[Record], table: Any, sql: str, x: Axis) -> Plot:
    """Plot the values of results over a column."""
    segments = segments_of(table.column_names)
    order = [*dict.fromkeys(row["metric"] for row in rows)]
    rows.sort(
        key=lambda row: (
            order.index(row["metric"]),
            *(segment_order(row[name]) for name in segments),
        )
    )
    marks = sorted({float(row[x.column]) for row in rows})
    if name == "curve" or len(marks) < 12:
        x = replace(x, at=tuple(marks))
    for row in rows:
        row["panel"] = format_panel(row, segments, cutoff=name != "curve")
    models = len({row["model"] for row in rows})
    metrics = {row["panel"].partition(",")[0].rstrip(" \u2191\u2193"): None for row in rows}
    what = join_words([*metrics]) if len(metrics) < 4 else f"{len(metrics)} metrics"
    by = "cutoff" if name == "curve" else "step"
    about = f"{what} of {models} model{'s' * (models > 1)} by {by}."
    y = Axis("value", "mean over users")
    if any(row["low"] is not None for row in rows):
        about += " Bands are intervals of the mean over users."
        y = replace(y, low="low", high="high")
    chart = Chart("line", x, y, f"{what} by {by}", about, panel="panel")
    return Plot(name, chart, rows, table, sql)


def forest(comparison: Any, engine: Engine | None = None, baseline: str | None = None) -> Plot:
    """Plot differences from the baseline by segment, with their intervals."""
    comparison = Rows.from_table(comparison)
    is_paired = "baseline" in comparison.column_names
    if is_paired:
        pairs = [
            row | {"model": "{model} - {baseline}".format(**row)} for row in comparison.records
        ]
        comparison = Rows(dict(comparison.schema), pairs)
    rows, table, sql = query_results("forest", comparison, engine)
    if not rows:
        raise InputError(
            "forest: no difference is defined; request metrics that are means over users"
        )
    segments = segments_of(table.column_names)
    for row in rows:
        few = f" \u00b7 {row['users']} users" if row["users"] < 30 else ""
        row["segment"] = (format_segment(row, segments) if segments else row["model"]) + few
        row["panel"] = axis_title(row, row["request"])
    # Metrics are in the order of the comparison. Segments are in the order of the first metric.
    metrics = [*dict.fromkeys(row["request"] for row in comparison.records)]
    rows.sort(key=lambda row: metrics.index(row["request"]))
    labels = [*dict.fromkeys(row["segment"] for row in rows)]
    rows.sort(key=lambda row: (metrics.index(row["request"]), labels.index(row["segment"])))
    by = ", ".join(segments)
    reference = baseline or ("the second model" if is_paired else "the baseline")
    title = f"Difference from {reference}" + f" by {by}" * bool(segments)
    models = sorted({str(row["model"]) for row in rows} | ({baseline} if baseline else set()))
    about = "Mean difference of users' values and its interval, corrected like the p value."
    x = Axis("difference", f"difference from {reference}", low="low", high="high")
    y = Axis("segment", by or "model", "name")
    chart = Chart("dot", x, y, title, about, panel="panel", zero=True, models=tuple(models))
    return Plot("forest", chart, rows, table, sql)


def tradeoff(
    results: Any, x: str | None = None, y: str | None = None, engine: Engine | None = None
) -> Plot:
    """Plot one requested metric against another, by default the first metric against the last."""
    by_request = {row["request"]: row for row in results.to_pylist()}
    requests = [*by_request]
    if segments_of(results.column_names):
        raise InputError("tradeoff: the results are by segment; evaluate without by")
    if len(requests) < 2:
        raise InputError(f"tradeoff: there is one metric, {requests[0]}; request two")
    x, y = x or requests[-1], y or requests[0]
    for metric in (x, y):
        if metric not in requests:
            raise InputError(
                f"tradeoff: {metric!r} is not in the result: {suggest_name(metric, requests)}"
            )
    options: Any = {}
    for side, name in (("x", x), ("y", y)):
        options[side] = text(name, "duckdb")
        options[f"{side}_sign"] = SIGNS[metric_direction(by_request[name]["metric"])]
    rows, table, sql = query_results("tradeoff", results, engine, **options)
    about = f"Each model's {name_for_papers(y)} over its {name_for_papers(x)}."
    if any(row["x_low"] is not None or row["y_low"] is not None for row in rows):
        about = f"{about[:-1]}; crosses are intervals."
    front = [row["model"] for row in rows if row["pareto"]]
    if len(front) == 1:
        about += f" {front[0]} is the best in both."
    elif front:
        about += " The dashed line connects models that no other model beats in both metrics."
    axes = [
        Axis(side, axis_title(by_request[name], name), low=f"{side}_low", high=f"{side}_high")
        for side, name in (("x", x), ("y", y))
    ]
    chart = Chart(
        "point", axes[0], axes[1], f"{name_for_papers(y)} against {name_for_papers(x)}", about
    )
    return Plot("tradeoff", chart, rows, table, sql)


def waterfall(explained: Any) -> Plot:
    """Plot the steps from sqlrec's value to another value, from the rows of ``explain``."""
    rows = []
    for row in explained.rows().to_pylist():
        if row["value"] is None:
            continue
        ends = (row["value"], row["value"] - row["effect"]) if row["effect"] is not None else ()
        target = row["conventions"].partition(", ")[0] or "no library"
        prefix = "nearest, " if row["by_value"] and row["digits"] is None else ""
        rows.append(
            row
            | {"low": min(ends, default=None), "high": max(ends, default=None)}
            | {"name": f"{row['step']} {row['meaning']}" if row["step"] else "sqlrec"}
            | {"panel": f"{name_for_papers(row['request'])}: {prefix}{target}"}
        )
    targets = join_words(list(dict.fromkeys(row["target"] for row in rows)))
    x, y = Axis("value", "value", low="low", high="high"), Axis("name", "step", "name")
    about = "Each dot is the value after a step, and its line shows the effect of the step."
    title = f"From sqlrec's value to {targets}"
    chart = Chart("dot", x, y, title, about, panel="panel", wraps=True)
    return Plot("waterfall", chart, rows, explained.rows(), explained.sql)


class ResultPlots:
    """The plots of a result."""

    def __init__(self, engine: Engine, table: Any) -> None:
        self._engine = engine
        self._table = table

    def curve(self) -> Plot:
        """Plot metrics by cutoff, with the interval as a band."""
        return curve(self._table, self._engine)

    def tradeoff(self, x: str | None = None, y: str | None = None) -> Plot:
        """Plot one metric against another, by default the first metric against the last."""
        return tradeoff(self._table, x, y, self._engine)
