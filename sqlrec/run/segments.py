"""Which users are taken together: everyone, those of a segment, or of several at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from .. import messages
from ..errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


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


def together(tables: dict[str, pa.Table], by: Sequence[str]) -> pa.Table:
    """Put the tables of groupings below each other; segments of other groupings are null."""
    import pyarrow as pa

    named = [
        table.add_column(1, "grouping", pa.array([name] * table.num_rows, pa.string()))
        for name, table in tables.items()
    ]
    rows = pa.concat_tables(named, promote_options="default")
    last = [name for name in rows.column_names if name not in ("model", "grouping", *by)]
    return rows.select(["model", "grouping", *by, *last])


def refuse(segments: Iterable[Any], taken: Iterable[str]) -> None:
    """Refuse segments that have the name of another column of a result.

    Raises:
        InputError: One has.
    """
    for name in segments:
        if str(name).lower() in taken:
            raise InputError(messages.BY_TAKEN.format(name=name))
