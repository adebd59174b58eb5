"""Merge results of different users without the rows of their inputs."""

from __future__ import annotations

import json
from collections.abc import Container, Sequence
from typing import TYPE_CHECKING, Any

from ..catalogue.requests import format_metric
from ..errors import InputError
from ..layouts.result import segment_key
from ..records import Record, group_by
from ..statistics.formulas import DRAWN, interval_from_error, pool_rows
from .table import METADATA_KEY

if TYPE_CHECKING:
    import pyarrow as pa

# Columns that can be merged without per-user values.
_MERGED = (
    *("value", "users", "standard_error", "low", "high", "interval", "standard_deviation"),
    *("min", "max", "zero_share"),
)


def merge_results(
    table: pa.Table,
    past: pa.Table,
    *,
    provenance: str,
    interval: str | None,
    level: float,
    means: Container[str],
) -> pa.Table:
    """Merge two results for different users, for ``Result.merge``."""
    import pyarrow as pa

    # The earlier result may lack the column ``request``.
    if {*past.column_names, "request"} != {*table.column_names}:
        raise InputError(
            f"merge: the earlier result has {', '.join(past.column_names)}, but this result has "
            f"{', '.join(table.column_names)}: only results of the same request can be merged"
        )
    _check_provenance(provenance, (past.schema.metadata or {}).get(METADATA_KEY.encode()))
    keys = [name for name in table.column_names if name not in ("request", *_MERGED)]
    for name in keys[keys.index("k") + 1 :]:
        raise InputError(f"merge: {name} of all users can't be computed from the parts; remove it")
    before = _cast_columns(past, table.schema).to_pylist()
    if interval is not None:
        _check_intervals(before, interval, level)
    parts = [*table.to_pylist(), *before]
    for metric in (row["metric"] for row in parts if row["metric"] not in means):
        raise InputError(
            f"merge: {metric} is not a mean of per-user values, or not in this result: merge "
            "results of the same means"
        )
    # The requests of this result take precedence.
    requests = {(row["metric"], row["k"]): row.get("request") for row in reversed(parts)}
    groups = group_by(parts, lambda row: segment_key(row, keys)).values()
    rows = [_merge_rows(group, interval, level) for group in groups]
    rows = [row | {"request": requests[row["metric"], row["k"]]} for row in rows]
    return pa.Table.from_pylist(rows, table.schema)


def _check_provenance(now: str, before: bytes | None) -> None:
    """Check that the options of two results allow a merge."""
    current = json.loads(now)
    # Other programs may have removed the metadata of a file.
    past = json.loads(before) if before else current
    for provenance in (current, past):
        if provenance["cluster"] is not None:
            raise InputError(
                f"merge: cluster={provenance['cluster']!r}: two results have no common "
                "clusters; evaluate all users at once"
            )
        if weights := provenance.get("weights"):
            raise InputError(
                f"merge: weights={weights!r}: weighted results cannot be merged, because they do "
                "not store the sum of weights; evaluate all users in one call"
            )
        if provenance["interval"] in DRAWN:
            raise InputError(
                f"merge: interval={provenance['interval']!r} resamples users; give interval='t'"
            )
    for name in ("interval", "level"):
        _check_same(name, past[name], current[name])
    for metric in current["rules"].keys() & past["rules"].keys():
        rules, past_rules = current["rules"][metric], past["rules"][metric]
        for name in rules.keys() | past_rules.keys():
            _check_same(name, past_rules.get(name), rules.get(name), metric)


def _check_same(name: str, past: Any, current: Any, metric: str = "") -> None:
    """Check that an option or rule of the earlier result has the same value in this result."""
    if past != current:
        of = f"{metric} of the earlier result" if metric else "the earlier result"
        what = "by the same rules" if metric else "of the same request"
        raise InputError(
            f"merge: {of} has {name}={past!r}, but this result has "
            f"{current!r}: only results {what} can be merged"
        )


def _cast_columns(past: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return an earlier result with the new result's types: pandas stores a null k as a float."""
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
                f"merge: {field.name} of the earlier result is {column.type}, but {field.type} in "
                "this result: only results of the same request can be merged"
            ) from error
    return pa.table(columns, schema=schema)


def _check_intervals(rows: Sequence[Record], interval: str, level: float) -> None:
    for row in rows:
        value, users, error = row["value"], row["users"], row["standard_error"]
        method = row["interval"] or "t" if interval == "auto" else interval
        limits = interval_from_error(method, level, value, users, error)
        for limit, stored in zip(limits, (row["low"], row["high"]), strict=True):
            differs = (limit is None) != (stored is None)
            if differs or abs((limit or 0) - (stored or 0)) > 1e-6 * abs(error or 0) + 1e-12:
                metric = format_metric(row["metric"], row["k"])
                raise InputError(
                    f"merge: {metric} of the earlier result has the interval {row['low']} to "
                    f"{row['high']}, but interval={interval!r} at level={level} has other limits "
                    f"for {users} users: merge only results of the same request"
                )


def _merge_rows(rows: Sequence[Record], interval: str | None, level: float) -> Record:
    with_users = [row for row in rows if row["users"]]
    if len(with_users) < 2:
        return with_users[0] if with_users else rows[0]
    users = sum(row["users"] for row in with_users)
    value, deviation = pool_rows(with_users)
    error = (deviation or 0.0) / users**0.5
    method = interval or "t"
    if interval == "auto":
        # The merged values are binary only if the values of all parts are.
        method = "wilson" if all(row["interval"] == "wilson" for row in with_users) else "t"
    low, high = interval_from_error(method, level, value, users, error)
    new: Record = {
        **{"value": value, "users": users, "standard_deviation": deviation},
        **{"standard_error": error, "low": low, "high": high},
        "interval": None if low is None else method,
    }
    for name, extreme in (("min", min), ("max", max)):
        if name in with_users[0]:
            new[name] = extreme(row[name] for row in with_users)
    if "zero_share" in with_users[0]:
        new["zero_share"] = sum(row["users"] * row["zero_share"] for row in with_users) / users
    return {name: new.get(name, old) for name, old in with_users[0].items()}
