"""What is made of per-user values beside their mean: intervals, summaries, draws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..catalogue.requests import spelled
from ..engines.duckdb import DuckDB
from ..errors import InputError
from ..plan.plan import Plan
from ..rendering.templates import render
from ..results.rows import Rows
from ..shown import warn
from ..statistics.formulas import (
    DRAWN,
    LEAST,
    RARE,
    Interval,
    Size,
    bca,
    by_error,
    deviation,
    is_of_zeros_and_ones,
    is_rounding,
    percentile,
    wilson,
)
from .bootstrap import REPLICATES_A_BLOCK, labels, resampled
from .job import Job, Key, key_of

# Signs of one hash.
FLIPS_A_BLOCK = 32


def intervals(
    rows: Sequence[Mapping[str, Any]],
    job: Job,
    units: Job,
    *,
    method: str,
    level: float,
    replicates: int,
    cluster: str | None,
) -> list[tuple[Any, ...]]:
    """Return the standard error and the interval of each row of a result.

    With clusters, how many there are and the degrees of freedom of t come before: null where the
    metric is not a mean over users. Of ``auto`` the method that a row has comes last.

    Args:
        rows: The result; for intervals by an error with its ``standard_error``.
        job: What was evaluated.
        units: The same, by clusters too where there are some.
        method, level, replicates, cluster: As in ``evaluate``.

    Raises:
        InputError: Shares are asked of a metric that is none.
    """
    if method == "wilson":
        return [_of_share(level, row) for row in rows]
    chosen = "t" if method == "auto" else method
    found = _intervals(rows, job, units, chosen, level, replicates, cluster)
    used = [None if limits[-1] is None else chosen for limits in found]
    if method == "auto":
        for place, row in enumerate(rows if cluster is None else ()):
            if job.is_of_shares(row):
                found[place], used[place] = _of_share(level, row), "wilson"
        found = [(*limits, how) for limits, how in zip(found, used, strict=True)]
    if cluster is None and method in ("t", "normal"):
        _warn_of_few([row for row in rows if job.is_of_shares(row)], method, level)
    return found


def _warn_of_few(rows: Sequence[Mapping[str, Any]], method: str, level: float) -> None:
    """Warn of intervals by errors of values 0 and 1 where few users have one of both."""
    few = []
    for row in rows:
        ones = round(row["value"] * row["users"])
        if row["users"] >= LEAST and 0 < min(ones, row["users"] - ones) < min(
            RARE, row["users"] / 4
        ):
            few.append(row)
    if few:
        first = few[0]
        warn(
            f"interval={method!r}: {spelled(first['metric'], first['k'])} of {first['model']} is "
            f"{first['value']:.3g} of {first['users']} users, all 0 or 1, where such intervals "
            f"hold less often than {100 * level:g} %"
            f"{f', as do {len(few) - 1} others' if few[1:] else ''}; give interval='auto', which "
            "uses Wilson's method there"
        )


def _intervals(
    rows: Sequence[Mapping[str, Any]],
    job: Job,
    units: Job,
    method: str,
    level: float,
    replicates: int,
    cluster: str | None,
) -> list[tuple[Any, ...]]:
    """Return the same, but by one method that is no share's."""
    errors = {} if cluster is None else clustered(units, cluster)
    sums = _linearised(units, cluster)
    estimates = clustered(sums, cluster) if sums else {}
    draws = drawn(units, replicates, cluster=cluster) if method in DRAWN else {}
    skewed: dict[Key, float | None] = {}
    if sums and method in DRAWN:
        draws |= drawn(sums, replicates, cluster=cluster)
    if method == "bca":
        if cluster is None:
            skewed = {key: one["skewness"] for key, one in summarised(job, []).items()}
        else:
            skewed = skewnesses(units, cluster=cluster)
        skewed |= skewnesses(sums, cluster=cluster) if sums else {}
    if method in DRAWN and cluster is None:
        draws |= _drawn_sums(job, replicates)
        whole_draws = resampled(job, labels(job), replicates)
        draws |= {key: [*values.values()] for key, values in whole_draws.items()}
    whole = {metric.label for metric, kind in job.plan.metrics() if not kind.of_users}
    none = (0, None, None)
    found: list[tuple[Any, ...]] = []
    for row in rows:
        key = key_of(row, job.segments)
        of_users = row["metric"] in job.means
        count, error = round(row.get("deciding_users") or row["users"]), row.get("standard_error")
        freedom: float | None = count - 1
        if key in estimates and (error is None or cluster is not None):
            count, freedom, error = estimates[key]
        elif cluster is not None:
            count, freedom, error = errors.get(key, none) if of_users else none
        limits: Interval = (None, None)
        if row["value"] is None or (method in DRAWN and (key not in draws or count < 2)):
            error = None
        elif method not in DRAWN:
            limits = by_error(method, level, row["value"], count, error, freedom)
        else:
            error = deviation(draws[key])
            if row["metric"] in whole and key not in estimates:
                # With fewer different users than there are, their draws lie to one side of it.
                limits = by_error("normal", level, row["value"], count, error)
            elif is_rounding(error, count, abs(row["value"])):
                limits = (None, None)
            elif (skewness := skewed.get(key)) is None:
                limits = percentile(level, draws[key])
            else:
                limits = bca(level, draws[key], row["value"], count, skewness)
        found.append((*(() if cluster is None else (count or None, freedom)), error, *limits))
    return found


def _of_share(level: float, row: Mapping[str, Any]) -> tuple[float | None, ...]:
    value, users, error = row["value"], row["users"], row["standard_error"]
    if value is None or error is None:
        return None, None, None
    if not is_of_zeros_and_ones(value, users, error):
        raise InputError(
            f"interval='wilson': users' values of {spelled(row['metric'], row['k'])} are not 0 and "
            "1 alone; give interval='t'"
        )
    return (error, *wilson(level, value, users))


# What a result tells of groups of users.
UNITS = ("clusters", "degrees_of_freedom")
_OF_BASELINE = ("baseline_error", "covariance")


def _linearised(job: Job, cluster: str | None) -> Job | None:
    """Keep metrics that are ratios of sums, for each user what it adds to them.

    These are estimates of logged decisions, and means by weights of users in clusters.
    """
    wanted = {one.label for one in job.asked if one.reads("logs")} & job.linear
    if job.plan.user_weights and cluster is not None:
        wanted = job.linear
    elif not wanted or not job.plan.logs or not job.plan.logs.user_id:
        return None
    plan = job.plan.of_metrics(wanted)
    return replace(job, plan=plan.each(lambda one: replace(with_terms(one), errors=False)))


def with_terms(plan: Plan) -> Plan:
    """Ask for what users add to sums; logged decisions are then those of their users."""
    return replace(plan, terms=True, kinds=[replace(kind, of_users=True) for kind in plan.kinds])


def clustered(
    job: Job, cluster: str | None, *, baseline: str | None = None
) -> dict[Key, tuple[Any, ...]]:
    """Return how many clusters there are, t's degrees of freedom, and the error of users' means.

    Of differences to a baseline the error of its mean too, and the covariance of both.
    """
    if not job.of_users:
        return {}
    label, segments = _segments(job, cluster)
    found = (*UNITS, "standard_error", *(_OF_BASELINE if baseline or job.plan.pairs else ()))
    columns = ("model", *segments, "metric", "k", *found)
    rows = _rows(job, "clusters", columns, cluster=label, baseline_model=baseline)
    return {key_of(row, segments): tuple(row[name] for name in found) for row in rows}


def skewnesses(
    job: Job, baseline: str | None = None, cluster: str | None = None
) -> dict[Key, float | None]:
    """Return how skewed users' values are, or differences to a baseline, or sums of clusters."""
    if not job.of_users:
        return {}
    label, segments = _segments(job, cluster)
    columns = ("model", *segments, "metric", "k", "skewness")
    rows = _rows(job, "shapes", columns, baseline_model=baseline, cluster=label)
    return {key_of(row, segments): row["skewness"] for row in rows}


def sizes(job: Job, baseline: str | None, few: int) -> dict[Key, list[Size]]:
    """Return the sizes of differences to a baseline, where at most so few users have one."""
    _, segments = _segments(job)
    columns = ("model", *segments, "metric", "k", *Size._fields)
    found: dict[Key, list[Size]] = {}
    for row in _rows(job, "sizes", columns, baseline_model=baseline, few=few):
        one = Size(row["size_rank"], row["distance"], int(row["users"]), int(row["signs"]))
        found.setdefault(key_of(row, segments), []).append(one)
    return found


def blocked(job: Job) -> dict[Key, tuple[int, float, dict[str, float]]]:
    """Return for each segment, metric and cutoff what users with a value of every model are like.

    How many they are, the sum of squares of what model and user leave, and the models' means.
    """
    segments = [segment.name for segment in job.plan.by]
    columns = ("model", *segments, "metric", "k", "users", "value", "squares")
    found: dict[Key, tuple[int, float, dict[str, float]]] = {}
    for row in _rows(job, "blocks", columns):
        key = key_of(row, segments)[1:]
        _, squares, means = found.get(key, (0, 0.0, {}))
        means[row["model"]] = row["value"]
        found[key] = (row["users"], squares + row["squares"], means)
    return found


def ranges(job: Job, trials: int) -> dict[Key, list[float]]:
    """Return how far sums of models are apart where users' values are dealt to them at random.

    A number for each trial, by segment, metric and cutoff.
    """
    segments = [segment.name for segment in job.plan.by]
    columns = (*segments, "metric", "k", "trial", "spread")
    found: dict[Key, list[float]] = {}
    for row in _rows(job, "ranges", columns, trials=trials) if job.of_users else ():
        found.setdefault(key_of(row | {"model": None}, segments)[1:], []).append(row["spread"])
    return found


def _rows(job: Job, macro: str, columns: Iterable[str], **arguments: Any) -> list[dict[str, Any]]:
    """Run a statement over per-user values, whose last column is ``violations``.

    Raises:
        DataError: Rows that break a rule, such as a user in two clusters.
    """
    text = job.render(macro, job.plan.numbered(), **arguments)
    rows = job.records(text, (*columns, "violations"))
    job.refuse_broken(rows)
    return rows


def _drawn_rows(
    job: Job, macro: str, columns: tuple[str, ...], **arguments: Any
) -> list[dict[str, Any]]:
    """Run a statement of draws as ``_rows``; in DuckDB where SQLite has the users.

    SQLite has no hash, and sorts slowly what is drawn.
    """
    if job.inputs.engine.dialect != "sqlite":
        return _rows(job, macro, columns, found=None, **arguments)
    plan = job.plan.numbered()
    groups = columns[: columns.index("block")]
    text = job.render("sampled_values", plan, **arguments)
    terms = ("added_part", "added_whole") if arguments["sums"] else ()
    found = job.query(text, (*groups, "unit", "value", *terms, "violations"))
    engine = DuckDB()
    values = found.to_arrow() if isinstance(found, Rows) else found
    with engine.naming({"found_values": values}):
        text = render(macro, plan, engine.dialect, found="found_values", **arguments)
        drawn = engine.query(text)
        assert drawn is not None  # There is PyArrow, as values are one of its tables.
        rows: list[dict[str, Any]] = drawn.to_pylist()
    engine.rest()
    job.refuse_broken(rows)
    return rows


def _segments(job: Job, cluster: str | None = None) -> tuple[str | None, list[str]]:
    """Return the segment that names clusters, and the others.

    By number: their own names might be those of columns inside a statement.
    """
    numbered = {segment.asked: segment.name for segment in job.plan.by}
    label = None if cluster is None else numbered.pop(cluster)
    return label, [*(["baseline"] if job.plan.pairs else []), *numbered.values()]


def summarised(job: Job, shares: Sequence[float]) -> dict[Key, dict[str, Any]]:
    """Summarise per-user values, with quantiles at some shares."""
    if not job.of_users:
        return {}
    quantiles = [f"{kind}_{n}" for n in range(1, len(shares) + 1) for kind in ("quantile", "lower")]
    shape = ("users", "mean", "standard_deviation", "skewness", "min", "max", "zero_share")
    _, segments = _segments(job)
    columns = ("model", *segments, "metric", "k", *shape, *quantiles)
    rows = _rows(job, "summaries", columns, quantiles=list(shares))
    return {key_of(row, segments): row for row in rows}


def with_summaries(job: Job, asked: Mapping[str, tuple[str, float] | None]) -> Job:
    """Ask for summaries beside the means, where the engine makes them there: on DuckDB."""
    if job.inputs.engine.dialect != "duckdb":
        return job
    summaries = [quantile or (name, None) for name, quantile in asked.items()]
    return replace(job, plan=job.plan.each(lambda one: replace(one, summaries=summaries)))


def summary_columns(
    rows: Sequence[Mapping[str, Any]],
    job: Job,
    asked: Mapping[str, tuple[str, float] | None],
) -> list[list[float | None]]:
    """Return the summaries of each row of a result, as they are asked."""
    if job.plan.summaries:
        return [[row[f"summary_{place}"] for place, _ in enumerate(asked, 1)] for row in rows]
    shares = sorted({quantile[1] for quantile in asked.values() if quantile})
    found = summarised(job, shares)

    def value(row: Mapping[str, Any], name: str) -> float | None:
        summary = found.get(key_of(row, job.segments), {})
        quantile = asked[name]
        if quantile:
            name = f"{quantile[0]}_{shares.index(quantile[1]) + 1}"
        number: float | None = summary.get(name)
        return number

    return [[value(row, name) for name in asked] for row in rows]


def drawn(
    job: Job, replicates: int, *, baseline: str | None = None, cluster: str | None = None
) -> dict[Key, list[float]]:
    """Return means over users drawn again; of the differences to a baseline, if there is one."""
    how = ("replicates", "replicate", replicates, REPLICATES_A_BLOCK)
    draws = _blocks(job, *how, baseline, cluster)
    # A metric is before the last of what a value is told apart by. With terms all are made means.
    return {k: found for k, found in draws.items() if job.plan.terms or k[-2] in job.means}


def _drawn_sums(job: Job, replicates: int) -> dict[Key, list[float]]:
    """Return what metrics are that are functions of sums over users, over users drawn again."""
    wanted = job.of_sums
    if not wanted:
        return {}
    plan = job.plan.of_metrics(wanted).each(lambda one: replace(with_terms(one), errors=False))
    how = ("replicates", "replicate", replicates, REPLICATES_A_BLOCK)
    return _blocks(replace(job, plan=plan), *how, None, None, sums=True)


def flipped(job: Job, flips: int, *, baseline: str | None) -> dict[Key, list[float]]:
    """Return sums of the differences to a baseline with signs turned at random."""
    return _blocks(job, "flips", "flip", flips, FLIPS_A_BLOCK, baseline, None)


def _blocks(
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
    if not job.of_users:
        return {}
    label, segments = _segments(job, cluster)
    arguments = {"blocks": -(-count // size), "cluster": label, "baseline_model": baseline}
    arguments["sums"] = sums
    draws = [f"{name}_{number}" for number in range(1, size + 1)]
    columns = ("model", *segments, "metric", "k", "block", *draws)
    found: dict[Key, dict[int, list[float | None]]] = {}
    for row in _drawn_rows(job, macro, columns, **arguments):
        blocks = found.setdefault(key_of(row, segments), {})
        blocks[row["block"]] = [row[draw] for draw in draws]
    return {
        # A replicate in which nobody was drawn has no mean.
        key: [draw for _, block in sorted(blocks.items()) for draw in block if draw is not None][
            :count
        ]
        for key, blocks in found.items()
    }
