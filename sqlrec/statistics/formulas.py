"""Intervals, tests and corrections from the sums that SQL computes."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from .. import messages
from ..errors import InputError, not_installed
from ..records import Row
from . import distributions

# Intervals from resampled users, and intervals that support clusters of users.
DRAWN = ("bootstrap", "bca")
CLUSTERED = ("auto", "normal", "t", *DRAWN, "anytime")

# Tests that need only a mean and its standard error.
BY_ERROR = ("t", "normal")

# Summaries with their own column; all other summaries are quantiles.
SUMMARIES = ("standard_deviation", "min", "max", "zero_share")
_QUANTILE = re.compile(r"(lower_)?(?:(median)|p(\d{1,2}(?:\.\d+)?))")

# The number of users at which anytime-valid intervals are shortest.
TUNED_FOR = 1000

# Minimum number of users with the rarer of the values 0 and 1, if they are less than a quarter of
# all users. With ten such users, a 95% interval by t covers the mean in 93 of 100 cases; with five,
# in 87. Samples below the second size get no warning, since they are obviously small.
MIN_RARE_USERS = 10
MIN_WARNED_USERS = 20

# Maximum number of users with a difference for exact signed ranks.
MAX_EXACT_USERS = 50

# Number of users from which t-tests keep their level, for all kinds of values and up to 20
# corrected tests.
MIN_ROBUST_USERS = 100

# Relative size below which a difference of sums is a rounding error.
ROUNDING = 1e-12

Interval = tuple[float | None, float | None]


class Size(NamedTuple):
    """A size of differences: rank, distance from 0, users, and users above 0 minus users below."""

    size_rank: float
    distance: float
    users: int
    signs: int


def read_summaries(summaries: str | Iterable[str]) -> dict[str, tuple[str, float] | None]:
    """Parse summaries; return for each name the kind of quantile and its level, or None."""
    if not isinstance(summaries, Iterable):
        raise InputError(f"summaries={summaries!r}: write them as a string, as in 'median p90'")
    names = summaries.split() if isinstance(summaries, str) else list(summaries)
    parsed: dict[str, tuple[str, float] | None] = {}
    for name in names:
        quantile = _QUANTILE.fullmatch(name) if isinstance(name, str) else None
        if name not in SUMMARIES and quantile is None:
            raise InputError(messages.SUMMARY.format(name=name, known=", ".join(SUMMARIES)))
        if name in parsed:
            raise InputError(f"summaries={name!r} is requested twice: remove one")
        parsed[name] = None
        if quantile:
            share = 0.5 if quantile[2] else float(quantile[3]) / 100
            parsed[name] = ("lower" if quantile[1] else "quantile", share)
    return parsed


def scipy_stats(what: str) -> Any:
    """Return SciPy's distributions."""
    try:
        from scipy import stats
    except ImportError:
        raise not_installed(what, "SciPy", "'sqlrec[stats]'") from None
    return stats


def half_width_in_errors(
    method: str, level: float, users: int, freedom: float | None = None
) -> float:
    """Return the half-width of an interval in standard errors; t has users - 1 by default."""
    upper = (1 + level) / 2
    if method == "t":
        return distributions.t_quantile(upper, users - 1 if freedom is None else freedom)
    if method == "anytime_one_sided":
        return anytime_limit(upper, users)
    if method == "anytime":
        mixed = _mixture_weight(level, users)
        return math.sqrt((mixed + 1) / mixed * (math.log1p(mixed) - 2 * math.log(1 - level)))
    return distributions.normal_distribution().inv_cdf(upper)


def _mixture_weight(level: float, users: int) -> float:
    """Return the number of users times rho squared, where rho is the scale of the normal mixture.

    The scale is tuned so that anytime-valid intervals are shortest at one number of users.
    """
    twice = -2 * math.log(1 - level)
    return users * (twice + math.log1p(twice)) / TUNED_FOR


def anytime_limit(level: float, users: int) -> float:
    """Return the distance of a one-sided anytime-valid limit in standard errors.

    At the limit, the one-sided normal mixture is 1 / (1 - level).

    Source: Howard et al. 2021, doi.org/10.1214/20-AOS1991; for estimated deviations Waudby-Smith et
    al. 2024, doi.org/10.1214/24-AOS2408
    """
    mixed = _mixture_weight(2 * level - 1, users)
    goal = 0.5 * math.log1p(mixed) - math.log(2 * (1 - level))
    cdf, maximum = distributions.normal_distribution().cdf, math.sqrt(2 * (goal + math.log(2)))
    limit = distributions.solve(0.0, maximum, goal, lambda x: x**2 / 2 + math.log(cdf(x)))
    return limit * math.sqrt((mixed + 1) / mixed)


def anytime_p(score: float, level: float, users: int) -> float:
    """Return the smallest error probability at which a one-sided anytime-valid limit excludes 0.

    The score is the distance from 0 in standard errors.
    """
    mixed = _mixture_weight(2 * level - 1, users)
    score *= math.sqrt(mixed / (mixed + 1))
    if score <= 0:
        return 1.0
    tail = math.exp(-(score**2) / 2) / (2 * distributions.normal_distribution().cdf(score))
    return min(1.0, math.sqrt(1 + mixed) * tail)


def interval_from_error(
    method: str,
    level: float,
    value: float | None,
    users: int,
    error: float | None,
    freedom: float | None = None,
) -> Interval:
    """Return the interval for a mean from its standard error, or for a share with ``wilson``.

    The interval is None without a standard error, as for one user. Except with ``wilson``, it is
    also None if all values are equal.

    Source: Student 1908, The Probable Error of a Mean; ``normal`` uses the large-sample limit;
    ``anytime`` uses the asymptotic confidence sequence of Waudby-Smith et al. 2024,
    doi.org/10.1214/24-AOS2408
    """
    if value is None or error is None:
        return None, None
    if method == "wilson":
        return wilson_interval(level, value, users)
    if users < 2 or is_rounding_error(error, users, abs(value)):
        return None, None
    half_width = half_width_in_errors(method, level, users, freedom) * error
    return value - half_width, value + half_width


def wilson_interval(level: float, value: float | None, users: int) -> Interval:
    """Return Wilson's interval for a share, with limits from 0 to 1.

    Source: Wilson 1927, doi.org/10.1080/01621459.1927.10502953
    """
    if value is None or not users:
        return None, None
    z = distributions.normal_distribution().inv_cdf((1 + level) / 2)
    middle = (value + z * z / (2 * users)) / (1 + z * z / users)
    half_width = z * math.sqrt(value * (1 - value) / users + z * z / (4 * users**2))
    half_width /= 1 + z * z / users
    # At 0 and 1, a limit equals the share, so rounding must not move it past the share.
    return max(0.0, min(value, middle - half_width)), min(1.0, max(value, middle + half_width))


def is_binary(value: float, users: int, error: float) -> bool:
    """Return whether per-user values are only 0 and 1: then the mean determines their error."""
    return math.isclose(error**2 * (users - 1), value * (1 - value), rel_tol=1e-9, abs_tol=1e-12)


def default_test(row: Row) -> str:
    """Return the default test for a difference.

    For fewer than 100 users the tests are exact: ``mcnemar`` for values that are only 0 and 1, or
    ``sign`` if all users differ; otherwise ``permutation``. For more users, the test is ``t``.
    """
    if not has_few_users(row):
        return "t"
    if not is_binary_difference(row):
        return "permutation"
    return "mcnemar" if row["ties"] else "sign"


def has_few_users(row: Row) -> bool:
    """Return whether a difference is a mean over too few users for the t-test."""
    return (
        row["method"] == "mean"
        and row["standard_error"] is not None
        and row["users"] < MIN_ROBUST_USERS
    )


def is_binary_difference(row: Row) -> bool:
    """Return whether the per-user values of a difference are only 0 and 1."""
    users, error, base = row["users"], row["standard_error"], row["baseline_error"]
    if row["method"] != "mean" or error is None:
        return False
    variance = max(0.0, error**2 + base**2 + 2 * row["covariance"])
    binary = is_binary(row["value"], users, math.sqrt(variance))
    return binary and is_binary(row["baseline_value"], users, base)


def percentile_interval(level: float, draws: Sequence[float]) -> Interval:
    """Return the percentile interval from bootstrap means.

    Source: Efron 1979, doi.org/10.1214/aos/1176344552
    """
    return _draw_quantiles(draws, (1 - level) / 2, (1 + level) / 2)


def bca_interval(
    level: float, draws: Sequence[float], value: float, users: int, skewness: float
) -> Interval:
    """Return the bias-corrected and accelerated interval from bootstrap means.

    The acceleration of a mean is the skewness of the values / (6 sqrt(users)).

    Source: Efron 1987, doi.org/10.1080/01621459.1987.10478410
    """
    # Draws that differ from the value only in their last digits count as equal.
    ordered = sorted(draws)
    below = bisect_left(ordered, value - 1e-12) + bisect_right(ordered, value + 1e-12)
    if not 0 < below < 2 * len(ordered):
        return percentile_interval(level, ordered)
    normal, acceleration = distributions.normal_distribution(), skewness / (6 * math.sqrt(users))
    bias = normal.inv_cdf(below / 2 / len(ordered))

    def adjust_share(share: float) -> float:
        z = bias + normal.inv_cdf(share)
        return normal.cdf(bias + z / (1 - acceleration * z))

    return _draw_quantiles(ordered, adjust_share((1 - level) / 2), adjust_share((1 + level) / 2))


def _draw_quantiles(draws: Sequence[float], low: float, high: float) -> Interval:
    """Return two quantiles of draws, with linear interpolation."""
    if not draws:
        return None, None
    ordered = sorted(draws)

    def at(share: float) -> float:
        index = share * (len(ordered) - 1)
        lower = math.floor(index)
        upper = min(lower + 1, len(ordered) - 1)
        return ordered[lower] + (index - lower) * (ordered[upper] - ordered[lower])

    return at(low), at(high)


def deviation(draws: Sequence[float]) -> float:
    """Return the standard deviation of draws."""
    from statistics import covariance  # The import is slow.

    return math.sqrt(covariance(draws, draws))


def degrees_of_freedom(row: Row) -> float:
    """Return the degrees of freedom of a difference, by users or by clusters."""
    freedom = row.get("degrees_of_freedom")
    return float(row["units"] - 1 if freedom is None else freedom)


def pool_rows(rows: Sequence[Row]) -> tuple[float, float | None]:
    """Return the mean and the standard deviation of values from the moments of their parts.

    Sums of squares are added as in Chan, Golub and LeVeque 1979, "Updating formulae and a pairwise
    algorithm for computing sample variances". Each part contains the number of users, their mean as
    ``value``, and the deviation or standard error. The deviation of a single value is None.
    """
    parts = []
    for row in rows:
        deviation: float | None = row.get("standard_deviation")
        if deviation is None:
            # A single value has no error.
            deviation = (row.get("standard_error") or 0.0) * row["users"] ** 0.5
        parts.append((row["users"], row["value"], deviation))
    number, first = sum(n for n, _, _ in parts), parts[0][1]
    # Means are relative to the first mean, so equal means have a deviation of exactly 0.
    mean = first + math.fsum(n * (own - first) for n, own, _ in parts) / number
    within = ((n - 1) * deviation**2 for n, _, deviation in parts)
    squares = math.fsum((*within, *(n * (own - mean) ** 2 for n, own, _ in parts)))
    return mean, math.sqrt(squares / (number - 1)) if number > 1 else None


def is_rounding_error(error: float, units: int, size: float) -> bool:
    """Return whether a standard error is only due to rounding of the values."""
    return error * math.sqrt(units) <= ROUNDING * size


def p_value(
    test: str,
    row: Row,
    flips: Sequence[float] = (),
    sizes: Sequence[Size] | None = None,
    *,
    level: float = 0.95,
) -> float | None:
    """Return the two-sided p-value of a difference, or None if there are too few users.

    ``t``: Student's t-test for pairs; if all differences are equal, the probability of equal signs.
    ``normal``: like ``t``, with the normal distribution. ``wilcoxon``: the signed rank test over
    users with a difference; exact if ``sizes`` is given, else from the normal distribution,
    corrected for ties. ``permutation``: the share of all sign flips with a difference that is at
    least as large. If some users have no difference, equal sums count half, which makes the error
    rate 5% on average. Without ``sizes``, the normal distribution is used. ``sign``: the exact sign
    test. ``mcnemar``: its mid-p-value. ``randomization``: the share of random sign flips with a
    difference that is at least as large, including the observed signs. ``anytime``: the smallest
    error rate at which an anytime-valid interval, tuned at ``level``, excludes 0.

    Source: Student 1908; Wilcoxon 1945, doi.org/10.2307/3001968; Fisher 1935, The Design of
    Experiments; Fagerland, Lydersen & Laake 2013, doi.org/10.1186/1471-2288-13-91.
    """
    difference, error = row["difference"], row["standard_error"]
    different = row["users"] - row["ties"]
    if not different and not (row.get("method") == "delta" and test in BY_ERROR and difference):
        return None
    if test in BY_ERROR:
        if error is None:
            return None
        if not error:
            return math.ldexp(1, 1 - int(row["units"]))
        if test == "normal":
            return distributions.normal_outside(difference / error)
        return distributions.t_outside(difference / error, degrees_of_freedom(row))
    if test == "anytime":
        if not error:
            return None
        mixed = _mixture_weight(level, row["units"])
        size = (difference / error) ** 2 * mixed / (mixed + 1)
        return min(1.0, math.sqrt(1 + mixed) * math.exp(-size / 2))
    if test == "wilcoxon":
        if sizes is not None:
            ranks = [size.size_rank for size in sizes for _ in range(size.users)]
            return distributions.signed_ranks_outside(row["signed_ranks"], ranks)
        return distributions.normal_outside(row["signed_ranks"] / row["signed_ranks_error"])
    if test in ("sign", "mcnemar"):
        outside = distributions.sign_test_p if test == "sign" else distributions.sign_test_mid_p
        return outside((different - abs(row["signs"])) // 2, different)
    if test == "permutation":
        if sizes is not None:
            signs = {size.distance: (size.users, size.signs) for size in sizes}
            return distributions.sign_flips_outside(signs, half=row["ties"] > 0)
        if error is None:
            return None
        users = row["users"]
        squares = (users - 1) * users * error**2 + users * difference**2
        return distributions.normal_outside(users * difference / math.sqrt(squares))
    # Sums that differ only in their last digits count as equal.
    minimum = (abs(difference) * (1 - 1e-12) - 1e-12) * row["users"]
    return float((1 + sum(abs(flip) >= minimum for flip in flips)) / (1 + len(flips)))


def flips_needed(correction: str, count: int, level: float) -> int:
    """Return the smallest number of sign flips with which one of many rows can be significant."""
    if correction not in ("holm", "bonferroni"):
        return 0
    # The smallest p-value, 1 / (flips + 1), must stay below 1 - level after correction.
    return math.floor(count / (1 - level) * (1 + 1e-9))


def correct_p_values(correction: str, p_values: Sequence[float | None]) -> list[float | None]:
    """Return p-values corrected for the number of models, metrics and segments.

    ``bonferroni`` and ``holm`` limit the probability of any false positive. ``bh`` limits the share
    of false positives among significant results.

    Source: Holm 1979, jstor.org/stable/4615733; Benjamini & Hochberg 1995,
    doi.org/10.1111/j.2517-6161.1995.tb02031.x
    """
    if correction == "none":
        return list(p_values)
    ordered = sorted(p for p in p_values if p is not None)
    count = len(ordered)
    steps: dict[str, list[float]] = {
        "bonferroni": [count for _ in ordered],
        "holm": [count - rank for rank in range(count)],
        "bh": [count / (rank + 1) for rank in range(count)],
    }
    adjusted = [min(1.0, p * step) for p, step in zip(ordered, steps[correction], strict=True)]
    # Corrected p-values have the order of the p-values.
    if correction == "bh":
        adjusted = [*accumulate(reversed(adjusted), min)][::-1]
    else:
        adjusted = [*accumulate(adjusted, max)]
    by_p_value = dict(zip(ordered, adjusted, strict=True))
    return [None if p is None else by_p_value[p] for p in p_values]


def corrected_levels(
    correction: str, p_values: Sequence[float | None], level: float
) -> list[float]:
    """Return the levels of intervals that exclude 0 if the corrected p-value is small.

    All intervals by ``bonferroni`` hold together with the probability ``level``. Intervals by
    ``holm`` have the same levels, or the level of the step if only Holm's p-value is small. A share
    of at most 1 - level of the intervals by ``bh`` that exclude 0 is expected to be wrong.

    Source: Dunn 1961, doi.org/10.2307/2282330; Benjamini & Yekutieli 2005,
    doi.org/10.1198/016214504000001907
    """
    alpha = 1 - level
    adjusted = correct_p_values(correction, p_values)
    count = max(1, sum(p is not None for p in p_values))
    significant = sum(p is not None and p < alpha for p in adjusted)
    steps = {"none": 1.0, "bh": count / max(1, significant)}
    levels = []
    for p, adjusted_p in zip(p_values, adjusted, strict=True):
        step = steps.get(correction, count)
        if correction == "holm" and p and adjusted_p and adjusted_p < alpha <= p * count:
            step = adjusted_p / p
        levels.append(1 - alpha / step)
    return levels


def detectable_difference(
    level: float, power: float, users: int, error: float | None
) -> float | None:
    """Return the smallest true difference that a test at 1 - level detects with a given power.

    Source: Cohen 1988, Statistical Power Analysis; by the normal distribution.
    """
    if not error or users < 2:
        return None
    quantile = distributions.normal_distribution().inv_cdf
    return (quantile((1 + level) / 2) + quantile(power)) * error
