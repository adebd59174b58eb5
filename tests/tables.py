"""Small tables, written as people think of them.

A list of ``"abc"`` holds the items a, b and c from best to worst. The truth of ``"bd"`` makes b and
d relevant; ``{"b": 3, "d": 1}`` grades them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pyarrow as pa

import sqlrec


def lists(users: Mapping[str, Iterable[str]]) -> pa.Table:
    rows = [(user, item, i + 1) for user, items in users.items() for i, item in enumerate(items)]
    return table(rows, user_id=pa.string(), item_id=pa.string(), rank=pa.int64())


def scored(users: Mapping[str, Mapping[str, float | None]]) -> pa.Table:
    rows = [(user, item, score) for user, items in users.items() for item, score in items.items()]
    return table(rows, user_id=pa.string(), item_id=pa.string(), score=pa.float64())


def wanted(users: Mapping[str, Iterable[str] | Mapping[str, float]]) -> pa.Table:
    if all(isinstance(items, Mapping) for items in users.values()):
        rows = [(u, item, grade) for u, items in users.items() for item, grade in items.items()]
        return table(rows, user_id=pa.string(), item_id=pa.string(), relevance=pa.float64())
    rows = [(user, item) for user, items in users.items() for item in items]
    return table(rows, user_id=pa.string(), item_id=pa.string())


def table(rows: Iterable[tuple], **types: pa.DataType) -> pa.Table:
    schema = pa.schema(types)
    return pa.Table.from_pylist([dict(zip(types, row, strict=True)) for row in rows], schema)


def value(
    metric: str, shown: Iterable[str], relevant: Iterable[str] | Mapping[str, float], **rules
):
    """The metric of one user, ann, who was shown some items and wants some."""
    result = sqlrec.evaluate(
        metric, recs=lists({"ann": shown}), truth=wanted({"ann": relevant}), **rules
    )
    return result.to_arrow()["value"][0].as_py()


def values(result: sqlrec.Table) -> list:
    """The column of values."""
    return result.to_arrow()["value"].to_pylist()


def rows(result: sqlrec.Table, *columns: str) -> list[tuple]:
    """The rows of a result, as tuples of some columns."""
    return [tuple(row[name] for name in columns) for row in result.to_arrow().to_pylist()]
