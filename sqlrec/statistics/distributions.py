"""Distributions of test statistics, exact to the last digits, without SciPy."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from statistics import NormalDist

# Relative step at which iterations stop.
_SMALL = 4e-16

# For up to this number of users, differences are rounded to the first number of steps of the
# largest difference; for more users, to the second. Most fractions are exact in such steps, and the
# test stays fast for 100 users.
_MAX_FINE_USERS, _FINE_STEPS, _STEPS = 50, 2520, 840


def solve(low: float, high: float, goal: float, function: Callable[[float], float]) -> float:
    """Return the value at which an increasing function reaches a goal, by bisection."""
    if function(low) >= goal:
        return low
    while function(high) < goal:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if function(middle) < goal else (low, middle)
    return high


@cache
def normal_distribution() -> NormalDist:
    """Return the normal distribution; its slow module is imported lazily."""
    from statistics import NormalDist

    return NormalDist()


def normal_outside(z: float) -> float:
    """Return the two-sided tail probability of the normal distribution at z."""
    return math.erfc(abs(z) / math.sqrt(2))


def t_outside(t: float, freedom: float) -> float:
    """Return the two-sided tail probability of Student's t."""
    # The limit keeps the square of t finite.
    return 2 * t_above(min(abs(t), 1e150), freedom)


@cache
def t_quantile(share: float, freedom: float) -> float:
    """Return a quantile of Student's t, by Newton's method on the logarithms of t and the tail."""
    if share < 0.5:
        return -t_quantile(1 - share, freedom)
    tails = 2 * (1 - share)
    if tails == 1:
        return 0.0
    # Start from the normal quantile, or from Cauchy's quantile if tails are heavy.
    t = math.tan(math.pi * (1 - tails) / 2) if freedom < 2 else normal_distribution().inv_cdf(share)
    scale = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)
    for _ in range(60):
        outside = t_outside(t, freedom)
        density = math.exp(scale - (freedom + 1) / 2 * math.log1p(t * t / freedom))
        density *= 2 / math.sqrt(math.pi * freedom)
        # The step is in log(t), limited to avoid overflow.
        step = math.log(outside / tails) * outside / density / t
        t *= math.exp(max(-5.0, min(5.0, step)))
        if abs(step) < _SMALL:
            break
    return t


def t_above(t: float, freedom: float, shift: float = 0.0) -> float:
    """Return the probability that a noncentral t with the noncentrality ``shift`` exceeds t.

    This is the mean, over the distribution of deviations, of the probability that a normal variable
    around the shift exceeds t times the deviation. The sum over logarithms of deviations converges
    fast.
    """
    wide = 1 / math.sqrt(2 * freedom)
    step = min(wide / 4, 1 / 16)
    # Far in the tails small deviations decide.
    middle = 0.0 if shift else -math.log1p(t * t / freedom) / 2
    first, last = middle - max(12 * wide, 40 / freedom), 12 * wide
    total = tail_sum = 0.0
    for n in range(math.floor(first / step), math.ceil(last / step) + 1):
        log = n * step
        weight = math.exp(freedom * (log - math.expm1(2 * log) / 2))
        total += weight
        tail_sum += weight * math.erfc((t * math.exp(log) - shift) / math.sqrt(2)) / 2
    return tail_sum / total


def binomial_tail(cases: int, count: int, share: float) -> float:
    """Return the binomial probability of at least ``count`` of ``cases``."""
    if count > cases:
        return 0.0
    if count <= cases * share:
        return 1 - binomial_tail(cases, cases - count + 1, 1 - share)
    term = total = multinomial_probability((count, cases - count), (share, 1 - share))
    # Terms above the mean shrink, so the sum stops at a negligible term.
    for number in range(count, cases):
        term *= (cases - number) / (number + 1) * share / (1 - share)
        if term <= total * 1e-17:
            break
        total += term
    return total


def multinomial_probability(counts: Sequence[int], shares: Sequence[float]) -> float:
    """Return the multinomial probability of counts."""
    logs = math.lgamma(sum(counts) + 1)
    for count, share in zip(counts, shares, strict=True):
        if count and share <= 0:
            return 0.0
        if count:
            logs += count * math.log(share) - math.lgamma(count + 1)
    return math.exp(logs)


def sign_test_p(fewer: int, cases: int) -> float:
    """Return the two-sided p-value of the sign test, exact for up to a thousand cases."""
    if 2 * fewer >= cases:
        return 1.0
    if cases > 1000:
        return 2 * binomial_tail(cases, cases - fewer, 0.5)
    return float(2 * sum(math.comb(cases, count) for count in range(fewer + 1)) / 2**cases)


def sign_test_mid_p(fewer: int, cases: int) -> float:
    """Return the mid-p-value of the sign test: the probability of the observed split counts half.

    Source: Fagerland, Lydersen & Laake 2013, doi.org/10.1186/1471-2288-13-91
    """
    beyond = sign_test_p(fewer - 1, cases) if fewer else 0.0
    return (sign_test_p(fewer, cases) + beyond) / 2


def sign_flips_outside(signs: Mapping[float, tuple[int, int]], *, half: bool) -> float:
    """Return the exact two-sided p-value of the sign-flip permutation test.

    ``signs`` contains, by size, the number of users, and the number above 0 minus the number below
    0. Sizes are rounded to fractions of the largest, so sums are integers. With ``half``, equal
    sums count half (mid-p).

    Source: Fisher 1935, The Design of Experiments; Pitman 1937, doi.org/10.2307/2984124; mid-p
    Lancaster 1961, doi.org/10.1080/01621459.1961.10482105
    """
    users = sum(count for count, _ in signs.values())
    steps = _FINE_STEPS if users < _MAX_FINE_USERS else _STEPS
    largest = max(signs)
    sizes: Counter[int] = Counter()
    signed = 0
    for size, (count, more) in signs.items():
        rounded = round(size / largest * steps)
        sizes[rounded] += count
        signed += rounded * more
    shared = math.gcd(*sizes)
    sizes = Counter({size // shared: count for size, count in sizes.items()})
    return _flips_outside(sizes, abs(signed) // shared, half=half)


def signed_ranks_outside(signed: float, ranks: Sequence[float]) -> float:
    """Return the exact two-sided p-value of the signed rank test.

    Source: Wilcoxon 1945, doi.org/10.2307/3001968; with tied ranks, Pratt & Gibbons 1981.
    """
    # Tied ranks may be halves.
    rank_counts = Counter(round(2 * rank) for rank in ranks)
    return _flips_outside(rank_counts, round(2 * abs(signed)), half=False)


def _flips_outside(sizes: Mapping[int, int], signed: int, *, half: bool) -> float:
    """Return the share of sign vectors with a sum of sizes at least as far from 0.

    One long integer contains a bit field for each sum, with the number of sign vectors that have
    this sum. Each user adds a copy of the integer, shifted by the user's size.
    """
    users, ways = sum(sizes.values()), 1
    field = users + 2
    for size, count in sizes.items():
        for _ in range(count):
            ways += ways << (size * field)
    smaller_sum = (sum(size * count for size, count in sizes.items()) - signed) // 2

    def at_most(total: int) -> int:
        """Return the sum of the fields up to a total, as a remainder by the largest field."""
        return (ways & ((1 << ((total + 1) * field)) - 1)) % ((1 << field) - 1)

    beyond = at_most(smaller_sum - 1)
    equal_sums = (at_most(smaller_sum) - beyond) * (2 if signed else 1)
    return float((2 * beyond + (equal_sums / 2 if half else equal_sums)) / 2**users)
