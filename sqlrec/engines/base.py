"""What every engine can do."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from ..dialects import check_dialect
from ..errors import InputError
from ..rendering.templates import ending

if TYPE_CHECKING:
    import pyarrow as pa


class Engine:
    """A database that runs SQL: subclass it for one that sqlrec does not know.

    Pass an object of the subclass as ``engine=``. A subclass has to define ``dialect``, ``rows``
    and ``columns``; inputs are then names of its tables.

    Attributes:
        dialect: The SQL dialect that it reads, one of those that ``sqlrec.sql`` writes.
        own: Whether it belongs to sqlrec alone, so that plots may load results into it.
        error: The exception that it raises.
    """

    dialect: str
    own = False
    error: type[Exception] = Exception

    @property
    def ordered(self) -> bool:
        """Whether the rows of a table have an order."""
        return False

    def query(self, sql: str) -> pa.Table | None:
        """Run a query and return an Arrow table.

        Args:
            sql: The statement, in the engine's dialect.

        Returns:
            A PyArrow table. None, and nothing has run, if there is no PyArrow; ``rows`` is then
            called.
        """
        return None

    def simple(self, sql: str) -> tuple[list[tuple[Any, ...]], list[str]] | None:
        """Run a query; return its rows as Python values, and what Arrow calls the types of columns.

        Where one has a type that its values do not tell, return None and run nothing.
        """
        return None

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a query and return its rows as Python values.

        Args:
            sql: The statement, in the engine's dialect.

        Returns:
            A list of tuples, a value for each column of the query, in order.
        """
        table = self.query(sql)
        if table is None:
            raise NotImplementedError
        return [tuple(row.values()) for row in table.to_pylist()]

    def columns(self, relation: str) -> dict[str, str] | None:
        """Return the columns of a relation in order, with their types as DuckDB names them.

        Args:
            relation: The name of a table or view, or a query in brackets.

        Returns:
            Types by column name; a type is empty if the engine does not tell it. None if there is
            no connection.
        """
        raise NotImplementedError

    def written(self, relation: str, names: list[str], given: Any) -> list[str]:
        """Return the names of a relation's columns as they are written where it comes from.

        Args:
            relation: The relation.
            names: Its columns, as the engine calls them.
            given: The table of Python, if it is one.
        """
        return names

    def typed(
        self, relation: str, types: dict[str, str], columns: Mapping[str, bool]
    ) -> tuple[str, dict[str, str], dict[str, str]]:
        """Tell types where they are not stored.

        Args:
            relation: The relation.
            types: The types of its columns.
            columns: Columns that are read, and whether they are to hold numbers.

        Returns:
            The relation, the types of its columns, and of these the ones that its text is cast to.
        """
        return relation, types, {}

    def is_text(self, relation: str) -> bool:
        """Return whether a relation has rows of text, whose types have to be inferred."""
        return False

    def locate(self, relation: str, value: str) -> str:
        """Return the file and the line that have a value; empty where there are no lines.

        Args:
            relation: The SQL that reads the rows.
            value: The value, as a text file has it.
        """
        return ""

    def file(self, path: str, name: str) -> str:
        """Write the SQL that reads files at a path.

        Args:
            path: A file, a glob or a folder; or a ``sqlrec.File``, or several paths.
            name: The name of the input, for messages.

        Returns:
            A relation, to stand after ``from``.

        Raises:
            InputError: The engine reads no files.
        """
        raise InputError(
            f"{name}={path!r} is a file, and rows stay in {self.dialect}: load it into a table and "
            "give the table's name"
        )

    def table(self, given: Any, name: str) -> Any:
        """Bring a table of Python into a form that ``naming`` takes.

        Args:
            given: A table of pandas, Polars, PyArrow or another library; or a small table of
                sqlrec's own, with ``column_names`` and ``to_pylist()``.
            name: The name of the input, for messages.

        Returns:
            A table that can be read more than once.

        Raises:
            InputError: The engine takes no tables of Python.
        """
        raise InputError(
            f"{name} is a {type(given).__name__}, and rows stay in {self.dialect}: give the name "
            "of a table there"
        )

    def check_table(self, given: Any, name: str) -> None:
        """Refuse what ``table`` refuses, without reading it.

        Args:
            given: The table.
            name: The name of the input, for messages.

        Raises:
            InputError: As in ``table``.
        """
        self.table(given, name)

    def check_writes(self) -> None:
        """Check that the engine writes tables.

        Raises:
            InputError: It writes none.
        """
        raise InputError(
            f"to_table() writes no tables of {self.dialect}: print the statement with sqlrec.sql, "
            "or use to_parquet()"
        )

    def stored_columns(self, table: str) -> list[str] | None:
        """Return the columns of a table; None if there is no such table."""
        try:
            return [*(self.columns(table) or ())]
        except self.error:
            return None

    def write(
        self, table: str, columns: Mapping[str, str], queries: Sequence[str], mode: str
    ) -> None:
        """Write the rows of queries to a table, all or none.

        Args:
            table: The table, quoted.
            columns: The expressions of the columns of the queries, by quoted name.
            queries: The queries, which have the same columns.
            mode: ``error`` for a new table, ``replace`` or ``append``.
        """
        with self.transaction():
            if mode == "replace":
                self.execute(f"drop table {table}")
            for place, query in enumerate(queries):
                is_new = not place and mode != "append"
                self.execute(self.insert(table, columns, query, "create" if is_new else ""))

    def insert(self, table: str, columns: Mapping[str, str], query: str, create: str = "") -> str:
        """Return the statement that creates a table with the rows of a query, or inserts them.

        Args:
            table: The table, quoted.
            columns: The expressions of its columns, by quoted name.
            query: The query.
            create: ``create``, with what follows the name of the table; empty to insert.
        """
        entries = ", ".join(f"{text} as {name}" for name, text in columns.items())
        word, _, more = create.partition(" ")
        target = (
            f"{word} table {table} {more}".rstrip() + " as"
            if create
            else (f"insert into {table} ({', '.join(columns)})")
        )
        return f"{target}\nselect {entries}\nfrom (\n{query}\n) as result{ending(self.dialect)}"

    def execute(self, sql: str) -> None:
        """Run a statement without rows."""
        raise NotImplementedError

    def transaction_steps(self) -> list[Callable[[], Any]]:
        """Return what begins, commits and rolls back a transaction."""
        return [partial(self.execute, step) for step in ("begin", "commit", "rollback")]

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run statements together: all of them, or none if one fails."""
        begin, commit, rollback = self.transaction_steps()
        begin()
        try:
            yield
        except BaseException:
            rollback()
            raise
        commit()

    def look(self) -> None:
        """See anew in what state the caller's connection is, before its tables are read."""

    def rest(self) -> None:
        """Give back what the engine itself has opened, until the next statement."""

    def taken(self, relation: str) -> tuple[pa.Table, str] | None:
        """Return the rows of a table that statements can't read where it is, and how to read them.

        Args:
            relation: The name of the table.

        Returns:
            The rows, and the SQL before ``from`` that reads them, empty for all columns as they
            are. None if statements can read the table.
        """
        return None

    @contextmanager
    def naming(self, objects: Mapping[str, Any]) -> Iterator[None]:
        """Let queries see tables of Python by name, and forget the names afterwards.

        Args:
            objects: What ``table`` returned, by the names that statements use.

        Returns:
            A context manager: the names are known while it is open.
        """
        yield


def sibling_name(table: str) -> str:
    """Return a new name of a table next to another, in the same schema."""
    quote = table[-1] if table[-1] in '`"' else ""
    return f"{table.removesuffix(quote)}_{os.urandom(8).hex()}{quote}"


class Unconnected(Engine):
    """A dialect alone: for statements that somebody else runs, over tables that are not seen."""

    def __init__(self, dialect: str) -> None:
        check_dialect(dialect)
        self.dialect = dialect

    @property
    def ordered(self) -> bool:
        """Whether the rows of a table have an order."""
        return self.dialect == "duckdb"

    def columns(self, relation: str) -> None:
        """Tell nothing."""


# Types as engines and Arrow spell them, and as DuckDB does.
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


def kind(name: str) -> str:
    """Return the type of a column as DuckDB calls it; empty for one that is not known."""
    name = name.lower()
    while wrapped := re.fullmatch(_WRAPPED, name):
        name = wrapped[1]
    if entry := re.fullmatch(_LIST, name):
        return kind(entry[1]) + "[]"
    if re.fullmatch(r"decimal(128)?\(\d+, ?0\)", name):
        return f"DECIMAL({name.partition('(')[2]}"
    base = re.sub(r"\(.*\)$", "", name)
    if base in ("null", "nothing"):
        return ""
    return next((ours for theirs, ours in _KINDS if re.fullmatch(theirs, base)), base.upper())
