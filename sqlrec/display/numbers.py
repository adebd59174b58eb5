"""Format numbers with the digits that their precision supports."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

# The number of significant digits for values without an interval.
DIGITS = 3

# Usual levels of significance.
LEVELS = (0.001, 0.01, 0.05, 0.1)

# The maximum number of decimals; smaller numbers are written with a power of ten.
MOST = 6


def decimals_for(values: Iterable[float | None], halves: Iterable[float | None] = ()) -> int:
    """Return the number of decimals of the numbers in a column.

    The narrowest interval gets two digits, and the widest interval gets at most three digits, but
    all intervals get at least one digit. In a column without intervals, the largest number gets
    three digits. The smallest number gets two digits, if this adds at most three decimals.
    """
    widths = [half for half in halves if half and math.isfinite(half)]
    if widths:
        narrowest, widest = _power(min(widths)), _power(max(widths))
        return max(0, min(1 - narrowest, 2 - widest), -narrowest)
    sizes = [abs(value) for value in values if value and math.isfinite(value)]
    if not sizes:
        return DIGITS
    decimals = DIGITS - 1 - _power(max(sizes))
    return max(0, decimals, min(1 - _power(min(sizes)), decimals + DIGITS))


def decimals_for_intervals(
    differences: Iterable[tuple[float | None, float | None, float | None]], decimals: int
) -> int:
    """Return enough decimals for intervals that exclude 0 to exclude it after rounding too.

    Args:
        differences: Differences with the ends of their intervals.
        decimals: The minimum number of decimals.
    """
    for value, low, high in differences:
        if value is None or low is None or high is None or low <= 0 <= high:
            continue
        half, nearest = (high - low) / 2, min(abs(low), abs(high))
        if not math.isfinite(half):
            continue
        while decimals < MOST and not (
            round(nearest, decimals) and round(abs(value), decimals) > round(half, decimals)
        ):
            decimals += 1
    return decimals


def round_last_digits(value: float) -> float:
    """Return a number without its last digits, which depend on the order of summation."""
    return float(f"{value:.12g}")


def number(value: float | None, decimals: int, sign: bool = False) -> str:
    """Format a number with thousands separators; a missing number is empty."""
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:+,}" if sign else f"{value:,}"
    if not math.isfinite(value):
        return str(value)
    value = round_last_digits(value)
    plus = "+" if sign else ""
    if value and (decimals > MOST or abs(value) >= 1e15):
        return f"{value:{plus}.{DIGITS - 1}e}"
    text = f"{value:{plus},.{min(decimals, MOST)}f}"
    # A number that rounds to 0 has no sign.
    return text if text.strip("+-0.,") else text.lstrip("+-")


def spread(
    value: float, low: float | None, high: float | None, decimals: int, *, limits: bool = False
) -> str:
    """Format an interval: ``±0.012``, or both limits if it is asymmetric or ``limits`` is true."""
    if low is None or high is None:
        return ""
    below, above = (number(side, decimals) for side in (value - low, high - value))
    if below == above and not limits:
        return f"±{below}"
    return f"[{number(low, decimals)}, {number(high, decimals)}]"


def format_p(p: float | None) -> str:
    """Format a p-value with enough digits to stay on the same side of usual levels."""
    if p is None:
        return ""
    if p < 0.001:
        return "<0.001"
    texts = (f"{p:.{digits}f}" for digits in range(3, 17))
    return next((text for text in texts if float(text) not in LEVELS or p in LEVELS), str(p))


def format_change(share: float | None) -> str:
    """Format a relative difference as a percentage: ``+3.2%``."""
    if share is None:
        return ""
    size = abs(100 * share)
    return f"{number(100 * share, 0 if size >= 100 else 1, sign=True)}%"


def _power(size: float) -> int:
    """Return the power of ten of the first digit, after rounding the number to two digits."""
    return int(f"{size:.1e}".partition("e")[2])


def format_count(number: int, words: str) -> str:
    """Format a count with its noun: ``1 user``, ``2,780 users``."""
    return f"{number:,} {to_singular(words) if number == 1 else words}"


def to_singular(words: str) -> str:
    """Return words with the first noun in the singular."""
    return re.sub(
        r"(users|lists|rows|decisions|tests|segments|models|columns|items|pairs|values|decimals)\b",
        lambda match: match[0][:-1],
        words,
        count=1,
    )
