"""Draw users again for what is not a mean over users, such as coverage, and evaluate it anew."""

from __future__ import annotations

from dataclasses import replace

from ..plan.plan import Plan, Segment, Table
from .job import Job, Key, key_of

# Draws of one hash.
REPLICATES_A_BLOCK = 4

# Replicates of one statement are this many blocks: of weights, and of copies, which are
# as many rows more.
_OF_WEIGHTS, _OF_COPIES = 20, 10
REPLICATE = "sqlrec_replicate"

# Kinds of rows that are sums over users' places, by item; and metrics of sums over rated items.
_OF_ITEMS = {"exposed", "grouped"}
_OF_RATED = {"pooled__r2", "pooled__cohen_kappa", "pooled__krippendorff_alpha"}

# The column of users drawn again: a name for each time that one is drawn.
DRAWN_USER = "sqlrec_user"

# Inputs of metrics that can be drawn again: the others name users that are not drawn.
_DRAWN = {"recs", "truth", "catalog", "items", "users"}


def labels(job: Job) -> set[str]:
    """Return the metrics that are no mean over users, but of what users' lists are together."""
    of_users = {metric.label: kind.of_users for metric, kind in job.plan.metrics()}
    return {
        one.label
        for one in job.asked
        if one.label not in job.means | job.of_sums
        and {need.table for need in one.metric.needs}
        <= _DRAWN | (set() if of_users[one.label] else {"history"})
    }


def resampled(job: Job, wanted: set[str], replicates: int) -> dict[Key, dict[int, float]]:
    """Evaluate the wanted metrics for users drawn again; return their values by replicate."""
    segments, blocks = job.segments, -(-replicates // REPLICATES_A_BLOCK)
    columns = ("model", *segments, REPLICATE, "metric", "k", "value", "users")
    of_sums = {
        one.label
        for one, kind in job.plan.metrics()
        if kind.name in _OF_ITEMS or one.macro in _OF_RATED
    } & wanted
    found: dict[Key, dict[int, float]] = {}
    for metrics, again, size in (
        (of_sums, _weighed, _OF_WEIGHTS),
        (wanted - of_sums, _copied, _OF_COPIES),
    ):
        plan = job.plan.of_metrics(metrics).each(lambda part: replace(part, audit=False))
        for first in range(1, blocks + 1, size) if metrics else ():
            last = min(first + size - 1, blocks)
            text = job.render("drawn_values", again(job, plan, first, last))
            for row in job.records(text, columns):
                if row["value"] is not None and row[REPLICATE] is not None:
                    found.setdefault(key_of(row, segments), {})[row[REPLICATE]] = row["value"]
    return found


def _weighed(job: Job, plan: Plan, first: int, last: int) -> Plan:
    """Multiply what users add to sums by how often they are drawn."""
    del job
    return plan.each(
        lambda part: replace(part, by=_with_replicate(plan, "draws"), drawn=[first, last])
    )


def _with_replicate(plan: Plan, table: str) -> list[Segment]:
    name = f"segment_{len(plan.by) + 1}"
    return [*plan.by, Segment(REPLICATE, name, REPLICATE, REPLICATE, table)]


def _copied(job: Job, plan: Plan, first: int, last: int) -> Plan:
    """Put copies of users drawn again in place of those of a plan."""
    sources = [*plan.recs, *([plan.truth] if plan.truth else [])]
    # No line of a query may begin with the bracket that ends a named one.
    draws = job.render("draws", sources=sources, first=first, last=last).replace("\n", "\n    ")

    def drawn(table: Table, *, all_drawn: bool = False) -> Table:
        relation = job.render("resampled", draws=draws, given=table, all_drawn=all_drawn)
        relation = relation.replace("\n", "\n    ")
        return replace(table, relation=relation, columns={**table.columns, "user_id": DRAWN_USER})

    users = Table(f"{draws} as drawn", {"user_id": DRAWN_USER})
    if plan.users:
        users = drawn(plan.users, all_drawn=True)
    by = _with_replicate(plan, "users")
    return plan.each(
        lambda part: replace(
            part,
            by=by,
            users=users,
            recs=[drawn(table) for table in part.recs],
            truth=drawn(part.truth) if part.truth else None,
        )
    )
