"""DuckDB: files, tables of Python, and tables of a database."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from .. import files
from ..errors import InputError
from ..names import identifier, text
from .base import Engine

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

# After how many seconds it is shown that a statement runs, and how often then.
PATIENCE, PACE = 2.0, 1.0


class DuckDB(Engine):
    """DuckDB, in a connection of the caller or in memory.

    Args:
        connection: An open DuckDB connection; None opens one in memory.
        settings: Settings of the one that is opened in memory.
        progress: Whether to say on stderr for how long a statement runs.

    Raises:
        InputError: DuckDB refuses a setting.
    """

    dialect = "duckdb"

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection | None = None,
        settings: Mapping[str, Any] | None = None,
        progress: bool = False,
    ) -> None:
        import duckdb

        self.own = connection is None
        self.connection = connection or connect(settings=settings)
        self.progress = progress
        self.error = duckdb.Error

    @property
    def ordered(self) -> bool:
        """Whether the rows of a table have an order, which a setting gives up to save memory."""
        sql = "select current_setting('preserve_insertion_order')"
        return bool(self.connection.execute(sql).fetchall()[0][0])

    def query(self, sql: str) -> pa.Table:
        """Run a query and return its rows."""
        return self._run(lambda: self.connection.sql(sql).to_arrow_table())

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a query and return its few rows, without PyArrow."""
        found: list[tuple[Any, ...]] = self._run(lambda: self.connection.execute(sql).fetchall())
        return found

    def columns(self, relation: str) -> dict[str, str]:
        """Return the columns of a relation with their types, in order."""
        sql = f"describe select * from {relation}"
        found = self._run(lambda: self.connection.sql(sql).fetchall())
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
        running: Future[Any] = Future()

        def run() -> None:
            if running.set_running_or_notify_cancel():
                try:
                    running.set_result(work())
                except BaseException as error:
                    running.set_exception(error)

        try:
            Thread(target=run).start()
            if self.progress:
                self._show(running)
            return running.result()
        except KeyboardInterrupt:
            # Before a statement runs DuckDB hears nothing, so it is told until it has.
            while not (running.cancel() or running.done()):
                self.connection.interrupt()
                wait([running], timeout=0.1)
            raise

    def _show(self, running: Future[Any]) -> None:
        """Say on stderr for how long a statement runs, while it does.

        What DuckDB tells of its progress stays at 0 or below for statements of many steps.
        """
        begun, shown, pause = time.monotonic(), "", PATIENCE
        try:
            while wait([running], timeout=pause).not_done:
                shown, pause = f"sqlrec: running for {time.monotonic() - begun:.0f} s", PACE
                print(f"\r{shown}", end="", file=sys.stderr, flush=True)
        finally:
            if shown:
                print(f"\r{' ' * len(shown)}\r", end="", file=sys.stderr, flush=True)

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


def connect(
    path: str = ":memory:", settings: Mapping[str, Any] | None = None
) -> duckdb.DuckDBPyConnection:
    """Open a database, a file to be read only.

    Without replacement scans a misspelled table can't turn out to be a variable of Python. What
    does not fit into memory goes to a folder of its own among the system's temporary files, which
    goes with the connection, and not to the current folder, as DuckDB has it.

    Raises:
        InputError: DuckDB refuses a setting.
    """
    import duckdb

    if not isinstance(settings or {}, Mapping):
        raise InputError(f"settings={settings!r:.80}: give a dict, as in {{'threads': 2}}")
    connection = duckdb.connect(
        path, read_only=path != ":memory:", config={"python_enable_replacements": False}
    )
    given = {str(name).lower(): value for name, value in (settings or {}).items()}
    if "temp_directory" not in given:
        # First, as others may lock it. Where nothing can be written, nothing is to be set either.
        # Not as a parameter, for which DuckDB 1.4 imports pandas.
        with suppress(OSError):
            connection.execute(f"set temp_directory = {text(_scratch(connection), 'duckdb')}")
    for name, value in given.items():
        value = os.fspath(value) if isinstance(value, os.PathLike) else value
        try:
            connection.execute(f"set {identifier(name, 'duckdb')} = ?", [value])
        except duckdb.Error as error:
            # The value may be a password.
            raise InputError(
                f"settings: DuckDB refuses {name}: {' '.join(str(error).split())}"
            ) from error
    return connection


def _scratch(connection: duckdb.DuckDBPyConnection) -> str:
    """Make a folder that nobody else can look into, and that goes with the connection."""
    import shutil
    import tempfile
    import weakref

    folder = tempfile.mkdtemp(prefix="sqlrec-")
    weakref.finalize(connection, shutil.rmtree, folder, ignore_errors=True)
    return folder


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
