"""Results: small tables that are at home with pandas, Polars, Arrow and notebooks."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any

from ..display.layout import Layout
from ..engines.duckdb import as_table
from ..engines.files import shortened
from ..errors import InputError
from ..options import LEVEL
from .evaluated import of_result, of_user_counts
from .gaps import gaps_of, of_gaps
from .judged import judged_rows
from .merge import merged
from .rows import Rows
from .table import MADE, Table

if TYPE_CHECKING:
    import pyarrow as pa


class Result(Table):
    """What an evaluation found: a row per model, segment, metric and cutoff.

    Columns: ``model``; the segments; ``metric``, its name and parameters; ``k``, null for whole
    lists; ``asked``, both as they were written, by which a row is found; ``value``, the mean
    of the users' values, null where no user has one; ``users``, how many have one; with an
    interval ``standard_error``, ``low`` and ``high``; the summaries that were asked.

    Attributes:
        sql: The statement that ran.
        user_counts: A table of who was counted, a row per model, segment, convention, population
            and cutoff: ``users_evaluated``, averaged over; of these ``users_without_list``;
            ``short_lists``,
            with fewer places than the cutoff; ``ties_at_cutoff``, where the next place has the same
            score. And of all lists, also those of users who are not averaged over,
            ``unjudged_lists``, of users for whom the truth has nothing relevant, and
            ``repeated_rows``, at any place, left out with ``duplicates="best"``. Where rules go by
            the order of rows, ``row_order``: the column that has it, ``rows`` where it is theirs,
            or ``none`` where there is no order and other rules stand in.
        means: Gives the metrics that are the mean of per-user values.
        interval: How the interval was made, and its level.
        made: How the result was made, as JSON: the interval, its level and cluster, and the rules
            of each metric. Parquet files, tables of Arrow and frames of pandas carry it on.
        cluster: The column that names groups of users, if there is one.
        plots: Makes the plots of its table, which know its inputs.
    """

    def __init__(
        self,
        sql: str,
        rows: pa.Table | Rows,
        user_counts: pa.Table | Rows,
        per_user: Table,
        means: Callable[[], Iterable[str]],
        interval: tuple[str | None, float],
        cluster: str | None,
        per_unit: Table | None,
        made: str,
        plots: Callable[[pa.Table | Rows], Any],
    ) -> None:
        def lay_out(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Layout:
            counted = user_counts.to_pylist()
            return of_result(names, rows, user_counts=counted, interval=interval, cluster=cluster)

        super().__init__(sql, lambda: rows, inputs=per_user.inputs, made=made, lay_out=lay_out)
        self.made = made
        self.user_counts = Table(
            sql, lambda: user_counts, inputs=per_user.inputs, lay_out=of_user_counts
        )
        self._per_user = per_user
        self.means = means
        self.interval = interval
        self.cluster = cluster
        self._per_unit = per_user if per_unit is None else per_unit
        self.plots = plots

    @property
    def plot(self) -> Any:
        """Its plots: ``result.plot.curve()``, and the others of sqlrec.plots.bound.ResultPlots."""
        return self.plots(self.rows())

    def per_user(self) -> Table:
        """Return the values before the mean: model, segments, ``user_id``, metric, k, asked, value.

        Computed when they are looked at, or while they are written with ``to_parquet``. Inputs that
        have changed since then change them.
        """
        return self._per_user

    def per_unit(self) -> Table:
        """Return per-user values, with the group of each where there are some."""
        return self._per_unit

    def merge(self, past: Any) -> Table:
        """Add the users of a past result to this one, as of the days before, without their rows.

        Means, standard errors and deviations, intervals by them, least and greatest values and
        shares of zeros are those of all users together, to whom a user of both counts twice.

        Args:
            past: The same request for other users: a Result, a table, or a Parquet file of one.

        Raises:
            InputError: Another interval, level, convention or other rule, as far as the past tells;
                other columns; a metric that is not a mean over users; what users of the past do not
                tell of all: quantiles, intervals that draw users, and those of clusters, whose
                users may be in both.
        """
        interval, level = self.interval
        rows = merged(
            self.to_arrow(),
            past.to_arrow() if isinstance(past, Table) else _past(past),
            made=self.made,
            interval=interval,
            level=level,
            means={*self.means()},
        )
        lay_out = partial(of_result, interval=self.interval, cluster=self.cluster)
        return Table(self.sql, lambda: rows, made=self.made, lay_out=lay_out)

    def gaps(self, *, level: float | None = None) -> Table:
        """Return how far segments are apart: a row per model, metric and cutoff, and grouping.

        Segments in which a column is null are no group; nor are those without a value.

        Args:
            level: Of the intervals; that of this result by default.

        Returns:
            ``groups``, how many there are; ``worst`` and ``worst_value``, the group with the worst
            value and what it is, null where neither higher nor lower is better or all have the
            same; ``difference``, the largest value less the least; ``ratio``, the least divided by
            the largest, null where one is below 0 or all are 0; ``mean_difference``, the mean of
            all pairs' differences. With an interval ``difference_low``, ``difference_high``,
            ``ratio_low`` and ``ratio_high``, which hold for the largest of all pairs of groups;
            null where a group has no interval.

        Raises:
            InputError: No segments; groups of users in ``cluster``, or an interval ``always``.

        Source: of two means by their intervals Zou & Donner 2008, doi.org/10.1002/sim.3095, and
        Donner & Zou 2012, doi.org/10.1177/0962280210383082; of all pairs Sidak 1967,
        doi.org/10.1080/01621459.1967.10482935
        """
        rows = Rows.of(self.rows())
        names = rows.column_names
        segments = names[1 : names.index("metric")]
        method, own = self.interval
        level = own if level is None else LEVEL.read(level)
        found = gaps_of(rows, segments, method, level, self.cluster)
        return Table(
            self.sql, lambda: found, inputs=self.inputs, lay_out=partial(of_gaps, level=level)
        )

    def judged_by(
        self, judge: Result, *, level: float | None = None, tuning: float | None = None
    ) -> Table:
        """Add a judge's result to this one, by people's labels of some users: prediction-powered.

        People label the truth of a random sample of the users, and a model, such as a language
        model, that of all. The mean is the judge's of all other users, less what the judge is off
        by where people look; its interval holds whatever the judge is worth.

        Args:
            judge: The same request with the judge's truth: all users, those with labels too.
            level: Of the intervals; that of this result by default.
            tuning: How much the judge counts, from 0 to 1: 1 is PPI, 0 the labels alone; by
                default the share with the least variance, PPI++.

        Returns:
            A row per model, segment, metric and cutoff: ``labelled`` and all ``users``, ``value``,
            ``standard_error``, ``low``, ``high``, by the normal distribution, and ``tuning``;
            ``labelled_value``, ``labelled_low`` and ``labelled_high`` of the labels alone, and
            ``judged_value``, the judge's own mean. Null where only labelled users are judged.

        Raises:
            InputError: A metric that is not a mean over users; a user whose value is undefined; one
                with labels whom the judge has not; results that were asked otherwise.

        Source: Angelopoulos et al. 2023, doi.org/10.1126/science.adi6000; tuned Angelopoulos,
        Duchi & Zrnic 2023, arxiv.org/abs/2311.01453
        """
        if not isinstance(judge, Result):
            raise InputError(f"judge={judge!r}: give a Result, as evaluate returns it")
        is_number = isinstance(tuning, Real) and not isinstance(tuning, bool)
        if tuning is not None and not (is_number and 0 <= tuning <= 1):
            raise InputError(f"tuning={tuning!r}: it is a number from 0 to 1, or None")
        level = self.interval[1] if level is None else LEVEL.read(level)
        rules = json.loads(self.made)["rules"], json.loads(judge.made)["rules"]
        if rules[0] != rules[1]:
            raise InputError(
                "judged_by: the judge's result was made by other metrics or rules than this one: "
                "make both by the same request"
            )
        rows = judged_rows(
            self.to_arrow(),
            self.per_user().to_arrow(),
            judge.per_user().to_arrow(),
            means={*self.means()},
            level=level,
            tuning=tuning,
        )
        return Table(self.sql, lambda: rows)


def stored(given: Any, name: str, wanted: str = "a Parquet file") -> pa.Table:
    """Read a table that was stored: a path of a Parquet file, or a table of Python.

    Raises:
        InputError: It can't be read; the message has the name of the input and the fix.
    """
    import pyarrow as pa
    import pyarrow.parquet

    if not isinstance(given, (str, os.PathLike)):
        return as_table(given, name)
    try:
        return pyarrow.parquet.read_table(given)
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            f"{name}={shortened(os.fsdecode(given))}: give {wanted}, as to_parquet writes "
            f"it: {str(error)[:200]}"
        ) from error


def _past(given: Any) -> pa.Table:
    """Read a past result, with what it tells of how it was made.

    Raises:
        InputError: It is none.
    """
    table = stored(given, "past", "a result, or a Parquet file of one")
    # Pandas has such notes of a frame beside it.
    made = getattr(given, "attrs", {}).get(MADE)
    return table if made is None else table.replace_schema_metadata({MADE: made})
