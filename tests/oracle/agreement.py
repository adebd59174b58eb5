"""Agreement of the orders of scores and grades, in plain Python, pair by pair.

A metric reads users and returns values as in ``ratings``.
"""

import math
from collections import Counter
from itertools import combinations

from . import parameters
from .ratings import mean


def _pairs(user):
    """Count the concordant, discordant and tied pairs of a user's rated items."""
    result = Counter()
    for (score, grade), (other_score, other_grade) in combinations(user.rated, 2):
        if grade == other_grade:
            result["tied both" if score == other_score else "tied grade"] += 1
        elif score == other_score:
            result["tied score"] += 1
        else:
            same = (score > other_score) == (grade > other_grade)
            result["concordant" if same else "discordant"] += 1
    return result


def _ratio(part, whole):
    return part / whole if whole else None


def ndpm(users):
    values = {}
    for name, user in users.items():
        pairs = _pairs(user)
        strict = pairs["concordant"] + pairs["discordant"] + pairs["tied score"]
        values[name] = _ratio(2 * pairs["discordant"] + pairs["tied score"], 2 * strict)
    return mean(values.values()), values


def fcp(users, average="pooled", ties="left_out"):
    concordant, discordant = {}, {}
    for name, user in users.items():
        pairs = _pairs(user)
        concordant[name] = pairs["concordant"]
        discordant[name] = pairs["discordant"]
        if ties == "discordant":
            discordant[name] += pairs["tied score"]
    values = {name: _ratio(concordant[name], concordant[name] + discordant[name]) for name in users}
    if average == "users":
        return mean(values.values()), values
    if average == "pooled":
        right, wrong = sum(concordant.values()), sum(discordant.values())
        return _ratio(right, right + wrong), values
    right, wrong = (
        mean(float(count) for count in counts.values() if count) or 0.0
        for counts in (concordant, discordant)
    )
    return _ratio(right, right + wrong), values


def kendall(users, variant="tau_b"):
    values = {}
    for name, user in users.items():
        pairs = _pairs(user)
        difference = pairs["concordant"] - pairs["discordant"]
        scores = pairs["concordant"] + pairs["discordant"] + pairs["tied grade"]
        grades = pairs["concordant"] + pairs["discordant"] + pairs["tied score"]
        whole = math.sqrt(scores * grades) if variant == "tau_b" else pairs.total()
        values[name] = difference / whole if whole else None
    return mean(values.values()), values


def _correlation(one, other):
    if len(set(one)) < 2 or len(set(other)) < 2:
        return None
    middles = [math.fsum(side) / len(side) for side in (one, other)]
    left, right = ([value - m for value in side] for side, m in zip((one, other), middles))  # noqa: B905
    product = math.fsum(a * b for a, b in zip(left, right, strict=True))
    return product / math.sqrt(math.fsum(a * a for a in left) * math.fsum(b * b for b in right))


def _ranks(values):
    """Return the rank of each value from the smallest, the mean rank of equal values."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) + 1) / 2 for value in values]


def pearson(users):
    values = {
        name: _correlation([s for s, _ in u.rated], [g for _, g in u.rated])
        for name, u in users.items()
    }
    return mean(values.values()), values


def spearman(users):
    values = {
        name: _correlation(_ranks([s for s, _ in u.rated]), _ranks([g for _, g in u.rated]))
        for name, u in users.items()
    }
    return mean(values.values()), values


PARAMS = parameters("""
    ndpm pearson spearman
    fcp average=pooled|users|means ties=left_out|discordant
    kendall variant=tau_b|tau_a
""")

METRICS = {name: globals()[name] for name in PARAMS}
