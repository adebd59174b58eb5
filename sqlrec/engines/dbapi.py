"""Databases behind a PEP 249 or ADBC connection."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from ..names import DIALECTS
from .base import Engine, kind

if TYPE_CHECKING:
    import pyarrow as pa

# By the first part of the module that a connection comes from.
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

# What drivers that know Arrow call it: ADBC, Databricks, Snowflake.
_ARROW = ("fetch_arrow_table", "fetchall_arrow", "fetch_arrow_all")


class DBAPI(Engine):
    """A database behind a PEP 249 or ADBC connection of the caller, which is not closed.

    Args:
        connection: An open connection.

    Raises:
        InputError: The driver is not known.
    """

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.dialect = _dialect(connection)

    def query(self, sql: str) -> pa.Table:
        """Run a query and return its rows."""
        return self._run(sql)[0]

    def columns(self, relation: str) -> dict[str, str]:
        """Return the columns of a relation with their types, in order.

        Where the driver doesn't tell types, values do.
        """
        rows, named = self._run(f"select * from {relation} where 1 = 0")
        kinds = dict(zip(rows.column_names, named, strict=True))
        # SQLite's columns have no types, whatever a driver says.
        if self.dialect == "sqlite" or not any(kinds.values()):
            some = self.query(f"select * from {relation} limit 100")
            kinds = {
                field.name: "" if column.null_count == len(some) else kind(str(field.type))
                for field, column in zip(some.schema, some.columns, strict=True)
            }
        return kinds

    def _run(self, sql: str) -> tuple[pa.Table, list[str]]:
        """Run a query; return its rows, and the types of columns as far as the driver tells."""
        # A query opens a transaction; where there was none, there is none afterwards.
        idle = getattr(getattr(self.connection, "info", None), "transaction_status", None) == 0
        cursor = self.connection.cursor()
        try:
            cursor.execute(sql)
            fetch = next((name for name in _ARROW if hasattr(cursor, name)), None)
            if fetch:
                rows = getattr(cursor, fetch)()
                return rows, [kind(str(field.type)) for field in rows.schema]
            return _arrow(cursor)
        except Exception:
            # PostgreSQL refuses all but this after an error, so that nothing is lost by it.
            if self.dialect in ("postgres", "redshift"):
                with suppress(Exception):
                    self.connection.rollback()
            raise
        finally:
            cursor.close()
            if idle:
                self.connection.rollback()


def _arrow(cursor: Any) -> tuple[pa.Table, list[str]]:
    import pyarrow as pa

    names = [column[0] for column in cursor.description]
    told = [column[1] for column in cursor.description]
    rows = cursor.fetchall()
    columns = [[row[number] for row in rows] for number in range(len(names))]
    try:
        arrays = [pa.array(column) for column in columns]
    except pa.ArrowInvalid:
        # Such as whole numbers and text in one column, which SQLite allows.
        arrays = [pa.array([None if v is None else str(v) for v in column]) for column in columns]
    kinds = [kind(told_one) if isinstance(told_one, str) else "" for told_one in told]
    return pa.table(arrays, names=names), kinds


def _dialect(connection: Any) -> str:
    driver = type(connection).__module__.partition(".")[0]
    if hasattr(connection, "adbc_get_info"):
        driver = str(connection.adbc_get_info().get("vendor_name", ""))
        dialect = next((d for d in DIALECTS if driver.lower().startswith(d)), None)
    else:
        dialect = _DRIVERS.get(driver)
    if dialect is None:
        raise InputError(
            f"engine: {type(connection).__module__}.{type(connection).__name__} is a connection of "
            f"{driver}, whose SQL is not known: known are {', '.join(_DRIVERS)} and ADBC"
        )
    return dialect
