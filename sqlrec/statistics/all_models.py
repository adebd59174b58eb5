"""Comparisons of all models: corrections for pairs, ranks over data sets, letters."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from functools import cache, partial
from itertools import combinations
from string import ascii_letters

from ..records import Record, Row
from .distributions import t_quantile
from .formulas import is_rounding_error, scipy_stats


def half_width(
    correction: str, level: float, users: int, squares: float, means: Mapping[str, float]
) -> float | None:
    """Return the half-width of intervals that are jointly valid for all models and agree with p."""
    if (pooled := _pooled_error(users, squares, means)) is None:
        return None
    error, freedom = pooled
    if correction == "tukey":
        ranges = scipy_stats("correction='tukey'").studentized_range
        return error * float(ranges.ppf(level, len(means), freedom)) / math.sqrt(2)
    return error * _dunnett_quantile(level, len(means) - 1, freedom)


def _pooled_error(
    users: int, squares: float, means: Mapping[str, float]
) -> tuple[float, int] | None:
    """Return the pooled error of a difference and its degrees of freedom; users are blocks."""
    if users < 2:
        return None
    freedom = (users - 1) * (len(means) - 1)
    size = sum(abs(mean) for mean in means.values())
    if not freedom or is_rounding_error(math.sqrt(squares) / users, users, size):
        return None
    return math.sqrt(2 * squares / freedom / users), freedom


def trial_half_width(level: float, users: int, spreads: Sequence[float]) -> float:
    """Return the largest difference that has a ``permutation_share`` of 1 - level or more."""
    beyond = math.ceil((1 - level) * (1 + len(spreads))) - 2
    return sorted(spreads, reverse=True)[max(0, beyond)] / users


def permutation_share(row: Row, spreads: Sequence[float]) -> float:
    """Return the share of random permutations with a range of at least the row's difference.

    The original order counts as one of the permutations.

    Source: Carterette 2012, doi.org/10.1145/2094072.2094076
    """
    # Sums that differ only in their last digits count as equal.
    minimum: float = (abs(row["difference"]) * (1 - 1e-12) - 1e-12) * row["users"]
    return (1 + sum(spread >= minimum for spread in spreads)) / (1 + len(spreads))


def pooled_p(
    correction: str,
    users: int,
    squares: float,
    means: Mapping[str, float],
    model: str,
    baseline: str,
) -> float | None:
    """Return the p-value of the difference of two of several models, with users as blocks.

    ``squares`` is the residual sum of squares after effects of model and user. ``tukey`` uses the
    studentized range; ``dunnett`` uses the multivariate t distribution with pairwise correlations
    of 1/2. The p-value is None without residuals, and for fewer than two users.

    Source: Tukey 1949, doi.org/10.2307/3001913; Dunnett 1955,
    doi.org/10.1080/01621459.1955.10501294
    """
    if (pooled := _pooled_error(users, squares, means)) is None:
        return None
    error, freedom = pooled
    distance = abs(means[model] - means[baseline]) / error
    if correction == "dunnett":
        return _dunnett_outside(distance, len(means) - 1, freedom)
    ranges = scipy_stats("correction='tukey'").studentized_range
    return float(ranges.sf(distance * math.sqrt(2), len(means), freedom))


def _dunnett_outside(t: float, others: int, freedom: int) -> float:
    """Return the probability that the largest distance from the baseline exceeds t."""
    stats = scipy_stats("correction='dunnett'")
    import numpy as np

    # Integrate over the estimated deviation and the baseline's error in equal steps. For smooth
    # functions that vanish at both ends, this is exact to the last digits.
    ends = np.log(stats.chi2.ppf([1e-17, 1 - 1e-16], freedom) / freedom) / 2
    log_scale, step = np.linspace(ends[0], max(ends[1], ends[0] + 1e-9), 300, retstep=True)
    scale = np.exp(log_scale)
    weight = stats.chi2.pdf(freedom * scale**2, freedom) * 2 * freedom * scale**2 * step
    z, width = np.linspace(-9, 9, 300, retstep=True)
    reach = math.sqrt(2) * t * scale[:, None]
    outside = stats.norm.cdf(z - reach) + stats.norm.cdf(-z - reach)
    some = -np.expm1(others * np.log1p(-np.minimum(outside, 1 - 1e-16)))
    return float(min(1.0, weight @ (some @ (stats.norm.pdf(z) * width))))


@cache
def _dunnett_quantile(level: float, others: int, freedom: int) -> float:
    """Return a quantile, at ``level``, of the largest distance from the baseline."""
    from scipy.optimize import brentq

    # The search starts between the quantile of a single model and Bonferroni's quantile.
    low, high = (
        t_quantile(1 - (1 - level) / 2 / count, freedom) * (1 + side)
        for count, side in ((1, -1e-6), (others, 1e-6))
    )
    outside = partial(_dunnett_outside, others=others, freedom=freedom)
    return float(brentq(lambda t: outside(t) - (1 - level), low, high, xtol=1e-9))


def letter_display(models: Sequence[str], differ: Collection[frozenset[str]]) -> dict[str, str]:
    """Return a compact letter display: two models share a letter if they do not differ.

    The models are sorted, best first. If 52 letters are not enough, numbered letters such as ``a1``
    follow.

    Source: Piepho 2004, doi.org/10.1198/1061860043515
    """
    groups = [frozenset(models)]
    for pair in combinations(models, 2):
        if frozenset(pair) not in differ:
            continue
        parts = [group - {model} for group in groups if {*pair} <= group for model in pair]
        groups = [group for group in groups if not {*pair} <= group]
        for group in sorted(parts, key=len, reverse=True):
            # A subset of another group is redundant.
            if not any(group <= other for other in groups):
                groups.append(group)
    position = {model: number for number, model in enumerate(models)}
    groups.sort(key=lambda group: sorted(position[model] for model in group))
    names = [
        ascii_letters[number % 52] + (str(number // 52) if number >= 52 else "")
        for number in range(len(groups))
    ]
    return {
        model: "".join(name for name, group in zip(names, groups, strict=True) if model in group)
        for model in models
    }


def friedman_tests(level: float, ranks: Sequence[Sequence[float]]) -> Record:
    """Return tests of models by their ranks, with one row of ranks per data set.

    ``friedman_p`` is by chi squared, corrected for ties. ``iman_davenport_p`` is by F, for few data
    sets. ``critical_difference`` is Nemenyi's difference of mean ranks. ``nemenyi`` contains
    p-values by pair of positions. All are None for two models or one data set.

    Source: Friedman 1937, doi.org/10.1080/01621459.1937.10503522; Iman & Davenport 1980,
    doi.org/10.1080/03610928008827904; Demšar 2006, jmlr.org/papers/v7/demsar06a.html
    """
    stats = scipy_stats("ranks(over=...)")
    count, models = len(ranks), len(ranks[0])
    tests: Record = dict.fromkeys(("friedman_p", "iman_davenport_p", "critical_difference"))
    tests["nemenyi"] = {}
    if count < 2 or models < 3:
        return tests
    chi2, p = stats.friedmanchisquare(*zip(*ranks, strict=True))
    unit = math.sqrt(models * (models + 1) / (6 * count))
    spread = stats.studentized_range
    tests["critical_difference"] = float(spread.ppf(level, models, math.inf)) / math.sqrt(2) * unit
    means = [math.fsum(column) / count for column in zip(*ranks, strict=True)]
    for first, second in combinations(range(models), 2):
        q = abs(means[first] - means[second]) / unit * math.sqrt(2)
        tests["nemenyi"][first, second] = float(spread.sf(q, models, math.inf))
    if not math.isnan(chi2):
        tests["friedman_p"] = float(p)
        rest = count * (models - 1) - chi2
        f = (count - 1) * chi2 / rest if rest > 0 else math.inf
        tests["iman_davenport_p"] = float(stats.f.sf(f, models - 1, (models - 1) * (count - 1)))
    return tests


def rank_values(values: Sequence[float], *, higher: bool) -> list[float]:
    """Return the ranks of values, 1 for the best; equal values get the mean of their ranks."""
    rounded = [round(value, 12) for value in values]
    return [
        sum(other > value if higher else other < value for other in rounded)
        + (1 + sum(other == value for other in rounded)) / 2
        for value in rounded
    ]
