"""Spark, in the caller's session."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import reduce
from typing import TYPE_CHECKING, Any

from ..dialects import identifier
from ..errors import InputError
from ..rendering.statement import Statement
from .base import Engine, duckdb_type, sibling_name
from .files import file_kind
from .python_tables import as_duckdb_table
from .table_files import lake_format

if TYPE_CHECKING:
    import pyarrow as pa


class Spark(Engine):
    """Spark 4 or newer, in the caller's open session, which is not configured or stopped."""

    dialect = "spark"

    def __init__(self, session: Any) -> None:
        self.session = session

    def query(self, sql: str) -> pa.Table:
        """Run a query and return its rows."""
        with self.show_progress(), self._frame(sql) as frame:
            return frame.toArrow()

    @contextmanager
    def _frame(self, sql: str) -> Iterator[Any]:
        """Yield the frame of a query.

        Spark computes a named query again each time it is mentioned. Queries that are mentioned
        several times are persisted until the context ends, except constants, because storing them
        would add two stages.
        """
        statement = Statement.read(sql, self.dialect, f"sqlrec_{uuid.uuid4().hex}_")
        with ExitStack() as stack:
            for query in statement.queries:
                frame = self.session.sql(query.text)
                frame.createOrReplaceTempView(query.name)
                stack.callback(self.session.catalog.dropTempView, query.name)
                # Serverless compute can't persist frames. Errors in a query are raised again when
                # it runs.
                with suppress(Exception):
                    if query.mentions > 1 and re.search(r"\bfrom\b", query.text):
                        # Spark Connect reads the views of a frame to unpersist it, so they are
                        # dropped later.
                        stack.callback(frame.persist().unpersist)
            yield self.session.sql(statement.last)

    def frame(self, sql: str, columns: Mapping[str, str], frames: Mapping[str, Any]) -> Any:
        """Return columns of a query over frames, as a frame that Spark has not computed yet."""
        text = sql.replace("{", "{{").replace("}", "}}")
        for name in frames:
            text = text.replace(name, f"{{{name}}}")
        entries = [f"{text} as {identifier(name, 'spark')}" for name, text in columns.items()]
        return self.session.sql(text, **frames).selectExpr(*entries)

    def execute(self, sql: str) -> None:
        """Run a statement without rows."""
        self.session.sql(sql)

    def check_writes(self) -> None:
        """Accept every session."""

    def recover(self, table: str) -> None:
        """Restore a table that a process renamed before it was killed."""
        catalog, old = self.session.catalog, sibling_name(table, "sqlrec_replaced")
        if catalog.tableExists(old) and not catalog.tableExists(table):
            self.session.sql(f"alter table {old} rename to {table}")

    def stored_columns(self, table: str) -> list[str] | None:
        """Return the columns of a table, None if the table does not exist."""
        return [*self.columns(table)] if self.session.catalog.tableExists(table) else None

    def write(
        self, table: str, columns: Mapping[str, str], queries: Sequence[str], mode: str
    ) -> None:
        """Write the rows of queries to a table, all or none.

        Spark would drop the old table first, so the new table is written under another name. Then
        the old table is renamed, and the new table gets its name. If the process stops in between,
        ``recover`` restores the old table.
        """
        entries = [f"{text} as {name}" for name, text in columns.items()]
        with self.show_progress(), ExitStack() as stack:
            frames = [stack.enter_context(self._frame(query)) for query in queries]
            frame = reduce(lambda one, other: one.unionAll(other), frames).selectExpr(*entries)
            if mode == "append":
                stored = [identifier(name, self.dialect) for name in self.columns(table)]
                frame.select(*stored).write.insertInto(table)
                return
            new, old = sibling_name(table), sibling_name(table, "sqlrec_replaced")
            try:
                frame.write.saveAsTable(new)
                if mode == "replace":
                    self.session.sql(f"drop table if exists {old}")
                    self.session.sql(f"alter table {table} rename to {old}")
                self.session.sql(f"alter table {new} rename to {table}")
            except BaseException:
                self.session.sql(f"drop table if exists {new}")
                self.recover(table)
                raise
            if mode == "replace":
                self.session.sql(f"drop table {old}")

    def columns(self, relation: str) -> dict[str, str]:
        """Return the columns of a relation with their types, in order."""
        fields = self.session.sql(f"select * from {relation}").schema.fields
        return {field.name: duckdb_type(field.dataType.simpleString()) for field in fields}

    def file(self, path: str, name: str) -> str:
        """Return the SQL that reads a Parquet file, folder or glob at any address."""
        if lake := lake_format(path):
            raise InputError(
                f"{name}={path!r} is {'a' if lake == 'Delta' else 'an'} {lake} table: give its "
                f"name in the session, or the frame that session.read.format({lake.lower()!r}) "
                "loads"
            )
        if file_kind(path) not in ("parquet", None):
            raise InputError(
                f"{name}={path!r} is not a Parquet file: read it with session.read.csv or "
                "session.read.json and give the frame"
            )
        return f"parquet.{identifier(path, 'spark')}"

    def table(self, value: Any, name: str) -> Any:
        """Return a Spark frame; Python tables are converted."""
        if hasattr(value, "createOrReplaceTempView"):
            return value
        table = as_duckdb_table(value, name)
        # PySpark does not read Polars' text type.
        views = [
            (index, column)
            for index, column in enumerate(table.schema)
            if str(column.type) == "string_view"
        ]
        for index, column in views:
            table = table.set_column(index, column.name, table[column.name].cast("string"))
        return self.session.createDataFrame(table)

    def frame_name(self, table: str) -> str:
        """Return a new name, because threads may share a session."""
        return f"sqlrec_{uuid.uuid4().hex}_{table}"

    @contextmanager
    def naming(self, objects: Mapping[str, Any]) -> Iterator[None]:
        """Register frames as temporary views for queries, and drop the views at the end."""
        try:
            for name, frame in objects.items():
                frame.createOrReplaceTempView(name)
            yield
        finally:
            for name in objects:
                self.session.catalog.dropTempView(name)
