"""Preference between two models in interleaved lists."""

from __future__ import annotations

import math
from fractions import Fraction

from ..records import Record, Row
from .distributions import sign_test_p, t_outside, t_quantile
from .formulas import wilson_interval

# Value of an impression for the model, by the treatment of ties.
_WORTH = {
    "half": {"wins": Fraction(1), "ties": Fraction(1, 2), "losses": Fraction(0)},
    "drop": {"wins": Fraction(1), "losses": Fraction(0)},
}


def preference(row: Row, ties: str, level: float, *, by_user: bool) -> Record:
    """Return the share of impressions that a model wins, its interval and p-value.

    If the units are impressions, the test is Student's t-test for a mean of 1/2; if ties are
    dropped, it is the exact sign test, with Wilson's interval. If the units are users, the
    preference is a ratio of sums, linearized by user, with Student's t of users - 1 degrees of
    freedom, since impressions of the same user are correlated.

    Source: Chapelle et al. 2012, doi.org/10.1145/2094072.2094078; for ratios Cochran 1977, 6.19.
    """
    worth = _WORTH[ties]
    count = sum(row[f"all_{name}"] for name in worth)
    names = ("preference", "low", "high", "delta", "p")
    if not count:
        return dict.fromkeys(names)
    share = sum(value * row[f"all_{name}"] for name, value in worth.items()) / count
    share_value, delta = float(share), float(share - Fraction(1, 2))
    if ties == "drop" and not by_user:
        low, high = wilson_interval(level, share_value, count)
        p = sign_test_p(min(row["all_wins"], row["all_losses"]), count)
        return dict(zip(names, (share_value, low, high, delta, p), strict=True))
    units = row["units"]
    # Squared deviations of units' wins from the wins that the overall share predicts.
    order = ("wins", "ties", "losses")
    off = {name: value - share for name, value in worth.items()}
    squares = sum(
        first * second * row["_".join(sorted((name, against), key=order.index))]
        for name, first in off.items()
        for against, second in off.items()
    )
    if units < 2 or not squares:
        # If all units are equal, p is the exact sign-flip probability.
        p = math.ldexp(1, 1 - units) if delta else 1.0
        return dict(zip(names, (share_value, None, None, delta, p), strict=True))
    error = math.sqrt(squares * units / (units - 1)) / count
    reach = t_quantile((1 + level) / 2, units - 1) * error
    p = t_outside(delta / error, units - 1)
    limits = max(0.0, share_value - reach), min(1.0, share_value + reach)
    return dict(zip(names, (share_value, *limits, delta, p), strict=True))
