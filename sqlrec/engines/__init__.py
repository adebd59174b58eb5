"""Where SQL runs. An engine answers a query with an Arrow table; rows of inputs stay inside."""

from .base import Engine, Unconnected
from .connect import open_engine, opened, path_of, session_of
from .dbapi import DBAPI
from .duckdb import DuckDB
from .spark import Spark

__all__ = [
    "DBAPI",
    "DuckDB",
    "Engine",
    "Spark",
    "Unconnected",
    "open_engine",
    "opened",
    "path_of",
    "session_of",
]
