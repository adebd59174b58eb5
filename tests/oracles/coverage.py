"""Coverage, concentration and diversity between lists once more, in plain Python.

A metric is a function of the world and the lists of some users, each cut at k: items by place. It
returns None where it is not defined.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations

List = Mapping[int, str]
Lists = Mapping[str, List]


@dataclass(frozen=True)
class World:
    """What is known beside the lists."""

    truth: Mapping[str, Mapping[str, float]]
    history: frozenset[tuple[str, str]]
    catalog: frozenset[str]
    groups: Mapping[str, frozenset[str]]

    def relevant(self, user: str) -> dict[str, float]:
        """Return the items that are relevant to a user, with their grades."""
        return {item: grade for item, grade in self.truth.get(user, {}).items() if grade > 0}


def shown(lists: Lists, weight: str) -> dict[str, float]:
    """Return how much each item is shown."""
    found: dict[str, list[float]] = defaultdict(list)
    for places in lists.values():
        for place, item in places.items():
            found[item].append(1 / math.log2(place + 1) if weight == "rank" else 1.0)
    return {item: math.fsum(parts) for item, parts in found.items()}


def shares(lists: Lists, weight: str) -> list[float]:
    """Return each item's share of what is shown."""
    parts = shown(lists, weight).values()
    return [part / math.fsum(parts) for part in parts]


def catalog_coverage(
    world: World, lists: Lists, items: str = "catalog", outside: str = "ignored"
) -> float:
    """Return the share of the catalog, or of the history's items, that is shown."""
    known = world.catalog if items == "catalog" else {item for _, item in world.history}
    found = shown(lists, "plain").keys()
    return len(found if outside == "counted" else found & known) / len(known)


def gini(
    world: World, lists: Lists, items: str = "recommended", weight: str = "plain"
) -> float | None:
    """Return half the mean difference between two items, relative to the mean."""
    amounts = shown(lists, weight)
    if items == "catalog":
        amounts = {item: amounts.get(item, 0.0) for item in world.catalog}
    total = math.fsum(amounts.values())
    if not total:
        return None
    apart = math.fsum(abs(a - b) for a, b in combinations(amounts.values(), 2))
    return apart / len(amounts) / total


def shannon_entropy(world: World, lists: Lists, weight: str = "plain") -> float:
    """Return the entropy of the shares, in bits."""
    return -math.fsum(share * math.log2(share) for share in shares(lists, weight))


def herfindahl(world: World, lists: Lists, weight: str = "plain") -> float:
    """Return the sum of the squared shares."""
    return math.fsum(share**2 for share in shares(lists, weight))


def inter_list_diversity(world: World, lists: Lists) -> float | None:
    """Return the mean cosine distance of all pairs of lists."""
    sets = [set(places.values()) for places in lists.values()]
    apart = [1 - len(a & b) / math.sqrt(len(a) * len(b)) for a, b in combinations(sets, 2)]
    return math.fsum(apart) / len(apart) if apart else None


def user_coverage(world: World, user: str, places: List) -> float:
    """Say whether there is a list."""
    return 1.0 if places else 0.0


OF_ALL: dict[str, Callable[..., float | None]] = {
    metric.__name__: metric
    for metric in (catalog_coverage, gini, shannon_entropy, herfindahl, inter_list_diversity)
}
OF_USERS: dict[str, Callable[..., float | None]] = {"user_coverage": user_coverage}


def popularity(world: World) -> Counter[str]:
    """Count the users of the history who had an item."""
    return Counter(item for _, item in world.history)
