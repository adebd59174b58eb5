"""Rank-biased precision, expected reciprocal rank, measures of trec_eval, AUC of lists.

A metric is a function of one user, a cutoff (infinite for whole lists) and parameters.
"""

import itertools
import math
import statistics
from collections.abc import Callable
from typing import Any

from . import User, average_precision

TINY = 0.00001


def _judged(user: User, k: float) -> dict[int, bool]:
    """Return, by rank within k of an item of the truth, whether it is judged."""
    named = {
        rank: user.truth[item]
        for rank, item in sorted(user.shown.items())
        if rank <= k and item in user.truth
    }
    return {rank: grade >= 0 or user.is_relevant(grade) for rank, grade in named.items()}


def _misses(user: User, k: float) -> list[int]:
    """Return the ranks within k without a relevant item."""
    hits = user.hits(k)
    return [rank for rank in sorted(user.shown) if rank <= k and rank not in hits]


def rbp(
    user: User, k: float, p: float = 0.8, gain: str = "binary", ideal: str = "endless"
) -> float:
    """Average gains, weighted by the probability that a user reads the rank."""
    gains = user.gains(k, gain)
    result = math.fsum(gain * p ** (rank - 1) for rank, gain in gains.items())
    if ideal == "endless":
        return (1 - p) * result
    best = math.fsum(p**rank for rank in range(min(user.relevant, user.length(k))))
    return result / best if best else 0.0


def rbp_residual(user: User, k: float, p: float = 0.8) -> float:
    """Sum the weights of unjudged ranks, and of all ranks after the last."""
    last = int(max((rank for rank in user.shown if rank <= k), default=0))
    judged = _judged(user, k)
    ranks = [rank for rank in range(1, last + 1) if not judged.get(rank)]
    return math.fsum((1 - p) * p ** (rank - 1) for rank in ranks) + p**last


def _cascade(grades: dict[int, float], max_grade: float, patience: float | None = None) -> float:
    """Return the expected reciprocal of the rank at which a user stops, or the patience at it."""
    result, reading = 0.0, 1.0
    for rank, grade in sorted(grades.items()):
        content = (2 ** min(max(grade, 0.0), max_grade) - 1) / 2**max_grade
        result += reading * content * (1 / rank if patience is None else patience ** (rank - 1))
        reading *= 1 - content
    return result


def _scale(user: User, max_grade: float, scale: str) -> float:
    """Return the highest grade, of all users or of this one, limited to the range of doubles."""
    own = max((*user.truth.values(), 0.0))
    return min(own, 1000) if scale == "own" else max_grade


def err(user: User, k: float, max_grade: float = 4, scale: str = "given") -> float:
    """Return the expected reciprocal rank."""
    return _cascade(user.gains(k, "linear"), _scale(user, max_grade, scale))


def pfound(
    user: User, k: float, p_break: float = 0.15, max_grade: float = 4, scale: str = "given"
) -> float:
    """Return the probability that a user finds a relevant item."""
    return _cascade(user.gains(k, "linear"), _scale(user, max_grade, scale), 1 - p_break)


def top_precision(user: User, k: float) -> float | None:
    """Return the share of recommendations of items with the user's highest grade."""
    if not user.relevant:
        return None
    best = max(user.truth.values())
    return sum(user.truth[user.shown[rank]] == best for rank in user.hits(k)) / k


def depth_precision(user: User, k: float) -> float:
    """Average the precision over all depths of the list."""
    return math.fsum(len(user.hits(depth)) / depth for depth in range(1, int(k) + 1)) / k


def limited_auc(user: User, k: float, catalog: int, padding: int = 0) -> float | None:
    """Average, over the most hits that k ranks can have, the share of irrelevant items below."""
    if not user.relevant or not confusion(user, k, catalog):
        return None
    others = catalog - user.relevant + padding
    if not others:
        return None
    misses = [rank for rank in user.shown if rank not in user.hits(k)]
    shares = [1 - sum(rank < hit for rank in misses) / others for hit in user.hits(k)]
    return math.fsum(shares) / min(user.relevant, k)


def nerr(user: User, k: float, max_grade: float = 4) -> float | None:
    """Divide ERR by that of the best list."""
    best = dict(enumerate(sorted(user.truth.values(), reverse=True), 1))
    ideal = _cascade({rank: grade for rank, grade in best.items() if rank <= k}, max_grade)
    return err(user, k, max_grade) / ideal if ideal else None


def _examined(user: User, k: float, max_grade: float) -> list[float]:
    """Return the gain of each rank that a user may read."""
    gains = user.gains(k, "linear")
    last = 1000 if k == math.inf else int(k)
    return [min(gains.get(rank, 0.0), max_grade) / max_grade for rank in range(1, last + 1)]


def _rate(gains: list[float], goes_on: Callable[[int], float]) -> float:
    """Return the expected gain per rank; `goes_on` is the probability to continue after a rank."""
    result, seen, reading = 0.0, 0.0, 1.0
    for rank, gain in enumerate(gains, 1):
        result += reading * gain
        seen += reading
        reading *= goes_on(rank)
    return result / seen


def nearly_err(
    user: User, k: float, equation: int = 8, max_grade: float = 1, p: float = 0.9, goal: float = 1
) -> float:
    """Users continue if a rank has no gain, by one of four equations."""
    gains = _examined(user, k, max_grade)
    patience: dict[int, Callable[[int], float]] = {
        8: lambda rank: 1.0,
        9: lambda rank: rank / (rank + 1),
        10: lambda rank: p,
        11: lambda rank: ((rank + 2 * goal - 1) / (rank + 2 * goal)) ** 2,
    }
    return _rate(gains, lambda rank: patience[equation](rank) * (1 - gains[rank - 1]))


def insq(user: User, k: float, goal: float = 1, max_grade: float = 1) -> float:
    """The probability to continue rises with the rank."""
    gains = _examined(user, k, max_grade)
    return _rate(gains, lambda rank: ((rank + 2 * goal - 1) / (rank + 2 * goal)) ** 2)


def inst(user: User, k: float, goal: float = 1, max_grade: float = 1) -> float:
    """The probability to continue rises with the gain that is still missing."""
    gains = _examined(user, k, max_grade)

    def goes_on(rank: int) -> float:
        wanted = rank + 2 * goal - math.fsum(gains[:rank])
        return ((wanted - 1) / wanted) ** 2

    return _rate(gains, goes_on)


def bpm(user: User, k: float, goal: float = 1, max_grade: float = 1) -> float:
    """Users continue until they have enough gain."""
    gains = _examined(user, k, max_grade)
    whole = [gain * max_grade for gain in gains]
    return _rate(gains, lambda rank: float(round(math.fsum(whole[:rank]), 9) / max_grade < goal))


def compatibility(user: User, k: float, p: float = 0.95, divide_by: str = "best") -> float | None:
    """Compare the list with the best list at each depth."""
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


def bpref(user: User, k: float, without_nonrelevant: str = "recall") -> float | None:
    """Return the share of items judged irrelevant that are below hits."""
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


def inferred_average_precision(user: User, k: float) -> float | None:
    """Estimate the precision at each hit from a sample of the pool."""
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


def interpolated_precision(
    user: User, k: float, recall: float = 0.5, rounding: str = "nearest"
) -> float | None:
    """Return the highest precision at or above a recall."""
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


def eleven_point_average_precision(user: User, k: float, rounding: str = "nearest") -> float | None:
    """Average the interpolated precision over eleven recalls."""
    if not user.relevant:
        return None
    points = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    return sum(interpolated_precision(user, k, recall, rounding) or 0 for recall in points) / 11


def geometric_map(user: User, k: float) -> float | None:
    """Return the average precision."""
    return average_precision(user, k)


def _geometric_mean(users: list[User], values: list[float], k: float) -> float:
    return math.prod(max(value, TINY) for value in values) ** (1 / len(values))


def geometric_bpref(user: User, k: float) -> float | None:
    """Return the bpref."""
    return bpref(user, k)


def item_count(user: User, k: float, of: str = "hits", per: str = "all") -> float:
    """Count items of the list or the truth."""
    if of == "full_lists":
        full = user.length(k) == k if k < math.inf else user.length(k) > 0
        return float(full)
    if of == "retrieved":
        return user.length(k)
    if of in ("relevant", "counted_users"):
        return user.relevant if of == "relevant" else 1
    hits = len(user.hits(k))
    return hits if of == "hits" else sum(_judged(user, k).values()) - hits


def _sum(
    users: list[User], values: list[float], k: float, of: str = "hits", per: str = "all"
) -> float:
    return math.fsum(values) / (len(values) if per == "user" else 1)


def set_average_precision(user: User, k: float) -> float | None:
    """Multiply precision by recall."""
    if not user.relevant:
        return None
    hits = len(user.hits(k))
    return hits / max(user.length(k), 1) * hits / user.relevant


def set_f(user: User, k: float, x: float = 1) -> float:
    """Return the harmonic mean of precision and recall, recall weighed by x."""
    hits = len(user.hits(k))
    if not hits:
        return 0.0
    return (1 + x) / (user.length(k) / hits + x * user.relevant / hits)


def set_utility(
    user: User,
    k: float,
    hit: float = 1,
    noise: float = -1,
    miss: float = 0,
    rest: float = 0,
    collection: float = 0,
) -> float:
    """Sum the utilities of hits, misses and items that are not listed."""
    hits = len(user.hits(k))
    others, missed = user.length(k) - hits, user.relevant - hits
    left = collection - hits - others - missed
    return hits * hit + others * noise + missed * miss + left * rest


def _best(user: User) -> list[float]:
    """Return the gains of the user's items, in descending order."""
    return sorted((grade for grade in user.truth.values() if grade > 0), reverse=True)


def _ndcg_down_to(user: User, k: float, rank: float) -> float:
    """Return the NDCG at a rank of the list within k."""
    gains = user.gains(min(k, rank), "linear")
    best = {number: gain for number, gain in enumerate(_best(user), 1) if number <= rank}
    dcg, best_dcg = (
        math.fsum(gain / math.log2(number + 1) for number, gain in some.items())
        for some in (gains, best)
    )
    return dcg / best_dcg


def ndcg_at_gains(user: User, k: float) -> float | None:
    """Average the NDCG at the ranks of items with a gain; at the list's end for unlisted items."""
    ranks = {item: rank for rank, item in user.shown.items() if rank <= k}
    result = [
        _ndcg_down_to(user, k, ranks.get(item, math.inf))
        for item, grade in user.truth.items()
        if grade > 0
    ]
    return math.fsum(result) / len(result) if result else None


def ndcg_at_grades(user: User, k: float) -> float | None:
    """Average the NDCG at the ranks after which the best list's gain falls."""
    best = _best(user)
    if not best or not user.relevant:
        return None
    pairs = itertools.pairwise([*best, 0])
    ranks: list[float] = [rank for rank, (one, after) in enumerate(pairs, 1) if after < one]
    if user.length(k) > len(best) + 1:
        ranks.append(math.inf)
    return math.fsum(_ndcg_down_to(user, k, rank) for rank in ranks) / len(ranks)


def normalized_gain(user: User, k: float, gain: str = "linear") -> float | None:
    """Discount each gain by the distance of the list's cumulative gain from the best list's."""
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


def judged_share(user: User, k: float, divide_by: str = "list_length") -> float | None:
    """Return the share of recommendations that are judged."""
    length = user.length(k)
    return sum(_judged(user, k).values()) / (k if divide_by == "k" else length) if length else None


def unjudged_share(user: User, k: float, divide_by: str = "list_length") -> float | None:
    """Return the share of recommendations that are not judged."""
    judged = _judged(user, k)
    unjudged = [rank for rank in user.shown if rank <= k and not judged.get(rank)]
    length = user.length(k)
    return len(unjudged) / (k if divide_by == "k" else length) if length else None


def _utility(grades: dict[int, float], half_life: float, neutral: float) -> float:
    return math.fsum(
        max(grade - neutral, 0) * 2.0 ** ((1 - rank) / (half_life - 1))
        for rank, grade in grades.items()
    )


def _best_utility(user: User, k: float, half_life: float, neutral: float) -> float:
    best = dict(enumerate(sorted(user.truth.values(), reverse=True), 1))
    return _utility({rank: g for rank, g in best.items() if rank <= k}, half_life, neutral)


def page_ndcg(
    user: User, k: float, rows: int = 3, columns: int = 5, gain: str = "linear"
) -> float | None:
    """Divide the DCG of a page, whose rank is row + column, by that of the best page."""
    cells = [row + column for row in range(1, rows + 1) for column in range(1, columns + 1)]
    weights = dict(enumerate((1 / math.log2(cell) for cell in sorted(cells)), 1))

    def worth(gains: dict[int, float]) -> float:
        return math.fsum(gain * weights.get(rank, 0) for rank, gain in gains.items())

    best = sorted((user.gain(grade, gain) for grade in user.truth.values()), reverse=True)
    whole = worth({n: gain for n, gain in enumerate(best, 1) if n <= k})
    return worth(user.gains(k, gain)) / whole if whole else None


def r_score(
    user: User, k: float, half_life: float = 5, neutral: float = 0, mean: str = "weighted"
) -> float | None:
    """Divide the utility of the list by that of the best list."""
    best = _best_utility(user, k, half_life, neutral)
    return _utility(user.gains(k, "linear"), half_life, neutral) / best if best else None


def _ratio_of_sums(
    users: list[User],
    values: list[float],
    k: float,
    half_life: float = 5,
    neutral: float = 0,
    mean: str = "weighted",
) -> float:
    if mean == "plain":
        return math.fsum(values) / len(values)
    result = math.fsum(_utility(user.gains(k, "linear"), half_life, neutral) for user in users)
    return result / math.fsum(_best_utility(user, k, half_life, neutral) for user in users)


def _above(hits: list[int], misses: list[int], number: float) -> int:
    """Count the pairs of a hit above one of the first misses; unlisted misses are below hits."""
    return sum(
        miss >= len(misses) or misses[miss] > hit for hit in hits for miss in range(int(number))
    )


def _insufficient(user: User, k: float, misses: float) -> bool:
    return len(_misses(user, k)) < misses and len(user.hits(k)) < user.relevant


def partial_auc(
    user: User, k: float, misses: float = 10, insufficient: str = "ignore"
) -> float | None:
    """Compare all relevant items with the first misses."""
    left_out = insufficient == "exclude" and _insufficient(user, k, misses)
    if not user.relevant or left_out:
        return None
    return _above(user.hits(k), _misses(user, k), misses) / (misses * user.relevant)


def partial_ap(user: User, k: float, n: float = 10, insufficient: str = "ignore") -> float | None:
    """Compare the first relevant items with the first misses."""
    left_out = insufficient == "exclude" and _insufficient(user, k, n)
    if not user.relevant or left_out:
        return None
    return _above(user.hits(k)[: int(n)], _misses(user, k), n) / (n * min(n, user.relevant))


def list_auc(user: User, k: float, no_pairs: str = "undefined") -> float | None:
    """Return the share of pairs within k whose hit is above the miss."""
    hits, misses = user.hits(k), _misses(user, k)
    if not hits or not misses:
        return float(bool(hits)) if no_pairs == "bounds" else None
    return sum(hit < miss for hit in hits for miss in misses) / (len(hits) * len(misses))


def confusion(user: User, k: float, catalog: int) -> tuple[int, int, int, int] | None:
    """Count true positives, false positives, false negatives and true negatives."""
    hits = len(user.hits(k))
    misses, missed = user.length(k) - hits, user.relevant - hits
    left = catalog - hits - misses - missed
    return (hits, misses, missed, left) if left >= 0 else None


def accuracy(user: User, k: float, catalog: int, shown: str = "list_length") -> float | None:
    """Return the share of the catalog that is classified correctly."""
    if shown == "k":
        return (catalog - k - user.relevant + 2 * len(user.hits(k))) / catalog
    counts = confusion(user, k, catalog)
    return (counts[0] + counts[3]) / catalog if counts else None


def mcc(user: User, k: float, catalog: int, shown: str = "list_length") -> float | None:
    """Return the correlation of being listed and being relevant."""
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


def _labels(user: User, k: float, catalog: float) -> list[tuple[float, bool]]:
    """Return the rank of each item of the catalog; unlisted items are tied below the list."""
    counts = confusion(user, k, int(catalog))
    if counts is None:
        return []
    _, _, missed, left = counts
    hits = user.hits(k)
    result = [(rank, rank in hits) for rank in sorted(user.shown) if rank <= k]
    return result + [(math.inf, True)] * missed + [(math.inf, False)] * left


def _pairs(user: User, k: float, catalog: float, tie: float = 0.5) -> list[float]:
    """Return, for each pair of a relevant and another item, 1 if it is above, and 1/2 if tied."""
    labels = _labels(user, k, catalog)
    ranks = [rank for rank, relevant in labels if relevant]
    others = [rank for rank, relevant in labels if not relevant]
    return [(one < other) + (one == other) * tie for one in ranks for other in others]


def catalog_auc(
    user: User,
    k: float,
    catalog: float,
    items: str = "catalog",
    neither: str = "half",
    padding: int = 0,
) -> float | None:
    """Return the share of pairs in order; unlisted items are below all others."""
    named = user.length(k) + user.relevant - len(user.hits(k))
    size = catalog if items == "catalog" else named
    if not _labels(user, k, size):
        return None
    pairs = _pairs(user, k, size, 0.5 if neither == "half" else 0)
    below = user.relevant * padding
    return (math.fsum(pairs) + below) / (len(pairs) + below) if len(pairs) + below else None


def fall_out(user: User, k: float, catalog: float) -> float | None:
    """Return the share of irrelevant items that are listed."""
    labels = _labels(user, k, catalog)
    others = [rank for rank, relevant in labels if not relevant]
    return sum(rank < math.inf for rank in others) / len(others) if others else None


def label_ranking_loss(user: User, k: float, catalog: float) -> float | None:
    """Return the share of pairs that are out of order."""
    pairs = _pairs(user, k, catalog)
    return sum(pair < 1 for pair in pairs) / len(pairs) if pairs else None


def coverage_error(user: User, k: float, catalog: float) -> float | None:
    """Count the items to the last relevant one."""
    ranks = [rank for rank, relevant in _labels(user, k, catalog) if relevant]
    last = max(ranks, default=None)
    return catalog if last == math.inf else last


def catalog_average_precision(user: User, k: float, catalog: float) -> float | None:
    """Average, over relevant items, the precision at their rank."""
    ranks = [rank for rank, relevant in _labels(user, k, catalog) if relevant]
    result = [
        sum(other <= rank for other in ranks) / (catalog if rank == math.inf else rank)
        for rank in ranks
    ]
    return math.fsum(result) / len(result) if result else None


def percentile_rank(
    user: User, k: float, catalog: float, average: str = "users", unit: str = "share"
) -> float | None:
    """Average the share of the catalog above relevant items; unlisted ones are midway below."""
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


def mean_rank(user: User, k: float, average: str = "arithmetic") -> float | None:
    """Average the ranks of the relevant items, if all are listed."""
    ranks = user.hits(k)
    if not ranks or len(ranks) != user.relevant:
        return None
    return statistics.geometric_mean(ranks) if average == "geometric" else statistics.mean(ranks)


def _item_mean(
    users: list[User], values: list[float], k: float, average: str = "users", unit: str = "share"
) -> float:
    weights = [user.relevant if average == "pooled" else 1 for user in users]
    return math.fsum(map(math.prod, zip(weights, values, strict=True))) / sum(weights)


def truth_jaccard(user: User, k: float) -> float | None:
    """Divide the number of hits by that of items that are listed or relevant."""
    hits = len(user.hits(k))
    either = user.length(k) + user.relevant - hits
    return hits / either if either else None


SUMMARIES: dict[str, Callable[..., float]] = {
    "geometric_bpref": _geometric_mean,
    "geometric_map": _geometric_mean,
    "item_count": _sum,
    "percentile_rank": _item_mean,
    "r_score": _ratio_of_sums,
}

# The tested values of parameters.
PARAMS: dict[str, dict[str, tuple[Any, ...]]] = {
    "accuracy": {"shown": ("list_length", "k")},
    "catalog_auc": {
        "items": ("catalog", "list"),
        "neither": ("half", "nothing"),
        "padding": (0, 1),
    },
    "catalog_average_precision": {},
    "coverage_error": {},
    "label_ranking_loss": {},
    "percentile_rank": {"average": ("users", "pooled"), "unit": ("share", "percent")},
    "mean_rank": {"average": ("arithmetic", "geometric")},
    "truth_jaccard": {},
    "bpm": {"goal": (1, 2.5), "max_grade": (1, 3)},
    "compatibility": {"p": (0.95, 0.5), "divide_by": ("best", "weights")},
    "insq": {"goal": (1, 2.5), "max_grade": (1, 2.5)},
    "inst": {"goal": (1, 0.75), "max_grade": (1, 2.5)},
    "nearly_err": {"equation": (8, 9, 10, 11), "p": (0.9, 0.5), "goal": (1, 0.75)},
    "bpref": {"without_nonrelevant": ("recall", "undefined")},
    "eleven_point_average_precision": {"rounding": ("nearest", "up", "tenth")},
    "depth_precision": {},
    "err": {"max_grade": (4, 1, 2.5), "scale": ("given", "own")},
    "fall_out": {},
    "geometric_bpref": {},
    "geometric_map": {},
    "inferred_average_precision": {},
    "interpolated_precision": {
        "recall": (0.5, 0, 0.3, 0.7, 1),
        "rounding": ("nearest", "up", "tenth"),
    },
    "item_count": {
        "of": ("hits", "retrieved", "relevant", "nonrelevant", "counted_users", "full_lists"),
        "per": ("all", "user"),
    },
    "judged_share": {"divide_by": ("list_length", "k")},
    "limited_auc": {"padding": (0, 1)},
    "list_auc": {"no_pairs": ("undefined", "bounds")},
    "mcc": {"shown": ("list_length", "k")},
    "ndcg_at_gains": {},
    "ndcg_at_grades": {},
    "nerr": {"max_grade": (4, 1, 2.5)},
    "normalized_gain": {"gain": ("linear", "binary")},
    "page_ndcg": {
        "rows": (3, 1, 5),
        "columns": (5, 2),
        "gain": ("linear", "binary", "exponential"),
    },
    "partial_ap": {"n": (10, 1, 2), "insufficient": ("ignore", "exclude")},
    "partial_auc": {"misses": (10, 1, 2), "insufficient": ("ignore", "exclude")},
    "top_precision": {},
    "pfound": {"p_break": (0.15, 0, 0.85), "max_grade": (4, 1), "scale": ("given", "own")},
    "r_score": {"half_life": (5, 1.5), "neutral": (0, 0.5), "mean": ("weighted", "plain")},
    "rbp": {
        "p": (0.8, 0.5),
        "gain": ("binary", "linear"),
        "ideal": ("endless", "achievable_in_list"),
    },
    "rbp_residual": {"p": (0.8, 0.5)},
    "set_average_precision": {},
    "set_f": {"x": (1, 2, 0.5)},
    "set_utility": {
        "hit": (1, 2.5),
        "noise": (-1, 0.5),
        "miss": (0, -2),
        "rest": (0, 0.25),
        "collection": (0, 30),
    },
    "unjudged_share": {"divide_by": ("list_length", "k")},
}

METRICS: dict[str, Callable[..., float | None]] = {name: globals()[name] for name in PARAMS}
