"""Where SQL runs. An engine answers a query with an Arrow table; rows of inputs stay inside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import InputError
from ..shown import hidden
from .base import Engine, Unconnected
from .dbapi import DBAPI
from .duckdb import DuckDB
from .spark import Spark

__all__ = ["DBAPI", "DuckDB", "Engine", "Spark", "Unconnected", "open_engine"]


def open_engine(
    given: Any, settings: Mapping[str, Any] | None = None, progress: bool = False
) -> Engine:
    """Return the engine of a connection; DuckDB in memory, with settings, for None.

    Raises:
        InputError: It is no connection that sqlrec knows, or one that is given with settings;
            DuckDB refuses a setting.
    """
    if settings and given is not None:
        raise InputError(
            "settings and engine: give one, settings are of the DuckDB that sqlrec opens in memory"
        )
    if given is None or type(given).__name__ == "DuckDBPyConnection":
        return DuckDB(given, settings, progress)
    # Spark Connect's session is a class of its own, with the same name.
    if type(given).__name__ == "SparkSession":
        return Spark(given)
    if isinstance(given, Engine):
        return given
    if hasattr(given, "cursor"):
        return DBAPI(given)
    raise InputError(
        f"engine={hidden(repr(given)):.80}: an engine is a DuckDB connection, a SparkSession, or a "
        "PEP 249 or ADBC connection, as psycopg.connect() returns it"
    )
