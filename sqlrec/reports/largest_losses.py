"""The users with the largest losses or differences, with the lists of both models."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Any

from ..dialects import text
from ..plots.chart import format_value
from ..plots.from_inputs import query_rows
from ..records import group_by
from ..run.job import Call, Job
from .blocks import UserLoss

# Maximum numbers of users who lose, of users to browse, and of items in each list.
MAX_USERS, MAX_BROWSED, MAX_ITEMS = 10, 50, 10


def largest_losses(
    metric: Any, model: str, baseline: str, *, hashed: bool, call: Call, browsed: bool = False
) -> list[UserLoss]:
    """Return the users with the largest losses of a metric from the baseline to a model.

    With ``browsed``, more users are returned, including users who gain, but without histories.
    """
    tables, job = call.tables, call.prepare(metric)
    models = [text(name, job.inputs.engine.dialect) for name in (model, baseline)]
    plan = {"baseline_model": models[1], "shown_model": models[0], "either": browsed}
    # These tables are not read if no user has a loss.
    job.inputs.used |= {"history", "items", "catalog"}
    maximum = MAX_BROWSED if browsed else MAX_USERS
    columns = ("user_id", "value", "baseline_value", "difference")
    users, _, _ = query_rows(job, "plot_losers", columns, **plan, most=maximum)
    if not users:
        return []
    ids = _constants_relation(job, [row["user_id"] for row in users])
    size = min(metric.k or MAX_ITEMS, MAX_ITEMS)
    lists_plan = {"shown_users": ids, "shown_models": models, "last_rank": size}
    list_columns = ("model", "user_id", "rank", "item_id", "hit", "relevant_items")
    listed, _, _ = query_rows(job, "plot_lists", list_columns, **lists_plan)
    past = []
    if not browsed and tables.history is not None:
        names = {"user_id", "item_id"}
        past = _read_titled_rows(job, "history", "items_had", names, users=ids, most=MAX_ITEMS)
    items = {row["item_id"] for row in listed} | {item for _, item, _ in past}
    titles = dict[Any, str]()
    item_ids = _constants_relation(job, sorted(items, key=str))
    # A title in ``items`` replaces the title in the catalog.
    for name in ("catalog", "items"):
        if items and getattr(tables, name) is not None:
            rows = _read_titled_rows(job, name, "item_titles", {"item_id", "title"}, ids=item_ids)
            titles |= {item: str(title) for item, title in rows if title is not None}
    entries = group_by(listed, lambda row: row["user_id"])
    losses: list[UserLoss] = []
    for row in users:
        own = entries.get(row["user_id"], [])
        lists = [
            (
                name,
                [
                    (titles.get(entry["item_id"], str(entry["item_id"])), bool(entry["hit"]))
                    for entry in own
                    if entry["model"] == name
                ],
            )
            for name in (model, baseline)
        ]
        user_items = [(item, count) for user, item, count in past if user == row["user_id"]]
        history = [titles.get(item, str(item)) for item, _ in user_items]
        user = str(row["user_id"])
        user = sha256(user.encode()).hexdigest()[:8] if hashed else user
        value, other = (format_value(row[x], digits=3) for x in ("value", "baseline_value"))
        summary = f"{value} with {model}, {other} with {baseline}"
        if own and (relevant := own[0]["relevant_items"]) is not None:
            summary += f"; {relevant} relevant item{'s' * (relevant != 1)}"
        is_open, count = not losses and not browsed, user_items[0][1] if user_items else 0
        losses.append(UserLoss(f"User {user}", summary, is_open, lists, history, count))
    return losses


def _constants_relation(job: Job, values: Iterable[Any]) -> list[str]:
    dialect = job.inputs.engine.dialect
    return [str(x) if isinstance(x, int) else text(str(x), dialect) for x in values]


def _read_titled_rows(
    job: Job, name: str, macro: str, columns: set[str], **arguments: Any
) -> list[Any]:
    """Return the rows of a query over an input, or an empty list without a column ``title``."""
    required = sorted(columns - {"title"})
    source = job.inputs.read(name, required=required, optional=sorted(columns))
    if not columns <= {*source.columns}:
        return []
    plan: Any = {column: source.expression(column) for column in columns}
    sql = job.render(macro, relation=source.relation, **plan, **arguments)
    return job.inputs.rows(sql)
