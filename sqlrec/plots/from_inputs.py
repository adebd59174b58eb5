"""Plots of input rows, each drawn from the small table of a query on the inputs' engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..dialects import text
from ..errors import InputError
from ..records import Record
from ..run.differences import no_common_user_error
from ..run.job import Call, Job
from ..statistics.formulas import interval_from_error
from .chart import Axis, Chart, format_value
from .from_results import forest, format_panel
from .plot import Plot

HISTORY = "history"
QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


def query_rows(
    job: Job, macro: str, columns: Sequence[str], **arguments: Any
) -> tuple[list[Record], Any, str]:
    """Run a query over the rows of a job, and return its rows, its table and its SQL."""
    sql = job.render(macro, **arguments)
    table = job.query(sql, (*columns, "violations"))
    for row in table.to_pylist():
        if row["violations"]:
            raise job.violation(job.part(row) if "metric" in row else job.plan)
    job.inputs.engine.release()
    table = table.select(columns)
    return table.to_pylist(), table, job.inputs.restore_names(sql)


def differences(call: Call, *, baseline: str) -> Plot:
    """Plot users' differences from a baseline, sorted, with shares of gains and losses."""
    job = call.prepare()
    segments = job.segments
    columns = ("model", *segments, "metric", "k", "request", "better", "share", "part_users")
    columns += ("difference", "low", "high", "users", "wins", "ties", "losses")
    model = text(baseline, job.inputs.engine.dialect)
    rows, table, sql = query_rows(job, "plot_differences", columns, baseline_model=model)
    if not rows:
        raise no_common_user_error(job, baseline)
    for row in rows:
        row["panel"] = format_panel(row, segments)
    several = len({row["panel"] for row in rows}) > 1
    notes = {}
    for row in rows:
        if row["wins"] is not None:
            wins, losses = (
                format_value(row[x] / row["users"], "share", 2) for x in ("wins", "losses")
            )
            name = f"{row['model']} ({row['panel']})" if several else row["model"]
            notes[name] = f"{name}: {wins} of users gain, {losses} lose"
    about = f"Users' differences to {baseline}, from the lowest to the highest. "
    chart = Chart(
        "line",
        Axis("share", "share of users", "share", at=QUARTERS),
        Axis("difference", f"difference from {baseline}"),
        f"Gains and losses against {baseline}",
        f"{about}{_join_model_notes([*notes.values()])}.",
        panel="panel",
        zero=True,
        legend=True,
        # The baseline has no line, but counts here, so models have the same colors in all plots.
        models=tuple(sorted({*(str(row["model"]) for row in rows), baseline})),
    )
    return Plot("differences", chart, rows, table, sql)


def longtail(call: Call, *, k: int = 10) -> Plot:
    """Plot the share of recommendations by decile of item popularity."""
    job = call.prepare(f"popularity_count@{k}")
    rows, table, sql = query_rows(job, "plot_longtail", ("model", "decile", "ranks", "share"))
    unknown = [row for row in rows if row["decile"] is None]
    rows = [dict(row, model=row["model"] or HISTORY) for row in rows if row["decile"] is not None]
    about = (
        f"Share of the first {k} ranks by the popularity of their items: decile 1 has the most "
        "popular tenth of the items in the history. Bars: the users' history."
    )
    if unknown:
        shares = [f"{row['model']}: {format_value(row['share'], 'share')}" for row in unknown]
        about += f" {_join_model_notes(shares)} go to items without history."
    chart = Chart(
        "bar",
        Axis("decile", "decile of items by popularity", at=tuple(map(float, range(1, 11)))),
        Axis("share", "share of recommendations", "share"),
        "Popular items or the long tail",
        about,
        reference=HISTORY,
        legend=True,
    )
    return Plot("longtail", chart, rows, table, sql)


# Maximum number of notes on models in a plot.
_MAX_NOTES = 6


def _join_model_notes(notes: Sequence[str]) -> str:
    """Join notes on models, and truncate long lists."""
    return "; ".join([*notes[:_MAX_NOTES], *(["..."] if len(notes) > _MAX_NOTES else [])])


def lorenz(call: Call, *, k: int = 10, counted: str = "catalog") -> Plot:
    """Plot the concentration of recommendations on items, with the Gini coefficient."""
    has_catalog = call.tables.catalog is not None and counted == "catalog"
    job = call.prepare(f"gini(items={'catalog' if has_catalog else 'recommended'})@{k}")
    columns = ("model", "item_share", "rank_share", "items", "gini")
    rows, table, sql = query_rows(job, "plot_lorenz", columns)
    for row in rows:
        row["name"] = f"{row['model']}, Gini {format_value(row['gini'], digits=2)}"
    items = "of the catalog" if has_catalog else "in any list of the model"
    chart = Chart(
        "line",
        Axis("item_share", "share of items, the rarest first", "share", at=QUARTERS),
        Axis("rank_share", "share of recommendations", "share", at=QUARTERS),
        "Concentration of recommendations on items",
        f"Cumulative share of the first {k} ranks by item, over the items {items}. On the "
        "straight line, all items have equal shares.",
        color="name",
        diagonal=True,
        legend=True,
    )
    return Plot("lorenz", chart, rows, table, sql)


def ranks(call: Call, *, k: int = 10) -> Plot:
    """Plot the share of hits by rank."""
    job = call.prepare(f"hit_rate@{k}")
    rows, table, sql = query_rows(job, "plot_ranks", ("model", "rank", "hits", "share"))
    chart = Chart(
        "line",
        Axis("rank", "rank", at=tuple(map(float, range(1, k + 1))) if k <= 20 else ()),
        Axis("share", "share of hits", "share"),
        "Hits by rank",
        f"Share of all hits within {k} ranks by rank.",
    )
    return Plot("ranks", chart, rows, table, sql)


def activity(call: Call, *, level: float = 0.95) -> Plot:
    """Plot a metric by the number of items in the history of users.

    Raises:
        InputError: The history is missing, or contains the same number of items for all users.
    """
    job = call.prepare()
    needed = ["user_id", "item_id"]
    source = job.inputs.read("history", required=needed)
    expressions = {name: source.expression(name) for name in needed}
    user_history = {"relation": source.relation, "columns": expressions}
    columns = ("model", *job.segments, "metric", "k", "request", "decile", "least_items")
    columns += ("most_items", "users", "value", "standard_error")
    rows, table, sql = query_rows(job, "plot_activity", columns, user_history=user_history)
    for row in rows:
        mean = row["value"], row["users"], row["standard_error"]
        row["low"], row["high"] = interval_from_error("t", level, *mean)
        row["panel"] = format_panel(row, job.segments)
    limits = {row["decile"]: {row["least_items"]: 0, row["most_items"]: 0} for row in rows}
    labels = ["\u2013".join(map(str, ends)) for _, ends in sorted(limits.items())]
    if len(labels) == 1:
        count = f"{labels[0]} item{'s' * (labels[0] != '1')}"
        raise InputError(f"all users have {count} in the history, so they are one group")
    title = "items in the history, in groups of about the same number of users"
    chart = Chart(
        "line",
        Axis("decile", title, at=tuple(map(float, sorted(limits))), labels=tuple(labels)),
        Axis("value", "mean over users", low="low", high="high"),
        "Metrics by activity",
        "Means by the number of items in the user's history. Bands are intervals of the mean.",
        panel="panel",
    )
    return Plot("activity", chart, rows, table, sql)


def calibration(call: Call, *, k: int = 10) -> Plot:
    """Plot the shares of categories in lists and in the history."""
    job = call.prepare(f"calibration_kl@{k}")
    rows, table, sql = query_rows(job, "plot_calibration", ("model", "number", "category", "share"))
    rows = [
        dict(row, model=row["model"] or HISTORY, category=row["category"] or "all others")
        for row in rows
    ]
    rows.sort(key=lambda row: (row["model"] == HISTORY, row["model"], row["number"]))
    chart = Chart(
        "dot",
        Axis("share", f"share of the first {k} ranks, or of the history", "share"),
        Axis("category", "category", "name"),
        "Categories of lists and history",
        "Categories by their share of the history. Each rank counts once, in equal parts to "
        f"the categories of its item; {HISTORY}: the users' history.",
        reference=HISTORY,
    )
    return Plot("calibration", chart, rows, table, sql)


def weights(call: Call, *, k: int | None = None) -> Plot:
    """Plot the weights of logged decisions in increasing order, on a log axis."""
    cutoff = "" if call.tables.recs is None else f"@{10 if k is None else k}"
    job = call.prepare(f"effective_sample_size{cutoff}")
    columns = ("model", *job.segments, "decision_share", "weight_share", "weight", "low", "high")
    columns += ("decisions", "effective", "top_share")
    rows, table, sql = query_rows(job, "plot_weights", columns)
    # Weights of 0 are omitted, since a log axis cannot show 0.
    rows = [row for row in rows if row["weight"]]
    if not rows:
        raise InputError("weights: the evaluated policy takes no logged action: all weights are 0")
    smallest = min((row["low"] for row in rows if row["low"]), default=None)
    notes = {}
    for row in rows:
        row["name"] = ", ".join([row["model"], *(str(row[name]) for name in job.segments)])
        row["low"] = row["low"] or smallest or row["weight"]
        notes[row["name"]] = (
            f"{row['name']}: {format_value(row['decisions'])} decisions are worth "
            f"{format_value(round(row['effective']))} of equal weight; the largest 1% of "
            f"weights are {format_value(row['top_share'], 'share', 2)} of the total weight"
        )
    chart = Chart(
        "line",
        Axis("decision_share", "share of decisions, the smallest weight first", "share"),
        Axis("weight", "weight", "log", low="low", high="high"),
        "Weights of logged decisions",
        f"A weight is the probability of the action by the evaluated policy divided by the "
        f"logged probability; weights of 0 are not drawn. {'; '.join(notes.values())}.",
        color="name",
        legend=True,
    )
    return Plot("weights", chart, rows, table, sql)


class ComparisonPlots:
    """The plots of a comparison."""

    def __init__(self, table: Any, call: Call, baseline: str | None) -> None:
        self._table = table
        self._call = call
        self._baseline = baseline

    def forest(self) -> Plot:
        """Plot differences from the baseline by segment, with their intervals."""
        return forest(self._table, self._call.tables.engine, self._baseline)

    def differences(self) -> Plot:
        """Plot users' differences from the baseline, sorted, with shares of gains and losses.

        Raises:
            InputError: The comparison has no baseline.
        """
        if self._baseline is None:
            raise InputError("plot.differences and baseline=None: compare with a baseline")
        return differences(self._call, baseline=self._baseline)
