"""The base class of engines, and names for types."""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from ..dialects import check_dialect
from ..errors import InputError
from ..rendering.templates import statement_ending

if TYPE_CHECKING:
    import pyarrow as pa

# Seconds until the progress of a statement is shown, and between updates.
PATIENCE, PACE = 2.0, 1.0


class Engine:
    """A database that runs SQL. Subclass it for a database that sqlrec does not support.

    Pass an object of the subclass as ``engine=``. A subclass has to define ``dialect``, ``rows``
    and ``columns``; inputs are then names of its tables.

    Attributes:
        dialect: The SQL dialect, one of the dialects of ``sqlrec.sql``.
        own: Whether only sqlrec uses the engine. Plots then load results into it.
        error: The exception that the engine raises.
        progress_since: The start of the elapsed time that is printed while statements run, by
            ``time.monotonic()``; None prints no progress.
        progress_suffix: The text after the seconds, if several statements run.
    """

    dialect: str
    own = False
    error: type[Exception] = Exception
    progress_since: float | None = None
    progress_suffix: object = None
    _step = ""

    @property
    def ordered(self) -> bool:
        """Whether the rows of a table have an order."""
        return False

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Name the step of statements for the progress line; an outer step keeps its name."""
        outer, self._step = self._step, self._step or name
        try:
            yield
        finally:
            self._step = outer

    @contextmanager
    def show_progress(self) -> Iterator[None]:
        """Print the step and the seconds to stderr while a slow statement runs, if requested.

        DuckDB's own progress stays at 0 for statements with many steps. The seconds are counted
        from the opening of the engine, over all statements.
        """
        if self.progress_since is None:
            yield
            return
        completed = Event()
        printer = Thread(target=self._print_progress, args=(self.progress_since, completed))
        printer.start()
        try:
            yield
        finally:
            completed.set()
            printer.join()

    def _print_progress(self, started_at: float, completed: Event) -> None:
        """Print the progress line repeatedly until the statement has completed, then clear it."""
        line, pause = "", max(PACE / 10, started_at + PATIENCE - time.monotonic())
        while not completed.wait(pause):
            previous, pause = line, PACE
            seconds = time.monotonic() - started_at
            line = f"{self._step or 'running'}  {seconds:.0f} s{self.progress_suffix or ''}"
            print(f"\r{line:{len(previous)}}", end="", file=sys.stderr, flush=True)
        if line:
            print(f"\r{' ' * len(line)}\r", end="", file=sys.stderr, flush=True)

    def query(self, sql: str) -> pa.Table | None:
        """Run a query and return an Arrow table, or None without running it: use ``rows``."""
        return None

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a query in the engine's dialect, and return its rows as tuples of Python values."""
        table = self.query(sql)
        if table is None:
            raise NotImplementedError
        return [tuple(row.values()) for row in table.to_pylist()]

    def rows_once(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a query about inputs, like ``rows``; an engine may keep its rows."""
        return self.rows(sql)

    def columns(self, relation: str) -> dict[str, str] | None:
        """Return the columns of a relation in order, with DuckDB's names for their types.

        The relation is the name of a table or view, or a query in parentheses. Types are empty if
        unknown. Without a connection, return None.
        """
        raise NotImplementedError

    def header_names(self, relation: str, names: list[str], table: Any) -> list[str]:
        """Return the names of columns before the engine changed them, if it does."""
        return names

    def is_text(self, relation: str) -> bool:
        """Return whether a relation comes from a text file, so types have to be inferred."""
        return False

    def typed(
        self, relation: str, types: dict[str, str], columns: Mapping[str, bool]
    ) -> tuple[str, dict[str, str], dict[str, str]]:
        """Return the relation with inferred types, the types, and the types of cast columns.

        ``columns`` are the columns to read, each with whether it must be numeric.
        """
        return relation, types, {}

    def locate(self, relation: str, value: str) -> str:
        """Return the file and the line of a value, empty if rows are not lines of text."""
        return ""

    def copy_table(self, relation: str) -> tuple[pa.Table, str] | None:
        """Return a copy of a table that statements can't read, and its select list; else None."""
        return None

    def file(self, path: str, name: str) -> str:
        """Return the SQL that reads a file, glob, folder or several paths, to follow ``from``.

        Raises:
            InputError: The engine does not read files.
        """
        raise InputError(
            f"{name}={path!r} is a file, but {self.dialect} reads only its own tables: load the "
            "file into a table and give the table's name"
        )

    def table(self, value: Any, name: str) -> Any:
        """Convert a Python table to a table that ``naming`` accepts, and that can be read again.

        Raises:
            InputError: The engine does not read Python tables.
        """
        fix = "give the name of a table there"
        if type(value).__module__.startswith("sqlalchemy."):
            fix = "give SQLAlchemy's engine, as in engine=sqlalchemy.create_engine(...)"
        raise InputError(
            f"{name} is a {type(value).__name__}, but {self.dialect} reads only its own tables: "
            f"{fix}"
        )

    def frame_name(self, table: str) -> str:
        """Return the name under which ``naming`` registers a Python table."""
        return table

    def check_writes(self) -> None:
        """Raise an InputError if the engine can't write tables."""
        raise InputError(
            f"to_table() can't write tables with the dialect {self.dialect}: print the statement "
            "with sqlrec.sql, or write a file with to_parquet()"
        )

    def recover(self, table: str) -> None:
        """Restore a table that a killed process left under another name."""

    def stored_columns(self, table: str) -> list[str] | None:
        """Return the columns of a table, None if the table does not exist."""
        try:
            return [*(self.columns(table) or ())]
        except self.error:
            return None

    def write(
        self, table: str, columns: Mapping[str, str], queries: Sequence[str], mode: str
    ) -> None:
        """Write the rows of queries to a table, all or none.

        The table and the names of its columns are quoted. The mode is ``error`` for a new table,
        ``replace`` or ``append``.
        """
        with self.transaction():
            if mode == "replace":
                self.execute(f"drop table {table}")
            for index, query in enumerate(queries):
                is_new = not index and mode != "append"
                self.execute(self.insert(table, columns, query, "create" if is_new else ""))

    def insert(self, table: str, columns: Mapping[str, str], query: str, create: str = "") -> str:
        """Return the statement that inserts a query's rows, or with ``create`` a new table."""
        entries = ", ".join(f"{text} as {name}" for name, text in columns.items())
        word, _, more = create.partition(" ")
        target = f"insert into {table} ({', '.join(columns)})"
        if create:
            target = f"{word} table {table} {more}".rstrip() + " as"
        select = f"select {entries}\nfrom (\n{query}\n) as result"
        return f"{target}\n{select}{statement_ending(self.dialect)}"

    def execute(self, sql: str) -> None:
        """Run a statement without rows."""
        raise NotImplementedError

    def transaction_steps(self) -> list[Callable[[], Any]]:
        """Return the functions that begin, commit and roll back a transaction."""
        return [partial(self.execute, step) for step in ("begin", "commit", "rollback")]

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run statements in a transaction, which rolls back all statements if one fails."""
        begin, commit, rollback = self.transaction_steps()
        begin()
        try:
            yield
        except BaseException:
            with suppress(self.error):  # If the connection is lost, the database has rolled back.
                rollback()
            raise
        commit()

    def refresh(self) -> None:
        """Check the caller's connection before its tables are read."""

    def release(self) -> None:
        """Close the connection that the engine has opened. The next statement opens it again."""

    @contextmanager
    def naming(self, objects: Mapping[str, object]) -> Iterator[None]:
        """Register Python tables under names in a context, for queries."""
        yield


def sibling_name(table: str, suffix: str = "") -> str:
    """Return a table name in the same schema as another table, by default a new name."""
    quote = table[-1] if table[-1] in '`"' else ""
    return f"{table.removesuffix(quote)}_{suffix or os.urandom(8).hex()}{quote}"


class Unconnected(Engine):
    """A dialect without a connection, for statements that are only printed."""

    def __init__(self, dialect: str) -> None:
        check_dialect(dialect)
        self.dialect = dialect

    @property
    def ordered(self) -> bool:
        """Whether the rows of a table have an order, as in DuckDB."""
        return self.dialect == "duckdb"

    def columns(self, relation: str) -> None:
        """Return None, because the columns are unknown."""


# Patterns for the names of types in engines and Arrow, with DuckDB's names.
_KINDS = (
    (r"bool(ean)?", "BOOLEAN"),
    (r"u?(tiny|small|medium|big|huge)?u?int(eger)?\d*|(big)?serial|long|short|byte", "BIGINT"),
    (r"float\d*|double( precision)?|real|halffloat", "DOUBLE"),
    (r"(decimal|numeric|bignumeric|number)\d*", "DECIMAL"),
    (
        r"(large_)?(utf8|string)(_view)?|(n?var|bp)?char(acter)?( varying)?|text|dictionary<.*",
        "VARCHAR",
    ),
    (r"enum\d*", "ENUM"),
    (r"uuid|uniqueidentifier", "UUID"),
    (r"date\d*(\[.*)?", "DATE"),
    (r"(timestamp|datetime).*", "TIMESTAMP"),
    (r"time\d*(\[.*)?", "TIME"),
    (r"extension<arrow\.opaque\[.*numeric.*", "DECIMAL"),
    (r"extension<arrow\.uuid>|uniqueidentifier", "UUID"),
    (r"extension<arrow\.json.*|jsonb?|variant", "JSON"),
)
_WRAPPED = r"(?:nullable|lowcardinality)\((.*)\)"
_LIST = (
    r"(?:large_|fixed_size_)?(?:list|array)[<(](?:item: |element: )?(.*?)( not null)?[>)](\[.*)?"
)


def duckdb_type(name: str) -> str:
    """Return DuckDB's name for a type, empty for the type of nulls."""
    name = name.lower()
    while wrapped := re.fullmatch(_WRAPPED, name):
        name = wrapped[1]
    if entry := re.fullmatch(_LIST, name):
        return duckdb_type(entry[1]) + "[]"
    if re.fullmatch(r"decimal(128)?\(\d+, ?0\)", name):
        return f"DECIMAL({name.partition('(')[2]}"
    base = re.sub(r"\(.*\)$", "", name)
    if base in ("null", "nothing"):
        return ""
    return next((name for pattern, name in _KINDS if re.fullmatch(pattern, base)), base.upper())
