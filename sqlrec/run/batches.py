"""Reports of jobs for all users together, or in batches of users to save memory."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from itertools import chain, pairwise
from typing import Any

from ..dialects import text
from ..engines.duckdb import DuckDB
from ..errors import InputError
from ..options import BATCHES
from ..plan.build import ACCOUNTS
from ..plan.plan import Plan, Table
from ..records import Record, group_by
from ..results.rows import Rows
from ..results.table import Text
from ..statistics.formulas import pool_rows
from .input_problems import check_rows
from .job import Job, value_key

Report = tuple[Text, Rows]

# Number of rows of lists to sample, to choose the user ids between batches.
SAMPLED = 200_000

# Measured bytes of memory that DuckDB needs to rank a row of lists, additional bytes if the row is
# within a cutoff, and the factor for ids that are not integers.
BYTES_PER_ROW, BYTES_WITHIN_CUTOFF, TEXT_ID_FACTOR = 20, 130, 2.7
MAX_BATCHES = 1000

# Columns with counts in a report.
_COUNTS = ("users", *ACCOUNTS, "violations")


def parse_batches(batches: Any, at_once: Mapping[str, object]) -> int | None:
    """Parse the number of batches; None means the number that the available memory needs."""
    count: int | None = BATCHES.read(batches)
    for option, value in at_once.items():
        if value and (count or 1) > 1:
            raise InputError(
                f"{option}={value!r} needs the values of all users at once, which batches={count} "
                "splits: remove one option"
            )
    return 1 if any(at_once.values()) else count


def evaluate_jobs(jobs: Sequence[Job], batches: int | None) -> list[Report]:
    """Evaluate jobs with the same metrics and different segments."""
    *_, last = jobs
    if batches is None:
        batches = batch_count(last)
    elif batches > 1 and not isinstance(last.inputs.engine, DuckDB):
        raise InputError(
            f"batches={batches}: only DuckDB evaluates users in batches; for "
            f"{last.inputs.engine.dialect}, remove the option"
        )
    batched_metrics = _batched_metrics(last) if batches > 1 else set()
    read = _read_batches(jobs, batched_metrics, batches) if batched_metrics else _read_reports(jobs)
    # Jobs may not read the users table, so its violations are checked here.
    last.raise_first_violation(read[-1][1].records)
    return [(text, check_rows(job, rows)) for job, (text, rows) in zip(jobs, read, strict=True)]


def _batched_metrics(job: Job) -> set[str]:
    """Return the labels of metrics that batches can compute: means over users."""
    # If a batch lacks a model, its users without a list still count for this model.
    if "model" in job.plan.list_keys and not (job.plan.recs and job.plan.recs[0].models):
        return set()
    plans = job.plan.parts or [job.plan]
    return {label for plan in plans for label in job.render("means_in_batches", plan).splitlines()}


def _other_metrics(job: Job, batched_metrics: set[str]) -> set[str]:
    return {request.label for request in job.requests} - batched_metrics


def batch_count(job: Job) -> int:
    """Return the number of batches with lists that can be ranked in memory, not on disk.

    The number is 1 if batches cost more: for lists with ranks, which need little memory; for text
    files, queries and the history, which are read again for each batch; and for metrics that rank
    all users together.
    """
    engine, plan = job.inputs.engine, job.plan
    is_ranked = any(part.recs and part.order == "score" for part in plan.parts or [plan])
    if not isinstance(engine, DuckDB) or not is_ranked:
        return 1
    factor = (1 if plan.whole_ids else TEXT_ID_FACTOR) / engine.memory
    row_share, cutoff_share = BYTES_PER_ROW * factor, BYTES_WITHIN_CUTOFF * factor
    with job.errors(), engine.naming(job.inputs.objects):
        rows = sum(engine.estimate_fast_rows(table.relation) for table in plan.recs)
        at_once = plan.history or _other_metrics(job, _batched_metrics(job))
        if rows * (row_share + cutoff_share) <= 1 or at_once:
            return 1
        ((users,),) = engine.rows(f"select approx_count_distinct(id) from {_ids_relation(plan)}")
    lists = users * max(1, len(plan.recs[0].models))
    within_cutoff = min(1, plan.depth * lists / rows) if plan.depth else 1
    return min(math.ceil(rows * (row_share + cutoff_share * within_cutoff)), MAX_BATCHES)


def _read_reports(jobs: Sequence[Job]) -> list[Report]:
    """Read the reports of jobs, in one statement if that is faster."""
    if _can_share_statement(jobs):
        return jobs[-1].read_groupings(jobs)
    return [job.read() for job in jobs]


def _can_share_statement(jobs: Sequence[Job]) -> bool:
    """Return whether one statement can read all groupings, from per-user values in DuckDB."""
    *_, last = jobs
    has_user_values = all(kind.per_user for kind in last.plan.kinds)
    return len(jobs) > 1 and has_user_values and last.inputs.engine.dialect == "duckdb"


def _read_batches(jobs: Sequence[Job], batched_metrics: set[str], count: int) -> list[Report]:
    """Read reports, with means over users in batches, and other metrics for all users together."""
    *_, last = jobs
    engine = last.inputs.engine
    assert isinstance(engine, DuckDB)
    with last.errors(), engine.naming(last.inputs.objects):
        batches = _divide_users(last, count)
    parts: list[list[Rows]] = [[] for _ in jobs]
    try:
        selected = [job.changed(lambda plan: plan.select_metrics(batched_metrics)) for job in jobs]
        started_at = time.monotonic()
        for done, (low, high) in enumerate(batches):
            engine.progress_suffix = _format_progress(done, len(batches), started_at)
            limit = partial(_limit_plan, low=low, high=high)
            batch_jobs = [replace(job, plan=job.plan.each(limit)) for job in selected]
            for number, (_, part) in enumerate(_read_reports(batch_jobs)):
                last.raise_first_violation(part.records)
                parts[number].append(part)
    finally:
        engine.progress_suffix = None
    if others := _other_metrics(last, batched_metrics):
        rest = [job.changed(lambda plan: plan.select_metrics(others)) for job in jobs]
        for number, (_, part) in enumerate(_read_reports(rest)):
            parts[number].append(part)
    is_shared = _can_share_statement(jobs)
    text = cache(partial(last.render_groupings, jobs)) if is_shared else None
    return [
        (text or partial(job.render, "evaluation"), _merge_batches(job, job_parts))
        for job, job_parts in zip(jobs, parts, strict=True)
    ]


def _format_progress(done: int, total: int, started_at: float) -> str:
    """Format the end of a progress line, from the number of completed batches."""
    progress = f", {done} of {total} batches done"
    if not done:
        return progress
    seconds = (time.monotonic() - started_at) / done * (total - done)
    return f"{progress}, about {seconds:.0f} s left"


def _limit_plan(plan: Plan, low: str | None, high: str | None) -> Plan:
    """Return a plan for the users from ``low`` to below ``high``; the first batch has null ids."""

    def limit_rows(table: Table, name: str) -> Table:
        user = table.user_id
        where = " and ".join([f"{user} >= {low}"] * bool(low) + [f"{user} < {high}"] * bool(high))
        if not low:
            where = f"{user} is null or {where or 'true'}"
        return replace(
            table, relation=f"(select * from {table.relation} where {where}) as {name}_rows"
        )

    return replace(
        plan,
        batched=True,
        recs=[limit_rows(table, "recs") for table in plan.recs],
        truth=plan.truth and limit_rows(plan.truth, "truth"),
        baseline=plan.baseline and limit_rows(plan.baseline, "baseline"),
    )


def _divide_users(job: Job, count: int) -> list[tuple[str | None, str | None]]:
    """Divide users by id into batches with about the same number of rows of lists.

    Batches are ranges of ids, not of hashes, because DuckDB can skip parts of files and tables by
    their minimum and maximum ids. The number of batches is at most the number of users.
    """
    ids, engine = _ids_relation(job.plan), job.inputs.engine
    kind = (engine.columns(ids) or {})["id"]
    shares = [number / count for number in range(1, count)]
    ((ends,),) = engine.rows(
        f"select cast(quantile_disc(id, {shares}) as varchar[]) "
        f"from (select id from {ids} using sample {SAMPLED} rows)"
    )
    limits: list[str] = []
    for end in dict.fromkeys(ends or ()):
        # String constants have no line breaks, so a batch does not end at an id with a line break.
        with suppress(InputError):
            limits.append(f"cast({text(end, 'duckdb')} as {kind})")
    return [*pairwise([None, *limits, None])]


def _ids_relation(plan: Plan) -> str:
    """Return a relation with the user of each row of the lists, or else of the truth."""
    tables = [*plan.recs] or [table for table in (plan.truth,) if table]
    ids = (f"select {table.user_id} as id from {table.relation}" for table in tables)
    return f"({' union all '.join(ids)}) as ids"


def _merge_batches(job: Job, parts: Sequence[Rows]) -> Rows:
    """Merge the rows of batches into one row per metric and segment."""
    batch_rows = chain.from_iterable(part.records for part in parts)
    groups = group_by(batch_rows, lambda row: value_key(row, job.segments))
    rows = [_pool_rows(group) for group in groups.values()]
    return Rows(dict(parts[0].schema), _drop_empty_segments(rows, job.segments))


def _drop_empty_segments(rows: list[Record], segments: Sequence[str]) -> list[Record]:
    """Drop segments without users to average over, but keep one row of each model."""
    remaining = []
    for group in group_by(rows, lambda row: value_key(row, ())).values():
        evaluated = [row for row in group if row["users_evaluated"]]
        null = [row for row in group if all(row[name] is None for name in segments)]
        empty = {**group[0], **dict.fromkeys(segments), "unjudged_lists": 0, "repeated_rows": 0}
        remaining += evaluated or null or [empty]
    return remaining


def _pool_rows(rows: Sequence[Record]) -> Record:
    """Add up the counts of batches, and pool their means and errors."""
    # Counts that are not requested are null in all batches.
    total = {**rows[0]} | {
        name: sum(row[name] for row in rows) for name in _COUNTS if rows[0][name] is not None
    }
    defined = [row for row in rows if row["value"] is not None]
    if not defined or len(rows) == 1:
        return total
    if not all(math.isfinite(row["value"]) for row in defined):
        return total | {"value": math.nan}
    total["value"], deviation = pool_rows(defined)
    if "standard_error" in total:
        total["standard_error"] = None if deviation is None else deviation / total["users"] ** 0.5
    return total
