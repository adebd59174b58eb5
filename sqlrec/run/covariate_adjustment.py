"""Means adjusted to all users, by columns of the users table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..errors import DataError, InputError
from ..inputs.source import is_number
from ..options import check_together
from ..plan.plan import Segment
from ..records import Record
from ..statistics.formulas import interval_from_error, is_rounding_error
from .job import Job, Key, value_key

ADJUSTED = ("t", "normal")

# Columns of an adjusted result, which replace the columns of the interval.
COLUMNS = (
    *("value", "degrees_of_freedom", "standard_error", "low", "high"),
    *("unadjusted_value", "gain"),
)

_MEAN_COLUMNS = ("users", "degrees_of_freedom", "value", "variance")
_ERRORS = {"standard_error": "variance", "baseline_error": "baseline_variance"}
_BASELINE_COLUMNS = ("baseline_value", "baseline_variance", "covariance")
# Columns of an adjusted difference that replace columns of the plain difference.
_MEAN = ("standard_error", "degrees_of_freedom", "baseline_value", "baseline_error", "covariance")

_CHECK_COLUMNS = ("strangers", "users_unknown")


def read_adjust(
    adjust: str | Iterable[str], others: Mapping[str, tuple[Any, Sequence[Any]]]
) -> list[str]:
    """Parse the columns that means are adjusted by. Names in a string are separated by spaces."""
    columns: Any = adjust.split() if isinstance(adjust, str) else adjust
    names = [*columns] if isinstance(columns, Iterable) else [None]
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"adjust={adjust!r}: name columns of users, as in 'country activity'")
    if names:
        check_together("adjust", adjust, others)
    return names


def adjusted_means(
    job: Job, names: Sequence[str], *, baseline: str | None = None
) -> dict[Key, Record]:
    """Return adjusted means of users' values, or of differences from a baseline, with errors."""
    for segment in job.plan.by:
        if segment.table != "users":
            option = "adjust" if segment.caller_name in names else "by"
            raise InputError(
                f"{option}={segment.caller_name!r} is a column of truth: means are adjusted by "
                "columns of users; give it in users"
            )
    if not job.has_user_values:
        return {}
    columns = [segment for segment in job.plan.by if segment.caller_name in names]
    numbers = _number_columns(job, columns)
    segments = [segment.name for segment in job.plan.by if segment not in columns]
    segments = [*(["baseline"] if job.plan.pairs else []), *segments]
    baseline_columns = _BASELINE_COLUMNS if baseline or job.plan.pairs else ()
    values = (*_MEAN_COLUMNS, *baseline_columns, *_CHECK_COLUMNS)
    text = job.render(
        "adjusted",
        job.plan.numbered(),
        numbers=[*numbers],
        categories=[column.name for column in columns if column.name not in numbers],
        baseline_model=baseline,
        cluster=None,
    )
    rows = job.records(text, ("model", *segments, "metric", "k", *values, "violations"))
    for row in rows:
        _check_adjustment(row, job, names, numbers.values())
        for name, variance in _ERRORS.items():
            # Without degrees of freedom, the error is unknown.
            squared = row.get(variance) if row["degrees_of_freedom"] >= 1 else None
            row[name] = None if squared is None else math.sqrt(max(squared, 0.0))
    return {value_key(row, segments): row for row in rows}


def _number_columns(job: Job, columns: Sequence[Segment]) -> dict[str, str]:
    """Return the caller's names of the numeric columns of users, by their names in the plan."""
    assert job.plan.users
    expressions = ", ".join(f"{column.column} as {column.name}" for column in columns)
    engine = job.inputs.engine
    users = job.plan.users.relation
    with engine.naming(job.inputs.objects):
        kinds = engine.columns(f"(select {expressions} from {users}) as known_users")
    types = {name.lower(): kind for name, kind in (kinds or {}).items()}
    return {
        column.name: column.caller_name
        for column in columns
        if is_number(types.get(column.name, "")) and types[column.name] != "BOOLEAN"
    }


def _check_adjustment(row: Record, job: Job, names: Sequence[str], numbers: Iterable[str]) -> None:
    """Check that the table contains all evaluated users, and that their numbers are not missing."""
    if row["violations"]:
        raise job.violation(job.part(row))
    if row["strangers"]:
        raise DataError(
            f"adjust={' '.join(names)!r}: {row['strangers']} evaluated users have no row in users: "
            "add them"
        )
    if row["users_unknown"]:
        raise DataError(
            f"users: {' or '.join(numbers)} is null, NaN or beyond 1e100 for "
            f"{row['users_unknown']} users: give each a number, or remove those users"
        )


def adjusted_intervals(
    rows: Sequence[Record],
    job: Job,
    adjusted_job: Job,
    names: Sequence[str],
    method: str,
    level: float,
) -> list[tuple[float | None, ...]]:
    """Return the columns of adjusted means; rows of other metrics keep value and interval."""
    means = adjusted_means(adjusted_job, names)
    columns: list[tuple[float | None, ...]] = []
    for row in rows:
        value, users = row["value"], row["users"] or 0
        mean = means.get(value_key(row, job.segments)) if row["metric"] in job.means else None
        if mean is None or value is None:
            limits = interval_from_error(method, level, value, users, row["standard_error"])
            columns.append((value, None, row["standard_error"], *limits, None, None))
        else:
            error, freedom = mean["standard_error"], mean["degrees_of_freedom"]
            limits = interval_from_error(
                method, level, mean["value"], users, error, max(freedom, 1)
            )
            columns.append(
                (mean["value"], freedom, error, *limits, value, _variance_reduction(mean, row))
            )
    return columns


def adjust_difference(row: Record, mean: Record | None) -> None:
    """Replace a plain difference by an adjusted difference."""
    row |= {"unadjusted_difference": None, "gain": None}
    if mean is None or row["difference"] is None or mean["baseline_value"] is None:
        return
    size = abs(row["value"]) + abs(row["baseline_value"])
    row |= {"unadjusted_difference": row["difference"], "gain": _variance_reduction(mean, row)}
    row |= {name: mean[name] for name in _MEAN if name in mean}
    row |= {"difference": mean["value"], "value": mean["value"] + mean["baseline_value"]}
    if (error := row["standard_error"]) is not None and is_rounding_error(
        error, row["users"], size
    ):
        row["standard_error"] = 0.0


def _variance_reduction(mean: Record, row: Record) -> float | None:
    error, plain = mean["standard_error"], row["standard_error"]
    return 1 - (error / plain) ** 2 if plain and error is not None else None
