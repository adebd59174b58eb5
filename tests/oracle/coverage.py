"""Coverage, concentration and diversity between lists, in plain Python.

A metric is a function of the other inputs and of the lists of some users, each cut at k: items by
rank. It returns None if it is not defined.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

List = Mapping[int, str]
Lists = Mapping[str, List]


@dataclass(frozen=True)
class World:
    """The inputs other than lists."""

    truth: Mapping[str, Mapping[str, float]]
    history: frozenset[tuple[str, str]]
    catalog: frozenset[str]
    groups: Mapping[str, frozenset[str]]

    def relevant(self, user: str) -> dict[str, float]:
        """Return the relevant items of a user, with their grades."""
        return {item: grade for item, grade in self.truth.get(user, {}).items() if grade > 0}


def shown(lists: Lists, weight: str, patience: float = 0.85) -> dict[str, float]:
    """Return the exposure of each item."""
    result: dict[str, list[float]] = defaultdict(list)
    for ranks in lists.values():
        for rank, item in ranks.items():
            weights = {"rank": 1 / math.log2(rank + 1), "geometric": patience ** (rank - 1)}
            result[item].append(weights.get(weight, 1.0))
    return {item: math.fsum(parts) for item, parts in result.items()}


def shares(lists: Lists, weight: str) -> list[float]:
    """Return each item's share of the exposure."""
    parts = shown(lists, weight).values()
    return [part / math.fsum(parts) for part in parts]


def catalog_coverage(
    world: World,
    lists: Lists,
    items: str = "catalog",
    outside: str = "ignored",
    unit: str = "share",
    padding: int = 0,
) -> float:
    """Return the share, or number, of items of the catalog or the history that are in a list."""
    known = world.catalog if items == "catalog" else {item for _, item in world.history}
    result = shown(lists, "plain").keys()
    number = len(result if outside == "counted" else result & known)
    share = number / (len(known) + padding)
    return {"items": number, "share": share, "percent": round(share * 100 * 100) / 100}[unit]


def gini(
    world: World,
    lists: Lists,
    items: str = "recommended",
    weight: str = "plain",
    patience: float = 0.85,
    padding: int = 0,
    divide_by: str = "items",
) -> float | None:
    """Return half of the mean difference between two items, relative to the mean."""
    amounts = shown(lists, weight, patience)
    if items == "catalog":
        padded = {*world.catalog, *(f"padding {number}" for number in range(padding))}
        amounts = {item: amounts.get(item, 0.0) for item in padded}
    total = math.fsum(amounts.values())
    if not total:
        return None
    apart = math.fsum(abs(a - b) for a, b in combinations(amounts.values(), 2))
    divisor = len(amounts) - (divide_by == "others")
    return apart / divisor / total if divisor else None


def gini_diversity(world: World, lists: Lists, weight: str = "plain") -> float | None:
    """Return 1 - Gini, which is higher for more equal shares."""
    result = gini(world, lists, "catalog", weight, divide_by="others")
    return None if result is None else 1 - result


def shannon_entropy(
    world: World, lists: Lists, weight: str = "plain", unit: str = "bits", of: str = "items"
) -> float:
    """Return the entropy of the shares, in bits or nats, in total or per item."""
    parts = shares(lists, weight)
    log = math.log2 if unit == "bits" else math.log
    entropy = -math.fsum(share * log(share) for share in parts)
    return entropy if of == "items" else entropy / len(parts)


def herfindahl(world: World, lists: Lists, weight: str = "plain") -> float:
    """Return the sum of the squared shares."""
    return math.fsum(share**2 for share in shares(lists, weight))


def inter_list_diversity(
    world: World, lists: Lists, divide_by: str = "lengths", k: int = 0
) -> float | None:
    """Return the mean cosine distance of all pairs of lists, of their own length or of k items."""
    sets = [set(ranks.values()) for ranks in lists.values()]
    if divide_by == "k":
        pairs = len(sets) * (len(sets) - 1) / 2
        common = sum(len(a & b) for a, b in combinations(sets, 2))
        lacking = math.fsum(1 - len(a) / k for a in sets) / 2
        return 1 - (common / k - lacking) / pairs if pairs else None
    apart = [1 - len(a & b) / math.sqrt(len(a) * len(b)) for a, b in combinations(sets, 2)]
    return math.fsum(apart) / len(apart) if apart else None


def user_coverage(world: World, user: str, ranks: List) -> float:
    """Return 1 if the user has a list."""
    return 1.0 if ranks else 0.0


OF_ALL: dict[str, Callable[..., float | None]] = {
    metric.__name__: metric
    for metric in (
        *(catalog_coverage, gini, gini_diversity, shannon_entropy),
        *(herfindahl, inter_list_diversity),
    )
}
OF_USERS: dict[str, Callable[..., float | None]] = {"user_coverage": user_coverage}


def popularity(world: World) -> Counter[str]:
    """Count the users of the history with an item."""
    return Counter(item for _, item in world.history)


# The tested values of parameters.
PARAMS: dict[str, dict[str, tuple[Any, ...]]] = {
    "catalog_coverage": {
        "items": ("catalog", "history"),
        "outside": ("ignored", "counted"),
        "unit": ("share", "items", "percent"),
        "padding": (0, 2),
    },
    "gini": {
        "items": ("recommended", "catalog"),
        "weight": ("plain", "rank", "geometric"),
        "patience": (0.85, 0.5),
        "padding": (0, 2),
        "divide_by": ("items", "others"),
    },
    "gini_diversity": {"weight": ("plain", "rank")},
    "shannon_entropy": {
        "weight": ("plain", "rank"),
        "unit": ("bits", "nats"),
        "of": ("items", "item"),
    },
    "herfindahl": {"weight": ("plain", "rank")},
    "inter_list_diversity": {"divide_by": ("lengths", "k")},
    "user_coverage": {},
}
