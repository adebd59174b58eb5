"""Stored results and per-user values, which new values are compared with."""

from __future__ import annotations

import math
import os
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ..catalogue.headers import TABLES
from ..catalogue.requests import MetricRequest, format_metric
from ..dialects import identifier, text
from ..engines.files import file_relation
from ..errors import DataError, InputError, first_error_line, safe_cause, suggest_name
from ..inputs.columns import Columns
from ..inputs.read import Inputs
from ..options import Settings
from ..plan.build import plan_stored_comparison
from ..records import Record, Row
from ..results.result import Result, read_stored_result
from ..results.rows import Rows
from ..run.differences import add_limits, compare_means
from ..run.intervals import UNITS
from ..run.job import Job
from ..safe_text import warn
from ..statistics.comparison_options import ComparisonOptions, Name
from ..statistics.distributions import t_quantile
from ..statistics.formulas import anytime_limit, half_width_in_errors

if TYPE_CHECKING:
    from ..engines.duckdb import DuckDB

# The maximum number of metrics that a message names.
_MAX_NAMED = 5

# The names of the new and the stored values as models of a comparison, and the name of the table.
_NOW, _STORED, _VALUES = "now", "stored", "user_values"

_text = partial(text, dialect="duckdb")

# Metrics that have a rule, by name and cutoff.
Requests = Mapping[Name, MetricRequest]


@contextmanager
def open_stored(against: Any, settings: Settings | None) -> Iterator[StoredResult | None]:
    """Open the stored result."""
    if against is None:
        yield None
        return
    from ..engines.duckdb import DuckDB

    engine = DuckDB(settings=settings)
    try:
        yield StoredResult(engine, against)
    finally:
        engine.release()


class StoredResult:
    """Stored per-user values or a stored result, as the table ``stored`` with text ids."""

    def __init__(self, engine: DuckDB, against: Any) -> None:
        self.engine = engine
        is_path = isinstance(against, (str, os.PathLike))
        if not is_path and not hasattr(against, "__arrow_c_stream__"):
            raise InputError(f"against=<{type(against).__name__}>: give a path or a table")
        self.name = str(against) if is_path else "against"
        source, tables = "given", dict[str, object]()
        if is_path:
            source = file_relation(str(against), "against")
        else:
            tables[source] = engine.table(read_stored_result(against, "against"), "against")
        try:
            with engine.naming(tables):
                self.columns = [*engine.columns(source)]
                for name in ("metric", "value"):
                    self._check_column(name, "give a result or per-user values that evaluate wrote")
                self._create_table(source)
        except engine.error as error:
            raise InputError(f"against={self.name}: {first_error_line(error)}") from safe_cause(
                error
            )
        self.has_user_values = "user_id" in self.columns
        self._check_values()

    def _check_column(self, name: str, fix: str) -> None:
        if name not in self.columns:
            columns = ", ".join(self.columns)
            raise InputError(f"{self.name} has no column {name!r}: it has {columns}; {fix}")

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
        """Check that values are numbers, null only by user, one per metric and user."""
        missing = (
            "given_value is not null and value is null" if self.has_user_values else "value is null"
        )
        invalid = self.engine.rows(
            "select model, metric, k, given_value from stored "
            f"where ({missing}) or isnan(value) or isinf(value) limit 1"
        )
        for model, metric, k, value in invalid:
            raise DataError(
                f"{self.name}: {format_metric(metric, k)} of {model} is {value or 'null'}, which "
                "is not a number: evaluate again, or remove it"
            )
        repeated = "select user_id, metric, k from stored group by model, user_id, metric, k "
        repeated += "having count(*) > 1 limit 1"
        for user, metric, k in self.engine.rows(repeated) if self.has_user_values else ():
            raise DataError(
                f"{self.name}: user {user} has {format_metric(metric, k)} more than once: keep "
                "one value per model, metric and user"
            )

    def check_metrics(self, checked_names: Requests, requests: Container[Name]) -> None:
        """Check that metrics are stored, and warn of stored metrics without a check."""
        rows = self.engine.rows("select distinct metric, k from stored order by metric, k")
        metrics = {name: format_metric(*name) for name in rows}
        for name in checked_names:
            if name not in metrics:
                metric = format_metric(*name)
                raise InputError(
                    f"{self.name} has no {metric}: {suggest_name(metric, metrics.values())}"
                )
        if ignored := [metric for name, metric in metrics.items() if name not in requests]:
            names = ", ".join(ignored[:_MAX_NAMED]) + ", ..." * (len(ignored) > _MAX_NAMED)
            warn(
                f"{self.name} contains {names}, which this call does not request and does not "
                "check: request each stored metric, or remove it from the stored results"
            )

    def check_clusters(self, cluster: str | None) -> None:
        """Check that the stored errors are for the same units: users, or groups of users."""
        errors = {"standard_error", "low", "high"} & {*self.columns}
        has_same_units = (cluster is not None) == ("clusters" in self.columns)
        if self.has_user_values or not errors or has_same_units:
            return
        if cluster is None:
            raise InputError(
                f"{self.name} has standard errors by group (column 'clusters'): pass the "
                "cluster that it was evaluated with"
            )
        raise InputError(
            f"cluster={cluster!r}: {self.name} has errors for independent users; store "
            "a result that was evaluated with this cluster, or per-user values"
        )

    def models(self, rows: Iterable[Row]) -> dict[str, str]:
        """Return the stored model for each model: the same name, or the only stored model."""
        others = [model for (model,) in self.engine.rows("select distinct model from stored")]
        models = dict.fromkeys(row["model"] for row in rows)
        if len(others) == 1:
            return dict.fromkeys(models, others[0])
        for model in models:
            if model not in others:
                raise InputError(
                    f"{self.name} has no model {model!r}: {suggest_name(model, others)}"
                )
        return {model: model for model in models}

    def compare(
        self, result: Result, segments: list[str], requests: Requests, settings: ComparisonOptions
    ) -> list[Record]:
        """Return the differences of a result from the stored result, as in a comparison."""
        rows = result.rows().to_pylist()
        models = self.models(rows)
        rows = [row for row in rows if (row["metric"], row["k"]) in requests]
        if not self.has_user_values:
            means = self._stored_means(segments)
            return [
                row | self._compare_means(row, segments, models, means, settings) for row in rows
            ]
        for name, _ in requests:
            if name not in result.means():
                raise InputError(
                    f"{name} is not a mean over users, so {self.name}, which has only per-user "
                    "values, does not have it: give a stored result"
                )
        pairs = self._compare_paired_users(result, segments, models, requests, settings)
        for row in rows:
            self._check_pair(row, pairs.get(_stored_key(row, segments), {"users": 0, "units": 0}))
        return [row | pairs[_stored_key(row, segments)] | {"basis": "test"} for row in rows]

    def missing_rows(
        self, rows: list[Record], segments: list[str], checked_names: Container[Name]
    ) -> list[Record]:
        """Return a failed row for each stored model and segment that no longer exists."""
        names = segments if {*segments} <= {*self.columns} else []
        quoted = [identifier(name, "duckdb") for name in names]
        groups = ", ".join(["model", *quoted, "metric", "k"])
        mean = "avg(value) as baseline_value"
        query = f"select {groups}, {mean} from stored group by {groups}"
        models = self.models(rows)
        keys = {_stored_key(row, names) for row in rows}
        missing = []
        for stored_row in Rows.read(self.engine, query).records:
            compared = [now for now, then in models.items() if then == stored_row["model"]]
            for model in compared or [stored_row["model"]]:
                row = stored_row | {"model": model, "users": 0}
                is_checked = (row["metric"], row["k"]) in checked_names
                if is_checked and _stored_key(row, names) not in keys:
                    missing.append(row)
        return missing

    def _compare_paired_users(
        self,
        result: Result,
        segments: list[str],
        models: Mapping[str, str],
        requests: Requests,
        settings: ComparisonOptions,
    ) -> dict[tuple[Any, ...], Record]:
        columns = [*segments, *([] if settings.cluster is None else [settings.cluster])]
        job, units = (self._comparison_job([*requests.values()], x) for x in (segments, columns))
        pairs = {}
        with TemporaryDirectory() as folder:
            path = Path(folder, "now.parquet")
            result.per_unit().to_parquet(path)
            for model, other in models.items():
                self._create_values(path, units, model, other)
                for row in compare_means(job, units, _STORED, settings)[1]:
                    add_limits(row, settings, settings.level)
                    row |= {"model": model}
                    pairs[_stored_key(row, segments)] = row
        return pairs

    def _comparison_job(self, requests: list[MetricRequest], segments: list[str]) -> Job:
        """Return the job for a comparison of the per-user values in a table."""
        plan = plan_stored_comparison(requests, segments, [_NOW], _VALUES)
        return Job(requests, Inputs(self.engine, Columns(None, (), TABLES)), plan)

    def _create_values(self, path: Path, job: Job, model: str, other: str) -> None:
        """Create the table of the per-user values of a model and its stored model."""
        segments = "".join(f", {segment.label} as {segment.name}" for segment in job.plan.by)
        requested = ", ".join(f"({_text(x.label)}, {x.k or 0})" for x in job.requests)
        keys = "user_id::varchar as user_id, metric, k, value"
        self.engine.rows(
            f"create or replace temp table {_VALUES} as\n"
            f"select '{_NOW}' as model, {keys}{segments} from read_parquet({_text(str(path))})\n"
            f"where model = {_text(model)} and (metric, coalesce(k, 0)) in ({requested})\n"
            "union all by name\n"
            f"select '{_STORED}' as model, {keys} from stored where model = {_text(other)}"
        )

    def _check_pair(self, row: Record, pair: Record) -> None:
        """Check that the new and the stored values share at least two users, or groups of users."""
        name = f"{row['model']}: {format_metric(row['metric'], row['k'])}"
        if pair["users"] < 2:
            raise DataError(
                f"{name} has {pair['users']} users in common with {self.name}, but a limit needs "
                "two: check that user_id has the same format in both"
            )
        if pair["units"] < 2:
            raise DataError(
                f"{name}: the users in common with {self.name} are in one cluster, but a limit "
                "needs two; omit cluster, or give more users"
            )

    def _stored_means(self, segments: list[str]) -> dict[tuple[Any, ...], Record]:
        """Return the rows of a stored result by model, segments, metric and cutoff."""
        for name in segments:
            self._check_column(name, "store a result by the same segments")
        rows: dict[tuple[Any, ...], Record] = {}
        for row in Rows.read(self.engine, "select * from stored").records:
            if rows.setdefault(_stored_key(row, segments), row) is not row:
                raise DataError(
                    f"{self.name} has {format_metric(row['metric'], row['k'])} of {row['model']} "
                    "more than once: if it is by segments, evaluate by the same segments"
                )
        return rows

    def _compare_means(
        self,
        row: Record,
        segments: list[str],
        models: Mapping[str, str],
        means: Mapping[tuple[Any, ...], Record],
        settings: ComparisonOptions,
    ) -> Record:
        """Return the difference between the mean of a row and the stored mean."""
        stored_row = means.get(_stored_key(row | {"model": models[row["model"]]}, segments))
        if stored_row is None:
            keys = ", ".join(f"{segment}={row[segment]}" for segment in segments)
            raise DataError(
                f"{row['model']}: {format_metric(row['metric'], row['k'])} is not in {self.name}"
                f"{f' for {keys}' if keys else ''}: remove it"
            )
        difference = row["value"] - stored_row["value"]
        variances = _mean_variance(row), _mean_variance(stored_row)
        reach, basis = None, "means"
        if None not in variances:
            unchanged = _is_unchanged(row, stored_row)
            basis = "unchanged" if unchanged else "intervals"
            reach = 0.0 if unchanged else _limit_distance(variances, (row, stored_row), settings)
        return {
            "baseline_value": stored_row["value"],
            "difference": difference,
            "low": None if reach is None else difference - reach,
            "high": None if reach is None else difference + reach,
            "basis": basis,
        }


def _limit_distance(
    variances: Sequence[Any], rows: Sequence[Record], settings: ComparisonOptions
) -> float:
    """Return the distance from a difference of means to its limit, for different users.

    Source: Welch 1947, doi.org/10.1093/biomet/34.1-2.28, for unequal variances. With ``anytime``,
    each mean has a separate limit with half of the error probability.
    """
    pairs = [*zip(variances, rows, strict=True)]
    if settings.interval == "anytime":
        level = (1 + settings.level) / 2
        return sum(anytime_limit(level, _unit_count(row)) * math.sqrt(x) for x, row in pairs)
    degrees = [row.get("degrees_of_freedom") or _unit_count(row) - 1 for row in rows]
    terms = sum(x**2 / freedom for x, freedom in zip(variances, degrees, strict=True))
    freedom = sum(variances) ** 2 / terms if terms else 1
    return t_quantile(settings.level, freedom) * math.sqrt(sum(variances))


def _is_unchanged(row: Row, stored_row: Row) -> bool:
    """Return whether two means and their errors are equal to 12 digits, so values are unchanged."""
    pairs = [(row.get(x), stored_row.get(x)) for x in ("value", "users", "standard_error")]
    return all(
        now is not None and then is not None and math.isclose(now, then, rel_tol=1e-12)
        for now, then in pairs
    )


def _mean_variance(row: Row) -> float | None:
    """Return the variance of a mean, or None if its row contains no error and no interval."""
    error, low, high = (row.get(name) for name in ("standard_error", "low", "high"))
    if error is None and low is not None and high is not None:
        # By default, stored results have normal intervals of level 0.95.
        error = (high - low) / 2 / half_width_in_errors("normal", 0.95, _unit_count(row))
    return None if error is None or _unit_count(row) < 2 else error**2


def _unit_count(row: Row) -> int:
    """Return the number of users in a mean, or of groups of users."""
    return int(row.get("clusters") or row.get("users") or 0)


def _stored_key(row: Row, segments: Iterable[str]) -> tuple[Any, ...]:
    """Return the key that identifies a value. Segments are text, as in a CSV file."""
    texts = (None if row[name] is None else str(row[name]) for name in segments)
    return (row["model"], *texts, row["metric"], row["k"])
