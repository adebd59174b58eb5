"""Plots of results, comparisons and explanations, without new evaluations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..catalogue.requests import parse_metrics
from ..dialects import identifier, text
from ..display.layout import SIGNS, together
from ..engines.base import Engine
from ..engines.connect import open_engine
from ..errors import InputError, nearest
from ..rendering.templates import render
from ..results.result_layout import libraries_of, paper_name
from ..results.rows import Rows
from .chart import Axis, Chart, Row
from .plot import Plot

# Columns before the metric that are not segments.
_KEYS = ("model", "grouping", "metric", "k", "asked", "step")


def without_cutoff(request: str) -> str:
    """Format a metric for papers, without its cutoff."""
    return paper_name(request.rpartition("@")[0] if "@" in request.rpartition(")")[2] else request)


def better(request: str) -> str:
    """Return the direction of a requested metric."""
    (parsed,) = parse_metrics(request)
    return parsed.metric.better


def arrow(word: str) -> str:
    """Return the arrow of a direction."""
    return {"higher": " \u2191", "lower": " \u2193"}.get(word, "")


def query_results(
    name: str, results: Any, engine: Engine | None = None, **options: Any
) -> tuple[list[dict[str, Any]], Rows, str]:
    """Run a query of sql/plots/results.sql over a table of results; return rows, table and SQL.

    It runs on the engine of the results if sqlrec owns the connection, else in DuckDB.
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


def segment(row: Row, segments: Sequence[str], named: bool = False) -> str:
    """Format the segment of a row: its values, with the columns if there are several."""
    grouped = row["grouping"].split(", ") if "grouping" in row else segments
    words = [
        (f"{name}: " if named or len(segments) > 1 else "")
        + ("not known" if row[name] is None else str(row[name]))
        for name in segments
        if name in grouped
    ]
    return ", ".join(words) or "all"


def panel_of(row: Row, segments: Sequence[str], cutoff: bool = True) -> str:
    """Format the panel of a row: metric, arrow and segment."""
    label = paper_name(row["asked"]) if cutoff else without_cutoff(row["asked"])
    where = f", {segment(row, segments)}" if segments else ""
    return label + arrow(better(row["asked"])) + where


def curve(results: Any, engine: Engine | None = None) -> Plot:
    """Plot metrics by cutoff.

    Raises:
        InputError: No metric has a cutoff.
    """
    rows, table, sql = query_results("curve", results, engine)
    if not rows:
        raise InputError("curve: no metric has a cutoff; ask for several, as in ndcg@5,10,20")
    # In the order of the result, without metrics of a single cutoff if others have several.
    order = list(dict.fromkeys(row["metric"] for row in results.to_pylist()))
    rows.sort(key=lambda row: order.index(row["metric"]))
    curved = [name for name in order if len({r["k"] for r in rows if r["metric"] == name}) > 1]
    rows = [row for row in rows if row["metric"] in (curved or order)]
    return _over("curve", rows, table, sql, Axis("k", "cutoff k", _spread([r["k"] for r in rows])))


def _spread(values: Iterable[float]) -> str:
    nonzero = [value for value in values if value]
    return "log" if nonzero and max(nonzero) > 12 * min(nonzero) else "number"


def history(results: Any) -> Plot:
    """Plot metrics by the column ``step`` of results.

    Raises:
        InputError: There is no such column.
    """
    if "step" not in results.column_names:
        raise InputError("history: the results have no column 'step', which numbers them")
    rows, table, sql = query_results("history", results)
    return _over("history", rows, table, sql, Axis("step", "step"))


def _over(name: str, rows: list[dict[str, Any]], table: Any, sql: str, x: Axis) -> Plot:
    """Plot the values of results over a column."""
    segments = segments_of(table.column_names)
    marks = sorted({float(row[x.column]) for row in rows})
    if name == "curve" or len(marks) < 12:
        x = Axis(x.column, x.title, x.form, at=tuple(marks))
    for row in rows:
        row["panel"] = panel_of(row, segments, cutoff=name != "curve")
    models = len({row["model"] for row in rows})
    limits = any(row["low"] is not None for row in rows)
    names = (row["panel"].partition(",")[0].rstrip(" \u2191\u2193") for row in rows)
    metrics = list(dict.fromkeys(names))
    what = together(metrics) if len(metrics) < 4 else f"{len(metrics)} metrics"
    by = "cutoff" if name == "curve" else "step"
    about = f"{what} of {models} model{'s' * (models > 1)} by {by}."
    about += " Bands are intervals of the mean over users." if limits else ""
    y = Axis(
        "value", "mean over users", low="low" if limits else None, high="high" if limits else None
    )
    chart = Chart("line", x, y, f"{what} by {by}", about, panel="panel")
    return Plot(name, chart, rows, table, sql)


def forest(comparison: Any, engine: Engine | None = None, baseline: str | None = None) -> Plot:
    """Plot differences from the baseline by segment, with their intervals."""
    comparison = Rows.of(comparison)
    if "baseline" in comparison.column_names:
        pairs = [
            row | {"model": "{model} - {baseline}".format(**row)} for row in comparison.records
        ]
        comparison = Rows(dict(comparison.schema), pairs)
    rows, table, sql = query_results("forest", comparison, engine)
    if not rows:
        raise InputError(
            "forest: no difference is known; ask for metrics that are means over users"
        )
    segments = segments_of(table.column_names)
    for row in rows:
        few = f" \u00b7 {row['users']} users" if row["users"] < 30 else ""
        row["segment"] = (segment(row, segments) if segments else row["model"]) + few
        row["panel"] = paper_name(row["asked"]) + arrow(row["better"])
    # Metrics in the order of the comparison, segments in all panels in that of the first metric.
    metrics = list(dict.fromkeys(row["asked"] for row in comparison.records))
    rows.sort(key=lambda row: metrics.index(row["asked"]))
    places = list(dict.fromkeys(row["segment"] for row in rows))
    rows.sort(key=lambda row: (metrics.index(row["asked"]), places.index(row["segment"])))
    by = ", ".join(segments)
    reference = baseline or "the baseline"
    title = f"Difference to {reference}" + f" by {by}" * bool(segments)
    models = sorted({str(row["model"]) for row in rows} | ({baseline} if baseline else set()))
    about = (
        "Mean difference of users' values and its interval; if that crosses the line at 0, the "
        "difference is not significant."
    )
    x = Axis("difference", f"difference to {reference}", low="low", high="high")
    y = Axis("segment", by or "model", "name")
    chart = Chart("dot", x, y, title, about, panel="panel", zero=True, models=tuple(models))
    return Plot("forest", chart, rows, table, sql)


def tradeoff(
    results: Any, x: str | None = None, y: str | None = None, engine: Engine | None = None
) -> Plot:
    """Plot one requested metric against another: by default the first against the last.

    Raises:
        InputError: The result has fewer than two metrics, or not the requested metric.
    """
    requests = list(dict.fromkeys(row["asked"] for row in results.to_pylist()))
    if segments_of(results.column_names):
        raise InputError("tradeoff: the results are by segment; ask without by")
    if len(requests) < 2:
        raise InputError(f"tradeoff: there is one metric, {requests[0]}; ask for two")
    x, y = x or requests[-1], y or requests[0]
    for metric in (x, y):
        if metric not in requests:
            raise InputError(
                f"tradeoff: {metric!r} is not in the result: {nearest(metric, requests)}"
            )
    options = {
        "x": text(x, "duckdb"),
        "y": text(y, "duckdb"),
        "x_sign": SIGNS[better(x)],
        "y_sign": SIGNS[better(y)],
    }
    rows, table, sql = query_results("tradeoff", results, engine, **options)
    about = f"Each model's {paper_name(y)} over its {paper_name(x)}."
    if any(row["x_low"] is not None or row["y_low"] is not None for row in rows):
        about = f"{about[:-1]}; crosses are intervals."
    front = [row["model"] for row in rows if row["pareto"]]
    if len(front) == 1:
        about += f" {front[0]} is the best in both."
    elif front:
        about += " No model is better in both than those on the dashed line."
    axes = [
        Axis(side, paper_name(name) + arrow(better(name)), low=f"{side}_low", high=f"{side}_high")
        for side, name in (("x", x), ("y", y))
    ]
    chart = Chart("point", axes[0], axes[1], f"{paper_name(y)} against {paper_name(x)}", about)
    return Plot("tradeoff", chart, rows, table, sql)


def waterfall(explained: Any) -> Plot:
    """Plot the steps from sqlrec's value to another, from the rows of ``explain`` with a value."""
    rows = []
    for row in explained.rows().to_pylist():
        if row["value"] is None:
            continue
        ends = (row["value"], row["value"] - row["effect"]) if row["effect"] is not None else ()
        target = row["conventions"].partition(", ")[0] or "no library"
        rows.append(
            row
            | {"low": min(ends, default=None), "high": max(ends, default=None)}
            | {"name": f"{row['step']} {row['meaning']}" if row["step"] else "sqlrec"}
            | {"panel": f"{paper_name(row['asked'])}: {target}"}
        )
    targets = together(list(dict.fromkeys(row["target"] for row in rows)))
    x, y = Axis("value", "value", low="low", high="high"), Axis("name", "step", "name")
    about = "Each dot is the value after a step, and its line the effect of the step."
    title = f"From sqlrec's value to {targets}"
    chart = Chart("dot", x, y, title, about, panel="panel")
    return Plot("waterfall", chart, rows, explained.rows(), explained.sql)


def conventions(explained: Any) -> Plot:
    """Plot a metric as computed by each library, from the rows of ``explain``."""
    rows = []
    table = explained.rows()
    for row in table.to_pylist():
        if row["value"] is None:
            continue
        for name in libraries_of(row):
            rows.append({**row, "library": name, "panel": paper_name(row["asked"])})
    unique = {(row["panel"], row["model"], row["library"]): row for row in rows}
    models = list(dict.fromkeys(row["model"] for row in rows))
    rows = sorted(unique.values(), key=lambda row: models.index(row["model"]))
    # Sort by the value of the first model that a library has a value for.
    first_values = {(row["panel"], row["library"]): row["value"] for row in reversed(rows)}
    rows.sort(
        key=lambda row: (row["panel"], first_values[row["panel"], row["library"]], row["library"])
    )
    chart = Chart(
        "dot",
        Axis("value", "value"),
        Axis("library", "library", "name"),
        "One metric as libraries print it",
        "One pair of lists and truth; differences between libraries move the dots.",
        panel="panel",
    )
    return Plot("conventions", chart, rows, table, explained.sql)
