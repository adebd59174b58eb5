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
        # An error would end a transaction of the caller's, so statements run beside it.
        self.beside = connection is not None and _in_transaction(connection)

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

    def taken(self, relation: str) -> tuple[pa.Table, str] | None:
        """Take the rows of a table out of an open transaction, which nobody else can see.

        What stops here would end the transaction, so it is tried outside it first.
        """
        if not self.beside:
            return None
        import duckdb

        rows = f"select * from {relation}"
        with self.naming({}), suppress(duckdb.CatalogException, duckdb.BinderException):
            self._run(lambda: self.connection.execute(f"select max(hash(rows)) from ({rows}) rows"))
        with self._forgiving():
            kinds = self.columns(relation)
            found = self._run(lambda: self.connection.sql(rows).to_arrow_table())
        # What Arrow has no type for comes back as it was.
        kept = [name for name, kind in kinds.items() if kind in ("HUGEINT", "UHUGEINT", "UUID")]
        columns = {name: identifier(name, "duckdb", stored=True) for name in kept}
        casts = [f"cast({own} as {kinds[name]}) as {own}" for name, own in columns.items()]
        return found, f"select * replace ({', '.join(casts)})" if casts else ""

    @contextmanager
    def _forgiving(self) -> Iterator[None]:
        """Let a misspelled name not end the transaction, as it does from DuckDB 2 on."""
        setting = "current_transaction_invalidation_policy"
        before = self.connection.execute(
            f"select value from duckdb_settings() where name = '{setting}'"
        ).fetchall()
        if before:
            self.connection.execute(f"set {setting} = 'SYNTACTIC_ERRORS_DO_NOT_INVALIDATE'")
        try:
            yield
        finally:
            if before:
                self.connection.execute(f"set {setting} = '{before[0][0]}'")

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
        given = self.connection
        if self.beside:
            self.connection = given.cursor()
        try:
            for name, table in objects.items():
                self.connection.register(name, table)
                named.append(name)
            yield
        finally:
            for name in named:
                # In a transaction that was begun since and failed the names are gone already.
                with suppress(self.error):
                    self.connection.unregister(name)
            if self.beside:
                self.connection.close()
                self.connection = given


def _in_transaction(connection: duckdb.DuckDBPyConnection) -> bool:
    """Say whether a connection has a transaction open: two statements are then in the same."""
    import duckdb

    sql = "select txid_current()"
    try:
        first, second = (connection.execute(sql).fetchall() for _ in range(2))
    except duckdb.Error:  # It is closed, or the transaction failed: reading will say so.
        return False
    return first == second


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
