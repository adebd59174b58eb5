"""Results over different users, brought together without their rows."""

from __future__ import annotations

import json
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, Any

from ..catalogue.requests import format_metric
from ..errors import InputError
from ..statistics.formulas import DRAWN, by_error, pooled
from .table import MADE

if TYPE_CHECKING:
    import pyarrow as pa

# What can be brought together without users' values.
_MERGED = (
    *("value", "users", "standard_error", "low", "high", "interval", "standard_deviation"),
    *("min", "max", "zero_share"),
)


def merged(
    table: pa.Table,
    past: pa.Table,
    *,
    made: str,
    interval: str | None,
    level: float,
    means: Container[str],
) -> pa.Table:
    """Bring two results over different users together, as ``Result.merge`` tells."""
    import pyarrow as pa

    # A metric may have been written otherwise, or before results told how.
    if {*past.column_names, "asked"} != {*table.column_names}:
        raise InputError(
            f"merge: the past has {', '.join(past.column_names)}, and this result "
            f"{', '.join(table.column_names)}: only results of the same request can be merged"
        )
    _check_made(made, (past.schema.metadata or {}).get(MADE.encode()))
    keys = [name for name in table.column_names if name not in ("asked", *_MERGED)]
    for name in keys[keys.index("k") + 1 :]:
        raise InputError(
            f"merge: {name} of all users does not follow from those of parts; leave it out"
        )
    before = _alike(past, table.schema).to_pylist()
    if interval is not None:
        _check_intervals(before, interval, level)
    found: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    written: dict[tuple[str, int | None], str | None] = {}
    for row in [*table.to_pylist(), *before]:
        written.setdefault((row["metric"], row["k"]), row.get("asked"))
        if row["metric"] not in means:
            raise InputError(
                f"merge: {row['metric']} is not a mean of per-user values, or not asked here: "
                "merge results of the same means"
            )
        found.setdefault(tuple(repr(row[key]) for key in keys), []).append(row)
    rows = [_merged(rows, interval, level) for rows in found.values()]
    for row in rows:
        row["asked"] = written[row["metric"], row["k"]]
    return pa.Table.from_pylist(rows, table.schema)


def _check_made(ours: str, theirs: bytes | None) -> None:
    """Refuse results that were made in ways that do not go together.

    Raises:
        InputError: Errors by clusters or draws; another interval, level or rule.
    """
    made = json.loads(ours)
    # What was stored elsewhere may have lost it.
    past = json.loads(theirs) if theirs else made
    for one in (made, past):
        if one["cluster"] is not None:
            raise InputError(
                f"merge: cluster={one['cluster']!r}: groups of the two can't be told apart; "
                "evaluate all users at once"
            )
        if weights := one.get("weights"):
            raise InputError(
                f"merge: weights={weights!r}: the result does not keep what users weigh together; "
                "evaluate all users at once"
            )
        if one["interval"] in DRAWN:
            raise InputError(
                f"merge: interval={one['interval']!r} draws users again; give interval='t'"
            )
    for name in ("interval", "level"):
        if past[name] != made[name]:
            raise InputError(
                f"merge: the past has {name}={past[name]!r}, and this result {made[name]!r}: "
                "only results of the same request can be merged"
            )
    for metric in made["rules"].keys() & past["rules"].keys():
        now, then = made["rules"][metric], past["rules"][metric]
        for name in now.keys() | then.keys():
            if now.get(name) != then.get(name):
                raise InputError(
                    f"merge: {metric} of the past has {name}={then.get(name)!r}, and of this "
                    f"result {now.get(name)!r}: only results by the same rules can be merged"
                )


def _alike(past: pa.Table, schema: pa.Schema) -> pa.Table:
    """Give the past the types of a result: where pandas has no number, k was made a float.

    Raises:
        InputError: A column that does not hold such values.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = []
    for field in schema:
        if field.name not in past.column_names:
            columns.append(pa.nulls(len(past), field.type))
            continue
        column = past[field.name]
        try:
            if pa.types.is_floating(column.type):
                column = pc.if_else(pc.is_nan(column), None, column)
            columns.append(column.cast(field.type))
        except pa.ArrowException as error:
            raise InputError(
                f"merge: {field.name} of the past is {column.type}, and {field.type} in this "
                "result: only results of the same request can be merged"
            ) from error
    return pa.table(columns, schema=schema)


def _check_intervals(rows: Sequence[dict[str, Any]], interval: str, level: float) -> None:
    """Refuse intervals that are not as their errors have it, in whatever way they were made.

    Raises:
        InputError: Such a row.
    """
    for row in rows:
        value, users, error = row["value"], row["users"], row["standard_error"]
        method = row["interval"] or "t" if interval == "auto" else interval
        limits = by_error(method, level, value, users, error)
        for limit, stored in zip(limits, (row["low"], row["high"]), strict=True):
            apart = (limit is None) != (stored is None)
            if apart or abs((limit or 0) - (stored or 0)) > 1e-6 * abs(error or 0) + 1e-12:
                raise InputError(
                    f"merge: {format_metric(row['metric'], row['k'])} of the past has the interval "
                    f"{row['low']} to {row['high']}, which is not of interval={interval!r} and "
                    f"level={level} for {users} users: only results of the same request can be "
                    "merged"
                )


def _merged(rows: Sequence[dict[str, Any]], interval: str | None, level: float) -> dict[str, Any]:
    """Bring the rows of one metric together."""
    counted = [row for row in rows if row["users"]]
    if len(counted) < 2:
        return counted[0] if counted else rows[0]
    users = sum(row["users"] for row in counted)
    value, deviation = pooled(counted)
    one = dict(counted[0], users=users, value=value)
    if "standard_deviation" in one:
        one["standard_deviation"] = deviation
    if "standard_error" in one:
        one["standard_error"] = error = (deviation or 0.0) / users**0.5
        method = interval or "t"
        if interval == "auto":
            # Values are 0 and 1 alone where they are so in all.
            method = "wilson" if all(row["interval"] == "wilson" for row in counted) else "t"
        one["low"], one["high"] = by_error(method, level, value, users, error)
        if "interval" in one:
            one["interval"] = None if one["low"] is None else method
    for name, of in (("min", min), ("max", max)):
        if name in one:
            one[name] = of(row[name] for row in counted)
    if "zero_share" in one:
        one["zero_share"] = sum(row["users"] * row["zero_share"] for row in counted) / users
    return one
