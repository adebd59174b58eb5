"""Models beside one of them, user by user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from .catalogue import TABLES
from .errors import DataError, InputError, nearest
from .names import text
from .result import Table
from .runner import Job, prepare
from .samples import drawn, flipped, key_of
from .statistics import (
    CORRECTIONS,
    DRAWN,
    INTERVALS,
    TESTS,
    check_choice,
    check_draws,
    check_level,
    corrected,
    detectable,
    p_value,
    percentile,
    quantile_of,
)

if TYPE_CHECKING:
    import pyarrow as pa

# What sql/statistics/comparison.sql finds, after the segments.
COMPARED = (
    *("metric", "k", "users", "value", "baseline_value", "difference", "standard_error"),
    *("low", "high", "wins", "ties", "losses", "signed_ranks", "signed_ranks_error", "faults"),
)

# What its named queries call columns, so that no segment may.
_INSIDE = ("distance", "direction", "mean_difference", "size_rank", "unit", "block")

# The chance with which the least detectable difference is found.
POWER = 0.8


class Comparison(Table):
    """The differences of models to a baseline: a row per model, segment, metric and cutoff.

    Columns: ``model``; the segments; ``metric`` and ``k``; ``users``, for whom both have a value;
    ``value`` and ``baseline_value``, the means over these users; ``difference``, and
    ``relative_difference``, by the baseline's value; ``low`` and ``high``, the interval of the
    difference; ``wins``, ``ties`` and ``losses`` of the model, counted by users; ``p``, how likely
    such a difference is where neither is better, and ``p_adjusted``, that for all rows together;
    ``detectable``, the least true difference that this many users show with a chance of 80 %.
    Null is what can't be told: an interval of one user, a p value where nobody's values differ.
    """


def compare(
    metrics: str | Iterable[str],
    *,
    recs: Any,
    baseline: str,
    interval: str = "t",
    level: float = 0.95,
    test: str = "t",
    correction: str = "holm",
    replicates: int = 1000,
    **options: Any,
) -> Comparison:
    """Compare models with one of them, user by user.

    What two models have for the same user goes together, so that their differences say more than
    two means and intervals do. Users count where both models have a value.

    Args:
        metrics: As in ``evaluate``: means of the values of users.
        recs: The lists of several models: a dict of tables, or a table with a column ``model``.
        baseline: The model that the others are compared with.
        interval: The interval of the mean difference: ``t``, ``normal``, or ``bootstrap``.
        level: How often such an interval holds the truth.
        test: Where ``p`` comes from: ``t``, Student's test for pairs; ``wilcoxon``, the signed
            rank test; ``sign``, wins against losses; ``randomization``, signs turned at random.
        correction: What is done about many tests: ``holm``, ``bonferroni``, ``bh`` or ``none``,
            over all models, metrics and segments that are asked.
        replicates: How often users are drawn, or signs turned. Both are hashes of user ids: always
            the same.
        **options: The other inputs and rules of ``evaluate``.

    Raises:
        MetricError, InputError, DataError: As in ``evaluate``. InputError: One model, or a baseline
            that is none of them; a metric that is no mean over users.
    """
    check_choice(
        "interval", interval, [each for each in INTERVALS if each not in ("wilson", "bca")]
    )
    check_choice("test", test, TESTS)
    check_choice("correction", correction, CORRECTIONS)
    check_level(level)
    check_draws("replicates", replicates)
    if not isinstance(baseline, str) or not baseline:
        raise InputError(f"baseline={baseline!r}: name the model to compare with, as in 'pop'")
    if isinstance(recs, Mapping) and baseline not in recs:
        raise InputError(f"baseline={baseline!r} is no model of recs: {nearest(baseline, recs)}")
    given = {name: options.pop(name, None) for name in TABLES} | {"recs": recs}
    job = prepare(metrics, given=given, **options)
    _check(job)
    model = text(baseline, job.inputs.engine.dialect)
    statement = job.render("comparison", job.plan | {"baseline_model": model})
    rows = job.query(statement, ("model", *job.segments, *COMPARED)).to_pylist()
    for row in rows:
        if row["faults"]:
            raise DataError(job.fault(job.part(row)))
    if not rows:
        raise InputError(
            f"baseline={baseline!r}: no user has a value of it and of another model; are there two "
            "models, and is it one of them?"
        )
    _add_intervals(rows, job, interval, level, replicates, model)
    flips = flipped(job, replicates, baseline=model) if test == "randomization" else {}
    for row in rows:
        base = row["baseline_value"]
        row["relative_difference"] = row["difference"] / base if base else None
        row["p"] = p_value(test, row, flips.get(key_of(row, job.segments)))
        row["detectable"] = detectable(level, POWER, row["users"], row["standard_error"])
    for row, adjusted in zip(rows, corrected(correction, [r["p"] for r in rows]), strict=True):
        row["p_adjusted"] = adjusted
    return Comparison(statement, lambda: _table(rows, job))


def _check(job: Job) -> None:
    """Refuse what can't be compared before the SQL runs.

    Raises:
        InputError: One model; a metric that is no mean over users; a segment with a column's name.
    """
    models = [source["model"] for source in job.plan["recs"]]
    if "model" not in job.plan["keys"] or (len(models) == 1 and models[0]):
        raise InputError(
            "recs has one model, and a comparison needs two: give recs={'als': ..., 'pop': ...}, "
            "or a table with a column 'model'"
        )
    means = job.means
    for one in job.asked:
        if one.label not in means:
            raise InputError(
                f"{one.label} is no mean of the values of users, which are what is compared: ask "
                "for others"
            )
    for name in job.segments:
        if name.lower() in (*COMPARED, *_INSIDE):
            raise InputError(f"by={name!r}: the comparison has a column of this name; rename it")


def _add_intervals(
    rows: list[dict[str, Any]], job: Job, interval: str, level: float, replicates: int, model: str
) -> None:
    draws = drawn(job, replicates, baseline=model) if interval in DRAWN else {}
    for row in rows:
        row["low"] = row["high"] = None
        if row["users"] < 2:
            continue
        if interval in DRAWN:
            row["low"], row["high"] = percentile(level, draws[key_of(row, job.segments)])
        else:
            reach = quantile_of(interval, level, row["users"]) * row["standard_error"]
            row["low"], row["high"] = row["difference"] - reach, row["difference"] + reach


def _table(rows: list[dict[str, Any]], job: Job) -> pa.Table:
    import pyarrow as pa

    numbers = (
        *("value", "baseline_value", "difference", "relative_difference", "low", "high"),
        *("p", "p_adjusted", "detectable"),
    )
    counts = ("users", "wins", "ties", "losses")
    types = {name: pa.float64() for name in numbers} | {name: pa.int64() for name in counts}
    names = (
        *("model", *job.segments, "metric", "k", "users", "value", "baseline_value", "difference"),
        *("relative_difference", "low", "high", "wins", "ties", "losses"),
        *("p", "p_adjusted", "detectable"),
    )
    return pa.table(
        {name: pa.array([row[name] for row in rows], types.get(name)) for name in names}
    )
