"""Spark, in the caller's session."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..dialects import identifier
from ..errors import InputError
from ..rendering.templates import steps
from .base import Engine, kind
from .files import ending

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
        """Run a query and return its rows.

        Spark computes a named query once for each mention of it. Those with more than one are kept
        until the rows are there, in memory or on disk.
        """
        queries, last = steps(sql, f"sqlrec_{uuid.uuid4().hex}_")
        whole = "".join([*dict(queries).values(), last])
        frames = {}
        try:
            for name, query in queries:
                frames[name] = self.session.sql(query)
                if whole.count(f" {name} ") > 1:
                    frames[name].persist()
                frames[name].createOrReplaceTempView(name)
            return self.session.sql(last).toArrow()
        finally:
            for name, frame in frames.items():
                frame.unpersist()
                self.session.catalog.dropTempView(name)

    def columns(self, relation: str) -> dict[str, str]:
        """Return the columns of a relation with their types, in order."""
        fields = self.session.sql(f"select * from {relation}").schema.fields
        return {field.name: kind(field.dataType.simpleString()) for field in fields}

    def file(self, path: str, name: str) -> str:
        """Read Parquet, as a file, folder or glob at any address that the session can read."""
        if ending(path) not in ("parquet", None):
            raise InputError(
                f"{name}={path!r}: Spark is given Parquet files; read others with "
                "session.read.csv or session.read.json and give the frame"
            )
        return f"parquet.{identifier(path, 'spark')}"

    def table(self, given: Any, name: str) -> Any:
        """Take a Spark frame."""
        if hasattr(given, "createOrReplaceTempView"):
            return given
        raise InputError(
            f"{name} is a {type(given).__name__}: give Spark a Spark frame, a Parquet path or the "
            "name of a table or view"
        )

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
