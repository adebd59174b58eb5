"""Metrics of prices in plain Python, from the definitions."""

import math


def _prices(items, prices):
    return [prices[item] for item in items]


def relevant(user, prices):
    """Return the price of each relevant item."""
    return _prices((i for i, grade in user.truth.items() if user.is_relevant(grade)), prices)


def hits(user, k, prices):
    """Return the price of each hit, by rank."""
    return {rank: prices[user.shown[rank]] for rank in user.hits(k)}


def shown(user, k, prices):
    """Return the price of each rank."""
    return _prices((item for rank, item in user.shown.items() if rank <= k), prices)


def value_found(user, k, prices):
    return math.fsum(hits(user, k, prices).values()) if user.relevant else None


def value_recall(user, k, prices, average="users"):
    whole = math.fsum(relevant(user, prices))
    return math.fsum(hits(user, k, prices).values()) / whole if whole else None


def value_ndcg(user, k, prices):
    best = sorted(relevant(user, prices), reverse=True)
    whole = math.fsum(p / math.log2(n + 1) for n, p in enumerate(best, 1) if n <= k)
    part = math.fsum(p / math.log2(n + 1) for n, p in hits(user, k, prices).items())
    return part / whole if whole else None


def value_precision(user, k, prices, average="users"):
    whole = math.fsum(shown(user, k, prices))
    result = math.fsum(hits(user, k, prices).values())
    return result / whole if whole and user.relevant else None


def value_shown(user, k, prices, total="mean"):
    result = shown(user, k, prices)
    return math.fsum(result) / (len(result) if total == "mean" else 1) if result else None


def pooled(whole):
    """Average with weights, if requested."""

    def mean(users, values, k, average="users"):
        weights = [whole(user, k) if average == "pooled" else 1 for user in users]
        return math.fsum(map(math.prod, zip(values, weights, strict=True))) / math.fsum(weights)

    return mean


OF_TRUTH = [
    ("value_found", {}),
    ("value_recall", {}),
    ("value_recall", {"average": "pooled"}),
    ("value_ndcg", {}),
]
OF_LISTS = [
    ("value_precision", {}),
    ("value_precision", {"average": "pooled"}),
    ("value_shown", {}),
    ("value_shown", {"total": "sum"}),
]
