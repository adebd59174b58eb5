"""Differences between models, computed user by user."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, simplefilter

from .. import options
from ..catalogue.requests import MetricRequest, format_metric
from ..display.numbers import decimals_for, format_count, number, round_last_digits
from ..display.table_layout import SIGNS, LabeledText, Layout, join_names, join_words
from ..errors import DataError, InputError, suggest_name
from ..inputs.tables import Tables
from ..layouts.comparison import (
    ComparisonSummary,
    comparison_layout,
    decide_overall,
    models_layout,
    name_pairs,
    ranks_layout,
    sort_best_first,
)
from ..layouts.losses import GAINS, LOSSES, SMALL, effects_layout
from ..layouts.result import (
    format_tests,
    format_users,
    is_significant,
    segment_key,
    segment_title,
    user_counts_layout,
)
from ..plan.build import WHOLE_KINDS
from ..plan.stored_values import new_plan
from ..records import Record, Row, group_by
from ..results.database_table import DatabaseRows
from ..results.rows import Rows
from ..results.table import Table, Text
from ..run.differences import (
    Grouping,
    add_corrected_p_values,
    check_options,
    compare_grouping,
    comparison_jobs,
    difference_table,
    resolve_defaults,
)
from ..run.input_problems import warn_about_empty_segments
from ..run.job import Call, Job
from ..run.margins import read_margins
from ..run.segments import list_groupings, merge_groupings
from ..statistics.comparison_options import ComparisonOptions
from ..statistics.formulas import DRAWN
from ..statistics.margins import WITHIN
from .model_ranks import RANKED, RANKED_OVER, rank_models, rank_over_data_sets
from .segment_search import SegmentSearch, search_segments

if TYPE_CHECKING:
    from ..plots.from_inputs import ComparisonPlots

# The maximum number of differences that a screen shows in full.
_SCREEN_ROWS = 20

# Columns of ranks that are not floating-point numbers.
_RANK_TYPES = {"users": "int64", "blocks": "int64", "letters": "string"}


class Comparison(Table):
    """Differences between models and a baseline: a row per model, segment, metric and cutoff.

    Columns:

    - ``model``, the segments, ``metric``, ``k``; ``request``, the metric as you wrote it.
    - ``method``: the method of the standard error. ``mean`` computes it from the users'
      differences. ``delta`` linearizes by user, for functions of sums over users, such as pooled
      errors. ``bootstrap`` resamples users, for metrics over all lists together, such as coverage.
      Null means that there is only the difference.
    - ``users``: the number of users with a value for both models; with ``correction="tukey"`` or
      ``"dunnett"``, a value for every model. For metrics over all lists together, it is the number
      of all users of the model. With ``cluster``, ``clusters`` is the number of groups, and
      ``degrees_of_freedom`` is the number for Student's t.
    - ``value`` and ``baseline_value``: the means over these users.
    - ``difference``: value minus baseline value; ``relative_difference``: the difference divided by
      the absolute baseline value.
    - ``low``, ``high`` and ``standard_error``: the interval of the difference and its standard
      error. The interval is corrected like p: it excludes 0 if the test is significant.
    - ``relative_low`` and ``relative_high``: the interval of the relative difference, by Fieller's
      theorem.
    - ``better``: the direction of the metric: ``higher``, ``lower`` or ``neither``.
    - ``wins``, ``ties`` and ``losses``: the number of users for whom the model is better than,
      equal to or worse than the baseline; null if the direction is neither.
    - ``test``: the test that computed ``p``; null without a test.
    - ``p``: the p-value of the difference; ``p_adjusted``: the p-value, corrected for the tests of
      its family, as ``correction`` describes.
    - ``detectable``: the smallest true difference that this many users would show with a power of
      80%, at the level of the interval. ``sqlrec.power`` does not correct for multiple tests, so
      its number is smaller.
    - ``effect_size``: Cohen's d for pairs, the mean difference divided by the standard deviation of
      the users' differences, with its interval ``effect_low`` and ``effect_high``.
    - ``win_share``: the share of users for whom the model is better, with its interval
      ``win_share_low`` and ``win_share_high``.

    An undefined value is null, such as the interval for a single user or for users with equal
    differences, and the p-value if no user's values differ.

    With more than 20 differences in segments, the printed table has only the significant losses and
    gains, a line per segment; with more than 20 differences of all pairs, it has the ranks. File
    formats and ``layout()`` have all differences.

    Attributes:
        user_counts: The number of users that each model's metrics count, as in a Result.
        summary: The baseline, the options of ``compare`` and the tests.
        call: The metrics, inputs and rules of the call, for plots that read the inputs again.
    """

    def __init__(
        self, sql: Text, rows: Rows, user_counts: Table, summary: ComparisonSummary, call: Call
    ) -> None:
        lay_out = partial(comparison_layout, summary=summary)
        super().__init__(
            sql, lambda: rows, inputs=user_counts.inputs, lay_out=lay_out, source=user_counts.source
        )
        self.user_counts = user_counts
        self.summary = summary
        self.call = call

    @property
    def plot(self) -> ComparisonPlots:
        """The plots of the comparison, as in ``comparison.plot.forest()``."""
        from ..plots.from_inputs import ComparisonPlots

        return ComparisonPlots(self.rows(), self.call, self.summary.baseline)

    def by_model(self) -> Table:
        """Return the same rows, displayed as a table of models and metrics with the baseline.

        Each cell contains the value, and below it the difference from the baseline, with a mark if
        the difference is significant.

        Raises:
            InputError: The comparison has no baseline.
        """
        if self.summary.baseline is None:
            raise InputError(
                "by_model() needs a baseline: compare with baseline=..., or use ranks()"
            )
        lay_out = partial(models_layout, summary=self.summary)
        return Table(self._sql, self.rows, inputs=self.inputs, lay_out=lay_out, source=self.source)

    def ranks(self, over: str | None = None, *, level: float = 0.95) -> Table:
        """Rank the models: a row per model, segment and metric, the best first.

        Columns are ``users``, ``value``, ``rank`` (null if the direction is neither) and
        ``letters``: models that share a letter do not differ significantly by ``p_adjusted``.

        Args:
            over: A column of segments that are data sets. Models are then ranked within each data
                set with values of all models; ``blocks`` is the number of such data sets. Other
                columns are ``mean_rank``; ``friedman_p`` and ``iman_davenport_p``, p-values for the
                hypothesis that all models perform equally; ``critical_difference``, the smallest
                significant difference between two mean ranks in Nemenyi's test; and ``letters`` by
                this test. ``over`` needs SciPy.
            level: The confidence level of the letters; by default 0.95.

        Returns:
            A Table with a row per model, segment, metric and cutoff. With ``over``, one row covers
            all values of this segment.

        Raises:
            InputError: The models were compared with a single baseline, not in all pairs; or
                ``over`` is not a segment of the comparison.
        """
        level = options.LEVEL.read(level)
        table = Rows.from_table(self.rows())
        if self.summary.baseline is not None or self.summary.options.alternative != "two-sided":
            raise InputError(
                "ranks() needs two-sided tests of every pair of models: compare without baseline "
                "and with alternative='two-sided'"
            )
        segments = table.column_names[1 : table.column_names.index("metric")]
        if over is not None and over not in segments:
            raise InputError(f"over={over!r} is not a segment: {suggest_name(str(over), segments)}")
        names: tuple[str, ...] = RANKED
        if over is None:
            rows = rank_models(table.records, segments, level)
        else:
            segments = [name for name in segments if name != over]
            names = RANKED_OVER
            rows = rank_over_data_sets(table.records, segments, over, level)
        types = dict(table.select(["model", *segments, "metric", "k", "request"]).schema)
        types |= dict.fromkeys(names, "float64")
        types |= {name: kind for name, kind in _RANK_TYPES.items() if name in names}
        lay_out = None if over else partial(ranks_layout, summary=self.summary, level=level)
        ranks = Rows.from_records(types, rows)
        return self._derive_table(ranks, lay_out)

    def worse(self, level: float = 0.95) -> Table:
        """Return the rows in which models are worse than the baseline, smallest p-values first.

        The printed table shows only the significant losses. It has a line per segment. If a model
        has a lower mean in every segment, it has one line, with the number of significant losses.

        The returned rows have a ``difference`` below 0, or above 0 if ``better`` is ``lower``; rows
        with the direction ``neither`` are excluded. Two columns are added: ``significant``, whether
        ``p_adjusted`` is below 1 - level; and ``small``, whether there are fewer than 30 users
        (with ``cluster``, groups), which makes the interval unreliable.

        Args:
            level: The confidence level of ``significant``; by default 0.95.

        Returns:
            A Table with the columns of the comparison and these two columns.

        Raises:
            InputError: The models were compared without a baseline; or the alternative is
                ``equivalent`` or ``noninferior``, for which ``p`` does not test whether a model is
                worse.
        """
        level = options.LEVEL.read(level)
        if self.summary.baseline is None:
            raise InputError(
                "worse() needs a baseline: compare with baseline=..., or use ranks() for every "
                "pair of models"
            )
        if (alternative := self.summary.options.alternative) in WITHIN:
            raise InputError(
                f"worse() and alternative={alternative!r}: its p does not show that a model is "
                "worse; compare with alternative='two-sided'"
            )
        table = Rows.from_table(self.rows())
        rows = [
            {**row} for row in table.records if (row["difference"] or 0) * SIGNS[row["better"]] < 0
        ]
        for row in rows:
            row["significant"] = is_significant(row, level)
            row["small"] = (row.get("clusters") or row["users"]) < SMALL
        rows.sort(
            key=lambda row: (row["p_adjusted"] is None, row["p_adjusted"], -abs(row["difference"]))
        )
        types = dict(table.schema) | dict.fromkeys(("significant", "small"), "bool")
        lay_out = partial(
            self._lay_out_effects, signs=(LOSSES,), rows=sort_best_first(table.records), level=level
        )
        return self._derive_table(Rows(types, rows), lay_out)

    def screen_layout(self, *, max_rows: int | None = None, digits: int | None = None) -> Layout:
        """Return the layout for a screen; many rows are reduced to significant ones, or to ranks.

        Args:
            max_rows: The maximum number of rows; by default all.
            digits: The number of decimals of values; by default the decimals that intervals
                support.
        """
        names, alternative = self.rows().column_names, self.summary.options.alternative
        has_segments, is_pairs = names[1] != "metric", self.summary.baseline is None
        is_long = len(self) > _SCREEN_ROWS and alternative not in WITHIN
        if is_long and is_pairs and not has_segments and alternative == "two-sided":
            ranks = self.ranks(level=self.summary.level)
            layout = ranks.layout(max_rows=max_rows, digits=digits)
            omitted = f"{len(self):,} differences of pairs: use --all, or to_pandas()"
            return replace(layout, notes=[*layout.notes, omitted])
        if not (is_long and has_segments):
            return self.layout(max_rows=max_rows, digits=digits)
        order = name_pairs if is_pairs else sort_best_first
        rows = order(Rows.from_table(self.rows()).records)
        layout = self._lay_out_effects(
            names, rows=rows, level=self.summary.level, digits=options.DIGITS.read(digits)
        )
        lead = decide_overall(rows, [*names[1 : names.index("metric")]], self.summary)
        return replace(layout, lead=lead).limit_rows(max_rows)

    def _lay_out_effects(
        self,
        names: Sequence[str],
        _: Sequence[Row] = (),
        *,
        rows: Sequence[Row],
        level: float,
        signs: Sequence[int] = (LOSSES, GAINS),
        digits: int | None = None,
    ) -> Layout:
        """Return the layout of differences, reduced to significant losses and gains."""
        return effects_layout(
            names,
            rows,
            baseline=self.summary.baseline,
            level=level,
            signs=signs,
            digits=digits,
            notes=lambda: [*self.summary.describe_users(), f"p: {self.summary.tests}"],
        )

    def find_segments(
        self, columns: str | Iterable[str] = (), *, level: float = 0.95
    ) -> SegmentSearch:
        """Find the segments of users in which the difference from the baseline changes.

        The mean difference of each segment by the first metric is tested against the mean
        difference of all other users. The printed table shows the significant segments, smallest
        p-values first. Confirm these findings on other data.

        Each value of a column is a segment. If a column has more than 10 distinct numbers, the
        numbers are cut into 4 bins with about the same number of users. Segments with fewer than 30
        users are not tested. Columns with more than 1,000 distinct values, or with a different
        value in each row, are excluded. Combinations of columns are not searched.

        The columns of the result are ``model``, ``column``, ``segment`` (null for users without a
        value), ``metric``, ``k`` and ``request``; ``users`` and ``difference`` for the segment;
        ``rest_users`` and ``rest_difference`` for the other users; ``interaction``, the first
        difference minus the second; ``p``, the larger p-value of Student's and Welch's t-tests;
        ``p_adjusted``, the p-value corrected by Benjamini and Hochberg's method over all rows.

        Args:
            columns: Columns of ``users``; ``"history.items"``, the number of items in a user's
                history; or columns of ``items``. For example, ``"items.category"`` is the most
                frequent category of the items in a user's history; for a column of numbers, the
                value is the mean. The default is all of these columns.
            level: One minus the false discovery rate, the expected share of chance findings among
                the significant segments; by default 0.95.

        Returns:
            A Table with a row per model and segment, smallest p-values first. If a column has two
            segments, only the smaller segment has a row.

        Raises:
            InputError: ``users`` and ``history`` are missing, or a column is missing; the models
                were compared in all pairs, in clusters or with weights; or the first metric is not
                a mean over users.
        """
        level = options.LEVEL.read(level)
        settings = self.summary.options
        others = {"cluster": settings.cluster, "weights": settings.weights}
        refused = [f"{name}={value!r}" for name, value in others.items() if value is not None]
        if self.summary.baseline is None:
            refused.insert(0, "baseline=None")
        for other in refused:
            raise InputError(
                f"find_segments() and {other}: compare with a baseline, without cluster and weights"
            )
        return search_segments(self, self.call, self.summary, columns, level)


def compare(
    call: Call,
    baseline: str | None = None,
    interval: Any = "auto",
    test: options.Test = "auto",
    correction: options.Correction = "holm",
    alternative: options.Alternative = "two-sided",
    margin: Mapping[str, float | str] | float | str | None = None,
    weights: str | None = None,
) -> Comparison:
    """Compare the models of a call, for ``Dataset.compare``."""
    tables, requests, segments = call.tables, call.requests, [*call.by.columns]
    settings = read_settings(interval, test, correction, alternative, weights)
    check_options(tables.recs, baseline, settings, margin)
    replicates = getattr(interval, "replicates", None)
    draws = settings.test == "randomization" or any(x.metric.rows in WHOLE_KINDS for x in requests)
    if replicates is not None and not draws:
        options.check_together("replicates", replicates, {"interval": (settings.interval, DRAWN)})
    by_name = {format_metric(request.label, request.k): request for request in requests}
    settings = replace(settings, margins=read_margins(margin, by_name, call.rules.convention))
    groupings, jobs, units_jobs = dict[str, Grouping](), dict[str, Job](), dict[str, Job]()
    statements, baselines = list[Text](), [] if baseline is None else [baseline]
    with _store_values(tables) as stored:
        for name, columns in list_groupings(call.by).items():
            jobs[name], units_jobs[name], baselines = comparison_jobs(
                replace(call, tables=stored), settings, baseline, baselines, columns
            )
        counts = _count_users(jobs, segments) if _are_stored(jobs, units_jobs) else None
        for name, job in jobs.items():
            queries, groupings[name] = compare_grouping(
                job, units_jobs[name], baseline, baselines, settings
            )
            warn_about_empty_segments(job, groupings[name].rows)
            statements += queries
        rows = add_corrected_p_values(groupings, baseline, settings)
    parts = {
        name: difference_table(group.rows, group.job.segments, baseline, settings)
        for name, group in groupings.items()
    }
    table = merge_groupings(parts, segments)
    sql = cache(lambda: "\n".join(filter(None, (text() for text in statements))))
    plain_jobs = {name: replace(job, values=tables.values) for name, job in jobs.items()}
    user_counts = Table(
        sql,
        partial(_count_users, plain_jobs, segments) if counts is None else lambda: counts,
        inputs=tables.paths,
        lay_out=user_counts_layout,
        source=DatabaseRows(tables.engine),
    )
    again = partial(compare, baseline=baseline, interval=interval)
    again = partial(again, test=test, correction=correction, weights=weights)
    has_one = baseline is not None and alternative == "two-sided"
    describe = partial(_describe_users, user_counts, again if has_one else None, call, table)
    tests = _describe_tests(rows, requests, settings.correction)
    summary = ComparisonSummary(baseline, settings, *tests, margin, cache(describe))
    return Comparison(sql, table, user_counts, summary, call)


def _describe_tests(
    rows: Sequence[Record], requests: Iterable[MetricRequest], correction: str
) -> tuple[str, dict[str, str]]:
    """Describe the corrected tests of all rows, and the tests in the families of each metric."""
    families = {
        request.text: {
            row["family"] for row in rows if (row["metric"], row["k"]) == (request.label, request.k)
        }
        for request in requests
    }
    return format_tests(rows, correction), {
        text: format_tests([row for row in rows if row["family"] in names], correction)
        for text, names in families.items()
    }


@contextmanager
def _store_values(tables: Tables) -> Iterator[Tables]:
    """Store per-user values during a call, for both counts of users and differences."""
    stored = tables if tables.values is not None else tables.with_stored_values()
    try:
        yield stored
    finally:
        if tables.values is None and stored.values is not None:
            stored.single_use().engine.release()


def _are_stored(jobs: Mapping[str, Job], units: Mapping[str, Job]) -> bool:
    """Return whether the counts of users and the differences use the same stored values."""
    return all(
        job.values is not None and job is units[name] and new_plan(job.values, job.plan) is not None
        for name, job in jobs.items()
    )


def _count_users(jobs: Mapping[str, Job], segments: Sequence[str]) -> Rows:
    counts = {}
    for name, job in jobs.items():
        with job.released():
            _, rows = job.changed(lambda plan: replace(plan, complete=False, pairs=[])).read()
        job.raise_first_violation(rows.records)
        counts[name] = job.user_counts(Rows(dict(rows.schema), job.sorted(rows.records)))
    return merge_groupings(counts, segments)


def _describe_users(
    user_counts: Table, again: Callable[..., Comparison] | None, call: Call, table: Rows
) -> list[str]:
    """Format users without a list or truth, and differences that depend on users without a list."""
    try:
        rows = user_counts.rows()
        notes = format_users(rows.column_names, rows.to_pylist())
    except (InputError, DataError) as error:
        notes = [f"the excluded users could not be counted: {error}"]
    return [*notes, *(_compare_listed_users(user_counts, again, call, table) if again else ())]


def _compare_listed_users(
    user_counts: Table, again: Callable[..., Comparison], call: Call, table: Rows
) -> Iterator[str]:
    """Yield a sentence for each model with a difference that depends on users without a list."""
    # Without counts, or without common users, differences can't be compared.
    with suppress(InputError, DataError), catch_warnings():
        simplefilter("ignore")
        counts = user_counts.rows().to_pylist()
        if not any(x["users_without_list"] for x in counts if x["population"] == "truth"):
            return
        rules = replace(call.rules, population="truth_and_recs")
        comparison = again(replace(call, requests=call.requests[:1], rules=rules))
        yield from _note_differences_by_lists(table, comparison)


def _note_differences_by_lists(table: Rows, comparison: Comparison) -> Iterator[str]:
    """Format differences that depend on users without a list."""
    level, names = comparison.summary.level, table.column_names
    keys = ["model", *names[1 : names.index("metric")]]
    metric = table.records[0]["request"]
    first = {segment_key(row, keys): row for row in table.records if row["request"] == metric}
    pairs = [
        (first[segment_key(row, keys)], row)
        for row in comparison.rows().to_pylist()
        if segment_key(row, keys) in first
    ]
    pairs = [pair for pair in pairs if pair[0]["method"] == "mean" and _is_changed(pair, level)]
    by_model = group_by(pairs, lambda pair: str(pair[0]["model"]))
    texts = {x: _format_differences_by_lists(own, keys[1:]) for x, own in by_model.items()}
    for text, models in group_by(texts, lambda model: texts[model]).items():
        start = "users without a list decide the difference of "
        yield LabeledText.concat(start, join_names(models), f" by {metric}{text}")


def _is_changed(pair: tuple[Row, Row], level: float) -> bool:
    """Return whether a difference changes its significance, its sign, or half of its size."""
    before, after = (round_last_digits(row["difference"] or 0.0) for row in pair)
    was, is_now = (is_significant(row, level) for row in pair)
    changed = before * after < 0 or 2 * abs(after) < abs(before)
    return was != is_now or (was and changed)


def _format_differences_by_lists(pairs: Sequence[tuple[Row, Row]], segments: list[str]) -> str:
    """Format a model's difference, or the segments if several differences change."""
    names = [segment_title(before, segments) for before, _ in pairs]
    if len(pairs) > 1:
        return f" for {join_words(names)}"
    ((before, after),) = pairs
    pair = [round_last_digits(row["difference"] or 0.0) for row in (before, after)]
    digits = decimals_for(pair)
    with_all, with_lists = (number(value, digits, sign=True) for value in pair)
    where = f" for {names[0]}" if segments else ""
    return (
        f"{where}: {with_all} with them, counted as 0, and {with_lists} over the "
        f"{format_count(after['users'], 'users')} with lists from both models"
    )


def read_settings(
    interval: Any,
    test: str = "auto",
    correction: str = "holm",
    alternative: str = "two-sided",
    weights: str | None = None,
) -> ComparisonOptions:
    """Check the options for statistics, and return them with compatible defaults."""
    interval = options.Interval.read(interval, options.INTERVAL_OF_DIFFERENCES)
    settings = ComparisonOptions(
        interval=interval.method,
        level=interval.level,
        test=options.TEST.read(test),
        correction=options.CORRECTION.read(correction),
        replicates=interval.samples,
        cluster=None if interval.cluster == "user_id" else interval.cluster,
        alternative=options.ALTERNATIVE.read(alternative),
        weights=options.USER_WEIGHTS.read(weights),
    )
    return resolve_defaults(settings, interval.adjust)
