"""A quality gate: metrics are within limits, and not worse than a stored result."""

from __future__ import annotations

import math
import os
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ..catalogue.requests import MetricRequest, format_metric, parse_metrics
from ..dialects import identifier, text
from ..display.layout import SIGNS
from ..engines.files import reader
from ..errors import DataError, InputError, cause, nearest
from ..evaluation import evaluate
from ..inputs.read import first_line, paths
from ..inputs.tables import Tables
from ..options import (
    INTERVAL_OF_LIMITS,
    Interval,
    IntervalName,
    Rules,
    Segments,
)
from ..results.result import Result, stored
from ..results.result_layout import users_without_list
from ..results.rows import Rows
from ..results.table import Table
from ..run.intervals import UNITS
from ..run.job import read_metrics
from ..run.margins import (
    TOLERANCE,
    Margin,
    Name,
    find_request,
    read_margins,
    read_number,
    values_by_metric,
)
from ..run.segments import check_segment_names
from ..shown import warn
from ..statistics.distributions import t_quantile
from ..statistics.formulas import always_limit, quantile_of
from ..statistics.pairs import limit_of_pairs
from .check_layout import check_layout, to_junit
from .decisions import STORED, Rule, check_rules, read_rules

if TYPE_CHECKING:
    from ..engines.duckdb import DuckDB

# Maximum number of metrics named in a message.
_MAX_NAMED = 5

_COLUMNS = (
    *("check", "value", "stored", "difference", "low", "high", "limit", "p", "users", "basis"),
)


@dataclass(frozen=True)
class Confidence:
    """The confidence of limits of differences: its level, and whether it is valid at all times."""

    level: float
    always: bool

    def reach(self, units: int, freedom: float, error: float) -> float:
        """Return the distance from a mean to its limit."""
        if self.always:
            return always_limit(self.level, units) * error
        return t_quantile(self.level, freedom) * error

    def reach_of_hits(self, gains: int, losses: int, users: int) -> float:
        """Return the distance from the difference of two shares of the same users to its limit."""
        return (gains - losses) / users - limit_of_pairs(gains, losses, users, self.level)

    def reach_of_two(self, variances: Sequence[float], rows: Sequence[Mapping[str, Any]]) -> float:
        """Return the distance from the difference of two means of different users to its limit.

        Source: Welch 1947, doi.org/10.1093/biomet/34.1-2.28, for unequal variances. If ``always``,
        each mean has a limit of its own with half the error probability.
        """
        pairs = [*zip(variances, rows, strict=True)]
        if self.always:
            half = Confidence((1 + self.level) / 2, always=True)
            return sum(half.reach(_units(row), _freedom(row), math.sqrt(x)) for x, row in pairs)
        terms = sum(variance**2 / _freedom(row) for variance, row in pairs)
        freedom = sum(variances) ** 2 / terms if terms else 1
        return t_quantile(self.level, freedom) * math.sqrt(sum(variances))


class Check(Table):
    """The checks that ran: a row per model, segment, metric, cutoff and check.

    Columns:

    - ``result``: ``pass`` or ``FAIL``.
    - ``model``, the segments, ``metric``, ``k``; ``asked``, the metric as you wrote it.
    - ``check``: ``min``, ``max`` or ``margin``, or the text of a rule that compares models.
    - ``value``: the mean now; ``stored`` and ``difference``: for a margin, the stored mean and the
      value minus it.
    - ``low``: for a margin, the lower limit of the difference; ``high``: its upper limit, where
      lower values are better.
    - ``limit``: what the check compares with: ``value`` for ``min`` and ``max``; for a margin
        ``low`` or ``high``, or ``difference`` if it has no limit.
    - ``users``: the number of users of the check.
    - ``p``: for a rule that compares models, the corrected p value of ``compare``.
    - ``basis``: the basis of the comparison: the ``value``; ``pairs`` of per-user values; the
      ``intervals`` of two means; ``unchanged``, two means with equal users and errors; two
      ``means`` without intervals; or ``gone``, a model or segment that was stored and no longer
      exists, which fails.

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
        failed = Rows.of(self.rows()).where("result", ["FAIL"])
        return Check(self.sql, failed, self.inputs, self._layout)

    def to_junit(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the checks as JUnit XML.

        Args:
            path: A file to write as well, which appears whole or not at all.
        """
        return self._out(to_junit(self.rows().column_names, self.rows().to_pylist()), path)


@dataclass(frozen=True)
class Limits:
    """What a check requires, by metric, and the rules that compare models."""

    requests: Mapping[str, MetricRequest]
    minimums: dict[Name, float]
    maximums: dict[Name, float]
    margins: dict[Name, Margin]
    rules: Sequence[Rule]
    by_rule: Mapping[str, MetricRequest]


def check(
    tables: Tables,
    metrics: Any,
    *,
    k: Any = None,
    min: Any = None,
    max: Any = None,
    against: Any = None,
    margin: Any = None,
    by: Any = (),
    rules: Any = "sqlrec",
    interval: Any = "t",
) -> Check:
    """Check the metrics of opened inputs, as ``Dataset.check`` does."""
    by, rules = Segments.read(by), Rules.read(rules)
    interval = Interval.read(interval, INTERVAL_OF_LIMITS)
    confidence = _read_confidence(interval)
    decision, metrics = read_rules(metrics, tables.recs if isinstance(tables.recs, Mapping) else ())
    decision = _with_baseline(decision)
    ruled = dict.fromkeys(rule.metric for rule in decision if rule.metric)
    metrics = [*ruled, *metrics] if decision else metrics
    metric_requests: Any = read_metrics(metrics, tables, rules, by, k)
    given = {"min": min, "max": max, "margin": margin}
    limits = _read_limits(metric_requests, decision, given, rules.convention, k)
    _check_given(limits, against, confidence)
    cluster = interval.cluster
    errors: IntervalName | None = None if cluster is None else "t"
    with _open_stored(against, tables.settings) as stored:
        if stored is not None:
            stored.check_metrics(limits.margins, limits.requests)
            stored.check_clusters(None if cluster == "user_id" else cluster)
            if not stored.of_users:
                errors = "normal"
            elif by.each:
                raise InputError(
                    f"each=True: {stored.name} has per-user values, which are compared by "
                    "one grouping; store a result"
                )
        errors_interval = Interval(errors, cluster=cluster)
        result = evaluate(tables, metric_requests, by=by, rules=rules, interval=errors_interval)
        rows = result.rows().to_pylist()
        names = result.rows().column_names
        segments = names[1 : names.index("metric")]
        check_segment_names(segments, ["result", *_COLUMNS])
        differences = (
            stored.compare(result, rows, segments, limits.margins, confidence) if stored else {}
        )
        missing = stored.missing_rows(rows, segments, limits.margins) if stored else []
    checks = []
    for number, row in enumerate(rows):
        keys = {name: row[name] for name in ("model", *segments, "metric", "k", "asked", "value")}
        checks += [keys | check for check in _check_limits(row, limits)]
        if number in differences:
            checks.append(keys | limits.margins[row["metric"], row["k"]].check(differences[number]))
    of_differences = Interval(level=interval.level, cluster=cluster)
    checks += check_rules(tables, limits.rules, limits.by_rule, rules, of_differences)
    table = _table([*checks, *missing], segments)
    layout = _layout_options(result, table, confidence)
    return Check(result.sql, table, [*result.inputs, *paths(against)], layout)


def _read_limits(
    metric_requests: Sequence[MetricRequest],
    rules: Sequence[Rule],
    given: Mapping[str, Any],
    convention: str,
    k: Any,
) -> Limits:
    """Parse the limits of metrics, from rules and from options.

    Raises:
        InputError: A limit is not valid, or a metric has none.
    """
    requests = {format_metric(request.label, request.k): request for request in metric_requests}
    minimums, maximums = (
        _limits(name, given[name], requests, convention, k) for name in ("min", "max")
    )
    margins = read_margins(
        _expand_cutoffs("margin", given["margin"], convention, k), requests, convention
    )
    by_rule = {
        rule.text: find_request("a rule", rule.metric, requests, convention)
        for rule in rules
        if rule.metric
    }
    others = _add_limits(rules, by_rule, minimums, maximums, margins)
    return Limits(requests, minimums, maximums, margins, others, by_rule)


def _check_given(limits: Limits, against: Any, confidence: Confidence) -> None:
    """Check that there is something to check, and that options are compatible.

    Raises:
        InputError: They are not.
    """
    if confidence.always and limits.rules:
        text = limits.rules[0].text
        raise InputError(f"interval='always' and {text!r}: models are compared by t; leave it out")
    named: list[Mapping[Name, Any]] = [limits.minimums, limits.maximums, limits.margins]
    if not any(named) and not limits.rules and against is None:
        raise InputError(
            "min=None, max=None, against=None: nothing to check; write a rule, as in "
            "'ndcg@10 >= 0.3', or give one of them, against with a margin"
        )
    if bool(limits.margins) != (against is not None):
        raise InputError(
            f"{'against' if limits.margins else 'margin'}=None: a margin is how much worse a "
            "metric may be than what is stored; give both or neither"
        )
    ruled = {name for names in named for name in names}
    ruled |= {(request.label, request.k) for request in limits.by_rule.values()}
    for request in limits.requests.values():
        if (request.label, request.k) not in ruled:
            raise InputError(
                f"{request.text} has no rule: write '{request.text} >= 0.3', or leave it out"
            )


def _with_baseline(rules: Sequence[Rule]) -> list[Rule]:
    """Return the rules; those of segments compare with the model of the other rules.

    Raises:
        InputError: The other rules do not name exactly one model.
    """
    models = {rule.model for rule in rules if rule.model not in (None, STORED)}
    for rule in rules:
        if rule.column and rule.model is None and len(models) != 1:
            raise InputError(f"{rule.text}: name the model, as in '{rule.text} than main'")
        if rule.column and not any(other.metric for other in rules):
            raise InputError(f"{rule.text}: give a rule of a metric first, which decides")
    return [
        replace(rule, model=rule.model or next(iter(models))) if rule.column else rule
        for rule in rules
    ]


def _add_limits(
    rules: Sequence[Rule],
    by_rule: Mapping[str, MetricRequest],
    minimums: dict[Name, float],
    maximums: dict[Name, float],
    margins: dict[Name, Margin],
) -> list[Rule]:
    """Add rules with a number, or of the stored result, to the limits; return the other rules.

    Raises:
        InputError: A rule of the stored result has no margin, or one in the wrong direction.
    """
    others = []
    for rule in rules:
        if rule.column or rule.model not in (None, STORED):
            others.append(rule)
            continue
        request = by_rule[rule.text]
        name = (request.label, request.k)
        if rule.model is None:
            limits = minimums if rule.side > 0 else maximums
            strict = 0.0 if rule.sign.endswith("=") else 2 * TOLERANCE * rule.side
            limits[name] = rule.number + strict
            continue
        if rule.number * rule.side >= 0 or SIGNS[request.metric.better] != rule.side:
            form = "<= stored + 0.01" if request.metric.better == "lower" else ">= stored - 0.01"
            raise InputError(f"{rule.text}: give a margin, as in {request.text} {form}")
        margins[name] = Margin(abs(rule.number), rule.relative, request.metric.better)
    return others


def _layout_options(result: Result, table: Rows, confidence: Confidence) -> dict[str, Any]:
    """Return the arguments of the layout of a check, except its rows."""
    counted = result.user_counts.rows()
    return {
        "count": table.num_rows,
        "level": confidence.level,
        "always": confidence.always,
        "without_list": users_without_list(counted.column_names, counted.to_pylist()),
    }


def _read_confidence(interval: Interval) -> Confidence:
    """Return the confidence of limits.

    Raises:
        InputError: The level and the method are not compatible, or means are adjusted.
    """
    level, always = interval.level, interval.method == "always"
    if interval.adjust:
        raise InputError(f"adjust={interval.adjust!r}: a check has no adjusted means; leave it out")
    if always and level <= 0.5:
        raise InputError(
            f"level={level!r}: interval='always' needs a level above 0.5, such as 0.95"
        )
    return Confidence(level, always)


def _check_limits(row: Mapping[str, Any], limits: Limits) -> Iterator[dict[str, Any]]:
    """Check a value against its minimum and maximum.

    Raises:
        DataError: The value of a checked metric is missing.
    """
    name, value = (row["metric"], row["k"]), row["value"]
    minimums, maximums = limits.minimums, limits.maximums
    checked = any(name in values for values in (minimums, maximums, limits.margins))
    if checked and (value is None or math.isnan(value)):
        raise DataError(
            f"{row['model']}: {format_metric(*name)} has no value: no check can be made"
        )
    own = {"users": row["users"], "basis": "value"}
    if name in minimums:
        passed = value >= minimums[name] - TOLERANCE
        yield own | {"check": "min", "limit": minimums[name], "result": passed}
    if name in maximums:
        passed = value <= maximums[name] + TOLERANCE
        yield own | {"check": "max", "limit": maximums[name], "result": passed}


def _expand_cutoffs(option: str, values: Any, convention: str, k: Any) -> Any:
    """Return limits with one entry for each cutoff of a metric that is named without a cutoff."""
    if k is None or not isinstance(values, Mapping):
        return values
    by_cutoff: dict[str, Any] = {}
    for metric, value in values.items():
        # An empty name is the default for all metrics.
        names = [x.text for x in parse_metrics([metric], convention, k)] if metric else [metric]
        for name in names:
            if name in by_cutoff:
                raise InputError(f"{option} of {name} is given twice: once is enough")
            by_cutoff[name] = value
    return by_cutoff


def _limits(
    option: str,
    values: Any,
    requests: Mapping[str, MetricRequest],
    convention: str,
    k: Any,
) -> dict[Name, float]:
    """Parse minimums or maximums, by metric and cutoff."""
    values = _expand_cutoffs(option, values, convention, k)
    limits: dict[Name, float] = {}
    for metric, value in values_by_metric(values, requests).items():
        request = find_request(option, metric, requests, convention)
        limits[request.label, request.k] = read_number(f"{option}[{metric!r}]", value)
    return limits


@contextmanager
def _open_stored(against: Any, settings: Mapping[str, Any] | None) -> Iterator[StoredResult | None]:
    """Open the stored result."""
    if against is None:
        yield None
        return
    from ..engines.duckdb import DuckDB

    engine = DuckDB(settings=settings)
    try:
        yield StoredResult(engine, against)
    finally:
        engine.rest()


class StoredResult:
    """Stored per-user values or a stored result, as the table ``stored`` of an engine.

    Its columns: model, user_id or segments, metric, k, value and the other columns. Ids are text.
    """

    def __init__(self, engine: DuckDB, against: Any) -> None:
        self.engine = engine
        is_path = isinstance(against, (str, os.PathLike))
        if not is_path and not hasattr(against, "__arrow_c_stream__"):
            raise InputError(f"against=<{type(against).__name__}>: give a path or a table")
        self.name = str(against) if is_path else "against"
        source = reader(str(against), "against") if is_path else "given"
        tables = {} if is_path else {"given": engine.table(stored(against, "against"), "against")}
        try:
            with engine.naming(tables):
                self.columns = [*engine.columns(source)]
                self._check_columns()
                self._create_table(source)
        except engine.error as error:
            raise InputError(f"against={self.name}: {first_line(error)}") from cause(error)
        self.of_users = "user_id" in self.columns
        self._check_values()

    def _check_columns(self) -> None:
        for name in ("metric", "value"):
            if name not in self.columns:
                raise InputError(
                    f"{self.name} has no column {name!r}: it has {', '.join(self.columns)}; give "
                    "what evaluate wrote, a result or per-user values"
                )

    def _create_table(self, source: str) -> None:
        numbers = ("value", "standard_error", "low", "high", "users", *UNITS)
        columns = {name: f"try_cast({name} as double)" for name in numbers if name in self.columns}
        columns["k"] = "try_cast(k as bigint)" if "k" in self.columns else "null::bigint"
        columns["model"] = "model::varchar" if "model" in self.columns else "'against'"
        if "user_id" in self.columns:
            columns["user_id"] = "user_id::varchar"
        columns["given_value"] = "value::varchar"
        others = [identifier(name, "duckdb") for name in self.columns if name not in columns]
        expressions = [f"{text} as {name}" for name, text in columns.items()]
        self.engine.rows(
            f"create temp table stored as select {', '.join([*expressions, *others])} from {source}"
        )

    def _check_values(self) -> None:
        """Check that all values are numbers. A null per-user value is undefined, which is valid.

        Raises:
            DataError: A value is not a number.
        """
        missing = "given_value is not null and value is null" if self.of_users else "value is null"
        invalid = self.engine.rows(
            "select model, metric, k, given_value from stored "
            f"where ({missing}) or isnan(value) or isinf(value) limit 1"
        )
        for model, metric, k, value in invalid:
            raise DataError(
                f"{self.name}: {format_metric(metric, k)} of {model} is {value or 'null'}, which "
                "is not a number: evaluate again, or leave it out"
            )

    def check_metrics(self, margins: Iterable[Name], requests: Container[str]) -> None:
        """Check that metrics with a margin are stored, and warn of stored metrics without a check.

        Raises:
            InputError: A metric is not stored.
        """
        names = self.engine.rows("select distinct metric, k from stored order by metric, k")
        metrics = [format_metric(metric, k) for metric, k in names]
        for name in margins:
            metric = format_metric(*name)
            if metric not in metrics:
                raise InputError(f"{self.name} has no {metric}: {nearest(metric, metrics)}")
        if unchecked := [metric for metric in metrics if metric not in requests]:
            text = ", ".join(unchecked[:_MAX_NAMED]) + (
                ", ..." if len(unchecked) > _MAX_NAMED else ""
            )
            warn(
                f"{self.name} has {text}, which is not asked for now, so that nothing checks it; "
                "ask for it, or leave it out of what is stored"
            )

    def check_clusters(self, cluster: str | None) -> None:
        """Check that the stored errors have the same units: users, or groups of users.

        Raises:
            InputError: Only the stored result or only the new result has groups of users.
        """
        errors = {"standard_error", "low", "high"} & {*self.columns}
        if self.of_users or not errors or (cluster is not None) == ("clusters" in self.columns):
            return
        if cluster is None:
            raise InputError(
                f"{self.name} has errors by groups of users, the column 'clusters': give the "
                "cluster that it was evaluated with"
            )
        raise InputError(
            f"cluster={cluster!r}: {self.name} has errors that take users for independent; store "
            "a result that was evaluated with this cluster, or per-user values"
        )

    def models(self, rows: list[dict[str, Any]]) -> dict[str, str]:
        """Return the stored model of each model: the model of the same name, or the only model.

        Raises:
            InputError: Several models are stored, without a model of this name.
        """
        stored_models = [
            model for (model,) in self.engine.rows("select distinct model from stored")
        ]
        models = dict.fromkeys(row["model"] for row in rows)
        if len(stored_models) == 1:
            return dict.fromkeys(models, stored_models[0])
        for model in models:
            if model not in stored_models:
                close = nearest(model, stored_models)
                raise InputError(f"{self.name} has no model {model!r}: {close}")
        return {model: model for model in models}

    def compare(
        self,
        result: Result,
        rows: list[dict[str, Any]],
        segments: list[str],
        margins: Mapping[Name, Margin],
        confidence: Confidence,
    ) -> dict[int, dict[str, Any]]:
        """Return the differences of metrics with a margin, by the number of the row."""
        models = self.models(rows)
        numbers = [n for n, row in enumerate(rows) if (row["metric"], row["k"]) in margins]
        if not self.of_users:
            means = self._means(segments)
            return {
                n: self._by_means(rows[n], segments, models, means, confidence) for n in numbers
            }
        for metric, _ in margins:
            if metric not in result.means():
                raise InputError(
                    f"{metric} is not a mean of per-user values, which {self.name} has: "
                    "store a result to compare with"
                )
        pairs = self._pairs(result, segments, models)
        return {
            n: self._by_pairs(
                rows[n],
                segments,
                pairs,
                confidence,
                margins[rows[n]["metric"], rows[n]["k"]].better,
            )
            for n in numbers
        }

    def missing_rows(
        self, rows: list[dict[str, Any]], segments: list[str], margins: Container[Name]
    ) -> list[dict[str, Any]]:
        """Return a failed row for each stored model and segment that no longer exists."""
        names = segments if {*segments} <= {*self.columns} else []
        quoted = [identifier(name, "duckdb") for name in names]
        groups = ", ".join(["model", *quoted, "metric", "k"])
        query = f"select {groups}, avg(value) as stored from stored group by {groups}"
        stored_rows = Rows.read(self.engine, query).records
        models = self.models(rows)
        keys = {_key(row, names) for row in rows}
        requests = {(row["metric"], row["k"]): row["asked"] for row in rows}
        failed = {"users": 0, "basis": "gone", "check": "margin", "result": False}
        missing = []
        for stored_row in stored_rows:
            name = (stored_row["metric"], stored_row["k"])
            compared = [now for now, then in models.items() if then == stored_row["model"]]
            for model in (compared or [stored_row["model"]]) if name in margins else ():
                row = stored_row | {"model": model}
                if _key(row, names) not in keys:
                    missing.append(row | failed | {"asked": requests[name]})
        return missing

    def _pairs(
        self, result: Result, segments: list[str], models: Mapping[str, str]
    ) -> dict[tuple[Any, ...], dict[str, Any]]:
        """Return the mean differences of paired users, by model, segments, metric and cutoff."""
        duplicates = self.engine.rows(
            "select user_id, metric, k from stored group by model, user_id, metric, k "
            "having count(*) > 1 limit 1"
        )
        for user, metric, k in duplicates:
            raise DataError(
                f"{self.name}: user {user} has {format_metric(metric, k)} more than once: a user "
                "has one value of each"
            )
        names = [identifier(name, "duckdb") for name in ("model", *segments, "metric", "k")]
        unit = "now.user_id::varchar"
        if result.cluster is not None:
            unit = f"coalesce(now.{identifier(result.cluster, 'duckdb')}::varchar, {unit})"
        pairs = [{"model": now, "stored": then} for now, then in models.items()]
        table = self.engine.table(Rows({"model": "string", "stored": "string"}, pairs), "models")
        with TemporaryDirectory() as folder, self.engine.naming({"models": table}):
            path = Path(folder, "now.parquet")
            result.per_unit().to_parquet(path)
            rows = Rows.read(self.engine, _pairs_query(names, unit, str(path))).records
        return {_key(row, segments): row for row in rows}

    def _by_pairs(
        self,
        row: dict[str, Any],
        segments: list[str],
        pairs: Mapping[tuple[Any, ...], dict[str, Any]],
        confidence: Confidence,
        better: str,
    ) -> dict[str, Any]:
        pair = pairs.get(_key(row, segments), {"users": 0, "units": 0})
        name = f"{row['model']}: {format_metric(row['metric'], row['k'])}"
        if pair["users"] < 2:
            raise DataError(
                f"{name} has {pair['users']} users in common with {self.name}, and a limit needs "
                "two: are they the same users, spelled alike?"
            )
        if pair["units"] < 2:
            raise DataError(
                f"{name}: the users in common with {self.name} are in one cluster, and a limit "
                "needs two; leave cluster out, or give more users"
            )
        gains, losses = pair["gains"], pair["losses"]
        if better == "lower":
            gains, losses = losses, gains
        differ = gains or losses
        if pair["of_hits"] and differ and not confidence.always and pair["units"] == pair["users"]:
            reach = confidence.reach_of_hits(gains, losses, pair["users"])
        else:
            reach = confidence.reach(pair["units"], pair["degrees_of_freedom"], pair["error"])
        return {name: pair[name] for name in ("value", "stored", "difference", "users")} | {
            "reach": reach,
            "basis": "pairs",
        }

    def _means(self, segments: list[str]) -> dict[tuple[Any, ...], dict[str, Any]]:
        """Return the rows of a stored result by model, segments, metric and cutoff."""
        for name in segments:
            if name not in self.columns:
                raise InputError(
                    f"{self.name} has no column {name!r} to compare segments by: it has "
                    f"{', '.join(self.columns)}"
                )
        rows: dict[tuple[Any, ...], dict[str, Any]] = {}
        for row in Rows.read(self.engine, "select * from stored").records:
            if rows.setdefault(_key(row, segments), row) is not row:
                raise DataError(
                    f"{self.name} has {format_metric(row['metric'], row['k'])} of {row['model']} "
                    "more than once: if it is by segments, evaluate by the same ones"
                )
        return rows

    def _by_means(
        self,
        row: dict[str, Any],
        segments: list[str],
        models: Mapping[str, str],
        means: Mapping[tuple[Any, ...], dict[str, Any]],
        confidence: Confidence,
    ) -> dict[str, Any]:
        stored_row = means.get(_key(row | {"model": models[row["model"]]}, segments))
        name = f"{row['model']}: {format_metric(row['metric'], row['k'])}"
        if stored_row is None:
            keys = ", ".join(f"{segment}={row[segment]}" for segment in segments)
            raise DataError(
                f"{name} is not in {self.name}{f' for {keys}' if keys else ''}: leave it out"
            )
        difference = row["value"] - stored_row["value"]
        values = {"stored": stored_row["value"], "difference": difference, "users": row["users"]}
        now, then = _variance(row), _variance(stored_row)
        if now is None or then is None:
            return values | {"reach": None, "basis": "means"}
        if _is_unchanged(row, stored_row):
            return values | {"reach": 0.0, "basis": "unchanged"}
        reach = confidence.reach_of_two((now, then), (row, stored_row))
        return values | {"reach": reach, "basis": "intervals"}


def _is_unchanged(row: Mapping[str, Any], stored_row: Mapping[str, Any]) -> bool:
    """Return whether a mean and its error are those of the same users' values, to 12 digits."""
    names = ("value", "users", "standard_error")
    pairs = [(row.get(name), stored_row.get(name)) for name in names]
    return all(
        now is not None and then is not None and math.isclose(now, then, rel_tol=1e-12)
        for now, then in pairs
    )


def _variance(row: Mapping[str, Any]) -> float | None:
    """Return the variance of a mean, or None if its row has neither error nor interval."""
    error, low, high = (row.get(name) for name in ("standard_error", "low", "high"))
    if error is None and low is not None and high is not None:
        # By default, stored results have normal intervals of level 0.95.
        error = (high - low) / 2 / quantile_of("normal", 0.95, _units(row))
    return None if error is None or _units(row) < 2 else error**2


def _units(row: Mapping[str, Any]) -> int:
    """Return the number of users, or of groups of users, of a mean."""
    return int(row.get("clusters") or row.get("users") or 0)


def _freedom(row: Mapping[str, Any]) -> float:
    """Return the degrees of freedom of a mean."""
    return float(row.get("degrees_of_freedom") or _units(row) - 1)


def _key(row: Mapping[str, Any], segments: Iterable[str]) -> tuple[Any, ...]:
    """Return the key that identifies a value. Segments are text, as in a CSV file."""
    texts = (None if row[name] is None else str(row[name]) for name in segments)
    return (row["model"], *texts, row["metric"], row["k"])


def _pairs_query(names: Sequence[str], unit: str, path: str) -> str:
    """Return the query that compares the two values of each user.

    Args:
        names: The columns to group by.
        unit: The expression that identifies a user, or a group of users.
        path: The Parquet file of the values now.
    """
    keys = ", ".join(names)
    return f"""
    with pairs as (
        select
            {", ".join(f"now.{name}" for name in names)},
            {unit} as unit,
            now.value as now_value,
            stored.value as stored_value,
            now.value - stored.value as difference
        from read_parquet({text(path, "duckdb")}) as now
        join models on models.model = now.model
        join stored
            on stored.model = models.stored
            and stored.user_id = now.user_id::varchar
            and stored.metric = now.metric
            and coalesce(stored.k, 0) = coalesce(now.k, 0)
        where now.value is not null and stored.value is not null
    ),
    centred as (
        select *, difference - avg(difference) over (partition by {keys}) as deviation
        from pairs
    ),
    units as (
        select
            {keys},
            count(*) as unit_users,
            sum(now_value) as now_sum,
            sum(stored_value) as stored_sum,
            sum(difference) as difference_sum,
            sum(deviation) as deviation,
            count(*) filter (difference > 0) as gains,
            count(*) filter (difference < 0) as losses,
            bool_and(now_value in (0, 1) and stored_value in (0, 1)) as of_hits
        from centred
        group by {keys}, unit
    ),
    shares as (
        select *, nullif(1 - unit_users / sum(unit_users) over (partition by {keys}), 0) as rest
        from units
    )
    select
        {keys},
        sum(unit_users)::bigint as users,
        count(*) as units,
        sum(now_sum) / sum(unit_users) as value,
        sum(stored_sum) / sum(unit_users) as stored,
        sum(difference_sum) / sum(unit_users) as difference,
        sum(gains)::bigint as gains,
        sum(losses)::bigint as losses,
        bool_and(of_hits) as of_hits,
        -- As in sql/statistics/clusters.sql.
        sqrt(sum(deviation * deviation / rest)) / sum(unit_users) as error,
        1 / (
            sum((1 - rest) ** 2) + sum((1 - rest) ** 2 / rest) ** 2
            - sum(((1 - rest) ** 2 / rest) ** 2)
        ) as degrees_of_freedom
    from shares
    group by {keys}
    """


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
