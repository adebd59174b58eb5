"""What is made of the values of users beside their mean: intervals, summaries, draws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .catalogue import spelled
from .errors import InputError
from .statistics import DRAWN, Interval, bca, by_error, is_of_shares, percentile, wilson

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from .runner import Job

# Draws of one hash.
REPLICATES_A_BLOCK = 4
FLIPS_A_BLOCK = 32

Key = tuple[Any, ...]


def key_of(row: Mapping[str, Any], segments: Sequence[str]) -> Key:
    """Return what a value is told apart by; by repr, NaN is itself."""
    return (*(repr(row[name]) for name in ("model", *segments)), row["metric"], row["k"])


def with_columns(
    table: pa.Table, names: Iterable[str], rows: Iterable[Sequence[float | None]]
) -> pa.Table:
    """Add columns of numbers to a table, given row by row."""
    import pyarrow as pa

    for name, column in zip(names, zip(*rows, strict=True), strict=True):
        table = table.append_column(name, pa.array(column, pa.float64()))
    return table


def intervals(
    rows: Sequence[Mapping[str, Any]],
    job: Job,
    units: Job,
    *,
    method: str,
    level: float,
    replicates: int,
    cluster: str | None,
) -> list[Interval]:
    """Return the interval of each row of a result.

    Args:
        rows: The result; for intervals by an error with its ``standard_error``.
        job: What was evaluated.
        units: The same, by clusters too where there are some.
        method, level, replicates, cluster: As in ``evaluate``.

    Raises:
        InputError: Shares are asked of a metric that is none.
    """
    if method not in DRAWN and cluster is not None:
        errors = clustered(units, cluster)
        return [_by_cluster(method, level, row, errors, job) for row in rows]
    if method not in DRAWN:
        return [_by_error(method, level, row) for row in rows]
    draws = drawn(units, replicates, cluster=cluster)
    shapes = summarised(job, []) if method == "bca" else {}
    means = job.means
    found: list[Interval] = []
    for row in rows:
        key = key_of(row, job.segments)
        if row["metric"] not in means or key not in draws or row["users"] < 2:
            found.append((None, None))
        elif method == "bca" and shapes[key]["skewness"] is not None:
            shape = shapes[key]
            found.append(bca(level, draws[key], shape["mean"], shape["users"], shape["skewness"]))
        else:
            found.append(percentile(level, draws[key]))
    return found


def _by_error(method: str, level: float, row: Mapping[str, Any]) -> Interval:
    value, users, error = row["value"], row["users"], row["standard_error"]
    if method != "wilson":
        return by_error(method, level, value, users, error)
    if not is_of_shares(value, users, error):
        raise InputError(
            f"interval='wilson': users' values of {spelled(row['metric'], row['k'])} are not 0 and "
            "1 alone; give interval='t'"
        )
    return wilson(level, value, users)


def _by_cluster(
    method: str,
    level: float,
    row: Mapping[str, Any],
    errors: Mapping[Key, tuple[int, float | None]],
    job: Job,
) -> Interval:
    """Return the interval of a mean by the error of clusters, of which there are fewer."""
    if row["metric"] not in job.means or row["value"] is None:
        return None, None
    count, error = errors[key_of(row, job.segments)]
    return by_error(method, level, row["value"], count, error)


def clustered(
    job: Job, cluster: str, *, baseline: str | None = None
) -> dict[Key, tuple[int, float | None]]:
    """Return how many clusters there are, and the standard error of means over their users."""
    if not job.of_users:
        return {}
    label, segments = _apart(job, cluster)
    plan = job.plan | {"cluster": label, "baseline_model": baseline}
    columns = ("model", *segments, "metric", "k", "clusters", "standard_error")
    rows = job.query(job.render("clusters", plan), columns).to_pylist()
    return {key_of(row, segments): (row["clusters"], row["standard_error"]) for row in rows}


def blocked(job: Job) -> dict[Key, tuple[int, float, dict[str, float]]]:
    """Return for each segment, metric and cutoff what users with a value of every model are like.

    How many they are, the sum of squares of what model and user leave, and the models' means.
    """
    columns = ("model", *job.segments, "metric", "k", "users", "value", "squares")
    found: dict[Key, tuple[int, float, dict[str, float]]] = {}
    for row in job.query(job.render("blocks"), columns).to_pylist():
        key = key_of(row, job.segments)[1:]
        _, squares, means = found.get(key, (0, 0.0, {}))
        means[row["model"]] = row["value"]
        found[key] = (row["users"], squares + row["squares"], means)
    return found


def _apart(job: Job, cluster: str | None) -> tuple[str | None, list[str]]:
    """Return the label of the column that names clusters, and the other segments."""
    label = next((one["label"] for one in job.plan["by"] if one["asked"] == cluster), None)
    return label, [name for name in job.segments if name != cluster]


def summarised(job: Job, shares: Sequence[float]) -> dict[Key, dict[str, Any]]:
    """Summarise the values of users, with quantiles at some shares."""
    if not job.of_users:
        return {}
    quantiles = [f"{kind}_{n}" for n in range(1, len(shares) + 1) for kind in ("quantile", "lower")]
    shape = ("users", "mean", "standard_deviation", "skewness", "min", "max", "zero_share")
    columns = ("model", *job.segments, "metric", "k", *shape, *quantiles, "faults")
    text = job.render("summaries", job.plan | {"quantiles": list(shares)})
    rows = job.query(text, columns).to_pylist()
    return {key_of(row, job.segments): row for row in rows}


def summary_columns(
    rows: Sequence[Mapping[str, Any]],
    job: Job,
    asked: Mapping[str, tuple[str, float] | None],
) -> list[list[float | None]]:
    """Return the summaries of each row of a result, as they are asked."""
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
) -> dict[Key, np.ndarray]:
    """Return means over users drawn again; of the differences to a baseline, if there is one."""
    return _blocks(
        job, "replicates", "replicate", replicates, REPLICATES_A_BLOCK, baseline, cluster
    )


def flipped(job: Job, flips: int, *, baseline: str) -> dict[Key, np.ndarray]:
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
) -> dict[Key, np.ndarray]:
    import numpy as np

    if not job.of_users:
        return {}
    label, segments = _apart(job, cluster)
    plan = {"blocks": -(-count // size), "cluster": label, "baseline_model": baseline}
    draws = [f"{name}_{number}" for number in range(1, size + 1)]
    columns = ("model", *segments, "metric", "k", "block", *draws)
    found: dict[Key, dict[int, list[float | None]]] = {}
    for row in job.query(job.render(macro, job.plan | plan), columns).to_pylist():
        blocks = found.setdefault(key_of(row, segments), {})
        blocks[row["block"]] = [row[draw] for draw in draws]
    return {
        # A replicate in which nobody was drawn has no mean.
        key: np.array(
            [draw for _, block in sorted(blocks.items()) for draw in block if draw is not None]
        )[:count]
        for key, blocks in found.items()
    }
