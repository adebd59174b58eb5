"""Formulas of users' values as combinations of choices, which a search combines freely.

The choices have the names of parameters and rules of sqlrec where sqlrec has them; the others are
habits and mistakes of functions.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import accumulate, chain, combinations, groupby, product
from math import inf, lcm, log, log2, log10, sqrt
from operator import mul
from statistics import fmean
from typing import Any

from ..catalogue.requests import MetricRequest
from ..records import Record
from .forms import meaning
from .identify_tables import Pairs, Row, SmallTable

# A choice of each dimension.
Formula = Mapping[str, Any]
Choices = dict[str, Any]

# A user's value, its numerator and its denominator; no value if it is undefined.
Parts = tuple[float | None, float, float]

# Grades from which on an item is relevant; None for grades above 0.
THRESHOLDS = (None, -inf, 1, 2, 3, 4, 5)

# The choices of each dimension, and descriptions of those without one in switches.toml.
_CHOICES: dict[str, dict[Any, str]] = {
    "hits": {
        "all": "adds up all hits, not only the first",
        "first": "counts only the first hit",
        "last": "uses the last hit, not the first",
        "second": "counts only the second hit",
        "ranks": "sums over every rank, not only over hits",
        "list_ranks": "sums over every rank of a list, not only over hits",
        "complete": "counts a list only if it has all relevant items",
    },
    "term": {
        "one": "does not weight hits by the precision there",
        "precision": "weights hits by the precision there",
        "late": "counts the hits above a rank, without the rank itself, in its precision",
        "rank": "adds 1 / rank of hits, not the precision there",
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
    },
    "best_discount": {"same": "", "standard": "discounts the best list by 1 / log2(rank + 1)"},
    "divide_by": {
        "nothing": "counts hits, not their share",
        "k": "",
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
    },
    "lists": {
        "score": "",
        "lowest": "puts the lowest score first",
        "id_asc": "orders lists by id, the smallest first",
        "id_desc": "orders lists by id, the largest first",
    },
    "items": {
        "all": "",
        "judged": "removes items without a judgment from lists before it cuts them",
        "relevant": "removes items that are not relevant from lists before it cuts them",
        "hits": "removes items that are not relevant from lists after it cuts them",
        "further": "counts each rank as the next rank",
        "from_second": "leaves out the first item of a list",
        "last_k": "reads the last {k} items of a list, not the first",
    },
    "truth": {
        "all": "",
        "cut": "treats the items of a list within the cutoff as all relevant items",
        "list": "treats the items of a list as all relevant items",
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
        "binary": "gives each item of the best list a gain of 1, whatever its grade",
    },
    "relevance_threshold": dict.fromkeys(THRESHOLDS, ""),
}

_CHOICES["least_score"] = {None: ""} | {
    score: f"leaves out items with a score below {score:g}" for score in (0.5, 1, 2, 3, 3.5, 4, 5)
}

# Dimensions that matter only where grades differ.
_OF_GRADES = ("gain", "gains", "best_gain", "relevance_threshold")

# Rules for rows that sqlrec orders or rejects, each for tables with a feature.
ROW_RULES: dict[str, tuple[str, dict[str, str]]] = {
    "ties": (
        "ties",
        dict.fromkeys(("item_asc", "item_desc", "first", "shared", "text_asc", "text_desc"), "")
        | {"last": "puts the later row first among equal scores", "best": "", "worst": ""},
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
        dict.fromkeys(("best", "first", "last", "rows", "joined"), ""),
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

_DISCOUNTS: dict[str, Callable[[int], float]] = {
    "none": lambda rank: 1.0,
    "standard": lambda rank: 1 / log2(rank + 1),
    "late": lambda rank: 1 / log2(max(rank, 2)),
    "reciprocal": lambda rank: 1 / rank,
    "natural": lambda rank: 1 / log(rank + 1),
    "decimal": lambda rank: 1 / log10(rank + 1),
    "further": lambda rank: 1 / log2(rank + 2),
    "without_first": lambda rank: 1 / log2(rank) if rank > 1 else 0.0,
    "log_after": lambda rank: 1 / (1 + log2(rank)),
    "reciprocal_further": lambda rank: 1 / (rank + 1),
    "from_0": lambda rank: 1 / max(rank - 1, 1),
    "root": lambda rank: 1 / sqrt(rank),
    "halved": lambda rank: 0.5 ** (rank - 1),
    "rank": float,
}


@cache
def _weights(discount: str, count: int) -> list[float]:
    return [_DISCOUNTS[discount](rank) for rank in range(1, count + 1)]


_GAINS: dict[str, Callable[[float, bool], float]] = {
    "binary": lambda grade, hit: float(hit),
    "linear": lambda grade, hit: grade,
    "exponential": lambda grade, hit: 2**grade - 1,
    "squared": lambda grade, hit: grade**2,
    "power": lambda grade, hit: 2**grade * hit,
    "power_of_all": lambda grade, hit: 2**grade,
    "exponential_further": lambda grade, hit: (2 ** (grade + 1) - 1) * hit,
}


def _ranked(
    listed: Pairs, formula: Formula, k: int | None
) -> tuple[list[int], list[tuple[int, int]]]:
    """Return the items of a list in order, and ids of rows that count as further items."""
    ties, scores, lists = formula["ties"], formula["scores"], formula["lists"]
    if ties == "last":
        listed = listed[::-1]
    elif ties not in ("first", "shared", "best", "worst"):
        read = str if ties.startswith("text") else int
        listed = sorted(listed, key=lambda row: read(row[0]), reverse=ties.endswith("desc"))
    listed = sorted(listed, key=lambda row: row[1], reverse=lists != "lowest")
    if scores != "any":
        listed = [
            (item if score > 0 else -n, score)
            for n, (item, score) in enumerate(listed, 1)
            if score > 0 or scores == "positive"
        ]
    items = [item for item, _ in listed]
    if lists.startswith("id"):
        items.sort(reverse=lists == "id_desc")
    rule, copies = formula["duplicates"], []
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


def _grades(judged: Pairs, rule: str) -> dict[int, float]:
    """Return the grade of each judged item; a repeated row that counts as an item gets an id."""
    grades: dict[int, float] = {}
    for n, (item, grade) in enumerate(judged, 10_000):
        if item not in grades or rule == "last":
            grades[item] = grade
        elif rule == "best":
            grades[item] = max(grade, grades[item])
        elif rule == "rows":
            grades[-n] = max(grade, grades[item])
            grades[item] = min(grade, grades[item])
    return grades


class _User:
    """A user's list and judgments as a formula reads them.

    Attributes:
        length: The length of the list.
        ranks: The rank of each pair of a rank and a row of the truth for its item.
        grades: The grade of each pair; 0 without a row of the truth.
        hits: Whether each pair has a relevant item.
        judged: The grades of judged items, and whether each is relevant.
        relevant: The number of relevant items.
        counts: The numbers of ranks and items that decide about averages.
    """

    def __init__(self, listed: Pairs, judged: Pairs, formula: Formula, k: int | None) -> None:
        threshold = formula["relevance_threshold"]

        def is_relevant(grade: float) -> bool:
            return grade > 0 if threshold is None else grade >= threshold

        if (ties := formula["ties"]) in ("best", "worst"):
            grades = dict(judged)
            listed = sorted(listed, key=lambda x: grades.get(x[0], 0.0), reverse=ties == "best")
        if (minimum := formula["least_score"]) is not None:
            listed = [row for row in listed if row[1] >= minimum]
        items, copies = _ranked(listed, formula, k)
        judged = judged + [
            (copy, grade) for item, copy in copies for i, grade in judged if i == item
        ]
        grades, of_truth = _grades(judged, formula["truth_duplicates"]), formula["truth"]
        count = sum(map(is_relevant, grades.values()))
        if formula["items"] == "judged":
            items = [item for item in items if item in grades]
        elif formula["items"] == "relevant":
            items = [item for item in items if item in grades and is_relevant(grades[item])]
        elif formula["items"] == "hits":
            items = [item for item in items[:k] if item in grades and is_relevant(grades[item])]
        elif formula["items"] == "further":
            items = [-len(items) - 1, *items]
        elif formula["items"] == "from_second":
            items = items[1:]
        elif formula["items"] == "last_k":
            items = items[-k:] if k else items
        if of_truth in ("list", "cut"):
            inside = {*items[: k if of_truth == "cut" else None]}
            grades = {item: grade for item, grade in grades.items() if item in inside}
        elif of_truth != "all":
            first = [item for item, grade in grades.items() if is_relevant(grade)]
            first = {"first": first[:1], "first_k": first[:k], "last": first[-1:]}[of_truth]
            grades = {item: grades[item] for item in first}
        rows = [*grades.items()]
        if formula["truth_duplicates"] == "joined":
            rows = [row for row in judged if row[0] in grades]
        self.judged = [(grade, is_relevant(grade)) for _, grade in rows]
        self.length = len(items)
        pairs = [
            (rank, grade, hit)
            for rank, item in enumerate(items, 1)
            for grade, hit in [(x, is_relevant(x)) for i, x in rows if i == item] or [(0.0, False)]
        ]
        self.ranks = [rank for rank, _, _ in pairs]
        self.grades = [grade for _, grade, _ in pairs]
        self.hits = [hit for _, _, hit in pairs]
        self.relevant = sum(hit for _, hit in self.judged)
        self.counts = {
            "list_length": len(listed),
            "judged_items": len(judged),
            "relevant_items": count,
            "violations": 0,
        }
        self._gains: dict[tuple[str, str], tuple[list[float], list[float]]] = {}

    def gains(self, gain: str, gains: str) -> tuple[list[float], list[float]]:
        """Return the gains of the list's ranks, and of judged items."""
        pair = self._gains.get((gain, gains))
        if pair is None:
            of, every = _GAINS[gain], gains == "all"
            listed = [
                of(x, y) if y or every else 0.0 for x, y in zip(self.grades, self.hits, strict=True)
            ]
            judged = [of(x, y) for x, y in self.judged if y or every]
            pair = self._gains[gain, gains] = listed, judged
        return pair


@cache
def _users(table: SmallTable, k: int | None, *choices: Any) -> list[_User]:
    """Return the users of a table, by the choices that decide which items they have."""
    formula = dict(zip(_OF_USERS, choices, strict=True))
    return [_User(*pairs, formula, k) for pairs in table.users.values()]


_OF_USERS = ("lists", "items", "truth", "relevance_threshold", "least_score", *ROW_RULES)


def users_of(formula: Formula, table: SmallTable, k: int | None) -> list[_User]:
    """Return the users of a table as a formula reads them."""
    return _users(table, k, *[formula[name] for name in _OF_USERS])


def parts(user: _User, formula: Formula, k: int | None) -> Parts:
    """Return a user's value of a formula, its numerator and its denominator."""
    cut = _cut(user, formula["cutoff"], k)
    length = user.length if cut is None else min(cut, user.length)
    total, hit_count = _total(user, formula, cut, k)
    below, undefined = _divisor(user, formula, k, length, hit_count)
    if beta := formula["beta"]:
        if isinstance(beta, str):
            precision, recall = (total / x if x else 0.0 for x in (below, user.relevant))
            both = precision * recall
            value = {"mean": (precision + recall) / 2, "root": sqrt(both), "product": both}[beta]
            return value, value, 1
        below, undefined = (beta**2 * user.relevant + below) / (1 + beta**2), False
    if (ideal := formula["ideal"]) != "none":
        _, gains = user.gains(formula["gain"], formula["gains"])
        if ideal == "k":
            gains = [1.0] * (length if k is None else k)
        elif formula["best_gain"] == "binary":
            gains = [1.0] * user.relevant
        elif ideal != "unsorted":
            gains = sorted(gains, reverse=True)
        name = formula["discount" if formula["best_discount"] == "same" else "best_discount"]
        end = {"relevant": None, "list_length": length, "cut": cut}.get(ideal, k)
        below *= sum(map(mul, gains[:end], _weights(name, len(gains))))
        undefined = undefined or not any(gains)
    if below:
        return total / below, total, below
    return (None if undefined else 0.0), total, 0.0


def _total(user: _User, formula: Formula, cut: int | None, k: int | None) -> tuple[float, int]:
    """Return the sum over the ranks of a list, and the number of hits among them."""
    gains, _ = user.gains(formula["gain"], formula["gains"])
    ranks, hits, term = user.ranks, user.hits, formula["term"]
    if formula["hits"] == "list_ranks":
        gains = [1.0] * len(ranks)
    elif formula["hits"] == "ranks":
        ranks = [*ranks, *range(user.length + 1, (k or 0) + 1)]
        hits, gains = hits + [False] * (len(ranks) - len(hits)), [1.0] * len(ranks)
    ranks = ranks[: None if cut is None else bisect(ranks, cut)]
    hit_count = sum(hits[: len(ranks)])
    weights = _weights(formula["discount"], ranks[-1] if ranks else 0)
    place = {"first": 1, "second": 2, "last": hit_count, "complete": user.relevant}.get(
        formula["hits"]
    )
    total, so_far = 0.0, 0
    for rank, hit, gain in zip(ranks, hits, gains, strict=False):
        so_far += hit
        if not gain or (place is not None and not (hit and so_far == place)):
            continue
        if term == "one":
            total += gain * weights[rank - 1]
        elif term == "recall":
            total += gain * so_far / max(user.relevant, 1)
        elif term == "interpolated":
            counts = zip(ranks, accumulate(hits), strict=False)
            total += gain * max(above / below for below, above in counts if below >= rank)
        else:
            above = {"precision": so_far, "late": so_far - hit, "rank": 1}[term]
            total += gain * above * weights[rank - 1] / rank
    return total, hit_count


def _divisor(
    user: _User, formula: Formula, k: int | None, length: int, hit_count: int
) -> tuple[float, bool]:
    """Return what a sum is divided by, and whether the value is undefined if that is 0."""
    relevant, divide_by = user.relevant, formula["divide_by"]
    limit = length if k is None else k
    below = {
        "nothing": 1,
        "k": limit,
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
        "cut": _cut(user, formula["cutoff"], k) or user.length,
    }[divide_by]
    in_list = divide_by == "achievable_in_list" and relevant
    return below, divide_by in _OF_TRUTH and not in_list


# Divisors without which a user has no value.
_OF_TRUTH = ("relevant", "achievable", "achievable_in_list", "grades", "judged")


def _cut(user: _User, cutoff: str, k: int | None) -> int | None:
    """Return the number of ranks that a formula reads; None for all."""
    if cutoff == "k" or (k is None and cutoff != "relevant"):
        return k
    if cutoff == "hits":
        ranks = [rank for rank, hit in zip(user.ranks, user.hits, strict=True) if hit]
        return ranks[k - 1] if k and len(ranks) >= k else None
    if cutoff in ("relevant", "all_relevant"):
        return min(k or user.relevant, user.relevant) if cutoff == "relevant" else user.relevant
    return None if cutoff == "none" else (k or 0) + (1 if cutoff == "late" else -1)


def is_possible(formula: Formula, k: int | None) -> bool:
    """Return whether no choice of a formula is without effect."""
    ideal = formula["ideal"]
    return (
        (ideal != "none" or formula["best_discount"] == formula["best_gain"] == "same")
        and (formula["best_discount"] == "same" or formula["discount"] != "standard")
        and (formula["best_gain"] == "same" or (ideal != "k" and formula["gain"] != "binary"))
        and ("cut" not in (ideal, formula["divide_by"]) or formula["cutoff"] not in ("k", "none"))
        and (k is not None or (formula["cutoff"] in ("k", "relevant") and ideal != "k"))
        and (k is not None or formula["divide_by"] not in ("k", "largest"))
        and (k is not None or formula["truth"] not in ("cut", "first_k"))
        and (k is not None or formula["items"] != "last_k")
        and (k != 1 or formula["cutoff"] != "early")
    )


def formulas_near(start: Formula, distance: int, k: int | None) -> Iterator[Choices]:
    """Yield the formulas with a number of choices other than those of another formula."""
    for names in combinations(_CHOICES, distance):
        others = [[x for x in _CHOICES[name] if x != start[name]] for name in names]
        for choices in product(*others):
            formula = {**start, **dict(zip(names, choices, strict=True))}
            if is_possible(formula, k):
                yield formula


def with_grades(formula: Formula, k: int | None) -> Iterator[Choices]:
    """Yield a formula with all choices for grades, those of few changes first."""
    choices = [[formula[name], *({*_CHOICES[name]} - {formula[name]})] for name in _OF_GRADES]
    changed = [{**formula, **dict(zip(_OF_GRADES, x, strict=True))} for x in product(*choices)]
    changed.sort(key=lambda x: sum(x[name] != formula[name] for name in _OF_GRADES))
    yield from (x for x in changed if is_possible(x, k))


def params_of(formula: Formula, own: MetricRequest) -> tuple[Choices, Choices]:
    """Return how a formula differs from a metric's own: the settings of sqlrec, and the habits."""
    start, params = METRICS[own.metric.name], own.metric.params
    settings, habits = {}, {}
    for name, choice in formula.items():
        allowed: Sequence[Any] = params.get(name, ())
        if choice == start[name]:
            continue
        if (
            name == "relevance_threshold"
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
    return [
        text.format(k="k" if k is None else k)
        if (text := (_CHOICES.get(name) or ROW_RULES[name][1])[choice])
        else meaning(((name, choice),), k)
        for name, choice in habits.items()
    ]


def rows_of(formula: Formula, table: SmallTable, k: int | None) -> list[Record]:
    """Return a row for each user: the value, its parts, and the numbers that averages depend on."""
    if formula["ties"] == "shared" and "ties" in table.features:
        rotated = [rows_of({**formula, "ties": "first"}, x, k) for x in _rotations(table)]
        return [
            of_user[0]
            | {x: _mean([row[x] for row in of_user]) for x in ("value", "above", "below")}
            for of_user in zip(*rotated, strict=True)
        ]
    rows = []
    for user in users_of(formula, table, k):
        value, above, below = parts(user, formula, k)
        row: Record = {**user.counts, "value": value, "above": above, "below": below}
        if isinstance(beta := formula["beta"], float | int):
            ranks = below * (1 + beta**2) - beta**2 * user.relevant
            row["means"] = above / ranks if ranks else 0.0, above / max(user.relevant, 1), beta**2
        rows.append(row)
    return rows


def _mean(values: Sequence[float | None]) -> float | None:
    numbers = [value for value in values if value is not None]
    return fmean(numbers) if numbers else None


@cache
def _rotations(table: SmallTable) -> list[SmallTable]:
    """Return tables that together give each item with an equal score each of the ranks."""
    groups = [[*group] for _, group in groupby(sorted(table.recs, key=_by_score), key=_by_score)]
    return [
        replace(table, recs=(*chain(*(x[n % len(x) :] + x[: n % len(x)] for x in groups)),))
        for n in range(lcm(*map(len, groups)))
    ]


def _by_score(row: Row) -> tuple[str, float]:
    return row[0], -row[2]
