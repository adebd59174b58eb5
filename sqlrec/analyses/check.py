"""A quality gate: rules on metrics, other models and a stored result."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Any

from ..catalogue.requests import MetricRequest, format_metric, takes_default_cutoff
from ..engines.connect import input_paths
from ..errors import DataError, InputError
from ..evaluation import evaluate
from ..layouts.check import check_layout, to_junit
from ..layouts.result import format_users
from ..options import INTERVAL_OF_LIMITS, Interval, IntervalName, Segments, changed_fields
from ..records import Record, Row, group_by
from ..results.rows import Rows
from ..results.table import Table, Text
from ..run.differences import check_options
from ..run.job import UNUSED_CUTOFF, Call
from ..run.margins import TOLERANCE
from ..run.segments import check_segment_names
from ..statistics.comparison_options import ComparisonOptions, Name
from .compare import read_settings
from .decisions import (
    STORED,
    Rule,
    check_rules,
    compare_with_stored_row,
    decision_row,
    expand_rules,
    read_rules,
)
from .stored_result import StoredResult, open_stored

_COLUMNS = (
    *("check", "in_segment", "value", "stored", "difference", "low", "high", "limit", "p", "users"),
    "basis",
)


class Check(Table):
    """The checks that ran: a row per model, segment, metric, cutoff and rule.

    Columns:

    - ``result``: ``pass`` or ``FAIL``.
    - ``model``, the segments, ``metric``, ``k``; ``request``, the metric as you wrote it.
    - ``check``: the text of the rule.
    - ``in_segment``: for a rule about segments, the segment that is worse. If a model has a lower
      mean in every segment, it is the number of significantly worse segments, ``3 of 4 segments``
      or ``every segment``. If a model passes, it is the model's worst segment.
    - ``value``: the new mean; ``stored``: the mean of the other model or of the stored result;
      ``difference``: ``value`` minus ``stored``.
    - ``low``: the lower limit of the difference; ``high``: its upper limit.
    - ``limit``: the number that the rule compares the value with; for a rule with a margin, the
      limit of the difference.
    - ``users``: the number of users in the check.
    - ``p``: for a rule that compares models or per-user values, the corrected p-value of
      ``compare``; null if the row covers several segments.
    - ``basis``: the basis of the check: the ``value``; a ``test`` of the same users' values; the
      ``intervals`` of two means; ``unchanged``, if two means have equal users and errors; two
      ``means`` without intervals; or ``gone``, if a stored model or segment no longer exists, so
      the check fails.

    Attributes:
        passed: Whether every check passed.
    """

    def __init__(
        self, sql: str | Text, rows: Rows, inputs: Sequence[str], layout: Mapping[str, Any]
    ) -> None:
        super().__init__(sql, lambda: rows, inputs=inputs, lay_out=partial(check_layout, **layout))
        self._layout = layout
        self.passed = all(row["result"] != "FAIL" for row in rows.records)

    def failures(self) -> Check:
        """Return the failed checks only."""
        failed = Rows.from_table(self.rows()).select_rows("result", ["FAIL"])
        return Check(self._sql, failed, self.inputs, self._layout)

    def to_junit(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the checks as JUnit XML.

        Args:
            path: A file to write in addition, atomically.

        Raises:
            InputError: No file can be written at the path.
        """
        return self._write_or_return(
            to_junit(self.rows().column_names, self.rows().to_pylist()), path
        )


def check(
    call: Call,
    metrics: Any,
    k: Any = None,
    against: Any = None,
    interval: Any = "t",
    baseline: str | None = None,
    primary: str = "",
) -> Check:
    """Check metrics on the inputs of a call, for ``Dataset.check``.

    If no rule names a model or a metric, rules about segments use the model ``baseline`` or the
    metric ``primary``.
    """
    tables, by = call.tables, call.by
    interval = Interval.read(interval, INTERVAL_OF_LIMITS)
    models = tables.recs if isinstance(tables.recs, Mapping) else ()
    decision = _read_decision(read_rules(metrics, models, baseline, primary), k, call.read_metrics)
    number_rules = [rule for rule in decision if rule.model is None]
    stored_rules = [rule for rule in decision if rule.model == STORED and rule.sign]
    model_rules = [rule for rule in decision if rule not in number_rules + stored_rules]
    _check_by(by, number_rules + stored_rules)
    # A report uses its level for comparisons too.
    if len(number_rules) == len(decision) and not primary:
        for name, value in changed_fields(interval, Interval("t")).items():
            raise InputError(
                f"{name}={value!r}: all rules compare with numbers and run no test; remove it"
            )
    settings = _read_settings(interval, stored_rules, against)
    requests, by_name = _requests_by_name(decision), _requests_by_name(stored_rules)
    call = replace(call, requests=[*requests.values()])
    with open_stored(against, tables.settings) as stored:
        errors = _error_interval(stored, by, settings.cluster)
        if stored is not None:
            stored.check_metrics(by_name, requests)
        result = evaluate(call, Interval(errors, cluster=settings.cluster))
        rows = result.rows().to_pylist()
        names = result.rows().column_names
        segments = names[1 : names.index("metric")]
        check_segment_names(segments, ["result", *_COLUMNS])
        _check_values(rows, _requests_by_name([*number_rules, *stored_rules]))
        checks = _apply_rules(_check_number, number_rules, rows)
        if stored is not None:
            compared = stored.compare(result, segments, by_name, settings)
            checks += _apply_rules(
                partial(compare_with_stored_row, settings=settings), stored_rules, compared
            )
            checks += _apply_rules(
                lambda row, rule: decision_row(row, rule, False, "gone") | {"limit": None},
                stored_rules,
                stored.missing_rows(rows, segments, by_name),
            )
    checks += check_rules(replace(call, by=Segments()), model_rules, interval)
    table = _check_rows_table(sorted(checks, key=itemgetter("position")), segments)
    counted = result.user_counts.rows()
    others = {rule.model for rule in decision} - {None}
    tests = group_by((row for row in checks if "test_note" in row), lambda row: row["test_note"])
    layout = {
        "count": table.num_rows,
        "level": settings.level,
        "anytime": settings.interval == "anytime",
        "other": STORED if others == {STORED} else "other",
        "users": format_users(counted.column_names, counted.to_pylist()),
        "tests": {x: [*dict.fromkeys(row["check"] for row in rows)] for x, rows in tests.items()},
    }
    return Check(lambda: result.sql, table, [*result.inputs, *input_paths(against)], layout)


def _read_decision(
    rules: Sequence[Rule], k: Any, read: Callable[..., Iterable[MetricRequest]]
) -> list[Rule]:
    """Split rules into rules for a single metric and cutoff, and rules about segments."""
    if k is not None and not takes_default_cutoff([rule.metric for rule in rules]):
        raise InputError(UNUSED_CUTOFF.format(k=k))

    def read_metric(text: str) -> Iterable[MetricRequest]:
        return read(text, k=k if takes_default_cutoff(text) else None)

    return [replace(rule, position=n) for n, rule in enumerate(expand_rules(rules, read_metric))]


def _check_by(by: Segments, segmented: Sequence[Rule]) -> None:
    """Check that ``by`` has an effect: it has none if all rules compare models."""
    columns = [*by.columns]
    if columns and not segmented:
        column = columns[0]
        raise InputError(
            f"by={column!r}: a rule that compares models covers all users; write 'no segment "
            f"of {column} worse', or remove by"
        )


def _requests_by_name(rules: Iterable[Rule]) -> dict[Name, MetricRequest]:
    return {(x.label, x.k): x for x in (rule.request for rule in rules) if x}


def _read_settings(
    interval: Interval, stored_rules: Sequence[Rule], against: Any
) -> ComparisonOptions:
    if interval.adjust:
        raise InputError(f"adjust={interval.adjust!r}: a check does not adjust means; remove it")
    if interval.replicates is not None:
        raise InputError(f"replicates={interval.replicates}: a check draws no samples; remove it")
    if stored_rules and against is None:
        raise InputError(f"against=None and {stored_rules[0].text!r}: give the stored result")
    if against is not None and not stored_rules:
        raise InputError(
            "against is given, but no rule compares with it: write a rule such as "
            "'ndcg@10 >= stored - 0.01'"
        )
    settings = read_settings(interval, correction="none", alternative="noninferior")
    check_options(None, STORED, settings, {})
    return settings


def _error_interval(
    stored: StoredResult | None, by: Segments, cluster: str | None
) -> IntervalName | None:
    """Return the method for intervals of means, if a comparison needs the errors of means."""
    if stored is not None:
        stored.check_clusters(cluster)
        if by.each and stored.has_user_values:
            raise InputError(
                f"each=True: {stored.name} has per-user values, which are compared by one "
                "grouping only; store a result, not per-user values"
            )
        if cluster is None and not stored.has_user_values:
            return "auto"
    return None if cluster is None else "t"


def _check_values(rows: Iterable[Row], requests: Container[Name]) -> None:
    """Check that each metric with a rule has a value."""
    for row in rows:
        name, value = (row["metric"], row["k"]), row["value"]
        if name in requests and (value is None or math.isnan(value)):
            raise DataError(
                f"{row['model']}: {format_metric(*name)} has no value, so it cannot be checked"
            )


def _apply_rules(
    check_row: Callable[[Record, Rule], Record], rules: Sequence[Rule], rows: Iterable[Record]
) -> list[Record]:
    return [check_row(row, rule) for row in rows for rule in rules if rule.applies_to(row)]


def _check_number(row: Record, rule: Rule) -> Record:
    beyond = rule.side * (row["value"] - (rule.number or 0.0))
    passed = beyond >= -TOLERANCE if rule.sign.endswith("=") else beyond > TOLERANCE
    return decision_row(row, rule, passed, "value") | {"low": None, "high": None}


def _check_rows_table(rows: list[Record], segments: list[str]) -> Rows:
    for row in rows:
        row["result"] = "pass" if row["result"] else "FAIL"
    # Stored segments from a CSV file are text.
    for name in segments:
        if len({type(row.get(name)) for row in rows} - {type(None)}) > 1:
            for row in rows:
                row[name] = None if row.get(name) is None else str(row[name])
    numbers = ("value", "stored", "difference", "low", "high", "limit", "p")
    types = dict.fromkeys(numbers, "float64") | dict.fromkeys(("k", "users"), "int64")
    names = ("result", "model", *segments, "metric", "k", "request", *_COLUMNS)
    return Rows(
        {name: types.get(name, "") for name in names},
        [{name: row.get(name) for name in names} for row in rows],
    )
