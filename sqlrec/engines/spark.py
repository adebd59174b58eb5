"""Spark, in the caller's session."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import reduce
from typing import TYPE_CHECKING, Any

from ..dialects import identifier
from ..errors import InputError
from ..rendering.statement import Statement
from .base import Engine, kind, sibling_name
from .duckdb import as_table, check_table
from .files import file_kind
from .table_files import is_lake

if TYPE_CHECKING:
    import pyarrow as pa


class Spark(Engine):
    """Spark 4 or newer, in a session of the caller, which is neither configured nor stopped.

    Args:
        session: An open SparkSession.
    """

    dialect = "spark"

    def __init__(self, session: Any) -> None:
        self.session = session

    def query(self, sql: str) -> pa.Table:
        """Run a query and return its rows."""
        with self._frame(sql) as frame:
            return frame.toArrow()

    @contextmanager
    def _frame(self, sql: str) -> Iterator[Any]:
        """Let a frame of a query be read.

        Spark computes a named query once for each mention of it. Those with more than one are kept
        until the rows are there, in memory or on disk.
        """
        statement = Statement.read(sql, self.dialect, f"sqlrec_{uuid.uuid4().hex}_")
        with ExitStack() as stack:
            for query in statement.queries:
                frame = self.session.sql(query.text)
                frame.createOrReplaceTempView(query.name)
                stack.callback(self.session.catalog.dropTempView, query.name)
                # Serverless compute keeps nothing, and goes on without. A query that is wrong
                # fails again when it runs.
                with suppress(Exception):
                    if query.mentions > 1:
                        # Spark Connect reads the views that a frame names to let go of it: these
                        # have to be there still.
                        stack.callback(frame.persist().unpersist)
            yield self.session.sql(statement.last)

    def check_writes(self) -> None:
        """Accept any session."""

    def stored_columns(self, table: str) -> list[str] | None:
        """Return the columns of a table; None if there is no such table."""
        return [*self.columns(table)] if self.session.catalog.tableExists(table) else None

    def write(
        self, table: str, columns: Mapping[str, str], queries: Sequence[str], mode: str
    ) -> None:
        """Write the rows of queries to a table, all or none.

        Spark would drop a table before it writes the new one, so this gets the name afterwards.
        """
        entries = [f"{text} as {name}" for name, text in columns.items()]
        with ExitStack() as stack:
            frames = [stack.enter_context(self._frame(query)) for query in queries]
            frame = reduce(lambda one, more: one.unionAll(more), frames).selectExpr(*entries)
            if mode == "append":
                stored = [identifier(name, self.dialect) for name in self.columns(table)]
                frame.select(*stored).write.insertInto(table)
                return
            new, old = sibling_name(table), sibling_name(table)
            try:
                frame.write.saveAsTable(new)
                if mode == "replace":
                    self.session.sql(f"alter table {table} rename to {old}")
                self.session.sql(f"alter table {new} rename to {table}")
            except BaseException:
                self.session.sql(f"drop table if exists {new}")
                if mode == "replace" and self.stored_columns(table) is None:
                    self.session.sql(f"alter table {old} rename to {table}")
                raise
            self.session.sql(f"drop table if exists {old}")

    def columns(self, relation: str) -> dict[str, str]:
        """Return the columns of a relation with their types, in order."""
        fields = self.session.sql(f"select * from {relation}").schema.fields
        return {field.name: kind(field.dataType.simpleString()) for field in fields}

    def file(self, path: str, name: str) -> str:
        """Read Parquet, as a file, folder or glob at any address that the session can read."""
        if lake := is_lake(path):
            raise InputError(
                f"{name}={path!r} is {'a' if lake == 'Delta' else 'an'} {lake} table: give its "
                f"name in the session, or the frame that session.read.format({lake.lower()!r}) "
                "loads"
            )
        if file_kind(path) not in ("parquet", None):
            raise InputError(
                f"{name}={path!r}: Spark is given Parquet files; read others with "
                "session.read.csv or session.read.json and give the frame"
            )
        return f"parquet.{identifier(path, 'spark')}"

    def table(self, given: Any, name: str) -> Any:
        """Take a Spark frame, or make one of rows of this machine."""
        if hasattr(given, "createOrReplaceTempView"):
            return given
        table = as_table(given, name)
        # Polars' text is of a type that PySpark does not take.
        views = [(at, x) for at, x in enumerate(table.schema) if str(x.type) == "string_view"]
        for at, column in views:
            table = table.set_column(at, column.name, table[column.name].cast("string"))
        return self.session.createDataFrame(table)

    def check_table(self, given: Any, name: str) -> None:
        """Refuse what is neither a frame nor a table of Python."""
        if not hasattr(given, "createOrReplaceTempView"):
            check_table(given, name)

    @contextmanager
    def naming(self, objects: Mapping[str, Any]) -> Iterator[None]:
        """Let queries see frames as temporary views, and drop these afterwards."""
        try:
            for name, frame in objects.items():
                frame.createOrReplaceTempView(name)
            yield
        finally:
            for name in objects:
                self.session.catalog.dropTempView(name)
