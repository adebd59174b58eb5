"""Metrics of novelty, and of lists as sets, in plain Python, from the definitions.

A metric is a function of one list, the other inputs, a cutoff and parameters. It returns None if it
is not defined.
"""

import itertools
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class World:
    """The inputs other than lists.

    ``history`` has a pair for each event.
    """

    history: list[tuple[Any, Any]]
    catalog: set[Any]
    relevant: dict[Any, set[Any]]
    baseline: dict[Any, dict[int, Any]]
    baseline_scores: dict[tuple[Any, Any], float]

    @property
    def pairs(self) -> set[tuple[Any, Any]]:
        """Return the pairs of user and item of the history."""
        return set(self.history)

    def users_of(self, item: Any) -> int:
        """Return the users of the history with an item."""
        return sum(had == item for _, had in self.pairs)

    @property
    def users(self) -> int:
        """Count the users of the history."""
        return len({user for user, _ in self.history})

    @property
    def counts(self) -> dict[Any, int]:
        """Count the users of each item of the history."""
        return {item: self.users_of(item) for _, item in self.history}


@dataclass(frozen=True)
class Shown:
    """A user's list, by rank, with its scores."""

    user: Any
    ranks: dict[int, Any]
    scores: dict[int, float | None]

    def items(self, k: float) -> list[Any]:
        """Return the items within k, by rank."""
        return [self.ranks[rank] for rank in sorted(self.ranks) if rank <= k]

    def divisor(self, k: float, divide_by: str) -> float:
        """Return the divisor of a sum over the ranks."""
        return {"k": k, "nothing": 1}.get(divide_by, len(self.items(k)))


def grade(item: Any) -> int:
    """Return the grade of an item, if relevant."""
    return int(item) % 3 + 1


def _mean(numbers: Iterable[float], divisor: float) -> float:
    return math.fsum(numbers) / divisor


def members(world: World, users: str) -> set[Any]:
    """Return the users of a mean that is not over the users with a list."""
    of = {"history": {user for user, _ in world.history}, "baseline": set(world.baseline)}
    return of.get(users, set())


# The value of users without a list.
WITHOUT_LIST = {"recs": 0.0, "history": 1.0, "baseline": 0.0}


def novelty(
    shown: Shown, world: World, k: float, divide_by: str = "list_length", users: str = "recs"
) -> float | None:
    """Return the share of items that are not in the user's history."""
    if users == "history" and shown.user not in members(world, users):
        return None
    new = [(shown.user, item) not in world.pairs for item in shown.items(k)]
    return sum(new) / shown.divisor(k, divide_by)


def popularity_share(
    shown: Shown, world: World, k: float, count: str = "users", divide_by: str = "list_length"
) -> float | None:
    """Average the item's share of users, or of all events, in the history."""
    if not world.users:
        return None
    events = [item for _, item in world.history]
    of = world.users_of if count == "users" else events.count
    whole = world.users if count == "users" else len(events)
    shares = [of(item) / whole for item in shown.items(k)]
    return _mean(shares, shown.divisor(k, divide_by))


def popularity_count(
    shown: Shown,
    world: World,
    k: float,
    count: str = "users",
    unit: str = "users",
    divide_by: str = "list_length",
    without_history: str = "zero",
) -> float | None:
    """Average the item's number of users, or of events, in the history."""
    events = [item for _, item in world.history]
    of = world.users_of if count == "users" else events.count
    result = [of(item) or without_history == "once" for item in shown.items(k)]
    ranks = shown.divisor(k, divide_by)
    if without_history == "omit" and divide_by == "list_length":
        ranks = sum(1 for number in result if number)
    most = max(map(of, world.counts), default=1) if unit == "most" else 1
    return _mean(result, ranks * most) if ranks else None


def popularity_rank(shown: Shown, world: World, k: float, unit: str = "rank") -> float | None:
    """Average the rank by popularity in the history, or the mean rank from the least popular."""
    counts = world.counts
    if unit == "quantile":
        order = sorted(counts.values())
        all_ranks = [
            [rank for rank, n in enumerate(order, 1) if n == counts.get(item)]
            for item in shown.items(k)
        ]
        means = [_mean(result, len(result)) if result else 0.0 for result in all_ranks]
        return _mean(means, len(means) * len(counts)) if counts else None
    ranks = [1 + sum(n > counts.get(item, 0) for n in counts.values()) for item in shown.items(k)]
    return _mean(ranks, len(ranks))


def tail_share(
    shown: Shown,
    world: World,
    k: float,
    head: float = 0.8,
    of: str = "interactions",
    divide_by: str = "list_length",
    equals: str = "together",
    rarest: float = 0,
) -> float:
    """Return the share of items outside of the head, or among the rarest."""
    counts = world.counts
    if rarest:
        order = sorted(counts, key=lambda item: (counts[item], item))
        rare = order[: max(int(len(order) * rarest), 1)]
        if rarest > 1:
            rare = [item for item in order if counts[item] <= rarest]
        return sum(item in rare for item in shown.items(k)) / shown.divisor(k, divide_by)
    in_head: set[Any] = set()
    held = 0
    whole = sum(counts.values()) if of == "interactions" else len(counts)
    order = sorted(counts, key=lambda item: (-counts[item], item))
    levels = itertools.groupby(order, key=counts.get if equals == "together" else None)
    for level in (list(level) for _, level in levels):
        if whole and Fraction(held, whole) >= Fraction(str(head)):
            break
        in_head |= {*level}
        held += counts[level[0]] * len(level) if of == "interactions" else len(level)
    tail = [item not in in_head for item in shown.items(k)]
    return sum(tail) / shown.divisor(k, divide_by)


def surprisal(
    shown: Shown,
    world: World,
    k: float,
    unit: str = "bits",
    divide_by: str = "list_length",
    count: str = "users",
    without_history: str = "once",
) -> float | None:
    """Average the self-information of an item in the history, by users or by events."""
    events = [item for _, item in world.history]
    whole = world.users if count == "users" else len(events)
    of = world.users_of if count == "users" else events.count
    if not whole or (unit == "share" and whole == 1):
        return None
    unknown = 1 if without_history == "once" else whole
    items = shown.items(k)
    bits = [-math.log2((of(item) or unknown) / whole) for item in items]
    ranks = shown.divisor(k, divide_by)
    if without_history == "omit" and divide_by == "list_length":
        ranks = sum(1 for item in items if of(item))
    mean = _mean(bits, ranks) if ranks else None
    if mean is None:
        return None
    return mean / math.log2(whole) if unit == "share" else mean


def _expected(
    shown: Shown,
    world: World,
    k: float,
    params: tuple[str, str, float],
    worth: Callable[[Any], float],
) -> float | None:
    relevance, discount, patience = params
    wanted = world.relevant.get(shown.user, set())
    if not world.users or (relevance != "ignored" and not wanted):
        return None
    weight = {
        "logarithmic": lambda rank: 1 / math.log2(rank + 1),
        "geometric": lambda rank: patience ** (rank - 1),
        "none": lambda rank: 1.0,
    }[discount]
    ranks = [(weight(rank), item) for rank, item in shown.ranks.items() if rank <= k]
    gain = {"exponential": lambda item: 2.0 ** grade(item) - 1}.get(relevance, lambda item: 1.0)
    counted = [(w, i) for w, i in ranks if relevance == "ignored" or i in wanted]
    result = math.fsum(w * worth(i) * gain(i) for w, i in counted)
    return result / math.fsum(w for w, _ in ranks)


def epc(
    shown: Shown,
    world: World,
    k: float,
    relevance: str = "binary",
    discount: str = "logarithmic",
    patience: float = 0.85,
    without_history: str = "never",
) -> float | None:
    """Average, with weights by rank, the share of users without the item in their history."""
    least = int(without_history == "once")
    worth = lambda item: 1 - max(world.users_of(item), least) / world.users  # noqa: E731
    return _expected(shown, world, k, (relevance, discount, patience), worth)


def efd(
    shown: Shown,
    world: World,
    k: float,
    relevance: str = "binary",
    discount: str = "logarithmic",
    patience: float = 0.85,
) -> float | None:
    """Average, with weights by rank, the self-information of the item among all events."""
    worth = lambda item: -math.log2(max(world.users_of(item), 1) / len(world.pairs))  # noqa: E731
    return _expected(shown, world, k, (relevance, discount, patience), worth)


def serendipity(
    shown: Shown, world: World, k: float, items: str = "history", divide_by: str = "list_length"
) -> float | None:
    """Average hits, weighted by their probability under the model less that by popularity."""
    wanted = world.relevant.get(shown.user, set())
    counts = world.counts
    number = len(world.catalog) if items == "catalog" else len(counts)
    if not wanted or not number:
        return None
    levels = sorted(set(counts.values()), reverse=True)
    gains = []
    for rank, item in shown.ranks.items():
        if rank <= k and item in wanted:
            chance = (number + 1 - rank) / number
            level = levels.index(counts[item]) + 1 if item in counts else number + 1
            gains.append(max(chance - (number + 1 - level) / number, 0))
    return _mean(gains, shown.divisor(k, divide_by))


def _expected_items(shown: Shown, world: World, k: float) -> set[Any]:
    return {item for rank, item in world.baseline.get(shown.user, {}).items() if rank <= k}


def unexpectedness(
    shown: Shown,
    world: World,
    k: float,
    divide_by: str = "list_length",
    without_baseline: str = "unexpected",
    users: str = "recs",
) -> float | None:
    """Return the share of items that are not in the baseline's list."""
    expected = _expected_items(shown, world, k)
    if users == "baseline":
        if shown.user not in members(world, users):
            return None
        without_baseline = "unexpected"
    if not expected and without_baseline != "unexpected":
        return 0.0 if without_baseline == "expected" else None
    return 1 - len(expected & set(shown.items(k))) / shown.divisor(k, divide_by)


def baseline_serendipity(
    shown: Shown, world: World, k: float, divide_by: str = "list_length"
) -> float | None:
    """Return the share of relevant items that are not in the baseline's list."""
    wanted = world.relevant.get(shown.user, set())
    if not wanted:
        return None
    unexpected = set(shown.items(k)) - _expected_items(shown, world, k)
    divisor = len(unexpected) if divide_by == "unexpected" else shown.divisor(k, divide_by)
    return len(unexpected & wanted) / divisor if divisor else 0.0


def ncis_precision(shown: Shown, world: World, k: float, clip: float = 10) -> float | None:
    """Return the precision, with each rank weighted by its score relative to the baseline's."""
    wanted = world.relevant.get(shown.user, set())
    if not wanted:
        return None
    weights = {}
    for rank, item in shown.ranks.items():
        before = world.baseline_scores.get((shown.user, item))
        score = shown.scores[rank]
        if rank <= k:
            weights[item] = (
                min(max(score / before, 1 / clip), clip) if before and score is not None else clip
            )
    hits = math.fsum(weight for item, weight in weights.items() if item in wanted)
    return hits / math.fsum(weights.values())


def baseline_share(shown: Shown, world: World, k: float, baseline_k: int = 0) -> float:
    """Divide the number of common items by that of the list."""
    items = shown.items(k)
    return len(set(items) & _expected_items(shown, world, baseline_k or k)) / len(items)


def list_fill(shown: Shown, world: World, k: float, of: str = "lists") -> float:
    """Return whether the list has k ranks, or the share of them that it has."""
    ranks = len(shown.items(k))
    return ranks / k if of == "ranks" else float(ranks >= k)


def list_jaccard(shown: Shown, world: World, k: float) -> float:
    """Divide the number of common items by that of all items."""
    ours, theirs = set(shown.items(k)), _expected_items(shown, world, k)
    return len(ours & theirs) / len(ours | theirs)


def churn(shown: Shown, world: World, k: float, divide_by: str = "ranks") -> float:
    """Return the share of items that are new or gone."""
    ours, theirs = set(shown.items(k)), _expected_items(shown, world, k)
    if divide_by == "k":
        return 1 - len(ours & theirs) / k
    return len(ours ^ theirs) / (len(ours) + len(theirs))


# The tested values of parameters.
LIST_LENGTH = {"divide_by": ("list_length", "k")}
WEIGHTS = {
    "relevance": ("binary", "exponential", "ignored"),
    "discount": ("logarithmic", "geometric", "none"),
}
PARAMS: dict[str, dict[str, tuple[Any, ...]]] = {
    "novelty": {**LIST_LENGTH, "users": ("recs", "history")},
    "popularity_share": {"count": ("users", "events"), **LIST_LENGTH},
    "popularity_count": {
        "count": ("users", "events"),
        "unit": ("users", "most"),
        **LIST_LENGTH,
        "without_history": ("zero", "once", "omit"),
    },
    "popularity_rank": {"unit": ("rank", "quantile")},
    "tail_share": {
        "head": (0.8, 0.5),
        "of": ("interactions", "items"),
        "divide_by": ("list_length", "k", "nothing"),
        "equals": ("together", "by_id"),
        "rarest": (0, 0.4, 2),
    },
    "surprisal": {
        "unit": ("bits", "share"),
        **LIST_LENGTH,
        "count": ("users", "events"),
        "without_history": ("once", "zero", "omit"),
    },
    "epc": {**WEIGHTS, "without_history": ("never", "once")},
    "efd": {**WEIGHTS, "patience": (0.85, 0.25)},
    "serendipity": {"items": ("history", "catalog"), **LIST_LENGTH},
    "unexpectedness": {
        **LIST_LENGTH,
        "without_baseline": ("unexpected", "expected", "undefined"),
        "users": ("recs", "baseline"),
    },
    "baseline_serendipity": {"divide_by": ("list_length", "k", "unexpected")},
    "ncis_precision": {"clip": (10, 2, 1.5)},
    "list_jaccard": {},
    "baseline_share": {"baseline_k": (0, 1, 4)},
    "list_fill": {"of": ("lists", "ranks")},
    "churn": {"divide_by": ("ranks", "k")},
}
