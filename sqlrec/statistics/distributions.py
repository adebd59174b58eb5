"""Distributions of test statistics, exact to the last digits, without SciPy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from statistics import NormalDist

# Tolerance at which iterations stop, and maximum number of iterations.
_SMALL = 1e-16
_MAX_STEPS = 100_000

# Differences are rounded to this many steps of the largest difference, for fewer users than the
# first number and for more. Most fractions are exact in such steps, and 100 users stay fast.
_MAX_FINE_USERS, _FINE_STEPS, _STEPS = 50, 2520, 840


@cache
def normal() -> NormalDist:
    """Return the normal distribution; its slow module is imported lazily."""
    from statistics import NormalDist

    return NormalDist()


def normal_outside(z: float) -> float:
    """Return the two-sided tail probability of the normal distribution at z."""
    return math.erfc(abs(z) / math.sqrt(2))


def t_outside(t: float, freedom: float) -> float:
    """Return the two-sided tail probability of Student's t."""
    # The limit keeps the square of t finite.
    return _areas(min(abs(t), 1e150), freedom)[1]


@cache
def t_quantile(share: float, freedom: float) -> float:
    """Return a quantile of Student's t.

    Newton's method on the logarithms of t and of the smaller area.
    """
    if share < 0.5:
        return -t_quantile(1 - share, freedom)
    inside, outside = 2 * share - 1, 2 * (1 - share)
    if not inside:
        return 0.0
    # Start from the normal quantile, or for heavy tails from Cauchy's.
    t = math.tan(math.pi * inside / 2) if freedom < 2 else normal().inv_cdf(share)
    for _ in range(200):
        middle, tails = _areas(t, freedom)
        density = 2 * _gamma_ratio(freedom / 2) / math.sqrt(math.pi * freedom)
        density *= math.exp(-(freedom + 1) / 2 * math.log1p(t * t / freedom))
        if inside < outside:
            step = math.log(inside / middle) * middle / density
        else:
            step = math.log(tails / outside) * tails / density
        # The step is in log(t), limited to avoid overflow.
        factor = math.exp(max(-5.0, min(5.0, step / t)))
        t *= factor
        if abs(factor - 1) < 4 * _SMALL:
            break
    return t


def t_above(t: float, freedom: float, shift: float) -> float:
    """Return the probability that the noncentral t, with shift as its noncentrality, exceeds t.

    This is the mean, over the distribution of deviations, of the probability that a normal variable
    around the shift exceeds t times the deviation. The sum over their logarithms converges fast.
    """
    wide = 1 / math.sqrt(2 * freedom)
    step = min(wide / 4, 1 / 16)
    first, last = -max(12 * wide, 40 / freedom), 12 * wide
    total = tail_sum = 0.0
    for n in range(math.floor(first / step), math.ceil(last / step) + 1):
        log = n * step
        weight = math.exp(freedom * (log - math.expm1(2 * log) / 2))
        total += weight
        tail_sum += weight * math.erfc((t * math.exp(log) - shift) / math.sqrt(2)) / 2
    return tail_sum / total


def _areas(t: float, freedom: float) -> tuple[float, float]:
    """Return the area of Student's t between -t and t, and the area outside.

    The smaller area is an incomplete beta function by a continued fraction: near the middle
    dlmf.nist.gov/8.17.E22; in the tails, where 1 - x would lose digits, DiDonato & Morris 1992,
    doi.org/10.1145/131766.131776.
    """
    half, ratio = freedom / 2, t * t / freedom
    outer = 1 / (1 + ratio)
    inner = ratio * outer
    front = math.exp(-half * math.log1p(ratio)) * math.sqrt(inner / math.pi) * _gamma_ratio(half)
    if inner * (half + 2.5) > 1.5:
        tails = front / _tail_fraction(half, 0.5, outer, inner)
        return 1 - tails, tails
    middle = 2 * front / _middle_fraction(0.5, half, inner)
    return middle, 1 - middle


def _middle_fraction(a: float, b: float, x: float) -> float:
    """Return 1 + d1 / (1 + d2 / (1 + ...)), by Lentz's method."""
    value = above = 1.0
    below = 0.0
    for step in range(1, _MAX_STEPS):
        m, is_odd = divmod(step, 2)
        if is_odd:
            part = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            part = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        below = 1 / (1 + part * below)
        above = 1 + part / above
        value *= above * below
        if abs(above * below - 1) < _SMALL:
            break
    return value


def _tail_fraction(a: float, b: float, x: float, y: float) -> float:
    """Return b0 + a1 / (b1 + a2 / (b2 + ...)), by Lentz's method. y is 1 - x, to the last digit."""
    beyond = (a + b) * y - b + 1
    value = above = a / (a + 1) * beyond
    below = 0.0
    for n in range(1, _MAX_STEPS):
        partial = n * (b - n) * x / (a + 2 * n - 1)
        part = (a + n - 1) * (a + b + n - 1) * x / (a + 2 * n - 1) * partial
        denominator = n + partial + (a + n) / (a + 2 * n + 1) * (beyond + n * (1 + y))
        below = 1 / (denominator + part * below)
        above = denominator + part / above
        value *= above * below
        if abs(above * below - 1) < _SMALL:
            break
    return value


@cache
def _gamma_ratio(a: float) -> float:
    """Return Gamma(a + 1/2) / Gamma(a), by its series for large a: dlmf.nist.gov/5.11.E13."""
    factor = 1.0
    while a < 40:
        factor *= a / (a + 0.5)
        a += 1
    terms = (1, -1 / 8, 1 / 128, 5 / 1024, -21 / 32768, -399 / 262144, 869 / 4194304)
    return factor * math.sqrt(a) * math.fsum(term / a**n for n, term in enumerate(terms))


def as_uneven(fewer: int, cases: int) -> float:
    """Return the two-sided p-value of the sign test.

    Exact; if the rarer sign has more than a thousand cases, by Stirling's series to ten digits.

    Args:
        fewer: The number of cases with the rarer sign.
        cases: The number of all cases.
    """
    if 2 * fewer >= cases:
        return 1.0
    if fewer <= 1000:
        chance = ways = 1
        for number in range(1, fewer + 1):
            ways = ways * (cases - number + 1) // number
            chance += ways
        return 2 * chance / 2**cases if cases < 1000 else _halved(2 * chance, cases)
    off = (cases - 2 * fewer) / cases
    exponent = (1 + off) * math.log1p(off) + (1 - off) * math.log1p(-off)
    rest = _stirling(cases) - _stirling(fewer) - _stirling(cases - fewer)
    share = math.sqrt(cases / (2 * math.pi * fewer * (cases - fewer)))
    term = total = 1.0
    number = fewer
    while term > _SMALL * total:
        term *= number / (cases - number + 1)
        total += term
        number -= 1
    return 2 * share * math.exp(rest - cases / 2 * exponent) * total


def as_uneven_mid(fewer: int, cases: int) -> float:
    """Return the mid-p-value of the sign test: an equally uneven split counts half.

    Source: Fagerland, Lydersen & Laake 2013, doi.org/10.1186/1471-2288-13-91
    """
    beyond = as_uneven(fewer - 1, cases) if fewer else 0.0
    return (as_uneven(fewer, cases) + beyond) / 2


def _halved(number: int, times: int) -> float:
    """Return a large number divided by 2**times."""
    digits = max(0, number.bit_length() - 64)
    return math.ldexp(number >> digits, digits - times)


def _stirling(n: int) -> float:
    """Return the remainder of Stirling's formula for ln n!."""
    return 1 / (12 * n) - 1 / (360 * n**3) + 1 / (1260 * n**5)


@cache
def _ways(ranks: tuple[int, ...]) -> list[int]:
    """Return the number of subsets of ranks with each sum."""
    ways = [1] + [0] * sum(ranks)
    for rank in ranks:
        for total in range(len(ways) - 1, rank - 1, -1):
            ways[total] += ways[total - rank]
    return ways


def sign_flips_outside(signs: Mapping[float, tuple[int, int]], *, half: bool) -> float:
    """Return the exact two-sided p-value of the sign-flip permutation test.

    Sizes are rounded to fractions of the largest size, so that sums are integers. The number of
    sign vectors with each sum is a bit field of one long integer: each user adds a copy that is
    shifted by the user's size.

    Args:
        signs: For each size of a difference the number of users, and the number of users above 0
            less the number below.
        half: Whether equal sums count half: the mid-p.

    Source: Fisher 1935, The Design of Experiments; Pitman 1937, doi.org/10.2307/2984124; mid-p
    Lancaster 1961, doi.org/10.1080/01621459.1961.10482105
    """
    users = sum(count for count, _ in signs.values())
    steps = _FINE_STEPS if users < _MAX_FINE_USERS else _STEPS
    largest = max(signs)
    sizes = [(round(size / largest * steps), *counts) for size, counts in signs.items()]
    shared = math.gcd(*(size for size, _, _ in sizes))
    sizes = [(size // shared, count, more) for size, count, more in sizes]
    field, ways = users + 2, 1
    for size, count, _ in sizes:
        for _ in range(count):
            ways += ways << (size * field)
    full_sum = sum(size * count for size, count, _ in sizes)
    signed = sum(size * more for size, _, more in sizes)
    smaller_sum = (full_sum - abs(signed)) // 2

    def at_most(total: int) -> int:
        """Return the sum of the fields up to a total: a remainder by the largest field."""
        return (ways & ((1 << ((total + 1) * field)) - 1)) % ((1 << field) - 1)

    beyond = at_most(smaller_sum - 1)
    equal_sums = (at_most(smaller_sum) - beyond) * (2 if signed else 1)
    return float((2 * beyond + (equal_sums / 2 if half else equal_sums)) / 2**users)


def signed_ranks_outside(signed: float, ranks: Sequence[float]) -> float:
    """Return the exact two-sided p-value of the signed rank test.

    Source: Wilcoxon 1945, doi.org/10.2307/3001968; with tied ranks, Pratt & Gibbons 1981.
    """
    # Tied ranks may be halves.
    doubled = tuple(sorted(round(2 * rank) for rank in ranks))
    ways = _ways(doubled)
    # The smaller sum of ranks, of negative or positive signs.
    smaller_sum = (sum(doubled) - round(2 * abs(signed))) // 2
    return min(1.0, float(sum(ways[: smaller_sum + 1]) / 2 ** (len(doubled) - 1)))
