"""The types of a row: its values by column."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeVar

# A row that functions add columns to, and a row that they only read.
Record = dict[str, Any]
Row = Mapping[str, Any]

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


def group_by(rows: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Group rows by a key, in their order."""
    groups: dict[K, list[T]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups
