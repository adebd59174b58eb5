"""Metrics of prices in plain Python, from the definitions."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from . import User

Prices = Mapping[Any, float]


def _prices(items: Iterable[Any], prices: Prices) -> list[float]:
    return [prices[item] for item in items]


def relevant(user: User, prices: Prices) -> list[float]:
    """Return the price of each relevant item."""
    return _prices((i for i, grade in user.truth.items() if user.is_relevant(grade)), prices)


def hits(user: User, k: float, prices: Prices) -> dict[int, float]:
    """Return the price of each hit, by rank."""
    return {rank: prices[user.shown[rank]] for rank in user.hits(k)}


def shown(user: User, k: float, prices: Prices) -> list[float]:
    """Return the price of each rank."""
    return _prices((item for rank, item in user.shown.items() if rank <= k), prices)


def value_found(user: User, k: float, prices: Prices) -> float | None:
    """Sum the prices of hits."""
    return math.fsum(hits(user, k, prices).values()) if user.relevant else None


def value_recall(user: User, k: float, prices: Prices, average: str = "users") -> float | None:
    """Divide the prices of hits by those of relevant items."""
    whole = math.fsum(relevant(user, prices))
    return math.fsum(hits(user, k, prices).values()) / whole if whole else None


def value_ndcg(user: User, k: float, prices: Prices) -> float | None:
    """Divide the discounted prices of hits by those of the best list, in descending order."""
    best = sorted(relevant(user, prices), reverse=True)
    whole = math.fsum(p / math.log2(n + 1) for n, p in enumerate(best, 1) if n <= k)
    part = math.fsum(p / math.log2(n + 1) for n, p in hits(user, k, prices).items())
    return part / whole if whole else None


def value_precision(user: User, k: float, prices: Prices, average: str = "users") -> float | None:
    """Divide the prices of hits by those of the list."""
    whole = math.fsum(shown(user, k, prices))
    result = math.fsum(hits(user, k, prices).values())
    return result / whole if whole and user.relevant else None


def value_shown(user: User, k: float, prices: Prices, total: str = "mean") -> float | None:
    """Average or sum the prices of the list."""
    result = shown(user, k, prices)
    return math.fsum(result) / (len(result) if total == "mean" else 1) if result else None


def pooled(whole: Callable[[User, float], float]) -> Callable[..., float]:
    """Average with weights, if requested."""

    def mean(users: list[User], values: list[float], k: float, average: str = "users") -> float:
        weights = [whole(user, k) if average == "pooled" else 1 for user in users]
        return math.fsum(map(math.prod, zip(values, weights, strict=True))) / math.fsum(weights)

    return mean


OF_TRUTH: list[tuple[str, dict[str, Any]]] = [
    ("value_found", {}),
    ("value_recall", {}),
    ("value_recall", {"average": "pooled"}),
    ("value_ndcg", {}),
]
OF_LISTS: list[tuple[str, dict[str, Any]]] = [
    ("value_precision", {}),
    ("value_precision", {"average": "pooled"}),
    ("value_shown", {}),
    ("value_shown", {"total": "sum"}),
]
