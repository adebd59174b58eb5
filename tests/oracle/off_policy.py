"""Off-policy metrics in plain Python, from the definitions, without any code of sqlrec.

A metric is a function of logged decisions and of the data of the other policy.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Decision:
    """A logged decision, with the probability of the other policy to take it."""

    reward: float
    propensity: float
    predicted: float
    expected: float
    target: float
    slate: Any = None
    position: int = 1

    @property
    def weight(self) -> float:
        """The number of decisions of the row."""
        return self.target / self.propensity

    @property
    def error(self) -> float:
        """The reward less the expected reward."""
        return self.reward - self.predicted


@dataclass(frozen=True)
class Log:
    """Decisions, and the length of the lists that they are compared with."""

    decisions: Sequence[Decision]
    ranks: int = 0

    def total(self, amount: Callable[[Decision], float]) -> float:
        """Sum an amount over the decisions."""
        return math.fsum(amount(one) for one in self.decisions)

    def mean(self, amount: Callable[[Decision], float]) -> float:
        """Average an amount over the decisions."""
        return self.total(amount) / len(self.decisions)

    def by_weight(self, amount: Callable[[Decision], float]) -> float | None:
        """Average an amount over the decisions by their weights."""
        weight = self.total(lambda one: one.weight)
        return self.total(lambda one: one.weight * amount(one)) / weight if weight else None


def shown(
    lists: Mapping[Any, Sequence[Any]], user: Any, item: Any, position: int | None, k: float
) -> float:
    """Return 1 if a user's list has an item within k, at the decision's position if it has one."""
    ranks = [rank for rank, listed in enumerate(lists.get(user, ()), 1) if listed == item]
    return float(any(rank <= k and position in (None, rank) for rank in ranks))


def ctr(log: Log) -> float | None:
    """Average the rewards of decisions whose item is in the list."""
    rewards = [one.reward for one in log.decisions if one.target]
    return math.fsum(rewards) / len(rewards) if rewards else None


def ips(log: Log, divide_by: str = "logged") -> float | None:
    """Average the weighted rewards."""
    count = len(log.decisions) if divide_by == "logged" else log.ranks
    return log.total(lambda one: one.weight * one.reward) / count if count else None


def clipped_ips(log: Log, clip: float = 10) -> float:
    """Average the rewards with clipped weights."""
    return log.mean(lambda one: min(one.weight, clip) * one.reward)


def snips(log: Log) -> float | None:
    """Average the rewards by their weights."""
    return log.by_weight(lambda one: one.reward)


def direct_method(log: Log) -> float:
    """Average the expected rewards."""
    return log.mean(lambda one: one.expected)


def doubly_robust(log: Log) -> float:
    """Correct the direct method by the weighted errors of the reward model."""
    return direct_method(log) + log.mean(lambda one: one.weight * one.error)


def sndr(log: Log) -> float | None:
    """Correct the direct method by the weighted mean of the errors of the reward model."""
    correction = log.by_weight(lambda one: one.error)
    return None if correction is None else direct_method(log) + correction


def switch_dr(log: Log, tau: float = 10) -> float:
    """Correct the direct method for decisions with small weights."""
    return direct_method(log) + log.mean(
        lambda one: one.weight * one.error if one.weight <= tau else 0.0
    )


def shrunk_dr(log: Log, shrinkage: float = 10) -> float:
    """Correct the direct method with shrunk weights."""
    return direct_method(log) + log.mean(
        lambda one: one.weight / (one.weight**2 / shrinkage + 1) * one.error
    )


def sub_gaussian(weight: float, shrinkage: float) -> float:
    """Return a bounded weight: the weighted harmonic mean of 1 and the weight."""
    return 1 / ((1 - shrinkage) / weight + shrinkage) if weight else 0.0


def sub_gaussian_ips(log: Log, shrinkage: float = 0.1) -> float:
    """Average the rewards by bounded weights."""
    return log.mean(lambda one: sub_gaussian(one.weight, shrinkage) * one.reward)


def sub_gaussian_dr(log: Log, shrinkage: float = 0.1) -> float:
    """Correct the direct method by bounded weights."""
    return direct_method(log) + log.mean(
        lambda one: sub_gaussian(one.weight, shrinkage) * one.error
    )


def by_slate(log: Log) -> list[list[Decision]]:
    """Group decisions by slate, each by position."""
    slates: dict[Any, list[Decision]] = {}
    for one in sorted(log.decisions, key=lambda one: one.position):
        slates.setdefault(one.slate, []).append(one)
    return [*slates.values()]


def slate_ips(log: Log, behavior: str = "standard", divide_by: str = "slates") -> float | None:
    """Average the rewards of slates, weighted by the decisions that a reward depends on."""
    slates, at_position, weighed = by_slate(log), {}, []
    for slate in slates:
        for rank, one in enumerate(slate):
            upto = {"standard": len(slate), "cascade": rank + 1, "independent": 0}[behavior]
            weight = math.prod(other.weight for other in slate[:upto]) if upto else one.weight
            weighed.append((one, weight))
            at_position.setdefault(one.position, []).append(weight)
    means = {rank: math.fsum(result) / len(result) for rank, result in at_position.items()}
    if divide_by == "slates":
        means = dict.fromkeys(means, 1.0)
    if not all(means.values()):
        return None
    total = math.fsum(weight / means[one.position] * one.reward for one, weight in weighed)
    return total / len(slates)


def cascade_dr(log: Log) -> float:
    """Correct the expected rewards from the first position of each slate."""
    total = 0.0
    for slate in by_slate(log):
        above = 1.0
        for one in slate:
            total += above * (one.expected + one.weight * one.error)
            above *= one.weight
    return total / len(by_slate(log))


def effective_sample_size(log: Log) -> float | None:
    """Divide the squared sum of weights by the sum of their squares."""
    squares = log.total(lambda one: one.weight**2)
    return log.total(lambda one: one.weight) ** 2 / squares if squares else None


def max_weight(log: Log) -> float:
    """Return the largest weight."""
    return max(one.weight for one in log.decisions)


def matched_share(log: Log) -> float:
    """Return the share of decisions with a positive probability under the other policy."""
    return log.mean(lambda one: float(one.target > 0))
