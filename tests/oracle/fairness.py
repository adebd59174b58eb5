"""Fairness in plain Python: metrics of all lists together, and of each user's list."""

import itertools
import math
import statistics
from collections import Counter

from . import parameters
from .coverage import popularity, shown


def exposure_share(world, lists, group, weight="rank"):
    if not any(group in groups for groups in world.groups.values()):
        return None
    amounts = shown(lists, weight)
    part = (amount for item, amount in amounts.items() if group in world.groups.get(item, ()))
    return math.fsum(part) / math.fsum(amounts.values())


def found(world, lists, items):
    """Return the share of a group's relevant items that are in their users' lists."""
    wanted = [(user, item) for user in lists for item in world.relevant(user) if item in items]
    hits = [item in lists[user].values() for user, item in wanted]
    return sum(hits) / len(hits) if hits else None


def offered(world, lists, items):
    """Return the share of a group's items in lists, of all pairs of a user and a new item."""
    whole = sum((user, item) not in world.history for user in lists for item in items)
    part = sum(item in items for ranks in lists.values() for item in ranks.values())
    return part / whole if whole else None


def spread(rates):
    """Return the relative standard deviation."""
    rates = list(rates)
    mean = statistics.fmean(rates) if rates else 0
    return statistics.pstdev(rates) / mean if mean else None


def by_group(world):
    """Return the items by group."""
    names = {group for groups in world.groups.values() for group in groups}
    return [{item for item, groups in world.groups.items() if name in groups} for name in names]


def by_popularity(world, head):
    """Return the popular and the other items."""
    counts = popularity(world)
    most = sorted(counts, key=lambda item: (-counts[item], item))
    popular = set()
    for item in most:
        if sum(counts[other] for other in popular) >= head * counts.total():
            break
        popular.add(item)
    return popular, set(most) - popular


def reo(world, lists):
    rates = [found(world, lists, items) for items in by_group(world)]
    return spread(rate for rate in rates if rate is not None)


def rsp(world, lists):
    rates = [offered(world, lists, items) for items in by_group(world)]
    return spread(rate for rate in rates if rate is not None)


def pop_reo(world, lists, head=0.8):
    rates = [found(world, lists, items) for items in by_popularity(world, head)]
    return None if None in rates else spread(rate for rate in rates if rate is not None)


def pop_rsp(world, lists, head=0.8):
    rates = [offered(world, lists, items) for items in by_popularity(world, head)]
    return None if None in rates else spread(rate for rate in rates if rate is not None)


def strata(world, user, exponent):
    """Return the weight of each relevant item."""
    counts = popularity(world)
    return {item: 1 / max(counts[item], 1) ** exponent for item in world.relevant(user)}


def stratified_recall(world, user, ranks, exponent=0.5, average="users"):
    weights = strata(world, user, exponent)
    hits = math.fsum(weights[item] for item in ranks.values() if item in weights)
    return hits / math.fsum(weights.values()) if weights else None


def propensity_hits(world, user, ranks, cap=10000):
    counts = popularity(world)
    hits = [item for item in ranks.values() if item in world.relevant(user) and counts[item]]
    return math.fsum(min(counts.total() / counts[item], cap) for item in hits)


def deserved(world, user, patience, grades):
    """Return the mean attention of each relevant item, over all best lists."""
    relevant = world.relevant(user)
    if grades == "binary":
        relevant = dict.fromkeys(relevant, 1.0)
    best = sorted(relevant.values(), reverse=True)
    gets = {}
    for number, grade in enumerate(best):
        gets.setdefault(grade, []).append(patience**number)
    return {item: statistics.fmean(gets[grade]) for item, grade in relevant.items()}


def attention(ranks, patience):
    """Return the attention of each item of a list."""
    return {item: patience ** (rank - 1) for rank, item in ranks.items()}


def expected_exposure_loss(world, user, ranks, patience=0.5, grades="given"):
    target, gets = deserved(world, user, patience, grades), attention(ranks, patience)
    items = target.keys() | gets.keys()
    if not target:
        return None
    return math.fsum((gets.get(item, 0) - target.get(item, 0)) ** 2 for item in items)


def expected_exposure_relevance(world, user, ranks, patience=0.5, grades="given"):
    target, gets = deserved(world, user, patience, grades), attention(ranks, patience)
    return math.fsum(gets[item] * target.get(item, 0) for item in gets) if target else None


def expected_exposure_disparity(world, user, ranks, patience=0.5):
    return math.fsum(part**2 for part in attention(ranks, patience).values())


def exposures(world, lists, items, weight):
    """Return the exposure of each item in a list, or of each item of the catalog."""
    amounts = shown(lists, weight)
    known = world.catalog if items == "catalog" else amounts.keys()
    return [amounts.get(item, 0.0) for item in known]


def jain_index(world, lists, items="recommended", weight="plain"):
    amounts = exposures(world, lists, items, weight)
    squares = statistics.fmean(amount**2 for amount in amounts)
    return statistics.fmean(amounts) ** 2 / squares if squares else None


def atkinson_index(world, lists, items="recommended", weight="plain", aversion=0.5):
    amounts = exposures(world, lists, items, weight)
    mean = statistics.fmean(amounts)
    worth = statistics.fmean(amount ** (1 - aversion) for amount in amounts)
    return 1 - worth ** (1 / (1 - aversion)) / mean if mean else None


def equity_of_attention(world, lists, weight="rank"):
    gets = shown(lists, weight)
    merits = Counter(item for user in lists for item in world.relevant(user))
    if not merits:
        return None
    whole = math.fsum(gets.values())
    return math.fsum(
        abs(gets.get(item, 0) / whole - merits[item] / merits.total()) for item in {*gets, *merits}
    )


def least_by_largest(rates):
    """Return the lowest rate divided by the highest."""
    rates = list(rates)
    return min(rates) / max(rates) if any(rates) else None


def disparate_treatment(world, lists, merit="relevant", weight="rank"):
    gets, rates = shown(lists, weight), []
    for items in by_group(world):
        wanted = sum(item in items for user in lists for item in world.relevant(user))
        merits = wanted if merit == "relevant" else len(items)
        if merits:
            rates.append(math.fsum(gets.get(item, 0) for item in items) / merits)
    return least_by_largest(rates)


def disparate_impact(world, lists):
    rates = [found(world, lists, items) for items in by_group(world)]
    return least_by_largest(rate for rate in rates if rate is not None)


def bias_disparity(world, lists, group, of="change"):
    sides = {
        "recs": [item for ranks in lists.values() for item in ranks.values()],
        "history": [item for user, item in world.history if user in lists],
        "items": [*world.groups],
    }
    shares = {
        side: sum(group in world.groups.get(item, ()) for item in items) / len(items)
        for side, items in sides.items()
        if items
    }
    base, part = ("history", "recs") if of == "change" else ("items", of)
    if not shares["items"] or not shares.get(base) or part not in shares:
        return None
    return shares[part] / shares[base] - (of == "change")


def item_mad(world, lists, gain="linear", ranks="all", shift=0):
    worth = {}
    for user, shown_items in lists.items():
        for rank, item in shown_items.items():
            grade = world.relevant(user).get(item)
            if grade is not None:
                gains = {"linear": grade, "binary": 1.0, "score": -float(rank)}
                gained = 2.0 ** (grade + shift) - 1 if gain == "exponential" else gains[gain]
                worth.setdefault(item, []).append(gained)
            elif ranks == "all":
                worth.setdefault(item, []).append(0.0)
    means = [
        statistics.fmean(statistics.fmean(worth[item]) for item in items & worth.keys())
        for items in by_group(world)
        if items & worth.keys()
    ]
    apart = [abs(one - other) for one, other in itertools.combinations(means, 2)]
    return statistics.fmean(apart) if apart else None


def item_score_mad(world, lists, ranks="all"):
    return item_mad(world, lists, "score", ranks)


OF_ALL = {
    metric.__name__: metric
    for metric in (
        *(exposure_share, reo, rsp, pop_reo, pop_rsp, jain_index, atkinson_index),
        *(equity_of_attention, disparate_treatment, disparate_impact, bias_disparity),
    )
}
# Metrics of all lists of the population together.
OF_POPULATION = {"item_mad": item_mad, "item_score_mad": item_score_mad}
OF_USERS = {
    metric.__name__: metric
    for metric in (
        *(stratified_recall, propensity_hits, expected_exposure_loss),
        *(expected_exposure_relevance, expected_exposure_disparity),
    )
}

PARAMS = parameters("""
    reo rsp disparate_impact
    exposure_share group=g1|g2|none weight=rank|plain
    pop_reo head=0.8|0.5
    pop_rsp head=0.8|0.5
    jain_index items=recommended|catalog weight=plain|rank
    atkinson_index items=recommended|catalog weight=plain|rank aversion=0.5|0.75
    equity_of_attention weight=rank|plain
    disparate_treatment merit=relevant|items weight=rank|plain
    bias_disparity group=g1|none of=change|recs|history
    item_mad gain=linear|binary|exponential ranks=all|hits shift=0|1
    item_score_mad ranks=all|hits
    stratified_recall exponent=0.5|0|2 average=users|pooled
    propensity_hits cap=10000|2
    expected_exposure_loss patience=0.5|0.9 grades=given|binary
    expected_exposure_relevance patience=0.5|0.9 grades=given|binary
    expected_exposure_disparity patience=0.5|0.9
""")
