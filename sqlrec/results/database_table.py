"""Results written to a table of the database that computed them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, get_args

from ..dialects import identifier, relation
from ..dialects import text as text_constant
from ..engines.base import Engine
from ..errors import DataError, InputError, safe_cause
from ..options import check_choice, check_flag
from ..records import Record, Row
from .rows import Rows

Mode = Literal["error", "replace", "append"]

# Number of rows of constants in a statement. Engines limit the length of a statement.
_CHUNK = 200

# SQL types by the prefix of the Arrow type, and exceptions by dialect.
_TYPES = {
    "int": "bigint",
    "uint": "bigint",
    "float": "double precision",
    "double": "double precision",
    "bool": "boolean",
    "date": "date",
    "timestamp": "timestamp",
    "": "varchar",
}
_OWN_TYPES = {
    "spark": {"double precision": "double", "varchar": "string"},
    "databricks": {"double precision": "double", "varchar": "string"},
    "bigquery": {"double precision": "float64", "boolean": "bool", "varchar": "string"},
    "trino": {"double precision": "double"},
    "sqlite": {"date": "text", "timestamp": "text", "boolean": "integer", "varchar": "text"},
    "clickhouse": {
        "bigint": "Nullable(Int64)",
        "double precision": "Nullable(Float64)",
        "boolean": "Nullable(Bool)",
        "date": "Nullable(Date32)",
        "timestamp": "Nullable(DateTime64(6))",
        "varchar": "Nullable(String)",
    },
}


@dataclass(frozen=True)
class DatabaseRows:
    """Rows that a database can write to a table."""

    engine: Engine  # The engine of the database.
    # A function that returns the statement of the rows; None for rows in memory.
    statement: Callable[[], str] | None = None
    # The expressions for the columns of the statement, by name.
    columns: Mapping[str, str] = field(default_factory=dict)
    # The Python tables that the statement names.
    objects: Mapping[str, object] = field(default_factory=dict)
    # The interval and the rules of an evaluation as JSON.
    options: str | None = None

    def in_memory(self, options: str | None = None) -> DatabaseRows:
        """Return the database for rows that are in memory."""
        return DatabaseRows(self.engine, options=options or self.options)


def run_columns(
    run_id: str | None, evaluated_at: bool, options: bool, settings: str | None
) -> Record:
    """Return the values of the columns that identify a run, by name."""
    check_flag("evaluated_at", evaluated_at)
    check_flag("options", options)
    if not isinstance(run_id, str | None):
        raise InputError(f"run_id={run_id!r}: give a string, as in '2026-01-31'")
    if options and settings is None:
        raise InputError("options=True is for results of evaluate only: omit it")
    now = datetime.now(UTC).replace(tzinfo=None) if evaluated_at else None
    text = json.dumps(json.loads(settings), ensure_ascii=False) if options and settings else None
    columns = {"run_id": run_id, "evaluated_at": now, "options": text}
    return {name: value for name, value in columns.items() if value is not None}


def check_table_name(name: str, inputs: Sequence[Any]) -> None:
    """Check a table's name, compared from the end, since ``recs`` may be ``main.recs``."""
    if not isinstance(name, str) or not name:
        raise InputError(f"name={name!r}: give the name of a table, as in 'shop.evaluations'")
    parts, *inputs_parts = (
        re.sub(r'["`\[\]]', "", str(other)).lower().split(".") for other in (name, *inputs)
    )
    for other, input_parts in zip(inputs, inputs_parts, strict=True):
        last = min(len(parts), len(input_parts))
        if parts[-last:] == input_parts[-last:]:
            raise InputError(
                f"{name!r} is the input {other}, which would be lost: choose another name"
            )


def write_table(
    source: DatabaseRows, read_rows: Callable[[], Any], name: str, mode: Mode, run: Row
) -> None:
    """Write rows to a table, all or none."""
    check_choice("mode", mode, get_args(Mode))
    engine, dialect = source.engine, source.engine.dialect
    engine.check_writes()
    table = relation(name, dialect)
    if source.statement is None:
        rows = Rows.from_table(read_rows())
        columns = _quote_names(rows.column_names, dialect)
        queries = [*select_constants(rows, dialect)]
    else:
        columns, queries = {**source.columns}, [source.statement()]
    if reserved := [column for column in run if column in columns]:
        raise InputError(
            f"{reserved[0]} is a column of the table: rename it, or omit {reserved[0]}"
        )
    engine.recover(table)
    stored = engine.stored_columns(table)
    _check_stored_table(name, mode, stored, [*columns, *run])
    expressions = {identifier(own, dialect): text for own, text in columns.items()}
    for own, value in run.items():
        kind = "timestamp" if isinstance(value, datetime) else "string"
        expressions[own] = _format_constant(value, kind, dialect)
    try:
        with engine.naming(source.objects):
            engine.write(table, expressions, queries, mode if stored is not None else "error")
    except InputError:
        raise
    except engine.error as error:
        reason = " ".join(str(error).split())[:300]
        raise DataError(f"{name!r} is not written: {reason}") from safe_cause(error)


def _check_stored_table(
    name: str, mode: Mode, stored: list[str] | None, columns: list[str]
) -> None:
    """Check that a table can be written, before the first row is written."""
    if stored is None or mode == "replace":
        return
    if mode == "error":
        raise InputError(f"{name!r} exists: give mode='replace' or mode='append', or another name")
    own_names, table_names = {x.lower() for x in columns}, {x.lower() for x in stored}
    more, fewer = sorted(table_names - own_names), sorted(own_names - table_names)
    parts = [f"has also {', '.join(more)}"] * bool(more)
    parts += [f"lacks {', '.join(fewer)}"] * bool(fewer)
    if parts:
        raise InputError(
            f"{name!r} {' and '.join(parts)}: append to a table of the same columns, or replace it"
        )


def _quote_names(names: list[str], dialect: str) -> dict[str, str]:
    return {name: identifier(name, dialect) for name in names}


def select_constants(rows: Rows, dialect: str) -> Iterator[str]:
    """Yield ``select`` statements with batches of rows as constants, at least one statement."""
    kinds = dict(rows.schema)
    columns = _quote_names(rows.column_names, dialect)

    def line(row: Row, tuples: bool = False) -> str:
        values = [_format_constant(row[n], str(kinds[n]), dialect) for n in columns]
        if tuples:
            return f"({', '.join(values)})"
        entries = (
            f"{value} as {name}" for value, name in zip(values, columns.values(), strict=True)
        )
        return f"select {', '.join(entries)}"

    for start in range(0, len(rows.records), _CHUNK):
        batch = rows.records[start : start + _CHUNK]
        if dialect == "spark":  # A union would create a partition, and a file, for each row.
            lines = ",\n".join(line(row, tuples=True) for row in batch)
            yield f"select * from values\n{lines} as rows ({', '.join(columns.values())})"
        else:
            yield "\nunion all\n".join(map(line, batch))
    if not rows.records:
        yield f"select * from ({line(dict.fromkeys(columns))}) as no_rows where 1 = 0"


def _format_constant(value: Any, kind: str, dialect: str) -> str:
    """Format a value as a constant of an Arrow type, or of the value's own type."""
    kind = kind or type(value).__name__
    sql_type = next(sql for start, sql in _TYPES.items() if kind.startswith(start))
    type_name = _OWN_TYPES.get(dialect, {}).get(sql_type, sql_type)
    constant = "null" if value is None else text_constant(str(value), dialect)
    if sql_type in ("bigint", "boolean") and value is not None:
        constant = str(int(value)) if sql_type == "bigint" else str(value).lower()
    return f"cast({constant} as {type_name})"
