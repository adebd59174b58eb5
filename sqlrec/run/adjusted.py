"""Means adjusted to the mix of all users, by what is known of each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import DataError, InputError
from ..inputs.read import is_number
from ..plan.plan import Segment
from ..statistics.formulas import by_error, is_rounding
from .job import Job, Key, key_of

# Intervals of adjusted means.
ADJUSTED = ("t", "normal")

# What a result has beside other columns of an interval.
COLUMNS = (
    *("value", "degrees_of_freedom", "standard_error", "low", "high"),
    *("unadjusted_value", "gain"),
)

_FOUND = ("users", "degrees_of_freedom", "value", "variance")
_OF_BASELINE = ("baseline_value", "baseline_variance", "covariance")
_KNOWN = ("strangers", "users_unknown")


@dataclass(frozen=True)
class Adjusted:
    """An adjusted mean, how certain it is, and of a difference the same of the baseline."""

    value: float
    error: float | None
    freedom: float
    baseline_value: float | None = None
    baseline_error: float | None = None
    covariance: float | None = None

    def gain(self, plain: float | None) -> float | None:
        """Return the share of the variance that is gone, by the error without adjustment."""
        return 1 - (self.error / plain) ** 2 if plain and self.error is not None else None


def read_adjust(
    adjust: str | Iterable[str], others: Mapping[str, tuple[Any, Sequence[Any]]]
) -> list[str]:
    """Read the columns that means are adjusted by: text names several with spaces between.

    Args:
        adjust: As it is asked.
        others: Options that go with few of their values: each with what it is, and what it may be.

    Raises:
        InputError: They are not names; another option does not go with them.
    """
    found: Any = adjust.split() if isinstance(adjust, str) else adjust
    names = [*found] if isinstance(found, Iterable) else [None]
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"adjust={adjust!r}: name columns of users, as in 'country activity'")
    for name, (value, known) in others.items():
        if names and value not in known:
            may = " or ".join(f"{name}={one!r}" for one in known if one is not None)
            fix = f"give {may}" if may else "leave out one"
            raise InputError(f"adjust={adjust!r} and {name}={value!r}: {fix}")
    return names


def adjusted(job: Job, names: Sequence[str], *, baseline: str | None = None) -> dict[Key, Adjusted]:
    """Return adjusted means of users' values, or of their differences to a baseline.

    Args:
        job: What is evaluated, by these columns too.
        names: The columns that means are adjusted by.
        baseline: A text constant.

    Raises:
        InputError: Columns that are not those of users.
        DataError: Users whose columns are not known; rows that break a rule.
    """
    for segment in job.plan.by:
        if segment.table != "users":
            option = "adjust" if segment.asked in names else "by"
            raise InputError(
                f"{option}={segment.asked!r} is a column of truth: means are adjusted to the mix "
                "of all users; give it in users"
            )
    if not job.of_users:
        return {}
    ours = [one for one in job.plan.by if one.asked in names]
    numbers = _numbers(job, ours)
    segments = [one.name for one in job.plan.by if one not in ours]
    segments = [*(["baseline"] if job.plan.pairs else []), *segments]
    found = (*_FOUND, *(_OF_BASELINE if baseline or job.plan.pairs else ()), *_KNOWN)
    text = job.render(
        "adjusted",
        job.plan.numbered(),
        numbers=[*numbers],
        categories=[one.name for one in ours if one.name not in numbers],
        baseline_model=baseline,
        cluster=None,
    )
    rows = job.records(text, ("model", *segments, "metric", "k", *found, "violations"))
    for row in rows:
        _check(row, job, names, numbers.values())
    return {key_of(row, segments): _of(row) for row in rows}


def _numbers(job: Job, columns: Sequence[Segment]) -> dict[str, str]:
    """Return those of some columns of users that hold numbers, by name as they were asked."""
    assert job.plan.users
    written = ", ".join(f"{one.column} as {one.name}" for one in columns)
    engine = job.inputs.engine
    with engine.naming(job.inputs.objects):
        kinds = engine.columns(f"(select {written} from {job.plan.users.relation}) as known_users")
    found = {name.lower(): kind for name, kind in (kinds or {}).items()}
    return {
        one.name: one.asked
        for one in columns
        if is_number(found.get(one.name, "")) and found[one.name] != "BOOLEAN"
    }


def _check(row: Mapping[str, Any], job: Job, names: Sequence[str], numbers: Iterable[str]) -> None:
    if row["violations"]:
        raise DataError(job.violation(job.part(row)))
    if row["strangers"]:
        raise DataError(
            f"adjust={' '.join(names)!r}: {row['strangers']} evaluated users have no row in users: "
            "add them"
        )
    if row["users_unknown"]:
        raise DataError(
            f"users: {' or '.join(numbers)} is null, NaN or beyond 1e100 for "
            f"{row['users_unknown']} users: give each a number, or leave those users out"
        )


def _of(row: Mapping[str, Any]) -> Adjusted:
    freedom = row["degrees_of_freedom"]

    def error(variance: float | None) -> float | None:
        return None if variance is None or freedom < 1 else math.sqrt(max(variance, 0.0))

    return Adjusted(
        row["value"],
        error(row["variance"]),
        freedom,
        row.get("baseline_value"),
        error(row.get("baseline_variance")),
        row.get("covariance"),
    )


def adjusted_intervals(
    rows: Sequence[Mapping[str, Any]],
    job: Job,
    units: Job,
    names: Sequence[str],
    method: str,
    level: float,
) -> list[tuple[float | None, ...]]:
    """Return the columns of adjusted means of each row of a result; others are as they are.

    Args:
        rows: The result, with its ``standard_error``.
        job: What was evaluated.
        units: The same, by the columns that means are adjusted by too.
        names: These columns.
        method, level: Of intervals.
    """
    means = adjusted(units, names)
    found: list[tuple[float | None, ...]] = []
    for row in rows:
        value, plain, users = row["value"], row["standard_error"], row["users"]
        one = means.get(key_of(row, job.segments)) if row["metric"] in job.means else None
        if one is None or value is None:
            limits = by_error(method, level, value, users or 0, plain)
            found.append((value, None, plain, *limits, None, None))
            continue
        limits = by_error(method, level, one.value, users, one.error, max(one.freedom, 1))
        found.append((one.value, one.freedom, one.error, *limits, value, one.gain(plain)))
    return found


def adjust_difference(row: dict[str, Any], one: Adjusted | None) -> None:
    """Put an adjusted difference in place of a plain one."""
    row |= {"unadjusted_difference": None, "gain": None}
    if one is None or row["difference"] is None or one.baseline_value is None:
        return
    size = abs(row["value"]) + abs(row["baseline_value"])
    error = one.error
    if error is not None and is_rounding(error, row["users"], size):
        error = 0.0
    row |= {"unadjusted_difference": row["difference"], "gain": one.gain(row["standard_error"])}
    row |= {"difference": one.value, "baseline_value": one.baseline_value}
    row |= {"value": one.value + one.baseline_value, "standard_error": error}
    row |= {"baseline_error": one.baseline_error, "covariance": one.covariance}
    row["degrees_of_freedom"] = one.freedom
