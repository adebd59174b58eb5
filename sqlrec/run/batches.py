"""Reports of jobs: of all users at once, or in batches of users, in less memory."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import Any

from ..dialects import text
from ..engines.duckdb import DuckDB
from ..errors import InputError
from ..options import BATCHES
from ..plan.build import ACCOUNTS
from ..plan.plan import Plan, Table
from ..results.rows import Rows
from ..statistics.formulas import pooled
from .job import Job, Key, key_of

Report = tuple[str, Rows]

# How many rows of lists tell where batches end.
SAMPLED = 200_000

# How many bytes of memory DuckDB needs to rank a row of lists, and how many more where a cutoff
# reaches it, as measured; and how many times as many where ids are not whole numbers.
RANKED, REACHED, OF_TEXT = 20, 130, 2.7
MOST_BATCHES = 1000

# What a report counts.
_COUNTS = ("users", *ACCOUNTS, "violations")


def read_batches(batches: Any, at_once: Mapping[str, Any]) -> int | None:
    """Read in how many batches users are evaluated; None is for as many as the memory takes.

    Args:
        batches: As in ``evaluate``.
        at_once: Options that need all per-user values at once, with what is asked of them.

    Raises:
        InputError: The number is not valid, or does not go with such an option.
    """
    read: int | None = BATCHES.read(batches)
    for option, value in at_once.items():
        if value and (read or 1) > 1:
            raise InputError(
                f"batches={read} and {option}={value!r}: it needs the values of all users at "
                "once; leave out one"
            )
    return 1 if any(at_once.values()) else read


def reports(jobs: Sequence[Job], batches: int | None) -> list[Report]:
    """Evaluate jobs that ask for the same metrics, by other segments each.

    Args:
        jobs: The jobs; the last goes by all segments.
        batches: In how many batches users are evaluated; None for as many as the memory takes.

    Returns:
        For each job its statement, and its rows with the counts, checked.

    Raises:
        InputError: Batches are asked of an engine that is not DuckDB.
        DataError: As ``Job.check``.
    """
    *_, last = jobs
    if batches is None:
        batches = _as_many_as_fit(last)
    elif batches > 1 and not isinstance(last.inputs.engine, DuckDB):
        raise InputError(
            f"batches={batches}: DuckDB alone evaluates users in batches, and "
            f"{last.inputs.engine.dialect} divides the work by itself; leave it out"
        )
    of_users = _of_users(last) if batches > 1 else set()
    found = _in_batches(jobs, of_users, batches) if of_users else _read(jobs)
    # What breaks a rule may be users, which not every job reads.
    last.refuse_broken(found[-1][1].records)
    return [(said, job.checked(rows)) for job, (said, rows) in zip(jobs, found, strict=True)]


def _of_users(job: Job) -> set[str]:
    """Return the metrics that batches can be asked for: means over users, by label."""
    # A batch may lack lists of a model, whose users without a list count all the same.
    if "model" in job.plan.list_keys and not (job.plan.recs and job.plan.recs[0].models):
        return set()
    plans = job.plan.parts or [job.plan]
    return {label for plan in plans for label in job.render("means_in_batches", plan).splitlines()}


def _at_once(job: Job, of_users: set[str]) -> set[str]:
    """Return the other metrics."""
    return {one.label for one in job.asked} - of_users


def _as_many_as_fit(job: Job) -> int:
    """Say in how many batches lists are ranked in memory: all at once they go to disk and back.

    Ranks that are given need little memory, and to read them again costs more; so does what has to
    be read again of text files, queries and the history, and a metric that ranks all at once.
    """
    engine, plan = job.inputs.engine, job.plan
    ranked = any(one.recs and one.order == "score" for one in plan.parts or [plan])
    if not isinstance(engine, DuckDB) or not ranked:
        return 1
    least, more = (
        size * (1 if plan.whole_ids else OF_TEXT) / engine.memory for size in (RANKED, REACHED)
    )
    with job.errors(), engine.naming(job.inputs.objects):
        rows = sum(engine.rereadable(table.relation) for table in plan.recs)
        if rows * (least + more) <= 1 or plan.history or _at_once(job, _of_users(job)):
            return 1
        ((users,),) = engine.rows(f"select approx_count_distinct(id) from {_ids(plan)}")
    lists = users * max(1, len(plan.recs[0].models))
    reached = min(1, plan.depth * lists / rows) if plan.depth else 1
    return min(math.ceil(rows * (least + more * reached)), MOST_BATCHES)


def _same(plan: Plan) -> Plan:
    return plan


def _read(jobs: Sequence[Job], change: Callable[[Plan], Plan] = _same) -> list[Report]:
    """Read the reports of jobs, in one statement where that is less work."""
    if _in_one_statement(jobs, change):
        return jobs[-1].read_groupings(jobs, change)
    return [job.read(change(job.plan)) for job in jobs]


def _in_one_statement(jobs: Sequence[Job], change: Callable[[Plan], Plan]) -> bool:
    """Say whether groupings go into one statement, as values of all users together do not."""
    *_, last = jobs
    of_users = all(kind.of_users for kind in change(last.plan).kinds)
    return len(jobs) > 1 and of_users and last.inputs.engine.dialect == "duckdb"


def _in_batches(jobs: Sequence[Job], of_users: set[str], count: int) -> list[Report]:
    """Read reports of the metrics that are means over users in batches, and of others at once."""
    *_, last = jobs
    engine = last.inputs.engine
    assert isinstance(engine, DuckDB)
    with last.errors(), engine.naming(last.inputs.objects):
        rows, batches = _batches(last, count)
    found: list[list[Rows]] = [[] for _ in jobs]
    try:
        begun = time.monotonic()
        for done, batch in enumerate(batches):
            now = time.monotonic()
            engine.told = _Share(done, len(batches), rows, now - begun, now)
            for place, (_, read) in enumerate(_read(jobs, batch.of(of_users))):
                last.refuse_broken(read.records)
                found[place].append(read)
    finally:
        engine.told = None
    if others := _at_once(last, of_users):
        for place, (_, read) in enumerate(_read(jobs, lambda plan: plan.of_metrics(others))):
            found[place].append(read)
    text = last.render_groupings(jobs, _same) if _in_one_statement(jobs, _same) else None
    return [
        (text or job.render("evaluation"), _together(job, parts))
        for job, parts in zip(jobs, found, strict=True)
    ]


@dataclass(frozen=True)
class _Share:
    """How much is done, for who waits.

    Attributes:
        done: How many batches are done, of how many.
        of: How many there are.
        rows: How many rows all have together.
        seconds: How long those took that are done.
        since: When the next began.
    """

    done: int
    of: int
    rows: int
    seconds: float
    since: float

    def __str__(self) -> str:
        said = f", {self.done} of {self.of} batches done"
        if not self.done:
            return said
        each = self.seconds / self.done
        left = max(0, each * (self.of - self.done) - (time.monotonic() - self.since))
        return f"{said}, {self.rows / self.of / each / 1e6:.1f} million rows/s, {left:.0f} s left"


@dataclass(frozen=True)
class _Batch:
    """The users from an id up to the next batch, as SQL; the first has those without id too."""

    low: str | None
    high: str | None

    def of(self, labels: set[str]) -> Callable[[Plan], Plan]:
        """Say how a plan becomes that of some metrics of these users."""
        return lambda plan: plan.of_metrics(labels).each(self._narrowed)

    def _narrowed(self, plan: Plan) -> Plan:
        return replace(
            plan,
            batched=True,
            recs=[self._rows(table, "recs") for table in plan.recs],
            truth=plan.truth and self._rows(plan.truth, "truth"),
            baseline=plan.baseline and self._rows(plan.baseline, "baseline"),
        )

    def _rows(self, table: Table, name: str) -> Table:
        user = table.user_id
        where = " and ".join(
            [f"{user} >= {self.low}"] * bool(self.low) + [f"{user} < {self.high}"] * bool(self.high)
        )
        if not self.low:
            where = f"{user} is null or {where or 'true'}"
        relation = f"(select * from {table.relation} where {where}) as {name}_rows"
        return replace(table, relation=relation)


def _batches(job: Job, count: int) -> tuple[int, list[_Batch]]:
    """Divide users by their ids, so that each batch has about as many rows of lists.

    A range of ids, not a hash: what files and tables know of their least and largest ids lets
    DuckDB pass over rows of other batches.

    Returns:
        How many rows of lists there are, and the batches, no more than there are users.
    """
    ids, engine = _ids(job.plan), job.inputs.engine
    kind = (engine.columns(ids) or {})["id"]
    shares = [place / count for place in range(1, count)]
    ((rows,),) = engine.rows(f"select count(*) from {ids}")
    ((ends,),) = engine.rows(
        f"select cast(quantile_disc(id, {shares}) as varchar[]) "
        f"from (select id from {ids} using sample {SAMPLED} rows)"
    )
    written: list[str] = []
    for end in dict.fromkeys(ends or ()):
        # A batch does not end at an id with a line break, which no statement writes.
        with suppress(InputError):
            written.append(f"cast({text(end, 'duckdb')} as {kind})")
    return rows, [_Batch(low, high) for low, high in pairwise([None, *written, None])]


def _ids(plan: Plan) -> str:
    """Write the users of lists, or else of the truth, a row for each of theirs."""
    tables = [*plan.recs] or [table for table in (plan.truth,) if table]
    ids = (f"select {table.user_id} as id from {table.relation}" for table in tables)
    return f"({' union all '.join(ids)}) as ids"


def _together(job: Job, parts: Sequence[Rows]) -> Rows:
    """Put the rows of batches together, each metric of each segment once."""
    found: dict[Key, list[Mapping[str, Any]]] = {}
    for row in chain.from_iterable(part.records for part in parts):
        found.setdefault(key_of(row, job.segments), []).append(row)
    added = [_added(rows) for rows in found.values()]
    return Rows(dict(parts[0].schema), _evaluated(added, job.segments))


def _evaluated(rows: list[dict[str, Any]], segments: Sequence[str]) -> list[dict[str, Any]]:
    """Leave out segments without users to average over; a model without any has one row still."""
    models: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        models.setdefault(key_of(row, ()), []).append(row)
    found = []
    for those in models.values():
        kept = [row for row in those if row["users_evaluated"]]
        null = [row for row in those if all(row[name] is None for name in segments)]
        none = {**those[0], **dict.fromkeys(segments), "unjudged_lists": 0, "repeated_rows": 0}
        found += kept or null or [none]
    return found


def _added(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Add up what batches found of a metric: counts, the mean, and its error."""
    # What is not counted is null in each.
    added = {**rows[0]} | {
        name: sum(row[name] for row in rows) for name in _COUNTS if rows[0][name] is not None
    }
    known = [row for row in rows if row["value"] is not None]
    if not known or len(rows) == 1:
        return added
    if not all(math.isfinite(row["value"]) for row in known):
        return added | {"value": math.nan}
    added["value"], deviation = pooled(known)
    if "standard_error" in added:
        added["standard_error"] = None if deviation is None else deviation / added["users"] ** 0.5
    return added
