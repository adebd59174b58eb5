"""Where SQL runs. An engine answers a query with an Arrow table; rows of inputs stay inside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import InputError

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

# Names that every engine takes as they are; all others are quoted.
_PLAIN = ("user_id", "item_id", "score", "relevance", "model")


class DuckDB:
    """DuckDB, in a connection of the caller or in memory.

    Args:
        connection: An open DuckDB connection; None opens one in memory.
    """

    dialect = "duckdb"

    def __init__(self, connection: duckdb.DuckDBPyConnection | None = None) -> None:
        import duckdb

        if connection is not None and not isinstance(connection, duckdb.DuckDBPyConnection):
            raise InputError(
                f"engine={connection!r:.80}: an engine is a DuckDB connection, "
                "as duckdb.connect() returns it"
            )
        self.own = connection is None
        self.connection = connection or connect()
        self.error = duckdb.Error

    def query(self, sql: str) -> pa.Table:
        """Run a query and return its rows."""
        return self._run(lambda: self.connection.sql(sql).to_arrow_table())

    def columns(self, relation: str) -> dict[str, str]:
        """Return the columns of a relation with their types, in order."""
        found = self.connection.sql(f"describe select * from {relation}").fetchall()
        return {name: kind for name, kind, *_ in found}

    def copy(self, sql: str, path: Path) -> None:
        """Write the rows of a query to a Parquet file, without holding them all at once."""
        target = text(str(path))
        self._run(lambda: self.connection.execute(f"copy ({sql}) to {target} (format parquet)"))

    def _run(self, work: Callable[[], Any]) -> Any:
        """Run work in a thread of its own: DuckDB hears Ctrl-C at once only from another thread."""
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(work)
            try:
                return running.result()
            except KeyboardInterrupt:
                self.connection.interrupt()
                raise

    @contextmanager
    def naming(self, objects: Mapping[str, Any]) -> Iterator[None]:
        """Let queries see tables of Python by name, and forget the names afterwards."""
        named = []
        try:
            for name, table in objects.items():
                self.connection.register(name, table)
                named.append(name)
            yield
        finally:
            for name in named:
                # In a transaction that failed the names are gone already.
                with suppress(self.error):
                    self.connection.unregister(name)


def connect(path: str = ":memory:") -> duckdb.DuckDBPyConnection:
    """Open a database, a file to be read only.

    Without replacement scans a misspelled table can't turn out to be a variable of Python.
    """
    import duckdb

    return duckdb.connect(
        path, read_only=path != ":memory:", config={"python_enable_replacements": False}
    )


def identifier(name: str) -> str:
    """Write the name of a column or table."""
    return name if name in _PLAIN else '"' + _line(name).replace('"', '""') + '"'


def text(value: str) -> str:
    """Write a text constant."""
    return "'" + _line(value).replace("'", "''") + "'"


def _line(name: str) -> str:
    """Refuse a name of more than one line: the layout of a statement would change it."""
    if re.search(r"[\x00-\x1f\x7f\u0085\u2028\u2029]", name):
        raise InputError(f"{name!r} has a line break or another control character: rename it")
    return name
