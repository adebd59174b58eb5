"""The users with the largest losses or differences, with the lists of both models."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from ..dialects import text
from ..plots.chart import format_value
from ..plots.from_inputs import query
from ..run.job import Call, Job
from .blocks import UserLoss

# Maximum numbers of users who lost, of users to browse, and of items in each list.
MAX_USERS, MAX_BROWSED, MAX_ITEMS = 10, 50, 10


def largest_losses(
    metric: Any,
    model: str,
    baseline: str,
    *,
    hashed: bool,
    call: Call,
    browsed: bool = False,
) -> list[UserLoss]:
    """Return the users with the largest losses of a metric from the baseline to a model.

    To be ``browsed``, they are more, with gains too and without their history.
    """
    tables, job = call.tables, call.prepare(metric)
    dialect = job.inputs.engine.dialect
    models = [text(name, dialect) for name in (model, baseline)]
    plan = {"baseline_model": models[1], "shown_model": models[0], "either": browsed}
    most = MAX_BROWSED if browsed else MAX_USERS
    columns = ("user_id", "value", "baseline_value", "difference")
    users = query(job, "plot_losers", columns, **plan, most=most)[0].to_pylist()
    if not users:
        return []
    ids = [_constant(row["user_id"], dialect) for row in users]
    size = min(metric.k or MAX_ITEMS, MAX_ITEMS)
    lists_plan = {"shown_users": ids, "shown_models": models, "last_rank": size}
    list_columns = ("model", "user_id", "rank", "item_id", "hit", "relevant_items")
    listed = query(job, "plot_lists", list_columns, **lists_plan)[0].to_pylist()
    past = [] if browsed or tables.history is None else _read_history(job, tables.history, ids)
    items = {row["item_id"] for row in listed} | {item for _, item, _ in past}
    titles = _read_titles(job, tables.items, items)
    losses: list[UserLoss] = []
    for row in users:
        own = [entry for entry in listed if entry["user_id"] == row["user_id"]]
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
        had = [(item, count) for user, item, count in past if user == row["user_id"]]
        history = [titles.get(item, str(item)) for item, _ in had]
        user = str(row["user_id"])
        user = sha256(user.encode()).hexdigest()[:8] if hashed else user
        value, other = (format_value(row[x], digits=3) for x in ("value", "baseline_value"))
        summary = f"{value} with {model}, {other} with {baseline}"
        if own and (relevant := own[0]["relevant_items"]) is not None:
            summary += f"; {relevant} relevant item{'s' * (relevant != 1)}"
        is_open, count = not losses and not browsed, had[0][1] if had else 0
        losses.append(UserLoss(f"User {user}", summary, is_open, lists, history, count))
    return losses


def _constant(value: Any, dialect: str) -> str:
    return str(value) if isinstance(value, int) else text(str(value), dialect)


def _read_history(job: Job, history: Any, users: list[str]) -> list[Any]:
    """Return the first items in the history of users, each with the number of all items."""
    source = job.inputs.read(
        history, "history", "history", required=["user_id", "item_id"], assumed=[], optional=[]
    )
    user, item = source.expression("user_id"), source.expression("item_id")
    sql = (
        "select had.user_id, had.item_id, had.items from (select once.user_id, once.item_id, "
        "row_number() over (partition by once.user_id order by once.item_id) as number, "
        "count(*) over (partition by once.user_id) as items from "
        f"(select distinct {user} as user_id, {item} as item_id from {source.relation} "
        f"where {user} in ({', '.join(users)})) as once) as had "
        f"where had.number <= {MAX_ITEMS} order by had.user_id, had.number"
    )
    with job.inputs.engine.naming(job.inputs.objects):
        return [*job.inputs.engine.rows(sql)]


def _read_titles(job: Job, items: Any, ids: set[Any]) -> dict[Any, str]:
    """Return the titles of items, if a column has them."""
    if items is None or not ids:
        return {}
    source = job.inputs.read(
        items, "items", "items", required=["item_id"], assumed=[], optional=["title"]
    )
    if "title" not in source.columns:
        return {}
    engine = job.inputs.engine
    item, title = source.expression("item_id"), source.expression("title")
    constants = ", ".join(_constant(value, engine.dialect) for value in sorted(ids, key=str))
    sql = (
        f"select {item} as item_id, min({title}) as title from {source.relation} "
        f"where {item} in ({constants}) group by {item}"
    )
    with engine.naming(job.inputs.objects):
        return {item: str(name) for item, name in engine.rows(sql) if name is not None}
