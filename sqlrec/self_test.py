"""A test for an engine, which compares statements over small tables with stored values."""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from time import monotonic
from typing import Any

from .dialects import DIALECTS, identifier, relation
from .display.numbers import number
from .display.table_layout import Cell, Column, Group, Layout
from .engines.base import Engine
from .engines.connect import close_connection, open_connection, open_engine
from .engines.duckdb import open_database
from .functions import compare, evaluate, sql
from .records import Record, Row
from .results.database_table import select_constants
from .results.rows import Rows
from .results.table import Table

FILE = Path(__file__).with_suffix(".json")

# The largest difference that another order of summation can cause, relative for values above 1.
_EXACT = 1e-12

# Dialects in which tables are created in a transaction, which is rolled back at the end.
_TRANSACTIONAL = ("postgres", "redshift", "sqlite")

# The columns that identify a row, in the order of their names in the stored values.
_NAMES = ("model", "country", "age", "user_id", "metric", "k", "interval", "method", "better")
_NOT_COMPARED = ("request", "test")

# The tables, the cases, and the values of cases by row.
StoredValues = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Case:
    """A request with stored values."""

    part: str  # The kind of request.
    values: str  # The name of the stored values.
    metrics: Sequence[str]  # The metrics, each with its cutoff: ``ndcg 5``.
    requests: Sequence[str]  # The metrics as texts of requests.
    call: str  # The name of the function that runs the request.
    options: Mapping[str, object]  # The options of the function.
    inputs: Mapping[str, str]  # The inputs, as format strings for the table names.

    def expected(self, content: StoredValues) -> dict[str, list[Any]]:
        """Return the stored values of the metrics by row."""
        rows = content[self.values].items()
        return {name: x for name, x in rows if any(f" {y} " in f"{name} " for y in self.metrics)}

    def arguments(self, engine: Engine, tables: Mapping[str, str]) -> Any:
        """Return the arguments of the function."""
        names = ("recs", "truth", "history", "catalog", "items", "baseline")
        inputs = {name: f"{{{name}}}" for name in names} | dict(self.inputs)
        names_in_engine = {name: text.format(**tables) for name, text in inputs.items()}
        return {"metrics": self.requests, "engine": engine, **names_in_engine, **self.options}


def _run_call(case: Case, engine: Engine, tables: Mapping[str, str]) -> Iterable[Row]:
    arguments = case.arguments(engine, tables)
    match case.call:
        case "evaluate":
            return evaluate(**{"interval": None} | arguments)
        case "per_user":
            return evaluate(**arguments, interval=None).per_user()
        case "compare":
            return compare(**arguments | {"baseline": "pop"})
        case "steps":
            return _run_steps(case, sql(**arguments, form="steps"), engine, tables["prefix"])
        case "plain":
            return _name_single_metric(case, Rows.read(engine, sql(**arguments)))
    # A comparison's statement returns no columns for a test.
    text = sql(**arguments | {"baseline": None}, compare_with="pop")
    names = ("model", "country", "metric", "k", "users", "value", "baseline_value", "difference")
    return [
        {**{name: row[name] for name in names}, "method": "mean", "better": "higher"}
        for row in _name_single_metric(case, Rows.read(engine, text))
    ]


def _run_steps(case: Case, text: str, engine: Engine, prefix: str) -> list[Record]:
    """Run a statement in steps. Tables of steps have new names and are dropped at the end."""
    text = re.sub(rf"\bsqlrec_(?!{prefix.removeprefix('sqlrec_')})", prefix, text)
    *steps, last = re.sub(r"(--.*)?\n", "\n", text).strip(" ;\n").split(";\n")
    drop = DIALECTS[engine.dialect].drop or "drop table if exists {}"
    with ExitStack() as stack:
        for step in steps:
            engine.execute(step)
            if creation := re.match(r"\s*(?:create|cache)\b.*? table (\w+)", step):
                stack.callback(engine.execute, drop.format(creation[1]))
        return _name_single_metric(case, Rows.read(engine, last))


def _name_single_metric(case: Case, rows: Rows) -> list[Record]:
    """Return rows with a metric: a statement names the metric only if it has several metrics."""
    label, _, k = case.metrics[0].rpartition(" ")
    labels = {"model": "recs", "metric": label, "k": None if k == "None" else k}
    return [
        labels | {name.lower(): value for name, value in row.items()} for row in rows.to_pylist()
    ]


def read_cases(content: StoredValues) -> list[Case]:
    """Return the stored cases."""
    return [Case(**entry) for entry in content["cases"]["all"]]


class SelfTest(Table):
    """The statements that ran, with a row for each.

    Columns:

    - ``part``: the kind of request; ``metrics``: the requested metrics; ``rule``: the options that
        differ from the defaults.
    - ``values``: the number of stored values.
    - ``difference``: the largest difference from a stored value, relative for values above 1.
    - ``seconds``: the time that the statement took.
    - ``result``: ``pass`` or ``FAIL``; ``message``: the difference, or the error.

    Attributes:
        passed: Whether every statement passed.
    """

    def __init__(self, dialect: str, records: list[Record]) -> None:
        rows = Rows(dict.fromkeys(records[0], ""), records)
        super().__init__("", lambda: rows, lay_out=partial(self_test_layout, dialect=dialect))
        self.passed = all(record["result"] == "pass" for record in records)


def selftest(engine: Any = None, *, schema: str | None = None) -> SelfTest:
    """Test an engine: run statements over small tables, and compare the rows with stored values.

    The tables have new names that begin with ``sqlrec_``, and are removed at the end. No other
    table is read or changed.

    Args:
        engine: As in ``Dataset``: a connection, a session, the path of a database, or a URL.
        schema: The schema of the tables, as in the engine's SQL; by default the engine's default
            schema.

    Returns:
        A table of the statements, with ``passed``.

    Raises:
        InputError: The engine does not exist, or it can't create tables.
    """
    content = json.loads(FILE.read_text(encoding="utf-8"))
    # An engine without a connection keeps no tables between calls.
    opened = engine is None or isinstance(engine, (str, Path))
    if opened:
        connection = open_database() if engine is None else open_connection(engine, writes=True)
    else:
        connection = engine
    try:
        database = open_engine(connection)
        with _create_tables(database, content, schema) as tables:
            records = [_run_case(case, database, tables, content) for case in read_cases(content)]
        return SelfTest(database.dialect, records)
    finally:
        if opened:
            close_connection(connection)


@contextmanager
def _create_tables(engine: Engine, content: StoredValues, schema: str | None) -> Iterator[Any]:
    """Create the tables under new names, and remove them at the end."""
    prefix = f"sqlrec_{os.urandom(4).hex()}_"
    tables = {"prefix": prefix}
    if engine.dialect == "duckdb" and not engine.own:
        engine.check_writes()
    with ExitStack() as stack:
        if is_isolated := engine.dialect in _TRANSACTIONAL:
            begin, _, roll_back = engine.transaction_steps()
            begin()
            stack.callback(roll_back)
        for name, table in _read_stored_tables(content):
            own_name = ".".join(filter(None, (schema, prefix + name)))
            quoted = relation(own_name, engine.dialect)
            _create_table(engine, quoted, table)
            if not is_isolated:
                stack.callback(engine.execute, f"drop table {quoted}")
            tables[name] = own_name
        yield tables


def _read_stored_tables(content: StoredValues) -> Iterator[tuple[str, Rows]]:
    for name, table in content.items():
        if name.startswith("table "):
            types = table["types"]
            records = [dict(zip(types, row, strict=True)) for row in table["rows"]]
            yield name.removeprefix("table "), Rows(types, records)


def _create_table(engine: Engine, table: str, rows: Rows) -> None:
    columns = {identifier(name, engine.dialect): "" for name in rows.column_names}
    columns = {name: name for name in columns}
    (query,) = select_constants(rows, engine.dialect)
    if engine.dialect == "spark":
        engine.write(table, columns, [query], "error")
        return
    create = "create engine = Memory" if engine.dialect == "clickhouse" else "create"
    engine.execute(engine.insert(table, columns, query, create))


def _run_case(
    case: Case, engine: Engine, tables: Mapping[str, str], values: StoredValues
) -> Record:
    start = monotonic()
    expected = case.expected(values)
    difference = None
    try:
        with warnings.catch_warnings(action="ignore"):
            rows = {_row_name(row): _row_values(row) for row in _run_call(case, engine, tables)}
        difference, message = _compare_rows(rows, expected)
    except Exception as error:  # Each driver raises its own errors.
        message = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return {
        "part": case.part,
        "metrics": " ".join(case.requests),
        "rule": case.values,
        "values": len(expected),
        "difference": difference,
        "seconds": monotonic() - start,
        "result": "FAIL" if message else "pass",
        "message": message,
    }


def _row_name(row: Row) -> str:
    return " ".join(str(row[name]) for name in _NAMES if name in row)


def _row_values(row: Row) -> list[Any]:
    return [value for name, value in row.items() if name not in (*_NAMES, *_NOT_COMPARED)]


def _compare_rows(
    rows: Mapping[str, list[Any]], expected: Mapping[str, list[Any]]
) -> tuple[float, str]:
    """Return the largest difference, and the first row that differs; empty if all are equal.

    A statement may return only the first of the stored columns.
    """
    if rows.keys() != expected.keys():
        different = sorted(rows.keys() ^ expected.keys())
        return 0.0, f"{len(rows)} rows instead of {len(expected)}, as {different[0]}"
    largest, message = 0.0, ""
    for name, stored in expected.items():
        for value, other in zip(rows[name], stored, strict=False):
            if (value is None) != (other is None):
                message = message or f"{name} is {value}, and {other} is stored"
            elif value is not None:
                difference = abs(value - other) / max(1, abs(other))
                largest = max(largest, difference)
                if not difference <= _EXACT:
                    message = message or f"{name} is {value}, and {other} is stored"
    return largest, message


def self_test_layout(names: Sequence[str], rows: Sequence[Row], dialect: str) -> Layout:
    """Return the layout of a self-test, with a line for each part, then the failures."""
    columns = [Column(name, key=name in ("result", "part")) for name in ("result", "part")]
    numbers = ("statements", "values", "difference", "seconds")
    columns += [Column(name, number=True) for name in numbers]
    lines = []
    for part, part_rows in groupby(rows, key=lambda row: row["part"]):
        group = [*part_rows]
        has_failure = any(row["result"] == "FAIL" for row in group)
        differences = [row["difference"] for row in group if row["difference"] is not None]
        result = Cell("✗ FAIL", tone="bad") if has_failure else Cell("✓ pass", tone="good")
        sums = [sum(row[name] for row in group) for name in ("values", "seconds")]
        lines.append(
            [
                *(result, Cell(part), Cell(str(len(group))), Cell(number(sums[0], 0))),
                *(Cell(f"{max(differences, default=0):.1g}"), Cell(f"{sums[1]:.1f}")),
            ]
        )
    failures = [row for row in rows if row["result"] == "FAIL"]
    count = f"{len(rows)} statements on {dialect}"
    title = f"{len(failures)} of {count} failed" if failures else f"All {count} passed"
    notes = [f"{row['part']}, {row['metrics']}: {row['message']}" for row in failures]
    return Layout(columns, [Group("", lines)], title, notes)
