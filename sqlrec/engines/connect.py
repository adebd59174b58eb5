"""Engines from connections, sessions, paths and URLs, for ``engine=`` and ``--engine``."""

from __future__ import annotations

import os
import re
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError, not_installed
from ..options import Settings
from ..safe_text import hide_passwords
from .base import Engine
from .duckdb import DuckDB, is_database_address
from .files import file_ending, is_path

ENGINES = (
    "an engine is a DuckDB connection, a file of DuckDB or SQLite, md:..., ducklake:..., a "
    "SparkSession, a PEP 249 or ADBC connection as in psycopg.connect(), an SQLAlchemy engine, "
    "connection or session, an ibis backend, 'spark', or a URL as in postgresql://... or sc://..."
)


def open_engine(source: Any, settings: Settings | None = None, progress: bool = False) -> Engine:
    """Return the engine for a connection, path or URL. None opens DuckDB in memory with settings.

    Only connections that are opened here are closed with the engine.
    """
    if settings and source is not None:
        raise InputError("settings and engine: give only one; settings apply to DuckDB in memory")
    if isinstance(source, Engine):
        return source
    if source is None:
        engine: Engine = DuckDB(None, settings)
    else:
        engine = _open_source(source)
    engine.progress_since = time.monotonic() if progress else None
    return engine


def _open_source(source: Any) -> Engine:
    holder = open_connection(source) if isinstance(source, (str, Path)) else source
    # Keep all wrapping objects until the engine is deleted, since their deletion can close the
    # connection.
    layers = [*_driver_layers(holder)]
    engine = _wrap_connection(layers[-1], source)
    if isinstance(source, (str, Path)):
        weakref.finalize(engine, close_connection, holder)
    elif len(layers) > 1:
        weakref.finalize(engine, layers.clear)
    return engine


def _wrap_connection(connection: Any, source: Any) -> Engine:
    description = f"{hide_passwords(repr(source)):.80}"
    if type(connection).__name__ == "DuckDBPyConnection":
        return DuckDB(connection)
    # Spark Connect defines another class with the same name.
    if type(connection).__name__ == "SparkSession":
        from .spark import Spark

        return Spark(connection)
    if any("async" in name.lower() for name in _class_names(connection)):
        raise InputError(
            f"engine={description}: async connections are not supported; give a synchronous one"
        )
    if hasattr(connection, "cursor"):
        from .dbapi import DBAPI

        return DBAPI(connection)
    fix = {
        "chdb": "give the connection of chdb.connect()",
        "datafusion": "give tables, as in recs=context.table('recs')",
        "google": "give the connection of google.cloud.bigquery.dbapi.connect(client)",
        "snowflake": "give session.connection",
    }.get(type(connection).__module__.partition(".")[0], ENGINES)
    raise InputError(f"engine={description}: {fix}")


# Functions that return the connection that an object wraps, by class.
_INSIDE: dict[str, Callable[[Any], Any]] = {
    "sqlalchemy.orm.session.Session": lambda session: session.connection(),
    "sqlalchemy.orm.scoping.scoped_session": lambda session: session.connection(),
    "sqlalchemy.engine.base.Engine": lambda engine: engine.raw_connection(),
    "sqlalchemy.engine.base.Connection": lambda connection: connection.connection,
    "sqlalchemy.pool.base._ConnectionFairy": lambda lent: lent.driver_connection,
    "ibis.backends.BaseBackend": lambda backend: getattr(backend, "_session", 0) or backend.con,
    # The module duckdb, which provides a default connection.
    "builtins.module": lambda module: getattr(module, "default_connection", lambda: None)(),
}


def _driver_layers(source: Any) -> Iterator[Any]:
    """Yield an object and the objects that it wraps, down to the connection of the driver."""
    yield source
    inside = next((_INSIDE[name] for name in _class_names(source) if name in _INSIDE), None)
    is_cursor = hasattr(source, "fetchall") and not hasattr(source, "cursor")
    if inside is not None:
        yield from _driver_layers(inside(source))
    elif is_cursor and hasattr(source, "connection"):
        yield from _driver_layers(source.connection)


def _class_names(source: Any) -> list[str]:
    return [f"{base.__module__}.{base.__qualname__}" for base in type(source).__mro__]


def resolve_tables(inputs: Mapping[str, object], engine: Any) -> tuple[dict[str, object], Any]:
    """Return inputs with queries instead of ibis and SQLAlchemy tables, and their engine.

    Queries run in the caller's engine, in the backend of all ibis tables, or in the session of
    Spark frames. Frames of narwhals become the frames that they wrap.
    """
    if any(_unwrap_frame(table) is not table for table in _flatten_tables(inputs)):
        inputs = _map_tables(inputs, _unwrap_frame)
    tables = [table for table in _flatten_tables(inputs) if not isinstance(table, str | None)]
    if tables and all(_IBIS_TABLE in _class_names(table) for table in tables):
        backend = _backend_of(tables, inputs, engine)
        if backend is not None:
            return _map_tables(inputs, lambda table: f"({backend.compile(table)})"), backend
    source = engine.get_bind() if hasattr(engine, "get_bind") else engine
    if any(name.startswith("sqlalchemy.engine.base.") for name in _class_names(source)):
        # With other styles of parameters, SQLAlchemy doubles each % of a query.
        plain = type(source.dialect)(paramstyle="named")
        return _map_tables(inputs, lambda table: _compile_select(table, plain)), engine
    return {**inputs}, find_spark_session(inputs) if engine is None else engine


def find_spark_session(inputs: Mapping[str, object]) -> Any:
    """Return the single session of the Spark frames among inputs, None without frames."""
    frames = (
        table
        for table in _flatten_tables(inputs)
        if type(table).__module__.startswith("pyspark.") and hasattr(table, "sparkSession")
    )
    sessions = {id(frame.sparkSession): frame.sparkSession for frame in frames}
    if len(sessions) > 1:
        raise InputError("the Spark frames belong to several sessions: give frames of one session")
    return next(iter(sessions.values()), None)


_IBIS_TABLE = "ibis.expr.types.relations.Table"


def _unwrap_frame(table: Any) -> Any:
    """Return the frame that a narwhals frame wraps, without its rows; else the same table."""
    is_wrapped = type(table).__module__.startswith("narwhals.")
    return table.to_native() if is_wrapped else table


def _backend_of(tables: list[Any], inputs: Mapping[str, object], engine: Any) -> Any:
    """Return the backend of ibis tables, or None if inputs are in several backends or elsewhere."""
    from ibis.expr.operations import InMemoryTable

    backends = {id(each): each for table in tables for each in table._find_backends()[0]}
    paths = any(map(is_path, input_paths(inputs)))
    backend: Any = next(iter(backends.values()), None)
    elsewhere = paths if engine is None else engine is not backend
    in_memory = any(table.op().find(InMemoryTable) for table in tables)
    return None if len(backends) != 1 or elsewhere or in_memory else backend


def _compile_select(table: Any, dialect: Any) -> Any:
    """Return a query, text, table or mapped class of SQLAlchemy as SQL; else the same table."""
    import sqlalchemy

    query = sqlalchemy.inspect(getattr(table, "statement", table), raiseerr=False)
    query = getattr(query, "selectable", query)
    if not hasattr(query, "compile"):
        return table
    select = query.select() if hasattr(query, "select") else query
    binds = select.compile(dialect=dialect).binds
    if missing := [name for name, bind in binds.items() if bind.required]:
        raise InputError(
            f"the query has no value for :{missing[0]}: give it with bindparams({missing[0]}=...)"
        )
    return f"({select.compile(dialect=dialect, compile_kwargs={'literal_binds': True})})"


def _map_tables(inputs: Mapping[str, object], convert: Callable[[Any], Any]) -> dict[str, object]:
    """Return inputs with each table converted, including the tables of models."""
    return {
        name: _map_tables(table, convert)
        if isinstance(table, Mapping)
        else table
        if isinstance(table, str | None)
        else convert(table)
        for name, table in inputs.items()
    }


def _flatten_tables(inputs: Mapping[str, object]) -> Iterator[Any]:
    for table in inputs.values():
        yield from _flatten_tables(table) if isinstance(table, Mapping) else (table,)


def input_paths(value: Any) -> list[str]:
    """Return all texts and paths among inputs: file paths and table names."""
    if isinstance(value, Mapping | list | tuple):
        tables = value.values() if isinstance(value, Mapping) else value
        return [path for table in tables for path in input_paths(table)]
    return [os.fsdecode(value)] if isinstance(value, (str, os.PathLike)) else []


def duckdb_path(address: str | Path) -> str | None:
    """Return the path of a DuckDB database, None for addresses of other engines."""
    address = str(address)
    if address.startswith("duckdb:///"):
        return address.removeprefix("duckdb:///")
    return None if address == "spark" or "://" in address else address


def open_connection(
    address: str | Path, settings: Settings | None = None, writes: bool = False
) -> Any:
    """Open a path, read-only unless it ``writes``, or a URL; settings apply to DuckDB."""
    path, address = duckdb_path(address), str(address)
    if path is not None:
        return _connect_duckdb(path, settings, writes)
    if address == "spark" or address.startswith("sc://"):
        return _connect_spark(address)
    is_postgres = re.match("postgres(ql)?://", address, re.IGNORECASE)
    return _connect_postgres(address) if is_postgres else _connect_sqlalchemy(address)


def close_connection(connection: Any) -> None:
    """Close an open connection; a session of Spark, which other code may use, stays open."""
    if hasattr(connection, "close"):
        connection.close()


def _connect_duckdb(path: str, settings: Settings | None, writes: bool) -> Any:
    import sqlite3

    import duckdb

    from .duckdb import open_database

    if not is_database_address(path):
        if not Path(path).is_file():
            raise InputError(f"engine={hide_passwords(path)!r}: the file does not exist; {ENGINES}")
        if file_ending(path):
            raise InputError(f"engine={path!r}: a file of rows is an input, as in recs={path!r}")
        with Path(path).open("rb") as file:
            if file.read(16) == b"SQLite format 3\0":
                # The connection can be closed in another thread.
                address = f"{Path(path).resolve().as_uri()}?mode={'rw' if writes else 'ro'}"
                return sqlite3.connect(address, uri=True, check_same_thread=False)
    try:
        return open_database(path, settings, writes)
    except duckdb.Error as error:
        raise _not_opened(path, error) from None


def _not_opened(address: str, error: Exception) -> InputError:
    """Return the error for an address that can't be opened, without passwords."""
    reason = " ".join(hide_passwords(str(error), address).split())
    return InputError(f"engine={hide_passwords(address)!r} can't be opened: {reason}")


def _connect_spark(address: str) -> Any:
    """Return the session in this process, or on the Spark Connect server at an address."""
    try:
        from pyspark.sql import SparkSession

        builder = SparkSession.builder
        return (builder if address == "spark" else builder.remote(address)).getOrCreate()
    except ImportError:
        prefix = f"engine={hide_passwords(address)!r}"
        raise not_installed(prefix, "PySpark", "'sqlrec[spark]' 'pyspark[connect]'") from None
    except Exception as error:  # Java, the parser of addresses and grpc raise different errors.
        raise _not_opened(address, error) from None


def _connect_postgres(address: str) -> Any:
    try:
        import psycopg
    except ImportError:
        what = "engine='postgresql://...'"
        raise not_installed(what, "psycopg", "'sqlrec[postgres]'") from None
    try:
        return psycopg.connect(address, autocommit=True)
    except psycopg.Error as error:
        raise _not_opened(address, error) from None


# Supported URL schemes, with the package that adds each to SQLAlchemy.
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

# Schemes for dialects in which sqlrec only prints SQL.
_PRINTED = {"awsathena": "athena", "mssql": "fabric"}


def _connect_sqlalchemy(address: str) -> Any:
    """Return a connection from SQLAlchemy for any other URL."""
    prefix = f"engine={hide_passwords(address)!r}"
    kind = re.split(r"[+:]", address.lower())[0]
    if kind in _PRINTED:
        raise InputError(
            f"{prefix}: for {_PRINTED[kind]}, sqlrec only prints statements: "
            f"sqlrec.sql(..., dialect={_PRINTED[kind]!r})"
        )
    if re.fullmatch(r"[\w+]+", address.partition("://")[0]) and kind not in _PACKAGES:
        schemes = ", ".join([*_PACKAGES, "duckdb"])
        raise InputError(f"{prefix}: {kind!r} is not supported, only {schemes}. {ENGINES}")
    packages = " ".join(filter(None, ["sqlalchemy", _PACKAGES.get(kind)]))
    try:
        import sqlalchemy
    except ImportError:
        raise not_installed(prefix, "SQLAlchemy and a driver", packages) from None
    try:
        sqlalchemy.make_url(address).get_dialect()
    except (sqlalchemy.exc.NoSuchModuleError, ImportError):
        needed = f"{prefix}: SQLAlchemy has no dialect {kind!r}: pip install {packages}"
        raise InputError(needed) from None
    except sqlalchemy.exc.ArgumentError:
        raise InputError(f"{prefix} is not a URL: {ENGINES}") from None
    try:
        engine = sqlalchemy.create_engine(address, poolclass=sqlalchemy.NullPool)
        return engine.raw_connection()
    except Exception as error:  # SQLAlchemy does not wrap exceptions from drivers here.
        raise _not_opened(address, error) from None
