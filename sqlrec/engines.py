"""Where SQL runs. An engine answers a query with an Arrow table; rows of inputs stay inside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import InputError

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

# Words that engines keep to themselves: quoted where a column or table bears such a name.
_RESERVED = frozenset(
    """
    all alter and any array as asc asof between both by case cast check collate column constraint
    create cross current date default delete desc describe distinct drop else end except exists
    false fetch filter for foreign from full function grant group grouping having ilike in index
    inner insert intersect interval into is join key lateral leading left like limit natural not
    null offset on only or order outer over partition pivot primary qualify range rank references
    right row rows select set some symmetric table tablesample then time timestamp to trailing true
    union unique unpivot update user using values view when where window with
    """.split()
)


class DuckDB:
    """DuckDB, in a connection of the caller or in memory.

    Args:
        connection: An open DuckDB connection; None opens one in memory.
    """

    dialect = "duckdb"

    def __init__(self, connection: duckdb.DuckDBPyConnection | None = None) -> None:
        import duckdb

        if connection is not None and not isinstance(connection, duckdb.DuckDBPyConnection):
            raise InputError(
                f"engine={connection!r:.80}: an engine is a DuckDB connection, "
                "as duckdb.connect() returns it"
            )
        # Without replacement scans a misspelled table can't turn out to be a variable of Python.
        self.connection = connection or duckdb.connect(config={"python_enable_replacements": False})
        self.error = duckdb.Error

    def query(self, sql: str) -> pa.Table:
        """Run a query and return its rows."""
        return self._run(lambda: self.connection.sql(sql).to_arrow_table())

    def columns(self, relation: str) -> dict[str, str]:
        """Return the columns of a relation with their types, in order."""
        found = self.connection.sql(f"describe select * from {relation}").fetchall()
        return {name: kind for name, kind, *_ in found}

    def copy(self, sql: str, path: Path) -> None:
        """Write the rows of a query to a Parquet file, without holding them all at once."""
        target = text(str(path))
        self._run(lambda: self.connection.execute(f"copy ({sql}) to {target} (format parquet)"))

    def _run(self, work: Callable[[], Any]) -> Any:
        """Run work in a thread of its own: DuckDB hears Ctrl-C at once only from another thread."""
        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(work)
            try:
                return running.result()
            except KeyboardInterrupt:
                self.connection.interrupt()
                raise

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
                self.connection.unregister(name)

    def has(self, name: str) -> bool:
        """Say whether a table or view of this name is there."""
        tables = f"select 1 from information_schema.tables where table_name = {text(name)}"
        return bool(self.query(tables).num_rows)


def identifier(name: str) -> str:
    """Write the name of a column or table: bare where it is plain, else quoted."""
    if re.fullmatch(r"[a-z_][a-z0-9_]*", name) and name not in _RESERVED:
        return name
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """Write a text constant."""
    return "'" + value.replace("'", "''") + "'"
