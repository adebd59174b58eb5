"""Users drawn again for what is no mean over users, such as coverage: the whole evaluation anew."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from ..plan.build import ACCOUNTS
from .job import Job, key_of

# Replicates of one statement are this many blocks of four.
BLOCKS = 10
REPLICATE = "sqlrec_replicate"

# Inputs of metrics that can be drawn again: the others name users that are not drawn.
_DRAWN = {"recs", "truth", "catalog", "items", "users"}


def labels(job: Job) -> set[str]:
    """Return the metrics that are no mean over users, but of what users' lists are together."""
    kinds = {metric["label"]: kind for kind in job.plan["kinds"] for metric in kind["metrics"]}
    return {
        one.label
        for one in job.asked
        if one.label not in job.means
        and {need.table for need in one.metric.needs}
        <= _DRAWN | (set() if kinds[one.label]["of_users"] else {"history"})
    }


def resampled(job: Job, wanted: set[str], blocks: int) -> list[dict[str, Any]]:
    """Evaluate the wanted metrics for users drawn again; return a row per value and replicate."""
    plan = deepcopy(job.plan)
    kinds = [kind for part in (plan, *plan["parts"]) for kind in part["kinds"]]
    for kind in kinds:
        kind["metrics"] = [one for one in kind["metrics"] if one["label"] in wanted]
    for part in (plan, *plan["parts"]):
        part["kinds"] = [kind for kind in part["kinds"] if kind["metrics"]]
    plan["parts"] = [part for part in plan["parts"] if part["kinds"]]
    segment = {"asked": REPLICATE, "label": REPLICATE, "column": REPLICATE, "table": "users"}
    plan["by"] = [*plan["by"], segment | {"name": f"segment_{len(plan['by']) + 1}"}]
    columns = ("model", *job.segments, REPLICATE, "metric", "k", "asked", "value", "users")
    counted = ("population", *ACCOUNTS, *job.weights, "faults")
    rows: list[dict[str, Any]] = []
    for first in range(1, blocks + 1, BLOCKS):
        last = min(first + BLOCKS - 1, blocks)
        drawn = _drawn(job, deepcopy(plan), first, last)
        rows += job.query(job.render("evaluation", drawn), (*columns, *counted)).to_pylist()
    return rows


def _drawn(job: Job, plan: dict[str, Any], first: int, last: int) -> dict[str, Any]:
    """Put users drawn again in place of those of a plan."""
    parts = [plan, *plan["parts"], *plan["part_lists"]]
    inputs = [*plan["recs"], *([plan["truth"]] if plan["truth"] else [])]
    sources = [_source(each) for each in inputs]
    draws = job.render("draws", {"sources": sources, "first": first, "last": last})

    def replace(source: dict[str, Any], *, all_drawn: bool = False) -> None:
        given = _source(source) | {"draws": draws, "all_drawn": all_drawn}
        source["relation"] = job.render("resampled", given)
        source["columns"]["user_id"] = "sqlrec_user"

    users = plan["users"] or {"relation": draws, "columns": {"user_id": "sqlrec_user"}}
    if plan["users"]:
        replace(users, all_drawn=True)
    else:
        users["relation"] = f"{draws} as drawn"
    replaced: list[Any] = []
    for part in parts:
        for source in (*part["recs"], *([part["truth"]] if part["truth"] else [])):
            if not any(source is each for each in replaced):
                replace(source)
                replaced.append(source)
        part["users"] = users
        part["by"] = plan["by"]
    return plan


def _source(source: dict[str, Any]) -> dict[str, Any]:
    return {"relation": source["relation"], "user_id": source["columns"]["user_id"]}


def values(
    rows: Sequence[dict[str, Any]], segments: Sequence[str]
) -> dict[tuple[Any, ...], list[float]]:
    """Bring the values of all replicates together, by what they are of."""
    found: dict[tuple[Any, ...], list[float]] = {}
    for row in rows:
        if row["value"] is not None and row[REPLICATE] is not None:
            found.setdefault(key_of(row, segments), []).append(row["value"])
    return found
