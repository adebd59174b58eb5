"""A small table of Python values."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from ..records import Record

if TYPE_CHECKING:
    import pyarrow as pa

    from ..engines.base import Engine


class Field(NamedTuple):
    """The name and the Arrow type of a column; an empty type is inferred from the values."""

    name: str
    type: Any


class Row(Mapping[str, Any]):
    """A row of a table: ``row["value"]``, or ``row.value``."""

    def __init__(self, values: Record) -> None:
        self._values = values

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __getattr__(self, name: str) -> Any:
        # copy.copy() reads attributes before _values is set.
        values = self.__dict__.get("_values", {})
        if name not in values:
            raise AttributeError(f"a row has no column {name!r}: it has {', '.join(values)}")
        return values[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._values]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Row({', '.join(f'{name}={value!r}' for name, value in self.items())})"


class Rows:
    """A small table of Python values, with the interface of a PyArrow table.

    It avoids the import of PyArrow, which takes longer than an evaluation of a thousand users.
    """

    def __init__(self, types: Mapping[str, object], records: list[Record]) -> None:
        self.schema = [Field(*item) for item in types.items()]
        self.records = records

    @classmethod
    def from_table(cls, table: pa.Table | Rows) -> Rows:
        """Return the rows of a PyArrow table, or Rows unchanged."""
        if isinstance(table, Rows):
            return table
        return cls({field.name: field.type for field in table.schema}, table.to_pylist())

    @classmethod
    def from_records(cls, types: Mapping[str, object], records: Iterable[Record]) -> Rows:
        """Return the rows of records, with only the columns that have a type."""
        return cls(types, [{name: row[name] for name in types} for row in records])

    @classmethod
    def read(cls, engine: Engine, sql: str) -> Rows:
        """Return the rows of a query, through PyArrow if it is installed."""
        table = engine.query(sql)
        if table is not None:
            return cls.from_table(table)
        names = engine.columns(f"(\n{sql}\n)") or ()
        values = [dict(zip(names, row, strict=True)) for row in engine.rows(sql)]
        return cls(dict.fromkeys(names, ""), values)

    @property
    def column_names(self) -> list[str]:
        """The names of the columns, in order."""
        return [field.name for field in self.schema]

    @property
    def num_rows(self) -> int:
        """The number of rows."""
        return len(self.records)

    def to_pylist(self) -> list[Record]:
        """Return a dict for each row."""
        return self.records

    def slice(self, start: int, length: int) -> Rows:
        """Return a range of rows."""
        return Rows(dict(self.schema), self.records[start : start + length])

    def select(self, names: Iterable[str]) -> Rows:
        """Return a table of some columns."""
        types = dict(self.schema)
        return Rows.from_records({name: types[name] for name in names}, self.records)

    def select_rows(self, name: str, values: Collection[Any]) -> Rows:
        """Return the rows with one of several values in a column."""
        return Rows(dict(self.schema), [row for row in self.records if row[name] in values])

    def with_columns(self, names: Collection[str], rows: Iterable[Sequence[Any]]) -> Rows:
        """Return the table with additional columns: numbers, except for the text ``interval``."""
        types = dict(self.schema) | {
            name: {"clusters": "int64", "interval": "string"}.get(name, "float64") for name in names
        }
        added = [dict(zip(names, row, strict=True)) for row in rows]
        return Rows(types, [row | new for row, new in zip(self.records, added, strict=True)])

    def to_arrow(self) -> pa.Table:
        """Return the rows as a PyArrow table."""
        import pyarrow as pa

        columns = [
            _arrow_column([row[name] for row in self.records], kind) for name, kind in self.schema
        ]
        return pa.table(columns, names=self.column_names)


def _arrow_column(values: Sequence[Any], kind: Any) -> pa.Array:
    """Return a column for Arrow. PyArrow would import pandas for the usual types of results."""
    import pyarrow as pa

    # PyArrow treats a type and its name as equal.
    if not isinstance(kind, str) or kind not in ("string", "int64", "float64"):
        return pa.array(values, kind or None)
    if kind == "string":
        texts = [(value or "").encode() for value in values]
        data = [array("i", accumulate(map(len, texts), initial=0)), b"".join(texts)]
    else:
        data = [array("q" if kind == "int64" else "d", [value or 0 for value in values])]
    mask = sum(1 << index for index, value in enumerate(values) if value is not None)
    bits = mask.to_bytes(len(values) // 8 + 1, "little")
    return pa.Array.from_buffers(
        pa.type_for_alias(kind), len(values), [pa.py_buffer(part) for part in (bits, *data)]
    )
