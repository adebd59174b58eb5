"""A test of an engine: statements over small tables, compared with stored values."""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from pathlib import Path
from time import monotonic
from typing import Any

from .catalogue.headers import Metric, metric
from .dialects import DIALECTS, identifier, relation
from .display.layout import Cell, Column, Group, Layout
from .display.numbers import number
from .engines.base import Engine
from .engines.connect import open_connection, open_engine
from .engines.duckdb import connect
from .functions import compare, evaluate, sql
from .records import Record, Row
from .results.database_table import constants
from .results.rows import Rows
from .results.table import Table

FILE = Path(__file__).with_suffix(".json")

# The largest difference from another order of summation, relative to values above 1.
_EXACT = 1e-12

# Dialects in which tables are created in a transaction, which is rolled back at the end.
_TRANSACTIONAL = ("postgres", "redshift", "sqlite")

# The columns that name a row, in the order of their names in the stored values.
_NAMES = ("model", "country", "age", "user_id", "metric", "k", "interval", "method", "better")
_NOT_COMPARED = ("asked", "test")

_FEW = (
    "ndcg 5",
    "average_precision 5",
    "recall 5",
    "reciprocal_rank 5",
    "bpref 5",
    "gini 5",
)
_MEANS = ("ndcg 5", "average_precision None", "recall 5", "hit_rate 3")

# Inputs that are queries.
_RANKS = {"recs": "(select model, user_id, item_id, list_rank as rank from {recs})"}
_BOTH = {"recs": "(select model, user_id, item_id, score, list_rank as rank from {recs})"}
_ONE_MODEL = {"recs": "(select user_id, item_id, score from {recs} where model = 'als')"}
_UNGRADED = {"truth": "(select user_id, item_id from {truth})"}
_REPEATED = {"recs": "{repeated_recs}", "truth": "{repeated_truth}"}
_USERS = {"users": "{users}"}
_MISSING_SCORES = {"columns": {"recs.score": "partial_score"}}

# Stored values of a rule, with the options and inputs that differ from the defaults.
_RULES: Mapping[str, tuple[Mapping[str, object], Mapping[str, str]]] = {
    "ranks": ({}, _RANKS),
    "order=score": ({"order": "score"}, _BOTH),
    "order=rank": ({"order": "rank"}, _BOTH),
    "ties=item_desc": ({"ties": "item_desc"}, {}),
    "ties=first": ({"ties": "first", "order_by": "row"}, {}),
    "ties=best": ({"ties": "best"}, {}),
    "ties=worst": ({"ties": "worst"}, {}),
    "ties=expected": ({"ties": "expected"}, {}),
    "duplicates=best": ({"duplicates": "best"}, _REPEATED),
    "null_scores=last": ({"null_scores": "last", **_MISSING_SCORES}, {}),
    "null_scores=drop": ({"null_scores": "drop", **_MISSING_SCORES}, {}),
    "population=truth_and_recs": ({"population": "truth_and_recs"}, {}),
    "population=judged": ({"population": "judged"}, {}),
    "population=judged_and_recs": ({"population": "judged_and_recs"}, {}),
    "population=recs": ({"population": "recs"}, {}),
    "population=all": ({"population": "all"}, {}),
    "relevance_threshold=2": ({"relevance_threshold": 2}, {}),
    "relevance_threshold=-inf": ({"relevance_threshold": float("-inf")}, {}),
    "without grades": ({}, _UNGRADED),
    "depth=3": ({"depth": 3}, {}),
}

_STATISTICS: Mapping[str, Mapping[str, object]] = {
    "interval=t": {"interval": "t", "by": "country"},
    "interval=wilson": {"interval": "wilson", "by": "country"},
    "cluster": {"interval": "t", "cluster": "age"},
    "summaries": {
        "interval": None,
        "by": "country",
        "summaries": "standard_deviation min max zero_share median p90 lower_median lower_p90",
    },
}
_TESTS = ("t", "sign")


# The tables, and the values of each case by row.
StoredValues = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Case:
    """A request with stored values."""

    part: str  # The kind of request.
    values: str  # The name of the stored values.
    metrics: Sequence[str]  # The metrics, each with its cutoff: ``ndcg 5``.
    call: Callable[[Case, Engine, Mapping[str, str]], Iterable[Row]]  # The function that runs it.
    options: Mapping[str, object] = field(default_factory=dict)  # The options of the function.
    # The inputs, as formats of the table names.
    inputs: Mapping[str, str] = field(default_factory=dict)

    @property
    def request_texts(self) -> list[str]:
        """The metrics as texts of requests."""
        requests = []
        for label, _, k in (text.rpartition(" ") for text in self.metrics):
            suffix = "" if _find_metric(label).entries["Cutoff"] == "none" else "@all"
            requests.append(_request_text(label) + (suffix if k == "None" else f"@{k}"))
        return requests

    def expected(self, values: StoredValues) -> dict[str, list[Any]]:
        """Return the stored values of the metrics by row."""
        rows = values[self.values].items()
        return {name: row for name, row in rows if any(_has_metric(name, x) for x in self.metrics)}

    def arguments(self, engine: Engine, tables: Mapping[str, str]) -> Any:
        """Return the arguments of the function."""
        names = ("recs", "truth", "history", "catalog", "items", "baseline")
        inputs = {name: f"{{{name}}}" for name in names} | dict(self.inputs)
        named = {name: text.format(**tables) for name, text in inputs.items()}
        return {"metrics": self.request_texts, "engine": engine, **named, **self.options}


def _find_metric(label: str) -> Metric:
    return metric(label.partition("(")[0])


def _request_text(label: str) -> str:
    """Return a label as a request. With a catalog, exposure is counted over all of its items."""
    default = _find_metric(label).params.get("items", ("",))[0]
    if default != "recommended" or re.search("items=|convention=", label):
        return label
    name, bracket, params = label.partition("(")
    return f"{name}(items=recommended{', ' if bracket else ')'}{params}"


def _has_metric(row: str, metric: str) -> bool:
    return f" {metric} " in f"{row} "


def _run_evaluate(case: Case, engine: Engine, tables: Mapping[str, str]) -> list[Record]:
    arguments = {"interval": None} | case.arguments(engine, tables)
    return evaluate(**arguments).rows().to_pylist()


def _run_per_user(case: Case, engine: Engine, tables: Mapping[str, str]) -> list[Record]:
    result = evaluate(**case.arguments(engine, tables), interval=None)
    return result.per_user().rows().to_pylist()


def _run_compare(case: Case, engine: Engine, tables: Mapping[str, str]) -> list[Record]:
    inputs = case.arguments(engine, tables)
    return compare(**inputs | {"baseline": "pop"}).rows().to_pylist()


def _run_plain(case: Case, engine: Engine, tables: Mapping[str, str]) -> list[Record]:
    return _complete(case, Rows.read(engine, sql(**case.arguments(engine, tables))))


def _run_comparison(case: Case, engine: Engine, tables: Mapping[str, str]) -> list[Record]:
    """Run the statement of a comparison; return the columns that do not depend on a test."""
    text = sql(**case.arguments(engine, tables) | {"baseline": None}, compare_with="pop")
    names = ("model", "country", "metric", "k", "users", "value", "baseline_value", "difference")
    return [
        {**{name: row[name] for name in names}, "method": "mean", "better": "higher"}
        for row in _complete(case, Rows.read(engine, text))
    ]


def _run_steps(case: Case, engine: Engine, tables: Mapping[str, str]) -> list[Record]:
    """Run a statement in steps, whose tables have names of their own and are dropped."""
    text = sql(**case.arguments(engine, tables), form="steps")
    prefix = tables["prefix"]
    text = re.sub(rf"\bsqlrec_(?!{prefix.removeprefix('sqlrec_')})", prefix, text)
    *steps, last = re.sub(r"(--.*)?\n", "\n", text).strip(" ;\n").split(";\n")
    drop = DIALECTS[engine.dialect].drop or "drop table if exists {}"
    with ExitStack() as stack:
        for step in steps:
            engine.execute(step)
            if created := re.match(r"\s*(?:create|cache)\b.*? table (\w+)", step):
                stack.callback(engine.execute, drop.format(created[1]))
        return _complete(case, Rows.read(engine, last))


def _complete(case: Case, rows: Rows) -> list[Record]:
    """Return the rows of a statement, which names a metric only if there are several."""
    label, _, k = case.metrics[0].rpartition(" ")
    named = {"model": "recs", "metric": label, "k": None if k == "None" else k}
    return [
        named | {name.lower(): value for name, value in row.items()} for row in rows.to_pylist()
    ]


def cases(values: StoredValues) -> Iterator[Case]:
    """Yield the cases with these values."""

    def metrics(name: str, model: str) -> list[str]:
        return [row.removeprefix(model) for row in values[name] if row.startswith(model)]

    def few(name: str, labels: Sequence[str]) -> list[str]:
        return [label for label in labels if any(_has_metric(row, label) for row in values[name])]

    def kind(metric: str) -> str:
        return str(_find_metric(metric.rpartition(" ")[0]).rows)

    for call, part in ((_run_evaluate, "metrics"), (_run_plain, "metrics, plain statements")):
        for _, group in groupby(sorted(metrics("every form", "als "), key=kind), key=kind):
            yield Case(part, "every form", [*group], call)
        of_logs = {"logs": "{logs}", **_ONE_MODEL}
        for _, group in groupby(sorted(metrics("logs @2", "recs "), key=kind), key=kind):
            yield Case(f"{part}", "logs @2", [*group], call, inputs=of_logs)
    yield Case("per-user values", "users", few("users", _FEW), _run_per_user, inputs=_ONE_MODEL)
    for name, (options, inputs) in _RULES.items():
        yield Case("rules", name, few(name, _FEW), _run_evaluate, options, inputs)
    by = {"by": ["country", "age"]}
    yield Case("segments", "segments", few("segments", _FEW), _run_evaluate, by, _USERS)
    library = partial(re.sub, r".*convention=(\w+).*", r"\1")
    for _, group in groupby(metrics("conventions", "als "), key=library):
        yield Case("conventions", "conventions", [*group], _run_evaluate, {"order_by": "row"})
    for name, options in _STATISTICS.items():
        labels = few(name, ("hit_rate 5",) if "wilson" in name else _MEANS)
        yield Case("intervals and summaries", name, labels, _run_evaluate, options, _USERS)
    for test in _TESTS:
        name, options = f"comparison by {test}", {"test": test, "correction": "bh", "by": "country"}
        yield Case("comparisons", name, few(name, _MEANS), _run_compare, options, _USERS)
    of_country = {"by": "country"}
    name = "comparison by t"
    yield Case("comparisons", name, few(name, _MEANS), _run_comparison, of_country, _USERS)
    # An error in a step ends a transaction, so steps are last.
    for label in _FEW:
        yield Case("steps", "every form", [label], _run_steps)


class SelfTest(Table):
    """The statements that ran, a row each.

    Columns:

    - ``part``: the kind of request; ``metrics``: the requested metrics; ``rule``: the options that
        differ from the defaults.
    - ``values``: the number of stored values.
    - ``difference``: the largest difference from a stored value, relative to values above 1.
    - ``seconds``: the time it took.
    - ``result``: ``pass`` or ``FAIL``; ``message``: the difference, or the error.

    Attributes:
        passed: Whether every statement passed.
    """

    def __init__(self, dialect: str, records: list[Record]) -> None:
        rows = Rows(dict.fromkeys(records[0], ""), records)
        super().__init__("", lambda: rows, lay_out=partial(_self_test_layout, dialect=dialect))
        self.passed = all(record["result"] == "pass" for record in records)


def _self_test_layout(names: Sequence[str], rows: Sequence[Row], dialect: str) -> Layout:
    """Return the layout of a self-test: a line for each part, then the failures."""
    columns = [Column(name, key=name in ("result", "part")) for name in ("result", "part")]
    numbers = ("statements", "values", "difference", "seconds")
    columns += [Column(name, number=True) for name in numbers]
    lines = []
    for part, grouped in groupby(rows, key=lambda row: row["part"]):
        group = [*grouped]
        failed = any(row["result"] == "FAIL" for row in group)
        differences = [row["difference"] for row in group if row["difference"] is not None]
        result = Cell("✗ FAIL", tone="bad") if failed else Cell("✓ pass", tone="good")
        sums = [sum(row[name] for row in group) for name in ("values", "seconds")]
        lines.append(
            [
                *(result, Cell(part), Cell(str(len(group))), Cell(number(sums[0], 0))),
                *(Cell(f"{max(differences, default=0):.1g}"), Cell(f"{sums[1]:.1f}")),
            ]
        )
    failures = [row for row in rows if row["result"] == "FAIL"]
    count = f"{len(rows)} statements on {dialect}"
    title = f"{len(failures)} of {count} failed" if failures else f"all {count} passed"
    notes = [f"{row['part']}, {row['metrics']}: {row['message']}" for row in failures]
    return Layout(columns, [Group("", lines)], title, notes)


def selftest(engine: Any = None, *, schema: str | None = None) -> SelfTest:
    """Test an engine: run statements over small tables, and compare them with stored values.

    The tables have new names that begin with ``sqlrec_``, and are removed at the end. No other
    table is read or changed.

    Args:
        engine: As in ``Dataset``: a connection, a session, the path of a database, or a URL.
        schema: The schema of the tables, as in the engine's SQL; by default the engine's default
            schema.

    Returns:
        A table of the statements, with ``passed``.

    Raises:
        InputError: There is no such engine, or it can't create tables.
    """
    content = json.loads(FILE.read_text(encoding="utf-8"))
    # An engine without a connection keeps no tables between calls.
    opened = engine is None or isinstance(engine, (str, Path))
    if opened:
        connection = connect() if engine is None else open_connection(engine, writes=True)
    else:
        connection = engine
    try:
        database = open_engine(connection)
        with _create_tables(database, content, schema) as tables:
            records = [_run_case(case, database, tables, content) for case in cases(content)]
        return SelfTest(database.dialect, records)
    finally:
        # The Spark session may be shared.
        if opened and str(engine) != "spark":
            connection.close()


@contextmanager
def _create_tables(engine: Engine, content: StoredValues, schema: str | None) -> Iterator[Any]:
    """Create the tables under new names, and remove them at the end."""
    prefix = f"sqlrec_{os.urandom(4).hex()}_"
    tables = {"prefix": prefix}
    if engine.dialect == "duckdb" and not engine.own:
        engine.check_writes()
    with ExitStack() as stack:
        if isolated := engine.dialect in _TRANSACTIONAL:
            begin, _, roll_back = engine.transaction_steps()
            begin()
            stack.callback(roll_back)
        for name, table in _stored_tables(content):
            own_name = ".".join(filter(None, (schema, prefix + name)))
            quoted = relation(own_name, engine.dialect)
            _create(engine, quoted, table)
            if not isolated:
                stack.callback(engine.execute, f"drop table {quoted}")
            tables[name] = own_name
        yield tables


def _stored_tables(content: StoredValues) -> Iterator[tuple[str, Rows]]:
    for name, table in content.items():
        if name.startswith("table "):
            types = table["types"]
            records = [dict(zip(types, row, strict=True)) for row in table["rows"]]
            yield name.removeprefix("table "), Rows(types, records)


def _create(engine: Engine, table: str, rows: Rows) -> None:
    """Create a table, which must not exist, in one statement."""
    columns = {identifier(name, engine.dialect): "" for name in rows.column_names}
    columns = {name: name for name in columns}
    (query,) = constants(rows, engine.dialect)
    if engine.dialect == "spark":
        engine.write(table, columns, [query], "error")
        return
    create = "create engine = Memory" if engine.dialect == "clickhouse" else "create"
    engine.execute(engine.insert(table, columns, query, create))


def _run_case(
    case: Case, engine: Engine, tables: Mapping[str, str], values: StoredValues
) -> Record:
    """Run a case and return its row of the table."""
    start = monotonic()
    expected = case.expected(values)
    difference = None
    try:
        with warnings.catch_warnings(action="ignore"):
            rows = {_row_name(row): _row_numbers(row) for row in case.call(case, engine, tables)}
        difference, message = _compare_rows(rows, expected)
    except Exception as error:  # Each driver has its own.
        message = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return {
        "part": case.part,
        "metrics": " ".join(case.request_texts),
        "rule": case.values,
        "values": len(expected),
        "difference": difference,
        "seconds": monotonic() - start,
        "result": "FAIL" if message else "pass",
        "message": message,
    }


def _row_name(row: Row) -> str:
    return " ".join(str(row[name]) for name in _NAMES if name in row)


def _row_numbers(row: Row) -> list[Any]:
    return [value for name, value in row.items() if name not in (*_NAMES, *_NOT_COMPARED)]


def _compare_rows(
    rows: Mapping[str, list[Any]], expected: Mapping[str, list[Any]]
) -> tuple[float, str]:
    """Return the largest difference, and the first row that differs; empty if none does.

    A statement may have fewer columns than are stored, and these are the first.
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
