"""Numbers as people read them: as many digits as they bear."""

from __future__ import annotations

import math
from collections.abc import Iterable

# Values without an interval have as many digits that count.
DIGITS = 3

# More decimals than this are written with a power of ten.
MOST = 6


def decimals_for(values: Iterable[float | None], halves: Iterable[float | None] = ()) -> int:
    """Return how many decimals the numbers of a column have.

    With intervals as many as give the narrowest of them two digits and the widest at most three,
    or at least one to each; without, three digits of the largest number, and two of the smallest,
    or as far as three decimals more reach.

    Args:
        values: The numbers.
        halves: Half the widths of their intervals.
    """
    widths = [half for half in halves if half and math.isfinite(half)]
    if widths:
        least, most = _power(min(widths)), _power(max(widths))
        return max(0, min(1 - least, 2 - most), -least)
    sizes = [abs(value) for value in values if value and math.isfinite(value)]
    if not sizes:
        return DIGITS
    most = DIGITS - 1 - _power(max(sizes))
    return max(0, most, min(1 - _power(min(sizes)), most + DIGITS))


def steady(value: float) -> float:
    """Return a number without its last digits, which depend on the order rows were added in."""
    return float(f"{value:.12g}")


def number(value: float | None, decimals: int, sign: bool = False) -> str:
    """Write a number, its thousands separated; nothing where there is none."""
    if value is None:
        return ""
    if isinstance(value, int):
        return f"{value:+,}" if sign else f"{value:,}"
    if not math.isfinite(value):
        return str(value)
    value = steady(value)
    plus = "+" if sign else ""
    if value and (decimals > MOST or abs(value) >= 1e15):
        return f"{value:{plus}.{DIGITS - 1}e}"
    text = f"{value:{plus},.{min(decimals, MOST)}f}"
    # What is rounded to 0 has no sign.
    return text if text.strip("+-0.,") else text.lstrip("+-")


def spread(value: float, low: float | None, high: float | None, decimals: int) -> str:
    """Write an interval: ``±0.012``, or both limits where they are not equally far."""
    if low is None or high is None:
        return ""
    below, above = (number(side, decimals) for side in (value - low, high - value))
    if below == above:
        return f"±{below}"
    return f"[{number(low, decimals)}, {number(high, decimals)}]"


def chance(p: float | None) -> str:
    """Write a p value."""
    if p is None:
        return ""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def change(share: float | None) -> str:
    """Write a relative difference in percent."""
    if share is None:
        return ""
    size = abs(100 * share)
    return f"{number(100 * share, 0 if size >= 100 else 1, sign=True)} %"


def _power(size: float) -> int:
    """Return the power of ten of the first digit, once the number is rounded to two."""
    return int(f"{size:.1e}".partition("e")[2])
