"""Formulas for users' values. A formula is a combination of choices, which a search varies.

Choices that sqlrec supports have the names of its parameters and rules. Other choices are habits
and mistakes of functions.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate, chain, combinations, groupby, product
from itertools import count as count_from
from math import lcm, log, log2, log10, sqrt
from operator import mul
from statistics import fmean
from typing import Any

from ..catalogue.requests import MetricRequest
from ..records import Record
from .forms import ABOVE
from .identify_tables import Pairs, Row, SmallTable

# A choice of each dimension.
Formula = Mapping[str, Any]
Choices = dict[str, Any]

# A user's value, its numerator and its denominator; no value if it is undefined.
Parts = tuple[float | None, float, float]

# Choices that add all items to each list, and thresholds that depend on a user's grades.
UNIVERSES = ("universe", "shared_universe")
OF_MEAN = ("above_mean", "from_mean")

# The tolerance of a mean.
_SAME = 1e-9

# The weight of a rank, by discount. The rank of tied items may be the mean of their ranks.
_DISCOUNTS: dict[str, Callable[[float], float]] = {
    "none": lambda rank: 1.0,
    "standard": lambda rank: 1 / log2(rank + 1),
    "late": lambda rank: 1 / log2(max(rank, 2)),
    "reciprocal": lambda rank: 1 / rank,
    "natural": lambda rank: 1 / log(rank + 1),
    "decimal": lambda rank: 1 / log10(rank + 1),
    "further": lambda rank: 1 / log2(rank + 2),
    "without_first": lambda rank: 1 / log2(rank) if rank > 1 else 0.0,
    "log_after": lambda rank: 1 / (1 + log2(rank)),
    "natural_after": lambda rank: 1 / (1 + log(rank)),
    "reciprocal_further": lambda rank: 1 / (rank + 1),
    "from_0": lambda rank: 1 / max(rank - 1, 1),
    "root": lambda rank: 1 / sqrt(rank),
    "halved": lambda rank: 0.5 ** (rank - 1),
    "rank": float,
}
_WEIGHTS = {name: cache(weight) for name, weight in _DISCOUNTS.items()}

_GAINS: dict[str, Callable[[float, bool], float]] = {
    "binary": lambda grade, hit: float(hit),
    "linear": lambda grade, hit: grade,
    "exponential": lambda grade, hit: 2**grade - 1,
    "squared": lambda grade, hit: grade**2,
    "power": lambda grade, hit: 2**grade * hit,
    "power_of_all": lambda grade, hit: 2**grade,
    "exponential_further": lambda grade, hit: (2 ** (grade + 1) - 1) * hit,
}

# Functions for the term of a rank. Their arguments are the rank, the hits so far, whether the rank
# is a hit, and the number of relevant items.
_TERMS: dict[str, Callable[[float, float, bool, int], float]] = {
    "one": lambda rank, so_far, hit, relevant: 1.0,
    "precision": lambda rank, so_far, hit, relevant: so_far / rank,
    "late": lambda rank, so_far, hit, relevant: (so_far - hit) / rank,
    "rank": lambda rank, so_far, hit, relevant: 1 / rank,
    "hits": lambda rank, so_far, hit, relevant: so_far,
    "recall": lambda rank, so_far, hit, relevant: so_far / max(relevant, 1),
    "interpolated": lambda rank, so_far, hit, relevant: so_far / rank,
}

# Functions that return the items of a list that a formula reads, at their ranks. Their arguments
# are the list, the judged items and the relevant items.
_ITEMS: dict[str, Callable[[list[int], set[int], set[int], int | None], list[int]]] = {
    "judged": lambda items, judged, relevant, k: [x for x in items if x in judged],
    "relevant": lambda items, judged, relevant, k: [x for x in items if x in relevant],
    "hits": lambda items, judged, relevant, k: [x for x in items[:k] if x in relevant],
    "further": lambda items, judged, relevant, k: [-len(items) - 1, *items],
    "from_second": lambda items, judged, relevant, k: items[1:],
    "last_k": lambda items, judged, relevant, k: items[-k:] if k else items,
}

# Functions that return the relevant items that a formula reads. Their arguments are the relevant
# items in the order of the truth, the items that the formula reads, and the whole list.
_TRUTHS: dict[str, Callable[[list[int], list[int], list[int], int | None], list[int]]] = {
    "cut": lambda relevant, items, listed, k: items[:k],
    "list": lambda relevant, items, listed, k: [*items, *listed],
    "first": lambda relevant, items, listed, k: relevant[:1],
    "first_k": lambda relevant, items, listed, k: relevant[:k],
    "last": lambda relevant, items, listed, k: relevant[-1:],
}

# Ideal lists of a user's items, and other ideal lists.
_OF_ITEMS = ("achievable", "relevant", "list_length", "cut")
_OF_HITS = ("k", "unsorted", "worst", "best_gain", "list_ranks")

# Three kinds of divisors: 0 for users without a value, 0 for some lists, and never 0.
_OF_TRUTH = ("relevant", "achievable", "achievable_in_list", "grades", "judged")
_OF_LIST = ("list_length", "hits", "whole_list", "cut", "known", "achievable_in_list")
_NEVER_0 = ("nothing", "k", "k_more", "relevant_more", "largest")

# The choices of each dimension; sql/switches.toml describes the choices.
_CHOICES: dict[str, Sequence[Any]] = {
    "hits": (
        *("all", "first", "last", "second", "ranks", "list_ranks", "complete"),
        "first_or_next",
    ),
    "term": [*_TERMS],
    "discount": [*_DISCOUNTS],
    "ideal": ("none", *_OF_ITEMS, *_OF_HITS),
    "best_discount": ("same", "standard", "natural", "late", "further", "none"),
    "divide_by": [*dict.fromkeys((*_NEVER_0, *_OF_TRUTH, *_OF_LIST))],
    "beta": (None, 1, 2, 0.5, "mean", "root", "product"),
    "cutoff": ("k", "none", "early", "late", "hits", "relevant", "all_relevant", "each"),
    "lists": ("score", "lowest", "id_asc", "id_desc", "set"),
    "items": ("all", *_ITEMS, *UNIVERSES),
    "truth": ("all", *_TRUTHS),
    "gain": [*_GAINS],
    "gains": ("all", "relevant"),
    "best_gain": ("same", "binary", "linear", "exponential"),
    "relevance_threshold": (None, *OF_MEAN),
    "least_score": (None,),
    "divided_by_0": ("zero", "one"),
    "matches": ("user", "everyone"),
}

# Dimensions that searches over all formulas omit, since their choices are measured or depend on
# several users.
_MEASURED = ("relevance_threshold", "least_score", "matches")

# Dimensions that matter only where grades differ.
_OF_GRADES = ("gain", "gains", "best_gain", "relevance_threshold")

# Rules for special rows, by the feature of tables that have such rows.
ROW_RULES: dict[str, tuple[str, Sequence[str]]] = {
    "ties": (
        "ties",
        (
            *("item_asc", "item_desc", "first", "shared", "text_asc", "text_desc", "last"),
            *("best", "worst", "best_rank", "worst_rank", "mean_rank", "dense_rank"),
        ),
    ),
    "order": ("shuffled", ("score", "rows")),
    "scores": ("negative", ("any", "positive", "dropped")),
    "duplicates": (
        "list_repeats",
        ("best", "best_in_cut", "last", "ranks", "once", "outer", "outer_in_k"),
    ),
    "truth_duplicates": (
        "truth_repeats",
        ("best", "first", "last", "rows", "joined", "first_relevant", "last_relevant"),
    ),
}

# Choices that sqlrec does not support.
_HABITS = {
    *(("ties", x) for x in ("last", "best_rank", "worst_rank", "mean_rank", "dense_rank")),
    *(("order", "rows"), ("scores", "dropped")),
    *(("relevance_threshold", x) for x in OF_MEAN),
}

_START = {name: choices[0] for name, choices in _CHOICES.items()}
_START |= {rule: choices[0] for rule, (_, choices) in ROW_RULES.items()}

# sqlrec's formulas, as differences from the number of hits.
_METRICS: dict[str, Choices] = {
    "ndcg": {"gain": "linear", "discount": "standard", "ideal": "achievable"},
    "average_precision": {"term": "precision", "divide_by": "relevant"},
    "reciprocal_rank": {"hits": "first", "discount": "reciprocal"},
    "recall": {"divide_by": "relevant"},
    "precision": {"divide_by": "k"},
    "hit_rate": {"hits": "first"},
    "dcg": {"gain": "linear", "discount": "standard"},
    "f_beta": {"divide_by": "k", "beta": 1},
    "r_precision": {"divide_by": "achievable", "cutoff": "relevant"},
}
METRICS: dict[str, Formula] = {name: {**_START, **x} for name, x in _METRICS.items()}

_ORDERS_OF_IDS = ("item_asc", "item_desc", "text_asc", "text_desc")


def _rank_list(
    ranking: Pairs, formula: Formula, k: int | None
) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the items of a list in order, and copies that count as additional relevant items."""
    ties, scores, lists = formula["ties"], formula["scores"], formula["lists"]
    if ties == "last":
        ranking = ranking[::-1]
    elif ties in _ORDERS_OF_IDS and formula["order"] == "score":
        read = str if ties.startswith("text") else int
        ranking = sorted(ranking, key=lambda row: read(row[0]), reverse=ties.endswith("desc"))
    if formula["order"] == "score":
        ranking = sorted(ranking, key=lambda row: row[1], reverse=lists != "lowest")
    if scores != "any":
        ranking = [
            (item if score > 0 else -n, score)
            for n, (item, score) in enumerate(ranking, 1)
            if score > 0 or scores == "positive"
        ]
    items = [item for item, _ in ranking]
    if lists.startswith("id"):
        items.sort(reverse=lists == "id_desc")
    elif lists == "set":
        items = [*{*items}]
    rule, copies = formula["duplicates"], []
    if rule == "best_in_cut" and ties in _SHARED:
        rule = "once"
    if rule == "last":
        return [*dict.fromkeys(items[::-1])][::-1], []
    if rule in ("best", "best_in_cut"):
        return [*dict.fromkeys(items[: k if rule == "best_in_cut" else None])], []
    for n, item in enumerate(items):
        if rule != "ranks" and item in items[:n]:
            items[n] = -n
            if rule == "outer" or (rule == "outer_in_k" and (k is None or n < k)):
                copies.append((item, -n))
    return items, copies


def _item_grades(judgments: Pairs, rule: str) -> dict[int, float]:
    """Return the grade of each judged item. A repeated row that counts as an item has a new id."""
    grades: dict[int, float] = {}
    for n, (item, grade) in enumerate(judgments, 10_000):
        if (
            item not in grades
            or rule == "last"
            or (rule == "last_relevant" and grade > 0)
            or (rule == "first_relevant" and grades[item] <= 0)
        ):
            grades[item] = grade
        elif rule == "best":
            grades[item] = max(grade, grades[item])
        elif rule == "rows":
            lower, higher = sorted((grade, grades[item]))
            grades[item], grades[-n] = (lower, higher) if lower > 0 else (higher, lower)
    return grades


def _user_threshold(threshold: float | str | None, judgments: Pairs) -> float | None:
    """Return the smallest grade of a user's relevant items; None for any grade above 0."""
    if not isinstance(threshold, str):
        return threshold
    mean = fmean(grade for _, grade in judgments) if judgments else 0.0
    return mean + ABOVE if threshold == "above_mean" else mean - _SAME


class _User:
    """A user's list and judgments as a formula reads them.

    Ranks, grades and hits are of pairs of a rank and a row in the truth for the item at this rank.
    """

    def __init__(
        self, ranking: Pairs, judgments: Pairs, others: Pairs, formula: Formula, k: int | None
    ) -> None:
        threshold = _user_threshold(formula["relevance_threshold"], judgments)

        def is_relevant(grade: float) -> bool:
            return grade > 0 if threshold is None else grade >= threshold

        if (ties := formula["ties"]) in ("best", "worst"):
            grades = dict(judgments)
            ranking = sorted(ranking, key=lambda x: grades.get(x[0], 0.0), reverse=ties == "best")
        every_item = [item for item, _ in ranking]
        if (minimum := formula["least_score"]) is not None:
            ranking = [row for row in ranking if row[1] >= minimum]
        items, copies = _rank_list(ranking, formula, k)
        judged_items = {item for item, _ in judgments}
        judgments = judgments + [
            (copy, grade) for item, copy in copies for i, grade in judgments if i == item
        ]
        grades, truth_rule = _item_grades(judgments, formula["truth_duplicates"]), formula["truth"]
        relevant = {item for item, grade in grades.items() if is_relevant(grade)}
        if read_items := _ITEMS.get(formula["items"]):
            items = read_items(items, {*grades}, relevant, k)
        if truth_rule != "all":
            in_order = [item for item in grades if item in relevant]
            inside = {*_TRUTHS[truth_rule](in_order, items, every_item, k)}
            grades = {item: grade for item, grade in grades.items() if item in inside}
        rows = [*grades.items()]
        if formula["truth_duplicates"] == "joined":
            rows = [row for row in judgments if row[0] in grades]
        self.judged = [(grade, is_relevant(grade)) for _, grade in rows]
        self.length = len(items)
        ranks = _shared_ranks(items, dict(ranking), ties) if ties in _SHARED else None
        other_items = {i: x for i, x in _item_grades(others, "best").items() if i not in relevant}
        rows = [*(row for row in rows if row[0] not in other_items), *other_items.items()]
        pairs = [
            (rank, grade, hit)
            for rank, item in zip(ranks or range(1, len(items) + 1), items, strict=True)
            for grade, hit in [(x, is_relevant(x)) for i, x in rows if i == item] or [(0.0, False)]
        ]
        self.ranks = [rank for rank, _, _ in pairs]
        self.grades = [grade for _, grade, _ in pairs]
        self.hits = [hit for _, _, hit in pairs]
        self.so_far = [*accumulate(self.hits)]
        if ranks:
            self.so_far = [self.so_far[bisect(self.ranks, rank) - 1] for rank in self.ranks]
        self.relevant = sum(hit for _, hit in self.judged)
        ranked_items = zip(ranks or count_from(1), items, strict=False)
        within = {item for rank, item in ranked_items if not k or rank <= k}
        self.found = {item: item in within for item in grades if item in relevant}
        # Numbers that decide about averages.
        self.counts = {
            "list_length": len(every_item),
            "length_read": self.length,
            "judged_in_list": not judged_items.isdisjoint(every_item),
            "judged_items": len(judgments),
            "relevant_items": len(relevant),
            "is_full_list": len(ranking) >= (k or 1),
            "has_many": len(relevant) >= (k or 1),
            "violations": 0,
        }
        self._gains: dict[tuple[str, str], tuple[list[float], list[float]]] = {}

    def gains(self, gain: str, gains: str) -> tuple[list[float], list[float]]:
        """Return the gains of the list's ranks, and of judged items."""
        pair = self._gains.get((gain, gains))
        if pair is None:
            of, every = _GAINS[gain], gains == "all"
            ranking = [
                of(x, y) if y or every else 0.0 for x, y in zip(self.grades, self.hits, strict=True)
            ]
            judgments = [of(x, y) for x, y in self.judged if y or every]
            pair = self._gains[gain, gains] = ranking, judgments
        return pair


# Functions for the rank of items with equal scores. Their arguments are the ranks that the items
# share, and the number of items with higher scores.
_SHARED: dict[str, Callable[[Sequence[int], int], float]] = {
    "best_rank": lambda ranks, higher: ranks[0],
    "worst_rank": lambda ranks, higher: ranks[-1],
    "mean_rank": lambda ranks, higher: fmean(ranks),
    "dense_rank": lambda ranks, higher: higher + 1,
}


def _shared_ranks(items: Sequence[int], scores: Mapping[int, float], rule: str) -> list[float]:
    """Return the ranks of items: items with equal scores have the same rank."""
    groups = groupby(enumerate(items, 1), lambda x: scores.get(x[1], x))
    ranks: list[float] = []
    for higher, (_, group) in enumerate(groups):
        group_ranks = [rank for rank, _ in group]
        ranks += [_SHARED[rule](group_ranks, higher)] * len(group_ranks)
    return ranks


@cache
def _read_users(table: SmallTable, k: int | None, *choices: Any) -> list[_User]:
    """Return the users of a table, with items selected by some of a formula's choices."""
    formula = dict(zip(_OF_USERS, choices, strict=True))
    table = _with_universe(table) if formula["items"] in UNIVERSES else table
    others = [(i, x) for _, i, x in table.truth] if formula["matches"] == "everyone" else []
    lists = table.lists_in_row_order if formula["order"] == "rows" else None
    return [
        _User(lists.get(user, []) if lists else ranking, judgments, others, formula, k)
        for user, (ranking, judgments) in table.users.items()
    ]


@cache
def _with_universe(table: SmallTable) -> SmallTable:
    """Return a table with all other items in each list, with a score of 0."""
    items = sorted({item for _, item, _ in (*table.recs, *table.truth)})
    recs = [
        (user, item, 0.0)
        for user, (ranking, _) in table.users.items()
        for item in items
        if item not in dict(ranking)
    ]
    return replace(table, recs=(*table.recs, *recs))


_OF_USERS = (
    *("lists", "items", "truth", "relevance_threshold", "least_score", "matches"),
    *ROW_RULES,
)


def _formula_users(formula: Formula, table: SmallTable, k: int | None) -> list[_User]:
    return _read_users(table, k, *[formula[name] for name in _OF_USERS])


def _formula_parts(user: _User, formula: Formula, k: int | None) -> Parts:
    """Return a formula's value for a user, its numerator and its denominator."""
    if formula["cutoff"] == "each":
        each = [_formula_parts(user, {**formula, "cutoff": "k"}, n) for n in range(1, (k or 1) + 1)]
        value = _mean_or_none([x[0] for x in each])
        return value, value or 0.0, 1
    depth = _ranks_to_read(user, formula["cutoff"], k)
    length = user.length if depth is None else min(depth, user.length)
    total, hit_count = _sum_over_ranks(user, formula, depth, k)
    below, undefined = _formula_divisor(user, formula, k, length, hit_count)
    if beta := formula["beta"]:
        if isinstance(beta, str):
            precision, recall = (total / x if x else 0.0 for x in (below, user.relevant))
            both = precision * recall
            value = {"mean": (precision + recall) / 2, "root": sqrt(both), "product": both}[beta]
            return value, value, 1
        below, undefined = (beta**2 * user.relevant + below) / (1 + beta**2), False
    if (ideal := formula["ideal"]) != "none":
        _, gains = user.gains(formula["gain"], formula["gains"])
        if ideal in ("k", "list_ranks"):
            gains = [1.0] * (length if k is None or ideal == "list_ranks" else k)
        elif formula["best_gain"] != "same":
            _, gains = user.gains(formula["best_gain"], "relevant")
            gains = sorted(gains, reverse=True)
        elif ideal == "best_gain":
            gains = [max(gains, default=0.0)] * (length if k is None else k)
        elif ideal != "unsorted":
            gains = sorted(gains, reverse=ideal != "worst")
        name = formula["discount" if formula["best_discount"] == "same" else "best_discount"]
        end = {"relevant": None, "list_length": length, "cut": depth}.get(ideal, k)
        below *= sum(map(mul, gains[:end], map(_WEIGHTS[name], count_from(1))))
        undefined = undefined or not any(gains)
    if below:
        return total / below, total, below
    return (None if undefined else float(formula["divided_by_0"] == "one")), total, 0.0


def _sum_over_ranks(
    user: _User, formula: Formula, depth: int | None, k: int | None
) -> tuple[float, int]:
    """Return the sum over the ranks of a list, and the number of hits among them."""
    gains, _ = user.gains(formula["gain"], formula["gains"])
    ranks, hits = user.ranks, user.hits
    counts: Iterable[float] = user.so_far
    if formula["hits"] == "list_ranks":
        gains = [1.0] * len(ranks)
    elif formula["hits"] == "ranks":
        ranks = [*ranks, *range(user.length + 1, (k or 0) + 1)]
        hits, gains = hits + [False] * (len(ranks) - len(hits)), [1.0] * len(ranks)
        counts = accumulate(hits)
    ranks = ranks[: None if depth is None else bisect(ranks, depth)]
    hit_count = sum(hits[: len(ranks)])
    if formula["term"] == "interpolated":
        precisions = [above / rank for above, rank in zip(counts, ranks, strict=False)]
        counts = map(mul, [*accumulate(precisions[::-1], max)][::-1], ranks)
    weight, term = _WEIGHTS[formula["discount"]], _TERMS[formula["term"]]
    if formula["hits"] == "first_or_next" and not hit_count:
        return weight((k or user.length) + 1), 0
    place = {
        "first": 1,
        "first_or_next": 1,
        "second": 2,
        "last": hit_count,
        "complete": user.relevant,
    }.get(formula["hits"])
    total, hit_number = 0.0, 0
    for rank, hit, gain, so_far in zip(ranks, hits, gains, counts, strict=False):
        hit_number += hit
        if not gain or (place is not None and not (hit and hit_number == place)):
            continue
        total += gain * weight(rank) * term(rank, so_far, hit, user.relevant)
    return total, hit_count


def _formula_divisor(
    user: _User, formula: Formula, k: int | None, length: int, hit_count: int
) -> tuple[float, bool]:
    """Return the divisor of a sum, and whether the value is undefined if the divisor is 0."""
    relevant, divide_by = user.relevant, formula["divide_by"]
    limit = length if k is None else k
    below = {
        "nothing": 1,
        "k": limit,
        "k_more": limit + 1,
        "relevant_more": relevant + 1,
        "list_length": length,
        "relevant": relevant,
        "achievable": relevant if k is None else min(k, relevant),
        "achievable_in_list": min(length, relevant),
        "largest": max(limit, relevant),
        "hits": hit_count,
        "known": min(limit, length + relevant - hit_count),
        "grades": sum(grade for grade, hit in user.judged if hit),
        "judged": len(user.judged),
        "whole_list": user.length,
        "cut": _ranks_to_read(user, formula["cutoff"], k) or user.length,
    }[divide_by]
    in_list = divide_by == "achievable_in_list" and relevant
    return below, divide_by in _OF_TRUTH and not in_list


def _ranks_to_read(user: _User, cutoff: str, k: int | None) -> int | None:
    if cutoff == "k" or (k is None and cutoff != "relevant"):
        return k
    if cutoff == "hits":
        ranks = [rank for rank, hit in zip(user.ranks, user.hits, strict=True) if hit]
        return int(ranks[k - 1]) if k and len(ranks) >= k else None
    if cutoff in ("relevant", "all_relevant"):
        return min(k or user.relevant, user.relevant) if cutoff == "relevant" else user.relevant
    return None if cutoff == "none" else (k or 0) + (1 if cutoff == "late" else -1)


def is_possible(formula: Formula, k: int | None) -> bool:
    """Return whether each choice of a formula has an effect."""
    ideal = formula["ideal"]
    return (
        (ideal != "none" or formula["best_discount"] == formula["best_gain"] == "same")
        and formula["best_discount"] != formula["discount"]
        and formula["best_gain"] != formula["gain"]
        and (formula["best_gain"] == "same" or ideal in _OF_ITEMS)
        and ("cut" not in (ideal, formula["divide_by"]) or formula["cutoff"] not in ("k", "none"))
        and (k is not None or (formula["cutoff"] in ("k", "relevant") and ideal != "k"))
        and (k is not None or formula["divide_by"] not in ("k", "k_more", "largest"))
        and (formula["divided_by_0"] == "zero" or formula["divide_by"] in _OF_LIST)
        and (k is not None or formula["truth"] not in ("cut", "first_k"))
        and (k is not None or formula["items"] != "last_k")
        and (k != 1 or formula["cutoff"] not in ("early", "each"))
    )


def formulas_near(start: Formula, distance: int, k: int | None) -> Iterator[Choices]:
    """Yield the formulas that differ from a formula in a given number of choices."""
    for names in combinations([x for x in _CHOICES if x not in _MEASURED], distance):
        others = [
            [x for x in _CHOICES[name] if x != start[name] and x not in UNIVERSES] for name in names
        ]
        for choices in product(*others):
            formula = {**start, **dict(zip(names, choices, strict=True))}
            if is_possible(formula, k):
                yield formula


def with_grades(
    formula: Formula, k: int | None, thresholds: Iterable[float | str | None]
) -> Iterator[Choices]:
    """Yield a formula with all choices for grades, fewest changes first."""
    every = {**{name: _CHOICES[name] for name in _OF_GRADES}, "relevance_threshold": thresholds}
    choices = [[formula[name], *({*every[name]} - {formula[name]})] for name in _OF_GRADES]
    changed = [{**formula, **dict(zip(_OF_GRADES, x, strict=True))} for x in product(*choices)]
    changed.sort(key=lambda x: sum(x[name] != formula[name] for name in _OF_GRADES))
    yield from (x for x in changed if is_possible(x, k))


def params_of(formula: Formula, own: MetricRequest) -> tuple[Choices, Choices]:
    """Return the settings and habits by which a formula differs from a metric's own formula."""
    start, params = METRICS[own.metric.name], own.metric.params
    settings, habits = {}, {}
    for name, choice in formula.items():
        allowed: Sequence[Any] = params.get(name, ())
        is_rule = name == "relevance_threshold" or name in ROW_RULES
        if choice == start[name]:
            continue
        if (
            (is_rule and (name, choice) not in _HABITS)
            or choice in allowed
            or (name == "beta" and allowed and isinstance(choice, float | int))
        ):
            settings[name] = choice
        else:
            habits[name] = choice
    return settings, habits


def first_value(formula: Formula, table: SmallTable, k: int | None) -> float | None:
    """Return the value of the first user of a table."""
    if formula["items"] == "shared_universe":
        value: float | None = formula_rows(formula, table, k)[0]["value"]
        return value
    return _formula_parts(_formula_users(formula, table, k)[0], formula, k)[0]


def formula_rows(formula: Formula, table: SmallTable, k: int | None) -> list[Record]:
    """Return a row for each user with the value, its parts, and the counts for averages."""
    if formula["items"] == "shared_universe":
        table, formula = _with_universe(table), {**formula, "items": "all", "ties": "shared"}
    if formula["ties"] == "shared" and "ties" in table.features:
        by_user = [
            formula_rows({**formula, "ties": "first"}, x, k) for x in _rotate_equal_scores(table)
        ]
        return [
            user_rows[0]
            | {x: _mean_or_none([row[x] for row in user_rows]) for x in ("value", "above", "below")}
            for user_rows in zip(*by_user, strict=True)
        ]
    rows = []
    for user in _formula_users(formula, table, k):
        value, above, below = _formula_parts(user, formula, k)
        row: Record = {**user.counts, "value": value, "above": above, "below": below}
        row["items"] = user.found
        if isinstance(beta := formula["beta"], float | int):
            ranks = below * (1 + beta**2) - beta**2 * user.relevant
            row |= {"precision": above / ranks if ranks else 0.0, "beta": beta}
            row["recall"] = above / max(user.relevant, 1)
        rows.append(row)
    return rows


def _mean_or_none(values: Sequence[float | None]) -> float | None:
    numbers = [value for value in values if value is not None]
    return fmean(numbers) if numbers else None


@cache
def _rotate_equal_scores(table: SmallTable) -> list[SmallTable]:
    """Return tables in which each item with an equal score has each of the shared ranks once."""
    groups = [
        [*group] for _, group in groupby(sorted(table.recs, key=_score_order), key=_score_order)
    ]
    return [
        replace(table, recs=(*chain(*(x[n % len(x) :] + x[: n % len(x)] for x in groups)),))
        for n in range(lcm(*map(len, groups)))
    ]


def _score_order(row: Row) -> tuple[str, float]:
    return row[0], -row[2]
