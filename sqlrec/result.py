"""Results: small tables that are at home with pandas, Polars, Arrow and notebooks."""

from __future__ import annotations

import html
import os
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import InputError
from .files import reads, shortened
from .shown import printable

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow as pa


# Under this name tables of Arrow, Parquet files and frames of pandas tell how a result was made.
MADE = "sqlrec"


class Field(NamedTuple):
    """A column: its name, and its type in Arrow or what Arrow calls that."""

    name: str
    type: Any


class Rows:
    """A small table as Python has it, which reads as one of PyArrow and becomes one when asked.

    To import PyArrow takes longer than to evaluate a thousand users.
    """

    def __init__(self, types: Mapping[str, Any], records: list[dict[str, Any]]) -> None:
        self.schema = [Field(*item) for item in types.items()]
        self.records = records

    @classmethod
    def of(cls, table: pa.Table) -> Rows:
        """Take the rows of a table of PyArrow."""
        return cls({field.name: field.type for field in table.schema}, table.to_pylist())

    @property
    def column_names(self) -> list[str]:
        """The names of the columns, in order."""
        return [field.name for field in self.schema]

    @property
    def num_rows(self) -> int:
        """How many rows there are."""
        return len(self.records)

    def to_pylist(self) -> list[dict[str, Any]]:
        """Return a dict for each row."""
        return self.records

    def slice(self, start: int, most: int) -> Rows:
        """Take some rows."""
        return Rows(dict(self.schema), self.records[start : start + most])

    def select(self, names: Iterable[str]) -> Rows:
        """Take some columns."""
        types = dict(self.schema)
        taken = {name: types[name] for name in names}
        return Rows(taken, [{name: row[name] for name in taken} for row in self.records])

    def with_columns(self, names: Collection[str], rows: Iterable[Sequence[float | None]]) -> Rows:
        """Add columns of numbers, given row by row; those that count hold whole ones."""
        types = dict(self.schema) | {
            name: "int64" if name == "clusters" else "float64" for name in names
        }
        added = [dict(zip(names, row, strict=True)) for row in rows]
        return Rows(types, [row | new for row, new in zip(self.records, added, strict=True)])

    def to_arrow(self) -> pa.Table:
        """Return the rows as a PyArrow table."""
        import pyarrow as pa

        columns = [_arrow([row[name] for row in self.records], kind) for name, kind in self.schema]
        return pa.table(columns, names=self.column_names)


class Table:
    """Rows of a query, fetched when they are first looked at.

    Attributes:
        sql: The text of the query.
        inputs: Paths of what was read, which are not written over.
    """

    def __init__(
        self,
        sql: str,
        fetch: Callable[[], pa.Table | Rows],
        copy: Callable[[Path], None] | None = None,
        inputs: Sequence[str] = (),
        made: str | None = None,
    ) -> None:
        self.sql = sql
        self.inputs = inputs
        self._fetch = fetch
        self._copy = copy
        self._rows: pa.Table | Rows | None = None
        self._made = made

    def rows(self) -> pa.Table | Rows:
        """Return the rows as they are at hand: of PyArrow, or of Python."""
        if self._rows is None:
            self._rows = self._fetch()
        return self._rows

    def to_arrow(self) -> pa.Table:
        """Return the rows as a PyArrow table."""
        found = self.rows()
        if isinstance(found, Rows):
            found = self._rows = found.to_arrow()
        if self._made is not None:
            found = found.replace_schema_metadata(
                {**(found.schema.metadata or {}), MADE: self._made}
            )
        return found

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a pandas frame."""
        frame: pandas.DataFrame = self.to_arrow().to_pandas()
        if self._made is not None:
            frame.attrs[MADE] = self._made
        return frame

    def to_polars(self) -> polars.DataFrame:
        """Return the rows as a Polars frame."""
        import polars

        return polars.DataFrame(self.to_arrow())

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write the rows to a Parquet file, which appears whole or not at all.

        Rows that were not looked at yet go from the query to the file, not through memory.

        Raises:
            InputError: The path is a folder, or in none; or an input, which would be lost.
        """
        check_target(path, self.inputs)
        with replacing(path) as part:
            if self._rows is None and self._copy is not None:
                self._copy(part)
            else:
                import pyarrow.parquet

                pyarrow.parquet.write_table(self.to_arrow(), part)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __len__(self) -> int:
        return int(self.rows().num_rows)

    def __repr__(self) -> str:
        return as_text(self.rows())

    def _repr_html_(self) -> str:
        return as_html(self.rows())


class Result(Table):
    """What an evaluation found: a row per model, segment, metric and cutoff.

    Columns: ``model``; the segments; ``metric``, its name and parameters; ``k``, null for whole
    lists; ``asked``, both as they were written, by which a row is found; ``value``, the mean
    of the users' values, null where no user has one; ``users``, how many have one; with an
    interval ``standard_error``, ``low`` and ``high``; the summaries that were asked.

    Attributes:
        sql: The statement that ran.
        accounting: A table of who was counted, a row per model, segment, convention, population and
            cutoff:
            ``users_evaluated``, averaged over; of these ``users_without_list``; ``short_lists``,
            with fewer places than the cutoff; ``ties_at_cutoff``, where the next place has the same
            score. And of all lists, also those of users who are not averaged over,
            ``unjudged_lists``, of users for whom the truth has nothing relevant, and
            ``repeated_rows``, at any place, left out with ``duplicates="best"``.
        means: Gives the metrics that are the mean of the values of users.
        interval: How the interval was made, and its level.
        made: How the result was made, as JSON: the interval, its level and cluster, and the rules
            of each metric. Parquet files, tables of Arrow and frames of pandas carry it on.
        cluster: The column that names groups of users, if there is one.
    """

    def __init__(
        self,
        sql: str,
        rows: pa.Table | Rows,
        accounting: pa.Table | Rows,
        per_user: Table,
        means: Callable[[], Iterable[str]],
        interval: tuple[str | None, float],
        cluster: str | None,
        per_unit: Table | None,
        made: str,
    ) -> None:
        super().__init__(sql, lambda: rows, inputs=per_user.inputs, made=made)
        self.made = made
        self.accounting = Table(sql, lambda: accounting, inputs=per_user.inputs)
        self._per_user = per_user
        self.means = means
        self.interval = interval
        self.cluster = cluster
        self._per_unit = per_unit or per_user

    def per_user(self) -> Table:
        """Return the values before the mean: model, segments, ``user_id``, metric, k, asked, value.

        Computed when they are looked at, or while they are written with ``to_parquet``. Inputs that
        have changed since then change them.
        """
        return self._per_user

    def per_unit(self) -> Table:
        """Return the values of users, with the group of each where there are some."""
        return self._per_unit

    def merge(self, past: Any) -> Table:
        """Add the users of a past result to this one, as of the days before, without their rows.

        Means, standard errors and deviations, intervals by them, least and greatest values and
        shares of zeros are those of all users together, to whom a user of both counts twice.

        Args:
            past: What was asked alike of other users: a Result, a table, or a Parquet file of one.

        Raises:
            InputError: Another interval, level, convention or other rule, as far as the past tells;
                other columns; a metric that is no mean over users; what users of the past do not
                tell of all: quantiles, intervals that draw users, and those of clusters, whose
                users may be in both.
        """
        from .samples import merged

        before = past.to_arrow() if isinstance(past, Table) else _past(past)
        rows = merged(self, before)
        return Table(self.sql, lambda: rows, made=self.made)


def _past(given: Any) -> pa.Table:
    """Read a past result, with what it tells of how it was made.

    Raises:
        InputError: It is none.
    """
    import pyarrow as pa
    import pyarrow.parquet

    from .engines.duckdb import as_table

    if not isinstance(given, (str, os.PathLike)):
        table = as_table(given, "past")
        # Pandas has such notes of a frame beside it.
        made = getattr(given, "attrs", {}).get(MADE)
        return table if made is None else table.replace_schema_metadata({MADE: made})
    try:
        return pyarrow.parquet.read_table(given)
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            f"past={shortened(os.fsdecode(given))}: give a result, or a Parquet file of one, as "
            f"to_parquet writes it: {str(error)[:200]}"
        ) from error


def check_target(path: str | os.PathLike[str], inputs: Iterable[str] = ()) -> Path:
    """Check that a file can be written at a path, before the work for it is done.

    Args:
        path: Where to write.
        inputs: Files, folders and globs that are read, and not to be written over.

    Raises:
        InputError: The path is a folder, in none, or an input.
    """
    try:
        target, fault = Path(path).resolve(), None
        target.exists()
    except (OSError, TypeError, ValueError) as error:
        raise InputError(f"{shortened(str(path))} can't be a file's path: {error}") from error
    for one in inputs:
        if reads(one, target):
            raise InputError(
                f"{str(path)!r} is an input, or read as one with {one!r}: give another file"
            )
    if not target.parent.is_dir():
        fault = "is in a folder that does not exist"
    elif target.exists() and not target.is_file():
        fault = "is no file, but a folder, pipe or device"
    if fault:
        raise InputError(f"{str(path)!r} {fault}: give the path of a file")
    return target


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a file to write; it takes the place of the path when all went well, else it goes.

    Raises:
        InputError: The path is a folder, or in none.
    """
    target = check_target(path)
    part = target.with_name(f".{os.urandom(16).hex()}")
    try:
        yield part
        if target.exists():
            part.chmod(target.stat().st_mode)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def cells(rows: pa.Table | Rows) -> list[list[str]]:
    """Return all cells as text, row by row."""
    return [[_cell(value) for value in row.values()] for row in rows.to_pylist()]


def as_text(rows: pa.Table | Rows, most: int = 60) -> str:
    """Lay rows out for a terminal: aligned columns, numbers to the right."""
    body = cells(rows.slice(0, most))
    table = [[printable(cell) for cell in row] for row in (rows.column_names, *body)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    right = [_is_number(column.type) for column in rows.schema]
    lines = [
        "  ".join(
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in table
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    if rows.num_rows > most:
        lines.append(f"... and {rows.num_rows - most} more rows")
    return "\n".join(lines)


def as_markdown(rows: pa.Table | Rows) -> str:
    """Lay rows out as a Markdown table."""
    head, *body = (
        [printable(cell).replace("<", "&lt;").replace("|", "\\|") for cell in row]
        for row in (rows.column_names, *cells(rows))
    )
    rule = ["---:" if _is_number(column.type) else "---" for column in rows.schema]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *body))


def as_html(rows: pa.Table | Rows, most: int = 60) -> str:
    """Lay rows out for a notebook."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in rows.column_names)
    right = [' style="text-align: right"' if _is_number(c.type) else "" for c in rows.schema]
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{side}>{html.escape(cell)}</td>" for cell, side in zip(row, right, strict=True)
        )
        + "</tr>"
        for row in cells(rows.slice(0, most))
    )
    rest = f"<p>... and {rows.num_rows - most} more rows</p>" if rows.num_rows > most else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"


def _is_number(kind: Any) -> bool:
    return str(kind).startswith(("int", "uint", "float", "double", "halffloat"))


def _arrow(values: Sequence[Any], kind: Any) -> pa.Array:
    """Make a column; of the types that results have in a way that does not import pandas."""
    import pyarrow as pa

    if not isinstance(kind, str):
        return pa.array(values, kind)
    if kind == "string":
        written = [(value or "").encode() for value in values]
        data = [array("i", accumulate(map(len, written), initial=0)), b"".join(written)]
    else:
        data = [array("q" if kind == "int64" else "d", [value or 0 for value in values])]
    there = sum(1 << place for place, value in enumerate(values) if value is not None)
    bits = there.to_bytes(len(values) // 8 + 1, "little")
    return pa.Array.from_buffers(
        pa.type_for_alias(kind), len(values), [pa.py_buffer(part) for part in (bits, *data)]
    )


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6f}" if isinstance(value, float) else str(value)
