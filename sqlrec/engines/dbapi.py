"""Databases behind a PEP 249 or ADBC connection."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any

from ..dialects import DIALECTS, identifier, text
from ..errors import InputError
from ..rendering.statement import warn_about_stages
from .base import Engine, duckdb_type, sibling_name

if TYPE_CHECKING:
    import pyarrow as pa

# Dialects by the top-level module of the driver.
_DRIVERS = {
    "sqlite3": "sqlite",
    "psycopg": "postgres",
    "psycopg2": "postgres",
    "pg8000": "postgres",
    "snowflake": "snowflake",
    "google": "bigquery",
    "redshift_connector": "redshift",
    "databricks": "databricks",
    "trino": "trino",
    "clickhouse_connect": "clickhouse",
    "clickhouse_driver": "clickhouse",
    "chdb": "clickhouse",
}

# Methods of cursors that return Arrow tables, in ADBC, Databricks and Snowflake.
_ARROW = ("fetch_arrow_table", "fetchall_arrow", "fetch_arrow_all")

# Transaction states in psycopg.
_IDLE, _IN_TRANSACTION = 0, 2


class DBAPI(Engine):
    """A database behind the caller's open PEP 249 or ADBC connection, which stays open."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.driver = type(connection).__module__.partition(".")[0]
        self.dialect = _find_dialect(connection)

    def query(self, sql: str) -> pa.Table:
        """Run a query and return its rows."""
        if self.dialect == "sqlite" and " sqlrec_md5(" in sql:
            self._add_md5()
        warn_about_stages(self.dialect, sql)
        return self._run(sql)[0]

    def _add_md5(self) -> None:
        if not hasattr(self.connection, "create_function"):
            raise InputError(
                "engine: samples of users need MD5; SQLite has no MD5, and ADBC can't add it: "
                "connect with sqlite3.connect()"
            )
        with suppress(self.connection.OperationalError):
            # While the caller has a cursor open, the function can't be replaced.
            self.connection.create_function("sqlrec_md5", 1, _md5, deterministic=True)

    def columns(self, relation: str) -> dict[str, str]:
        """Return the columns of a relation with types, from values if the driver has none."""
        rows, driver_types = self._run(f"select * from {relation} where 1 = 0")
        kinds = dict(zip(rows.column_names, driver_types, strict=True))
        if self.dialect == "sqlite":
            return self._sqlite_types(relation, rows.column_names)
        if not any(kinds.values()):
            sample = self.query(f"select * from {relation} limit 100")
            kinds = {
                field.name: "" if column.null_count == len(sample) else duckdb_type(str(field.type))
                for field, column in zip(sample.schema, sample.columns, strict=True)
            }
        if self.dialect == "postgres" and kinds:
            kinds |= self._postgres_types(relation, [*kinds])
        return kinds

    def _postgres_types(self, relation: str, names: list[str]) -> dict[str, str]:
        """Return types that can't be inferred from values: JSON and database-specific types."""
        types = ", ".join(
            f"cast(pg_typeof({identifier(name, 'postgres', stored=True)}) as text) as type_{index}"
            for index, name in enumerate(names)
        )
        rows = self.rows(f"select {types} from {relation} limit 1")
        types_by_name = {
            name: duckdb_type(type_name)
            for row in rows
            for name, type_name in zip(names, row, strict=True)
            if not type_name.endswith("[]")
        }
        standard = "VARCHAR BIGINT DOUBLE DECIMAL BOOLEAN DATE TIMESTAMP TIME".split()
        return {
            name: type_name
            for name, type_name in types_by_name.items()
            if type_name not in standard
        }

    def _sqlite_types(self, relation: str, names: list[str]) -> dict[str, str]:
        """Return the types of values in SQLite, since a column can contain several types."""
        types = [f"group_concat(distinct typeof({identifier(n, 'sqlite')}))" for n in names]
        values = self.query(f"select {', '.join(types)} from {relation}").to_pylist()[0].values()
        kinds = {
            "": "",
            "integer": "BIGINT",
            "integer and real": "DOUBLE",
            "real": "DOUBLE",
            "text": "VARCHAR",
        }
        classes = [
            " and ".join(sorted({*(types or "").split(",")} - {"", "null"})) for types in values
        ]
        return {
            name: kinds.get(types, types.upper())
            for name, types in zip(names, classes, strict=True)
        }

    def check_writes(self) -> None:
        """Check that the dialect can write tables atomically, which needs transactions."""
        if self.dialect not in ("postgres", "redshift", "sqlite", "clickhouse"):
            super().check_writes()

    def stored_columns(self, table: str) -> list[str] | None:
        """Return the columns of a table, None if the table does not exist."""
        if self.dialect == "postgres":
            # An error would end an open transaction.
            ((exists,),) = self.rows(f"select to_regclass({text(table, 'postgres')}) is not null")
            if not exists:
                return None
        with suppress(Exception):  # Each driver raises its own exceptions.
            names: list[str] = self._run(f"select * from {table} where 1 = 0")[0].column_names
            return names
        return None

    def write(
        self, table: str, columns: Mapping[str, str], queries: Sequence[str], mode: str
    ) -> None:
        """Write the rows of queries to a table, all or none.

        ClickHouse has no transactions, so a new table with all rows is exchanged with the old
        table.
        """
        if self.dialect != "clickhouse":
            super().write(table, columns, queries, mode)
            return
        new = sibling_name(table)
        try:
            if mode == "append":
                self.execute(f"create table {new} as {table}")
                self.execute(f"insert into {new} select * from {table}")
            for index, query in enumerate(queries):
                is_new = not index and mode != "append"
                create = "create engine = MergeTree order by tuple()" if is_new else ""
                self.execute(self.insert(new, columns, query, create))
            if mode == "error":
                self.execute(f"rename table {new} to {table}")
            else:
                self.execute(f"exchange tables {new} and {table}")
        finally:
            self.execute(f"drop table if exists {new}")

    def execute(self, sql: str) -> None:
        """Run a statement without rows."""
        with self.show_progress(), closing(self.connection.cursor()) as cursor:
            cursor.execute(sql)

    def transaction_steps(self) -> list[Callable[[], Any]]:
        """Return the functions that begin, commit and roll back a transaction or a savepoint.

        ADBC always has a transaction open, and continues after an error only after a rollback.
        """
        if hasattr(self.connection, "adbc_get_info"):
            return [lambda: None, self.connection.commit, self.connection.rollback]
        status = getattr(getattr(self.connection, "info", None), "transaction_status", _IDLE)
        inside = status == _IN_TRANSACTION or getattr(self.connection, "in_transaction", False)
        if not inside:
            return super().transaction_steps()
        steps = ("savepoint", "release savepoint", "rollback to")
        return [partial(self.execute, f"{step} sqlrec") for step in steps]

    def _run(self, sql: str) -> tuple[pa.Table, list[str]]:
        """Run a query; return its rows, and the types of columns, empty if unknown."""
        with (
            self._keep_transaction(),
            self.show_progress(),
            closing(self.connection.cursor()) as cursor,
        ):
            # A statement that psycopg has prepared fails if its table is dropped and created again.
            cursor.execute(sql, **({"prepare": False} if self.driver == "psycopg" else {}))
            fetch = next((name for name in _ARROW if hasattr(cursor, name)), None)
            if fetch is None:
                return _fetch_arrow_table(cursor)
            rows = getattr(cursor, fetch)()
            return rows, [duckdb_type(str(field.type)) for field in rows.schema]

    @contextmanager
    def _keep_transaction(self) -> Iterator[None]:
        """Restore the transaction state of a psycopg connection."""
        status = getattr(getattr(self.connection, "info", None), "transaction_status", None)
        if status == _IN_TRANSACTION:
            self.connection.cursor().execute("savepoint sqlrec")
        try:
            yield
        finally:
            if status == _IDLE:
                self.connection.rollback()
            elif status == _IN_TRANSACTION:
                self.connection.cursor().execute("rollback to savepoint sqlrec")
                self.connection.cursor().execute("release savepoint sqlrec")


def _md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def _fetch_arrow_table(cursor: Any) -> tuple[pa.Table, list[str]]:
    import pyarrow as pa

    names = [column[0] for column in cursor.description]
    types = [
        duckdb_type(column[1]) if isinstance(column[1], str) else ""
        for column in cursor.description
    ]
    rows = [tuple(row.values()) if isinstance(row, Mapping) else row for row in cursor.fetchall()]
    columns = [[_replace_nan(row[number]) for row in rows] for number in range(len(names))]
    try:
        arrays = [pa.array(column) for column in columns]
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        # SQLite allows integers and text in one column.
        arrays = [pa.array([None if v is None else str(v) for v in column]) for column in columns]
    return pa.table(arrays, names=names), types


def _replace_nan(value: Any) -> Any:
    """Return None for NaN in PostgreSQL's exact numbers, since decimals of Arrow can't be NaN."""
    return None if isinstance(value, Decimal) and value.is_nan() else value


def _find_dialect(connection: Any) -> str:
    """Return the dialect of a connection, by the name of its driver."""
    driver = type(connection).__module__.partition(".")[0]
    if hasattr(connection, "adbc_get_info"):
        driver = str(connection.adbc_get_info().get("vendor_name", ""))
        dialect = next((d for d in DIALECTS if driver.lower().startswith(d)), None)
    else:
        dialect = _DRIVERS.get(driver)
    if dialect is None:
        raise InputError(
            f"engine: {type(connection).__module__}.{type(connection).__name__} is a connection of "
            f"{driver}, which is not supported: use one of {', '.join(_DRIVERS)} or ADBC"
        )
    return dialect
