"""Diversity within lists, in plain Python, from the definitions, pair by pair.

A metric is a function of one user, a cutoff (infinite for whole lists) and parameters. It returns
None if it is not defined.
"""

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any

from . import Row, parameters


@dataclass(frozen=True)
class Items:
    """The attributes of items."""

    rows: list[Row]

    def labels(self, item, column):
        """Return the categories or aspects of an item."""
        own = {row[column] for row in self.rows if row["item_id"] == item}
        return own - {None}

    def vector(self, item):
        """Return the values of an item's features."""
        result = defaultdict(list)
        for row in self.rows:
            value = _number(row["value"])
            if row["item_id"] == item and row["feature"] is not None and value is not None:
                result[row["feature"]].append(value)
        return {feature: math.fsum(values) / len(values) for feature, values in result.items()}

    def distance(self, one, other):
        """Return the distance between two items, in either order."""
        result = [
            value
            for row in self.rows
            if {row["item_id"], row["other_item_id"]} == {one, other}
            and (value := _number(row["distance"])) is not None
        ]
        return math.fsum(result) / len(result) if result else None


@dataclass(frozen=True)
class User:
    """The list of a user by rank, the relevant items, and the user's history."""

    shown: dict[int, Any]
    relevant: set[Any]
    had: set[Any]
    items: Items = field(repr=False)

    def within(self, k):
        """Return the list within k, by rank."""
        return {rank: self.shown[rank] for rank in sorted(self.shown) if rank <= k}

    def pairs(self, k):
        """Return all pairs of items of the list within k."""
        return combinations(self.within(k).values(), 2)


def _number(value):
    return None if value is None or math.isnan(value) else value


def _mean(values):
    result = list(values)
    return math.fsum(result) / len(result) if result else None


def _discounted(gains):
    return math.fsum(float(gain) / math.log2(rank + 1) for rank, gain in gains.items())


def _gain(aspects, before, kept):
    return sum((kept ** before[aspect] for aspect in aspects), Fraction(0))


def alpha_ndcg(user, k, alpha=0.5, form="clarke"):
    kept = 1 - Fraction(str(alpha))
    if form == "rs_metrics":
        return _alpha_ndcg_of_ranks(user, k, kept)
    aspects = {item: user.items.labels(item, "aspect") for item in user.relevant}
    gains, before = {}, Counter[Any]()
    for rank, item in user.within(k).items():
        if item in user.relevant:
            gains[rank] = _gain(aspects[item], before, kept)
            before.update(aspects[item])
    best, before, left = {}, Counter[Any](), set(user.relevant)
    for rank in range(1, int(k) + 1):
        if left:
            best[rank], item = max((_gain(aspects[item], before, kept), item) for item in left)
            left.remove(item)
            before.update(aspects[item])
    ideal = _discounted(best)
    return _discounted(gains) / ideal if ideal else None


def _alpha_ndcg_of_ranks(user, k, kept):
    shown = user.within(k)
    every = {row["aspect"] for row in user.items.rows} - {None}
    if not shown or not every:
        return None
    gains, before = dict.fromkeys(shown, Fraction(0)), Counter[Any]()
    for rank, item in shown.items():
        aspects = user.items.labels(item, "aspect")
        gains[rank] = _gain(aspects, before, kept) * (item in user.relevant)
        before.update(aspects)
    if kept == 1:
        gains = {rank: Fraction(len(before) * (shown[rank] in user.relevant)) for rank in shown}
    rounds = len(shown) // len(every)
    best = {rank: kept**rounds if rank > rounds * len(every) else Fraction(1) for rank in shown}
    # With alpha=1 the best list has no gain if its first ranks are not among the list's ranks.
    return _discounted(gains) / _discounted(best) if any(best.values()) else None


def _aspects(user):
    """Return the relevant items of each of their aspects."""
    result = defaultdict(set)
    for item in user.relevant:
        for aspect in user.items.labels(item, "aspect"):
            result[aspect].add(item)
    return result


def _mean_of_aspects(user, k, of):
    """Average, over aspects, the weights of the ranks of their hits."""
    shown = user.within(k)
    return _mean(
        of([rank for rank, item in shown.items() if item in items], items)
        for items in _aspects(user).values()
    )


def subtopic_recall(user, k, divide_by="relevant"):
    if divide_by == "all":
        every = {row["aspect"] for row in user.items.rows} - {None}
        hits = [item for item in user.within(k).values() if item in user.relevant]
        result = {aspect for item in hits for aspect in user.items.labels(item, "aspect")}
        return len(result) / len(every) if every else None
    return _mean_of_aspects(user, k, lambda ranks, _: float(bool(ranks)))


def intent_precision(user, k):
    return _mean_of_aspects(user, k, lambda ranks, _: len(ranks) / k)


def intent_average_precision(user, k):
    return _mean_of_aspects(
        user,
        k,
        lambda ranks, items: (
            math.fsum(number / rank for number, rank in enumerate(ranks, 1)) / len(items)
        ),
    )


def nrbp(user, k, alpha=0.5, p=0.5):
    return _mean_of_aspects(
        user,
        k,
        lambda ranks, _: (
            (1 - (1 - alpha) * p)
            * math.fsum((1 - alpha) ** above * p ** (rank - 1) for above, rank in enumerate(ranks))
        ),
    )


def _share_of_full(user, k, alpha, weight):
    """Average, over aspects, the weights of their hits as a share of the weights of k hits."""
    gain = lambda ranks: math.fsum(  # noqa: E731
        (1 - alpha) ** above * weight(rank) for above, rank in enumerate(ranks)
    )
    full = gain(range(1, int(k) + 1))
    return _mean_of_aspects(user, k, lambda ranks, _: gain(ranks) / full)


def alpha_dcg(user, k, alpha=0.5):
    return _share_of_full(user, k, alpha, lambda rank: 1 / math.log2(rank + 1))


def intent_err(user, k, alpha=0.5):
    return _share_of_full(user, k, alpha, lambda rank: 1 / rank)


def hamming_diversity(user, k):
    of = lambda item: user.items.labels(item, "category")  # noqa: E731
    return _mean(len(of(one) ^ of(other)) for one, other in user.pairs(k))


def jaccard_diversity(user, k):
    of = lambda item: user.items.labels(item, "category")  # noqa: E731
    return _mean(
        1 - len(of(one) & of(other)) / max(len(of(one) | of(other)), 1)
        for one, other in user.pairs(k)
    )


def _cosine(user, one, other):
    """Return the cosine similarity of two items."""
    first, second = user.items.vector(one), user.items.vector(other)
    product = math.fsum(first[name] * second[name] for name in first.keys() & second.keys())
    lengths = math.hypot(*first.values()) * math.hypot(*second.values())
    return product / lengths if lengths else 0.0


def cosine_diversity(user, k, divide_by="pairs"):
    ranks = len(user.within(k))
    if divide_by == "ranks" and ranks:
        return math.fsum(1 - _cosine(user, one, other) for one, other in user.pairs(k)) / ranks
    return _mean(1 - _cosine(user, one, other) for one, other in user.pairs(k))


def history_distance(user, k, of="all"):
    if not user.had:
        return None
    far = {
        item: 1 - math.fsum(_cosine(user, item, old) for old in user.had) / len(user.had)
        for item in user.within(k).values()
    }
    if of == "hits":
        near = [1 - value for item, value in far.items() if item in user.relevant]
        return 1 - math.fsum(near) if near else None
    return _mean(value * (of == "all" or item in user.relevant) for item, value in far.items())


def intra_list_similarity(user, k):
    distance = cosine_diversity(user, k)
    return None if distance is None else 1 - distance


def intra_list_diversity(user, k):
    distances = (user.items.distance(one, other) for one, other in user.pairs(k))
    return _mean(distance for distance in distances if distance is not None)


def category_coverage(user, k, divide_by="k", ranks="items"):
    lines = [c for i in user.within(k).values() for c in sorted(user.items.labels(i, "category"))]
    result = set(lines if ranks == "items" or k == math.inf else lines[: int(k)])
    known = {row["category"] for row in user.items.rows} - {None}
    whole = {"k": k, "list_length": len(user.within(k)), "categories": len(known)}[divide_by]
    return len(result) / whole if whole else None


def category_entropy(user, k, smoothing=0):
    result = Counter(
        c for item in user.within(k).values() for c in user.items.labels(item, "category")
    )
    known = {row["category"] for row in user.items.rows} - {None}
    counts = [result[c] + smoothing for c in known] if smoothing else [*result.values()]
    shares = [count / math.fsum(counts) for count in counts]
    return -math.fsum(share * math.log2(share) for share in shares) if counts else None


def _mix(items, shown):
    mix = defaultdict(float)
    for item in shown:
        labels = items.labels(item, "category")
        for label in labels:
            mix[label] += 1 / len(labels)
    whole = math.fsum(mix.values())
    return defaultdict(float, {c: part / whole for c, part in mix.items()}) if whole else None


def calibration_kl(user, k, alpha=0.01, unit="bits"):
    p, q = _mix(user.items, user.had), _mix(user.items, user.within(k).values())
    if p is None or q is None:
        return None
    log = math.log if unit == "nats" else math.log2
    return math.fsum(p[c] * log(p[c] / ((1 - alpha) * q[c] + alpha * p[c])) for c in [*p])


def calibration_js(user, k):
    p, q = _mix(user.items, user.had), _mix(user.items, user.within(k).values())
    if p is None or q is None:
        return None
    half = {c: (p[c] + q[c]) / 2 for c in {*p, *q}}
    return math.fsum(
        mix[c] * math.log2(mix[c] / half[c]) / 2 for mix in (p, q) for c in half if mix[c]
    )


# Metrics with a value for users without a list.
OF_ASPECTS = (
    *("alpha_ndcg", "subtopic_recall", "intent_precision", "intent_average_precision", "nrbp"),
    *("alpha_dcg", "intent_err"),
)

# Metrics that require a number as cutoff.
NUMBERED = ("alpha_ndcg", "intent_precision", "alpha_dcg", "intent_err")


def metrics(history, items):
    """Return the metrics as functions of a user of other metrics."""
    known = Items(items)

    def of_user(metric, user, k, **params):
        relevant = {item for item, grade in user.truth.items() if user.is_relevant(grade)}
        had = {row["item_id"] for row in history if row["user_id"] == user.name}
        return metric(User(user.shown, relevant, had, known), k, **params)

    return {name: partial(of_user, metric) for name, metric in METRICS.items()}


PARAMS = parameters("""
    intent_precision intent_average_precision hamming_diversity jaccard_diversity
    intra_list_diversity intra_list_similarity calibration_js
    alpha_ndcg alpha=0.5|0|1|0.3 form=clarke|rs_metrics
    subtopic_recall divide_by=relevant|all
    nrbp alpha=0.5|0|1|0.3 p=0.5|0.8
    alpha_dcg alpha=0.5|0|1|0.3
    intent_err alpha=0.5|0|1|0.3
    cosine_diversity divide_by=pairs|ranks
    history_distance of=all|relevant|hits
    category_coverage divide_by=k|list_length|categories ranks=items|categories
    category_entropy smoothing=0|0.5
    calibration_kl alpha=0.01|0.5 unit=bits|nats
""")

METRICS = {name: globals()[name] for name in PARAMS}
