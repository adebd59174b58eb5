"""Off-policy metrics in plain Python, from the definitions, without any code of sqlrec.

A metric is a function of logged decisions and of the data of the other policy.
"""

import math
from collections.abc import Sequence
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
    def weight(self):
        """The number of decisions of the row."""
        return self.target / self.propensity

    @property
    def error(self):
        """The reward less the expected reward."""
        return self.reward - self.predicted


@dataclass(frozen=True)
class Log:
    """Decisions, and the length of the lists that they are compared with."""

    decisions: Sequence[Decision]
    ranks: int = 0

    def total(self, amount):
        """Sum an amount over the decisions."""
        return math.fsum(amount(one) for one in self.decisions)

    def mean(self, amount):
        """Average an amount over the decisions."""
        return self.total(amount) / len(self.decisions)

    def by_weight(self, amount):
        """Average an amount over the decisions by their weights."""
        weight = self.total(lambda one: one.weight)
        return self.total(lambda one: one.weight * amount(one)) / weight if weight else None


def shown(lists, user, item, position, k):
    """Return 1 if a user's list has an item within k, at the decision's position if it has one."""
    ranks = [rank for rank, listed in enumerate(lists.get(user, ()), 1) if listed == item]
    return float(any(rank <= k and position in (None, rank) for rank in ranks))


def ctr(log):
    rewards = [one.reward for one in log.decisions if one.target]
    return math.fsum(rewards) / len(rewards) if rewards else None


def ips(log, divide_by="logged"):
    count = len(log.decisions) if divide_by == "logged" else log.ranks
    return log.total(lambda one: one.weight * one.reward) / count if count else None


def clipped_ips(log, clip=10):
    return log.mean(lambda one: min(one.weight, clip) * one.reward)


def snips(log):
    return log.by_weight(lambda one: one.reward)


def direct_method(log):
    return log.mean(lambda one: one.expected)


def doubly_robust(log):
    return direct_method(log) + log.mean(lambda one: one.weight * one.error)


def sndr(log):
    correction = log.by_weight(lambda one: one.error)
    return None if correction is None else direct_method(log) + correction


def switch_dr(log, tau=10):
    return direct_method(log) + log.mean(
        lambda one: one.weight * one.error if one.weight <= tau else 0.0
    )


def shrunk_dr(log, shrinkage=10):
    return direct_method(log) + log.mean(
        lambda one: one.weight / (one.weight**2 / shrinkage + 1) * one.error
    )


def sub_gaussian(weight, shrinkage):
    """Return a bounded weight: the weighted harmonic mean of 1 and the weight."""
    return 1 / ((1 - shrinkage) / weight + shrinkage) if weight else 0.0


def sub_gaussian_ips(log, shrinkage=0.1):
    return log.mean(lambda one: sub_gaussian(one.weight, shrinkage) * one.reward)


def sub_gaussian_dr(log, shrinkage=0.1):
    return direct_method(log) + log.mean(
        lambda one: sub_gaussian(one.weight, shrinkage) * one.error
    )


def by_slate(log):
    """Group decisions by slate, each by position."""
    slates = {}
    for one in sorted(log.decisions, key=lambda one: one.position):
        slates.setdefault(one.slate, []).append(one)
    return [*slates.values()]


def slate_ips(log, behavior="standard", divide_by="slates"):
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


def cascade_dr(log):
    total = 0.0
    for slate in by_slate(log):
        above = 1.0
        for one in slate:
            total += above * (one.expected + one.weight * one.error)
            above *= one.weight
    return total / len(by_slate(log))


def effective_sample_size(log):
    squares = log.total(lambda one: one.weight**2)
    return log.total(lambda one: one.weight) ** 2 / squares if squares else None


def max_weight(log):
    return max(one.weight for one in log.decisions)


def matched_share(log):
    return log.mean(lambda one: float(one.target > 0))
