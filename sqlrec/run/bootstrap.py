"""Bootstrap of metrics that are not means over users, such as coverage."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ..plan.plan import Plan, Segment, Table
from .job import Job, Key, value_key

# Number of replicates from one hash.
REPLICATES_A_BLOCK = 4

# Maximum number of blocks of replicates in a statement: first with weights, then with copies of
# rows, which need more memory.
_WEIGHT_BLOCKS, _COPY_BLOCKS = 20, 10
REPLICATE = "sqlrec_replicate"

# Kinds of rows that contain sums by item, and metrics that are computed from sums over rated items.
_ITEM_SUMS = {"item_exposure", "group_exposure"}
_RATED_SUMS = {"pooled__r2", "pooled__cohen_kappa", "pooled__krippendorff_alpha"}

# The column of resampled users. Each draw of a user has a different id.
DRAWN_USER = "sqlrec_user"

# Inputs of metrics that can be resampled. Users of other inputs can't be resampled.
_RESAMPLED_TABLES = {"recs", "truth", "catalog", "items", "users"}


def resampled_labels(job: Job) -> set[str]:
    """Return the labels of metrics to resample, which are metrics of all lists together."""
    has_user_values = {metric.label: kind.per_user for metric, kind in job.plan.metrics()}
    return {
        request.label
        for request in job.requests
        if request.label not in job.means | job.linear_user_sums
        and {need.table for need in request.metric.needs}
        <= _RESAMPLED_TABLES | (set() if has_user_values[request.label] else {"history"})
    }


def resample_values(job: Job, requested: set[str], replicates: int) -> dict[Key, dict[int, float]]:
    """Evaluate the requested metrics on bootstrap samples; return their values by replicate."""
    segments, blocks = job.segments, -(-replicates // REPLICATES_A_BLOCK)
    columns = ("model", *segments, REPLICATE, "metric", "k", "value", "users")
    sums = {
        metric.label
        for metric, kind in job.plan.metrics()
        if kind.name in _ITEM_SUMS or metric.macro in _RATED_SUMS
    } & requested
    values: dict[Key, dict[int, float]] = {}
    for metrics, resample, size in (
        (sums, _weight_users, _WEIGHT_BLOCKS),
        (requested - sums, partial(_copy_users, job), _COPY_BLOCKS),
    ):
        plan = job.plan.select_metrics(metrics).each(lambda part: replace(part, audit=False))
        for first in range(1, blocks + 1, size) if metrics else ():
            last = min(first + size - 1, blocks)
            text = job.render("drawn_values", resample(plan, first, last))
            for row in job.records(text, columns):
                if row["value"] is not None and row[REPLICATE] is not None:
                    values.setdefault(value_key(row, segments), {})[row[REPLICATE]] = row["value"]
    return values


def _weight_users(plan: Plan, first: int, last: int) -> Plan:
    """Return a plan that weights each user by the number of draws of the user."""
    by = _with_replicate(plan, "draws")
    return plan.each(lambda part: replace(part, by=by, drawn=[first, last]))


def _with_replicate(plan: Plan, table: str) -> list[Segment]:
    name = f"segment_{len(plan.by) + 1}"
    return [*plan.by, Segment(REPLICATE, name, REPLICATE, REPLICATE, table)]


def _copy_users(job: Job, plan: Plan, first: int, last: int) -> Plan:
    """Return a plan with a copy of a user's rows for each draw of the user."""
    sources = [*plan.recs, *([plan.truth] if plan.truth else [])]
    # No line of a query may start with the parenthesis that ends a named query.
    draws = job.render("draws", sources=sources, first=first, last=last).replace("\n", "\n    ")

    def copied(table: Table, *, all_drawn: bool = False) -> Table:
        relation = job.render("resampled", draws=draws, given=table, all_drawn=all_drawn)
        relation = relation.replace("\n", "\n    ")
        return replace(table, relation=relation, columns={**table.columns, "user_id": DRAWN_USER})

    users = Table(f"{draws} as drawn", {"user_id": DRAWN_USER})
    if plan.users:
        users = copied(plan.users, all_drawn=True)
    by = _with_replicate(plan, "users")
    return plan.each(
        lambda part: replace(
            part,
            by=by,
            users=users,
            recs=[copied(table) for table in part.recs],
            truth=copied(part.truth) if part.truth else None,
        )
    )
