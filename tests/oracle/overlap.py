"""Measures of two rankings in plain Python: the sums of the definitions, term by term.

RBO is an infinite sum. The terms after the lists depend on which list may still agree, and are
added until they vanish.
"""

import math

from . import parameters


def overlap(one, other, depth):
    """Count the items in the first ranks of both lists."""
    return len(set(one[:depth]) & set(other[:depth]))


def _last_term(p):
    return math.ceil(math.log(1e-17) / math.log(p)) + 1


def _endless(agreements, beyond, p):
    """Sum weighted agreements; the last of ``beyond`` continues without end."""
    both = [*agreements, *beyond]
    last = both[-1] if both else 0.0
    seen = math.fsum(p**d * agreement for d, agreement in enumerate(both))
    return (1 - p) * seen + last * p ** len(both)


def rbo(one, other, p=0.9, form="extrapolated", without_baseline="zero", k=math.inf):
    if without_baseline == "undefined" and not other:
        return None
    short, long = sorted((len(one), len(other)))
    if form == "scaled":
        depths = range(1, (long if math.isinf(k) else int(k)) + 1)
        result = math.fsum(p ** (d - 1) * overlap(one, other, d) / d for d in depths)
        return result / math.fsum(p ** (d - 1) for d in depths)
    seen = [overlap(one, other, d) / d for d in range(1, long + 1)]
    if form == "truncated":
        return (1 - p) * math.fsum(p**d * agreement for d, agreement in enumerate(seen))
    if form == "minimum":
        common, terms = overlap(one, other, long), _last_term(p)
        beyond = [common / d for d in range(long + 1, max(long, terms) + 1)]
        return (1 - p) * math.fsum(p**d * agreement for d, agreement in enumerate([*seen, *beyond]))
    # First the shorter list, then both are assumed to keep the agreement at their ends.
    at_end = overlap(one, other, short) / short if short else 0.0
    extended = [
        (overlap(one, other, d) + (at_end * (d - short) if d > short else 0.0)) / d
        for d in range(1, long + 1)
    ]
    return _endless(extended, [], p)


def rbo_maximum(one, other, p=0.9):
    """Average the maximum agreement: all later items are in both lists, as early as possible."""
    short, long = sorted((one, other), key=len)
    unmet = [item for item in long if item not in short]
    # The shorter list continues with the other's items by rank, then both with the same new items.
    filled = list(short)
    for depth in range(len(short) + 1, len(long) + 1):
        left = [item for item in long[:depth] if item not in filled]
        filled.append(left[0] if left else ("any", depth))
    left = [item for item in unmet if item not in filled]
    missing = [item for item in filled if item not in long]
    agreements = [overlap(filled, long, d) / d for d in range(1, len(long) + 1)]
    common, depth = overlap(filled, long, len(long)), len(long)
    while left or missing:
        depth += 1
        # Each list continues with the items that only the other has.
        common += (1 if left else 0) + (1 if missing else 0)
        left, missing = left[1:], missing[1:]
        agreements.append(min(common / depth, 1.0))
    return _endless(agreements, [1.0], p)


def rbo_residual(one, other, p=0.9):
    return rbo_maximum(one, other, p) - rbo(one, other, p, "minimum")


def rbo_weight(one, other, p=0.9):
    short, terms = min(len(one), len(other)), _last_term(p)
    return math.fsum(
        (1 - p) * p ** (depth - 1) / depth
        for rank in range(1, short + 1)
        for depth in range(rank, terms + short)
    )


def average_overlap(one, other, depths):
    long = max(len(one), len(other))
    return math.fsum(overlap(one, other, d) / d for d in range(1, long + 1)) / depths


PARAMS = parameters("""
    rbo p=0.9|0.3|0.98 form=extrapolated|minimum|truncated|scaled
        without_baseline=zero|undefined
    rbo_residual p=0.9|0.5
    rbo_weight p=0.9|0.5
    average_overlap divide_by=longer|k
""")
