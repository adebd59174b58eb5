"""Means adjusted to all users in columns of users."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import DataError, InputError
from ..inputs.read import is_number
from ..options import check_together
from ..plan.plan import Segment
from ..records import Record
from ..statistics.formulas import interval_from_error, is_rounding
from .job import Job, Key, key_of

# Intervals of adjusted means.
ADJUSTED = ("t", "normal")

# Columns of an adjusted result, which replace the columns of the interval.
COLUMNS = (
    *("value", "degrees_of_freedom", "standard_error", "low", "high"),
    *("unadjusted_value", "gain"),
)

_MEAN_COLUMNS = ("users", "degrees_of_freedom", "value", "variance")
_BASELINE_COLUMNS = ("baseline_value", "baseline_variance", "covariance")
_CHECK_COLUMNS = ("strangers", "users_unknown")


@dataclass(frozen=True)
class AdjustedMean:
    """An adjusted mean with its error; for a difference, also of the baseline."""

    value: float
    error: float | None
    freedom: float
    baseline_value: float | None = None
    baseline_error: float | None = None
    covariance: float | None = None

    def gain(self, plain: float | None) -> float | None:
        """Return the share of the variance that the adjustment removes."""
        return 1 - (self.error / plain) ** 2 if plain and self.error is not None else None


def read_adjust(
    adjust: str | Iterable[str], others: Mapping[str, tuple[Any, Sequence[Any]]]
) -> list[str]:
    """Parse the columns that means are adjusted by; a string contains names with spaces between."""
    columns: Any = adjust.split() if isinstance(adjust, str) else adjust
    names = [*columns] if isinstance(columns, Iterable) else [None]
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"adjust={adjust!r}: name columns of users, as in 'country activity'")
    if names:
        check_together("adjust", adjust, others)
    return names


def adjusted_means(
    job: Job, names: Sequence[str], *, baseline: str | None = None
) -> dict[Key, AdjustedMean]:
    """Return adjusted means of users' values, or of their differences from a baseline."""
    for segment in job.plan.by:
        if segment.table != "users":
            option = "adjust" if segment.asked in names else "by"
            raise InputError(
                f"{option}={segment.asked!r} is a column of truth: means are adjusted to the mix "
                "of all users; give it in users"
            )
    if not job.has_user_values:
        return {}
    columns = [segment for segment in job.plan.by if segment.asked in names]
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
        _check(row, job, names, numbers.values())
    return {key_of(row, segments): _read_mean(row) for row in rows}


def _number_columns(job: Job, columns: Sequence[Segment]) -> dict[str, str]:
    """Return the numeric columns of users: the caller's name of each, by name in the plan."""
    assert job.plan.users
    expressions = ", ".join(f"{column.column} as {column.name}" for column in columns)
    engine = job.inputs.engine
    users = job.plan.users.relation
    with engine.naming(job.inputs.objects):
        kinds = engine.columns(f"(select {expressions} from {users}) as known_users")
    types = {name.lower(): kind for name, kind in (kinds or {}).items()}
    return {
        column.name: column.asked
        for column in columns
        if is_number(types.get(column.name, "")) and types[column.name] != "BOOLEAN"
    }


def _check(row: Record, job: Job, names: Sequence[str], numbers: Iterable[str]) -> None:
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


def _read_mean(row: Record) -> AdjustedMean:
    freedom = row["degrees_of_freedom"]

    def error(variance: float | None) -> float | None:
        return None if variance is None or freedom < 1 else math.sqrt(max(variance, 0.0))

    return AdjustedMean(
        row["value"],
        error(row["variance"]),
        freedom,
        row.get("baseline_value"),
        error(row.get("baseline_variance")),
        row.get("covariance"),
    )


def adjusted_intervals(
    rows: Sequence[Record],
    job: Job,
    adjusted_job: Job,
    names: Sequence[str],
    method: str,
    level: float,
) -> list[tuple[float | None, ...]]:
    """Return the columns of adjusted means for each row of a result.

    Rows of metrics that are not means keep their value and interval.
    """
    means = adjusted_means(adjusted_job, names)
    columns: list[tuple[float | None, ...]] = []
    for row in rows:
        value, plain, users = row["value"], row["standard_error"], row["users"]
        mean = means.get(key_of(row, job.segments)) if row["metric"] in job.means else None
        if mean is None or value is None:
            limits = interval_from_error(method, level, value, users or 0, plain)
            columns.append((value, None, plain, *limits, None, None))
            continue
        limits = interval_from_error(
            method, level, mean.value, users, mean.error, max(mean.freedom, 1)
        )
        columns.append((mean.value, mean.freedom, mean.error, *limits, value, mean.gain(plain)))
    return columns


def adjust_difference(row: Record, mean: AdjustedMean | None) -> None:
    """Replace a plain difference by an adjusted difference."""
    row |= {"unadjusted_difference": None, "gain": None}
    if mean is None or row["difference"] is None or mean.baseline_value is None:
        return
    size = abs(row["value"]) + abs(row["baseline_value"])
    error = mean.error
    if error is not None and is_rounding(error, row["users"], size):
        error = 0.0
    row |= {"unadjusted_difference": row["difference"], "gain": mean.gain(row["standard_error"])}
    row |= {"difference": mean.value, "baseline_value": mean.baseline_value}
    row |= {"value": mean.value + mean.baseline_value, "standard_error": error}
    row |= {"baseline_error": mean.baseline_error, "covariance": mean.covariance}
    row["degrees_of_freedom"] = mean.freedom
