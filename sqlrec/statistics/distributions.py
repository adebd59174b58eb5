"""Distributions of tests, to the last digits, without a library."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from statistics import NormalDist

# Where steps end, and more than any continued fraction here takes.
_SMALL = 1e-16
_MOST_STEPS = 100_000

# The parts of the largest difference that others are rounded to, for fewer users and for more:
# most shares of whole numbers are such parts, and sums of 100 differences take a moment.
_FEW, _STEPS_OF_FEW, _STEPS = 50, 2520, 840


@cache
def normal() -> NormalDist:
    """Return the normal distribution, whose module takes long to import."""
    from statistics import NormalDist

    return NormalDist()


def normal_outside(z: float) -> float:
    """Return the chance of a normal variable to be as far from 0 as z."""
    return math.erfc(abs(z) / math.sqrt(2))


def t_outside(t: float, freedom: float) -> float:
    """Return the chance of Student's t to be as far from 0 as t."""
    # Its square is a number.
    return _areas(min(abs(t), 1e150), freedom)[1]


@cache
def t_quantile(share: float, freedom: float) -> float:
    """Return the value below which a share of Student's t lies.

    By Newton's steps on the logarithms of both, on the side where the area is small.
    """
    if share < 0.5:
        return -t_quantile(1 - share, freedom)
    inside, outside = 2 * share - 1, 2 * (1 - share)
    if not inside:
        return 0.0
    # From the normal distribution, or for heavy tails from Cauchy's, both with a like middle.
    t = math.tan(math.pi * inside / 2) if freedom < 2 else normal().inv_cdf(share)
    for _ in range(200):
        middle, tails = _areas(t, freedom)
        density = 2 * _gamma_ratio(freedom / 2) / math.sqrt(math.pi * freedom)
        density *= math.exp(-(freedom + 1) / 2 * math.log1p(t * t / freedom))
        if inside < outside:
            step = math.log(inside / middle) * middle / density
        else:
            step = math.log(tails / outside) * tails / density
        # A step is of t's own logarithm; from far away it may not leave the numbers.
        factor = math.exp(max(-5.0, min(5.0, step / t)))
        t *= factor
        if abs(factor - 1) < 4 * _SMALL:
            break
    return t


def t_above(t: float, freedom: float, shift: float) -> float:
    """Return the chance that Student's t around a shift, the noncentral t, lies above t.

    It is that of a normal variable around the shift to lie above t times a deviation, on average
    over the deviations that there may be: a sum over their logarithms, which converges like that of
    a smooth function that falls to both sides.
    """
    wide = 1 / math.sqrt(2 * freedom)
    step = min(wide / 4, 1 / 16)
    first, last = -max(12 * wide, 40 / freedom), 12 * wide
    total = found = 0.0
    for n in range(math.floor(first / step), math.ceil(last / step) + 1):
        log = n * step
        weight = math.exp(freedom * (log - math.expm1(2 * log) / 2))
        total += weight
        found += weight * math.erfc((t * math.exp(log) - shift) / math.sqrt(2)) / 2
    return found / total


def _areas(t: float, freedom: float) -> tuple[float, float]:
    """Return the area of Student's t between -t and t, and that outside.

    The smaller one is an incomplete beta function by its continued fraction: near the middle
    dlmf.nist.gov/8.17.E22; in the tails, where 1 - x would lose digits, that of DiDonato & Morris
    1992, doi.org/10.1145/131766.131776.
    """
    half, ratio = freedom / 2, t * t / freedom
    far = 1 / (1 + ratio)
    near = ratio * far
    front = math.exp(-half * math.log1p(ratio)) * math.sqrt(near / math.pi) * _gamma_ratio(half)
    if near * (half + 2.5) > 1.5:
        tails = front / _tail_fraction(half, 0.5, far, near)
        return 1 - tails, tails
    middle = 2 * front / _middle_fraction(0.5, half, near)
    return middle, 1 - middle


def _middle_fraction(a: float, b: float, x: float) -> float:
    """Return 1 + d1 / (1 + d2 / (1 + ...)), by Lentz's method."""
    value = above = 1.0
    below = 0.0
    for step in range(1, _MOST_STEPS):
        m, odd = divmod(step, 2)
        if odd:
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
    for n in range(1, _MOST_STEPS):
        odd = n * (b - n) * x / (a + 2 * n - 1)
        part = (a + n - 1) * (a + b + n - 1) * x / (a + 2 * n - 1) * odd
        whole = n + odd + (a + n) / (a + 2 * n + 1) * (beyond + n * (1 + y))
        below = 1 / (whole + part * below)
        above = whole + part / above
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


def as_uneven(fewer: int, whole: int) -> float:
    """Return the chance that of fair coins one side comes up at most so often, two-sided.

    Exact; of more than a thousand of the rarer side by Stirling's series, to ten digits.
    """
    if 2 * fewer >= whole:
        return 1.0
    if fewer <= 1000:
        chance = ways = 1
        for number in range(1, fewer + 1):
            ways = ways * (whole - number + 1) // number
            chance += ways
        return 2 * chance / 2**whole if whole < 1000 else _halved(2 * chance, whole)
    off = (whole - 2 * fewer) / whole
    exponent = (1 + off) * math.log1p(off) + (1 - off) * math.log1p(-off)
    rest = _stirling(whole) - _stirling(fewer) - _stirling(whole - fewer)
    share = math.sqrt(whole / (2 * math.pi * fewer * (whole - fewer)))
    term = total = 1.0
    number = fewer
    while term > _SMALL * total:
        term *= number / (whole - number + 1)
        total += term
        number -= 1
    return 2 * share * math.exp(rest - whole / 2 * exponent) * total


def as_uneven_mid(fewer: int, whole: int) -> float:
    """Return the chance of fair coins to come up more unevenly, and half of that of as unevenly.

    Source: Fagerland, Lydersen & Laake 2013, doi.org/10.1186/1471-2288-13-91
    """
    beyond = as_uneven(fewer - 1, whole) if fewer else 0.0
    return (as_uneven(fewer, whole) + beyond) / 2


def _halved(number: int, times: int) -> float:
    """Return a large number halved many times."""
    digits = max(0, number.bit_length() - 64)
    return math.ldexp(number >> digits, digits - times)


def _stirling(n: int) -> float:
    """Return what Stirling's formula of ln n! leaves."""
    return 1 / (12 * n) - 1 / (360 * n**3) + 1 / (1260 * n**5)


@cache
def _ways(ranks: tuple[int, ...]) -> list[int]:
    """Return how many choices of ranks have each sum."""
    ways = [1] + [0] * sum(ranks)
    for rank in ranks:
        for total in range(len(ways) - 1, rank - 1, -1):
            ways[total] += ways[total - rank]
    return ways


def turned_signs_outside(signs: Mapping[float, tuple[int, int]], *, half: bool) -> float:
    """Return how often random signs of differences add up to as far from 0, of all that there are.

    Sizes are rounded to shares of the largest. The sums of all signs are then whole numbers, and
    how many signs have each is a field of bits in one long number: each user adds a copy of it that
    is shifted by the size, as of those who are above 0.

    Args:
        signs: By size how many users have such a difference, and how many more are above 0 than
            below.
        half: Whether signs that add up to just as much count half: the mid-p.

    Source: Fisher 1935, The Design of Experiments; Pitman 1937, doi.org/10.2307/2984124; mid-p
    Lancaster 1961, doi.org/10.1080/01621459.1961.10482105
    """
    users = sum(count for count, _ in signs.values())
    steps = _STEPS_OF_FEW if users < _FEW else _STEPS
    largest = max(signs)
    sizes = [(round(size / largest * steps), *counts) for size, counts in signs.items()]
    shared = math.gcd(*(size for size, _, _ in sizes))
    sizes = [(size // shared, count, more) for size, count, more in sizes]
    field, ways = users + 2, 1
    for size, count, _ in sizes:
        for _ in range(count):
            ways += ways << (size * field)
    whole = sum(size * count for size, count, _ in sizes)
    signed = sum(size * more for size, _, more in sizes)
    least = (whole - abs(signed)) // 2

    def at_most(total: int) -> int:
        """Add up the fields: what is left of their sum by the largest number of a field."""
        return (ways & ((1 << ((total + 1) * field)) - 1)) % ((1 << field) - 1)

    beyond = at_most(least - 1)
    as_far = (at_most(least) - beyond) * (2 if signed else 1)
    return float((2 * beyond + (as_far / 2 if half else as_far)) / 2**users)


def signed_ranks_outside(signed: float, ranks: Sequence[float]) -> float:
    """Return how often random signs of ranks add up to as far from 0, of all signs that there are.

    Source: Wilcoxon 1945, doi.org/10.2307/3001968; with ties as they are, Pratt & Gibbons 1981.
    """
    # Ranks of ties are halves.
    doubled = tuple(sorted(round(2 * rank) for rank in ranks))
    ways = _ways(doubled)
    # What stands below 0 adds up to at most this, on the side with less.
    least = (sum(doubled) - round(2 * abs(signed))) // 2
    return min(1.0, float(sum(ways[: least + 1]) / 2 ** (len(doubled) - 1)))
