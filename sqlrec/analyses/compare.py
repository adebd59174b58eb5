"""Differences between models, computed user by user."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from .. import messages
from ..catalogue.requests import format_metric
from ..dialects import text
from ..display.layout import SIGNS
from ..errors import InputError, nearest
from ..inputs.read import paths
from ..inputs.tables import Tables
from ..options import (
    ALTERNATIVE,
    CORRECTION,
    INTERVAL_OF_DIFFERENCES,
    LEVEL,
    MAX_REPLICATES,
    TEST,
    USER_WEIGHTS,
    Alternative,
    Correction,
    Interval,
    Rules,
    Segments,
    Test,
)
from ..plan.plan import Plan
from ..results.result_layout import user_counts_layout
from ..results.rows import Rows
from ..results.table import Table
from ..run.bootstrap import labels, resampled
from ..run.covariate_adjustment import (
    ADJUSTED,
    adjust_difference,
    adjusted_means,
    read_adjust,
)
from ..run.intervals import (
    UNITS,
    blocked,
    clustered,
    drawn,
    flipped,
    ranges,
    sizes,
    skewnesses,
    with_terms,
)
from ..run.job import Job, key_of, prepare, read_metrics
from ..run.segments import check_segment_names, groups, merge_groupings
from ..shown import warn
from ..statistics.all_models import as_large, dunnett, tukey
from ..statistics.formulas import (
    DRAWN,
    ENOUGH,
    FEW,
    bca,
    by_error,
    corrected,
    covariance,
    detectable,
    deviation,
    flips_needed,
    freedom_of,
    has_few_users,
    is_binary_difference,
    is_rounding,
    p_value,
    percentile,
    test_of,
)
from ..statistics.margins import WITHIN, effect, fieller, gained, one_sided_p, p_by_margin
from .comparison_layout import (
    TESTS,
    ComparisonSummary,
    comparison_layout,
    models_layout,
    ranks_layout,
)
from .margins import Margin, Name, read_margins
from .model_ranks import RANKED, RANKED_OVER, rank_models, rank_over_data_sets
from .next_test import plan_next_test

if TYPE_CHECKING:
    from ..plots.accessors import ComparisonPlots

# Columns of sql/statistics/comparison.sql, after the segments.
COMPARED = (
    *("metric", "k", "asked", "users", "value", "baseline_value", "difference", "standard_error"),
    *("baseline_error", "covariance", "low", "high", "better", "wins", "ties", "losses"),
    *("signs", "signed_ranks", "signed_ranks_error", "violations"),
)

# Counts of users without a list of the model, and of the baseline, in the same statement.
_WITHOUT_LIST = ("without_list_length", "without_baseline_list_length")

_RESULT_KEYS = ("metric", "k", "asked", "users")

# Column names used inside the comparison query. Segments must not use them.
_QUERY_COLUMNS = (
    *("user_value", "user_baseline_value", "user_difference", "sum_users"),
    *("added_part", "added_whole", "added_parts", "added_wholes"),
    *("baseline_added_part", "baseline_added_whole"),
    *("baseline_added_parts", "baseline_added_wholes"),
    *("distance", "direction", "mean_difference", "mean_baseline", "size_rank", "more", "fewer"),
    *("user_models", "model_number", "models", "list_length", "baseline_list_length"),
)
_ADJUSTED_COLUMNS = ("unadjusted_difference", "gain")
# Columns that are computed from the query's columns. Segments must not use them.
_ADDED_COLUMNS = (
    *("method", *UNITS, "relative_difference", "test", "p", "p_adjusted", "detectable"),
    *("relative_low", "relative_high", "effect_size", "effect_low", "effect_high"),
    *("win_share", "win_share_low", "win_share_high", "significant", "small"),
    *_ADJUSTED_COLUMNS,
)

# Columns of a comparison, after the segments, the metric and the cutoff.
_VALUE_COLUMNS = (
    *("method", "users", "value", "baseline_value", "difference", "relative_difference"),
    *("relative_low", "relative_high", "standard_error", "low", "high", "better"),
    *("wins", "ties", "losses", "test", "p", "p_adjusted", "detectable", "effect_size"),
    *("effect_low", "effect_high", "win_share", "win_share_low", "win_share_high"),
)

# Power of the smallest detectable difference.
POWER = 0.8

# Maximum number of bootstrap samples for a standard error: more do not improve it (Efron &
# Tibshirani 1993, An Introduction to the Bootstrap, 6.4).
DRAWS_OF_ERROR = 200

# Groups with fewer users, or clusters, are small.
SMALL = 30

# Columns of ranks that are not floating-point numbers.
_RANK_TYPES = {"users": "int64", "blocks": "int64", "letters": "string"}

# Corrections for all models of a metric, over users with a value of every model.
OF_MODELS = ("tukey", "dunnett")

# Maximum number of sign flips; more than `replicates` are used if significance needs them.
MOST_FLIPS = 10_000


@dataclass(frozen=True)
class ComparisonOptions:
    """The options of ``compare``, checked."""

    interval: str
    level: float
    test: str
    correction: str
    replicates: int
    cluster: str | None
    alternative: str = "two-sided"
    margins: Mapping[Name, Margin] = field(default_factory=dict)
    adjust: Sequence[str] = ()
    weights: str | None = None

    @property
    def interval_level(self) -> float:
        """The level of intervals. For one-sided tests, their ends are the limits of the tests."""
        return self.level if self.alternative == "two-sided" else 2 * self.level - 1


class Comparison(Table):
    """The differences between models and a baseline: a row per model, segment, metric and cutoff.

    Columns:

    - ``model``, the segments, ``metric``, ``k``; ``asked``, the metric as you wrote it.
    - ``method``: the method of the standard error. ``mean``: from the users' differences.
      ``delta``: linearised by user, for functions of sums over users, such as pooled errors.
      ``bootstrap``: from resampled users, for metrics of all lists together, such as coverage.
      Null: there is only the difference.
    - ``users``: the number of users with a value of both models; with ``correction="tukey"`` or
      ``"dunnett"``, of every model; for metrics of all lists together, all users of the model. With
      ``cluster``, ``clusters`` is the number of groups and ``degrees_of_freedom`` that of t.
    - ``value`` and ``baseline_value``: the means over these users.
    - ``difference``: value minus baseline value; ``relative_difference``: the same divided by the
      absolute baseline value.
    - ``low``, ``high`` and ``standard_error``: the interval of the difference and its standard
      error.
    - ``relative_low`` and ``relative_high``: the interval of the relative difference, by Fieller.
    - ``better``: the direction of the metric: ``higher``, ``lower`` or ``neither``.
    - ``wins``, ``ties`` and ``losses``: the number of users for whom the model is better than,
      equal to or worse than the baseline; null where the direction is neither.
    - ``test``: the test that computed ``p``; null without a test.
    - ``p``: the p value of the difference; ``p_adjusted``: corrected for the number of tests.
    - ``detectable``: the smallest true difference that this many users would show with a power of
      80 %.
    - ``effect_size``: Cohen's d for pairs, the mean difference divided by the standard deviation of
      the users' differences, with its interval ``effect_low`` and ``effect_high``.
    - ``win_share``: the share of users for whom the model is better, with its interval
      ``win_share_low`` and ``win_share_high``.

    A value that is not defined is null, such as the interval of a single user or of users whose
    differences are all equal, and the p value where no user's values differ.

    Attributes:
        user_counts: The number of users that each model's metrics count, as in a Result.
        done: The baseline, the options of ``compare`` and the number of tests.
        call: The metrics, inputs and rules of the call, for plots that read the inputs again.
    """

    def __init__(
        self,
        sql: str,
        rows: Rows,
        user_counts: Table,
        done: ComparisonSummary,
        call: Mapping[str, Any],
    ) -> None:
        lay_out = partial(comparison_layout, summary=done)
        super().__init__(sql, lambda: rows, inputs=user_counts.inputs, lay_out=lay_out)
        self.user_counts = user_counts
        self.done = done
        self.call = call

    @property
    def plot(self) -> ComparisonPlots:
        """The plots of the comparison, as in ``comparison.plot.forest()``."""
        from ..plots.accessors import ComparisonPlots

        return ComparisonPlots(self.rows(), self.call)

    def by_model(self) -> Table:
        """Return the same rows, shown as a table of models by metrics that includes the baseline.

        Each cell has the value and below it the difference from the baseline, with a mark where the
        difference is significant.

        Raises:
            InputError: The comparison has no baseline.
        """
        if self.done.baseline is None:
            raise InputError("by_model() and baseline=None: no model is the baseline; see ranks()")
        lay_out = partial(models_layout, summary=self.done)
        return Table(self.sql, self.rows, inputs=self.inputs, lay_out=lay_out)

    def ranks(self, over: str | None = None, *, level: float = 0.95) -> Table:
        """Rank the models: a row per model, segment and metric, the best first.

        Columns are ``users``, ``value``, ``rank`` (null where the direction is neither) and
        ``letters``: models that share a letter do not differ significantly by ``p_adjusted``.

        Args:
            over: A segment whose values are data sets. The models are then ranked within each data
                set that has values of all models; ``blocks`` is the number of these. Further
                columns are ``mean_rank``; ``friedman_p`` and ``iman_davenport_p``, p values for the
                hypothesis that all models perform equally; ``critical_difference``, by which two
                mean ranks differ significantly in Nemenyi's test; and ``letters`` by that test.
                Needs SciPy.
            level: The confidence level of the letters.

        Returns:
            A Table with a row per model, segment, metric and cutoff; with ``over``, without that
            segment.

        Raises:
            InputError: The models were compared with a single baseline, not in all pairs; or
                ``over`` is not a segment of the comparison.
        """
        level = LEVEL.read(level)
        table = Rows.of(self.rows())
        if self.done.baseline is not None or self.done.alternative != "two-sided":
            raise InputError(
                "ranks() needs every pair of models and any difference: compare without baseline "
                "and with alternative='two-sided'"
            )
        segments = table.column_names[1 : table.column_names.index("metric")]
        if over is not None and over not in segments:
            raise InputError(f"over={over!r} is not a segment: {nearest(str(over), segments)}")
        names: tuple[str, ...] = RANKED
        if over is None:
            rows = rank_models(table.records, segments, level)
        else:
            segments = [name for name in segments if name != over]
            names = RANKED_OVER
            rows = rank_over_data_sets(table.records, segments, over, level)
        types = dict(table.select(["model", *segments, "metric", "k", "asked"]).schema)
        types |= dict.fromkeys(names, "float64")
        types |= {name: kind for name, kind in _RANK_TYPES.items() if name in names}
        lay_out = None if over else partial(ranks_layout, summary=self.done, level=level)
        ranks = Rows(types, [{name: row[name] for name in types} for row in rows])
        return Table(self.sql, lambda: ranks, inputs=self.inputs, lay_out=lay_out)

    def power(self, difference: Any = None, **options: Any) -> Table:
        """Plan a next test from these differences.

        Args:
            difference: The true difference to detect, as in ``sqlrec.power``.
            **options: The ``sample_size``, ``power``, ``level`` and ``sides`` of ``sqlrec.power``;
                the level is by default that of the comparison.

        Returns:
            A Table with the columns of ``sqlrec.power``.

        Raises:
            InputError: As in ``sqlrec.power``.
        """
        options = {"level": self.done.level, "sql": self.sql, "inputs": self.inputs, **options}
        options["without_list"] = self.done.without_list
        return plan_next_test(self.rows(), difference=difference, **options)

    def worse(self, level: float = 0.95) -> Table:
        """Return the rows where models are worse than the baseline, smallest p values first.

        These are the rows whose ``difference`` is below 0, or above 0 where ``better`` is
        ``lower``; rows whose direction is ``neither`` are left out. Two columns are added:
        ``significant``, whether ``p_adjusted`` is below 1 - level; and ``small``, whether there are
        fewer than 30 users (with ``cluster``, groups), which makes the interval unreliable.

        Args:
            level: The confidence level of ``significant``.

        Returns:
            A Table with the columns of the comparison and these two.

        Raises:
            InputError: The alternative is ``equivalent`` or ``noninferior``, whose p says nothing
                about worse models.
        """
        level = LEVEL.read(level)
        if self.done.alternative in WITHIN:
            raise InputError(
                f"worse() and alternative={self.done.alternative!r}: p is no evidence of a worse "
                "model there; compare with alternative='two-sided'"
            )
        table = Rows.of(self.rows())
        rows = [
            {**row} for row in table.records if (row["difference"] or 0) * SIGNS[row["better"]] < 0
        ]
        for row in rows:
            adjusted = row["p_adjusted"]
            row["significant"] = adjusted is not None and adjusted < 1 - level
            row["small"] = (row.get("clusters") or row["users"]) < SMALL
        rows.sort(
            key=lambda row: (row["p_adjusted"] is None, row["p_adjusted"], -abs(row["difference"]))
        )
        types = dict(table.schema) | dict.fromkeys(("significant", "small"), "bool")
        summary = replace(self.done, level=level)
        return Table(
            self.sql,
            lambda: Rows(types, rows),
            inputs=self.inputs,
            lay_out=partial(comparison_layout, summary=summary, grouped=False),
        )


def compare(
    tables: Tables,
    metrics: Any,
    *,
    k: Any = None,
    baseline: str | None = None,
    by: Any = (),
    rules: Any = "sqlrec",
    interval: Any = "auto",
    test: Test = "auto",
    correction: Correction = "holm",
    alternative: Alternative = "two-sided",
    margin: Mapping[str, float | str] | float | str | None = None,
    weights: str | None = None,
) -> Comparison:
    """Compare the models of opened inputs, as ``Dataset.compare`` does."""
    by, rules = Segments.read(by), Rules.read(rules)
    interval = Interval.read(interval, INTERVAL_OF_DIFFERENCES)
    settings = ComparisonOptions(
        interval=interval.method,
        level=interval.level,
        test=TEST.read(test),
        correction=CORRECTION.read(correction),
        replicates=interval.replicates,
        cluster=None if interval.cluster == "user_id" else interval.cluster,
        alternative=ALTERNATIVE.read(alternative),
        weights=USER_WEIGHTS.read(weights),
    )
    settings = _resolve_defaults(settings, interval.adjust)
    _check_options(tables.recs, baseline, settings, margin)
    segments = [*by.columns]
    opened = {"tables": tables, "rules": rules}
    requests = read_metrics(metrics, tables, rules, by, k)
    columns_by_name = groups(by)
    rows_by_name = dict[str, list[dict[str, Any]]]()
    jobs, mean_jobs, statements = dict[str, Job](), dict[str, Job](), list[str]()
    baselines = [] if baseline is None else [baseline]
    for name, columns in columns_by_name.items():
        job, units, baselines = _jobs(requests, settings, baseline, baselines, columns, opened)
        settings = replace(settings, margins=_margins(margin, job, rules))
        jobs[name], mean_jobs[name] = job, _keep_means(job)
        queries, rows_by_name[name] = _compare_grouping(
            job, mean_jobs[name], units, baseline, baselines, settings
        )
        statements += queries
    rows = [row for group in rows_by_name.values() for row in group]
    _add_tests(rows, rows_by_name, mean_jobs, baseline, settings)
    parts = {
        name: _table(group, columns_by_name[name], baseline, settings)
        for name, group in rows_by_name.items()
    }
    table = merge_groupings(parts, segments)
    sql = "\n".join(statements)
    user_counts = partial(_user_counts, jobs, segments)
    counts = Table(sql, user_counts, inputs=paths(dict(tables.named())), lay_out=user_counts_layout)
    call = {"metrics": job.asked, "baseline": baseline, "by": segments, **opened}
    return Comparison(sql, table, counts, _summary(rows, baseline, settings, margin), call)


def _summary(
    rows: Sequence[Mapping[str, Any]],
    baseline: str | None,
    settings: ComparisonOptions,
    margin: Any,
) -> ComparisonSummary:
    """Return the summary of a comparison for its layout."""
    return ComparisonSummary(
        baseline,
        settings.interval,
        settings.level,
        settings.test,
        settings.correction,
        settings.cluster,
        tests=sum(row["p"] is not None for row in rows),
        alternative=settings.alternative,
        margin=margin,
        adjust=settings.adjust,
        used=[test for test in TESTS if any(row["test"] == test for row in rows)],
        weights=settings.weights,
        without_list=_without_list(rows),
    )


def _without_list(rows: Iterable[Mapping[str, Any]]) -> dict[Any, int]:
    """Return the largest number of users without a list by model, including the baseline."""
    counts: dict[Any, int] = {}
    for row in rows:
        sides = ((row["baseline"], _WITHOUT_LIST[1]), (row["model"], _WITHOUT_LIST[0]))
        for model, name in sides:
            counts[model] = max(counts.get(model, 0), row.get(name) or 0)
    return counts


def _resolve_defaults(
    settings: ComparisonOptions, adjust: str | Iterable[str]
) -> ComparisonOptions:
    """Return the options with compatible defaults for interval and test, and with ``adjust``.

    Raises:
        InputError: ``adjust`` is not a list of names, or another option is not compatible with it.
    """
    only_t = adjust or settings.correction in OF_MODELS
    if settings.interval == "auto":
        settings = replace(settings, interval="always" if settings.test == "always" else "t")
    two_sided = settings.alternative == "two-sided"
    if settings.test == "auto" and settings.interval == "always" and two_sided and not only_t:
        settings = replace(settings, test="always")
    if settings.test == "auto" and (only_t or settings.cluster or settings.weights):
        settings = replace(settings, test="t")
    others = {
        "interval": (settings.interval, ADJUSTED),
        "test": (settings.test, ("t",)),
        "correction": (settings.correction, ("holm", "bonferroni", "bh", "none")),
        "cluster": (settings.cluster, (None,)),
        "weights": (settings.weights, (None,)),
    }
    return replace(settings, adjust=read_adjust(adjust, others))


def _add_tests(
    rows: list[dict[str, Any]],
    rows_by_name: Mapping[str, list[dict[str, Any]]],
    mean_jobs: Mapping[str, Job],
    baseline: str | None,
    settings: ComparisonOptions,
) -> None:
    """Add p values to the rows of every grouping, and correct them as one family."""
    if settings.test == "randomization":
        settings = replace(settings, replicates=_flip_count(rows, settings))
    for name, job in mean_jobs.items():
        _add_p(rows_by_name[name], job, baseline, settings)
        for row in rows_by_name[name]:
            row["test"] = None if row["p"] is None else row["test"]
        if settings.correction in OF_MODELS:
            _correct_by_model(rows_by_name[name], job, settings)
        job.inputs.engine.rest()
    if settings.correction not in OF_MODELS:
        adjusted = corrected(settings.correction, [row["p"] for row in rows])
        for row, p in zip(rows, adjusted, strict=True):
            row["p_adjusted"] = p


def _jobs(
    metrics: Any,
    settings: ComparisonOptions,
    baseline: str | None,
    baselines: list[str],
    by: str | Iterable[str],
    options: Mapping[str, Any],
) -> tuple[Job, Job, list[str]]:
    """Return the job of a comparison, the job of its units, and its baselines.

    The units are clusters or adjusted users, if there are any. Without a baseline, every model is
    one, and their names are read if they are not known yet.
    """
    job = _job(metrics, settings, by=by, **options)
    baselines = baselines or _models(job)
    if baseline is None:
        pairs = [text(model, job.inputs.engine.dialect) for model in baselines]
        job = replace(job, plan=replace(job.plan, pairs=pairs))
    if settings.cluster is None and not settings.adjust:
        return job, job, baselines
    unit_options: Any = {"cluster": settings.cluster, "adjust": settings.adjust}
    units = _job(metrics, settings, by=job.segments, **unit_options, **options)
    return job, replace(units, plan=replace(units.plan, pairs=job.plan.pairs)), baselines


def _compare_grouping(
    job: Job,
    means: Job,
    units: Job,
    baseline: str | None,
    baselines: list[str],
    settings: ComparisonOptions,
) -> tuple[list[str], list[dict[str, Any]]]:
    """Compare by one grouping; return the statements and all rows in order, without p values."""
    units = means if units is job else _keep_means(units)
    statement, mean_rows = _compare_means(means, units, baseline, settings)
    list_statement, list_rows = _compare_list_metrics(job, baseline, baselines, settings)
    rows = sorted([*mean_rows, *list_rows], key=lambda row: baselines.index(row["baseline"]))
    return [*filter(None, (statement, list_statement))], job.sorted(rows)


def _user_counts(jobs: Mapping[str, Job], segments: Sequence[str]) -> Rows:
    """Return the counts of users, by each grouping."""
    counts = {}
    for name, job in jobs.items():
        with job.resting():
            counts[name] = job.user_counts(job.report()[1])
    return merge_groupings(counts, segments)


def _margins(margin: Any, job: Job, rules: Rules) -> dict[Name, Margin]:
    requests = {format_metric(request.label, request.k): request for request in job.asked}
    return read_margins(margin, requests, rules.convention, loss_only=False)


def _check_options(recs: Any, baseline: Any, settings: ComparisonOptions, margin: Any) -> None:
    """Check that options are compatible, before any input is read.

    Raises:
        InputError: Clusters, weights or a one-sided alternative with a test that does not support
            them; a margin without an alternative, or an alternative without its margin; or a
            baseline that is not a model.
    """
    by_t = settings.test in ("auto", "t")
    if settings.alternative != "two-sided" and (not by_t or settings.correction in OF_MODELS):
        other = f"correction={settings.correction!r}" if by_t else f"test={settings.test!r}"
        raise InputError(
            f"alternative={settings.alternative!r} and {other}: one-sided tests are by t; leave it "
            "out"
        )
    if settings.alternative != "two-sided" and settings.level <= 0.5:
        raise InputError(
            f"level={settings.level!r}: one-sided tests need a level above 0.5, such as 0.95"
        )
    if settings.alternative in WITHIN and margin is None:
        raise InputError(
            f"alternative={settings.alternative!r} and margin=None: give the margin, as in 0.01 or "
            "'1%'"
        )
    if settings.alternative == "two-sided" and margin is not None:
        raise InputError(
            f"margin={margin!r} and alternative='two-sided': a margin needs another alternative; "
            "give 'noninferior', 'equivalent', 'greater' or 'less'"
        )
    if settings.cluster is not None and settings.test not in ("t", "always"):
        raise InputError(
            f"cluster={settings.cluster!r} and test={settings.test!r}: users in groups have "
            "test='t', or 'always'"
        )
    if settings.weights is not None and (
        settings.test not in ("t", "always") or settings.correction in OF_MODELS
    ):
        by_t = settings.test in ("t", "always")
        other = f"correction={settings.correction!r}" if by_t else f"test={settings.test!r}"
        raise InputError(
            f"weights={settings.weights!r} and {other}: users who count differently have test='t' "
            "or 'always', and the correction 'holm', 'bonferroni', 'bh' or 'none'"
        )
    if baseline is None:
        if settings.correction == "dunnett":
            raise InputError(
                "correction='dunnett' and baseline=None: it is of one baseline; name it, or give "
                "correction='tukey' for every pair"
            )
        return
    if not isinstance(baseline, str) or not baseline:
        raise InputError(
            f"baseline={baseline!r}: name the model to compare with, as in 'pop', or give None for "
            "every pair of models"
        )
    if isinstance(recs, Mapping) and baseline not in recs:
        close = nearest(baseline, recs)
        raise InputError(messages.NOT_A_MODEL.format(baseline=baseline, nearest=close))


def _models(job: Job) -> list[str]:
    """Return the names of all models, in their order."""
    sources = job.plan.recs
    if all(source.model is not None for source in sources):
        return [str(source.model) for source in sources]
    (source,) = sources
    models = f"select distinct {source.columns['model']} as model from {source.relation}"
    return sorted({row["model"] for row in job.rows(models, ("model",)).records} - {None})


def _job(
    metrics: Any, settings: ComparisonOptions, *, cluster: str | None = None, **options: Any
) -> Job:
    """Prepare a comparison. Corrections for all models keep users with a value of every model."""
    job = prepare(metrics, cluster=cluster, weights=settings.weights, **options)
    if cluster is None:
        _check(job)
    return replace(job, plan=replace(job.plan, complete=settings.correction in OF_MODELS))


def _keep_means(job: Job) -> Job:
    """Return the job with only the means over users, and the functions of sums over users."""
    plan, kept = job.plan, job.means | job.linear
    if any(metric.label not in kept for metric, _ in plan.metrics()):
        plan = plan.select_metrics(kept)
    if job.linear:
        plan = plan.each(with_terms)
    return replace(job, plan=plan)


def _compare_list_metrics(
    job: Job, baseline: str | None, baselines: list[str], settings: ComparisonOptions
) -> tuple[str, list[dict[str, Any]]]:
    """Compare metrics of all lists together, by bootstrap samples that all models share.

    With clusters, and for metrics that can't be resampled, there is only the difference.
    """
    others = {request.label for request in job.asked} - job.means - job.linear
    if not others:
        return "", []
    drawable = labels(job) & others if settings.cluster is None else set()
    draws = resampled(job, drawable, min(settings.replicates, DRAWS_OF_ERROR))
    statement, values_table = replace(job, plan=job.plan.select_metrics(others)).report()
    values = {key_of(row, job.segments): row["value"] for row in values_table.records}
    better = {metric.label: metric.better for metric, _ in job.plan.metrics()}
    rows = []
    pairs = (
        (record, other_model)
        for record in values_table.records
        for other_model in (
            baselines if baseline else baselines[: baselines.index(record["model"])]
        )
    )
    for record, other_model in pairs:
        key = key_of(record, job.segments)
        other = key_of(record | {"model": other_model}, job.segments)
        value, base = record["value"], values.get(other)
        if record["model"] == other_model or value is None or base is None:
            continue
        model_draws, base_draws = draws.get(key, {}), draws.get(other, {})
        shared = [draw for draw in model_draws if draw in base_draws]
        differences = [model_draws[draw] - base_draws[draw] for draw in shared]
        error = deviation(differences) if len(differences) > 1 else None
        row = dict.fromkeys((*COMPARED, *_ADDED_COLUMNS)) | {"baseline": other_model}
        row |= {name: record[name] for name in ("model", *job.segments, *_RESULT_KEYS)}
        row |= {"value": value, "baseline_value": base, "difference": value - base}
        always = settings.interval == "always"
        units = row["users"] if always else len(differences)
        row |= {"better": better[record["metric"]], "standard_error": error, "units": units}
        row["method"] = None if error is None else "bootstrap"
        if error is not None:
            bases = [base_draws[draw] for draw in shared]
            row["baseline_error"] = deviation(bases)
            row["covariance"] = covariance(differences, bases)
        _add_limits(row, settings if always else replace(settings, interval="t"))
        counted = {
            "units": row["users"] if settings.test == "always" else len(differences),
            "ties": 0,
        }
        row["test"] = test = _error_test(settings)
        row["p"] = p_value(test, row | counted, level=settings.level) if error else None
        rows.append(row)
    return statement, rows


def _compare_means(
    job: Job, units: Job, baseline: str | None, settings: ComparisonOptions
) -> tuple[str, list[dict[str, Any]]]:
    """Compare means by one grouping; return the statement and its rows, without p values."""
    cluster = settings.cluster
    model = None if baseline is None else text(baseline, job.inputs.engine.dialect)
    statement, rows = _differences(job, baseline)
    _warn_of_items(rows, job)
    errors = {} if cluster is None else clustered(units, cluster, baseline=model)
    means = adjusted_means(units, settings.adjust, baseline=model) if settings.adjust else {}
    draws, skewed = {}, {}
    if settings.interval in DRAWN:
        draws = drawn(units, settings.replicates, baseline=model, cluster=cluster)
    if settings.interval == "bca":
        skewed = skewnesses(units, model, cluster)
    log_metrics = {request.label for request in job.asked if request.reads("logs")}
    for row in rows:
        key = key_of(row, job.pair_segments)
        row["units"] = row["users"]
        user_deviation = None
        if row["standard_error"] is not None:
            user_deviation = row["standard_error"] * math.sqrt(row["users"])
        if cluster is not None:
            missing = (0, None, None, None, None)
            row["units"], row["degrees_of_freedom"], error, *of_baseline = errors.get(key, missing)
            row["baseline_error"], row["covariance"] = of_baseline
            size = abs(row["value"] or 0) + abs(row["baseline_value"] or 0)
            if error is not None and is_rounding(error, row["units"], size):
                error = 0.0
            row["clusters"], row["standard_error"] = row["units"], error
        row["method"] = "mean" if row["metric"] in job.means else "delta"
        if row["metric"] in log_metrics:
            # Logged decisions have no value per user.
            row |= dict.fromkeys(("wins", "ties", "losses"))
        row |= effect(settings.level, row["difference"], user_deviation, row["users"])
        if settings.adjust:
            adjust_difference(row, means.get(key))
        _add_limits(row, settings, draws.get(key), skewed.get(key))
        row |= gained(settings.level, row["wins"], row["users"])
        row["test"], row["p"] = _error_test(settings), None
        if row["ties"] is None:
            row["p"] = p_value(row["test"], row | {"ties": 0}, level=settings.level)
    return statement, rows


def _error_test(settings: ComparisonOptions) -> str:
    """Return the test for metrics with a standard error but no per-user values."""
    return "always" if settings.test == "always" else "t"


def _add_limits(
    row: dict[str, Any],
    settings: ComparisonOptions,
    draws: Sequence[float] | None = None,
    skewness: float | None = None,
) -> None:
    """Add the interval of a difference, from its error or draws, and the columns that use them."""
    error, level = row["standard_error"], settings.interval_level
    difference: Any = row["difference"]
    row["low"] = row["high"] = None
    if error and draws is not None:
        row["low"], row["high"] = (
            percentile(level, draws)
            if skewness is None
            else bca(level, draws, difference, row["units"], skewness)
        )
    elif error:
        row["low"], row["high"] = by_error(
            settings.interval, level, difference, row["units"], error, freedom_of(row)
        )
    base = row["baseline_value"]
    # Divided by the absolute baseline, so that a higher value is above 0 for a negative mean too.
    row["relative_difference"] = None if not base or difference is None else difference / abs(base)
    row["relative_low"], row["relative_high"] = fieller(
        "t" if settings.interval in DRAWN else settings.interval, level, row
    )
    row["detectable"] = detectable(settings.level, POWER, row["units"], error)


def _differences(job: Job, baseline: str | None) -> tuple[str, list[dict[str, Any]]]:
    """Run the comparison statement; return it and its rows, including rows without users.

    If only users with a value of every model count, a row may have no users.
    """
    if not job.has_user_values:
        return "", []
    model = None if baseline is None else text(baseline, job.inputs.engine.dialect)

    def run(plan: Plan) -> tuple[str, list[dict[str, Any]]]:
        statement = job.render("comparison", plan, baseline_model=model)
        columns = (*COMPARED[:-1], *_WITHOUT_LIST, "violations")
        rows = job.records(statement, ("model", *job.pair_segments, *columns))
        for row in rows:
            row.setdefault("baseline", baseline)
            if row["violations"] and row["metric"]:
                raise job.violation(job.part(row))
        return statement, rows

    job = replace(job, plan=job.plan.each(lambda plan: replace(plan, lengths=True)))
    statement, rows = run(job.plan)
    complete = job.plan.complete
    pairs = run(replace(job.plan, complete=False))[1] if complete else rows
    _check_common_users(pairs, baseline)
    rows = [row for row in rows if row["metric"]]
    if complete:
        existing = {key_of(row, job.pair_segments) for row in rows}
        keys = ("model", "baseline", *job.segments, "metric", "k", "asked", "better")
        empty_row = dict.fromkeys((*COMPARED, *_WITHOUT_LIST)) | {"users": 0, "ties": 0}
        for row in pairs:
            if key_of(row, job.pair_segments) not in existing:
                rows.append(empty_row | {name: row[name] for name in keys})
    return statement, job.sorted(rows)


def _warn_of_items(rows: list[dict[str, Any]], job: Job) -> None:
    """Warn of models without hits and without an item of truth in any list."""
    truth_metrics = {(x.label, x.k) for x in job.asked if x.reads("truth")}
    has_hits: dict[str, bool] = {}
    for row in rows:
        if (row["metric"], row["k"]) in truth_metrics:
            for model, name in ((row["baseline"], "baseline_value"), (row["model"], "value")):
                has_hits[model] = has_hits.get(model, False) or bool(row[name])
    for model in (model for model, hit in has_hits.items() if not hit):
        for message in job.without_items(model):
            warn(message)


def _flip_count(rows: Sequence[Mapping[str, Any]], settings: ComparisonOptions) -> int:
    """Return the number of sign flips that lets the correction find significant differences."""
    count = sum(row["users"] > row["ties"] for row in rows if row["ties"] is not None)
    needed = flips_needed(settings.correction, count, settings.level)
    flips = max(settings.replicates, min(needed, MOST_FLIPS))
    if needed > flips:
        warn(
            f"test='randomization': after replicates={flips} p is {1 / (flips + 1):.2g} or more, "
            f"which correction={settings.correction!r} for {count} rows makes "
            f"{min(1, count / (flips + 1)):.2g}, so that none can be significant; give "
            f"{f'replicates={needed}, or ' if needed <= MAX_REPLICATES else ''}test='t'"
        )
    return flips


def _add_p(
    rows: Sequence[dict[str, Any]], job: Job, baseline: str | None, settings: ComparisonOptions
) -> None:
    two_sided = settings.alternative == "two-sided"
    for row in rows:
        if not two_sided:
            _add_p_by_margin(row, job, settings)
        elif row["ties"] is not None:
            row["test"] = test_of(row) if settings.test == "auto" else settings.test
    # Metrics of all lists together already have p.
    rows = [row for row in rows if row["ties"] is not None and (two_sided or _uses_signs(row))]
    model = None if baseline is None else text(baseline, job.inputs.engine.dialect)
    flips = {}
    if settings.test == "randomization":
        flips = flipped(job, settings.replicates, baseline=model)
    few = {key_of(row, job.pair_segments) for row in rows if _flips_all_signs(row)}
    all_sizes = sizes(job, model, ENOUGH - 1) if few else {}
    for row in rows:
        key = key_of(row, job.pair_segments)
        differences = all_sizes[key] if key in few else None
        row["p"] = p_value(row["test"], row, flips.get(key, ()), differences, level=settings.level)
        if not two_sided:
            row["p"] = one_sided_p(row["p"], row["difference"], settings.alternative)


def _uses_signs(row: Mapping[str, Any]) -> bool:
    """Return whether the test of a row uses only the signs of differences, or all sign flips."""
    return row["test"] in ("mcnemar", "sign", "permutation")


def _flips_all_signs(row: Mapping[str, Any]) -> bool:
    """Return whether the test uses all sign flips, which needs the sizes of the differences."""
    differing: int = row["users"] - row["ties"]
    if row["test"] == "permutation":
        return differing > 0 and has_few_users(row)
    return row["test"] == "wilcoxon" and 0 < differing <= FEW


def _add_p_by_margin(row: dict[str, Any], job: Job, settings: ComparisonOptions) -> None:
    """Add p of an alternative with a margin, except for tests by signs, which come later."""
    row["p"] = None
    margin = _margin_of(row, settings)
    if margin is None:
        return
    row["test"] = "t"
    if settings.test == "auto" and row["ties"] is not None:
        if not margin.size and settings.alternative not in WITHIN:
            row["test"] = test_of(row)
        elif margin.size and is_binary_difference(row):
            row["test"] = "score"
    if not _uses_signs(row):
        row["p"] = p_by_margin(
            settings.alternative,
            row,
            margin.size,
            relative=margin.relative,
            limit=1.0 if row["metric"] in job.shares else None,
            test=row["test"],
        )


def _margin_of(row: Mapping[str, Any], settings: ComparisonOptions) -> Margin | None:
    """Return the margin of a difference; by default 0 for a one-sided alternative."""
    default = None if settings.alternative in WITHIN else Margin(0.0, False, row["better"])
    return settings.margins.get((row["metric"], row["k"]), default)


def _check(job: Job) -> None:
    """Check that the models and segments can be compared, before the SQL runs.

    Raises:
        InputError: There is only one model, or a segment has the name of a column.
    """
    models = [source.model for source in job.plan.recs]
    if "model" not in job.plan.list_keys or (len(models) == 1 and models[0]):
        raise InputError(messages.ONE_MODEL.format())
    check_segment_names(job.segments, ("baseline", *COMPARED, *_QUERY_COLUMNS, *_ADDED_COLUMNS))


def _check_common_users(rows: list[dict[str, Any]], baseline: str | None) -> None:
    """Check that each model has a user in common with the baseline; else a row has no metric.

    Raises:
        InputError: A model has no user in common with the baseline.
    """
    if baseline is None:
        if not rows:
            raise InputError(
                "recs: no user has values of two models; give lists for the same users"
            )
        return
    models = sorted(row["model"] for row in rows if not row["metric"])
    if len(models) == len(rows):
        others = f" ({', '.join(models)})" if models else ""
        raise InputError(
            f"baseline={baseline!r}: no user has a value of it and of another model{others}; are "
            "there two models, and is it one of them?"
        )
    for model in models:
        raise InputError(
            f"recs[{model!r}]: no user has a value of it and of {baseline!r}; leave it out, or "
            "give lists for the same users"
        )


def _correct_by_model(rows: list[dict[str, Any]], job: Job, settings: ComparisonOptions) -> None:
    """Correct p for all models within each metric and segment, with users as blocks."""
    blocks = blocked(job)
    models = {row[name] for row in rows for name in ("model", "baseline")}
    comparisons = len(models) * (len(models) - 1) / 2
    if settings.correction == "dunnett":
        comparisons = len(models) - 1
    correct = tukey if settings.correction == "tukey" else dunnett
    by_trial = settings.test == "randomization" and settings.correction == "tukey"
    spreads = ranges(job, settings.replicates) if by_trial else {}
    for row in rows:
        if row["ties"] is None:
            # Bonferroni's correction for the number of pairs of models.
            row["p_adjusted"] = None if row["p"] is None else min(1.0, comparisons * row["p"])
            continue
        key = key_of(row, job.segments)[1:]
        if by_trial:
            row["p_adjusted"] = None if row["p"] is None else as_large(row, spreads.get(key, ()))
            continue
        users, squares, means = blocks.get(key, (0, 0.0, {}))
        row["p_adjusted"] = correct(users, squares, means, row["model"], row["baseline"])


def _table(
    rows: list[dict[str, Any]],
    segments: Sequence[str],
    baseline: str | None,
    settings: ComparisonOptions,
) -> Rows:
    columns = [*(["baseline"] if baseline is None else []), *_VALUE_COLUMNS]
    if settings.cluster is not None:
        position = columns.index("users") + 1
        columns[position:position] = UNITS
    if settings.adjust:
        columns += ["degrees_of_freedom", *_ADJUSTED_COLUMNS]
    types = dict.fromkeys((*_VALUE_COLUMNS, *_ADJUSTED_COLUMNS), "float64")
    types |= dict.fromkeys(
        ("model", "metric", "asked", "baseline", "better", "method", "test"), "string"
    )
    types |= dict.fromkeys(("k", "users", "clusters", "wins", "ties", "losses"), "int64")
    # Segments keep the types of their values.
    types |= {"degrees_of_freedom": "float64"} | dict.fromkeys(segments, "")
    names = ("model", *segments, "metric", "k", "asked", *columns)
    return Rows({x: types[x] for x in names}, [{x: row[x] for x in names} for row in rows])
