"""Small tables on which the forms of a metric differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from operator import mul
from random import Random
from statistics import fmean, geometric_mean, harmonic_mean, median
from typing import Any

from ..catalogue.conventions import conventions
from ..catalogue.requests import MetricRequest
from ..inputs.tables import Tables
from ..records import Record
from ..results.rows import Rows
from ..run.job import Call
from .form_values import group_into_statements, request_key
from .forms import Form, forms_of, switch_request, switches_of
from .seeds import SEEDS

# Rows of tables: rows of recs contain a score, and rows of truth contain a relevance.
Row = tuple[str, int, float]

# Features of tables, and their descriptions.
FEATURES = {
    "no_list": "a user without a list",
    "unjudged": "a user with a list and no truth",
    "no_relevant": "a user with nothing relevant in the truth",
    "no_hit": "a list without a hit",
    "hits": "several hits in a list",
    "late": "a first hit below the first rank",
    "short": "a list shorter than the cutoff",
    "long": "hits below the cutoff",
    "many": "more relevant items than the cutoff",
    "grades": "grades above 1",
    "fractions": "grades between 0 and 1",
    "zeros": "grades of 0",
    "ties": "equal scores",
    "negative": "scores of 0 and below",
    "list_repeats": "an item twice in a list",
    "truth_repeats": "an item twice in the truth",
    "users": "several users",
    "shuffled": "rows in another order than their scores",
}

# Features that small tables have by chance, and a feature that only varied tables have.
_NOT_MADE = ("hits", "late", "shuffled")

# Features of users, repeated rows and scores, for which there are separate rules.
OF_USERS = frozenset({"no_list", "unjudged", "no_relevant", "users"})
OF_REPEATS = frozenset({"list_repeats", "truth_repeats"})
OF_SCORES = frozenset({"ties", "negative", "shuffled"})

# The scores of varied tables, and sets of grades. A table uses one set, usually a set of one grade.
_SCORES = [n / 4 for n in range(1, 41)]
_GRADES = ((5.0,), (5.0,), (0.0, 1.0), (0.0, 2.0, 5.0), (0.5, 3.0, 3.5, 4.0, 4.5, 5.0))

_VARIED = 160

REPEAT_RULES = ("duplicates", "truth_duplicates")

# Values of forms on tables; None if a value is undefined or the rows violate a rule.
TableValues = dict[str, list[float | None]]

# Pairs of an item or its grade, and a score or a grade.
Pairs = list[tuple[int, float]]


@dataclass(frozen=True)
class SmallTable:
    """Lists and truth of a few users."""

    k: int
    recs: tuple[Row, ...]  # User, item and score, in the order of rows.
    truth: tuple[Row, ...]  # User, item and relevance.

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self.recs) + len(self.truth)

    @cached_property
    def users(self) -> dict[str, tuple[Pairs, Pairs]]:
        """The ordered list and the judgments of each user; users in the truth come first."""
        return {
            user: (
                sorted(((i, s) for u, i, s in self.recs if u == user), key=lambda row: -row[1]),
                [(i, grade) for u, i, grade in self.truth if u == user],
            )
            for user in dict.fromkeys(user for user, *_ in (*self.truth, *self.recs))
        }

    @cached_property
    def features(self) -> frozenset[str]:
        """The features of at least one user."""
        users = [_user_features(*pairs, self.k) for pairs in self.users.values()]
        shuffled = any(
            first[0] == second[0] and first[2] < second[2]
            for first, second in zip(self.recs, self.recs[1:], strict=False)
        )
        more = {"users": len(users) > 1, "shuffled": shuffled}
        return frozenset().union([name for name in more if more[name]], *users)

    @cached_property
    def lists_in_row_order(self) -> dict[str, Pairs]:
        """The items and scores of each user's list, in the order of rows."""
        lists: dict[str, Pairs] = {}
        for user, item, score in self.recs:
            lists.setdefault(user, []).append((item, score))
        return lists

    @cached_property
    def _hash(self) -> int:
        return hash((self.k, self.recs, self.truth))

    def __hash__(self) -> int:
        return self._hash

    def select_user(self, user: str) -> SmallTable:
        """Return the table of a single user."""
        recs, truth = ([x for x in rows if x[0] == user] for rows in (self.recs, self.truth))
        return SmallTable(self.k, tuple(recs), tuple(truth))


def _user_features(ranking: Pairs, judgments: Pairs, k: int) -> set[str]:
    items, scores = [item for item, _ in ranking], {score for _, score in ranking}
    grades, relevant = {grade for _, grade in judgments}, {i for i, grade in judgments if grade > 0}
    hits = [rank for rank, item in enumerate(items[:k]) if item in relevant]
    features = {
        "no_list": not items,
        "unjudged": not judgments,
        "no_relevant": bool(judgments) and not relevant,
        "no_hit": bool(items and relevant) and not hits,
        "hits": len(hits) > 1,
        "late": bool(hits) and hits[0] > 0,
        "short": 0 < len(items) < k,
        "long": not relevant.isdisjoint(items[k:]),
        "many": len(relevant) > k,
        "grades": any(grade > 1 for grade in grades),
        "fractions": any(0 < grade < 1 for grade in grades),
        "zeros": 0 in grades,
        "ties": len(scores) < len(items),
        "negative": any(score <= 0 for score in scores),
        "list_repeats": len({*items}) < len(items),
        "truth_repeats": len({item for item, _ in judgments}) < len(judgments),
    }
    return {name for name, has_it in features.items() if has_it}


@cache
def small_table(seed: int, k: int, varied: bool = False) -> SmallTable:
    """Return a random table by a seed; varied tables have other grades, scores and more users."""
    random = Random(seed)
    possible = [name for name in FEATURES if name not in _NOT_MADE]
    possible += ["ties", "ties", "shuffled", "shuffled"] if varied else []
    features = set(random.sample(possible, random.choice((0, 1, 1, 2, 2, 3))))
    if {"list_repeats", "truth_repeats"} <= features:
        features.discard("truth_repeats")
    if features & OF_SCORES:
        # A table has either an unusual order or repeated rows, not both.
        features -= OF_REPEATS
    recs: list[Row] = []
    truth: list[Row] = []
    odd_user = random.randrange(2)
    user_total = 2 if features & OF_USERS else random.choice((1, 2))
    grades: Sequence[float] = ()
    if varied:
        user_total, grades = random.choice((user_total, user_total, 3)), random.choice(_GRADES)
    for number in range(user_total):
        own_features = features if number == odd_user else features - OF_USERS
        ranking, judgments = _random_user(random, k, own_features, grades)
        recs += [(f"u{number + 1}", item, score) for item, score in ranking]
        truth += [(f"u{number + 1}", item, grade) for item, grade in judgments]
    return SmallTable(k, tuple(recs), tuple(truth))


def _random_user(
    random: Random, k: int, features: set[str], grades: Sequence[float]
) -> tuple[Pairs, Pairs]:
    """Return the list and the truth of a user; only varied tables have grades."""
    if grades:
        # Lists differ in length, and most lists contain items below the cutoff.
        features = features.union(random.choice((("long",), ("long",), ("short",), ())))
    length = k + 3 if "long" in features else k
    length = random.randint(1, k - 1) if "short" in features and k > 1 else length
    items = random.sample(range(1, 2 * k + 8 if grades else 3 * k + 12), length + k + 3)
    ranking, others = items[:length], items[length:]
    # In some long lists, all hits are below the cutoff.
    is_below = random.random() < (0.2 if grades else 0.5) if "long" in features else False
    hittable = (ranking[k:] if is_below else ()) or ranking
    hits = random.sample(hittable, random.randint(1, min(len(hittable), 2 * k if grades else k)))
    # One relevant item among equal scores shows the order of items. Several show shared ranks.
    hits = hits[:1] if grades and "ties" in features and random.random() < 0.6 else hits
    hits = [] if "no_hit" in features else hits
    miss_count = k + 2 - len(hits) if "many" in features else random.randint(0, 2)
    relevant = hits + others[: max(miss_count, 0 if hits else 1)]
    levels = [1.0, 2.0, 3.0] if "grades" in features else [1.0]
    levels = [*(grades or levels), *([0.5] if "fractions" in features else [])]
    truth = [(item, random.choice(levels)) for item in relevant]
    if "zeros" in features:
        misses = [item for item in ranking if item not in hits][:2]
        truth += [(item, 0.0) for item in (*misses, others[-1])]
    if "no_relevant" in features:
        truth = [(item, 0.0) for item, _ in truth]
    if "truth_repeats" in features:
        item, grade = truth[0]
        levels = [x for x in (0.0, 2.0, 5.0) if x != grade] if grades else levels
        truth += [(item, random.choice(levels))]
    scores = [float(length - rank) for rank in range(length)]
    if grades:
        random.shuffle(truth)
        scores = sorted(random.sample(_SCORES, length), reverse=True)
    if "ties" in features:
        scores = sorted((float(random.randint(1, 2)) for _ in scores), reverse=True)
    if "negative" in features:
        scores = [score - length // 2 - 1 for score in scores]
    if "shuffled" in features:
        random.shuffle(scores)
    rows = [*zip(ranking, scores, strict=True)]
    if "list_repeats" in features:
        at = random.randrange(len(rows))
        rows = [*rows[: at + 1], (rows[0][0], rows[at][1] - 0.5), *rows[at + 1 :]]
    return [] if "no_list" in features else rows, [] if "unjudged" in features else truth


@cache
def search_tables(k: int) -> tuple[SmallTable, ...]:
    """Return the tables of the seeds, varied tables, and a table for each user in these tables."""
    tables = [small_table(seed, k) for seed in SEEDS]
    tables += [small_table(seed, k, varied=True) for seed in range(_VARIED)]
    users = [table.select_user(user) for table in tables for user in table.users]
    return (*dict.fromkeys([*tables, *users]),)


def forms_on_tables(own: MetricRequest) -> list[Form]:
    """Return all forms of a metric, and sqlrec's form with each single switch between them.

    Forms that add all items of a call to each list depend on other users, and are excluded.
    """
    library_forms = forms_of(own, conventions(), {})
    library_forms = [
        form for form in library_forms if form.request.rules.get("missing_items") != "universe"
    ]
    single = dict.fromkeys(
        switch for form in library_forms for switch in switches_of(library_forms[0], form)
    )
    requests = [
        switch_request(library_forms[0].request, [switch], f"switch {n}")
        for n, switch in enumerate(single, 1)
    ]
    return [*library_forms, *(Form(request, [], {}) for request in requests)]


def evaluate_requests(
    requests: Iterable[MetricRequest], tables: Sequence[SmallTable]
) -> TableValues:
    """Return the values of each request on the tables, by label; evaluate new values only."""
    requests = [*requests]
    values: TableValues = {x.label: [None] * len(tables) for x in requests}
    # If one table's repeated rows violate a rule, no table of the statement has a value.
    for repeats in {table.features & OF_REPEATS for table in tables}:
        numbers = [n for n, table in enumerate(tables) if table.features & OF_REPEATS == repeats]
        group = [*dict.fromkeys(tables[n] for n in numbers)]
        keys = {x.label: x if repeats else drop_repeat_rules(x) for x in requests}
        by_key = {_values_key(x): x for x in keys.values()}
        new = {key: x for key, x in by_key.items() if not {*group} <= _stored[key].keys()}
        if new:
            _store_values(new, [x for x in group if any(x not in _stored[key] for key in new)])
        for label, request in keys.items():
            stored = _stored[_values_key(request)]
            for n in numbers:
                values[label][n] = stored[tables[n]]
    return values


# Stored values, by the key of a request and by table.
_stored: defaultdict[str, dict[SmallTable, float | None]] = defaultdict(dict)


def _store_values(requests: Mapping[str, MetricRequest], tables: Sequence[SmallTable]) -> None:
    """Store the values of requests, by key, on tables that may violate the same rules."""
    opened = _open_tables(tables)
    keys = {f"request {n}": key for n, key in enumerate(requests)}
    for key in requests:
        _stored[key] |= dict.fromkeys(tables)
    for batch in group_into_statements([replace(requests[keys[x]], label=x) for x in keys]):
        _, result = Call(opened).prepare(*batch, by=["small_table"]).read()
        for row in result.records:
            if not row["violations"] and row["users"]:
                _stored[keys[row["metric"]]][tables[row["small_table"]]] = row["value"]


def _values_key(request: MetricRequest) -> str:
    """Return a string that is equal for requests with the same values."""
    return f"{request.metric.name}@{request.k} {request_key(request)}"


def drop_repeat_rules(request: MetricRequest) -> MetricRequest:
    """Return a request without the rules for repeated rows."""
    rules = {name: x for name, x in request.rules.items() if name not in REPEAT_RULES}
    return replace(request, rules=rules)


# The condition that a user's row satisfies in each population. sqlrec supports the first six.
POPULATIONS: dict[str, Callable[[Record], Any]] = {
    "truth": lambda row: row["relevant_items"],
    "truth_and_recs": lambda row: row["relevant_items"] and row["list_length"],
    "judged": lambda row: row["judged_items"],
    "judged_and_recs": lambda row: row["judged_items"] and row["list_length"],
    "recs": lambda row: row["list_length"],
    "all": lambda row: True,
    "hits": lambda row: row["value"],
    "judged_lists": lambda row: row["judged_in_list"],
    "full_lists": lambda row: row["is_full_list"],
    "many_relevant": lambda row: row["has_many"],
}


def _mean_of_sums(values: Sequence[float], rows: Sequence[Record]) -> float | None:
    below = sum(row["below"] for row in rows)
    return sum(row["above"] for row in rows) / below if below else None


def _weighted_mean(values: Sequence[float], rows: Sequence[Record]) -> float | None:
    weights = [row["relevant_items"] for row in rows]
    return sum(map(mul, values, weights)) / sum(weights) if any(weights) else None


def _value_of_means(values: Sequence[float], rows: Sequence[Record]) -> float:
    """Return the F-measure of the mean precision and the mean recall."""
    precision, recall = (fmean(row[name] for row in rows) for name in ("precision", "recall"))
    square = rows[0]["beta"] ** 2
    below = square * precision + recall
    return (1 + square) * precision * recall / below if below else 0.0


def _item_mean(values: Sequence[float], rows: Sequence[Record]) -> float | None:
    """Return the mean over relevant items of the share of users with the item in the list."""
    shares: dict[int, list[bool]] = {}
    for row in rows:
        for item, is_found in row["items"].items():
            shares.setdefault(item, []).append(is_found)
    return fmean(map(fmean, shares.values())) if shares else None


# Averages of users' values. Some averages use other columns of the users' rows.
AVERAGES: dict[str, Callable[[list[float], list[Record]], float | None]] = {
    "users": lambda values, rows: sum(values) / len(values),
    "pooled": _mean_of_sums,
    "median": lambda values, rows: median(values),
    "means": _value_of_means,
    "sum": lambda values, rows: sum(values),
    "harmonic_mean": lambda values, rows: harmonic_mean(values),
    "geometric_mean": lambda values, rows: geometric_mean(values) if all(values) else 0.0,
    "items": _item_mean,
    "weighted": _weighted_mean,
}


def average_rows(
    rows: Sequence[Record], population: str, undefined: str, without_list: str, average: str
) -> float | None:
    """Return the average of users' rows under rules; None if it is undefined."""
    values, defined = [], []
    for row in filter(POPULATIONS[population], rows):
        value = row["value"]
        if value is None or (without_list == "undefined" and not row["length_read"]):
            if undefined == "propagate":
                return None
            value = {"zero": 0.0, "one": 1.0}.get(undefined)
        if value is not None:
            values.append(float(value))
            defined.append(row)
    return AVERAGES[average](values, defined) if values else None


def _open_tables(tables: Sequence[SmallTable]) -> Tables:
    """Return tables as inputs; each user id contains the number of the table."""

    def number_rows(name: str, column: str) -> Rows:
        rows = [
            {"user_id": f"{n}-{user}", "item_id": item, column: value}
            for n, table in enumerate(tables)
            for user, item, value in getattr(table, name)
        ]
        return Rows({"user_id": "string", "item_id": "int64", column: "float64"}, rows)

    users = [
        {"user_id": f"{n}-{user}", "small_table": n}
        for n, table in enumerate(tables)
        for user in table.users
    ]
    return Tables.open(
        recs=number_rows("recs", "score"),
        truth=number_rows("truth", "relevance"),
        users=Rows({"user_id": "string", "small_table": "int64"}, users),
    )


def are_equal(first: float | None, second: float | None) -> bool:
    """Return whether two values are both undefined, or equal up to rounding."""
    if first is None or second is None:
        return first is second
    return abs(first - second) <= 1e-6
