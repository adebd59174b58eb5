"""Who lost: the users with the largest losses, and what both models showed them."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from ..dialects import text
from ..plots.chart import written
from ..plots.of_rows import query
from ..run.job import Job, prepare
from .blocks import Loser

# So many users are shown, each with so many places at most.
MOST, PLACES = 10, 10


def losers(
    metric: Any, model: str, baseline: str, *, hashed: bool, options: Mapping[str, Any]
) -> list[Loser]:
    """Return the users who lose most by a metric between two models."""
    job = prepare([metric], **options)
    dialect = job.inputs.engine.dialect
    models = [text(name, dialect) for name in (model, baseline)]
    plan = {"baseline_model": models[1], "shown_model": models[0], "most": MOST}
    columns = ("user_id", "value", "baseline_value", "difference")
    users = query(job, "plot_losers", plan, columns)[0].to_pylist()
    if not users:
        return []
    ids = [_constant(row["user_id"], dialect) for row in users]
    shown = {"shown_users": ids, "shown_models": models, "places": min(metric.k or PLACES, PLACES)}
    of_lists = ("model", "user_id", "rank", "item_id", "hit", "relevant_items")
    places = query(job, "plot_lists", shown, of_lists)[0].to_pylist()
    titles = _titles(job, options["given"]["items"], {row["item_id"] for row in places})
    had = _had(job, options["given"]["history"], ids)
    titles |= _titles(job, options["given"]["items"], {item for _, item, _ in had} - {*titles})
    found: list[Loser] = []
    for row in users:
        of_user = [(item, count) for user, item, count in had if user == row["user_id"]]
        before = [titles.get(item, str(item)) for item, _ in of_user]
        count = of_user[0][1] if of_user else 0
        lists = [
            (
                name,
                [
                    (titles.get(place["item_id"], str(place["item_id"])), bool(place["hit"]))
                    for place in places
                    if (place["model"], place["user_id"]) == (name, row["user_id"])
                ],
            )
            for name in (model, baseline)
        ]
        user = str(row["user_id"])
        if hashed:
            user = sha256(user.encode()).hexdigest()[:8]
        relevant = next(
            (p["relevant_items"] for p in places if p["user_id"] == row["user_id"]), None
        )
        told = (
            f"{written(row['value'], digits=3)} with {model}, "
            f"{written(row['baseline_value'], digits=3)} with {baseline}"
        )
        if relevant is not None:
            told += f"; {relevant} relevant item{'s' * (relevant != 1)}"
        found.append(Loser(f"User {user}", told, not found, lists, before, count))
    return found


def _constant(value: Any, dialect: str) -> str:
    return str(value) if isinstance(value, int) else text(str(value), dialect)


def _had(job: Job, history: Any, users: list[str]) -> list[tuple[Any, Any, int]]:
    """Return the first of the items that users had before, with how many there are."""
    if history is None:
        return []
    engine = job.inputs.engine
    source = job.inputs.read(
        history, "history", "history", needed=["user_id", "item_id"], assumed=[], taken=[]
    )
    user, item = source.expression("user_id"), source.expression("item_id")
    sql = (
        "select had.user_id, had.item_id, had.items from (select once.user_id, once.item_id, "
        "row_number() over (partition by once.user_id order by once.item_id) as place, "
        "count(*) over (partition by once.user_id) as items from "
        f"(select distinct {user} as user_id, {item} as item_id from {source.relation} "
        f"where {user} in ({', '.join(users)})) as once) as had "
        f"where had.place <= {PLACES} order by had.user_id, had.place"
    )
    with engine.naming(job.inputs.objects):
        return [(user, item, int(count)) for user, item, count in engine.rows(sql)]


def _titles(job: Job, items: Any, ids: set[Any]) -> dict[Any, str]:
    """Return the titles of items, where a column has them."""
    if items is None or not ids:
        return {}
    engine = job.inputs.engine
    source = job.inputs.read(
        items, "items", "items", needed=["item_id"], assumed=[], taken=["title"]
    )
    if "title" not in source.found:
        return {}
    item, title = source.expression("item_id"), source.expression("title")
    known = ", ".join(_constant(one, engine.dialect) for one in sorted(ids, key=str))
    sql = (
        f"select {item} as item_id, min({title}) as title from {source.relation} "
        f"where {item} in ({known}) group by {item}"
    )
    with engine.naming(job.inputs.objects):
        rows = engine.rows(sql)
    return {one: str(name) for one, name in rows if name is not None}
