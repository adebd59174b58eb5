"""Which users are taken together: everyone, those of a segment, or of several at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .. import messages
from ..errors import InputError
from ..results.rows import Rows


def columns_of(by: str | Iterable[str]) -> list[str]:
    """Return the columns of segments: a text names one.

    Raises:
        InputError: They are not names.
    """
    if not isinstance(by, Iterable):
        raise InputError(messages.BY.format(by=by))
    return [by] if isinstance(by, str) else list(by)


def groups(by: str | Iterable[str]) -> dict[str, list[str]]:
    """Return the columns of each grouping: none, each alone, and all together.

    Raises:
        InputError: No column is named.
    """
    columns = columns_of(by)
    if not columns:
        raise InputError(messages.BY_NONE)
    refuse(columns, ["grouping"])
    found: dict[str, list[str]] = {"all": []} | {str(name): [name] for name in columns}
    return found | ({", ".join(columns): columns} if len(columns) > 1 else {})


def together(tables: Mapping[str, Rows], by: Sequence[str]) -> Rows:
    """Put the tables of groupings below each other; segments of other groupings are null."""
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


def refuse(segments: Iterable[Any], taken: Iterable[str]) -> None:
    """Refuse segments that have the name of another column of a result.

    Raises:
        InputError: One has.
    """
    for name in segments:
        if str(name).lower() in taken:
            raise InputError(messages.BY_TAKEN.format(name=name))
