"""Metrics of novelty, and of lists as sets, in plain Python, from the definitions.

A metric is a function of one list, the other inputs, a cutoff and parameters. It returns None if it
is not defined.
"""

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from . import parameters


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
    def pairs(self):
        """Return the pairs of user and item of the history."""
        return set(self.history)

    def users_of(self, item):
        """Return the users of the history with an item."""
        return sum(had == item for _, had in self.pairs)

    @property
    def users(self):
        """Count the users of the history."""
        return len({user for user, _ in self.history})

    @property
    def counts(self):
        """Count the users of each item of the history."""
        return {item: self.users_of(item) for _, item in self.history}


@dataclass(frozen=True)
class Shown:
    """A user's list, by rank, with its scores."""

    user: Any
    ranks: dict[int, Any]
    scores: dict[int, float | None]

    def items(self, k):
        """Return the items within k, by rank."""
        return [self.ranks[rank] for rank in sorted(self.ranks) if rank <= k]

    def divisor(self, k, divide_by):
        """Return the divisor of a sum over the ranks."""
        return {"k": k, "nothing": 1}.get(divide_by, len(self.items(k)))


def grade(item):
    """Return the grade of an item, if relevant."""
    return int(item) % 3 + 1


def _mean(numbers, divisor):
    return math.fsum(numbers) / divisor


def members(world, users):
    """Return the users of a mean that is not over the users with a list."""
    of = {"history": {user for user, _ in world.history}, "baseline": set(world.baseline)}
    return of.get(users, set())


# The value of users without a list.
WITHOUT_LIST = {"recs": 0.0, "history": 1.0, "baseline": 0.0}


def novelty(shown, world, k, divide_by="list_length", users="recs"):
    if users == "history" and shown.user not in members(world, users):
        return None
    new = [(shown.user, item) not in world.pairs for item in shown.items(k)]
    return sum(new) / shown.divisor(k, divide_by)


def popularity_share(shown, world, k, count="users", divide_by="list_length"):
    if not world.users:
        return None
    events = [item for _, item in world.history]
    of = world.users_of if count == "users" else events.count
    whole = world.users if count == "users" else len(events)
    shares = [of(item) / whole for item in shown.items(k)]
    return _mean(shares, shown.divisor(k, divide_by))


def popularity_count(
    shown, world, k, count="users", unit="users", divide_by="list_length", without_history="zero"
):
    events = [item for _, item in world.history]
    of = world.users_of if count == "users" else events.count
    result = [of(item) or without_history == "once" for item in shown.items(k)]
    ranks = shown.divisor(k, divide_by)
    if without_history == "omit" and divide_by == "list_length":
        ranks = sum(1 for number in result if number)
    most = max(map(of, world.counts), default=1) if unit == "most" else 1
    return _mean(result, ranks * most) if ranks else None


def popularity_rank(shown, world, k, unit="rank"):
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
    shown,
    world,
    k,
    head=0.8,
    of="interactions",
    divide_by="list_length",
    equals="together",
    rarest=0,
):
    counts = world.counts
    if rarest:
        order = sorted(counts, key=lambda item: (counts[item], item))
        rare = order[: max(int(len(order) * rarest), 1)]
        if rarest > 1:
            rare = [item for item in order if counts[item] <= rarest]
        return sum(item in rare for item in shown.items(k)) / shown.divisor(k, divide_by)
    in_head = set()
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
    shown, world, k, unit="bits", divide_by="list_length", count="users", without_history="once"
):
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


def _expected(shown, world, k, params, worth):
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
    shown,
    world,
    k,
    relevance="binary",
    discount="logarithmic",
    patience=0.85,
    without_history="never",
):
    least = int(without_history == "once")
    worth = lambda item: 1 - max(world.users_of(item), least) / world.users  # noqa: E731
    return _expected(shown, world, k, (relevance, discount, patience), worth)


def efd(shown, world, k, relevance="binary", discount="logarithmic", patience=0.85):
    worth = lambda item: -math.log2(max(world.users_of(item), 1) / len(world.pairs))  # noqa: E731
    return _expected(shown, world, k, (relevance, discount, patience), worth)


def serendipity(shown, world, k, items="history", divide_by="list_length"):
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


def _expected_items(shown, world, k):
    return {item for rank, item in world.baseline.get(shown.user, {}).items() if rank <= k}


def unexpectedness(
    shown, world, k, divide_by="list_length", without_baseline="unexpected", users="recs"
):
    expected = _expected_items(shown, world, k)
    if users == "baseline":
        if shown.user not in members(world, users):
            return None
        without_baseline = "unexpected"
    if not expected and without_baseline != "unexpected":
        return 0.0 if without_baseline == "expected" else None
    return 1 - len(expected & set(shown.items(k))) / shown.divisor(k, divide_by)


def baseline_serendipity(shown, world, k, divide_by="list_length"):
    wanted = world.relevant.get(shown.user, set())
    if not wanted:
        return None
    unexpected = set(shown.items(k)) - _expected_items(shown, world, k)
    divisor = len(unexpected) if divide_by == "unexpected" else shown.divisor(k, divide_by)
    return len(unexpected & wanted) / divisor if divisor else 0.0


def ncis_precision(shown, world, k, clip=10):
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


def baseline_share(shown, world, k, baseline_k=0):
    items = shown.items(k)
    return len(set(items) & _expected_items(shown, world, baseline_k or k)) / len(items)


def list_fill(shown, world, k, of="lists"):
    ranks = len(shown.items(k))
    return ranks / k if of == "ranks" else float(ranks >= k)


def list_jaccard(shown, world, k):
    ours, theirs = set(shown.items(k)), _expected_items(shown, world, k)
    return len(ours & theirs) / len(ours | theirs)


def churn(shown, world, k, divide_by="ranks"):
    ours, theirs = set(shown.items(k)), _expected_items(shown, world, k)
    if divide_by == "k":
        return 1 - len(ours & theirs) / k
    return len(ours ^ theirs) / (len(ours) + len(theirs))


PARAMS = parameters("""
    list_jaccard
    novelty divide_by=list_length|k users=recs|history
    popularity_share count=users|events divide_by=list_length|k
    popularity_count count=users|events unit=users|most divide_by=list_length|k
        without_history=zero|once|omit
    popularity_rank unit=rank|quantile
    tail_share head=0.8|0.5 of=interactions|items divide_by=list_length|k|nothing
        equals=together|by_id rarest=0|0.4|2
    surprisal unit=bits|share divide_by=list_length|k count=users|events
        without_history=once|zero|omit
    epc relevance=binary|exponential|ignored discount=logarithmic|geometric|none
        without_history=never|once
    efd relevance=binary|exponential|ignored discount=logarithmic|geometric|none
        patience=0.85|0.25
    serendipity items=history|catalog divide_by=list_length|k
    unexpectedness divide_by=list_length|k without_baseline=unexpected|expected|undefined
        users=recs|baseline
    baseline_serendipity divide_by=list_length|k|unexpected
    ncis_precision clip=10|2|1.5
    baseline_share baseline_k=0|1|4
    list_fill of=lists|ranks
    churn divide_by=ranks|k
""")
