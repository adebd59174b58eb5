"""Results of evaluations, which convert to pandas, Polars and Arrow tables."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from numbers import Real
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from ..display.table_layout import SIGNS, Layout
from ..engines.files import shorten_path
from ..engines.python_tables import as_duckdb_table
from ..errors import InputError, suggest_name
from ..layouts.result import metric_direction, result_layout, user_counts_layout
from ..options import LEVEL
from ..records import Record, Row
from .gaps import gaps_layout, measure_gaps
from .merge import merge_results
from .prediction_powered import prediction_powered_rows
from .rows import Rows
from .table import METADATA_KEY, Table, Text

if TYPE_CHECKING:
    import pyarrow as pa


class Result(Table):
    """The result of an evaluation: a row per model, segment, metric and cutoff.

    Columns:

    - ``model`` and the segments.
    - ``metric``: its name and parameters; ``k``: the cutoff, null for whole lists; ``request``: the
      metric as you wrote it, to select rows with.
    - ``value``: the mean of the per-user values, null if no user has a value; ``users``: the number
      of users with a value.
    - ``standard_error``, ``low`` and ``high``: the standard error and confidence interval of the
      mean; ``interval``: its method, if ``interval="auto"``. With ``interval=None``, these columns
      do not exist.
    - The columns that ``summaries`` names.

    Attributes:
        sql: The statement that ran.
        user_counts: Counts of users and lists: a table with a row per model, segment,
            convention, population and cutoff. ``users_evaluated`` is the number of users averaged
            over. Two columns count lists of these users: ``short_lists`` counts lists with fewer
            items than the cutoff, and ``ties_at_cutoff`` counts lists with equal scores at the
            cutoff and at the rank below. The other columns also count users who are not averaged
            over. ``users_without_list`` have no list and are not in ``short_lists``; populations
            with names that end in ``recs`` exclude these users. ``unjudged_lists`` are lists of
            users without a relevant item (with the populations ``judged`` and ``judged_and_recs``,
            lists of users who are not in the truth), and ``repeated_rows`` are rows at any rank
            that ``duplicates="best"`` excludes. If rules depend on the order of rows, ``row_order``
            is the column that defines the order; ``rows`` if rows have an order; or ``none`` if
            rows have no order and other rules replace these rules.
        means: The metrics that are means of per-user values.
        interval: The method of the intervals, and their level.
        provenance: The provenance of the result as JSON: the interval, its level and cluster, and
            the rules for each metric. Parquet files, Arrow tables and pandas frames keep the
            provenance.
        cluster: The column that names groups of users, if any.
        weights: The column with weights of users, if any.
        plots: The object that makes the plots.
    """

    def __init__(
        self,
        sql: Text,
        rows: pa.Table | Rows,
        user_counts: pa.Table | Rows,
        per_user: Table,
        means: Callable[[], Iterable[str]],
        interval: tuple[str | None, float],
        cluster: str | None,
        weights: str | None,
        per_unit: Table | None,
        provenance: str,
        plots: Callable[[pa.Table | Rows], Any],
    ) -> None:
        # The layout must not refer to the result, because a cycle would keep the engine open.
        self._marks = marks = SimpleNamespace(tests=list, baseline=None)

        def lay_out(names: Sequence[str], rows: Sequence[Row], digits: int | None = None) -> Layout:
            return result_layout(
                names,
                rows,
                user_counts=user_counts.to_pylist(),
                interval=interval,
                cluster=cluster,
                weights=weights,
                tests=marks.tests(),
                baseline=marks.baseline,
                digits=digits,
            )

        source = per_user.source and per_user.source.in_memory(provenance)
        inputs = per_user.inputs
        super().__init__(
            sql, lambda: rows, inputs=inputs, provenance=provenance, lay_out=lay_out, source=source
        )
        self.provenance = provenance
        for users in (per_user, per_unit):
            if users is not None and users.source is not None:
                users.source = replace(users.source, options=provenance)
        self.user_counts = Table(
            sql, lambda: user_counts, inputs=inputs, lay_out=user_counts_layout, source=source
        )
        self._per_user = per_user
        self.means = means
        self.interval = interval
        self.cluster = cluster
        self.weights = weights
        self._per_unit = per_user if per_unit is None else per_unit
        self.plots = plots

    @property
    def tests(self) -> Callable[[], Sequence[Row]]:
        """Return the tests for the marks, or an empty list if values can't be paired."""
        tests: Callable[[], Sequence[Row]] = self._marks.tests
        return tests

    def mark_models(self, tests: Callable[[], Sequence[Row]], baseline: str | None = None) -> None:
        """Mark models by tests against the baseline, or by default against the best models."""
        self._marks.tests, self._marks.baseline = tests, baseline

    @property
    def plot(self) -> Any:
        """The plots of the result: ``result.plot.curve()`` and ``tradeoff()``."""
        return self.plots(self.rows())

    def best(self) -> Table:
        """Return the row of the best model of each metric and segment.

        Metrics with the direction ``neither`` have no best model. If models are equal, the first
        model is kept.
        """
        best: dict[tuple[Any, ...], Record] = {}
        rows = Rows.from_table(self.rows())
        segments = rows.column_names[1 : rows.column_names.index("metric")]
        for row in rows.records:
            sign = SIGNS[metric_direction(row["metric"])]
            if not sign or row["value"] is None:
                continue
            key = (*(repr(row[name]) for name in segments), row["request"])
            if key not in best or sign * row["value"] > sign * best[key]["value"]:
                best[key] = row
        return self._derive_table(Rows(dict(rows.schema), [*best.values()]))

    def pivot(self, values: str = "value") -> Table:
        """Return a row per model and segment, with a column for each metric as you wrote it.

        Args:
            values: The column of values.

        Raises:
            InputError: There is no such column.
        """
        rows = Rows.from_table(self.rows())
        names = rows.column_names
        if values not in names:
            raise InputError(f"values={values!r}: {suggest_name(str(values), names)}")
        keys = names[: names.index("metric")]
        requests = dict.fromkeys(row["request"] for row in rows.records)
        wide: dict[tuple[Any, ...], Record] = {}
        for row in rows.records:
            row_key = {name: row[name] for name in keys}
            entry = wide.setdefault(
                tuple(map(repr, row_key.values())), row_key | dict.fromkeys(requests)
            )
            entry[row["request"]] = row[values]
        types = dict(rows.schema)
        kinds = {name: types[name] for name in keys} | dict.fromkeys(requests, types[values])
        return self._derive_table(Rows(kinds, [*wide.values()]))

    def per_user(self) -> Table:
        """Return per-user values: model, segments, ``user_id``, metric, k, ``request``, value.

        The values are computed from the current inputs when you first read them, or while
        ``to_parquet`` writes them.
        """
        return self._per_user

    def per_unit(self) -> Table:
        """Return per-user values, with the cluster of each user if the result is clustered."""
        return self._per_unit

    def merge(self, past: Any) -> Table:
        """Merge an earlier result for other users into this result, such as yesterday's.

        No rows of the inputs are needed. The means, standard errors, standard deviations,
        intervals, smallest and largest values and shares of zeros are then computed over all users
        of both results. A user in both results counts twice.

        Args:
            past: A result of the same metrics and options for other users, as a Result, a table or
                the path of a Parquet file.

        Returns:
            A Table with the columns of this result.

        Raises:
            InputError: The two results differ in columns, interval, level, convention or another
                rule that the past result stores; or a value cannot be merged: a metric
                that is not a mean over users, a quantile, an interval that resamples users, or an
                interval by clusters, because both results may have users in one cluster.
        """
        interval, level = self.interval
        rows = merge_results(
            self.to_arrow(),
            past.to_arrow() if isinstance(past, Table) else _read_past(past),
            provenance=self.provenance,
            interval=interval,
            level=level,
            means={*self.means()},
        )
        lay_out = partial(result_layout, interval=self.interval, cluster=self.cluster)
        options: Any = {"inputs": self.inputs, "source": self.source}
        return Table(
            self._sql, lambda: rows, provenance=self.provenance, lay_out=lay_out, **options
        )

    def gaps(self, *, level: float | None = None) -> Table:
        """Return the gaps between segments: a row per model, metric, cutoff and grouping.

        A segment counts as a group unless its value or one of its columns is null.

        Columns:

        - ``groups``: the number of groups.
        - ``worst`` and ``worst_value``: the group with the worst value, and this value; null if
          the metric has the direction ``neither``, or all values are equal.
        - ``difference``: the largest value minus the smallest.
        - ``ratio``: the smallest value divided by the largest; null if any value is below 0 or all
          values are 0.
        - ``mean_difference``: the mean absolute difference over all pairs of groups.
        - ``difference_low``, ``difference_high``, ``ratio_low`` and ``ratio_high``, if the result
          has intervals: the interval of the largest gap, corrected for the number of pairs of
          groups; null if a group has no interval.

        Source: for the interval of two means, Zou & Donner 2008, doi.org/10.1002/sim.3095, and
        Donner & Zou 2012, doi.org/10.1177/0962280210383082; for the correction over all pairs,
        Sidak 1967, doi.org/10.1080/01621459.1967.10482935

        Args:
            level: The confidence level of the intervals; by default the level of this result.

        Returns:
            A Table with a row per model, metric, cutoff and grouping. A grouping is a set of
                segment columns.

        Raises:
            InputError: The result has no segments, is clustered, or has the interval ``anytime``.
        """
        records = Rows.from_table(self.rows())
        names = records.column_names
        segments = names[1 : names.index("metric")]
        method, result_level = self.interval
        level = result_level if level is None else LEVEL.read(level)
        rows = measure_gaps(records, segments, method, level, self.cluster)
        lay_out = partial(gaps_layout, level=level)
        return self._derive_table(rows, lay_out)

    def prediction_powered(
        self, judge: Result, *, level: float | None = None, tuning: float | None = None
    ) -> Table:
        """Combine people's labels of some users with a judge's labels of all users.

        People label the truth of a random sample of users; a judge, such as a language model,
        labels the truth of all users. The method is prediction-powered inference: the judge's mean,
        corrected by the judge's error on the users that people labeled. Its interval is valid for
        any quality of the judge.

        Columns of the result, a row per model, segment, metric and cutoff: ``labeled``, the number
        of users with people's labels, and ``users``, the number of all users; ``value``,
        ``standard_error``, ``low`` and ``high``, by the normal distribution; ``tuning``;
        ``labeled_value``, ``labeled_low`` and ``labeled_high``, from only people's labels; and
        ``judged_value``, the judge's own mean, null if the judge labels only the users that people
        labeled.

        Source: Angelopoulos et al. 2023, doi.org/10.1126/science.adi6000; tuned Angelopoulos, Duchi
        & Zrnic 2023, arxiv.org/abs/2311.01453

        Args:
            judge: The result of the same metrics and options with the judge's truth, for all users,
                including the users that people labeled.
            level: The confidence level of the intervals; by default the level of this result.
            tuning: The weight of the judge, from 0 to 1: 1 is PPI, 0 uses only people's labels; by
                default the weight with the least variance (PPI++).

        Returns:
            A Table with a row per model, segment, metric and cutoff.

        Raises:
            InputError: A metric that is not a mean over users; a user with an undefined value; a
                labeled user who is missing from the judge's result; or results of different metrics
                or options.
        """
        if not isinstance(judge, Result):
            raise InputError(f"judge={judge!r}: give a Result, as evaluate returns it")
        is_number = isinstance(tuning, Real) and not isinstance(tuning, bool)
        if tuning is not None and not (is_number and 0 <= tuning <= 1):
            raise InputError(f"tuning={tuning!r}: it must be a number from 0 to 1, or None")
        level = self.interval[1] if level is None else LEVEL.read(level)
        rules = json.loads(self.provenance)["rules"], json.loads(judge.provenance)["rules"]
        if rules[0] != rules[1]:
            raise InputError(
                "prediction_powered: the judge's result has other metrics or rules than this one: "
                "evaluate both with the same request"
            )
        rows = prediction_powered_rows(
            self.to_arrow(),
            self.per_user().to_arrow(),
            judge.per_user().to_arrow(),
            means={*self.means()},
            level=level,
            tuning=tuning,
        )
        return Table(self._sql, lambda: rows)


def read_stored_result(table: Any, name: str) -> pa.Table | Rows:
    """Read a stored table: a result, the path of a Parquet file, or a table of Python."""
    return table.rows() if isinstance(table, Table) else _read_table(table, name, "a Parquet file")


def _read_table(table: Any, name: str, expected: str) -> pa.Table:
    """Read a Parquet file, or a table of another library."""
    if not isinstance(table, (str, os.PathLike)):
        return as_duckdb_table(table, name)
    import pyarrow as pa
    import pyarrow.parquet

    try:
        return pyarrow.parquet.read_table(table)
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            f"{name}={shorten_path(os.fsdecode(table))}: give {expected}, as to_parquet writes "
            f"it: {str(error)[:200]}"
        ) from error


def _read_past(past: Any) -> pa.Table:
    """Read a past result with its provenance."""
    table = _read_table(past, "past", "a result, or a Parquet file of one")
    # Frames of pandas store metadata in their attributes.
    provenance = getattr(past, "attrs", {}).get(METADATA_KEY)
    return (
        table if provenance is None else table.replace_schema_metadata({METADATA_KEY: provenance})
    )
