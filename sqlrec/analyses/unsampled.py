"""Metrics over the whole catalog from lists of sampled candidates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from scipy.special import gammaln

from .. import options
from ..catalogue.conventions import OWN
from ..catalogue.requests import MetricRequest, format_metric
from ..errors import DataError, InputError
from ..layouts.result import estimates_layout
from ..records import Record, group_by
from ..results.rows import Rows
from ..results.table import Table
from ..run.job import Call, Job, Key
from ..run.segments import check_segment_names
from ..safe_text import warn
from ..statistics.formulas import interval_from_error

# The value of each metric for a user with one relevant item, if the item is within k.
METRICS = ("hit_rate", "recall", "precision", "reciprocal_rank", "average_precision", "ndcg")

# Columns of sql/statistics/sampled_ranks.sql, after the segments.
COUNTED = ("rank", "users", "relevant_items", "least_ranks", "most_ranks", "violations")

_ESTIMATE_TYPES = {
    **{"sampled": "float64", "value": "float64", "users": "int64", "standard_error": "float64"},
    **{"low": "float64", "high": "float64", "estimator": ""},
}

# Steps end if the logarithm of the likelihood, averaged over users, increases by less than this.
MIN_STEP = 1e-7
MAX_STEPS = 2000

# The maximum catalog size, since the memory is proportional to the size.
LARGEST_CATALOG = 100_000_000

# The maximum number of probabilities in memory, which need 400 MB. `bv` reads each probability
# once, in blocks.
LARGEST_MATRIX = 50_000_000
_BLOCK = 4_000_000

# Ranks with almost equal probabilities form a group. These are the numbers of groups per standard
# deviation of the rank: for values, and for standard errors, which need fewer groups.
_FINE, _COARSE = 32, 4

# The number of bootstrap samples for the standard error of `mle`, which is slow. The interval is a
# t interval with this number as the number of units.
DRAWS = 40

# Smaller probabilities are replaced by 0, since subnormal numbers are slow.
_MIN_PROBABILITY = 1e-200


def unsampled(
    call: Call,
    catalog_size: int,
    candidates: int,
    estimator: options.Estimator = "auto",
    gamma: float = 0.1,
    level: float = 0.95,
) -> Table:
    """Estimate metrics over the whole catalog from a call, for ``Dataset.unsampled``."""
    options.check_choice("estimator", estimator, options.ESTIMATORS)
    level = options.LEVEL.read(level)
    _check_sampling_options(catalog_size, candidates, gamma)
    requests = [*call.requests]
    _check_rules(call.rules, call.by)
    _check_sampled_metrics(requests)
    by_estimator = _requests_by_estimator(requests, catalog_size, candidates, estimator)
    _warn_about_cutoffs(by_estimator.get("bv", ()), catalog_size, candidates)
    job = call.prepare("reciprocal_rank@all")
    check_segment_names(job.segments, [*COUNTED, "sampled", "estimator"])
    text = job.render("sampled_ranks")
    rows = job.records(text, ("model", *job.segments, *COUNTED))
    _check_sampled_rows(rows, job, candidates)
    probabilities = RankProbabilities(catalog_size, candidates)
    estimates = _estimate_rows(rows, job, by_estimator, probabilities, gamma)
    for row in estimates:
        units = DRAWS if row["estimator"] == "mle" else row["users"]
        limits = interval_from_error("t", level, row["value"], units, row["standard_error"])
        row["low"], row["high"] = limits
    rows = replace(job, requests=requests).sorted(estimates)
    names = ("model", *job.segments, "metric", "k", "request", *_ESTIMATE_TYPES)
    types = dict.fromkeys(names, "") | {"k": "int64"} | _ESTIMATE_TYPES
    table = Rows.from_records(types, rows)
    return Table(
        job.inputs.restore_names(text),
        lambda: table,
        inputs=job.paths,
        lay_out=partial(estimates_layout, level=level),
    )


def _check_rules(rules: options.Rules, by: options.Segments) -> None:
    for name in ("convention", "depth"):
        if (value := getattr(rules, name)) not in (None, OWN):
            raise InputError(f"{name}={value!r}: sampled lists are not changed by rules; remove it")
    if rules.population not in (None, "truth", "truth_and_recs"):
        raise InputError(
            f"population={rules.population!r}: the estimate reads only users with a relevant "
            "item; give 'truth' or 'truth_and_recs'"
        )
    if by.each:
        raise InputError(
            "each=True: unsampled has only segments of all columns together; remove it"
        )


def _check_sampling_options(catalog_size: Any, candidates: Any, gamma: Any) -> None:
    for name, number in (("catalog_size", catalog_size), ("candidates", candidates)):
        is_whole = isinstance(number, int) and not isinstance(number, bool)
        if not is_whole or not 2 <= number <= LARGEST_CATALOG:
            raise InputError(
                f"{name}={number!r}: it must be a whole number from 2 to {LARGEST_CATALOG}"
            )
    if catalog_size <= candidates:
        raise InputError(
            f"catalog_size={catalog_size} and candidates={candidates}: lists that contain the "
            "whole catalog are not sampled; use evaluate"
        )
    if isinstance(gamma, bool) or not isinstance(gamma, (int, float)) or not 0 < gamma <= 1:
        raise InputError(f"gamma={gamma!r}: it must be above 0 and at most 1, such as 0.1")


def _requests_by_estimator(
    requests: list[MetricRequest], catalog_size: int, candidates: int, estimator: str
) -> dict[str, list[MetricRequest]]:
    large = len(group_ranks(catalog_size, candidates, _FINE)) * candidates > LARGEST_MATRIX
    if estimator == "mle" and large:
        raise InputError(
            f"estimator='mle' and candidates={candidates}: lists are too long for it; give "
            "estimator='bv'"
        )

    def choose_estimator(request: MetricRequest) -> str:
        is_small = (request.k or 0) * candidates < catalog_size and not large
        return estimator if estimator != "auto" else "mle" if is_small else "bv"

    return group_by(requests, choose_estimator)


def _check_sampled_metrics(requests: Iterable[MetricRequest]) -> None:
    """Check that the metrics have an estimator, default parameters and a cutoff."""
    for request in requests:
        name = format_metric(request.label, request.k)
        if request.metric.name not in METRICS or request.params or request.convention != OWN:
            raise InputError(
                f"{name}: no estimate from sampled candidates; choose from {', '.join(METRICS)}, "
                "without parameters"
            )
        if request.k is None:
            raise InputError(f"{name}: an estimate has a cutoff; write {request.label}@10")


def _warn_about_cutoffs(
    requests: Iterable[MetricRequest], catalog_size: int, candidates: int
) -> None:
    """Warn about cutoffs for which only the first position of a sampled list counts."""
    few = [request for request in requests if (request.k or 0) * candidates < catalog_size]
    if few:
        warn(
            f"{', '.join(format_metric(x.label, x.k) for x in few)}: at cutoffs below "
            f"catalog_size / candidates = {catalog_size / candidates:.4g}, lists of candidates "
            "have little information, and estimator='bv' may rank models differently than the "
            "whole catalog; give estimator='mle', more candidates, or larger cutoffs"
        )


def _check_sampled_rows(rows: list[Record], job: Job, candidates: int) -> None:
    """Check that each list contains all candidates, and that each user has one relevant item."""
    if not rows:
        raise DataError("truth and recs have no users to average over: no user has a relevant item")
    if rows[0]["violations"]:
        raise job.violation(job.plan)
    by_score = job.plan.order == "score"
    for row in rows:
        model, count, longest = row["model"], row["users"], row["most_ranks"]
        if row["relevant_items"] > 1:
            raise DataError(
                f"{model}: a user has {row['relevant_items']} relevant items: an estimate needs "
                "one per user; remove the other users from truth"
            )
        if not row["least_ranks"]:
            raise DataError(
                f"{model}: some users of truth have no list; give population='truth_and_recs' to "
                "exclude them"
            )
        if row["rank"] is None:
            raise DataError(
                f"{model}: lists of {count} users lack the relevant item, which is one of the "
                "candidates; give all candidates, or the rank of the relevant item"
            )
        if max(row["rank"], longest) > candidates:
            raise DataError(
                f"{model}: a list has {longest} items, and the relevant item has rank "
                f"{row['rank']}, above candidates={candidates}: correct candidates"
            )
        if by_score and row["least_ranks"] < candidates:
            raise DataError(
                f"{model}: a list has {row['least_ranks']} items, fewer than "
                f"candidates={candidates}: a list with scores must contain all candidates"
            )


def _estimate_rows(
    rows: list[Record],
    job: Job,
    by_estimator: Mapping[str, list[MetricRequest]],
    probabilities: RankProbabilities,
    gamma: float,
) -> list[Record]:
    """Return the rows of the result, without intervals."""
    names = ("model", *job.segments)
    groups: dict[Key, tuple[Record, np.ndarray]] = {}
    for row in rows:
        empty = np.zeros(probabilities.candidates, dtype=np.int64)
        _, counts = groups.setdefault(tuple(repr(row[x]) for x in names), (row, empty))
        counts[row["rank"] - 1] = row["users"]
    estimates = []
    for estimator, requests in by_estimator.items():
        list_values = metric_values(requests, np.arange(1, probabilities.candidates + 1))
        estimate = partial(most_likely_values, probabilities, requests)
        if estimator != "mle":
            estimate = partial(_mean_position_values, least_squares(probabilities, requests, gamma))
        for row, counts in groups.values():
            sampled = counts / counts.sum() @ list_values
            means, errors = estimate(counts)
            for request, *numbers in zip(requests, sampled, means, errors, strict=True):
                columns = ("sampled", "value", "standard_error")
                estimate_row = {x: row[x] for x in names}
                estimate_row |= {"metric": request.label, "k": request.k, "request": request.text}
                estimate_row |= {"estimator": estimator, "users": int(counts.sum())}
                estimates.append(
                    estimate_row | dict(zip(columns, map(float, numbers), strict=True))
                )
    return estimates


def _mean_position_values(values: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the means of values by position, and their standard errors."""
    users = counts.sum()
    means = counts @ values / users
    squares = counts @ (values - means) ** 2
    return means, np.sqrt(squares / max(1, users - 1) / users)


def metric_values(requests: Iterable[MetricRequest], ranks: np.ndarray) -> np.ndarray:
    """Return the value of each metric for each rank of the relevant item: a column per metric."""
    columns = []
    for request in requests:
        assert request.k is not None
        value = {
            "precision": np.full(len(ranks), 1 / request.k),
            "reciprocal_rank": 1 / ranks,
            "average_precision": 1 / ranks,
            "ndcg": 1 / np.log2(ranks + 1),
        }.get(request.metric.name, np.ones(len(ranks)))
        columns.append(np.where(ranks <= request.k, value, 0))
    return np.stack(columns, axis=1)


class RankProbabilities:
    """Probabilities of the positions of a relevant item in a sampled list, by its catalog rank.

    The number of candidates above this item is hypergeometric: candidates are drawn without
    replacement.
    """

    def __init__(self, catalog_size: int, candidates: int) -> None:
        self.catalog_size = catalog_size
        self.candidates = candidates
        self._log_factorials = gammaln(np.arange(catalog_size) + 1)

    def blocks(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield blocks of ranks, with a row of probabilities for each rank."""
        size = max(1, _BLOCK // self.candidates)
        for first in range(1, self.catalog_size + 1, size):
            ranks = np.arange(first, min(first + size, self.catalog_size + 1))
            yield ranks, self.by_rank(ranks)

    def by_rank(self, ranks: np.ndarray) -> np.ndarray:
        """Return the probabilities of ranks: a row for each rank, a column for each position."""
        drawn, others = self.candidates - 1, self.catalog_size - 1
        above = np.arange(self.candidates)[None, :]
        better = ranks[:, None] - 1
        chances = np.exp(
            self._choices(better, above)
            + self._choices(others - better, drawn - above)
            - self._choices(others, drawn)
        )
        possible = (above <= better) & (drawn - above <= others - better)
        return np.asarray(np.where(possible, chances, 0))

    def _choices(self, n: Any, k: Any) -> Any:
        """Return the logarithm of the binomial coefficient n over k; undefined for k > n."""
        logs = self._log_factorials
        return logs[n] - logs[k] - logs[np.maximum(n - k, 0)]


def least_squares(
    probabilities: RankProbabilities, requests: list[MetricRequest], gamma: float
) -> np.ndarray:
    """Return the values of positions that minimize users' bias^2 + gamma * variance."""
    size = probabilities.candidates
    squares, totals = np.zeros((size, size)), np.zeros(size)
    products = np.zeros((size, len(requests)))
    for ranks, block in probabilities.blocks():
        squares += block.T @ block
        totals += block.sum(axis=0)
        products += block.T @ metric_values(requests, ranks)
    # The variance is the mean square minus the square of the mean.
    return np.linalg.solve((1 - gamma) * squares + gamma * np.diag(totals), products)


def group_ranks(
    catalog_size: int, candidates: int, fineness: int, cutoffs: Iterable[int] = ()
) -> np.ndarray:
    """Return the first rank of each group of adjacent ranks.

    At share x of the catalog, the standard deviation of the rank is sqrt(x (1 - x) / candidates) of
    the catalog. The size of a group is a fraction of this. Each cutoff is the end of a group.
    """
    firsts, rank = [], 1
    while rank <= catalog_size:
        firsts.append(rank)
        share = min(rank, catalog_size - rank + 1) / catalog_size
        rank += max(1, int(catalog_size * (share / candidates) ** 0.5 / fineness))
    ends = [k + 1 for k in cutoffs if k < catalog_size]
    return np.unique(np.array([*firsts, *ends]))


def most_likely_values(
    probabilities: RankProbabilities, requests: list[MetricRequest], counts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return metrics of the most likely distribution of ranks, and their standard errors.

    The errors are standard deviations over bootstrap samples: Efron & Tibshirani 1993, 6.
    """
    users = counts.sum()
    draws = np.random.default_rng(0).multinomial(users, counts / users, DRAWS)
    values = _values_by_likelihood(probabilities, requests, counts[None, :], _FINE)[0]
    samples = _values_by_likelihood(probabilities, requests, draws, _COARSE)
    return values, samples.std(axis=0, ddof=1)


def _values_by_likelihood(
    probabilities: RankProbabilities,
    requests: list[MetricRequest],
    counts: np.ndarray,
    fineness: int,
) -> np.ndarray:
    """Return metrics of the most likely ranks, for each row of counts of users by position."""
    size = probabilities.catalog_size
    cutoffs = {min(request.k or 0, size) for request in requests}
    firsts = group_ranks(size, probabilities.candidates, fineness, cutoffs)
    widths = np.diff(np.append(firsts, size + 1))
    shares = counts / counts.sum(axis=1, keepdims=True)
    ranks = most_likely(probabilities, shares, firsts, widths)
    # Ranks within a group are equally likely, so a group has the mean of their values.
    rank_values = metric_values(requests, np.arange(1, max(cutoffs) + 1))
    sums = np.vstack([np.zeros(len(requests)), np.cumsum(rank_values, axis=0)])
    ends = np.minimum(np.append(firsts, size + 1) - 1, len(rank_values))
    return np.asarray(ranks @ (np.diff(sums[ends], axis=0) / widths[:, None]))


def most_likely(
    probabilities: RankProbabilities, shares: np.ndarray, firsts: np.ndarray, widths: np.ndarray
) -> np.ndarray:
    """Return the most likely distribution over groups of ranks, for each row of shares.

    A row contains the share of users by position. Expectation maximization starts from equally
    likely ranks.
    """
    present = shares.any(axis=0)
    observed = shares[:, present]
    matrix = probabilities.by_rank(firsts + (widths - 1) // 2)[:, present]
    matrix[matrix < _MIN_PROBABILITY] = 0
    ranks = np.tile(widths / widths.sum(), (len(shares), 1))
    before = np.full(len(shares), -np.inf)
    active = np.arange(len(shares))
    for _ in range(MAX_STEPS):
        expected = np.maximum(ranks[active] @ matrix, _MIN_PROBABILITY)
        likelihood = (observed[active] * np.log(expected)).sum(axis=1)
        is_rising = likelihood - before[active] >= MIN_STEP
        before[active] = likelihood
        active, expected = active[is_rising], expected[is_rising]
        if not len(active):
            break
        now = ranks[active] * ((observed[active] / expected) @ matrix.T)
        now[now < _MIN_PROBABILITY] = 0
        ranks[active] = now
    return ranks
