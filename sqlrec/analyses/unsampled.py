"""Metrics of the whole catalog from lists of sampled candidates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from ..catalogue.conventions import OWN
from ..catalogue.own import know
from ..catalogue.requests import MetricRequest, parse_metrics, spelled
from ..display.layout import Layout
from ..errors import DataError, InputError
from ..evaluation import takes
from ..options import ESTIMATORS, LEVEL, Beside, Estimator, check_choice, check_flag
from ..results.evaluated import of_result
from ..results.rows import Rows
from ..results.table import Table
from ..run.job import Job, Key, open_inputs, prepare
from ..run.segments import refuse
from ..shown import warn
from ..statistics.formulas import by_error, scipy_stats

if TYPE_CHECKING:
    import numpy as np

# What each metric is worth to a user whose one relevant item is within k.
METRICS = ("hit_rate", "recall", "precision", "reciprocal_rank", "average_precision", "ndcg")

# What sql/statistics/sampled_ranks.sql finds, after the segments.
COUNTED = ("rank", "users", "relevant_items", "least_places", "most_places", "violations")

# Where the likelihood is maximal: when a step raises its logarithm, a user's on average, by less.
SMALL_STEP = 1e-7
MOST_STEPS = 2000

# What is known of a place of the whole ranking is held in memory, for as many.
LARGEST_CATALOG = 100_000_000

# Chances that are held at once: 400 MB. They are made block by block where each is read once.
LARGEST_MATRIX = 50_000_000
_BLOCK = 4_000_000

# Ranks between which chances hardly differ go together: so many groups for each standard deviation
# of the rank that a place stands for; and fewer where only an error is wanted.
_FINE, _COARSE = 32, 4

# How often users are drawn again for the error of the likeliest distribution, which takes long: the
# interval is by t of as many.
DRAWS = 40

# What is less likely than this is impossible: it takes numbers that processors are slow with.
_NEVER = 1e-200


@takes(Beside)
def unsampled(
    metrics: str | Iterable[str],
    *,
    recs: Any,
    truth: Any,
    catalog_size: int,
    candidates: int,
    k: int | str | Iterable[int | str] | None = None,
    estimator: Estimator = "auto",
    gamma: float = 0.1,
    replacement: bool = False,
    level: float = 0.95,
    by: str | Iterable[str] = (),
    **options: Unpack[Beside],
) -> Table:
    """Estimate metrics over the whole catalog from lists of sampled candidates.

    Evaluation with sampled candidates ranks each user's relevant item among a few sampled items.
    Metrics of those lists are too high, often by far, and can order models differently from the
    whole catalog; more users do not help. ``evaluate`` cannot detect that candidates were sampled.
    Here, ``sampled`` is the value in the sampled lists, which you should not report, and ``value``
    is an estimate of the value over the whole catalog.

    At cutoffs below ``catalog_size / candidates`` the sampled lists contain little information:
    their first place stands for all these ranks. Only ``mle`` orders models correctly there; the
    other estimators warn.

    Each user has one relevant item. Its place is the ``rank`` in its row of ``recs``, or is found
    from scores. A list with ranks needs only the row of the relevant item; one with scores needs
    the rows of all candidates.

    Columns of the result, a row per model, segment, metric and cutoff: ``asked``, the metric as you
    wrote it; ``sampled`` and ``value``, as above; ``users``; the estimate's ``standard_error`` and
    its t interval, ``low`` to ``high``; and the ``estimator``. The standard error of ``mle`` is the
    standard deviation of 40 estimates from resampled users, that of other estimators the standard
    error of a mean.

    Source: rank, bv, cls: Krichene & Rendle 2020, doi.org/10.1145/3394486.3403226, with all ranks
    equally likely. mle: Jin et al. 2021, arxiv.org/abs/2103.01474.

    Args:
        metrics: ``hit_rate``, ``recall``, ``precision``, ``reciprocal_rank``,
            ``average_precision`` and ``ndcg``, with their default parameters, at cutoffs.
        recs: The ranked candidates of each user, as in ``evaluate``.
        truth: The relevant item of each user.
        catalog_size: The number of items in the whole ranking: the relevant item, and all items
            that candidates were drawn from, each with equal probability.
        candidates: The number of items in a sampled list, the relevant item included.
        k: The default cutoff, or several, as in ``evaluate``.
        estimator: ``auto`` (default) uses ``mle`` at cutoffs below ``catalog_size / candidates``
            and ``bv`` at others. ``bv`` gives each place the value with the least squared bias plus
            ``gamma`` times the variance. ``cls`` minimizes the bias alone, with values that never
            rise from one place to the next and stay within the metric's bounds. ``rank`` takes the
            value at the most likely rank, a rough estimate. ``mle`` uses the maximum likelihood
            distribution of ranks.
        gamma: The weight of the variance in ``bv``. A smaller one suits many users: less bias, more
            variance.
        replacement: Whether candidates were drawn with replacement. Since an item has one place in
            a list, ``recs`` then needs ranks, which count an item as often as it was drawn.
        level: The confidence level of the interval. It covers the uncertainty from the number of
            users and from drawing candidates once, not the estimator's bias.
        by: Columns of segments, as in ``evaluate``.
        **options: The other inputs and rules of ``evaluate``. ``population`` is ``truth`` or
            ``truth_and_recs``.

    Returns:
        A Table with a row per model, segment, metric and cutoff.

    Example:
        >>> import pyarrow as pa, sqlrec
        >>> recs = pa.table({"user_id": ["ann", "bob"], "item_id": ["a", "c"], "rank": [1, 40]})
        >>> truth = pa.table({"user_id": ["ann", "bob"], "item_id": ["a", "c"]})
        >>> given = {"recs": recs, "truth": truth, "catalog_size": 1000, "candidates": 100}
        >>> found = sqlrec.unsampled("hit_rate@50", **given)
        >>> (row,) = found.to_arrow().to_pylist()
        >>> round(row["sampled"], 2), round(row["value"], 2)
        (1.0, 0.49)

    Raises:
        MetricError: As in ``evaluate``.
        InputError: As in ``evaluate``; also for a metric that is not listed above, or impossible
            numbers.
        DataError: As in ``evaluate``; also for a user without a list, with a list that lacks the
            relevant item or is too long, or with several relevant items.
    """
    scipy_stats("unsampled")
    check_choice("estimator", estimator, ESTIMATORS)
    check_flag("replacement", replacement)
    level = LEVEL.read(level)
    _check_numbers(catalog_size, candidates, gamma)
    know(options.get("metrics_path"))
    asked = parse_metrics(metrics, OWN, k)
    _check_metrics(asked)
    chosen = _chosen(asked, catalog_size, candidates, estimator)
    for name in ("convention", "depth"):
        if options.get(name) is not None:
            raise InputError(f"{name}={options[name]!r}: sampled lists are taken as they are")
    if options.get("population") not in (None, "truth", "truth_and_recs"):
        raise InputError(
            f"population={options['population']!r}: users have a relevant item; give 'truth' or "
            "'truth_and_recs'"
        )
    _warn_of_cutoffs(chosen, catalog_size, candidates)
    given = open_inputs({**options, "recs": recs, "truth": truth})
    job = prepare("reciprocal_rank@all", by=by, **given)
    refuse(job.segments, [*COUNTED, "sampled", "estimator"])
    text = job.render("sampled_ranks")
    rows = job.records(text, ("model", *job.segments, *COUNTED))
    _check_rows(rows, job, candidates)
    chances = Chances(catalog_size, candidates, replacement)
    found = _estimates(rows, job, chosen, chances, gamma)
    for row in found:
        units = DRAWS if row["estimator"] == "mle" else row["users"]
        limits = by_error("t", level, row["value"], units, row["standard_error"])
        row["low"], row["high"] = limits
    table = _table(replace(job, asked=asked).sorted(found), job)
    return Table(text, lambda: table, inputs=job.paths, lay_out=partial(_laid_out, level=level))


def _check_numbers(catalog_size: Any, candidates: Any, gamma: Any) -> None:
    for name, number in (("catalog_size", catalog_size), ("candidates", candidates)):
        whole = isinstance(number, int) and not isinstance(number, bool)
        if not whole or not 2 <= number <= LARGEST_CATALOG:
            raise InputError(f"{name}={number!r}: it is a whole number from 2 to {LARGEST_CATALOG}")
    if catalog_size <= candidates:
        raise InputError(
            f"catalog_size={catalog_size} and candidates={candidates}: nothing was sampled where "
            "lists hold the whole catalog; use evaluate"
        )
    if isinstance(gamma, bool) or not isinstance(gamma, (int, float)) or not 0 < gamma <= 1:
        raise InputError(f"gamma={gamma!r}: it is above 0 and at most 1, such as 0.1")


def _chosen(
    asked: list[MetricRequest], catalog_size: int, candidates: int, estimator: str
) -> dict[str, list[MetricRequest]]:
    """Return which metrics each estimator makes.

    Raises:
        InputError: The likeliest distribution of places of such lists is too large.
    """
    large = len(grouped(catalog_size, candidates, _FINE)) * candidates > LARGEST_MATRIX
    if estimator == "mle" and large:
        raise InputError(
            f"estimator='mle' and candidates={candidates}: lists are too long for it; give "
            "estimator='bv'"
        )
    found: dict[str, list[MetricRequest]] = {}
    for one in asked:
        own = "mle" if (one.k or 0) * candidates < catalog_size and not large else "bv"
        found.setdefault(own if estimator == "auto" else estimator, []).append(one)
    return found


def _check_metrics(asked: Iterable[MetricRequest]) -> None:
    for one in asked:
        name = spelled(one.label, one.k)
        if one.metric.name not in METRICS or one.params or one.convention != OWN:
            raise InputError(
                f"{name}: no estimate from sampled candidates; known are {', '.join(METRICS)}, "
                "without parameters"
            )
        if one.k is None:
            raise InputError(f"{name}: an estimate has a cutoff; write {one.label}@10")


def _warn_of_cutoffs(
    chosen: Mapping[str, list[MetricRequest]], catalog_size: int, candidates: int
) -> None:
    """Warn of cutoffs that are all in the first place of a list."""
    for estimator, asked in chosen.items():
        few = [one for one in asked if (one.k or 0) * candidates < catalog_size]
        if few and estimator != "mle":
            warn(
                f"{', '.join(spelled(one.label, one.k) for one in few)}: of cutoffs below "
                f"catalog_size / candidates = {catalog_size / candidates:.4g} lists of candidates "
                f"tell little, and estimator={estimator!r} may put models in another order than "
                "the whole catalog does; give estimator='mle', more candidates, or larger cutoffs"
            )


def _check_rows(rows: list[dict[str, Any]], job: Job, candidates: int) -> None:
    if not rows:
        raise DataError("truth and recs have no users to average over: no user has a relevant item")
    if rows[0]["violations"]:
        raise DataError(job.violation(job.plan))
    by_score = job.plan.order == "score"
    for row in rows:
        model, count, longest = row["model"], row["users"], row["most_places"]
        if row["relevant_items"] > 1:
            raise DataError(
                f"{model}: a user has {row['relevant_items']} relevant items: an estimate needs "
                "one of each user; leave the others out of truth"
            )
        if not row["least_places"]:
            raise DataError(
                f"{model}: users of truth have no list; give population='truth_and_recs' to leave "
                "them out"
            )
        if row["rank"] is None:
            raise DataError(
                f"{model}: lists of {count} users lack the relevant item: it is one of the "
                "candidates; give all candidates, or the rank of the relevant item"
            )
        if max(row["rank"], longest) > candidates:
            raise DataError(
                f"{model}: a list has {longest} places and the relevant item at rank "
                f"{row['rank']}, more than candidates={candidates}: it counts the relevant item too"
            )
        if by_score and row["least_places"] < candidates:
            raise DataError(
                f"{model}: a list has {row['least_places']} places, less than "
                f"candidates={candidates}: with scores a list holds all candidates"
            )


def _estimates(
    rows: list[dict[str, Any]],
    job: Job,
    chosen: Mapping[str, list[MetricRequest]],
    chances: Chances,
    gamma: float,
) -> list[dict[str, Any]]:
    """Return the rows of the result, without intervals."""
    import numpy as np

    groups: dict[Key, tuple[dict[str, Any], np.ndarray]] = {}
    for row in rows:
        key = tuple(repr(row[name]) for name in ("model", *job.segments))
        _, counts = groups.setdefault(key, (row, np.zeros(chances.candidates, dtype=np.int64)))
        counts[row["rank"] - 1] = row["users"]
    found = []
    for estimator, asked in chosen.items():
        in_lists = worth(asked, np.arange(1, chances.candidates + 1))
        made = partial(most_likely_values, chances, asked)
        if estimator != "mle":
            made = partial(_mean_values, _of_places(chances, asked, estimator, gamma))
        for row, counts in groups.values():
            sampled = counts / counts.sum() @ in_lists
            values, errors = made(counts)
            for one, *numbers in zip(asked, sampled, values, errors, strict=True):
                told = dict(
                    zip(("sampled", "value", "standard_error"), map(float, numbers), strict=True)
                )
                found.append(
                    {name: row[name] for name in ("model", *job.segments)}
                    | {"metric": one.label, "k": one.k, "asked": one.text, "estimator": estimator}
                    | {**told, "users": int(counts.sum())}
                )
    return found


def _of_places(
    chances: Chances, asked: list[MetricRequest], estimator: str, gamma: float
) -> np.ndarray:
    """Return what each place of a list is worth: a column for each metric."""
    if estimator == "rank":
        return worth(asked, likely_ranks(chances.catalog_size, chances.candidates))
    if estimator == "bv":
        return least_squares(chances, asked, gamma)
    return monotone_least_squares(chances, asked)


def _mean_values(of_places: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the means of what users' places are worth, and their standard errors."""
    import numpy as np

    users = counts.sum()
    means = counts @ of_places / users
    squares = counts @ (of_places - means) ** 2
    return means, np.sqrt(squares / max(1, users - 1) / users)


def worth(asked: Iterable[MetricRequest], ranks: np.ndarray) -> np.ndarray:
    """Return what metrics are worth with the relevant item at some ranks: a column for each."""
    import numpy as np

    columns = []
    for one in asked:
        assert one.k is not None
        value = {
            "precision": np.full(len(ranks), 1 / one.k),
            "reciprocal_rank": 1 / ranks,
            "average_precision": 1 / ranks,
            "ndcg": 1 / np.log2(ranks + 1),
        }.get(one.metric.name, np.ones(len(ranks)))
        columns.append(np.where(ranks <= one.k, value, 0))
    return np.stack(columns, axis=1)


def likely_ranks(catalog_size: int, candidates: int) -> np.ndarray:
    """Return the rank in the catalog that each rank among candidates stands for."""
    import numpy as np

    whole = [(catalog_size - 1) * above // (candidates - 1) for above in range(candidates)]
    return 1 + np.array(whole)


class Chances:
    """How likely a relevant item stands at each place of a sampled list, by its rank in the whole.

    Of the candidates drawn, those that stand above it in the whole do so in the list: their number
    is hypergeometric, or binomial where candidates are drawn with replacement.
    """

    def __init__(self, catalog_size: int, candidates: int, replacement: bool) -> None:
        import numpy as np
        from scipy.special import gammaln

        self.catalog_size = catalog_size
        self.candidates = candidates
        self.replacement = replacement
        self._log_factorials = gammaln(np.arange(catalog_size) + 1)

    def blocks(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Give ranks, and a row of chances for each of them, in blocks."""
        import numpy as np

        size = max(1, _BLOCK // self.candidates)
        for first in range(1, self.catalog_size + 1, size):
            ranks = np.arange(first, min(first + size, self.catalog_size + 1))
            yield ranks, self.of(ranks)

    def of(self, ranks: np.ndarray) -> np.ndarray:
        """Return the chances of some ranks: a row for each, a column for each place."""
        import numpy as np
        from scipy.special import xlog1py, xlogy

        drawn, others = self.candidates - 1, self.catalog_size - 1
        above = np.arange(self.candidates)[None, :]
        better = ranks[:, None] - 1
        if self.replacement:
            share = better / others
            powers = xlogy(above, share) + xlog1py(drawn - above, -share)
            return np.asarray(np.exp(self._choices(drawn, above) + powers))
        chances = np.exp(
            self._choices(better, above)
            + self._choices(others - better, drawn - above)
            - self._choices(others, drawn)
        )
        possible = (above <= better) & (drawn - above <= others - better)
        return np.asarray(np.where(possible, chances, 0))

    def _choices(self, whole: Any, part: Any) -> Any:
        """Return the logarithm of whole over part, which means nothing where part is more."""
        import numpy as np

        logs = self._log_factorials
        return logs[whole] - logs[part] - logs[np.maximum(whole - part, 0)]


def least_squares(chances: Chances, asked: list[MetricRequest], gamma: float) -> np.ndarray:
    """Return the values of places with the least bias^2 + gamma * variance.

    Both are those of a user's value, on average over all ranks.
    """
    import numpy as np

    size = chances.candidates
    squares, totals = np.zeros((size, size)), np.zeros(size)
    products = np.zeros((size, len(asked)))
    for ranks, block in chances.blocks():
        squares += block.T @ block
        totals += block.sum(axis=0)
        products += block.T @ worth(asked, ranks)
    # Variance is the mean of squares without the square of the mean.
    return np.linalg.solve((1 - gamma) * squares + gamma * np.diag(totals), products)


def monotone_least_squares(chances: Chances, asked: list[MetricRequest]) -> np.ndarray:
    """Return the values of places with the least bias^2 that never rise and are within bounds.

    They are sums of steps, from the last place up, and no step is below 0. One step more is what
    the first place lacks of the most that the metric can be: all steps add up to that, by an
    equation that weighs more than all others.
    """
    import numpy as np
    from scipy.optimize import nnls

    # The triangle of a QR decomposition, block by block, holds all that least squares read.
    triangle = np.zeros((0, chances.candidates + len(asked)))
    for ranks, block in chances.blocks():
        steps = np.cumsum(block, axis=1)
        beside = np.hstack([steps, worth(asked, ranks)])
        triangle = np.asarray(np.linalg.qr(np.vstack([triangle, beside]), mode="r"))
    left, right = triangle[:, : chances.candidates], triangle[:, chances.candidates :]
    most = worth(asked, np.array([1]))[0]
    weight = 1e4 * np.linalg.norm(left)
    bounded = np.block([[left, np.zeros((len(left), 1))], [np.full(left.shape[1] + 1, weight)]])
    columns = [
        nnls(bounded, np.append(column, weight * bound), maxiter=100 * chances.candidates)[0][:-1]
        for column, bound in zip(right.T, most, strict=True)
    ]
    falling = np.cumsum(np.stack(columns, axis=1)[::-1], axis=0)[::-1]
    return np.asarray(np.minimum(falling, most))


def grouped(
    catalog_size: int, candidates: int, fineness: int, cutoffs: Iterable[int] = ()
) -> np.ndarray:
    """Return the first ranks of groups of ranks that are next to each other.

    A group is a small part of how far the rank lies from that which its place in a list stands for:
    sqrt(x (1 - x) / candidates) of the catalog, at share x of it. Cutoffs end groups.
    """
    import numpy as np

    firsts, rank = [], 1
    while rank <= catalog_size:
        firsts.append(rank)
        share = min(rank, catalog_size - rank + 1) / catalog_size
        rank += max(1, int(catalog_size * (share / candidates) ** 0.5 / fineness))
    ends = [k + 1 for k in cutoffs if k < catalog_size]
    return np.unique(np.array([*firsts, *ends]))


def most_likely_values(
    chances: Chances, asked: list[MetricRequest], counts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return metrics of the most likely distribution of ranks, and their standard errors.

    These are deviations over users drawn again, by the bootstrap: Efron & Tibshirani 1993, 6.
    """
    import numpy as np

    users = counts.sum()
    draws = np.random.default_rng(0).multinomial(users, counts / users, DRAWS)
    values = _of_likeliest(chances, asked, counts[None, :], _FINE)[0]
    drawn = _of_likeliest(chances, asked, draws, _COARSE)
    return values, drawn.std(axis=0, ddof=1)


def _of_likeliest(
    chances: Chances, asked: list[MetricRequest], counts: np.ndarray, fineness: int
) -> np.ndarray:
    """Return metrics of the most likely ranks for each row of counts of users by place."""
    import numpy as np

    size = chances.catalog_size
    cutoffs = {min(one.k or 0, size) for one in asked}
    firsts = grouped(size, chances.candidates, fineness, cutoffs)
    widths = np.diff(np.append(firsts, size + 1))
    ranks = most_likely(chances, counts / counts.sum(axis=1, keepdims=True), firsts, widths)
    # Within a group ranks are equally likely: it is worth their mean.
    of_ranks = worth(asked, np.arange(1, max(cutoffs) + 1))
    sums = np.vstack([np.zeros(len(asked)), np.cumsum(of_ranks, axis=0)])
    ends = np.minimum(np.append(firsts, size + 1) - 1, len(of_ranks))
    return np.asarray(ranks @ (np.diff(sums[ends], axis=0) / widths[:, None]))


def most_likely(
    chances: Chances, shares: np.ndarray, firsts: np.ndarray, widths: np.ndarray
) -> np.ndarray:
    """Return the most likely distributions of groups of ranks for shares of users at each place.

    By expectation and maximisation, from ranks that are equally likely, row by row of shares.
    """
    import numpy as np

    seen = shares.any(axis=0)
    observed = shares[:, seen]
    matrix = chances.of(firsts + (widths - 1) // 2)[:, seen]
    matrix[matrix < _NEVER] = 0
    ranks = np.tile(widths / widths.sum(), (len(shares), 1))
    before = np.full(len(shares), -np.inf)
    going = np.arange(len(shares))
    for _ in range(MOST_STEPS):
        expected = np.maximum(ranks[going] @ matrix, _NEVER)
        likelihood = (observed[going] * np.log(expected)).sum(axis=1)
        rising = likelihood - before[going] >= SMALL_STEP
        before[going] = likelihood
        going, expected = going[rising], expected[rising]
        if not len(going):
            break
        now = ranks[going] * ((observed[going] / expected) @ matrix.T)
        now[now < _NEVER] = 0
        ranks[going] = now
    return ranks


def _laid_out(names: Sequence[str], rows: Sequence[Mapping[str, Any]], *, level: float) -> Layout:
    """Lay out estimates as a result, and say which estimator made which."""
    layout = of_result([name for name in names if name != "estimator"], rows, interval=("t", level))
    for estimator in dict.fromkeys(row["estimator"] for row in rows):
        asked = dict.fromkeys(row["asked"] for row in rows if row["estimator"] == estimator)
        layout.notes.append(f"estimator {estimator}: {', '.join(asked)}")
    return layout


def _table(rows: list[dict[str, Any]], job: Job) -> Rows:
    names = ("model", *job.segments, "metric", "k", "asked", "sampled", "value", "users")
    names = (*names, "standard_error", "low", "high", "estimator")
    types = dict.fromkeys(names, "") | dict.fromkeys(("k", "users"), "int64")
    types |= dict.fromkeys(("sampled", "value", "standard_error", "low", "high"), "float64")
    return Rows(types, [{name: row[name] for name in names} for row in rows])
