"""Plots of rows: each is a query, run where the rows are, that returns a small table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..dialects import text
from ..errors import DataError, InputError
from ..run.job import Job, prepare
from ..statistics.formulas import by_error
from .chart import Axis, Chart, written
from .of_results import panel_of
from .plot import Plot

HISTORY = "history"


def query(job: Job, macro: str, plan: Mapping[str, Any], columns: Sequence[str]) -> tuple[Any, str]:
    """Run a query over the rows of a job; return its table and the SQL.

    Raises:
        DataError: Rows break a rule.
    """
    sql = job.render(macro, **plan)
    found = job.query(sql, (*columns, "faults"))
    faults = found["faults"].to_pylist()
    if any(faults):
        row = next(row for row in found.to_pylist() if row["faults"])
        raise DataError(job.fault(job.part(row) if "metric" in row else job.plan))
    job.inputs.engine.rest()
    return found.drop_columns("faults"), job.inputs.spelled(sql)


def differences(metrics: str | Iterable[str], *, baseline: str, **options: Any) -> Plot:
    """Draw who gains and who loses against a baseline: users' differences in order."""
    job = prepare(metrics, **options)
    segments = job.segments
    columns = ("model", *segments, "metric", "k", "asked", "better", "share", "part_users")
    columns += ("difference", "low", "high", "users", "wins", "ties", "losses")
    plan = {"baseline_model": text(baseline, job.inputs.engine.dialect)}
    table, sql = query(job, "plot_differences", plan, columns)
    rows = table.to_pylist()
    if not rows:
        raise InputError(f"baseline={baseline!r}: no user has a value of it and of another model")
    told = []
    several = len({(row["asked"], *(row[name] for name in segments)) for row in rows}) > 1
    for row in rows:
        row["panel"] = panel_of(row, segments)
    first = {(row["panel"], row["model"]): row for row in reversed(rows)}
    for (panel, model), row in reversed(first.items()):
        if row["wins"] is not None:
            won, lost = (
                written(row[name] / row["users"], "share", 2) for name in ("wins", "losses")
            )
            told.append(
                f"{model}{f' ({panel})' if several else ''}: {won} of users gain, {lost} lose"
            )
    about = f"Users' differences to {baseline}, from the lowest to the highest. {'; '.join(told)}."
    chart = Chart(
        "line",
        Axis("share", "share of users", "share", at=(0.0, 0.25, 0.5, 0.75, 1.0)),
        Axis("difference", f"difference to {baseline}"),
        f"Who gains and who loses against {baseline}",
        about,
        panel="panel",
        zero=True,
        legend=True,
    )
    return Plot("differences", chart, rows, table, sql)


def longtail(*, k: int = 10, **options: Any) -> Plot:
    """Draw which share of places goes to items of each decile of popularity."""
    job = prepare(f"popularity_count@{k}", **options)
    table, sql = query(job, "plot_longtail", {}, ("model", "decile", "places", "share"))
    rows = table.to_pylist()
    unknown = [row for row in rows if row["decile"] is None]
    rows = [dict(row, model=row["model"] or HISTORY) for row in rows if row["decile"] is not None]
    about = (
        f"Share of the first {k} places by popularity of their items in the history: decile 1 are "
        "the tenth of its items that most users had. Bars: what users had themselves."
    )
    for row in unknown:
        about += f" {row['model']}: {written(row['share'], 'share')} go to items without history."
    chart = Chart(
        "bar",
        Axis("decile", "decile of items by popularity", at=tuple(map(float, range(1, 11)))),
        Axis("share", "share of places", "share"),
        "Popular items or the long tail",
        about,
        reference=HISTORY,
        legend=True,
    )
    return Plot("longtail", chart, rows, table, sql)


def lorenz(*, k: int = 10, **options: Any) -> Plot:
    """Draw how few items take all places, with the Gini coefficient."""
    cataloged = options["given"]["catalog"] is not None
    job = prepare(f"gini(items={'catalog' if cataloged else 'recommended'})@{k}", **options)
    columns = ("model", "item_share", "place_share", "items", "gini")
    table, sql = query(job, "plot_lorenz", {}, columns)
    rows = table.to_pylist()
    for row in rows:
        row["name"] = f"{row['model']}, Gini {written(row['gini'], digits=2)}"
    items = "of the catalog" if cataloged else "that some list of the model shows"
    chart = Chart(
        "line",
        Axis(
            "item_share",
            "share of items, the least shown first",
            "share",
            at=(0.0, 0.25, 0.5, 0.75, 1.0),
        ),
        Axis("place_share", "share of places", "share", at=(0.0, 1.0)),
        "How few items take all places",
        f"Share of the first {k} places that items take together, of the items {items}. On the "
        "straight line all are shown alike.",
        colour="name",
        diagonal=True,
        legend=True,
    )
    return Plot("lorenz", chart, rows, table, sql)


def places(*, k: int = 10, **options: Any) -> Plot:
    """Draw at which places hits are."""
    job = prepare(f"hit_rate@{k}", **options)
    table, sql = query(job, "plot_places", {}, ("model", "rank", "hits", "share"))
    rows = table.to_pylist()
    chart = Chart(
        "line",
        Axis("rank", "place", at=tuple(map(float, range(1, k + 1))) if k <= 20 else ()),
        Axis("share", "share of hits", "share"),
        "Where hits are",
        f"Share of all hits within {k} places by place.",
    )
    return Plot("places", chart, rows, table, sql)


def activity(metrics: str | Iterable[str], *, level: float = 0.95, **options: Any) -> Plot:
    """Draw a metric by how many items users had before: who is served.

    Raises:
        InputError: There is no history.
    """
    job = prepare(metrics, **options)
    needed = ["user_id", "item_id"]
    had = job.inputs.read(
        options["given"]["history"], "history", "history", needed=needed, assumed=[], taken=[]
    )
    plan = {
        "had": {
            "relation": had.relation,
            "columns": {name: had.expression(name) for name in needed},
        }
    }
    columns = ("model", *job.segments, "metric", "k", "asked", "decile", "least_items")
    columns += ("most_items", "users", "value", "standard_error")
    table, sql = query(job, "plot_activity", plan, columns)
    rows = table.to_pylist()
    for row in rows:
        limits = by_error("t", level, row["value"], row["users"], row["standard_error"])
        row["low"], row["high"] = limits
        row["panel"] = panel_of(row, job.segments)
    groups = {row["decile"]: row for row in rows}
    labels = [
        f"{row['least_items']}"
        + (f"\u2013{row['most_items']}" if row["most_items"] > row["least_items"] else "")
        for _, row in sorted(groups.items())
    ]
    title = "items that users had, in groups of about as many users"
    chart = Chart(
        "line",
        Axis("decile", title, at=tuple(map(float, sorted(groups))), labels=tuple(labels)),
        Axis("value", "mean over users", low="low", high="high"),
        "Who is served",
        "Users by how many items their history has. Bands are intervals of the mean.",
        panel="panel",
    )
    return Plot("activity", chart, rows, table, sql)
