"""Formulas of users' values as combinations of choices, which a search combines freely.

The choices have the names of sqlrec's parameters and rules, if there are any; other choices are
habits and mistakes of functions.
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
from .forms import ABOVE, describe_switch, value_excluded
from .identify_tables import Pairs, Row, SmallTable

# A choice of each dimension.
Formula = Mapping[str, Any]
Choices = dict[str, Any]

# A user's value, its numerator and its denominator; no value if it is undefined.
Parts = tuple[float | None, float, float]

# The choices of each dimension, and descriptions of those without one in switches.toml.
_CHOICES: dict[str, dict[Any, str]] = {
    "hits": {
        "all": "adds up all hits, not only the first",
        "first": "counts only the first hit",
        "last": "uses the last hit, not the first",
        "second": "counts only the second hit",
        "ranks": "sums over every rank, not only over hits",
        "list_ranks": "sums over every rank of a list, not only over hits",
        "complete": "counts a list only if it has the only relevant items",
        "first_or_next": "counts a list without a hit as if rank {k} + 1 were a hit",
    },
    "term": {
        "one": "does not weight hits by the precision there",
        "precision": "weights hits by the precision there",
        "late": "counts the hits above a rank, without the rank itself, in its precision",
        "rank": "adds 1 / rank of hits, not the precision there",
        "hits": "adds the number of hits so far, times the weight of the rank",
        "recall": "adds the recall at hits, not the precision",
        "interpolated": "weights hits by the largest precision from there on",
    },
    "discount": {
        "none": "gives all ranks the same weight",
        "standard": "",
        "late": "",
        "reciprocal": "",
        "natural": "weights ranks by 1 / ln(rank + 1), the natural logarithm",
        "decimal": "weights ranks by 1 / log10(rank + 1)",
        "further": "discounts each rank like the next rank, by 1 / log2(rank + 2)",
        "without_first": "weights ranks by 1 / log2(rank), and the first by 0",
        "log_after": "weights ranks by 1 / (1 + log2(rank))",
        "natural_after": "weights ranks by 1 / (1 + ln(rank))",
        "reciprocal_further": "weights ranks by 1 / (rank + 1)",
        "from_0": "numbers ranks from 0, with 1 for both of the first two",
        "root": "weights ranks by 1 / sqrt(rank)",
        "halved": "halves the weight at each rank",
        "rank": "uses the rank, not its inverse",
    },
    "ideal": {
        "none": "does not divide by the best list",
        "achievable": "",
        "relevant": "",
        "list_length": "",
        "k": "",
        "cut": "cuts the best list there too",
        "unsorted": "compares with the first {k} items in the order of the truth, not the best",
        "worst": "compares with the worst list of {k} of the user's items, not the best",
        "best_gain": "compares with {k} items of the user's highest relevance",
        "list_ranks": "compares with hits at all ranks of the list",
    },
    "best_discount": {
        "same": "",
        "standard": "discounts the best list by 1 / log2(rank + 1)",
        "natural": "discounts the best list by 1 / ln(rank + 1)",
        "late": "discounts the best list by 1 / log2(rank), and its first two ranks by 1",
        "further": "discounts the best list by 1 / log2(rank + 2)",
        "none": "gives all ranks of the best list the same weight",
    },
    "divide_by": {
        "nothing": "counts hits, not their share",
        "k": "",
        "k_more": "divides by {k} + 1",
        "relevant_more": "divides by the relevant items + 1",
        "list_length": "",
        "relevant": "",
        "achievable": "",
        "achievable_in_list": "",
        "largest": "divides by max({k}, relevant items)",
        "hits": "",
        "known": "",
        "grades": "divides by the grades of all relevant items",
        "judged": "divides by all judged items",
        "whole_list": "divides by the length of the whole list",
        "cut": "divides by the ranks that it reads",
    },
    "beta": {
        None: "does not combine it with the recall",
        1: "computes the F1 with the recall",
        2: "computes the F2 with the recall",
        0.5: "computes the F0.5 with the recall",
        "mean": "averages the precision and the recall of a user",
        "root": "computes the root of precision times recall",
        "product": "multiplies precision and recall",
    },
    "cutoff": {
        "k": "cuts lists at {k}",
        "none": "does not cut lists",
        "early": "cuts lists one rank too early",
        "late": "cuts lists one rank too late",
        "hits": "cuts lists after {k} hits, not after {k} ranks",
        "relevant": "cuts lists at the number of relevant items, and at {k}",
        "all_relevant": "cuts lists at the number of relevant items, not at {k}",
        "each": "averages the values at all cutoffs from 1 to {k}",
    },
    "lists": {
        "score": "",
        "lowest": "puts the lowest score first",
        "id_asc": "orders lists by id, the smallest first",
        "id_desc": "orders lists by id, the largest first",
        "set": "orders lists as a set of Python does, which has no order",
    },
    "items": {
        "all": "",
        "judged": "removes items without a judgment from lists before it cuts them",
        "relevant": "removes items that are not relevant from lists before it cuts them",
        "hits": "removes items that are not relevant from lists after it cuts them",
        "further": "counts each rank as the next rank",
        "from_second": "omits the first item of a list",
        "last_k": "reads the last {k} items of a list, not the first",
        "universe": "adds all other items to each list, with a score of 0",
        "shared_universe": "adds all other items to each list, with a score of 0, and gives items "
        "with equal scores the mean discount of their ranks",
    },
    "truth": {
        "all": "",
        "cut": "treats the items of a list within the cutoff as the only relevant items",
        "list": "treats the items of a list as the only relevant items",
        "first": "reads only the first relevant item of a user",
        "first_k": "reads only the first relevant items of a user, up to the cutoff",
        "last": "reads only the last relevant item of a user",
    },
    "gain": {
        "binary": "",
        "linear": "adds the grades of hits, not their number",
        "exponential": "",
        "squared": "uses the square of the relevance as gain",
        "power": "uses 2^relevance as gain of hits",
        "power_of_all": "uses 2^relevance as gain, which is 1 for a miss",
        "exponential_further": "uses 2^(relevance + 1) - 1 as gain of hits",
    },
    "gains": {"all": "", "relevant": ""},
    "best_gain": {
        "same": "",
        "binary": "gives each item of the best list a gain of 1, for any grade",
        "linear": "uses the relevance as gain of the best list",
        "exponential": "uses 2^relevance - 1 as gain of the best list",
    },
    "relevance_threshold": {
        None: "",
        "above_mean": "treats items above the mean relevance of their user's items as relevant",
        "from_mean": "treats items from the mean relevance of their user's items on as relevant",
    },
    "least_score": {None: ""},
    "divided_by_0": {"zero": "", "one": "counts 1 if the divisor is 0"},
    "matches": {"user": "", "everyone": "counts items that are relevant for any user as hits"},
}

# Choices that the search over all formulas excludes: numbers, which are measured instead, and
# choices that read several users or combine two rules.
_MEASURED = ("relevance_threshold", "least_score", "matches")
UNIVERSES = ("universe", "shared_universe")

# Thresholds of relevance that depend on the user's grades, and the tolerance of a mean.
OF_MEAN = ("above_mean", "from_mean")
_SAME = 1e-9

# Dimensions that matter only where grades differ.
_OF_GRADES = ("gain", "gains", "best_gain", "relevance_threshold")

# Rules for special rows, by the feature of tables that have such rows.
ROW_RULES: dict[str, tuple[str, dict[str, str]]] = {
    "ties": (
        "ties",
        dict.fromkeys(("item_asc", "item_desc", "first", "shared", "text_asc", "text_desc"), "")
        | {"last": "puts the later row first among equal scores", "best": "", "worst": ""}
        | {
            "best_rank": "gives items with equal scores the best of their ranks",
            "worst_rank": "gives items with equal scores the worst of their ranks",
            "mean_rank": "gives items with equal scores the mean of their ranks",
            "dense_rank": "gives items with equal scores one rank, and the next items the next",
        },
    ),
    "order": (
        "shuffled",
        {"score": "", "rows": "reads lists in the order of their rows, not of their scores"},
    ),
    "scores": (
        "negative",
        {"any": "", "positive": "", "dropped": "removes items with a score of 0 or below"},
    ),
    "duplicates": (
        "list_repeats",
        dict.fromkeys(("best", "best_in_cut", "last", "ranks", "once", "outer", "outer_in_k"), ""),
    ),
    "truth_duplicates": (
        "truth_repeats",
        dict.fromkeys(
            ("best", "first", "last", "rows", "joined", "first_relevant", "last_relevant"), ""
        ),
    ),
}

_START = {name: next(iter(choices)) for name, choices in _CHOICES.items()} | {
    **{"discount": "none", "ideal": "none", "divide_by": "nothing"},
    **{rule: next(iter(choices)) for rule, (_, choices) in ROW_RULES.items()},
}

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

# The weight of each rank, by discount; ranks may be means of ranks.
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


_ORDERS_OF_IDS = ("item_asc", "item_desc", "text_asc", "text_desc")


def _rank_list(
    ranking: Pairs, formula: Formula, k: int | None
) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the items of a list in order, and the copies that count as more relevant items."""
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
    """Return the grade of each judged item; a repeated row that counts as an item gets a new id."""
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


def _read_items(
    items: list[int], judgments: set[int], relevant: set[int], choice: str, k: int | None
) -> list[int]:
    """Return the items of a list that a formula reads, at their ranks."""
    if choice in ("judged", "relevant"):
        return [item for item in items if item in (judgments if choice == "judged" else relevant)]
    if choice == "hits":
        return [item for item in items[:k] if item in relevant]
    if choice == "further":
        return [-len(items) - 1, *items]
    if choice == "from_second":
        return items[1:]
    return items[-k:] if choice == "last_k" and k else items


def _read_truth(
    items: list[int],
    ranking: set[int],
    judgments: Iterable[int],
    relevant: set[int],
    choice: str,
    k: int | None,
) -> set[int]:
    """Return the items of the truth that a formula reads."""
    if choice in ("list", "cut"):
        return ranking if choice == "list" else {*items[:k]}
    in_order = [item for item in judgments if item in relevant]
    return {*{"first": in_order[:1], "first_k": in_order[:k], "last": in_order[-1:]}[choice]}


def _user_threshold(threshold: float | str | None, judgments: Pairs) -> float | None:
    """Return the smallest grade of a user's relevant items; None for any grade above 0."""
    if not isinstance(threshold, str):
        return threshold
    mean = fmean(grade for _, grade in judgments) if judgments else 0.0
    return mean + ABOVE if threshold == "above_mean" else mean - _SAME


class _User:
    """A user's list and judgments as a formula reads them.

    Attributes:
        length: The length of the list.
        ranks: The rank of each pair of a rank and a row of the truth for its item.
        grades: The grade of each pair; 0 without a row of the truth.
        hits: Whether each pair has a relevant item.
        judgments: The grades of judged items, and whether each is relevant.
        relevant: The number of relevant items.
        counts: The numbers of ranks and items that decide about averages.
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
        items = _read_items(items, {*grades}, relevant, formula["items"], k)
        if truth_rule != "all":
            inside = _read_truth(items, {*every_item, *items}, grades, relevant, truth_rule, k)
            grades = {item: grade for item, grade in grades.items() if item in inside}
        rows = [*grades.items()]
        if formula["truth_duplicates"] == "joined":
            rows = [row for row in judgments if row[0] in grades]
        self.judged = [(grade, is_relevant(grade)) for _, grade in rows]
        self.length = len(items)
        ranks = _shared_ranks(items, dict(ranking), ties) if ties in _SHARED else None
        other_items = {
            item: x for item, x in _item_grades(others, "best").items() if item not in relevant
        }
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


# Ranks of items with equal scores, as functions of the ranks that they share and the number of
# items with higher scores.
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
    """Return the users of a table, read with the choices that select their items."""
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


def formula_users(formula: Formula, table: SmallTable, k: int | None) -> list[_User]:
    """Return the users of a table as a formula reads them."""
    return _read_users(table, k, *[formula[name] for name in _OF_USERS])


def formula_parts(user: _User, formula: Formula, k: int | None) -> Parts:
    """Return a user's value of a formula, its numerator and its denominator."""
    if formula["cutoff"] == "each":
        each = [formula_parts(user, {**formula, "cutoff": "k"}, n) for n in range(1, (k or 1) + 1)]
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
    ranks, hits, term = user.ranks, user.hits, formula["term"]
    counts: Iterable[int] = user.so_far
    if formula["hits"] == "list_ranks":
        gains = [1.0] * len(ranks)
    elif formula["hits"] == "ranks":
        ranks = [*ranks, *range(user.length + 1, (k or 0) + 1)]
        hits, gains = hits + [False] * (len(ranks) - len(hits)), [1.0] * len(ranks)
        counts = accumulate(hits)
    ranks = ranks[: None if depth is None else bisect(ranks, depth)]
    hit_count = sum(hits[: len(ranks)])
    weight = _WEIGHTS[formula["discount"]]
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
        if term == "one":
            total += gain * weight(rank)
        elif term == "hits":
            total += gain * so_far * weight(rank)
        elif term == "recall":
            total += gain * so_far / max(user.relevant, 1)
        elif term == "interpolated":
            pairs = zip(ranks, accumulate(hits), strict=False)
            total += gain * max(above / below for below, above in pairs if below >= rank)
        else:
            above = {"precision": so_far, "late": so_far - hit, "rank": 1}[term]
            total += gain * above * weight(rank) / rank
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


# Best lists of a user's items.
_OF_ITEMS = ("achievable", "relevant", "list_length", "cut")

# Divisors that are 0 for some lists.
_OF_LIST = ("list_length", "hits", "whole_list", "cut", "known", "achievable_in_list")

# Divisors without which a user has no value.
_OF_TRUTH = ("relevant", "achievable", "achievable_in_list", "grades", "judged")


def _ranks_to_read(user: _User, cutoff: str, k: int | None) -> int | None:
    """Return the number of ranks that a formula reads; None for all."""
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
    """Return the settings and habits in which a formula differs from a metric's own formula."""
    start, params = METRICS[own.metric.name], own.metric.params
    settings, habits = {}, {}
    for name, choice in formula.items():
        allowed: Sequence[Any] = params.get(name, ())
        if choice == start[name]:
            continue
        if (
            (name == "relevance_threshold" and choice not in OF_MEAN)
            or (name in ROW_RULES and not ROW_RULES[name][1][choice])
            or choice in allowed
            or (name == "beta" and allowed and isinstance(choice, float | int))
        ):
            settings[name] = choice
        else:
            habits[name] = choice
    return settings, habits


def habit_texts(habits: Formula, k: int | None) -> list[str]:
    """Return the descriptions of habits."""
    texts = []
    for name, choice in habits.items():
        if name == "least_score":
            excluded = value_excluded(choice)
            which = f"below {choice:g}" if excluded is None else f"of {excluded:g} or below"
            texts.append(f"omits items with a score {which}")
            continue
        text = (_CHOICES.get(name) or ROW_RULES[name][1]).get(choice)
        text = (
            text.format(k="k" if k is None else k)
            if text
            else describe_switch(((name, choice),), k)
        )
        texts.append(text)
    return texts


def formula_rows(formula: Formula, table: SmallTable, k: int | None) -> list[Record]:
    """Return a row for each user: the value, its parts, and the numbers that averages depend on."""
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
    for user in formula_users(formula, table, k):
        value, above, below = formula_parts(user, formula, k)
        row: Record = {**user.counts, "value": value, "above": above, "below": below}
        row["items"] = user.found
        if isinstance(beta := formula["beta"], float | int):
            ranks = below * (1 + beta**2) - beta**2 * user.relevant
            row["means"] = above / ranks if ranks else 0.0, above / max(user.relevant, 1), beta**2
        rows.append(row)
    return rows


def _mean_or_none(values: Sequence[float | None]) -> float | None:
    numbers = [value for value in values if value is not None]
    return fmean(numbers) if numbers else None


@cache
def _rotate_equal_scores(table: SmallTable) -> list[SmallTable]:
    """Return tables that together give each item with an equal score each of the ranks."""
    groups = [
        [*group] for _, group in groupby(sorted(table.recs, key=_score_order), key=_score_order)
    ]
    return [
        replace(table, recs=(*chain(*(x[n % len(x) :] + x[: n % len(x)] for x in groups)),))
        for n in range(lcm(*map(len, groups)))
    ]


def _score_order(row: Row) -> tuple[str, float]:
    return row[0], -row[2]
