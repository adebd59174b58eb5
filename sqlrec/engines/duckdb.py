"""DuckDB: files, tables of Python, and tables of a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import files
from ..errors import InputError
from ..names import text
from .base import Engine

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa


class DuckDB(Engine):
    """DuckDB, in a connection of the caller or in memory.

    Args:
        connection: An open DuckDB connection; None opens one in memory.
    """

    dialect = "duckdb"

    def __init__(self, connection: duckdb.DuckDBPyConnection | None = None) -> None:
        import duckdb

        self.own = connection is None
        self.connection = connection or connect()
        self.error = duckdb.Error

    def query(self, sql: str) -> pa.Table:
        """Run a query and return its rows."""
        return self._run(lambda: self.connection.sql(sql).to_arrow_table())

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a query and return its few rows, without PyArrow."""
        found: list[tuple[Any, ...]] = self._run(lambda: self.connection.execute(sql).fetchall())
        return found

    def columns(self, relation: str) -> dict[str, str]:
        """Return the columns of a relation with their types, in order."""
        found = self.connection.sql(f"describe select * from {relation}").fetchall()
        return {name: kind for name, kind, *_ in found}

    def copy(self, sql: str, path: Path) -> None:
        """Write the rows of a query to a Parquet file, without holding them all at once."""
        target = text(str(path), "duckdb")
        self._run(lambda: self.connection.execute(f"copy ({sql}) to {target} (format parquet)"))

    def file(self, path: str, name: str) -> str:
        """Write the call that reads a file, a glob or a folder."""
        return files.reader(path, name)

    def table(self, given: Any, name: str) -> Any:
        """Bring a table of Python into a form that can be read more than once."""
        return _as_table(given, name)

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


def _as_table(given: Any, name: str) -> Any:
    """Bring a table of Python into a form that can be read more than once."""
    kind = type(given).__module__.partition(".")[0]
    if kind == "polars" and hasattr(given, "collect"):
        given = given.collect()
    if kind == "pandas" and hasattr(given, "columns"):
        return given
    if kind == "pyarrow" and type(given).__name__.endswith("Dataset"):
        return given
    if hasattr(given, "__arrow_c_stream__"):
        import pyarrow as pa

        try:
            return pa.table(given)
        except (pa.ArrowException, TypeError) as error:
            raise InputError(f"{name} is a {type(given).__name__} and no table: {error}") from error
    if hasattr(given, "to_arrow_table"):
        return given.to_arrow_table()
    raise InputError(
        f"{name} is a {type(given).__name__}: give a path, a table's name, or a table of pandas, "
        "Polars, PyArrow, DuckDB or with the Arrow C stream interface"
    )
