"""Coverage, concentration and diversity between lists, in plain Python.

A metric is a function of the other inputs and of the lists of some users, each cut at k: items by
rank. It returns None if it is not defined.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from . import parameters


@dataclass(frozen=True)
class World:
    """The inputs other than lists."""

    truth: Mapping[str, Mapping[str, float]]
    history: frozenset[tuple[str, str]]
    catalog: frozenset[str]
    groups: Mapping[str, frozenset[str]]

    def relevant(self, user):
        """Return the relevant items of a user, with their grades."""
        return {item: grade for item, grade in self.truth.get(user, {}).items() if grade > 0}


def shown(lists, weight, patience=0.85):
    """Return the exposure of each item."""
    result = defaultdict(list)
    for ranks in lists.values():
        for rank, item in ranks.items():
            weights = {"rank": 1 / math.log2(rank + 1), "geometric": patience ** (rank - 1)}
            result[item].append(weights.get(weight, 1.0))
    return {item: math.fsum(parts) for item, parts in result.items()}


def shares(lists, weight):
    """Return each item's share of the exposure."""
    parts = shown(lists, weight).values()
    return [part / math.fsum(parts) for part in parts]


def catalog_coverage(world, lists, items="catalog", outside="ignored", unit="share", padding=0):
    known = world.catalog if items == "catalog" else {item for _, item in world.history}
    result = shown(lists, "plain").keys()
    number = len(result if outside == "counted" else result & known)
    share = number / (len(known) + padding)
    return {"items": number, "share": share, "percent": round(share * 100 * 100) / 100}[unit]


def gini(
    world, lists, items="recommended", weight="plain", patience=0.85, padding=0, divide_by="items"
):
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


def gini_diversity(world, lists, weight="plain"):
    result = gini(world, lists, "catalog", weight, divide_by="others")
    return None if result is None else 1 - result


def shannon_entropy(world, lists, weight="plain", unit="bits", of="items"):
    parts = shares(lists, weight)
    log = math.log2 if unit == "bits" else math.log
    entropy = -math.fsum(share * log(share) for share in parts)
    return entropy if of == "items" else entropy / len(parts)


def herfindahl(world, lists, weight="plain"):
    return math.fsum(share**2 for share in shares(lists, weight))


def inter_list_diversity(world, lists, divide_by="lengths", k=0):
    sets = [set(ranks.values()) for ranks in lists.values()]
    if divide_by == "k":
        pairs = len(sets) * (len(sets) - 1) / 2
        common = sum(len(a & b) for a, b in combinations(sets, 2))
        lacking = math.fsum(1 - len(a) / k for a in sets) / 2
        return 1 - (common / k - lacking) / pairs if pairs else None
    apart = [1 - len(a & b) / math.sqrt(len(a) * len(b)) for a, b in combinations(sets, 2)]
    return math.fsum(apart) / len(apart) if apart else None


def user_coverage(world, user, ranks):
    return 1.0 if ranks else 0.0


OF_ALL = {
    metric.__name__: metric
    for metric in (
        *(catalog_coverage, gini, gini_diversity, shannon_entropy),
        *(herfindahl, inter_list_diversity),
    )
}
OF_USERS = {"user_coverage": user_coverage}


def popularity(world):
    """Count the users of the history with an item."""
    return Counter(item for _, item in world.history)


PARAMS = parameters("""
    user_coverage
    catalog_coverage items=catalog|history outside=ignored|counted unit=share|items|percent
        padding=0|2
    gini items=recommended|catalog weight=plain|rank|geometric patience=0.85|0.5 padding=0|2
        divide_by=items|others
    gini_diversity weight=plain|rank
    shannon_entropy weight=plain|rank unit=bits|nats of=items|item
    herfindahl weight=plain|rank
    inter_list_diversity divide_by=lengths|k
""")
