"""What people have where their tables are, as ``engine=`` and ``--engine`` take it."""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError, not_installed
from ..shown import hidden
from .base import Engine
from .duckdb import DuckDB, is_motherduck
from .files import ending, is_path

TAKEN = (
    "an engine is a DuckDB connection, a file of DuckDB or SQLite, md:..., a SparkSession, a PEP "
    "249 or ADBC connection as psycopg.connect() returns it, an SQLAlchemy engine, connection or "
    "session, an ibis backend, 'spark', or a URL as postgresql://..."
)


def open_engine(
    given: Any, settings: Mapping[str, Any] | None = None, progress: bool = False
) -> Engine:
    """Return the engine of a connection; DuckDB in memory, with settings, for None.

    What is opened here, for a path or a URL, is closed with the engine; what is given stays open.

    Raises:
        InputError: It is none of what is taken, it can't be opened, or is given with settings;
            DuckDB refuses a setting.
    """
    if settings and given is not None:
        raise InputError(
            "settings and engine: give one; settings are those of the DuckDB in memory"
        )
    if isinstance(given, Engine):
        return given
    if given is None:
        return DuckDB(None, settings, progress)
    holder = opened(given) if isinstance(given, (str, Path)) else given
    # The holder lives as long as the engine: what it lends goes back with it.
    layers = [*_layers(holder)]
    engine = _engine(layers[-1], given, progress)
    if isinstance(given, (str, Path)) and given != "spark":
        weakref.finalize(engine, holder.close)
    elif len(layers) > 1:
        weakref.finalize(engine, layers.clear)
    return engine


def _engine(connection: Any, given: Any, progress: bool) -> Engine:
    shown = f"{hidden(repr(given)):.80}"
    if type(connection).__name__ == "DuckDBPyConnection":
        return DuckDB(connection, None, progress)
    # Spark Connect's session is a class of its own, with the same name.
    if type(connection).__name__ == "SparkSession":
        from .spark import Spark

        return Spark(connection)
    if any("async" in name.lower() for name in _names(connection)):
        raise InputError(f"engine={shown}: an async connection; give the driver's other kind")
    if hasattr(connection, "cursor"):
        from .dbapi import DBAPI

        return DBAPI(connection)
    raise InputError(f"engine={shown}: {TAKEN}")


# What has a connection inside, by its class, and how to take it out.
_INSIDE: dict[str, Callable[[Any], Any]] = {
    "sqlalchemy.orm.session.Session": lambda session: session.connection(),
    "sqlalchemy.orm.scoping.scoped_session": lambda session: session.connection(),
    "sqlalchemy.engine.base.Engine": lambda engine: engine.raw_connection(),
    "sqlalchemy.engine.base.Connection": lambda connection: connection.connection,
    "sqlalchemy.pool.base._ConnectionFairy": lambda lent: lent.driver_connection,
    "ibis.backends.BaseBackend": lambda backend: getattr(backend, "_session", 0) or backend.con,
    # DuckDB's module, which has a connection of its own.
    "builtins.module": lambda module: getattr(module, "default_connection", lambda: None)(),
}


def _layers(given: Any) -> Iterable[Any]:
    """Return what is given and what is inside of it, down to the driver's own connection."""
    yield given
    inside = next((_INSIDE[name] for name in _names(given) if name in _INSIDE), None)
    is_cursor = hasattr(given, "fetchall") and not hasattr(given, "cursor")
    if inside is None and is_cursor and hasattr(given, "connection"):
        inside = lambda cursor: cursor.connection  # noqa: E731
    if inside:
        yield from _layers(inside(given))


def _names(given: Any) -> list[str]:
    return [f"{base.__module__}.{base.__qualname__}" for base in type(given).__mro__]


def session_of(given: Mapping[str, Any]) -> Any:
    """Return the session of the Spark frames among inputs; None where there are none.

    Raises:
        InputError: There are several sessions.
    """
    sessions = {id(session): session for session in map(_session, _tables(given.values()))}
    sessions.pop(id(None), None)
    if len(sessions) > 1:
        raise InputError("the Spark frames belong to several sessions: give frames of one")
    return next(iter(sessions.values()), None)


def of_ibis(given: Mapping[str, Any], engine: Any) -> tuple[dict[str, Any], Any]:
    """Return inputs with queries in place of ibis tables, and the backend where these run.

    Rows stay there where no table or file is of another place. Otherwise they are read.
    """
    tables = [one for one in _tables(given.values()) if not isinstance(one, str | None)]
    if not tables or any("ibis.expr.types.relations.Table" not in _names(one) for one in tables):
        return {**given}, engine
    from ibis.expr.operations import InMemoryTable

    backends = {id(one): one for table in tables for one in table._find_backends()[0]}
    paths = any(isinstance(one, str) and is_path(one) for one in _tables(given.values()))
    backend: Any = next(iter(backends.values()), None)
    elsewhere = paths if engine is None else engine is not backend
    in_memory = any(table.op().find(InMemoryTable) for table in tables)
    if len(backends) != 1 or elsewhere or in_memory:
        return {**given}, engine

    def query(one: Any) -> Any:
        if isinstance(one, Mapping):
            return {name: query(table) for name, table in one.items()}
        return one if isinstance(one, str | None) else f"({backend.compile(one)})"

    return {name: query(one) for name, one in given.items()}, backend


def _session(table: Any) -> Any:
    is_frame = type(table).__module__.startswith("pyspark.") and hasattr(table, "sparkSession")
    return table.sparkSession if is_frame else None


def _tables(given: Iterable[Any]) -> Iterable[Any]:
    for table in given:
        yield from _tables(table.values()) if isinstance(table, Mapping) else (table,)


def path_of(address: str | Path) -> str | None:
    """Return the path of a DuckDB database; None where an address is that of another engine."""
    address = str(address)
    if address.startswith("duckdb:///"):
        return address.removeprefix("duckdb:///")
    return None if address == "spark" or "://" in address else address


def opened(
    address: str | Path, settings: Mapping[str, Any] | None = None, writes: bool = False
) -> Any:
    """Open a connection to what a path or a URL names; settings are of DuckDB.

    Files of databases are only read, unless ``writes`` is true.

    Raises:
        InputError: It can't be opened, or its driver is not installed.
    """
    path, address = path_of(address), str(address)
    if path is not None:
        return _duckdb(path, settings, writes)
    if address == "spark":
        return _spark()
    if re.match("postgres(ql)?://", address, re.IGNORECASE):
        return _postgres(address)
    return _by_sqlalchemy(address)


def _duckdb(path: str, settings: Mapping[str, Any] | None, writes: bool) -> Any:
    import duckdb

    from .duckdb import connect

    if not is_motherduck(path):
        if not Path(path).is_file():
            raise InputError(f"engine={hidden(path)!r}: there is no such file; {TAKEN}")
        if ending(path):
            raise InputError(f"engine={path!r}: a file of rows is an input, as in recs={path!r}")
        with Path(path).open("rb") as file:
            if file.read(16) == b"SQLite format 3\0":
                return _sqlite(path, writes)
    try:
        return connect(path, settings, writes)
    except duckdb.Error as error:
        shown, _, token = path.partition("token=")
        reason = str(error).replace(token, "...") if token else str(error)
        raise InputError(f"engine={shown!r} can't be opened: {reason}") from None


def _sqlite(path: str, writes: bool) -> Any:
    import sqlite3

    # It may be closed in another thread than this.
    address = f"{Path(path).resolve().as_uri()}?mode={'rw' if writes else 'ro'}"
    return sqlite3.connect(address, uri=True, check_same_thread=False)


def _spark() -> Any:
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise not_installed("engine='spark'", "PySpark", "'sqlrec[spark]'") from None
    # Nobody stops it: it may be somebody else's, and ends with the process.
    return SparkSession.builder.getOrCreate()


def _postgres(address: str) -> Any:
    try:
        import psycopg
    except ImportError:
        what = "engine='postgresql://...'"
        raise not_installed(what, "psycopg", "'sqlrec[postgres]'") from None
    try:
        return psycopg.connect(address, autocommit=True)
    except psycopg.Error as error:
        reason = hidden(str(error), address)
        raise InputError(f"engine={hidden(address)!r} can't be opened: {reason}") from None


# Beginnings of URLs whose SQL there is, with the package that brings them to SQLAlchemy.
_PACKAGES = {
    "sqlite": "",
    "postgresql": "psycopg",
    "snowflake": "snowflake-sqlalchemy",
    "bigquery": "sqlalchemy-bigquery",
    "databricks": "databricks-sqlalchemy",
    "redshift": "sqlalchemy-redshift",
    "trino": "'trino[sqlalchemy]'",
    "clickhouse": "clickhouse-sqlalchemy",
    "clickhousedb": "clickhouse-connect",
}

# Those whose SQL is printed, and that nobody ran.
_PRINTED = {"awsathena": "athena", "mssql": "fabric"}


def _by_sqlalchemy(address: str) -> Any:
    """Open any other URL with the drivers that SQLAlchemy finds."""
    known = f"engine={hidden(address)!r}"
    kind = re.split(r"[+:]", address.lower())[0]
    if kind == "sc":
        raise InputError(
            f"{known}: give the session of Spark Connect, "
            "SparkSession.builder.remote('sc://...').getOrCreate()"
        )
    if kind in _PRINTED:
        raise InputError(
            f"{known}: for {_PRINTED[kind]} statements are printed alone: "
            f"sqlrec.sql(..., dialect={_PRINTED[kind]!r})"
        )
    if re.fullmatch(r"[\w+]+", address.partition("://")[0]) and kind not in _PACKAGES:
        written = ", ".join([*_PACKAGES, "duckdb"])
        raise InputError(f"{known}: sqlrec writes no SQL for {kind!r}, only for {written}: {TAKEN}")
    packages = " ".join(filter(None, ["sqlalchemy", _PACKAGES.get(kind)]))
    try:
        import sqlalchemy
    except ImportError:
        raise not_installed(known, "SQLAlchemy and a driver", packages) from None
    try:
        sqlalchemy.make_url(address).get_dialect()
    except (sqlalchemy.exc.NoSuchModuleError, ImportError):
        needed = f"{known}: SQLAlchemy has no dialect {kind!r}: pip install {packages}"
        raise InputError(needed) from None
    except sqlalchemy.exc.ArgumentError:
        raise InputError(f"{known} is not a URL: {TAKEN}") from None
    try:
        engine = sqlalchemy.create_engine(address, poolclass=sqlalchemy.NullPool)
        return engine.raw_connection()
    except Exception as error:  # Each driver has its own, and SQLAlchemy does not wrap them here.
        reason = hidden(str(error).split("\n")[0], address)
        raise InputError(f"{known} can't be opened: {reason}") from None
