"""The caller's column names, and the columns of tables that they refer to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from .. import messages
from ..errors import InputError, suggest_name

if TYPE_CHECKING:
    from .source import Source

KEYS = ("user_id", "item_id", "other_item_id")

# The type suffix of a column name in the header of a RecBole atomic file.
_TYPE_SUFFIX = re.compile(r":(token|float)(_seq)?$")


class Columns:
    """The caller's column names: ``{"user_id": "uid", "truth.item_id": "sku"}``.

    A list of names is a composite key, ``["user", "day"]``. A dotted name that is not a column is a
    nested field, ``user.id``. Columns of segments can also be standard columns.
    """

    def __init__(
        self,
        renames: Mapping[str, str | Sequence[str]] | None,
        names: Iterable[str],
        tables: Iterable[str],
        segments: Iterable[str] = (),
    ) -> None:
        if not isinstance(renames, Mapping | None):
            raise InputError(messages.COLUMNS.format(columns=renames))
        self.renames: dict[str, str | list[str]] = {}
        self.unused = set(renames or {})
        self.segments = {*segments} - {*names}
        names = {*names, *segments}
        for key, value in (renames or {}).items():
            table, _, column = str(key).rpartition(".")
            if table and table not in tables:
                close = suggest_name(table, tables)
                raise InputError(messages.COLUMNS_INPUT.format(key=key, table=table, nearest=close))
            if column not in names:
                details = {"key": key, "column": column, "nearest": suggest_name(column, names)}
                raise InputError(messages.COLUMNS_UNKNOWN.format(**details))
            parts = [value] if isinstance(value, str) else value
            is_list = isinstance(parts, list | tuple) and parts
            if not is_list or not all(isinstance(part, str) and part for part in parts):
                raise InputError(messages.COLUMNS_TEXT.format(key=key, column=value))
            if len(parts) > 1 and (column not in KEYS or len({*parts}) < len(parts)):
                raise InputError(messages.COLUMNS_SEVERAL.format(key=key, column=value))
            self.renames[key] = parts[0] if len(parts) == 1 else [*parts]

    def _renames(self, name: str, table: str) -> Iterator[tuple[str, str | list[str]]]:
        """Yield the keys of ``columns`` for a standard name in a table, with the caller's names."""
        for key in (f"{table}.{name}", name):
            if key in self.renames:
                yield key, self.renames[key]

    def find(self, name: str, table: str, names: Sequence[str]) -> tuple[int | None, bool]:
        """Return the index of the caller's column for a name, and whether it is renamed."""
        for key, column in self._renames(name, table):
            if isinstance(column, list):
                continue
            index = column_index(column, table, names)
            if index is not None:
                self.unused.discard(key)
                return index, True
            if "." in key and "." not in column:
                raise _missing_column(key, column, table, names)
        return column_index(name, table, names), False

    def lookup(self, name: str, table: str, names: Sequence[str]) -> str | None:
        """Return the caller's column for a standard name, None if the table does not have it."""
        index = None
        with suppress(InputError):  # The error is raised again when the column is read.
            index, _ = self.find(name, table, names)
        return None if index is None else names[index]

    def composite(self, name: str, table: str, names: Sequence[str]) -> list[str]:
        """Return the parts of a composite key or a nested field; a plain column has no parts."""
        for key, column in self._renames(name, table):
            parts = [column] if isinstance(column, str) else column
            plain = isinstance(column, str) and "." not in column
            if plain or (column == parts[0] and column_index(parts[0], table, names) is not None):
                return []
            missing = [part for part in parts if resolve_nested_field(part, table, names) is None]
            if not missing:
                self.unused.discard(key)
                return parts
            if "." in key or len(missing) < len(parts):
                raise _missing_column(key, column, table, names)
        return []

    def renamed(self, table: str) -> list[str]:
        """Return the standard names of the columns that the caller renames in a table."""
        names = (key.rpartition(".") for key in self.renames)
        return [*dict.fromkeys(name for own, _, name in names if own in ("", table))]

    def names_field(self, column: str, table: str) -> bool:
        """Return whether the caller names a nested field of a column."""
        return any(
            isinstance(renamed, str) and renamed.startswith(f"{column}.")
            for key, renamed in self.renames.items()
            if key.rpartition(".")[0] in ("", table)
        )

    def list_columns(self, table: str, names: Sequence[str]) -> list[str]:
        """Return the columns that the caller names for the items of a list, best first."""
        for key, columns in self._renames("item_id", table):
            if isinstance(columns, list) and {*columns} <= {*names}:
                self.unused.discard(key)
                return columns
        return []

    def assumed(self, table: str, required: Sequence[str], optional: Sequence[str]) -> list[str]:
        """Return the assumed columns of an unreadable table: required and renamed columns."""
        names = []
        for column in (*required, *optional):
            default = [column] if column in required else []
            _, renamed = next(self._renames(column, table), ("", default))
            parts = [renamed] if isinstance(renamed, str) else renamed
            names += [part.partition(".")[0] for part in parts]
        return [*dict.fromkeys(names)]

    def check_used(self, sources: Iterable[Source]) -> None:
        """Check that each of the caller's names is a column of an input."""
        has = "; ".join(source.with_columns for source in sources)
        for key in sorted(self.unused):
            option = key if key == "order_by" else f"columns[{key!r}]"
            raise InputError(
                messages.COLUMNS_UNUSED.format(option=option, column=self.renames[key], tables=has)
            )


def _missing_column(
    key: str, column: str | list[str], table: str, names: Sequence[str]
) -> InputError:
    details = {"key": key, "column": column, "table": table, "columns": ", ".join(names)}
    return InputError(messages.COLUMNS_LACKS.format(**details))


def column_index(column: str, table: str, names: Sequence[str]) -> int | None:
    """Return the index of a column, with the exact name or else ignoring case."""
    indexes = [n for n, name in enumerate(names) if name == column]
    indexes = indexes or [n for n, name in enumerate(names) if name.lower() == column.lower()]
    # Column names of RecBole have type suffixes.
    indexes = indexes or [n for n, x in enumerate(names) if _TYPE_SUFFIX.sub("", x) == column]
    if len(indexes) > 1:
        details = {"table": table, "count": len(indexes), "name": column}
        matches = ", ".join(names[index] for index in indexes)
        raise InputError(messages.COLUMN_CASE.format(**details, columns=matches))
    return indexes[0] if indexes else None


def resolve_nested_field(
    column: str, table: str, names: Sequence[str]
) -> tuple[int, list[str]] | None:
    """Return the index of a column, and the names of its nested field, if any."""
    index = column_index(column, table, names)
    if index is not None:
        return index, []
    head, *fields = column.split(".")
    index = column_index(head, table, names) if fields and all(fields) else None
    return None if index is None else (index, fields)
