"""Tiny tables on which the forms of a metric differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import groupby
from random import Random
from statistics import fmean, geometric_mean, harmonic_mean, median
from typing import Any

from ..catalogue.conventions import conventions
from ..catalogue.requests import MetricRequest
from ..inputs.tables import Tables
from ..records import Record
from ..results.rows import Rows
from ..rules import MetricRules
from ..run.job import Call
from .form_values import group_into_statements, request_key, user_form, with_user_items
from .forms import Form, forms_of, switch_request, switches_of
from .seeds import SEEDS

# Rows of tables: of recs with a score, of truth with a relevance.
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

# Features that random tables get by chance or never, not on purpose.
_NOT_MADE = ("hits", "late", "shuffled")

# Features of a table's users, of its rows and of its scores that have their own rules.
OF_USERS = frozenset({"no_list", "unjudged", "no_relevant", "users"})
OF_REPEATS = frozenset({"list_repeats", "truth_repeats"})
OF_SCORES = frozenset({"ties", "negative", "shuffled"})

# Special features of random tables: of all rows (each table has one), of scores, of the first of
# several users, and of ratings.
_ODDITIES = (
    "",
    "ties",
    "",
    "shuffled",
    "",
    "ties",
    "negative",
    "",
    "list_repeats",
    "truth_repeats",
)
_SCORES = [n / 4 for n in range(1, 41)]
_MISSING = ("", "", "list", "truth")
_RATINGS = (0.5, 3.0, 3.5, 4.0, 4.5, 5.0)

# Rules for rows, and the features of tables on which their choices differ.
_RULES_OF_ROWS = {
    "duplicates": OF_REPEATS,
    "truth_duplicates": OF_REPEATS,
    "ties": OF_SCORES,
    "scores": OF_SCORES,
}

# Values of forms on tables; None if they are undefined or the rows violate a rule.
TableValues = dict[str, list[float | None]]

# Items or their grades, and scores or grades.
Pairs = list[tuple[int, float]]


@dataclass(frozen=True)
class SmallTable:
    """Lists and truth of a few users.

    Attributes:
        k: The cutoff.
        recs: User, item and score, in the order of rows.
        truth: User, item and relevance.
    """

    k: int
    recs: tuple[Row, ...]
    truth: tuple[Row, ...]

    @property
    def size(self) -> int:
        """The number of its rows."""
        return len(self.recs) + len(self.truth)

    @cached_property
    def users(self) -> dict[str, tuple[Pairs, Pairs]]:
        """The ordered list and the judgments of each user, users of the truth first."""
        return {
            user: (
                sorted(((i, s) for u, i, s in self.recs if u == user), key=lambda row: -row[1]),
                [(i, grade) for u, i, grade in self.truth if u == user],
            )
            for user in dict.fromkeys(user for user, *_ in (*self.truth, *self.recs))
        }

    @cached_property
    def features(self) -> frozenset[str]:
        """The features that some of its users have."""
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
    """Return the features of a user's list and judgments."""
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
def small_table(seed: int, k: int) -> SmallTable:
    """Return the table of a seed: its rows depend on the seed and the cutoff."""
    random = Random(seed)
    possible = [name for name in FEATURES if name not in _NOT_MADE]
    features = set(random.sample(possible, random.choice((0, 1, 1, 2, 2, 3))))
    if {"list_repeats", "truth_repeats"} <= features:
        features.discard("truth_repeats")
    if features & OF_SCORES:
        # A table has either an unusual order or repeated rows, not both.
        features -= OF_REPEATS
    recs: list[Row] = []
    truth: list[Row] = []
    odd_user = random.randrange(2)
    for number in range(2 if features & OF_USERS else random.choice((1, 2))):
        own_features = features if number == odd_user else features - OF_USERS
        ranking, judgments = _random_user(random, k, own_features)
        recs += [(f"u{number + 1}", item, score) for item, score in ranking]
        truth += [(f"u{number + 1}", item, grade) for item, grade in judgments]
    return SmallTable(k, tuple(recs), tuple(truth))


def _random_user(random: Random, k: int, features: set[str]) -> tuple[Pairs, Pairs]:
    """Return the list and the truth of a user."""
    length = k if "long" not in features else k + 3
    length = random.randint(1, k - 1) if "short" in features and k > 1 else length
    items = random.sample(range(1, 3 * k + 12), length + k + 3)
    ranking, others = items[:length], items[length:]
    # Hits of a long list are all below the cutoff half of the time.
    hittable = ranking[k:] if "long" in features and random.random() < 0.5 else ranking
    hits = random.sample(hittable, random.randint(1, min(len(hittable), k)))
    hits = [] if "no_hit" in features else hits
    miss_count = k + 2 - len(hits) if "many" in features else random.randint(0, 2)
    relevant = hits + others[: max(miss_count, 0 if hits else 1)]
    levels = [1.0, 2.0, 3.0] if "grades" in features else [1.0]
    levels += [0.5] if "fractions" in features else []
    truth = [(item, random.choice(levels)) for item in relevant]
    if "zeros" in features:
        misses = [item for item in ranking if item not in hits][:2]
        truth += [(item, 0.0) for item in (*misses, others[-1])]
    if "no_relevant" in features:
        truth = [(item, 0.0) for item, _ in truth]
    if "truth_repeats" in features:
        truth += [(truth[0][0], random.choice(levels))]
    scores = [float(length - rank) for rank in range(length)]
    if "ties" in features:
        scores = sorted((float(random.randint(1, 2)) for _ in scores), reverse=True)
    if "negative" in features:
        scores = [score - length // 2 - 1 for score in scores]
    rows = [*zip(ranking, scores, strict=True)]
    if "list_repeats" in features:
        at = random.randrange(len(rows))
        rows = [*rows[: at + 1], (rows[0][0], rows[at][1] - 0.5), *rows[at + 1 :]]
    return [] if "no_list" in features else rows, [] if "unjudged" in features else truth


@cache
def random_tables(k: int, seed: int, count: int = 210) -> list[SmallTable]:
    """Return random tables of users who share items, each with few other features."""
    random = Random(f"{k} {seed}")
    tables = []
    for number in range(count):
        feature = _ODDITIES[number % len(_ODDITIES)]
        # A third of tables has ratings as scores and as grades, and few items without a judgment.
        kind = number % 3
        grades = _RATINGS if kind == 1 else random.choice(((5.0,), (0.0, 1.0), (0.0, 2.0, 5.0)))
        items = range(1, random.choice((k + 4, 2 * k + 6)))
        recs: list[Row] = []
        truth: list[Row] = []
        user_total = random.choice((1, 1, 2, 4))
        for user in range(user_total):
            size = random.choice((0, 1, k, 2 * k) if kind == 0 else (k, k + 2, 2 * k))
            ranking = random.sample(items, min(size, len(items)))
            others = random.sample(items, random.choice((0, 1, k)) if kind == 0 else 1)
            hits = random.sample(ranking, random.randint(0, len(ranking)) if kind else min(1, size))
            judgments = [*dict.fromkeys(hits + others)]
            random.shuffle(judgments)
            scores = [0.5 * n for n in range(len(ranking), 0, -1)]
            if kind == 1:
                scores = sorted(random.sample(_SCORES, len(ranking)), reverse=True)
            if feature == "ties":
                # One relevant item among equal scores shows the order of ties; several show shared
                # ranks.
                judgments = judgments[: random.choice((1, len(judgments)))]
                scores = sorted((random.choice((2.0, 4.0)) for _ in ranking), reverse=True)
            elif feature == "shuffled":
                random.shuffle(scores)
            elif feature == "negative":
                scores = [x - 1.0 for x in scores]
            rows = [*zip(ranking, scores, strict=True)]
            if feature == "list_repeats" and rows:
                rows.append((random.choice(ranking), 0.25))
            pairs = [(item, random.choice(grades)) for item in judgments]
            if feature == "truth_repeats" and pairs:
                pairs.append((pairs[0][0], random.choice(grades)))
            missing = random.choice(_MISSING) if user_total > 1 and not user else ""
            recs += [(f"u{user + 1}", *row) for row in rows if missing != "list"]
            truth += [(f"u{user + 1}", *row) for row in pairs if missing != "truth"]
        # Equal scores of long lists have many orders.
        if feature != "ties" or len(recs) <= k + 2:
            tables.append(SmallTable(k, tuple(recs), tuple(truth)))
    return tables


@cache
def search_tables(k: int) -> tuple[SmallTable, ...]:
    """Return the tables of the seeds, random tables, and a table for each of their users."""
    tables = [*(small_table(seed, k) for seed in SEEDS), *random_tables(k, 0, 120)]
    users = [table.select_user(user) for table in tables for user in table.users]
    return (*dict.fromkeys([*tables, *users]),)


def forms_on_tables(own: MetricRequest) -> list[Form]:
    """Return all forms of a metric, and sqlrec's form with each single switch between them.

    Forms that add all items of a call to each list are excluded, because their values depend on the
    items of other users.
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
    """Return the value of each request, by label, on each table."""
    requests = [*requests]
    values: TableValues = {x.label: [None] * len(tables) for x in requests}
    for numbers, features in _group_tables(tables):
        forms = [
            user_form(_drop_unused_rules(x, features), {}, not features & OF_REPEATS)
            for x in requests
        ]
        group = [tables[n] for n in numbers]
        rows = evaluate_users_on_tables([form.base for form in forms], group)
        others = []
        for form, request in zip(forms, requests, strict=True):
            form_rows = rows.get(values_key(form.base))
            if form_rows is None:
                others.append(request)
                continue
            for n in numbers:
                values[form.label][n] = average_rows(
                    form_rows[tables[n]], form.population, form.undefined, form.without_list
                )
        opened = _open_tables(group if others else [])
        for batch in group_into_statements(others):
            _, result = Call(opened).prepare(*batch, by=["small_table"]).read()
            for row in result.records:
                if not row["violations"] and row["users"]:
                    values[row["metric"]][numbers[row["small_table"]]] = row["value"]
    return values


# Rows of users' values of a request on a table.
_UserRows = list[Record]

# Stored rows, by the key of a request and by table; None for a metric of all users.
_rows_by_request: dict[str, dict[SmallTable, _UserRows] | None] = {}


def evaluate_users_on_tables(
    bases: Iterable[MetricRequest], tables: Iterable[SmallTable]
) -> dict[str, dict[SmallTable, _UserRows]]:
    """Return users' values of requests on tables, by key; without metrics of all users together.

    Values that are not stored yet are evaluated in few statements.
    """
    by_key = {values_key(base): base for base in bases}
    tables = [*dict.fromkeys(tables)]
    for numbers, features in _group_tables(tables):
        group = [tables[n] for n in numbers]
        simple = {key: _drop_unused_rules(base, features) for key, base in by_key.items()}
        missing = {
            values_key(base): base
            for base in simple.values()
            if (stored := _rows_by_request.get(values_key(base), {})) is not None
            if any(table not in stored for table in group)
        }
        if missing:
            _evaluate_users(missing, group)
        for key, base in simple.items():
            stored = _rows_by_request[values_key(base)]
            if stored is None:
                _rows_by_request[key] = None
            elif key != values_key(base):
                key_rows = _rows_by_request.setdefault(key, {})
                if key_rows is not None:
                    key_rows |= {table: stored[table] for table in group}
    return {key: stored for key in by_key if (stored := _rows_by_request.get(key)) is not None}


def _evaluate_users(bases: Mapping[str, MetricRequest], tables: Sequence[SmallTable]) -> None:
    """Evaluate users' values of requests on tables that may violate the same rules."""
    columns = [*("model", "user_id", "metric", "k", "request", "value", "list_length")]
    columns += ["relevant_items", "judged_items", "violations"]
    opened = _open_tables(tables)
    means: set[str] = set()
    rows: dict[str, dict[SmallTable, _UserRows]] = {
        key: {table: [] for table in tables} for key in bases
    }
    keys = {f"base {n}": key for n, key in enumerate(bases)}
    requests = [
        replace(base, label=label) for label, base in zip(keys, bases.values(), strict=True)
    ]
    for batch in group_into_statements(requests):
        job = Call(opened).prepare(*batch)
        job = replace(job, plan=job.plan.each(with_user_items))
        means |= job.means
        for row in job.rows(job.render_to_run("user_evaluation"), columns).records:
            table = tables[int(row["user_id"].partition("-")[0])]
            rows[keys[row["metric"]]][table].append(row)
    for label, key in keys.items():
        stored = _rows_by_request.setdefault(key, {})
        if label not in means:
            _rows_by_request[key] = None
        elif stored is not None:
            stored |= rows[key]


def values_key(request: MetricRequest) -> str:
    """Return a string that is equal for requests with the same values."""
    return f"{request.metric.name}@{request.k} {request_key(request)}"


def _group_tables(tables: Sequence[SmallTable]) -> Iterator[tuple[list[int], frozenset[str]]]:
    """Group tables by the rules that apply to their rows; yield their numbers and features."""

    def row_features(n: int) -> list[str]:
        features = tables[n].features
        return sorted((features & OF_REPEATS) | (OF_SCORES if features & OF_SCORES else set()))

    for features, group in groupby(sorted(range(len(tables)), key=row_features), key=row_features):
        yield [*group], frozenset(features)


def _drop_unused_rules(request: MetricRequest, features: frozenset[str]) -> MetricRequest:
    """Return a request without the rules for rows that tables do not have."""
    unread = {rule for rule, own in _RULES_OF_ROWS.items() if not own & features}
    if "missing_items" in request.rules:
        # Items below a list are tied.
        unread.discard("ties")
    default = MetricRules()
    rules = {
        name: choice
        for name, choice in request.rules.items()
        if name not in unread and choice != getattr(default, name)
    }
    return replace(request, rules=rules)


def average_rows(
    rows: Sequence[Record],
    population: str | None,
    undefined: str = "omit",
    without_list: str = "value",
    average: str = "users",
) -> float | None:
    """Return the average of users' rows; None if it is undefined or rows violate a rule.

    Args:
        rows: The rows, with the value of each user, and its parts for ``average``.
        population: The users to average over.
        undefined: The rule for undefined values.
        without_list: The rule for users without a list.
        average: The mean of users, or another average of them.
    """
    if any(row["violations"] for row in rows):
        return None
    undefined_value = {"zero": 0.0, "one": 1.0}.get(undefined)
    values, defined = [], []
    for row in rows:
        if _is_member(population, row):
            value = row["value"]
            if without_list == "undefined" and not row.get("length_read", row["list_length"]):
                value = None
            value = undefined_value if value is None else float(value)
            values.append(value)
            if value is not None:
                defined.append((value, row))
    if not defined or (undefined == "propagate" and len(defined) < len(values)):
        return None
    numbers = [value for value, _ in defined]
    if average == "median":
        return median(numbers)
    if average == "sum":
        return sum(numbers)
    if average == "harmonic":
        return harmonic_mean(numbers)
    if average == "geometric":
        return geometric_mean(numbers) if all(numbers) else 0.0
    if average == "items":
        return _item_mean(row["items"] for _, row in defined)
    if average == "weighted":
        relevant = sum(row["relevant_items"] for _, row in defined)
        return sum(x * row["relevant_items"] for x, row in defined) / relevant if relevant else None
    if average == "pooled":
        below = sum(row["below"] for _, row in defined)
        return sum(row["above"] for _, row in defined) / below if below else None
    if average == "means":
        precision, recall, square = (fmean(row["means"][n] for _, row in defined) for n in range(3))
        below = square * precision + recall
        return (1 + square) * precision * recall / below if below else 0.0
    return sum(numbers) / len(numbers)


def _item_mean(users: Iterable[Mapping[int, bool]]) -> float | None:
    """Return the mean over relevant items of the share of their users with the item in the list."""
    values: dict[int, list[bool]] = {}
    for items in users:
        for item, is_found in items.items():
            values.setdefault(item, []).append(is_found)
    return fmean(map(fmean, values.values())) if values else None


def _open_tables(tables: Sequence[SmallTable]) -> Tables:
    """Return tables as inputs, with the number of its table in each user."""
    users = [
        {"user_id": f"{n}-{user}", "small_table": n}
        for n, table in enumerate(tables)
        for user in table.users
    ]
    inputs: dict[str, Any] = {
        name: Rows(
            {"user_id": "string", "item_id": "int64", column: "float64"},
            [
                {"user_id": f"{n}-{user}", "item_id": item, column: value}
                for n, table in enumerate(tables)
                for user, item, value in getattr(table, name)
            ],
        )
        for name, column in (("recs", "score"), ("truth", "relevance"))
    }
    user_rows = Rows({"user_id": "string", "small_table": "int64"}, users)
    return Tables.open(**inputs, users=user_rows)


def _is_member(population: str | None, row: Record) -> bool:
    """Return whether a user belongs to a population."""
    conditions = {
        "truth": row["relevant_items"],
        "truth_and_recs": row["relevant_items"] and row["list_length"],
        "judged": row["judged_items"],
        "judged_and_recs": row["judged_items"] and row["list_length"],
        "recs": row["list_length"],
        "hits": row["value"],
        "judged_lists": row.get("judged_in_list"),
        "full_lists": row.get("is_full_list"),
        "many_relevant": row.get("has_many"),
    }
    return bool(conditions.get(population or "all", True))


def are_equal(first: float | None, second: float | None) -> bool:
    """Return whether two values are equal: up to rounding, or both undefined."""
    if first is None or second is None:
        return first is second
    return abs(first - second) <= 1e-6
