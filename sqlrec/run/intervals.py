"""Statistics of per-user values other than their mean: intervals, summaries, bootstrap samples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..catalogue.requests import format_metric
from ..engines.duckdb import DuckDB
from ..errors import InputError
from ..options import Interval
from ..plan.plan import Plan
from ..records import Record, group_by
from ..rendering.templates import render
from ..results.rows import Rows
from ..safe_text import warn
from ..statistics import formulas
from ..statistics.formulas import Interval as Limits
from .bootstrap import REPLICATES_A_BLOCK, resample_values, resampled_labels
from .job import Job, Key, value_key

# Number of sign flips from one hash.
FLIPS_A_BLOCK = 32


def compute_intervals(
    rows: Sequence[Record], job: Job, units: Job, interval: Interval
) -> list[tuple[Any, ...]]:
    """Return the standard error and the interval for each row of a result.

    With clusters, the number of clusters and the degrees of freedom of t come first, null if the
    metric is not a mean over users. With ``auto``, the last value is the method of the row.
    """
    method, level, by_user = str(interval.method), interval.level, interval.cluster is None
    if method == "wilson":
        return [_share_interval(level, row) for row in rows]
    default = "t" if method == "auto" else method
    limits = _compute_intervals_by_method(rows, job, units, default, interval)
    if method == "auto":
        methods = [None if row_limits[-1] is None else default for row_limits in limits]
        for number, row in enumerate(rows if by_user else ()):
            if job.is_binary(row):
                limits[number], methods[number] = _share_interval(level, row), "wilson"
        limits = [(*row_limits, used) for row_limits, used in zip(limits, methods, strict=True)]
    if by_user and method in ("t", "normal"):
        _warn_about_rare_values([row for row in rows if job.is_binary(row)], method, level)
    return limits


def _warn_about_rare_values(rows: Sequence[Record], method: str, level: float) -> None:
    """Warn about intervals from errors of binary values if few users have one of the two values."""
    few = []
    for row in rows:
        ones = round(row["value"] * row["users"])
        if row["users"] >= formulas.MIN_WARNED_USERS and 0 < min(ones, row["users"] - ones) < min(
            formulas.MIN_RARE_USERS, row["users"] / 4
        ):
            few.append(row)
    if few:
        first = few[0]
        warn(
            f"interval={method!r}: {format_metric(first['metric'], first['k'])} of "
            f"{first['model']} is "
            f"{first['value']:.3g} of {first['users']} users with values of 0 and 1; such "
            f"intervals have a coverage below {100 * level:g}%"
            f"{f', like {len(few) - 1} other values' if few[1:] else ''}; give interval='auto', "
            "which uses Wilson's method for them"
        )


def _compute_intervals_by_method(
    rows: Sequence[Record], job: Job, units: Job, method: str, interval: Interval
) -> list[tuple[Any, ...]]:
    """Return the standard error and the interval for each row by one method other than Wilson's."""
    level, replicates, cluster = interval.level, interval.samples, interval.cluster
    errors = {} if cluster is None else cluster_errors(units, cluster)
    sums = _linearize(units, cluster)
    estimates = cluster_errors(sums, cluster) if sums else {}
    draws = bootstrap_means(units, replicates, cluster=cluster) if method in formulas.DRAWN else {}
    skewed: dict[Key, float | None] = {}
    if sums and method in formulas.DRAWN:
        draws |= bootstrap_means(sums, replicates, cluster=cluster)
    if method == "bca":
        if cluster is None:
            skewed = {key: row["skewness"] for key, row in query_summaries(job, []).items()}
        else:
            skewed = read_skewnesses(units, cluster=cluster)
        skewed |= read_skewnesses(sums, cluster=cluster) if sums else {}
    if method in formulas.DRAWN and cluster is None:
        draws |= _drawn_sums(job, replicates)
        list_draws = resample_values(job, resampled_labels(job), replicates)
        draws |= {key: [*values.values()] for key, values in list_draws.items()}
    list_metrics = {metric.label for metric, kind in job.plan.metrics() if not kind.per_user}
    missing = (0, None, None)
    columns: list[tuple[Any, ...]] = []
    for row in rows:
        key = value_key(row, job.segments)
        is_mean = row["metric"] in job.means
        count, error = round(row.get("deciding_users") or row["users"]), row.get("standard_error")
        freedom: float | None = count - 1
        if key in estimates and (error is None or cluster is not None):
            count, freedom, error = estimates[key]
        elif cluster is not None:
            count, freedom, error = errors.get(key, missing) if is_mean else missing
        limits: Limits = (None, None)
        if row["value"] is None or (method in formulas.DRAWN and (key not in draws or count < 2)):
            error = None
        elif method not in formulas.DRAWN:
            limits = formulas.interval_from_error(
                method, level, row["value"], count, error, freedom
            )
        else:
            error = formulas.deviation(draws[key])
            if row["metric"] in list_metrics and key not in estimates:
                # Samples contain fewer distinct users than the data, which biases their values.
                limits = formulas.interval_from_error("normal", level, row["value"], count, error)
            elif formulas.is_rounding_error(error, count, abs(row["value"])):
                limits = (None, None)
            elif (skewness := skewed.get(key)) is None:
                limits = formulas.percentile_interval(level, draws[key])
            else:
                limits = formulas.bca_interval(level, draws[key], row["value"], count, skewness)
        columns.append((*(() if cluster is None else (count or None, freedom)), error, *limits))
    return columns


def _share_interval(level: float, row: Record) -> tuple[float | None, ...]:
    value, users, error = row["value"], row["users"], row["standard_error"]
    if value is None or error is None:
        return None, None, None
    if not formulas.is_binary(value, users, error):
        raise InputError(
            f"interval='wilson': users' values of {format_metric(row['metric'], row['k'])} are not "
            "only 0 and 1; give interval='t'"
        )
    return (error, *formulas.wilson_interval(level, value, users))


# Columns of a result with clusters.
UNITS = ("clusters", "degrees_of_freedom")
_BASELINE_COLUMNS = ("baseline_error", "covariance")


def _linearize(job: Job, cluster: str | None) -> Job | None:
    """Return a job with only estimates from logs and weighted means, as sums per user."""
    labels = {request.label for request in job.requests if request.reads("logs")} & job.linear
    if job.plan.user_weights and cluster is not None:
        labels = job.linear
    elif not labels or not job.plan.logs or not job.plan.logs.user_id:
        return None
    plan = job.plan.select_metrics(labels)
    return replace(job, plan=plan.each(lambda part: replace(add_user_terms(part), errors=False)))


def add_user_terms(plan: Plan) -> Plan:
    """Return a plan with sums per user; logged decisions are added up by user."""
    return replace(plan, terms=True, kinds=[replace(kind, per_user=True) for kind in plan.kinds])


def cluster_errors(
    job: Job, cluster: str | None, *, baseline: str | None = None
) -> dict[Key, tuple[Any, ...]]:
    """Return the number of clusters, t's degrees of freedom, and the error of users' means.

    For differences from a baseline, also return the error of the baseline's mean and the
    covariance.
    """
    baseline_columns = _BASELINE_COLUMNS if baseline or job.plan.pairs else ()
    values = (*UNITS, "standard_error", *baseline_columns)
    rows = _read_by_value(job, "clusters", values, cluster, baseline_model=baseline)
    return {key: tuple(row[name] for name in values) for key, (row,) in rows.items()}


def read_skewnesses(
    job: Job, baseline: str | None = None, cluster: str | None = None
) -> dict[Key, float | None]:
    """Return the skewness of users' values, of differences from a baseline, or of cluster sums."""
    rows = _read_by_value(job, "shapes", ["skewness"], cluster, baseline_model=baseline)
    return {key: row["skewness"] for key, (row,) in rows.items()}


def read_difference_sizes(
    job: Job, baseline: str | None, maximum: int
) -> dict[Key, list[formulas.Size]]:
    """Return the sizes of differences from a baseline, if at most ``maximum`` users differ."""
    names = formulas.Size._fields
    rows = _read_by_value(job, "sizes", names, baseline_model=baseline, few=maximum)
    return {
        key: [
            formulas.Size(x["size_rank"], x["distance"], int(x["users"]), int(x["signs"]))
            for x in group
        ]
        for key, group in rows.items()
    }


def signed_ranks(job: Job, baseline: str | None) -> dict[Key, Record]:
    """Return Wilcoxon's sum of signed ranks of differences from a baseline, and its error."""
    names = ("signed_ranks", "signed_ranks_error")
    rows = _read_by_value(job, "signed_ranks", names, baseline_model=baseline)
    return {key: {name: row[name] for name in names} for key, (row,) in rows.items()}


def read_complete_users(job: Job) -> dict[Key, tuple[int, float, dict[str, float]]]:
    """Return the number of users with a value of every model, residual squares, and means."""
    segments = [segment.name for segment in job.plan.by]
    columns = ("model", *segments, "metric", "k", "users", "value", "squares")
    blocks: dict[Key, tuple[int, float, dict[str, float]]] = {}
    for row in _read_rows(job, "blocks", columns):
        key = value_key(row, segments)[1:]
        _, squares, means = blocks.get(key, (0, 0.0, {}))
        means[row["model"]] = row["value"]
        blocks[key] = (row["users"], squares + row["squares"], means)
    return blocks


def read_model_ranges(job: Job, trials: int) -> dict[Key, list[float]]:
    """Return by trial the range of models' sums, with values assigned to the models at random."""
    segments = [segment.name for segment in job.plan.by]
    columns = (*segments, "metric", "k", "trial", "spread")
    rows = _read_rows(job, "ranges", columns, trials=trials) if job.has_user_values else []
    trials_by_key = group_by(rows, lambda row: value_key(row | {"model": None}, segments)[1:])
    return {key: [row["spread"] for row in group] for key, group in trials_by_key.items()}


def _read_rows(job: Job, macro: str, columns: Iterable[str], **arguments: Any) -> list[Record]:
    """Run a statement over per-user values; its last column is ``violations``."""
    text = job.render_to_run(macro, job.plan.numbered(), **arguments)
    rows = job.records(text, (*columns, "violations"))
    job.raise_first_violation(rows)
    return rows


def _read_by_value(
    job: Job, macro: str, names: Iterable[str], cluster: str | None = None, **arguments: Any
) -> dict[Key, list[Record]]:
    """Run a statement over per-user values, and group its rows by the key of their value."""
    if not job.has_user_values:
        return {}
    label, segments = _cluster_segments(job, cluster)
    columns = ("model", *segments, "metric", "k", *names)
    rows = _read_rows(job, macro, columns, cluster=label, **arguments)
    return group_by(rows, lambda row: value_key(row, segments))


def _drawn_rows(job: Job, macro: str, columns: tuple[str, ...], **arguments: Any) -> list[Record]:
    """Run a statement with random draws, like ``_read_rows``; for SQLite, in DuckDB."""
    # SQLite has no hash function, and sorts draws slowly.
    if job.inputs.engine.dialect != "sqlite":
        return _read_rows(job, macro, columns, found=None, **arguments)
    plan = job.plan.numbered()
    groups = columns[: columns.index("block")]
    text = job.render("sampled_values", plan, **arguments)
    terms = ("added_numerator", "added_denominator") if arguments["sums"] else ()
    result = job.query(text, (*groups, "unit", "value", *terms, "violations"))
    engine = DuckDB()
    values = result.to_arrow() if isinstance(result, Rows) else result
    with engine.naming({"found_values": values}):
        text = render(macro, plan, engine.dialect, found="found_values", **arguments)
        table = engine.query(text)
        assert table is not None  # PyArrow is installed: the values are an Arrow table.
        rows: list[Record] = table.to_pylist()
    engine.release()
    job.raise_first_violation(rows)
    return rows


def _cluster_segments(job: Job, cluster: str | None = None) -> tuple[str | None, list[str]]:
    """Return the segment that identifies clusters, and the other segments, by number."""
    # The segments' own names might be column names in a statement.
    numbered = {segment.caller_name: segment.name for segment in job.plan.by}
    label = None if cluster is None else numbered.pop(cluster)
    return label, [*(["baseline"] if job.plan.pairs else []), *numbered.values()]


def query_summaries(job: Job, shares: Sequence[float]) -> dict[Key, Record]:
    """Return summaries of per-user values, with quantiles at these shares."""
    quantiles = [f"{kind}_{n}" for n in range(1, len(shares) + 1) for kind in ("quantile", "lower")]
    shape = ("users", "mean", "standard_deviation", "skewness", "min", "max", "zero_share")
    rows = _read_by_value(job, "summaries", [*shape, *quantiles], quantiles=list(shares))
    return {key: row for key, (row,) in rows.items()}


def with_summaries(job: Job, summaries: Mapping[str, tuple[str, float] | None]) -> Job:
    """Return a job with summaries in addition to the means, if the engine is DuckDB."""
    if job.inputs.engine.dialect != "duckdb":
        return job
    columns = [quantile or (name, None) for name, quantile in summaries.items()]
    return replace(job, plan=job.plan.each(lambda part: replace(part, summaries=columns)))


def summary_columns(
    rows: Sequence[Record], job: Job, summaries: Mapping[str, tuple[str, float] | None]
) -> list[list[float | None]]:
    """Return the summaries of each row of a result, in the order of the request."""
    if job.plan.summaries:
        names = [f"summary_{number}" for number, _ in enumerate(summaries, 1)]
        return [[row[name] for name in names] for row in rows]
    shares = sorted({quantile[1] for quantile in summaries.values() if quantile})
    values = query_summaries(job, shares)
    names = [
        f"{quantile[0]}_{shares.index(quantile[1]) + 1}" if quantile else name
        for name, quantile in summaries.items()
    ]
    own_values = (values.get(value_key(row, job.segments), {}) for row in rows)
    return [[own.get(name) for name in names] for own in own_values]


def bootstrap_means(
    job: Job, replicates: int, *, baseline: str | None = None, cluster: str | None = None
) -> dict[Key, list[float]]:
    """Return means of bootstrap samples, or of their differences from a baseline."""
    draws = _read_blocks(
        job, "replicates", "replicate", replicates, REPLICATES_A_BLOCK, baseline, cluster
    )
    # The metric is the second-to-last part of a key. With terms, all metrics are means.
    return {key: x for key, x in draws.items() if job.plan.terms or key[-2] in job.means}


def _drawn_sums(job: Job, replicates: int) -> dict[Key, list[float]]:
    """Return the values in bootstrap samples of metrics that are functions of sums over users."""
    labels = job.linear_user_sums
    if not labels:
        return {}
    plan = job.plan.select_metrics(labels).each(
        lambda part: replace(add_user_terms(part), errors=False)
    )
    block = ("replicates", "replicate", replicates, REPLICATES_A_BLOCK)
    return _read_blocks(replace(job, plan=plan), *block, None, None, sums=True)


def read_sign_flips(job: Job, flips: int, *, baseline: str | None) -> dict[Key, list[float]]:
    """Return sums of the differences from a baseline with random sign flips."""
    return _read_blocks(job, "flips", "flip", flips, FLIPS_A_BLOCK, baseline, None)


def _read_blocks(
    job: Job,
    macro: str,
    name: str,
    count: int,
    size: int,
    baseline: str | None,
    cluster: str | None,
    *,
    sums: bool = False,
) -> dict[Key, list[float]]:
    if not job.has_user_values:
        return {}
    label, segments = _cluster_segments(job, cluster)
    arguments = {"blocks": -(-count // size), "cluster": label, "baseline_model": baseline}
    arguments["sums"] = sums
    draws = [f"{name}_{number}" for number in range(1, size + 1)]
    columns = ("model", *segments, "metric", "k", "block", *draws)
    rows = sorted(_drawn_rows(job, macro, columns, **arguments), key=lambda row: row["block"])
    by_key: dict[Key, list[float]] = {}
    for row in rows:
        # A replicate without users has no mean.
        values = [row[draw] for draw in draws if row[draw] is not None]
        by_key.setdefault(value_key(row, segments), []).extend(values)
    return {key: values[:count] for key, values in by_key.items()}
