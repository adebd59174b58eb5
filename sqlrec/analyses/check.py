"""A gate: values within limits, and not worse than those of a stored result."""

from __future__ import annotations

import math
import os
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal, Unpack

from ..catalogue.requests import MetricRequest, parse_metrics, spelled
from ..dialects import identifier, text
from ..engines.files import reader
from ..errors import DataError, InputError, cause, nearest
from ..evaluation import evaluate, takes
from ..inputs.read import first_line, paths
from ..options import (
    CLUSTER,
    CONVENTION,
    INTERVAL_OF_LIMITS,
    LEVEL,
    Groupings,
    Inputs,
    Interval,
    IntervalOfLimits,
)
from ..results.evaluated import users_without_list
from ..results.result import Result, stored
from ..results.rows import Rows
from ..results.table import Table
from ..run.intervals import UNITS
from ..run.job import open_once, read_metrics
from ..run.segments import refuse
from ..shown import warn
from ..statistics.distributions import t_quantile
from ..statistics.formulas import always_limit, quantile_of
from ..statistics.pairs import limit_of_pairs
from .checked import of_check, to_junit
from .margins import TOLERANCE, Margin, Name, named, of_each, read_margins, read_number

if TYPE_CHECKING:
    from ..engines.duckdb import DuckDB

# So many metrics a message names.
_MOST_NAMED = 5

_COLUMNS = ("check", "value", "stored", "difference", "low", "high", "limit", "users", "basis")


@dataclass(frozen=True)
class Sure:
    """How sure limits of differences are, and whether at all times at once."""

    level: float
    always: bool

    def reach(self, units: int, freedom: float, error: float) -> float:
        """Return how far below a mean its limit lies."""
        if self.always:
            return always_limit(self.level, units) * error
        return t_quantile(self.level, freedom) * error

    def reach_of_hits(self, gains: int, losses: int, users: int) -> float:
        """Return how far below the difference of two shares of the same users its limit lies."""
        return (gains - losses) / users - limit_of_pairs(gains, losses, users, self.level)

    def reach_of_two(self, variances: Sequence[float], rows: Sequence[Mapping[str, Any]]) -> float:
        """Return how far below the difference of two means of different users its limit lies.

        Source: Welch 1947, doi.org/10.1093/biomet/34.1-2.28, as their variances differ; where it
        holds always, each mean keeps within its own limit of half the chance.
        """
        pairs = [
            (one, _units(row), _freedom(row)) for one, row in zip(variances, rows, strict=True)
        ]
        if self.always:
            each = Sure((1 + self.level) / 2, always=True)
            return sum(each.reach(units, of, math.sqrt(one)) for one, units, of in pairs)
        apart = sum(one**2 / of for one, _, of in pairs)
        freedom = sum(variances) ** 2 / apart if apart else 1
        return t_quantile(self.level, freedom) * math.sqrt(sum(variances))


class Check(Table):
    """The checks that ran: a row per model, segment, metric, cutoff and check.

    Columns:

    - ``result``: ``pass`` or ``FAIL``.
    - ``model``, the segments, ``metric``, ``k``; ``asked``, the metric as you wrote it.
    - ``check``: ``min``, ``max`` or ``margin``.
    - ``value``: the mean now; ``stored`` and ``difference``: for a margin, the stored mean and the
      value minus it.
    - ``low``: for a margin, the lower limit of the difference; ``high``: its upper limit, where
      lower values are better.
    - ``limit``: what the check compares with: ``value`` for ``min`` and ``max``; for a margin
      ``low`` or ``high``, or ``difference`` where there is no limit of it.
    - ``users``: how many users the check uses.
    - ``basis``: what is compared: the ``value``; ``pairs`` of per-user values; the ``intervals`` of
      two means; two ``means`` without intervals; or ``gone``, a model or segment that was stored
      and no longer exists, which fails.

    Attributes:
        passed: Whether every check passed.
    """

    def __init__(self, sql: str, rows: Rows, inputs: Sequence[str], how: Mapping[str, Any]) -> None:
        super().__init__(sql, lambda: rows, inputs=inputs, lay_out=partial(of_check, **how))
        self._how = how
        self.passed = all(row["result"] != "FAIL" for row in rows.records)

    def failures(self) -> Check:
        """Return the failed checks only."""
        failed = Rows.of(self.rows()).where("result", ["FAIL"])
        return Check(self.sql, failed, self.inputs, self._how)

    def to_junit(self, path: str | os.PathLike[str] | None = None) -> str:
        """Return the checks as JUnit XML.

        Args:
            path: A file to write as well, which appears whole or not at all.
        """
        return self._out(to_junit(self.rows().column_names, self.rows().to_pylist()), path)


class Checked(Inputs, total=False):
    """What ``check`` hands on to ``evaluate``."""

    by: str | Iterable[str]
    groupings: Groupings
    cluster: str | None
    summaries: str | Iterable[str]


@takes(Checked)
def check(
    metrics: str | Iterable[str],
    *,
    k: int | str | Iterable[int | str] | None = None,
    min: Mapping[str, float | str] | float | str | None = None,
    max: Mapping[str, float | str] | float | str | None = None,
    against: Any = None,
    margin: Mapping[str, float | str] | float | str | None = None,
    level: float = 0.95,
    interval: IntervalOfLimits | Literal[True] = "t",
    **options: Unpack[Checked],
) -> Check:
    """Check that metrics are within limits, and not worse than a stored result.

    Args:
        metrics: The metrics to compute, as in ``evaluate``. Each check is of one of them.
        k: The default cutoff, as in ``evaluate``. A check of a metric that you write without a
            cutoff applies to all of these cutoffs.
        min: The smallest values that pass: ``{"ndcg@10": 0.3}``. A single number applies to every
            metric.
        max: The largest values that pass, in the same forms.
        against: The result of an earlier ``evaluate``: a path of a Parquet or CSV file, or a table.
            Per-user values, as from ``per_user()``, are compared in pairs. From a result of means,
            the means are compared, with their standard errors or 95 % intervals if it has them. If
            it has one model, every model is compared with it; if it has several, each model is
            compared with the stored one of the same name.
        margin: How much worse than ``against`` a metric may be: ``{"ndcg@10": 0.005}``, or ``"1%"``
            of the stored mean. A single value applies to every metric. Worse means lower, or higher
            where lower is better; ``sqlrec list`` shows the direction of each metric.
        level: The confidence level. A margin passes if the one-sided confidence limit of the mean
            difference is above -margin; where lower is better, if it is below margin.
        interval: The method of that limit: ``t``, and for per-user values of 0 and 1 the score test
            for pairs, since ``t`` passes too much where few users differ; or ``always``, a
            confidence sequence, for a gate that you run again while users come in: the probability
            that it ever fails a metric that is within its margin is at most 1 - level.
        **options: The inputs and rules of ``evaluate``, and its ``cluster``: the limits then treat
            groups of users as independent, not users. This works with per-user values and with
            stored results that were computed with the same ``cluster``.

    Returns:
        A Check. ``passed`` says whether all checks passed.

    Example:
        >>> import pyarrow as pa, sqlrec
        >>> recs = pa.table({"user_id": ["ann", "bob"], "item_id": [["a", "b"], ["c", "a"]]})
        >>> truth = pa.table({"user_id": ["ann", "bob"], "item_id": ["b", "c"]})
        >>> sqlrec.check("mrr@2", recs=recs, truth=truth, min={"mrr@2": 0.7}).passed
        True

    Raises:
        MetricError: As in ``evaluate``.
        InputError: As in ``evaluate``; also if there is nothing to check, if a check names a metric
            that is not computed or not stored, or if a margin is given for a metric whose direction
            is neither.
        DataError: As in ``evaluate``; also if a value is missing or not a number, or if the stored
            values and the new ones have no user in common.
    """
    sure = _sure(level, interval)
    convention = CONVENTION.read(options.get("convention"))
    opened: Any = open_once(metrics, options)
    asked: Any = read_metrics(metrics, opened, k)
    known = {spelled(one.label, one.k): one for one in asked}
    given = {"min": min, "max": max, "margin": margin}
    min, max, margin = (_at_cutoffs(*one, convention, k) for one in given.items())
    least = _limits("min", min, known, convention)
    largest = _limits("max", max, known, convention)
    margins = read_margins(margin, known, convention)
    if not least and not largest and not margins and against is None:
        raise InputError(
            "min=None, max=None, against=None: nothing to check; give one of them, against with a "
            "margin"
        )
    if bool(margins) != (against is not None):
        raise InputError(
            f"{'against' if margins else 'margin'}=None: a margin is how much worse a metric may "
            "be than what is stored; give both or neither"
        )
    cluster = CLUSTER.read(options.get("cluster"))
    errors: Interval | None = None if cluster is None else "t"
    with _stored(against, options.get("settings")) as stored:
        if stored is not None:
            stored.check_metrics(margins, known)
            stored.check_clusters(None if cluster == "user_id" else cluster)
            if not stored.of_users:
                errors = "normal"
            elif options.get("groupings") == "each":
                raise InputError(
                    f"groupings='each': {stored.shown} has per-user values, which are compared by "
                    "one grouping; store a result"
                )
        result = evaluate(asked, interval=errors, **opened)
        rows = result.rows().to_pylist()
        names = result.rows().column_names
        segments = names[1 : names.index("metric")]
        refuse(segments, ["result", *_COLUMNS])
        compared = stored.compare(result, rows, segments, margins, sure) if stored else {}
        gone = stored.gone(rows, segments, margins) if stored else []
    found = []
    for number, row in enumerate(rows):
        at = {name: row[name] for name in ("model", *segments, "metric", "k", "asked", "value")}
        found += [at | one for one in _held(row, least, largest, margins)]
        if number in compared:
            found.append(at | margins[row["metric"], row["k"]].held(compared[number]))
    table = _table([*found, *gone], segments)
    return Check(result.sql, table, [*result.inputs, *paths(against)], _how(result, table, sure))


def _how(result: Result, table: Rows, sure: Sure) -> dict[str, Any]:
    """Return what the layout of a check needs besides its rows."""
    return {
        "count": table.num_rows,
        "level": sure.level,
        "always": sure.always,
        "without_list": users_without_list(result.user_counts.rows().to_pylist()),
    }


def _sure(level: Any, interval: Any) -> Sure:
    """Read how sure limits are.

    Raises:
        InputError: No level, or one that a limit at all times can't have; no interval.
    """
    level = LEVEL.read(level)
    always = INTERVAL_OF_LIMITS.read(interval) == "always"
    if always and level <= 0.5:
        raise InputError(
            f"level={level!r}: interval='always' needs a level above 0.5, such as 0.95"
        )
    return Sure(level, always)


def _held(
    row: Mapping[str, Any],
    least: Mapping[Name, float],
    largest: Mapping[Name, float],
    margins: Container[Name],
) -> Iterator[dict[str, Any]]:
    """Hold a value against its limits.

    Raises:
        DataError: It is checked, and is missing.
    """
    name, value = (row["metric"], row["k"]), row["value"]
    checked = any(name in limits for limits in (least, largest, margins))
    if checked and (value is None or math.isnan(value)):
        raise DataError(f"{row['model']}: {spelled(*name)} has no value: no check can be made")
    own = {"users": row["users"], "basis": "value"}
    if name in least:
        passed = value >= least[name] - TOLERANCE
        yield own | {"check": "min", "limit": least[name], "result": passed}
    if name in largest:
        passed = value <= largest[name] + TOLERANCE
        yield own | {"check": "max", "limit": largest[name], "result": passed}


def _at_cutoffs(option: str, given: Any, convention: str, k: Any) -> Any:
    """Name each cutoff of metrics that are written without one; what is for all has no name."""
    if k is None or not isinstance(given, Mapping):
        return given
    found: dict[str, Any] = {}
    for asked, value in given.items():
        names = [one.text for one in parse_metrics([asked], convention, k)] if asked else [asked]
        for name in names:
            if name in found:
                raise InputError(f"{option} of {name} is given twice: once is enough")
            found[name] = value
    return found


def _limits(
    option: str,
    given: Any,
    known: Mapping[str, MetricRequest],
    convention: str,
) -> dict[Name, float]:
    found: dict[Name, float] = {}
    for asked, value in of_each(given, known).items():
        one = named(option, asked, known, convention)
        found[one.label, one.k] = read_number(f"{option}[{asked!r}]", value)
    return found


@contextmanager
def _stored(against: Any, settings: Mapping[str, Any] | None) -> Iterator[Stored | None]:
    """Open what was stored."""
    if against is None:
        yield None
        return
    from ..engines.duckdb import DuckDB

    engine = DuckDB(settings=settings)
    try:
        yield Stored(engine, against)
    finally:
        engine.rest()


class Stored:
    """Per-user values or a result that were stored, as the table ``stored`` of an engine.

    Its columns: model, user_id or segments, metric, k, value and what else there is. Ids are text.
    """

    def __init__(self, engine: DuckDB, given: Any) -> None:
        self.engine = engine
        is_path = isinstance(given, (str, os.PathLike))
        if not is_path and not hasattr(given, "__arrow_c_stream__"):
            raise InputError(f"against=<{type(given).__name__}>: give a path or a table")
        self.shown = str(given) if is_path else "against"
        source = reader(str(given), "against") if is_path else "given"
        named = {} if is_path else {"given": engine.table(stored(given, "against"), "against")}
        try:
            with engine.naming(named):
                self.columns = [*engine.columns(source)]
                self._check_columns()
                self._keep(source)
        except engine.error as error:
            raise InputError(f"against={self.shown}: {first_line(error)}") from cause(error)
        self.of_users = "user_id" in self.columns
        self._check_values()

    def _check_columns(self) -> None:
        for name in ("metric", "value"):
            if name not in self.columns:
                raise InputError(
                    f"{self.shown} has no column {name!r}: it has {', '.join(self.columns)}; give "
                    "what evaluate wrote, a result or per-user values"
                )

    def _keep(self, source: str) -> None:
        numbers = ("value", "standard_error", "low", "high", "users", *UNITS)
        columns = {name: f"try_cast({name} as double)" for name in numbers if name in self.columns}
        columns["k"] = "try_cast(k as bigint)" if "k" in self.columns else "null::bigint"
        columns["model"] = "model::varchar" if "model" in self.columns else "'against'"
        if "user_id" in self.columns:
            columns["user_id"] = "user_id::varchar"
        columns["given_value"] = "value::varchar"
        others = [identifier(name, "duckdb") for name in self.columns if name not in columns]
        written = [f"{text} as {name}" for name, text in columns.items()]
        self.engine.rows(
            f"create temp table stored as select {', '.join([*written, *others])} from {source}"
        )

    def _check_values(self) -> None:
        """Refuse what is not a number: of users, null is a value that is not defined.

        Raises:
            DataError: Such a value.
        """
        missing = "given_value is not null and value is null" if self.of_users else "value is null"
        odd = self.engine.rows(
            "select model, metric, k, given_value from stored "
            f"where ({missing}) or isnan(value) or isinf(value) limit 1"
        )
        for model, metric, k, value in odd:
            raise DataError(
                f"{self.shown}: {spelled(metric, k)} of {model} is {value or 'null'}, which is "
                "not a number: evaluate again, or leave it out"
            )

    def check_metrics(self, margins: Iterable[Name], asked: Container[str]) -> None:
        """Refuse metrics that were not stored, and warn of those that are not asked again.

        Raises:
            InputError: One was not.
        """
        names = self.engine.rows("select distinct metric, k from stored order by metric, k")
        known = [spelled(metric, k) for metric, k in names]
        for one in margins:
            if spelled(*one) not in known:
                raise InputError(
                    f"{self.shown} has no {spelled(*one)}: {nearest(spelled(*one), known)}"
                )
        if gone := [name for name in known if name not in asked]:
            shown = ", ".join(gone[:_MOST_NAMED]) + (", ..." if len(gone) > _MOST_NAMED else "")
            warn(
                f"{self.shown} has {shown}, which is not asked for now, so that nothing checks it; "
                "ask for it, or leave it out of what is stored"
            )

    def check_clusters(self, cluster: str | None) -> None:
        """Refuse a stored result whose errors are of other units than those of now.

        Raises:
            InputError: One alone is of groups of users.
        """
        errors = {"standard_error", "low", "high"} & {*self.columns}
        if self.of_users or not errors or (cluster is not None) == ("clusters" in self.columns):
            return
        if cluster is None:
            raise InputError(
                f"{self.shown} has errors by groups of users, the column 'clusters': give the "
                "cluster that it was evaluated with"
            )
        raise InputError(
            f"cluster={cluster!r}: {self.shown} has errors that take users for independent; store "
            "a result that was evaluated with this cluster, or per-user values"
        )

    def models(self, rows: list[dict[str, Any]]) -> dict[str, str]:
        """Return what was stored for each model: its own values, or the only ones that there are.

        Raises:
            InputError: A model is not among several.
        """
        known = [model for (model,) in self.engine.rows("select distinct model from stored")]
        models = dict.fromkeys(row["model"] for row in rows)
        if len(known) == 1:
            return dict.fromkeys(models, known[0])
        for model in models:
            if model not in known:
                raise InputError(f"{self.shown} has no model {model!r}: {nearest(model, known)}")
        return {model: model for model in models}

    def compare(
        self,
        result: Result,
        rows: list[dict[str, Any]],
        segments: list[str],
        margins: Mapping[Name, Margin],
        sure: Sure,
    ) -> dict[int, dict[str, Any]]:
        """Return what differs, by the number of the row, for metrics with a margin."""
        models = self.models(rows)
        numbers = [n for n, row in enumerate(rows) if (row["metric"], row["k"]) in margins]
        if not self.of_users:
            means = self._means(segments)
            return {n: self._by_means(rows[n], segments, models, means, sure) for n in numbers}
        for metric, _ in margins:
            if metric not in result.means():
                raise InputError(
                    f"{metric} is not a mean of per-user values, which {self.shown} has: "
                    "store a result to compare with"
                )
        pairs = self._pairs(result, segments, models)
        return {
            n: self._by_pairs(
                rows[n], segments, pairs, sure, margins[rows[n]["metric"], rows[n]["k"]].better
            )
            for n in numbers
        }

    def gone(
        self, rows: list[dict[str, Any]], segments: list[str], margins: Container[Name]
    ) -> list[dict[str, Any]]:
        """Return a failed row for each model and segment that was stored and is no longer there."""
        names = segments if {*segments} <= {*self.columns} else []
        quoted = [identifier(name, "duckdb") for name in names]
        groups = ", ".join(["model", *quoted, "metric", "k"])
        query = f"select {groups}, avg(value) as stored from stored group by {groups}"
        before = Rows.read(self.engine, query).records
        models = self.models(rows)
        there = {_key(row, names) for row in rows}
        written = {(row["metric"], row["k"]): row["asked"] for row in rows}
        found = []
        for row in before:
            held = [now for now, then in models.items() if then == row["model"]] or [row["model"]]
            for model in held if (row["metric"], row["k"]) in margins else ():
                lost = row | {"model": model}
                if _key(lost, names) not in there:
                    lost["asked"] = written[row["metric"], row["k"]]
                    found.append(lost | {"users": 0, "basis": "gone", "check": "margin"})
        return [row | {"result": False} for row in found]

    def _pairs(
        self, result: Result, segments: list[str], models: Mapping[str, str]
    ) -> dict[tuple[Any, ...], dict[str, Any]]:
        """Return the means of differences, user by user."""
        twice = self.engine.rows(
            "select user_id, metric, k from stored group by model, user_id, metric, k "
            "having count(*) > 1 limit 1"
        )
        for user, metric, k in twice:
            raise DataError(
                f"{self.shown}: user {user} has {spelled(metric, k)} more than once: a user has "
                "one value of each"
            )
        names = [identifier(name, "duckdb") for name in ("model", *segments, "metric", "k")]
        unit = "now.user_id::varchar"
        if result.cluster is not None:
            unit = f"coalesce(now.{identifier(result.cluster, 'duckdb')}::varchar, {unit})"
        same = [{"model": now, "stored": then} for now, then in models.items()]
        same = self.engine.table(Rows({"model": "string", "stored": "string"}, same), "models")
        with TemporaryDirectory() as folder, self.engine.naming({"models": same}):
            path = Path(folder, "now.parquet")
            result.per_unit().to_parquet(path)
            rows = Rows.read(self.engine, _pairs_by(names, unit, str(path))).records
        return {_key(row, segments): row for row in rows}

    def _by_pairs(
        self,
        row: dict[str, Any],
        segments: list[str],
        pairs: Mapping[tuple[Any, ...], dict[str, Any]],
        sure: Sure,
        better: str,
    ) -> dict[str, Any]:
        pair = pairs.get(_key(row, segments), {"users": 0, "units": 0})
        name = f"{row['model']}: {spelled(row['metric'], row['k'])}"
        if pair["users"] < 2:
            raise DataError(
                f"{name} has {pair['users']} users in common with {self.shown}, and a limit needs "
                "two: are they the same users, spelled alike?"
            )
        if pair["units"] < 2:
            raise DataError(
                f"{name}: the users in common with {self.shown} are in one cluster, and a limit "
                "needs two; leave cluster out, or give more users"
            )
        gains, losses = pair["gains"], pair["losses"]
        if better == "lower":
            gains, losses = losses, gains
        differ = gains or losses
        if pair["of_hits"] and differ and not sure.always and pair["units"] == pair["users"]:
            reach = sure.reach_of_hits(gains, losses, pair["users"])
        else:
            reach = sure.reach(pair["units"], pair["degrees_of_freedom"], pair["error"])
        return {name: pair[name] for name in ("value", "stored", "difference", "users")} | {
            "reach": reach,
            "basis": "pairs",
        }

    def _means(self, segments: list[str]) -> dict[tuple[Any, ...], dict[str, Any]]:
        """Return the rows of a stored result."""
        for name in segments:
            if name not in self.columns:
                raise InputError(
                    f"{self.shown} has no column {name!r} to compare segments by: it has "
                    f"{', '.join(self.columns)}"
                )
        found: dict[tuple[Any, ...], dict[str, Any]] = {}
        for row in Rows.read(self.engine, "select * from stored").records:
            if found.setdefault(_key(row, segments), row) is not row:
                raise DataError(
                    f"{self.shown} has {spelled(row['metric'], row['k'])} of {row['model']} more "
                    "than once: if it is by segments, evaluate by the same ones"
                )
        return found

    def _by_means(
        self,
        row: dict[str, Any],
        segments: list[str],
        models: Mapping[str, str],
        means: Mapping[tuple[Any, ...], dict[str, Any]],
        sure: Sure,
    ) -> dict[str, Any]:
        before = means.get(_key(row | {"model": models[row["model"]]}, segments))
        name = f"{row['model']}: {spelled(row['metric'], row['k'])}"
        if before is None:
            at = ", ".join(f"{one}={row[one]}" for one in segments)
            raise DataError(
                f"{name} is not in {self.shown}{f' for {at}' if at else ''}: leave it out"
            )
        difference = row["value"] - before["value"]
        found = {"stored": before["value"], "difference": difference, "users": row["users"]}
        now, then = _variance(row), _variance(before)
        if now is None or then is None:
            return found | {"reach": None, "basis": "means"}
        reach = sure.reach_of_two((now, then), (row, before))
        return found | {"reach": reach, "basis": "intervals"}


def _variance(row: Mapping[str, Any]) -> float | None:
    """Return the variance of a mean, if its row tells."""
    error, low, high = (row.get(name) for name in ("standard_error", "low", "high"))
    if error is None and low is not None and high is not None:
        # What intervals of a stored result are, unless it has standard errors.
        error = (high - low) / 2 / quantile_of("normal", 0.95, _units(row))
    return None if error is None or _units(row) < 2 else error**2


def _units(row: Mapping[str, Any]) -> int:
    """Return of how many users, or groups of them, a mean is."""
    return int(row.get("clusters") or row.get("users") or 0)


def _freedom(row: Mapping[str, Any]) -> float:
    return float(row.get("degrees_of_freedom") or _units(row) - 1)


def _key(row: Mapping[str, Any], segments: Iterable[str]) -> tuple[Any, ...]:
    """Return what a value is told apart by, as text: a CSV file knows no more."""
    texts = (None if row[name] is None else str(row[name]) for name in segments)
    return (row["model"], *texts, row["metric"], row["k"])


def _pairs_by(names: Sequence[str], unit: str, path: str) -> str:
    """Write what compares two values of each user, by some columns of both.

    Args:
        names: The columns.
        unit: What tells users, or groups of them, apart.
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
    # Segments that are gone are text, where a CSV file had them.
    for name in segments:
        if len({type(row.get(name)) for row in rows} - {type(None)}) > 1:
            for row in rows:
                row[name] = None if row.get(name) is None else str(row[name])
    numbers = ("value", "stored", "difference", "low", "high", "limit")
    types = dict.fromkeys(numbers, "float64") | dict.fromkeys(("k", "users"), "int64")
    names = ("result", "model", *segments, "metric", "k", "asked", *_COLUMNS)
    return Rows(
        {name: types.get(name, "") for name in names},
        [{name: row.get(name) for name in names} for row in rows],
    )
