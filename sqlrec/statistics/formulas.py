"""What a few numbers say: intervals, tests, corrections. SQL has made them of the rows."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from .. import messages
from ..errors import InputError, not_installed
from .distributions import (
    as_uneven,
    as_uneven_mid,
    normal,
    normal_outside,
    signed_ranks_outside,
    t_outside,
    t_quantile,
    turned_signs_outside,
)

# Intervals of users drawn again, and those that groups of users have.
DRAWN = ("bootstrap", "bca")
CLUSTERED = ("auto", "normal", "t", *DRAWN, "always")

# Summaries that have a column of their own; others are quantiles.
SUMMARIES = ("standard_deviation", "min", "max", "zero_share")
_QUANTILE = re.compile(r"(lower_)?(?:(median)|p(\d{1,2}(?:\.\d+)?))")

# Intervals that hold at any time are shortest for so many users.
TUNED_FOR = 1000

# Fewer users than this with the rarer of the values 0 and 1, and a quarter of all, are few: by t an
# interval of 95 % holds in 93 of 100 cases where there are ten, and in 87 where there are five.
# Fewer users than the second are known to be few.
RARE = 10
LEAST = 20

# Of so many users with a difference signed ranks are exact.
FEW = 50

# Of so many users t holds its level whatever their values, where up to 20 tests are corrected.
ENOUGH = 100

# What is less than this share of the values it is made of is what their sums differ by.
ROUNDING = 1e-12

Interval = tuple[float | None, float | None]


class Size(NamedTuple):
    """A size that differences have: its rank, and of how many users, more of them above 0."""

    size_rank: float
    distance: float
    users: int
    signs: int


def read_summaries(asked: str | Iterable[str]) -> dict[str, tuple[str, float] | None]:
    """Read what summaries are asked: by name None, or the kind of a quantile and its share.

    Raises:
        InputError: A summary that does not exist, or one that is given twice.
    """
    if not isinstance(asked, Iterable):
        raise InputError(f"summaries={asked!r}: write them as text, as in 'median p90'")
    names = asked.split() if isinstance(asked, str) else list(asked)
    found: dict[str, tuple[str, float] | None] = {}
    for name in names:
        quantile = _QUANTILE.fullmatch(name) if isinstance(name, str) else None
        if name not in SUMMARIES and quantile is None:
            raise InputError(messages.SUMMARY.format(name=name, known=", ".join(SUMMARIES)))
        if name in found:
            raise InputError(f"summaries={name!r} is asked twice: once is enough")
        found[name] = None
        if quantile:
            share = 0.5 if quantile[2] else float(quantile[3]) / 100
            found[name] = ("lower" if quantile[1] else "quantile", share)
    return found


def scipy_stats(what: str) -> Any:
    """Import SciPy's distributions, for what is not made here.

    Raises:
        InputError: SciPy is not installed.
    """
    try:
        from scipy import stats
    except ImportError:
        raise not_installed(what, "SciPy", "'sqlrec[stats]'") from None
    return stats


def quantile_of(method: str, level: float, users: int, freedom: float | None = None) -> float:
    """Return how many standard errors an interval reaches to each side.

    Student's t has users - 1 degrees of freedom, if not others.
    """
    upper = (1 + level) / 2
    if method == "t":
        return t_quantile(upper, users - 1 if freedom is None else freedom)
    if method == "always":
        mixed = _mixed(level, users)
        return math.sqrt((mixed + 1) / mixed * (math.log1p(mixed) - 2 * math.log(1 - level)))
    return normal().inv_cdf(upper)


def _mixed(level: float, users: int) -> float:
    """Return how much the users say beside what is expected of a difference before any.

    Intervals that hold always are shortest where as many users have come as they are tuned for.
    """
    twice = -2 * math.log(1 - level)
    return users * (twice + math.log1p(twice)) / TUNED_FOR


def always_limit(level: float, users: int) -> float:
    """Return how many standard errors a one-sided limit reaches that holds at any time.

    Where the one-sided normal mixture of what users add up to is 1 / (1 - level).

    Source: Howard et al. 2021, doi.org/10.1214/20-AOS1991; of estimated deviations Waudby-Smith
    et al. 2024, doi.org/10.1214/24-AOS2408
    """
    mixed = _mixed(2 * level - 1, users)
    goal = 0.5 * math.log1p(mixed) - math.log(2 * (1 - level))
    least, most = 0.0, math.sqrt(2 * (goal + math.log(2)))
    for _ in range(60):
        middle = (least + most) / 2
        below = middle**2 / 2 + math.log(normal().cdf(middle)) < goal
        least, most = (middle, most) if below else (least, middle)
    return most * math.sqrt((mixed + 1) / mixed)


def by_error(
    method: str,
    level: float,
    value: float | None,
    users: int,
    error: float | None,
    freedom: float | None = None,
) -> Interval:
    """Return the interval of a mean by its standard error; with ``wilson`` that of a share.

    Null for one user, and where all have the same value: that tells nothing of how others differ,
    except of a share.

    Source: Student 1908, The Probable Error of a Mean; with ``normal`` its limit for many users;
    with ``always`` the asymptotic confidence sequence of Waudby-Smith et al. 2024,
    doi.org/10.1214/24-AOS2408
    """
    if value is None or error is None:
        return None, None
    if method == "wilson":
        return wilson(level, value, users)
    if users < 2 or is_rounding(error, users, abs(value)):
        return None, None
    reach = quantile_of(method, level, users, freedom) * error
    return value - reach, value + reach


def wilson(level: float, value: float | None, users: int) -> Interval:
    """Return the interval of a share, which has it within its limits, and both within 0 and 1.

    Source: Wilson 1927, doi.org/10.1080/01621459.1927.10502953
    """
    if value is None or not users:
        return None, None
    z = normal().inv_cdf((1 + level) / 2)
    middle = (value + z * z / (2 * users)) / (1 + z * z / users)
    reach = z * math.sqrt(value * (1 - value) / users + z * z / (4 * users**2))
    reach /= 1 + z * z / users
    # At 0 and 1 a limit is the share itself, apart from rounding.
    return max(0.0, min(value, middle - reach)), min(1.0, max(value, middle + reach))


def is_of_zeros_and_ones(value: float, users: int, error: float) -> bool:
    """Say whether users' values are 0 and 1 alone: then the mean tells their deviation."""
    return math.isclose(error**2 * (users - 1), value * (1 - value), rel_tol=1e-9, abs_tol=1e-12)


def test_of(row: Mapping[str, Any]) -> str:
    """Return the test of a difference where none is named.

    Of fewer than 100 users all signs are turned. Of values that are 0 and 1 alone they are counted:
    ``mcnemar``, or ``sign`` where all users differ. Others are added up: ``permutation``.
    """
    if not is_of_few(row):
        return "t"
    if not is_of_pairs(row):
        return "permutation"
    return "mcnemar" if row["ties"] else "sign"


def is_of_few(row: Mapping[str, Any]) -> bool:
    """Say whether a difference is a mean over so few users that ``t`` may be wrong."""
    return row["method"] == "mean" and row["standard_error"] is not None and row["users"] < ENOUGH


def is_of_pairs(row: Mapping[str, Any]) -> bool:
    """Say whether a difference is one of users' values that are 0 and 1 alone."""
    users, error, base = row["users"], row["standard_error"], row["baseline_error"]
    if row["method"] != "mean" or error is None:
        return False
    variance = max(0.0, error**2 + base**2 + 2 * row["covariance"])
    binary = is_of_zeros_and_ones(row["value"], users, math.sqrt(variance))
    return binary and is_of_zeros_and_ones(row["baseline_value"], users, base)


def percentile(level: float, draws: Sequence[float]) -> Interval:
    """Return the interval that holds the middle of the means of users drawn again.

    Source: Efron 1979, doi.org/10.1214/aos/1176344552
    """
    return _between(draws, (1 - level) / 2, (1 + level) / 2)


def bca(
    level: float, draws: Sequence[float], value: float, users: int, skewness: float
) -> Interval:
    """Return the interval by percentiles that are moved for bias and skewness.

    The acceleration is that of a mean in closed form, the skewness of the values by 6 sqrt(users).

    Source: Efron 1987, doi.org/10.1080/01621459.1987.10478410
    """
    # Draws that differ from the value in their last digits alone are the value.
    ordered = sorted(draws)
    below = bisect_left(ordered, value - 1e-12) + bisect_right(ordered, value + 1e-12)
    if not 0 < below < 2 * len(ordered):
        return percentile(level, ordered)
    bias = normal().inv_cdf(below / 2 / len(ordered))
    acceleration = skewness / (6 * math.sqrt(users))

    def moved(share: float) -> float:
        z = bias + normal().inv_cdf(share)
        return normal().cdf(bias + z / (1 - acceleration * z))

    return _between(ordered, moved((1 - level) / 2), moved((1 + level) / 2))


def _between(draws: Sequence[float], low: float, high: float) -> Interval:
    """Return the draws below which two shares of them lie, between two draws on a line."""
    if not draws:
        return None, None
    ordered = sorted(draws)

    def at(share: float) -> float:
        place = share * (len(ordered) - 1)
        lower = math.floor(place)
        upper = min(lower + 1, len(ordered) - 1)
        return ordered[lower] + (place - lower) * (ordered[upper] - ordered[lower])

    return at(low), at(high)


def deviation(draws: Sequence[float]) -> float:
    """Return the standard deviation of draws."""
    mean = math.fsum(draws) / len(draws)
    return math.sqrt(math.fsum((draw - mean) ** 2 for draw in draws) / (len(draws) - 1))


def covariance(draws: Sequence[float], others: Sequence[float]) -> float:
    """Return the covariance of draws of two values."""
    mean, other = math.fsum(draws) / len(draws), math.fsum(others) / len(others)
    products = ((a - mean) * (b - other) for a, b in zip(draws, others, strict=True))
    return math.fsum(products) / (len(draws) - 1)


def freedom_of(row: Mapping[str, Any]) -> float:
    """Return the degrees of freedom of t that a difference has by users, or by groups of them."""
    freedom = row.get("degrees_of_freedom")
    return float(row["units"] - 1 if freedom is None else freedom)


def pooled(rows: Sequence[Mapping[str, Any]]) -> tuple[float, float | None]:
    """Return the mean and the standard deviation of values that are known in parts.

    Sums of squares are added as in Chan, Golub and LeVeque 1979, "Updating formulae and a pairwise
    algorithm for computing sample variances".

    Args:
        rows: Of each part its users, their mean as value, and their deviation or standard error.

    Returns:
        Both; the deviation of one value is None.
    """
    parts = [(row["users"], row["value"], _deviation(row)) for row in rows]
    number, first = sum(n for n, _, _ in parts), parts[0][1]
    # From a mean on, so that means which are all alike are that mean, without deviation.
    mean = first + math.fsum(n * (own - first) for n, own, _ in parts) / number
    within = ((n - 1) * deviation**2 for n, _, deviation in parts)
    squares = math.fsum((*within, *(n * (own - mean) ** 2 for n, own, _ in parts)))
    return mean, math.sqrt(squares / (number - 1)) if number > 1 else None


def _deviation(row: Mapping[str, Any]) -> float:
    """Return the deviation of a part, 0 of one value, which has no error."""
    deviation: float | None = row.get("standard_deviation")
    if deviation is None:
        deviation = (row.get("standard_error") or 0.0) * row["users"] ** 0.5
    return deviation


def is_rounding(error: float, units: int, size: float) -> bool:
    """Say whether what a standard error stands on are the last digits of values of some size."""
    return error * math.sqrt(units) <= ROUNDING * size


def p_value(
    test: str,
    row: Mapping[str, Any],
    flips: Sequence[float] = (),
    sizes: Sequence[Size] | None = None,
    *,
    level: float = 0.95,
) -> float | None:
    """Return how likely a difference of this size is where neither model is better, two-sided.

    ``t``: Student's for pairs; where all differ by the same, the chance that all fall on one side.
    ``wilcoxon``: the signed rank test, users without a difference left out; exact where there are
    sizes, which are those of all users with one, else by the normal distribution, ties counted.
    ``permutation``: how often signs give as large a difference, of all signs that the sizes can
    have; what is just as large counts half where some users do not differ, which makes the error
    rate 5 % on average over how many do; without sizes by the normal distribution.
    ``sign``: more against less, exact. ``mcnemar``: the same, less half the chance of as many, to
    each side. ``randomization``: the share of random signs that give as
    large a difference; the signs that there are count as one of them. ``always``: the least error
    rate at which an interval that holds at any time, tuned at ``level``, leaves 0 out. Null where
    there is too little to tell.

    Source: Student 1908; Wilcoxon 1945, doi.org/10.2307/3001968; Fisher 1935, The Design of
    Experiments; Fagerland, Lydersen & Laake 2013, doi.org/10.1186/1471-2288-13-91.
    """
    difference, error = row["difference"], row["standard_error"]
    apart = row["users"] - row["ties"]
    if not apart and not (row.get("method") == "delta" and test == "t" and difference):
        return None
    if test == "t":
        if error is None:
            return None
        if not error:
            return math.ldexp(1, 1 - int(row["units"]))
        return t_outside(difference / error, freedom_of(row))
    if test == "always":
        if not error:
            return None
        mixed = _mixed(level, row["units"])
        size = (difference / error) ** 2 * mixed / (mixed + 1)
        return min(1.0, math.sqrt(1 + mixed) * math.exp(-size / 2))
    if test == "wilcoxon":
        if sizes is not None:
            ranks = [one.size_rank for one in sizes for _ in range(one.users)]
            return signed_ranks_outside(row["signed_ranks"], ranks)
        return normal_outside(row["signed_ranks"] / row["signed_ranks_error"])
    if test in ("sign", "mcnemar"):
        outside = as_uneven if test == "sign" else as_uneven_mid
        return outside((apart - abs(row["signs"])) // 2, apart)
    if test == "permutation":
        if sizes is not None:
            signs = {one.distance: (one.users, one.signs) for one in sizes}
            return turned_signs_outside(signs, half=row["ties"] > 0)
        if error is None:
            return None
        users = row["users"]
        squares = (users - 1) * users * error**2 + users * difference**2
        return normal_outside(users * difference / math.sqrt(squares))
    # Sums that differ in their last digits alone are as large.
    least = (abs(difference) * (1 - 1e-12) - 1e-12) * row["users"]
    return float((1 + sum(abs(flip) >= least for flip in flips)) / (1 + len(flips)))


def flips_needed(correction: str, count: int, level: float) -> int:
    """Return how many turns of signs can show one row of many to be significant."""
    if correction not in ("holm", "bonferroni"):
        return 0
    # The least p value is 1 of one more than there are turns, and stays below 1 - level.
    return math.floor(count / (1 - level) * (1 + 1e-9))


def corrected(correction: str, p_values: Sequence[float | None]) -> list[float | None]:
    """Correct p values for how many there are: those of all models, metrics and segments.

    ``bonferroni`` and ``holm`` hold the chance of any false alarm, ``bh`` the share of false alarms
    among all.

    Source: Holm 1979, jstor.org/stable/4615733; Benjamini & Hochberg 1995,
    doi.org/10.1111/j.2517-6161.1995.tb02031.x
    """
    known = sorted(p for p in p_values if p is not None)
    count = len(known)
    if correction == "none":
        return list(p_values)
    steps: dict[str, list[float]] = {
        "bonferroni": [count for _ in known],
        "holm": [count - place for place in range(count)],
        "bh": [count / (place + 1) for place in range(count)],
    }
    made = [min(1.0, p * step) for p, step in zip(known, steps[correction], strict=True)]
    # A larger p value is corrected to none that is less.
    if correction == "bh":
        made = [*accumulate(reversed(made), min)][::-1]
    else:
        made = [*accumulate(made, max)]
    found = dict(zip(known, made, strict=True))
    return [None if p is None else found[p] for p in p_values]


def detectable(level: float, power: float, users: int, error: float | None) -> float | None:
    """Return the least true difference that a test at 1 - level finds with a chance of power.

    Source: Cohen 1988, Statistical Power Analysis; by the normal distribution.
    """
    if not error or users < 2:
        return None
    return (normal().inv_cdf((1 + level) / 2) + normal().inv_cdf(power)) * error
