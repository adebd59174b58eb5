"""DuckDB, which reads files, Python tables and tables of a database."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any
from weakref import finalize

from ..dialects import identifier, text
from ..errors import InputError
from ..options import Settings
from ..safe_text import warn
from . import files
from .base import Engine
from .column_types import IdFormat, find_invalid_value, infer_types
from .delimited import find_line, header_line, is_header
from .python_tables import as_duckdb_table

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

# Units of memory, each 1024 times the previous unit.
_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB")

# Operators of query plans: scans of tables and Parquet, and selections of rows or columns.
_SCANS = {"SEQ_SCAN", "TABLE_SCAN", "ARROW_SCAN", "PYTHON_ARROW_SCAN"}
_SCANS |= {"PARQUET_SCAN", "READ_PARQUET"}
_SELECTIONS = {"PROJECTION", "FILTER", "UNION"}


class DuckDB(Engine):
    """DuckDB, through a connection of the caller or in memory.

    Args:
        connection: An open DuckDB connection; None opens one in memory.
        settings: Settings of a connection in memory; ``secret`` is a dict of options for DuckDB's
            ``create secret``, such as ``{"type": "gcs", "key_id": ..., "secret": ...}``.

    Attributes:
        in_transaction: Whether the caller has a transaction open.
        keep: Whether sqlrec's own connection stays open with its tables.
    """

    dialect = "duckdb"

    def __init__(
        self, connection: duckdb.DuckDBPyConnection | None = None, settings: Settings | None = None
    ) -> None:
        import duckdb

        self.own = connection is None
        # Without settings, the first statement opens the connection. Printing SQL opens none.
        self._connection: duckdb.DuckDBPyConnection | None = connection or (
            open_database(settings=settings) if settings else None
        )
        self._settings = dict(settings or {})
        self.error = duckdb.Error
        self.in_transaction = False
        self.keep = False
        self.files: dict[str, files.FileRows] = {}
        # The formats of ids in text files, by relation and column.
        self.id_formats: dict[str, dict[str, IdFormat]] = {}
        self._named: dict[str, object] = {}
        # Python tables with their converted tables, by id; and the rows of queries about inputs.
        self._converted: dict[int, tuple[Any, Any]] = {}
        self._answers: dict[tuple[Any, ...], tuple[Any, list[tuple[Any, ...]]]] = {}

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The connection for statements. sqlrec's own connection is reopened after a release."""
        if self._connection is None:
            self._connection = open_database(settings=self._settings)
        return self._connection

    def refresh(self) -> None:
        """Check whether a transaction is open: an error would end it, so another cursor is used."""
        self.in_transaction = not self.own and _has_transaction(self.connection)

    def release(self) -> None:
        """Close sqlrec's own connection, to free its threads and memory between calls."""
        if self.own and not self.keep and self._connection is not None:
            self._connection.close()
            self._connection = None
            self._named.clear()

    @property
    def ordered(self) -> bool:
        """Whether the rows of a table have an order, which a setting can turn off."""
        sql = "select current_setting('preserve_insertion_order')"
        return bool(self.connection.execute(sql).fetchall()[0][0])

    @property
    def memory(self) -> float:
        """Memory limit of DuckDB in bytes."""
        sql = "select current_setting('memory_limit')"
        size, unit = self.connection.execute(sql).fetchall()[0][0].split()
        return float(size) * 1024.0 ** _UNITS.index(unit)

    def estimate_fast_rows(self, relation: str) -> int:
        """Return DuckDB's estimate of the number of rows, or 0 if the rows are slow to read."""
        sql = f"explain (format json) select * from {relation}"
        ((_, plan),) = self.rows(sql)
        return _estimate_rows(json.loads(plan)[0])

    def query(self, sql: str) -> pa.Table | None:
        """Run a query and return its rows; without PyArrow, return None without running it."""
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            return None
        return self._run(lambda: self.connection.sql(sql).to_arrow_table())

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a query without PyArrow, and return its few rows."""
        rows: list[tuple[Any, ...]] = self._run(lambda: self.connection.execute(sql).fetchall())
        return rows

    def rows_once(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a query about inputs, which do not change in sqlrec's own connection."""
        if not self.own:
            return self.rows(sql)
        tables = [table for name, table in self._named.items() if name in sql]
        key = (sql, *map(id, tables))
        if key not in self._answers:
            # The original tables are kept, because the id of a deleted object can be used again.
            self._answers[key] = tables, self.rows(sql)
        return self._answers[key][1]

    def columns(self, relation: str) -> dict[str, str]:
        """Return the columns of a relation with their types, in order; inputs are read once."""
        is_input = relation in self._named or relation in self.files
        read = self.rows_once if is_input else self.rows
        columns = read(f"describe select * from {relation}")
        # An array is a list of fixed length.
        return {name: re.sub(r"\[\d+\]", "[]", kind) for name, kind, *_ in columns}

    def header_names(self, relation: str, names: list[str], table: Any) -> list[str]:
        """Return original column names; DuckDB adds numbers to names that differ only in case."""
        lower_names = {name.lower() for name in names}
        stems = (re.fullmatch(r"(.+)_\d+", name) for name in names)
        if not any(stem and stem[1].lower() in lower_names for stem in stems):
            return names
        if table is not None:
            return [*table.schema.names]
        if relation not in self.files:
            return names
        file_rows = self.files[relation]
        headers = [[*header] for header in file_rows.headers]
        headers = headers or [self._header(file) for file in file_rows.files]
        repeated = next(
            (header for header in headers if len({x.lower() for x in header}) < len(header)), None
        )
        if repeated is None:
            return names
        if len(headers) == 1 and len(repeated) == len(names):
            return repeated
        raise InputError(
            f"{file_rows.files[0]!r} has columns with equal names, ignoring case: "
            f"{', '.join(sorted(repeated))}; rename them"
        )

    def _header(self, file: str) -> list[str]:
        """Return the column names in a file, then an empty name for JSON, which has no order."""
        call = files.file_relation(file, "")
        if call.startswith("read_parquet("):
            import pyarrow.parquet

            return [*pyarrow.parquet.read_schema(file).names]
        lines = call.replace("read_json(", "read_json_objects(").replace(files.ALL_OF_JSON, "")
        keys = self.rows_once(f"select distinct unnest(json_keys(json)) from {lines}")
        # An additional empty name marks the order of the names as unknown.
        return [*(key for (key,) in keys), ""]

    def parts(self) -> list[dict[str, list[str]]]:
        """Return the columns of the first hundred files of each input with several files."""
        return [
            {file: [*self.columns(files.file_relation(file, ""))] for file in read.files[:100]}
            for read in self.files.values()
            if len(read.files) > 1
        ]

    def is_text(self, relation: str) -> bool:
        """Return whether a relation comes from a text file, so types have to be inferred."""
        read = self.files.get(relation)
        return relation.startswith("read_json(") or (read is not None and read.is_text)

    def locate(self, relation: str, value: str) -> str:
        """Return the file and the line of a value, empty if rows are not lines of text."""
        read = self.files.get(relation)
        if read is None or not read.is_text:
            return ""
        return find_line(read.files, lambda fields: value in fields)

    def typed(
        self, relation: str, types: dict[str, str], columns: Mapping[str, bool]
    ) -> tuple[str, dict[str, str], dict[str, str]]:
        """Return the relation of a text file, its types, and the types that columns are cast to.

        The types fit all rows; ``columns`` contains whether each column must be numeric.
        """
        if relation.startswith("read_json("):
            return self._typed_json(relation, types, columns)
        if not self.is_text(relation):
            return relation, types, {}
        texts = {name: numbers for name, numbers in columns.items() if types[name] == "VARCHAR"}
        read = self.files[relation]
        header = {name.lower() for names in read.headers for name in names if is_header([name])}
        inferred = infer_types(self.rows_once, relation, texts, header, next(iter(types)))
        if inferred.repeated:
            where = header_line(read.files, [*header])
            values = " and ".join(
                f"the value {value!r} for {name}" for name, value in inferred.repeated.items()
            )
            raise InputError(
                f"{where} repeats the header or has a byte order mark, with {values}: delete the "
                "line or the mark, which remain when files are concatenated"
            )
        if inferred.comment:
            where = find_line(read.files, lambda fields: fields[0] == inferred.comment)
            warn(f"{where} is read as a row: if it is a comment, delete it")
        self.id_formats[relation] = inferred.id_formats
        return relation, types | inferred.types, inferred.types

    def _typed_json(
        self, relation: str, types: dict[str, str], columns: Mapping[str, bool]
    ) -> tuple[str, dict[str, str], dict[str, str]]:
        """Return the relation of JSON files, its types, and the types that columns are cast to."""
        # Dates, times and UUIDs are text in JSON.
        simple = {"JSON", "DATE", "TIMESTAMP", "TIME", "UUID", '"NULL"'}
        kinds = {
            name: "VARCHAR" if kind in simple and (name in columns or kind == '"NULL"') else kind
            for name, kind in types.items()
        }
        pinned = ", ".join(
            f"{identifier(name, 'duckdb')}: {text(kind, 'duckdb')}" for name, kind in kinds.items()
        )
        relation = relation.replace(
            files.ALL_OF_JSON, f", columns = {{{pinned}}}" if kinds else files.ALL_OF_JSON
        )
        mixed = [name for name in columns if types[name] in ("JSON", '"NULL"')]
        # A column without values gets an integer type.
        without = [
            name
            for name in mixed
            if find_invalid_value(self.rows_once, relation, name, "false") is None
        ]
        casts = dict.fromkeys(without, "BIGINT")
        return relation, types | kinds | casts, casts

    def copy_table(self, relation: str) -> tuple[pa.Table, str] | None:
        """Return a table in an open transaction, which other cursors can't see, and its columns.

        An error would end the transaction, so the query first runs outside of it.
        """
        if not self.in_transaction:
            return None
        import duckdb

        rows = f"select * from {relation}"
        with self.naming({}), suppress(duckdb.CatalogException, duckdb.BinderException):
            self._run(lambda: self.connection.execute(f"select max(hash(rows)) from ({rows}) rows"))
        with self._keep_transaction():
            kinds = self.columns(relation)
            copy = self._run(lambda: self.connection.sql(rows).to_arrow_table())
        # Types that Arrow lacks are restored.
        restored = [name for name, kind in kinds.items() if kind in ("HUGEINT", "UHUGEINT", "UUID")]
        columns = {name: identifier(name, "duckdb", stored=True) for name in restored}
        casts = [f"cast({columns[name]} as {kinds[name]}) as {columns[name]}" for name in restored]
        return copy, f"select * replace ({', '.join(casts)})" if casts else ""

    @contextmanager
    def _keep_transaction(self) -> Iterator[None]:
        """Prevent a misspelled name from ending the transaction. DuckDB 2 prevents this itself."""
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

    def check_writes(self) -> None:
        """Check that the caller has a database for tables, and no open transaction."""
        if self.own:
            raise InputError(
                "to_table() needs a database: give engine=duckdb.connect('shop.duckdb'), or use "
                "to_parquet()"
            )
        self.refresh()
        if self.in_transaction:
            raise InputError("to_table(): a transaction is open: commit or roll back first")

    def execute(self, sql: str) -> None:
        """Run a statement without rows."""
        self._run(lambda: self.connection.execute(sql))

    def copy(self, sql: str, path: Path) -> None:
        """Stream the rows of a query to a Parquet file."""
        target = text(str(path), "duckdb")
        self._run(lambda: self.connection.execute(f"copy ({sql}) to {target} (format parquet)"))

    def file(self, path: str, name: str) -> str:
        """Return the SQL that reads a file, a glob, a folder, or several files."""
        rows = files.read_files(path, name)
        relation = rows.relation
        self.files[relation] = rows
        keys = set() if isinstance(path, list | tuple) else files.hive_keys(os.fsdecode(path))
        if keys and relation.endswith(")") and not relation.startswith("("):
            plain = relation.replace(", hive_partitioning = true", "")
            with self.naming({}):
                file_columns = self.columns(f"{plain[:-1]}, hive_partitioning = false)")
            for key in sorted(keys & set(file_columns)):
                raise InputError(
                    f"{name}={os.fsdecode(path)!r}: {key!r} is both a column of the files and a "
                    f"key in a folder name, {key}=...: rename one of them"
                )
        return relation

    def table(self, value: Any, name: str) -> Any:
        """Convert a Python table to a table that can be read more than once."""
        if hasattr(value, "records"):
            return create_relation(self.connection, value)
        if not self.own:
            return as_duckdb_table(value, name)
        if id(value) not in self._converted:
            self._converted[id(value)] = value, as_duckdb_table(value, name)
        return self._converted[id(value)][1]

    def _run(self, work: Callable[[], Any]) -> Any:
        """Run work in another thread, so Ctrl-C interrupts DuckDB immediately."""
        running: Future[Any] = Future()

        def run() -> None:
            if running.set_running_or_notify_cancel():
                try:
                    running.set_result(work())
                except BaseException as error:
                    running.set_exception(error)

        # The connection is opened before the thread starts, so it can be interrupted.
        connection = self.connection
        try:
            Thread(target=run).start()
            with self.show_progress():
                return running.result()
        except KeyboardInterrupt:
            # DuckDB ignores an interrupt before the statement runs, so the interrupt is repeated.
            while not (running.cancel() or running.done()):
                connection.interrupt()
                wait([running], timeout=0.1)
            raise

    def frame_name(self, table: str) -> str:
        """Return a name that no table of the caller has, and that is equal in each call."""
        return table if self.own else f"sqlrec_frame_{table}"

    @contextmanager
    def naming(self, objects: Mapping[str, object]) -> Iterator[None]:
        """Register Python tables under names for queries, and remove the names at the end.

        sqlrec's own connection keeps the names until other tables are registered or the connection
        is released, because registering a table takes as long as a small query.
        """
        if self.own:
            for name in [*self._named]:
                if self._named[name] is not objects.get(name):
                    self.connection.unregister(name)
                    del self._named[name]
            for name, table in objects.items():
                if name not in self._named:
                    self.connection.register(name, table)
                    self._named[name] = table
            yield
            return
        registered_names = []
        connection = self.connection
        if self.in_transaction:
            self._connection = connection.cursor()
        try:
            for name, table in objects.items():
                self.connection.register(name, table)
                registered_names.append(name)
            yield
        finally:
            for name in registered_names:
                # If a transaction has failed since then, it has removed the names.
                with suppress(self.error):
                    self.connection.unregister(name)
            if self.in_transaction:
                self.connection.close()
                self._connection = connection


def _estimate_rows(node: Mapping[str, Any]) -> int:
    name, inputs = node["name"].strip(), [_estimate_rows(child) for child in node["children"]]
    if inputs:
        return sum(inputs) if name in _SELECTIONS and all(inputs) else 0
    rows = node["extra_info"].get("Estimated Cardinality", 0)
    return int(rows) if name in _SCANS else 0


def _has_transaction(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether a connection has a transaction open: two statements then have the same id."""
    import duckdb

    sql = "select txid_current()"
    try:
        first, second = (connection.execute(sql).fetchall() for _ in range(2))
    except duckdb.Error:  # The connection is closed, or its transaction failed.
        return False
    return first == second


_MOTHERDUCK = ("md:", "motherduck:")


def is_database_address(path: str) -> bool:
    """Return whether a path names a database of MotherDuck or DuckLake instead of a file."""
    return path.startswith((*_MOTHERDUCK, "ducklake:"))


def open_database(
    path: str = ":memory:", settings: Settings | None = None, writes: bool = False
) -> duckdb.DuckDBPyConnection:
    """Open a database. A file is opened read-only unless ``writes`` is true.

    Replacement scans are off, so a misspelled table is not read from a Python variable. Data that
    does not fit into memory is written to a private folder in the system's temporary folder, which
    is removed with the connection.
    """
    import tempfile

    import duckdb

    if not isinstance(settings or {}, Mapping):
        raise InputError(f"settings={settings!r:.80}: give a dict, as in {{'threads': 2}}")
    only_read = not path.startswith((":memory:", *_MOTHERDUCK)) and not writes
    config: dict[str, Any] = {"python_enable_replacements": False}
    connection = duckdb.connect(path, read_only=only_read, config=config)
    options = {str(name).lower(): value for name, value in (settings or {}).items()}
    # On a read-only system, statements that fit into memory still run.
    with suppress(OSError):
        if "temp_directory" not in options:
            folder = tempfile.mkdtemp(prefix="sqlrec-")
            finalize(connection, _remove_folder, folder, os.getpid())
            # This setting comes first, since later settings may lock it. It is not passed as a
            # parameter, because DuckDB 1.4 then imports pandas.
            connection.execute(f"set temp_directory = {text(folder, 'duckdb')}")
    for name, value in options.items():
        value = os.fspath(value) if isinstance(value, os.PathLike) else value
        try:
            if name == "secret" and isinstance(value, Mapping):
                secret = (
                    f"{identifier(x, 'duckdb')} {text(str(value[x]), 'duckdb')}" for x in value
                )
                connection.execute(f"create secret ({', '.join(secret)})")
            else:
                connection.execute(f"set {identifier(name, 'duckdb')} = ?", [value])
        except duckdb.Error as error:
            # The value may be a password.
            raise InputError(
                f"settings: DuckDB rejects {name}: {' '.join(str(error).split())}"
            ) from error
    return connection


def _remove_folder(folder: str, process: int) -> None:
    """Remove a folder, unless this is a fork of the process that created it."""
    import shutil

    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


def create_relation(connection: duckdb.DuckDBPyConnection, rows: Any) -> Any:
    """Return a relation with sqlrec's own rows, without PyArrow. Missing types are inferred."""
    # PyArrow treats a type and its name as equal.
    kinds = (("string", "varchar"), ("int64", "bigint"), ("float64", "double"))
    columns = []
    for index, (name, kind) in enumerate(rows.schema, 1):
        cast = next((sql for arrow_name, sql in kinds if kind == arrow_name), None)
        value = f"cast(${index} as {cast}[])" if cast else f"${index}"
        columns.append(f"unnest({value}) as {identifier(name, 'duckdb')}")
    values = [[row[name] for row in rows.records] for name, _ in rows.schema]
    return connection.sql(f"select {', '.join(columns)}", params=values)
