"""DuckDB: files, tables of Python, and tables of a database."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Set
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, finalize

from ..dialects import identifier, text
from ..errors import InputError
from ..shown import warn
from . import files
from .base import Engine
from .column_types import Spelling, first_other, types_of
from .delimited import find_line, has_names, header_line

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

# After how many seconds it is shown that a statement runs, and how often then.
PATIENCE, PACE = 2.0, 1.0

# Units of memory, each 1024 of the one before.
_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB")

# What plans call rows that are there, or read from Parquet; and what chooses some of them.
_SCANS = {"SEQ_SCAN", "TABLE_SCAN", "ARROW_SCAN", "PYTHON_ARROW_SCAN"}
_SCANS |= {"PARQUET_SCAN", "READ_PARQUET"}
_CHOOSING = {"PROJECTION", "FILTER", "UNION"}

# The folders of connections for what the memory does not hold.
_SCRATCH: WeakKeyDictionary[Any, Path] = WeakKeyDictionary()

# What Arrow calls types whose values are the same in Python, from either.
_SIMPLE = {
    **{"VARCHAR": "string", "BOOLEAN": "bool", "DOUBLE": "float64"},
    **{"BIGINT": "int64", "INTEGER": "int32", "SMALLINT": "int16", "TINYINT": "int8"},
}

# How tables of Python become Arrow's: DuckDB's relations, Delta tables, ibis tables and scans of
# pyiceberg.
_AS_ARROW = ("to_arrow_table", "to_pyarrow_table", "to_pyarrow", "to_arrow")


class DuckDB(Engine):
    """DuckDB, in a connection of the caller or in memory.

    Args:
        connection: An open DuckDB connection; None opens one in memory.
        settings: Settings of the one that is opened in memory.
        progress: Whether to say on stderr for how long a statement runs.

    Attributes:
        told: What is said beside, of a statement that is one of several.
        keep: Whether a connection of our own stays open, with the tables in it.

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
        # A connection without settings is opened by the first statement: to print SQL needs none.
        self._connection: duckdb.DuckDBPyConnection | None = connection or (
            connect(settings=settings) if settings else None
        )
        self._settings = dict(settings or {})
        self.progress, self._begun = progress, time.monotonic()
        self.told: object = None
        self.error = duckdb.Error
        self.beside = False
        self.keep = False
        self.files: dict[str, files.FileRows] = {}
        # The spellings of ids in text files, by relation and column.
        self.spellings: dict[str, dict[str, Spelling]] = {}
        self._named: dict[str, Any] = {}

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The connection that statements run in; one of our own is opened again where it rests."""
        if self._connection is None:
            self._connection = connect(settings=self._settings)
        return self._connection

    def look(self) -> None:
        """See whether the caller has a transaction open.

        An error would end it, so statements run beside it.
        """
        self.beside = not self.own and _in_transaction(self.connection)

    def rest(self) -> None:
        """Close a connection of our own, whose threads and memory no call needs for now."""
        if self.own and not self.keep and self._connection is not None:
            self._connection.close()
            self._connection = None
            self._named.clear()

    @property
    def ordered(self) -> bool:
        """Whether the rows of a table have an order, which a setting gives up to save memory."""
        sql = "select current_setting('preserve_insertion_order')"
        return bool(self.connection.execute(sql).fetchall()[0][0])

    @property
    def memory(self) -> float:
        """How many bytes of memory DuckDB may use."""
        sql = "select current_setting('memory_limit')"
        size, unit = self.connection.execute(sql).fetchall()[0][0].split()
        return float(size) * 1024.0 ** _UNITS.index(unit)

    def rereadable(self, relation: str) -> int:
        """Return about how many rows a relation has, by what DuckDB knows without reading them.

        0 where it costs much to read them again: of text files, and of queries that do more than
        to choose rows and columns.
        """
        sql = f"explain (format json) select * from {relation}"
        ((_, plan),) = self.rows(sql)
        return _rereadable(json.loads(plan)[0])

    def query(self, sql: str) -> pa.Table | None:
        """Run a query and return its rows; without PyArrow, return None and run nothing."""
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            return None
        return self._run(lambda: self.connection.sql(sql).to_arrow_table())

    def simple(self, sql: str) -> tuple[list[tuple[Any, ...]], list[str]] | None:
        """Run a query of few rows, without PyArrow, where its types are simple ones."""

        def run() -> tuple[list[tuple[Any, ...]], list[str]] | None:
            relation = self.connection.sql(sql)
            kinds = [_SIMPLE.get(str(kind), "") for kind in relation.types]
            return (relation.fetchall(), kinds) if all(kinds) else None

        found: tuple[list[tuple[Any, ...]], list[str]] | None = self._run(run)
        return found

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a query and return its few rows, without PyArrow."""
        found: list[tuple[Any, ...]] = self._run(lambda: self.connection.execute(sql).fetchall())
        return found

    def columns(self, relation: str) -> dict[str, str]:
        """Return the columns of a relation with their types, in order."""
        found = self.rows(f"describe select * from {relation}")
        # An array is a list of one length.
        return {name: re.sub(r"\[\d+\]", "[]", kind) for name, kind, *_ in found}

    def written(self, relation: str, names: list[str], given: Any) -> list[str]:
        """Return names of columns as they are written.

        DuckDB adds a number to a name that is there already, in whatever case.
        """
        taken = {name.lower() for name in names}
        stems = (re.fullmatch(r"(.+)_\d+", name) for name in names)
        if not any(stem and stem[1].lower() in taken for stem in stems):
            return names
        if given is not None:
            return [*given.schema.names]
        if relation not in self.files:
            return names
        read = self.files[relation]
        found = [[*x] for x in read.headers] or [self._header(file) for file in read.files]
        alike = [[name.lower() for name in one] for one in found]
        if all(len(set(one)) == len(one) for one in alike):
            return names
        if len(found) == 1 and len(found[0]) == len(names):
            return found[0]
        twice = next(one for one in found if len({name.lower() for name in one}) < len(one))
        raise InputError(
            f"{read.files[0]!r} has columns whose names differ in case alone, or not at "
            f"all, {', '.join(sorted(twice))}: rename them"
        )

    def _header(self, file: str) -> list[str]:
        """Return the names of the columns of a file as they stand there; of JSON, in no order."""
        call = files.reader(file, "")
        if call.startswith("read_parquet("):
            import pyarrow.parquet

            return [*pyarrow.parquet.read_schema(file).names]
        lines = call.replace("read_json(", "read_json_objects(").replace(files.ALL_OF_JSON, "")
        keys = self.rows(f"select distinct unnest(json_keys(json)) from {lines}")
        # One more than there are columns: their order is not known.
        return [*(key for (key,) in keys), ""]

    def parts(self) -> list[dict[str, list[str]]]:
        """Return for each input of several files their columns, of the first hundred of them."""
        return [
            {file: [*self.columns(files.reader(file, ""))] for file in read.files[:100]}
            for read in self.files.values()
            if len(read.files) > 1
        ]

    def is_text(self, relation: str) -> bool:
        """Return whether a relation has rows of text, whose types have to be inferred."""
        read = self.files.get(relation)
        return relation.startswith("read_json(") or (read is not None and read.is_text)

    def locate(self, relation: str, value: str) -> str:
        """Return the file and the line that have a value; empty where there are no lines."""
        read = self.files.get(relation)
        if read is None or not read.is_text:
            return ""
        return find_line(read.files, lambda fields: value in fields)

    def typed(
        self, relation: str, types: dict[str, str], columns: Mapping[str, bool]
    ) -> tuple[str, dict[str, str], dict[str, str]]:
        """Return the relation of a text file, its types, and the types that columns are cast to.

        Types of JSON are pinned to those of all its rows. Those of other text are inferred from all
        values of the columns that are read.

        Raises:
            InputError: A line of a text file repeats the header.
        """
        if relation.startswith("read_json("):
            return self._typed_json(relation, types, columns)
        if not self.is_text(relation):
            return relation, types, {}
        texts = {name: numbers for name, numbers in columns.items() if types[name] == "VARCHAR"}
        read = self.files[relation]
        header = {name.lower() for names in read.headers for name in names if has_names([name])}
        found = types_of(self.rows, relation, texts, header, next(iter(types)))
        if found.repeated:
            where = header_line(read.files, [*header])
            shown = " and ".join(
                f"the value {value!r} for {name}" for name, value in found.repeated.items()
            )
            raise InputError(
                f"{where} repeats the header or has a byte order mark, with {shown}: delete it; "
                "files that were joined have such lines"
            )
        if found.comment:
            where = find_line(read.files, lambda fields: fields[0] == found.comment)
            warn(f"{where} is read as a row: delete it if it is a comment")
        self.spellings[relation] = found.spellings
        return relation, types | found.types, found.types

    def _typed_json(
        self, relation: str, types: dict[str, str], columns: Mapping[str, bool]
    ) -> tuple[str, dict[str, str], dict[str, str]]:
        # JSON has numbers and text, and no other type of single values that are written as text.
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
        # A column without a value has the type that it needs.
        without = [
            name for name in mixed if first_other(self.rows, relation, name, "false") is None
        ]
        casts = dict.fromkeys(without, "BIGINT")
        return relation, types | kinds | casts, casts

    def taken(self, relation: str) -> tuple[pa.Table, str] | None:
        """Take the rows of a table out of an open transaction, which no other connection can see.

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

    def check_writes(self) -> None:
        """Check that the caller has a database that keeps tables.

        Raises:
            InputError: Inputs are read in memory, or a transaction is open.
        """
        if self.own:
            raise InputError(
                "to_table() needs a database: give engine=duckdb.connect('shop.duckdb'), or use "
                "to_parquet()"
            )
        self.look()
        if self.beside:
            raise InputError("to_table(): a transaction is open: commit or roll back first")

    def execute(self, sql: str) -> None:
        """Run a statement without rows."""
        self._run(lambda: self.connection.execute(sql))

    def copy(self, sql: str, path: Path) -> None:
        """Write the rows of a query to a Parquet file, without holding them all at once."""
        target = text(str(path), "duckdb")
        self._run(lambda: self.connection.execute(f"copy ({sql}) to {target} (format parquet)"))

    def file(self, path: str, name: str) -> str:
        """Return the SQL that reads a file, a glob, a folder, or several files.

        Raises:
            InputError: A folder's name gives a column that the files have too.
        """
        rows = files.read_files(path, name)
        relation = rows.relation
        self.files[relation] = rows
        keys = set() if isinstance(path, list | tuple) else files.hive_keys(os.fsdecode(path))
        if keys and relation.endswith(")") and not relation.startswith("("):
            plain = relation.replace(", hive_partitioning = true", "")
            with self.naming({}):
                there = self.columns(f"{plain[:-1]}, hive_partitioning = false)")
            for key in sorted(keys & set(there)):
                raise InputError(
                    f"{name}={os.fsdecode(path)!r}: {key!r} is a column of the files and the name "
                    f"of a folder, {key}=...: rename one of them"
                )
        return relation

    def table(self, given: Any, name: str) -> Any:
        """Bring a table of Python into a form that can be read more than once."""
        if hasattr(given, "records"):
            return relation_of(self.connection, given)
        return as_table(given, name)

    def check_table(self, given: Any, name: str) -> None:
        """Refuse what is not a table of Python."""
        check_table(given, name)

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
            with room(self.connection):
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
        """Say on stderr how long ago the work began, while a statement runs long.

        What DuckDB tells of its progress stays at 0 or below for statements of many steps.
        """
        shown, pause = "", PATIENCE
        if self.told:
            # The next of several statements is no other wait.
            pause = max(0.0, self._begun + PATIENCE - time.monotonic())
        try:
            while wait([running], timeout=pause).not_done:
                before, pause = shown, PACE
                shown = f"sqlrec: running for {time.monotonic() - self._begun:.0f} s"
                shown += str(self.told or "")
                print(f"\r{shown:{len(before)}}", end="", file=sys.stderr, flush=True)
        finally:
            if shown:
                print(f"\r{' ' * len(shown)}\r", end="", file=sys.stderr, flush=True)

    @contextmanager
    def naming(self, objects: Mapping[str, Any]) -> Iterator[None]:
        """Let queries see tables of Python by name, and forget the names afterwards.

        A connection of our own forgets them only where others are named, or when it rests: to name
        a table takes as long as a small query.
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
        named = []
        given = self.connection
        if self.beside:
            self._connection = given.cursor()
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
                self._connection = given


def _rereadable(node: Mapping[str, Any]) -> int:
    name, below = node["name"].strip(), [_rereadable(one) for one in node["children"]]
    if below:
        return sum(below) if name in _CHOOSING and all(below) else 0
    rows = node["extra_info"].get("Estimated Cardinality", 0)
    return int(rows) if name in _SCANS else 0


def _in_transaction(connection: duckdb.DuckDBPyConnection) -> bool:
    """Return whether a connection has a transaction open: two statements are then in the same."""
    import duckdb

    sql = "select txid_current()"
    try:
        first, second = (connection.execute(sql).fetchall() for _ in range(2))
    except duckdb.Error:  # It is closed, or the transaction failed: reading will say so.
        return False
    return first == second


def is_motherduck(path: str) -> bool:
    """Return whether a path is a database of MotherDuck's, which no file holds."""
    return path.startswith(("md:", "motherduck:"))


def connect(
    path: str = ":memory:", settings: Mapping[str, Any] | None = None, writes: bool = False
) -> duckdb.DuckDBPyConnection:
    """Open a database. A file is only read, unless ``writes`` is true.

    Without replacement scans a misspelled table can't turn out to be a variable of Python. What
    does not fit into memory goes to a folder of its own among the system's temporary files, which
    goes with the connection, and not to the current folder, as DuckDB has it.

    Raises:
        InputError: DuckDB refuses a setting.
    """
    import duckdb

    if not isinstance(settings or {}, Mapping):
        raise InputError(f"settings={settings!r:.80}: give a dict, as in {{'threads': 2}}")
    only_read = path != ":memory:" and not is_motherduck(path) and not writes
    config: dict[str, Any] = {"python_enable_replacements": False}
    connection = duckdb.connect(path, read_only=only_read, config=config)
    given = {str(name).lower(): value for name, value in (settings or {}).items()}
    if "temp_directory" not in given:
        # First, as others may lock it. Not as a parameter, for which DuckDB 1.4 imports pandas.
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
    """Name a folder for what the memory does not hold, which goes with the connection."""
    import tempfile

    folder = Path(tempfile.gettempdir(), f"sqlrec-{os.urandom(16).hex()}")
    _SCRATCH[connection] = folder
    finalize(connection, _remove, folder, os.getpid())
    return str(folder)


def _remove(folder: Path, process: int) -> None:
    """Remove a folder, if not in a fork of the process that it belongs to."""
    import shutil

    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def room(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Let there be a folder that no other account can look into while a statement runs.

    DuckDB would make one that all can read; and one made before would be left by workers that end
    without notice.

    Raises:
        InputError: Somebody else has made it.
    """
    folder = _SCRATCH.get(connection)
    if folder is None:
        yield
        return
    # Where nothing can be written, a statement that fits into memory runs all the same.
    with suppress(OSError):
        folder.mkdir(0o700, exist_ok=True)
        if folder.is_symlink() or folder.stat().st_uid != getattr(os, "getuid", lambda: 0)():
            raise InputError(
                f"{folder} belongs to another account: name another, "
                "settings={'temp_directory': ...}"
            )
    try:
        yield
    finally:
        # It stays until the connection goes where DuckDB has something there.
        with suppress(OSError):
            folder.rmdir()


def relation_of(connection: duckdb.DuckDBPyConnection, rows: Any) -> Any:
    """Make a relation of sqlrec's own rows, without PyArrow; values tell types that rows do not."""
    kinds = {"string": "varchar", "int64": "bigint", "float64": "double"}
    columns = []
    for place, (name, kind) in enumerate(rows.schema, 1):
        # A type of Arrow equals its name.
        known = next((ours for theirs, ours in kinds.items() if kind == theirs), None)
        value = f"cast(${place} as {known}[])" if known else f"${place}"
        columns.append(f"unnest({value}) as {identifier(name, 'duckdb')}")
    values = [[row[name] for row in rows.records] for name, _ in rows.schema]
    return connection.sql(f"select {', '.join(columns)}", params=values)


def is_held(table: Any) -> bool:
    """Return whether a table of Python is known to be there as often as it is read."""
    module, kind = type(table).__module__.partition(".")[0], type(table).__name__
    known = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "Table|RecordBatch|.*Dataset"}
    return re.fullmatch(known.get(module, ""), kind) is not None


def as_table(given: Any, name: str) -> Any:
    """Bring a table of Python into a form that can be read more than once.

    Raises:
        InputError: It is not a table, or can't be read.
    """
    module, kind = type(given).__module__.partition(".")[0], type(given).__name__
    if module == "pyarrow" and kind.endswith("Dataset"):
        return given
    if kind == "Series":
        raise InputError(f"{name} is a Series: give a frame, as of series.reset_index()")
    return _readable(_arrow_table(given, name, module, kind), name)


def _readable(table: Any, name: str) -> Any:
    """Return an Arrow table in types that DuckDB reads.

    Raises:
        InputError: A column has a type that DuckDB does not read.
    """
    import pyarrow as pa

    if not isinstance(table, pa.Table):
        return table
    for place, column in enumerate(table.schema):
        if column.type == "halffloat":
            table = table.set_column(place, column.name, table[place].cast("float32"))
        elif str(column.type).startswith(("decimal256", "dense_union", "sparse_union")):
            raise InputError(
                f"{name}.{column.name} is {str(column.type).partition('<')[0]}, which DuckDB does "
                "not read: cast it to another type, or leave the column out"
            )
    return table


def _arrow_table(given: Any, name: str, module: str, kind: str) -> Any:
    import pyarrow as pa

    try:
        if module == "pandas" and hasattr(given, "columns"):
            # Levels of the index with a name are columns, as they are in Parquet.
            names = {None, *given.columns}
            if levels := [level for level in given.index.names if level not in names]:
                given = given.reset_index(level=levels)
            columns = [_column(given.iloc[:, place]) for place in range(given.shape[1])]
            return pa.Table.from_arrays(columns, names=[str(name) for name in given.columns])
        if module == "polars" and hasattr(given, "collect"):
            given = given.collect()
        if hasattr(given, "__arrow_c_stream__"):
            return pa.table(given)
        if module == "pyiceberg" and hasattr(given, "scan"):
            given = given.scan()
        for own in _AS_ARROW:
            if hasattr(given, own):
                return getattr(given, own)()
    except Exception as error:
        # Whatever the library raises that the table comes from.
        reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise InputError(f"{name}=<{kind}> can't be read: {reason}") from error
    raise _no_table(given, name)


def check_table(given: Any, name: str) -> None:
    """Refuse what is not a table of Python, by its type alone.

    Raises:
        InputError: It is none.
    """
    streams = ("__arrow_c_stream__", *_AS_ARROW, "collect", "columns", "scanner", "scan")
    if not any(hasattr(given, one) for one in streams):
        raise _no_table(given, name)


def _no_table(given: Any, name: str) -> InputError:
    return InputError(
        f"{name} is a {type(given).__name__}: give a path, a table's name, or a table of pandas, "
        "Polars, PyArrow, DuckDB or with the Arrow C stream interface; sqlrec.adapters has "
        "functions for what other libraries return"
    )


def _column(values: Any) -> Any:
    """Bring a column of pandas into Arrow; where its values are of several types, as text."""
    import pyarrow as pa

    try:
        column = pa.array(values, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        column = None
    kind = None if column is None else str(column.type)
    if kind == "halffloat":
        return column.cast("float32")
    # A set has no order, which a list of Arrow would make up.
    sets = kind is not None and "list<" in kind and any(isinstance(v, Set) for v in values)
    if kind is None or sets or kind.startswith("extension<pandas"):
        missing = values.isna()
        return pa.array(
            [None if gone else str(value) for value, gone in zip(values, missing, strict=True)],
            "string",
        )
    return column
