"""Rank-biased precision, expected reciprocal rank, measures of trec_eval, AUC of lists.

A metric is a function of one user, a cutoff (infinite for whole lists) and parameters.
"""

import itertools
import math
import statistics

from . import average_precision, parameters

TINY = 0.00001


def _judged(user, k):
    """Return, by rank within k of an item of the truth, whether it is judged."""
    named = {
        rank: user.truth[item]
        for rank, item in sorted(user.shown.items())
        if rank <= k and item in user.truth
    }
    return {rank: grade >= 0 or user.is_relevant(grade) for rank, grade in named.items()}


def _misses(user, k):
    """Return the ranks within k without a relevant item."""
    hits = user.hits(k)
    return [rank for rank in sorted(user.shown) if rank <= k and rank not in hits]


def rbp(user, k, p=0.8, gain="binary", ideal="endless"):
    gains = user.gains(k, gain)
    result = math.fsum(gain * p ** (rank - 1) for rank, gain in gains.items())
    if ideal == "endless":
        return (1 - p) * result
    best = math.fsum(p**rank for rank in range(min(user.relevant, user.length(k))))
    return result / best if best else 0.0


def rbp_residual(user, k, p=0.8):
    last = int(max((rank for rank in user.shown if rank <= k), default=0))
    judged = _judged(user, k)
    ranks = [rank for rank in range(1, last + 1) if not judged.get(rank)]
    return math.fsum((1 - p) * p ** (rank - 1) for rank in ranks) + p**last


def _cascade(grades, max_grade, patience=None):
    """Return the expected reciprocal of the rank at which a user stops, or the patience at it."""
    result, reading = 0.0, 1.0
    for rank, grade in sorted(grades.items()):
        content = (2 ** min(max(grade, 0.0), max_grade) - 1) / 2**max_grade
        result += reading * content * (1 / rank if patience is None else patience ** (rank - 1))
        reading *= 1 - content
    return result


def _scale(user, max_grade, scale):
    """Return the highest grade, of all users or of this one, limited to the range of doubles."""
    own = max((*user.truth.values(), 0.0))
    return min(own, 1000) if scale == "own" else max_grade


def err(user, k, max_grade=4, scale="given"):
    return _cascade(user.gains(k, "linear"), _scale(user, max_grade, scale))


def pfound(user, k, p_break=0.15, max_grade=4, scale="given"):
    return _cascade(user.gains(k, "linear"), _scale(user, max_grade, scale), 1 - p_break)


def top_precision(user, k):
    if not user.relevant:
        return None
    best = max(user.truth.values())
    return sum(user.truth[user.shown[rank]] == best for rank in user.hits(k)) / k


def depth_precision(user, k):
    return math.fsum(len(user.hits(depth)) / depth for depth in range(1, int(k) + 1)) / k


def limited_auc(user, k, catalog, padding=0):
    if not user.relevant or not confusion(user, k, catalog):
        return None
    others = catalog - user.relevant + padding
    if not others:
        return None
    misses = [rank for rank in user.shown if rank not in user.hits(k)]
    shares = [1 - sum(rank < hit for rank in misses) / others for hit in user.hits(k)]
    return math.fsum(shares) / min(user.relevant, k)


def nerr(user, k, max_grade=4):
    best = dict(enumerate(sorted(user.truth.values(), reverse=True), 1))
    ideal = _cascade({rank: grade for rank, grade in best.items() if rank <= k}, max_grade)
    return err(user, k, max_grade) / ideal if ideal else None


def _examined(user, k, max_grade):
    """Return the gain of each rank that a user may read."""
    gains = user.gains(k, "linear")
    last = 1000 if k == math.inf else int(k)
    return [min(gains.get(rank, 0.0), max_grade) / max_grade for rank in range(1, last + 1)]


def _rate(gains, goes_on):
    """Return the expected gain per rank; `goes_on` is the probability to continue after a rank."""
    result, seen, reading = 0.0, 0.0, 1.0
    for rank, gain in enumerate(gains, 1):
        result += reading * gain
        seen += reading
        reading *= goes_on(rank)
    return result / seen


def nearly_err(user, k, equation=8, max_grade=1, p=0.9, goal=1):
    gains = _examined(user, k, max_grade)
    patience = {
        8: lambda rank: 1.0,
        9: lambda rank: rank / (rank + 1),
        10: lambda rank: p,
        11: lambda rank: ((rank + 2 * goal - 1) / (rank + 2 * goal)) ** 2,
    }
    return _rate(gains, lambda rank: patience[equation](rank) * (1 - gains[rank - 1]))


def insq(user, k, goal=1, max_grade=1):
    gains = _examined(user, k, max_grade)
    return _rate(gains, lambda rank: ((rank + 2 * goal - 1) / (rank + 2 * goal)) ** 2)


def inst(user, k, goal=1, max_grade=1):
    gains = _examined(user, k, max_grade)

    def goes_on(rank):
        wanted = rank + 2 * goal - math.fsum(gains[:rank])
        return ((wanted - 1) / wanted) ** 2

    return _rate(gains, goes_on)


def bpm(user, k, goal=1, max_grade=1):
    gains = _examined(user, k, max_grade)
    whole = [gain * max_grade for gain in gains]
    return _rate(gains, lambda rank: float(round(math.fsum(whole[:rank]), 9) / max_grade < goal))


def compatibility(user, k, p=0.95, divide_by="best"):
    own = [user.shown[rank] for rank in sorted(user.shown) if rank <= k]
    wanted = [item for item, grade in user.truth.items() if grade > 0]
    unlisted = len(own)
    best = sorted(
        wanted, key=lambda item: (-user.truth[item], own.index(item) if item in own else unlisted)
    )
    if not best:
        return None
    best = best[: int(min(k, len(best)))]
    depths = range(1, max(len(own), len(best)) + 1)
    result = math.fsum(p ** (d - 1) * len({*own[:d]} & {*best[:d]}) / d for d in depths)
    if divide_by == "best":
        return result / math.fsum(p ** (d - 1) * len(best[:d]) / d for d in depths)
    return result / math.fsum(p ** (d - 1) for d in depths)


def bpref(user, k, without_nonrelevant="recall"):
    if not user.relevant:
        return None
    nonrelevant = sum(g >= 0 and not user.is_relevant(g) for g in user.truth.values())
    if without_nonrelevant == "undefined" and not nonrelevant and user.hits(k):
        return None
    result, above = 0.0, 0
    for rank, judged in _judged(user, k).items():
        if rank in user.hits(k):
            most = min(nonrelevant, user.relevant)
            result += 1 - (min(above, user.relevant) / most if above else 0)
        elif judged:
            above += 1
    return result / user.relevant


def inferred_average_precision(user, k):
    if not user.relevant:
        return None
    result = 0.0
    judged, hits = _judged(user, k), user.hits(k)
    for hit in hits:
        above = hit - 1
        pooled = [rank for rank in judged if rank < hit]
        relevant = sum(rank < hit for rank in hits)
        known = sum(judged[rank] for rank in pooled)
        expected = 0.0
        if above:
            rate = (relevant + TINY) / (known + 2 * TINY)
            expected = above / hit * (len(pooled) / above * rate)
        result += 1 / hit + expected
    return result / user.relevant


def interpolated_precision(user, k, recall=0.5, rounding="nearest"):
    if not user.relevant:
        return None
    if rounding == "nearest":
        needed = math.floor(recall * user.relevant + 0.5)
    elif rounding == "tenth":
        needed = int(recall * user.relevant + 0.9)
    else:
        needed = next(
            n
            for n in range(user.relevant + 1)
            if n >= recall * user.relevant or math.isclose(n, recall * user.relevant)
        )
    precisions = [number / rank for number, rank in enumerate(user.hits(k), 1)]
    return max(precisions[max(needed - 1, 0) :], default=0.0)


def eleven_point_average_precision(user, k, rounding="nearest"):
    if not user.relevant:
        return None
    points = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    return sum(interpolated_precision(user, k, recall, rounding) or 0 for recall in points) / 11


def geometric_map(user, k):
    return average_precision(user, k)


def _geometric_mean(users, values, k):
    return math.prod(max(value, TINY) for value in values) ** (1 / len(values))


def geometric_bpref(user, k):
    return bpref(user, k)


def item_count(user, k, of="hits", per="all"):
    if of == "full_lists":
        full = user.length(k) == k if k < math.inf else user.length(k) > 0
        return float(full)
    if of == "retrieved":
        return user.length(k)
    if of in ("relevant", "counted_users"):
        return user.relevant if of == "relevant" else 1
    hits = len(user.hits(k))
    return hits if of == "hits" else sum(_judged(user, k).values()) - hits


def _sum(users, values, k, of="hits", per="all"):
    return math.fsum(values) / (len(values) if per == "user" else 1)


def set_average_precision(user, k):
    if not user.relevant:
        return None
    hits = len(user.hits(k))
    return hits / max(user.length(k), 1) * hits / user.relevant


def set_f(user, k, x=1):
    hits = len(user.hits(k))
    if not hits:
        return 0.0
    return (1 + x) / (user.length(k) / hits + x * user.relevant / hits)


def set_utility(user, k, hit=1, noise=-1, miss=0, rest=0, collection=0):
    hits = len(user.hits(k))
    others, missed = user.length(k) - hits, user.relevant - hits
    left = collection - hits - others - missed
    return hits * hit + others * noise + missed * miss + left * rest


def _best(user):
    """Return the gains of the user's items, in descending order."""
    return sorted((grade for grade in user.truth.values() if grade > 0), reverse=True)


def _ndcg_down_to(user, k, rank):
    """Return the NDCG at a rank of the list within k."""
    gains = user.gains(min(k, rank), "linear")
    best = {number: gain for number, gain in enumerate(_best(user), 1) if number <= rank}
    dcg, best_dcg = (
        math.fsum(gain / math.log2(number + 1) for number, gain in some.items())
        for some in (gains, best)
    )
    return dcg / best_dcg


def ndcg_at_gains(user, k):
    ranks = {item: rank for rank, item in user.shown.items() if rank <= k}
    result = [
        _ndcg_down_to(user, k, ranks.get(item, math.inf))
        for item, grade in user.truth.items()
        if grade > 0
    ]
    return math.fsum(result) / len(result) if result else None


def ndcg_at_grades(user, k):
    best = _best(user)
    if not best or not user.relevant:
        return None
    pairs = itertools.pairwise([*best, 0])
    ranks = [rank for rank, (one, after) in enumerate(pairs, 1) if after < one]
    if user.length(k) > len(best) + 1:
        ranks.append(math.inf)
    return math.fsum(_ndcg_down_to(user, k, rank) for rank in ranks) / len(ranks)


def normalized_gain(user, k, gain="linear"):
    gains = user.gains(k, gain)
    best = [1.0] * user.relevant if gain == "binary" else _best(user)
    if not best:
        return None
    result = 0.0
    for rank, worth in gains.items():
        wanted = [max(each, 1.0) for each in best[: int(rank)]]
        had = [-gains[above] for above in gains if above <= rank]
        result += worth / math.log2(math.fsum([2, *wanted, rank - len(wanted), *had]))
    return result / math.fsum(best)


def judged_share(user, k, divide_by="list_length"):
    length = user.length(k)
    return sum(_judged(user, k).values()) / (k if divide_by == "k" else length) if length else None


def unjudged_share(user, k, divide_by="list_length"):
    judged = _judged(user, k)
    unjudged = [rank for rank in user.shown if rank <= k and not judged.get(rank)]
    length = user.length(k)
    return len(unjudged) / (k if divide_by == "k" else length) if length else None


def _utility(grades, half_life, neutral):
    return math.fsum(
        max(grade - neutral, 0) * 2.0 ** ((1 - rank) / (half_life - 1))
        for rank, grade in grades.items()
    )


def _best_utility(user, k, half_life, neutral):
    best = dict(enumerate(sorted(user.truth.values(), reverse=True), 1))
    return _utility({rank: g for rank, g in best.items() if rank <= k}, half_life, neutral)


def page_ndcg(user, k, rows=3, columns=5, gain="linear"):
    cells = [row + column for row in range(1, rows + 1) for column in range(1, columns + 1)]
    weights = dict(enumerate((1 / math.log2(cell) for cell in sorted(cells)), 1))

    def worth(gains):
        return math.fsum(gain * weights.get(rank, 0) for rank, gain in gains.items())

    best = sorted((user.gain(grade, gain) for grade in user.truth.values()), reverse=True)
    whole = worth({n: gain for n, gain in enumerate(best, 1) if n <= k})
    return worth(user.gains(k, gain)) / whole if whole else None


def r_score(user, k, half_life=5, neutral=0, mean="weighted"):
    best = _best_utility(user, k, half_life, neutral)
    return _utility(user.gains(k, "linear"), half_life, neutral) / best if best else None


def _ratio_of_sums(users, values, k, half_life=5, neutral=0, mean="weighted"):
    if mean == "plain":
        return math.fsum(values) / len(values)
    result = math.fsum(_utility(user.gains(k, "linear"), half_life, neutral) for user in users)
    return result / math.fsum(_best_utility(user, k, half_life, neutral) for user in users)


def _above(hits, misses, number):
    """Count the pairs of a hit above one of the first misses; unlisted misses are below hits."""
    return sum(
        miss >= len(misses) or misses[miss] > hit for hit in hits for miss in range(int(number))
    )


def _insufficient(user, k, misses):
    return len(_misses(user, k)) < misses and len(user.hits(k)) < user.relevant


def partial_auc(user, k, misses=10, insufficient="ignore"):
    left_out = insufficient == "exclude" and _insufficient(user, k, misses)
    if not user.relevant or left_out:
        return None
    return _above(user.hits(k), _misses(user, k), misses) / (misses * user.relevant)


def partial_ap(user, k, n=10, insufficient="ignore"):
    left_out = insufficient == "exclude" and _insufficient(user, k, n)
    if not user.relevant or left_out:
        return None
    return _above(user.hits(k)[: int(n)], _misses(user, k), n) / (n * min(n, user.relevant))


def list_auc(user, k, no_pairs="undefined"):
    hits, misses = user.hits(k), _misses(user, k)
    if not hits or not misses:
        return float(bool(hits)) if no_pairs == "bounds" else None
    return sum(hit < miss for hit in hits for miss in misses) / (len(hits) * len(misses))


def confusion(user, k, catalog):
    """Count true positives, false positives, false negatives and true negatives."""
    hits = len(user.hits(k))
    misses, missed = user.length(k) - hits, user.relevant - hits
    left = catalog - hits - misses - missed
    return (hits, misses, missed, left) if left >= 0 else None


def accuracy(user, k, catalog, shown="list_length"):
    if shown == "k":
        return (catalog - k - user.relevant + 2 * len(user.hits(k))) / catalog
    counts = confusion(user, k, catalog)
    return (counts[0] + counts[3]) / catalog if counts else None


def mcc(user, k, catalog, shown="list_length"):
    counts = confusion(user, k, catalog)
    if shown == "k":
        hits = len(user.hits(k))
        missed = user.relevant - hits
        counts = (hits, int(k) - hits, missed, catalog - int(k) - missed)
    if not counts:
        return None
    hits, misses, missed, left = counts
    sums = (hits + misses) * (hits + missed) * (left + misses) * (left + missed)
    if sums < 0:
        return None
    return (hits * left - misses * missed) / math.sqrt(sums) if sums else 0.0


def _labels(user, k, catalog):
    """Return the rank of each item of the catalog; unlisted items are tied below the list."""
    counts = confusion(user, k, int(catalog))
    if counts is None:
        return []
    _, _, missed, left = counts
    hits = user.hits(k)
    result = [(rank, rank in hits) for rank in sorted(user.shown) if rank <= k]
    return result + [(math.inf, True)] * missed + [(math.inf, False)] * left


def _pairs(user, k, catalog, tie=0.5):
    """Return, for each pair of a relevant and another item, 1 if it is above, and 1/2 if tied."""
    labels = _labels(user, k, catalog)
    ranks = [rank for rank, relevant in labels if relevant]
    others = [rank for rank, relevant in labels if not relevant]
    return [(one < other) + (one == other) * tie for one in ranks for other in others]


def catalog_auc(user, k, catalog, items="catalog", neither="half", padding=0):
    named = user.length(k) + user.relevant - len(user.hits(k))
    size = catalog if items == "catalog" else named
    if not _labels(user, k, size):
        return None
    pairs = _pairs(user, k, size, 0.5 if neither == "half" else 0)
    below = user.relevant * padding
    return (math.fsum(pairs) + below) / (len(pairs) + below) if len(pairs) + below else None


def fall_out(user, k, catalog):
    labels = _labels(user, k, catalog)
    others = [rank for rank, relevant in labels if not relevant]
    return sum(rank < math.inf for rank in others) / len(others) if others else None


def label_ranking_loss(user, k, catalog):
    pairs = _pairs(user, k, catalog)
    return sum(pair < 1 for pair in pairs) / len(pairs) if pairs else None


def coverage_error(user, k, catalog):
    ranks = [rank for rank, relevant in _labels(user, k, catalog) if relevant]
    last = max(ranks, default=None)
    return catalog if last == math.inf else last


def catalog_average_precision(user, k, catalog):
    ranks = [rank for rank, relevant in _labels(user, k, catalog) if relevant]
    result = [
        sum(other <= rank for other in ranks) / (catalog if rank == math.inf else rank)
        for rank in ranks
    ]
    return math.fsum(result) / len(result) if result else None


def percentile_rank(user, k, catalog, average="users", unit="share"):
    labels = _labels(user, k, catalog)
    if not labels or not user.relevant:
        return None
    shown = user.length(k)
    rest = range(shown, int(catalog)) if shown else [catalog / 2]
    middle = math.fsum(rest) / max(len(rest), 1)
    ranks = [rank for rank, relevant in labels if relevant]
    above = [middle if rank == math.inf else rank - 1 for rank in ranks]
    share = math.fsum(above) / len(ranks) / catalog
    return share * 100 if unit == "percent" else share


def mean_rank(user, k, average="arithmetic"):
    ranks = user.hits(k)
    if not ranks or len(ranks) != user.relevant:
        return None
    return statistics.geometric_mean(ranks) if average == "geometric" else statistics.mean(ranks)


def _item_mean(users, values, k, average="users", unit="share"):
    weights = [user.relevant if average == "pooled" else 1 for user in users]
    return math.fsum(map(math.prod, zip(weights, values, strict=True))) / sum(weights)


def truth_jaccard(user, k):
    hits = len(user.hits(k))
    either = user.length(k) + user.relevant - hits
    return hits / either if either else None


SUMMARIES = {
    "geometric_bpref": _geometric_mean,
    "geometric_map": _geometric_mean,
    "item_count": _sum,
    "percentile_rank": _item_mean,
    "r_score": _ratio_of_sums,
}

PARAMS = parameters("""
    catalog_average_precision coverage_error label_ranking_loss truth_jaccard depth_precision
    fall_out geometric_bpref geometric_map inferred_average_precision ndcg_at_gains ndcg_at_grades
    top_precision set_average_precision
    accuracy shown=list_length|k
    catalog_auc items=catalog|list neither=half|nothing padding=0|1
    percentile_rank average=users|pooled unit=share|percent
    mean_rank average=arithmetic|geometric
    bpm goal=1|2.5 max_grade=1|3
    compatibility p=0.95|0.5 divide_by=best|weights
    insq goal=1|2.5 max_grade=1|2.5
    inst goal=1|0.75 max_grade=1|2.5
    nearly_err equation=8|9|10|11 p=0.9|0.5 goal=1|0.75
    bpref without_nonrelevant=recall|undefined
    eleven_point_average_precision rounding=nearest|up|tenth
    err max_grade=4|1|2.5 scale=given|own
    interpolated_precision recall=0.5|0|0.3|0.7|1 rounding=nearest|up|tenth
    item_count of=hits|retrieved|relevant|nonrelevant|counted_users|full_lists per=all|user
    judged_share divide_by=list_length|k
    limited_auc padding=0|1
    list_auc no_pairs=undefined|bounds
    mcc shown=list_length|k
    nerr max_grade=4|1|2.5
    normalized_gain gain=linear|binary
    page_ndcg rows=3|1|5 columns=5|2 gain=linear|binary|exponential
    partial_ap n=10|1|2 insufficient=ignore|exclude
    partial_auc misses=10|1|2 insufficient=ignore|exclude
    pfound p_break=0.15|0|0.85 max_grade=4|1 scale=given|own
    r_score half_life=5|1.5 neutral=0|0.5 mean=weighted|plain
    rbp p=0.8|0.5 gain=binary|linear ideal=endless|achievable_in_list
    rbp_residual p=0.8|0.5
    set_f x=1|2|0.5
    set_utility hit=1|2.5 noise=-1|0.5 miss=0|-2 rest=0|0.25 collection=0|30
    unjudged_share divide_by=list_length|k
""")

METRICS = {name: globals()[name] for name in PARAMS}
