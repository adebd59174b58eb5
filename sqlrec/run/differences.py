"""Differences between models, user by user: jobs, rows, intervals and tests."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, get_args

from .. import messages
from ..dialects import text
from ..errors import InputError, OptionError, suggest_name
from ..layouts.result import FAMILIES
from ..options import MAX_REPLICATES, Correction, check_together
from ..plan.plan import Plan
from ..records import Record, group_by
from ..results.rows import Rows
from ..results.table import Text
from ..safe_text import warn
from ..statistics import formulas
from ..statistics.all_models import half_width, permutation_share, pooled_p, trial_half_width
from ..statistics.comparison_options import ComparisonOptions, Margin
from ..statistics.distributions import normal_distribution, t_outside
from ..statistics.margins import (
    WITHIN,
    effect_size,
    fieller_interval,
    gain_share,
    one_sided_p,
    p_by_margin,
)
from . import intervals
from .bootstrap import resample_values, resampled_labels
from .covariate_adjustment import ADJUSTED, adjust_difference, adjusted_means, read_adjust
from .input_problems import NO_LISTS, check_shared_users, describe_missing_items, read_checked
from .job import Call, Job, value_key
from .segments import check_segment_names

# Columns of sql/statistics/comparison.sql, after the segments.
COMPARED = (
    *("metric", "k", "request", "users", "value", "baseline_value", "difference", "standard_error"),
    *("baseline_error", "covariance", "low", "high", "better", "wins", "ties", "losses"),
    *("signs", "violations"),
)

_RESULT_KEYS = ("metric", "k", "request", "users")

# Column names used inside the comparison query. Segments must not use them.
_QUERY_COLUMNS = (
    *("user_value", "user_baseline_value", "user_difference", "sum_users"),
    *("added_numerator", "added_denominator", "added_numerators", "added_denominators"),
    *("baseline_added_numerator", "baseline_added_denominator"),
    *("baseline_added_numerators", "baseline_added_denominators"),
    *("distance", "direction", "mean_difference", "mean_baseline", "size_rank", "more", "fewer"),
    *("signed_ranks", "signed_ranks_error", "differing"),
    *("user_models", "model_number", "models"),
)

_ADJUSTED_COLUMNS = ("unadjusted_difference", "gain")

# Columns of a comparison, after the segments, the metric and the cutoff.
_VALUE_COLUMNS = (
    *("method", "users", "value", "baseline_value", "difference", "relative_difference"),
    *("relative_low", "relative_high", "standard_error", "low", "high", "better"),
    *("wins", "ties", "losses", "test", "p", "p_adjusted", "detectable", "effect_size"),
    *("effect_low", "effect_high", "win_share", "win_share_low", "win_share_high"),
)

# Columns that are computed from the query's columns. Segments must not use them.
_ADDED_COLUMNS = (*_VALUE_COLUMNS, *intervals.UNITS, "significant", "small", *_ADJUSTED_COLUMNS)

# Types of columns other than float64.
_TYPES = {
    **dict.fromkeys(
        ("model", "metric", "request", "baseline", "better", "method", "test"), "string"
    ),
    **dict.fromkeys(("k", "users", "clusters", "wins", "ties", "losses"), "int64"),
}

# Values of bootstrap samples, in the order of the samples.
Draws = Mapping[int, float]

# Power of the smallest detectable difference.
POWER = 0.8

# Maximum number of bootstrap samples for a standard error. More samples do not improve it (Efron &
# Tibshirani 1993, An Introduction to the Bootstrap, 6.4).
DRAWS_OF_ERROR = 200

# Corrections over all models of a metric, for users with a value for every model.
OF_MODELS = ("tukey", "dunnett")

BY_FAMILY = tuple(x for x in get_args(Correction) if x not in OF_MODELS)

# Tests that use only the signs of differences, or all sign flips.
_BY_SIGNS = ("mcnemar", "sign", "permutation")

# Maximum number of sign flips; more than `replicates` are used if significance needs more.
MAX_FLIPS = 10_000


def resolve_defaults(settings: ComparisonOptions, adjust: str | Iterable[str]) -> ComparisonOptions:
    """Return the options with compatible defaults for interval and test, and with ``adjust``."""
    only_t = adjust or settings.correction in OF_MODELS
    if settings.interval == "auto":
        settings = replace(settings, interval="anytime" if settings.test == "anytime" else "t")
    if settings.test == "auto" and settings.interval == "anytime" and not only_t:
        settings = replace(settings, test="anytime")
    if settings.test == "auto" and (only_t or settings.cluster or settings.weights):
        settings = replace(settings, test="t")
    if settings.correction in OF_MODELS:
        check_together("correction", settings.correction, {"interval": (settings.interval, ("t",))})
    others = {
        "interval": (settings.interval, ADJUSTED),
        "test": (settings.test, ("t",)),
        "correction": (settings.correction, BY_FAMILY),
        "cluster": (settings.cluster, (None,)),
        "weights": (settings.weights, (None,)),
    }
    return replace(settings, adjust=read_adjust(adjust, others))


@dataclass(frozen=True)
class Grouping:
    """The differences by one grouping of users, with the jobs of all metrics and of means."""

    job: Job
    means: Job
    rows: list[Record]


def add_corrected_p_values(
    groupings: Mapping[str, Grouping], baseline: str | None, settings: ComparisonOptions
) -> list[Record]:
    """Add p-values and intervals, corrected by family; return the rows of all groupings."""
    for name, grouping in groupings.items():
        name_families(grouping.rows, grouping.means, name)
    rows = [row for grouping in groupings.values() for row in grouping.rows]
    if settings.test == "randomization":
        settings = replace(settings, replicates=_flip_count(rows, settings))
    for grouping in groupings.values():
        add_p_values(grouping.rows, grouping.means, baseline, settings)
        if settings.correction in OF_MODELS:
            _correct_for_models(grouping.rows, grouping.means, settings)
        grouping.means.inputs.engine.release()
    if settings.correction not in OF_MODELS:
        correct_families(rows, settings)
    for row in rows:
        _correct_limits(row, settings)
    return rows


def name_families(rows: Iterable[Record], job: Job, grouping: str = "") -> None:
    """Add the family of tests to each row; p-values are corrected within a family.

    The first metric decides, so no other metric or segment changes its p-values. P-values of one
    grouping do not depend on other groupings. P-values of means do not depend on metrics of all
    lists, because marks in a result only test means.
    """
    primary = job.requests[0].label, job.requests[0].k
    suffix = f" by {grouping}" if job.segments and grouping else ""
    for row in rows:
        kind = 1 + (row["method"] == "bootstrap")
        kind = 0 if (row["metric"], row["k"]) == primary else kind
        row["family"] = FAMILIES[bool(job.segments)][kind] + suffix


def correct_families(rows: Iterable[Record], settings: ComparisonOptions) -> None:
    """Correct the p-values of each family of tests, and the levels of its intervals."""
    for family in group_by(rows, lambda row: row["family"]).values():
        p_values = [row["p"] for row in family]
        adjusted = formulas.correct_p_values(settings.correction, p_values)
        levels = formulas.corrected_levels(settings.correction, p_values, settings.level)
        for row, p, level in zip(family, adjusted, levels, strict=True):
            row["p_adjusted"], row["level"] = p, level


def comparison_jobs(
    call: Call,
    settings: ComparisonOptions,
    baseline: str | None,
    baselines: list[str],
    by: Sequence[str],
) -> tuple[Job, Job, list[str]]:
    """Return the job of a comparison, the job of its units, and its baselines.

    The units are clusters or adjusted users, if the call has them. Without a baseline, every model
    is a baseline; unknown names of models are read first. Corrections for all models keep only
    users with a value for every model.
    """
    complete = settings.correction in OF_MODELS
    job = call.prepare(by=by, weights=settings.weights)
    _check_comparison(job)
    baselines = baselines or _model_names(job)
    pairs = job.plan.pairs
    if baseline is None:
        pairs = [text(model, job.inputs.engine.dialect) for model in baselines]
    job = replace(job, plan=replace(job.plan, complete=complete, pairs=pairs))
    if settings.cluster is None and not settings.adjust:
        return job, job, baselines
    cluster, adjust = settings.cluster, settings.adjust
    units = call.prepare(by=by, weights=settings.weights, cluster=cluster, adjust=adjust)
    plan = replace(units.plan, complete=complete, pairs=pairs)
    return job, replace(units, plan=plan), baselines


def compare_grouping(
    job: Job, units: Job, baseline: str | None, baselines: list[str], settings: ComparisonOptions
) -> tuple[list[Text], Grouping]:
    """Compare by one grouping; return the statements and the sorted rows, without p-values."""
    means = select_means(job)
    units = means if units is job else select_means(units)
    statement, mean_rows = compare_means(means, units, baseline, settings)
    list_statement, list_rows = _compare_list_metrics(job, baseline, baselines, settings)
    rows = sorted([*mean_rows, *list_rows], key=lambda row: baselines.index(row["baseline"]))
    rows = job.sorted(rows)
    _warn_about_missing_overlaps(rows, means)
    return [statement, list_statement], Grouping(job, means, rows)


def check_options(recs: Any, baseline: Any, settings: ComparisonOptions, margin: Any) -> None:
    """Check that options are compatible, before any input is read."""
    by_user = {"correction": (settings.correction, BY_FAMILY)}
    by_error = {"test": (settings.test, (*formulas.BY_ERROR, "anytime"))}
    if settings.alternative != "two-sided":
        only_t = {"test": (settings.test, ("auto", "t", "anytime"))} | by_user
        check_together("alternative", settings.alternative, only_t)
        if settings.level <= 0.5:
            raise InputError(
                f"level={settings.level!r}: one-sided tests need a level above 0.5, such as 0.95"
            )
    if settings.alternative in WITHIN and margin is None:
        raise InputError(
            f"alternative={settings.alternative!r} and margin=None: give the margin, as in 0.01 or "
            "'1%'"
        )
    if margin is not None:
        one_sided = ("noninferior", "equivalent", "greater", "less")
        check_together("margin", margin, {"alternative": (settings.alternative, one_sided)})
    if settings.cluster is not None:
        check_together("cluster", settings.cluster, by_error)
    if settings.weights is not None:
        check_together("weights", settings.weights, by_error | by_user)
    if baseline is None:
        if settings.correction == "dunnett":
            raise InputError(
                "correction='dunnett' and baseline=None: Dunnett's test needs a baseline; name it, "
                "or give correction='tukey' for every pair"
            )
        return
    if not isinstance(baseline, str) or not baseline:
        raise InputError(
            f"baseline={baseline!r}: name the model to compare with, as in 'pop', or give None for "
            "every pair of models"
        )
    if isinstance(recs, Mapping):
        _check_baseline(baseline, recs)


def _check_baseline(baseline: str, models: Iterable[str]) -> None:
    names = [*models]
    if baseline not in names:
        text = messages.NOT_A_MODEL.format(baseline=baseline, nearest=suggest_name(baseline, names))
        raise OptionError(text, option="baseline")


def no_common_user_error(job: Job, baseline: str) -> InputError:
    """Return the error for a baseline without a user in common with another model."""
    _check_comparison(job)
    models = _model_names(job)
    _check_baseline(baseline, models)
    others = ", ".join(model for model in models if model != baseline)
    if not others:
        return InputError(messages.ONE_MODEL.format())
    return InputError(
        f"baseline={baseline!r}: no user has values of both this model and another model "
        f"({others}); give lists of the same users"
    )


def _model_names(job: Job) -> list[str]:
    sources = job.plan.recs
    if all(source.model is not None for source in sources):
        return [str(source.model) for source in sources]
    (source,) = sources
    models = f"select distinct {source.columns['model']} as model from {source.relation}"
    return sorted({row["model"] for row in job.rows(models, ("model",)).records} - {None})


def select_means(job: Job) -> Job:
    """Return the job with only the means over users and the functions of sums over users."""
    plan, kept = job.plan, job.means | job.linear
    if any(metric.label not in kept for metric, _ in plan.metrics()):
        plan = plan.select_metrics(kept)
    if job.linear:
        plan = plan.each(intervals.add_user_terms)
    return replace(job, plan=plan)


def _compare_list_metrics(
    job: Job, baseline: str | None, baselines: list[str], settings: ComparisonOptions
) -> tuple[Text, list[Record]]:
    """Compare metrics of all lists together, with the same bootstrap samples for all models.

    With clusters, and for metrics that can't be resampled, rows contain only the difference.
    """
    others = {request.label for request in job.requests} - job.means - job.linear
    if not others:
        return str, []
    drawable = resampled_labels(job) & others if settings.cluster is None else set()
    draws = resample_values(job, drawable, min(settings.replicates, DRAWS_OF_ERROR))
    statement, values = read_checked(replace(job, plan=job.plan.select_metrics(others)))
    by_key = {
        value_key(row, job.segments): row for row in values.records if row["value"] is not None
    }
    better = {metric.label: metric.better for metric, _ in job.plan.metrics()}
    rows = []
    for key, record in by_key.items():
        model = record["model"]
        for other_model in baselines if baseline else baselines[: baselines.index(model)]:
            other_key = value_key(record | {"model": other_model}, job.segments)
            if model != other_model and other_key in by_key:
                base = by_key[other_key]["value"]
                row = dict.fromkeys((*COMPARED, *_ADDED_COLUMNS)) | {
                    name: record[name] for name in ("model", *job.segments, *_RESULT_KEYS, "value")
                }
                row |= {"baseline": other_model, "better": better[record["metric"]]}
                row |= {"baseline_value": base, "difference": record["value"] - base}
                _add_bootstrap(row, draws.get(key, {}), draws.get(other_key, {}), settings)
                rows.append(row)
    if baseline is not None and not rows:
        _check_baseline(baseline, _model_names(job))
    return statement, rows


def _add_bootstrap(
    row: Record, draws: Draws, base_draws: Draws, settings: ComparisonOptions
) -> None:
    """Add the error and the test from the bootstrap samples of two models."""
    pairs = [(draws[draw], base_draws[draw]) for draw in draws if draw in base_draws]
    differences = [value - base for value, base in pairs]
    if len(pairs) > 1:
        from statistics import covariance  # The import is slow.

        bases = [base for _, base in pairs]
        row |= {"method": "bootstrap", "standard_error": formulas.deviation(differences)}
        row["baseline_error"] = formulas.deviation(bases)
        row["covariance"] = covariance(differences, bases)
    row["units"] = row["users"] if settings.interval == "anytime" else len(pairs)
    row["test"] = _test_by_error(settings)
    if row["standard_error"]:
        units = row["users"] if settings.test == "anytime" else len(pairs)
        without_ties = row | {"units": units, "ties": 0}
        row["p"] = formulas.p_value(row["test"], without_ties, level=settings.level)


def compare_means(
    job: Job, units: Job, baseline: str | None, settings: ComparisonOptions
) -> tuple[Text, list[Record]]:
    """Compare means by one grouping; p-values, then intervals, are added later."""
    cluster = settings.cluster
    model = None if baseline is None else text(baseline, job.inputs.engine.dialect)
    statement, rows = _run_comparison(job, baseline)
    errors = {} if cluster is None else intervals.cluster_errors(units, cluster, baseline=model)
    means = adjusted_means(units, settings.adjust, baseline=model) if settings.adjust else {}
    draws, skewed = {}, {}
    if settings.interval in formulas.DRAWN:
        draws = intervals.bootstrap_means(
            units, settings.replicates, baseline=model, cluster=cluster
        )
    if settings.interval == "bca":
        skewed = intervals.read_skewnesses(units, model, cluster)
    log_metrics = {request.label for request in job.requests if request.reads("logs")}
    for row in rows:
        key = value_key(row, job.pair_segments)
        row["units"] = row["users"]
        user_deviation = None
        if row["standard_error"] is not None:
            user_deviation = row["standard_error"] * math.sqrt(row["users"])
        if cluster is not None:
            row["units"], row["degrees_of_freedom"], error, *others = errors.get(
                key, (0, None, None, None, None)
            )
            row["baseline_error"], row["covariance"] = others
            size = abs(row["value"] or 0) + abs(row["baseline_value"] or 0)
            if error is not None and formulas.is_rounding_error(error, row["units"], size):
                error = 0.0
            row["clusters"], row["standard_error"] = row["units"], error
        row["method"] = "mean" if row["metric"] in job.means else "delta"
        if row["metric"] in log_metrics:
            # Logged decisions have no value per user.
            row |= dict.fromkeys(("wins", "ties", "losses"))
        row |= effect_size(settings.level, row["difference"], user_deviation, row["users"])
        if settings.adjust:
            adjust_difference(row, means.get(key))
        row["draws"], row["skewness"] = draws.get(key), skewed.get(key)
        row |= gain_share(settings.level, row["wins"], row["users"])
        row["test"], row["p"] = _test_by_error(settings), None
        if row["ties"] is None:
            row["p"] = formulas.p_value(row["test"], row | {"ties": 0}, level=settings.level)
    return statement, rows


def _test_by_error(settings: ComparisonOptions) -> str:
    """Return the test for metrics with a standard error but no per-user values."""
    return settings.test if settings.test in ("normal", "anytime") else "t"


def add_limits(row: Record, settings: ComparisonOptions, level: float) -> None:
    """Add the interval for a difference, one-sided if the test is, and the columns that follow."""
    error, difference = row["standard_error"], row["difference"]
    draws, skewness = row.get("draws"), row.get("skewness")
    row["detectable"] = formulas.detectable_difference(level, POWER, row["units"], error)
    level = level if settings.alternative == "two-sided" else 2 * level - 1
    method = "t" if settings.interval in formulas.DRAWN else settings.limits
    row["low"] = row["high"] = None
    if error and draws is not None:
        row["low"], row["high"] = (
            formulas.percentile_interval(level, draws)
            if skewness is None
            else formulas.bca_interval(level, draws, difference, row["units"], skewness)
        )
    elif error:
        row["low"], row["high"] = formulas.interval_from_error(
            method, level, difference, row["units"], error, formulas.degrees_of_freedom(row)
        )
    base = row["baseline_value"]
    # The divisor is the absolute baseline, so an increase is positive even if the mean is negative.
    row["relative_difference"] = None if not base or difference is None else difference / abs(base)
    row["relative_low"], row["relative_high"] = fieller_interval(method, level, row)


def _correct_limits(row: Record, settings: ComparisonOptions) -> None:
    """Correct the interval for a difference in the same way as its p-value, so both agree.

    An exact test, or a test with other quantiles than the interval, can disagree with an interval
    that ends near 0. The limit next to 0 is then moved to the other side of 0, by the ratio of the
    quantiles for the level and for p.

    Source: Miettinen 1976, doi.org/10.1093/oxfordjournals.aje.a112236, for limits by a test.
    """
    add_limits(row, settings, row["level"])
    p, difference = row["p"], row["difference"]
    is_mean_test = row["test"] not in ("wilcoxon", "sign") or formulas.is_binary_difference(row)
    if not is_mean_test or settings.margins or not p or not difference or row["p_adjusted"] is None:
        return
    limit = "low" if difference > 0 else "high"
    untested = {"greater": "high", "less": "low"}.get(settings.alternative)
    if row[limit] is None or limit == untested:
        return
    excluded = row[limit] * difference > 0
    if excluded != (row["p_adjusted"] < 1 - settings.level):
        sides = 2 if settings.alternative == "two-sided" else 1
        quantile = normal_distribution().inv_cdf
        p_quantile = quantile(1 - p / sides)
        if p_quantile > 0:
            level_quantile = quantile(1 - (1 - row["level"]) / sides)
            row[limit] = difference * (1 - level_quantile / p_quantile)


def _run_comparison(job: Job, baseline: str | None) -> tuple[Text, list[Record]]:
    """Run the comparison statement; a row may have no users if only complete users count."""
    if not job.has_user_values:
        return str, []
    model = None if baseline is None else text(baseline, job.inputs.engine.dialect)

    def run(plan: Plan) -> list[Record]:
        statement = job.render_to_run("comparison", plan, baseline_model=model)
        rows = job.records(statement, ("model", *job.pair_segments, *COMPARED))
        for row in rows:
            row.setdefault("baseline", baseline)
            if row["violations"] and row["metric"]:
                raise job.violation(job.part(row))
        return rows

    statement = partial(job.render_to_print, "comparison", baseline_model=model)
    rows = run(job.plan)
    complete = job.plan.complete
    pairs = run(replace(job.plan, complete=False)) if complete else rows
    if job.plan.user_results is None:
        _check_common_users(job, pairs, baseline)
    rows = [row for row in rows if row["metric"]]
    if complete:
        existing = {value_key(row, job.pair_segments) for row in rows}
        keys = ("model", "baseline", *job.segments, "metric", "k", "request", "better")
        empty_row = dict.fromkeys(COMPARED) | {"users": 0, "ties": 0}
        for row in pairs:
            if value_key(row, job.pair_segments) not in existing:
                rows.append(empty_row | {name: row[name] for name in keys})
    return statement, job.sorted(rows)


def _warn_about_missing_overlaps(rows: Iterable[Record], job: Job) -> None:
    """Warn about models without hits and without an item of the truth in any list."""
    truth_metrics = {(x.label, x.k) for x in job.requests if x.reads("truth")}
    has_hits: dict[str, bool] = {}
    for row in rows:
        if (row["metric"], row["k"]) in truth_metrics:
            for model, name in ((row["baseline"], "baseline_value"), (row["model"], "value")):
                has_hits[model] = has_hits.get(model, False) or bool(row[name])
    models = sorted(model for model, hit in has_hits.items() if not hit)
    for model in models:
        check_shared_users(job, model, NO_LISTS, job.plan)
    for message in describe_missing_items(job, models):
        warn(message)


def _flip_count(rows: Sequence[Record], settings: ComparisonOptions) -> int:
    """Return a number of sign flips that is large enough for significant corrected p-values."""
    different = [row for row in rows if row["ties"] is not None and row["users"] > row["ties"]]
    count = max(Counter(row["family"] for row in different).values(), default=0)
    needed = formulas.flips_needed(settings.correction, count, settings.level)
    flips = max(settings.replicates, min(needed, MAX_FLIPS))
    if needed > flips:
        warn(
            f"test='randomization': with replicates={flips}, p is at least {1 / (flips + 1):.2g}, "
            f"and {min(1, count / (flips + 1)):.2g} after correction={settings.correction!r} for "
            f"{count} rows, so no p can be significant; give "
            f"{f'replicates={needed}, or ' if needed <= MAX_REPLICATES else ''}test='t'"
        )
    return flips


def add_p_values(
    rows: Sequence[Record], job: Job, baseline: str | None, settings: ComparisonOptions
) -> None:
    """Add the test and its p-value to each row."""
    two_sided = settings.alternative == "two-sided"
    for row in rows:
        if not two_sided:
            add_p_by_margin(row, job.shares, settings)
        elif row["ties"] is not None:
            row["test"] = formulas.default_test(row) if settings.test == "auto" else settings.test
    # Metrics of all lists together already have p-values.
    with_ties = [
        row for row in rows if row["ties"] is not None and (two_sided or row["test"] in _BY_SIGNS)
    ]
    model = None if baseline is None else text(baseline, job.inputs.engine.dialect)
    flips = {}
    if settings.test == "randomization":
        flips = intervals.read_sign_flips(job, settings.replicates, baseline=model)
    few = {value_key(row, job.pair_segments) for row in with_ties if _flips_all_signs(row)}
    all_sizes = (
        intervals.read_difference_sizes(job, model, formulas.MIN_ROBUST_USERS - 1) if few else {}
    )
    signed = intervals.signed_ranks(job, model) if settings.test == "wilcoxon" else {}
    for row in with_ties:
        key = value_key(row, job.pair_segments)
        differences = all_sizes[key] if key in few else None
        row["p"] = formulas.p_value(
            row["test"],
            row | signed.get(key, {}),
            flips.get(key, ()),
            differences,
            level=settings.level,
        )
        if not two_sided:
            row["p"] = one_sided_p(row["p"], row["difference"], settings.alternative)
    for row in rows:
        row["test"] = None if row["p"] is None else row["test"]


def _flips_all_signs(row: Record) -> bool:
    """Return whether the test uses all sign flips, which needs the sizes of the differences."""
    unequal: int = row["users"] - row["ties"]
    if row["test"] == "permutation":
        return unequal > 0 and formulas.has_few_users(row)
    return row["test"] == "wilcoxon" and 0 < unequal <= formulas.MAX_EXACT_USERS


def add_p_by_margin(row: Record, shares: Container[str], settings: ComparisonOptions) -> None:
    """Add the p-value of an alternative with a margin, unless a later test by signs adds it."""
    row["p"] = None
    default = None if settings.alternative in WITHIN else Margin(0.0, False, row["better"])
    margin = settings.margins.get((row["metric"], row["k"]), default)
    if margin is None:
        return
    row["test"] = _test_by_error(settings)
    if settings.test == "auto" and row["ties"] is not None:
        if not margin.size and settings.alternative not in WITHIN:
            row["test"] = formulas.default_test(row)
        elif margin.size and formulas.is_binary_difference(row):
            row["test"] = "score"
    if row["test"] not in _BY_SIGNS:
        row["p"] = p_by_margin(
            settings.alternative,
            row,
            margin.size,
            relative=margin.relative,
            limit=1.0 if row["metric"] in shares else None,
            test=row["test"],
            level=settings.level,
        )


def _check_comparison(job: Job) -> None:
    """Check that the models and segments can be compared, before the SQL runs."""
    models = [source.model for source in job.plan.recs]
    if "model" not in job.plan.list_keys or (len(models) == 1 and models[0]):
        raise InputError(messages.ONE_MODEL.format())
    check_segment_names(job.segments, ("baseline", *COMPARED, *_QUERY_COLUMNS, *_ADDED_COLUMNS))


def _check_common_users(job: Job, rows: list[Record], baseline: str | None) -> None:
    """Check that each model has a user in common with the baseline, so each row has a metric."""
    if baseline is None:
        if not rows:
            raise InputError(
                "recs: no user has values of two models; give lists for the same users"
            )
        return
    alone = sorted(row["model"] for row in rows if not row["metric"])
    if len(alone) == len(rows):
        raise no_common_user_error(job, baseline)
    if alone:
        raise InputError(
            f"recs[{alone[0]!r}]: no user has values of both this model and {baseline!r}; remove "
            "the model, or give lists for the same users"
        )


def _correct_for_models(rows: list[Record], job: Job, settings: ComparisonOptions) -> None:
    """Add p-values corrected for the number of models, and the levels of intervals."""
    blocks = intervals.read_complete_users(job)
    models = {row[name] for row in rows for name in ("model", "baseline")}
    comparisons = len(models) * (len(models) - 1) / 2
    if settings.correction == "dunnett":
        comparisons = len(models) - 1
    by_trial = settings.test == "randomization" and settings.correction == "tukey"
    spreads = intervals.read_model_ranges(job, settings.replicates) if by_trial else {}
    for row in rows:
        if row["ties"] is None:
            # Bonferroni's correction for the number of pairs needs no per-user values.
            row["level"] = 1 - (1 - settings.level) / comparisons
            row["p_adjusted"] = None if row["p"] is None else min(1.0, comparisons * row["p"])
            continue
        key = value_key(row, job.segments)[1:]
        users, squares, means = blocks.get(key, (0, 0.0, {}))
        if by_trial and key in spreads:
            row["p_adjusted"] = None if row["p"] is None else permutation_share(row, spreads[key])
            width: float | None = trial_half_width(settings.level, users, spreads[key])
        else:
            residuals = (users, squares, means)
            pair = (row["model"], row["baseline"])
            row["p_adjusted"] = pooled_p(settings.correction, *residuals, *pair)
            width = half_width(settings.correction, settings.level, *residuals)
        # The level of the t interval with this half-width.
        row["level"] = settings.level
        if width is not None and row["standard_error"]:
            outside = t_outside(width / row["standard_error"], formulas.degrees_of_freedom(row))
            row["level"] = min(1 - outside, 1 - 1e-15)


def difference_table(
    rows: list[Record], segments: Sequence[str], baseline: str | None, settings: ComparisonOptions
) -> Rows:
    """Return the table of a comparison with the columns in their order."""
    columns = [*(["baseline"] if baseline is None else []), *_VALUE_COLUMNS]
    if settings.cluster is not None:
        position = columns.index("users") + 1
        columns[position:position] = intervals.UNITS
    if settings.adjust:
        columns += ["degrees_of_freedom", *_ADJUSTED_COLUMNS]
    names = ("model", *segments, "metric", "k", "request", *columns)
    # Segments keep the types of their values.
    types = _TYPES | dict.fromkeys(segments, "")
    return Rows.from_records({name: types.get(name, "float64") for name in names}, rows)
