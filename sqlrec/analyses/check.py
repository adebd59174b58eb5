"""A quality gate: rules of metrics, of other models, and of a stored result."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from ..catalogue.requests import MetricRequest, format_metric
from ..errors import DataError, InputError
from ..evaluation import evaluate
from ..inputs.read import paths
from ..inputs.tables import Tables
from ..options import INTERVAL_OF_LIMITS, Interval, IntervalName, Rules, Segments
from ..results.result_layout import users_without_list
from ..results.rows import Rows
from ..results.table import Table
from ..run.job import read_metrics
from ..run.margins import TOLERANCE, Name
from ..run.segments import check_segment_names
from .check_layout import check_layout, to_junit
from .decisions import STORED, Rule, check_rules, expand_rules, read_rules
from .stored_result import Confidence, StoredResult, open_stored

_COLUMNS = (
    *("check", "value", "stored", "difference", "low", "high", "limit", "p", "users", "basis"),
)

Row = Mapping[str, Any]


class Check(Table):
    """The checks that ran: a row per model, segment, metric, cutoff and rule.

    Columns:

    - ``result``: ``pass`` or ``FAIL``.
    - ``model``, the segments, ``metric``, ``k``; ``asked``, the metric as you wrote it.
    - ``check``: the text of the rule.
    - ``value``: the mean now; ``stored`` and ``difference``: the mean of the other model or of the
      stored result, and the value minus it.
    - ``low``: the lower limit of the difference; ``high``: its upper limit. A rule of the stored
      result has the one that decides.
    - ``limit``: what the check compares with: ``value`` for a number; for the stored result ``low``
      or ``high``, or ``difference`` if it has no limit.
    - ``users``: the number of users of the check.
    - ``p``: for a rule that compares models, the corrected p value of ``compare``.
    - ``basis``: the basis of the check: the ``value``; a ``test`` of two models; ``pairs`` of
      stored per-user values; the ``intervals`` of two means; ``unchanged``, two means with equal
      users and errors; two ``means`` without intervals; or ``gone``, a model or segment that was
      stored and no longer exists, which fails.

    Attributes:
        passed: Whether every check passed.
    """

    def __init__(
        self, sql: str, rows: Rows, inputs: Sequence[str], layout: Mapping[str, Any]
    ) -> None:
        super().__init__(sql, lambda: rows, inputs=inputs, lay_out=partial(check_layout, **layout))
        self._layout = layout
        self.passed = all(row["result"] != "FAIL" for row in rows.records)

    def failures(self) -> Check:
        """Return the failed checks only."""
        failed = Rows.of(self.rows()).select_rows("result", ["FAIL"])
        return Check(self.sql, failed, self.inputs, self._layout)

    def to_junit(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the checks as JUnit XML.

        Args:
            path: A file to write as well, which appears whole or not at all.
        """
        return self._out(to_junit(self.rows().column_names, self.rows().to_pylist()), path)


def check(
    tables: Tables,
    metrics: Any,
    *,
    k: Any = None,
    against: Any = None,
    by: Any = (),
    rules: Any = "sqlrec",
    interval: Any = "t",
) -> Check:
    """Check the metrics of opened inputs, as ``Dataset.check`` does."""
    by, rules = Segments.read(by), Rules.read(rules)
    interval = Interval.read(interval, INTERVAL_OF_LIMITS)
    confidence = Confidence.read(interval)
    models = tables.recs if isinstance(tables.recs, Mapping) else ()
    read = partial(read_metrics, tables=tables, rules=rules, by=by, k=k)
    decision = [*expand_rules(read_rules(metrics, models), read)]
    of_numbers = [rule for rule in decision if rule.model is None]
    of_stored = [rule for rule in decision if rule.model == STORED and rule.request]
    of_models = [rule for rule in decision if rule not in of_numbers + of_stored]
    _check_compatible(of_stored, of_models, against, confidence)
    requests, ruled = _requests(decision), _requests(of_stored)
    with open_stored(against, tables.settings) as stored:
        errors = _errors(stored, by, interval.cluster)
        if stored is not None:
            stored.check_metrics(ruled, requests)
        result = evaluate(
            tables,
            [*requests.values()],
            by=by,
            rules=rules,
            interval=Interval(errors, cluster=interval.cluster),
        )
        rows = result.rows().to_pylist()
        names = result.rows().column_names
        segments = names[1 : names.index("metric")]
        check_segment_names(segments, ["result", *_COLUMNS])
        _check_values(rows, _requests([*of_numbers, *of_stored]))
        checks = _apply(_check_number, of_numbers, rows)
        if stored is not None:
            compared = stored.compare(result, segments, ruled, confidence)
            checks += _apply(_check_margin, of_stored, compared)
            checks += _apply(lambda *_: {}, of_stored, stored.missing_rows(rows, segments, ruled))
    texts = [request.text for request in requests.values()]
    of_differences = Interval(level=interval.level, cluster=interval.cluster)
    checks += check_rules(tables, of_models, texts, rules, of_differences)
    table = _table(checks, segments)
    counted = result.user_counts.rows()
    layout = {
        "count": table.num_rows,
        "level": confidence.level,
        "always": confidence.always,
        "without_list": users_without_list(counted.column_names, counted.to_pylist()),
    }
    return Check(result.sql, table, [*result.inputs, *paths(against)], layout)


def _requests(rules: Iterable[Rule]) -> dict[Name, MetricRequest]:
    """Return the metrics of rules, by name and cutoff."""
    requests = dict[Name, MetricRequest]()
    for request in (rule.request for rule in rules if rule.request):
        requests.setdefault((request.label, request.k), request)
    return requests


def _check_compatible(
    of_stored: Sequence[Rule], of_models: Sequence[Rule], against: Any, confidence: Confidence
) -> None:
    """Check that rules and options are compatible.

    Raises:
        InputError: They are not.
    """
    if confidence.always and of_models:
        raise InputError(
            f"interval='always' and {of_models[0].text!r}: models are compared by t-tests; remove "
            "it"
        )
    if of_stored and against is None:
        raise InputError(f"against=None and {of_stored[0].text!r}: give the stored result, against")
    if against is not None and not of_stored:
        raise InputError(
            "against is given without a rule of it: write one, as in 'ndcg@10 >= stored - 0.01'"
        )


def _errors(stored: StoredResult | None, by: Segments, cluster: str | None) -> IntervalName | None:
    """Return the interval of means whose errors are needed.

    Raises:
        InputError: The stored result has other units, or groupings.
    """
    if stored is not None:
        stored.check_clusters(None if cluster == "user_id" else cluster)
        if not stored.of_users:
            return "normal"
        if by.each:
            raise InputError(
                f"each=True: {stored.name} has per-user values, which are compared by "
                "one grouping; store a result"
            )
    return None if cluster is None else "t"


def _check_values(rows: Iterable[Row], requests: Container[Name]) -> None:
    """Check that checked metrics have values.

    Raises:
        DataError: A value is missing.
    """
    for row in rows:
        name, value = (row["metric"], row["k"]), row["value"]
        if name in requests and (value is None or math.isnan(value)):
            raise DataError(
                f"{row['model']}: {format_metric(*name)} has no value: no check can be made"
            )


def _apply(
    check_row: Callable[[Rule, Row], Row], rules: Sequence[Rule], rows: Iterable[Row]
) -> list[dict[str, Any]]:
    """Return the checks of rows by the rules of their metrics."""
    return [
        {**row, "asked": rule.request.text, "check": rule.text, **check_row(rule, row)}
        for row in rows
        for rule in rules
        if rule.request and rule.is_of(row)
    ]


def _check_number(rule: Rule, row: Row) -> Row:
    """Check a value against a number."""
    beyond = rule.side * (row["value"] - (rule.number or 0.0))
    passed = beyond >= -TOLERANCE if rule.sign.endswith("=") else beyond > TOLERANCE
    none = dict.fromkeys(("low", "high"))
    return {**none, "limit": rule.number, "result": passed, "basis": "value"}


def _check_margin(rule: Rule, row: Row) -> Row:
    """Check a difference from a stored value, and its confidence limit if it has one."""
    size = abs(rule.number or 0.0) * (abs(row["stored"]) if rule.relative else 1)
    worst = row["difference"] - rule.side * (row["reach"] or 0)
    sides = dict.fromkeys(("low", "high"))
    if row["reach"] is not None:
        sides["low" if rule.side > 0 else "high"] = worst
    passed = rule.side * worst >= -size - TOLERANCE
    return {**sides, "limit": -rule.side * size, "result": passed}


def _table(rows: list[dict[str, Any]], segments: list[str]) -> Rows:
    for row in rows:
        row["result"] = "pass" if row["result"] else "FAIL"
    # Missing segments are text if they are from a CSV file.
    for name in segments:
        if len({type(row.get(name)) for row in rows} - {type(None)}) > 1:
            for row in rows:
                row[name] = None if row.get(name) is None else str(row[name])
    numbers = ("value", "stored", "difference", "low", "high", "limit", "p")
    types = dict.fromkeys(numbers, "float64") | dict.fromkeys(("k", "users"), "int64")
    names = ("result", "model", *segments, "metric", "k", "asked", *_COLUMNS)
    return Rows(
        {name: types.get(name, "") for name in names},
        [{name: row.get(name) for name in names} for row in rows],
    )
