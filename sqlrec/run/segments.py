"""Groupings of users: all users, segments, or several segmentations together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .. import messages
from ..errors import InputError
from ..options import Segments
from ..results.rows import Rows


def list_groupings(by: Segments) -> dict[str, list[str]]:
    """Return the columns of each grouping by its name; a single grouping has an empty name.

    With ``each``, users are grouped by no column, by each single column, and by all columns.
    """
    columns = [*by.columns]
    if not by.each:
        return {"": columns}
    check_segment_names(columns, ["grouping"])
    groupings: dict[str, list[str]] = {"all": []} | {str(name): [name] for name in columns}
    return groupings | ({", ".join(columns): columns} if len(columns) > 1 else {})


def merge_groupings(tables: Mapping[str, Rows], by: Sequence[str]) -> Rows:
    """Merge the tables of groupings: segments of other groupings are null."""
    if "" in tables:
        return tables[""]
    types = {name: kind for rows in tables.values() for name, kind in rows.schema}
    last = [name for name in types if name not in ("model", *by)]
    keys = dict.fromkeys(("model", "grouping"), "string")
    types = keys | {name: types[name] for name in (*by, *last)}
    return Rows(
        types,
        [
            dict.fromkeys(types) | row | {"grouping": name}
            for name, rows in tables.items()
            for row in rows.records
        ],
    )


def check_segment_names(segments: Iterable[Any], reserved: Iterable[str]) -> None:
    """Check that no segment has the name of another column of the result."""
    for name in segments:
        if str(name).lower() in reserved:
            raise InputError(messages.BY_TAKEN.format(name=name))
