"""Types of rows. A row contains values by column name."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from math import inf
from typing import Any, TypeVar

# A row that functions add columns to, and a row that they only read.
Record = dict[str, Any]
Row = Mapping[str, Any]

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

# The beginning of a text with a number: ``<25``, ``before 2000``, ``25-34``, ``50+``, ``> 50``.
_BIN = re.compile(r"\s*(?:(<=?|≤|before|below|under|up to)|>=?|≥)?\s*(-?\d+(?:\.\d+)?)", re.I)


def segment_order(value: Any) -> tuple[Any, ...]:
    """Return the key that sorts the segments of a column: null last, bins by their lower end."""
    if not isinstance(value, str):
        return value is None, value
    match = _BIN.match(value)
    end = float(match[2]) if match else inf
    return False, -inf if match and match[1] else end, end, value


def group_by(rows: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Group rows by a key, in the order of the rows."""
    groups: dict[K, list[T]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups
