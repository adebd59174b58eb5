"""Tiny tables on which the forms of a metric differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from random import Random
from typing import Any

from ..catalogue.conventions import conventions
from ..catalogue.requests import MetricRequest
from ..inputs.tables import Tables
from ..results.rows import Rows
from ..run.job import prepare
from .form_values import UserForm, batches, key_of, user_form, with_user_items
from .forms import Form, forms_of, switched, switches_of

# Rows of tables: of recs with a score, of truth with a relevance.
Row = tuple[str, int, float]

# Features of tables, and their descriptions. A table has some of them, each for one of its users or
# for all.
FEATURES = {
    "no_list": "a user without a list",
    "unjudged": "a user with a list and no truth",
    "no_relevant": "a user with nothing relevant in the truth",
    "no_hit": "a list without a hit",
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
}

# Values of forms on tables; None if they are undefined or the rows violate a rule.
TableValues = dict[str, list[float | None]]


# Metrics whose forms the tables separate.
METRICS = (
    *("ndcg", "average_precision", "reciprocal_rank", "recall", "precision", "hit_rate"),
    *("f_beta", "r_precision", "dcg"),
)


@dataclass(frozen=True)
class SmallTable:
    """Lists and truth of a few users.

    Attributes:
        seed: The number that it is made from.
        k: The cutoff.
        features: Its features.
        recs: User, item and score, in the order of rows.
        truth: User, item and relevance.
    """

    seed: int
    k: int
    features: frozenset[str] = field(repr=False)
    recs: tuple[Row, ...]
    truth: tuple[Row, ...]

    @property
    def size(self) -> int:
        """The number of its rows."""
        return len(self.recs) + len(self.truth)

    def users(self) -> list[str]:
        """Return all users, those of the truth first."""
        return list(dict.fromkeys(user for user, *_ in (*self.truth, *self.recs)))


@cache
def small_table(seed: int, k: int) -> SmallTable:
    """Return the table of a seed: its features and rows depend on the seed and the cutoff alone."""
    random = Random(seed)
    features = set(random.sample([*FEATURES], random.choice((0, 1, 1, 2, 2, 3))))
    if {"list_repeats", "truth_repeats"} <= features:
        features.discard("truth_repeats")
    if "ties" in features or "negative" in features:
        # Only one of an order and a rule for repeated rows at a time.
        features -= {"list_repeats", "truth_repeats"}
    recs: list[Row] = []
    truth: list[Row] = []
    odd_user = random.randrange(2)
    for number in range(
        2 if features & {"no_list", "unjudged", "no_relevant"} else random.choice((1, 2))
    ):
        user_features = features - (
            set() if number == odd_user else {"no_list", "unjudged", "no_relevant"}
        )
        listed, judged = _user(random, k, user_features)
        recs += [(f"u{number + 1}", item, score) for item, score in listed]
        truth += [(f"u{number + 1}", item, grade) for item, grade in judged]
    return SmallTable(seed, k, frozenset(features), tuple(recs), tuple(truth))


def _user(
    random: Random, k: int, features: set[str]
) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    """Return the list and the truth of a user."""
    length = k if "long" not in features else k + 3
    length = random.randint(1, k - 1) if "short" in features else length
    items = random.sample(range(1, 3 * k + 12), length + k + 3)
    listed, others = items[:length], items[length:]
    hits = [] if "no_hit" in features else random.sample(listed, random.randint(1, min(length, k)))
    missed = k + 2 - len(hits) if "many" in features else random.randint(0, 2)
    relevant = hits + others[: max(missed, 0 if hits else 1)]
    levels = [1.0]
    levels = [1.0, 2.0, 3.0] if "grades" in features else levels
    levels += [0.5] if "fractions" in features else []
    truth = [(item, random.choice(levels)) for item in relevant]
    if "zeros" in features:
        misses = [item for item in listed if item not in hits][:2]
        truth += [(item, 0.0) for item in (*misses, others[-1])]
    if "no_relevant" in features:
        truth = [(item, 0.0) for item, _ in truth]
    if "truth_repeats" in features:
        truth += [(truth[0][0], random.choice(levels))]
    scores = [float(length - place) for place in range(length)]
    if "ties" in features:
        scores = sorted((float(random.randint(1, 2)) for _ in scores), reverse=True)
    if "negative" in features:
        scores = [score - length // 2 - 1 for score in scores]
    rows = [*zip(listed, scores, strict=True)]
    if "list_repeats" in features:
        at = random.randrange(len(rows))
        rows = [*rows[: at + 1], (rows[0][0], rows[at][1] - 0.5), *rows[at + 1 :]]
    return [] if "no_list" in features else rows, [] if "unjudged" in features else truth


def forms_on_tables(own: MetricRequest) -> list[Form]:
    """Return all forms of a metric, and sqlrec's form with each single switch between them.

    Forms that add all items of a call to each list are not among them: their values depend on other
    users' items.
    """
    known = forms_of(own, conventions(), {})
    known = [form for form in known if form.request.rules.get("unlisted") != "universe"]
    single = dict.fromkeys(switch for form in known for switch in switches_of(known[0], form))
    requests = [
        switched(known[0].request, [switch], f"switch {n}") for n, switch in enumerate(single, 1)
    ]
    return [*known, *(Form(request, [], {}) for request in requests)]


def values_of(requests: Iterable[MetricRequest], tables: Sequence[SmallTable]) -> TableValues:
    """Return the value of each request, by label, on each table."""
    requests = [*requests]
    found: dict[tuple[str, int], float | None] = {}
    by_rule = sorted(enumerate(tables), key=lambda pair: _repeats(pair[1]))
    for _, group in groupby(by_rule, key=lambda pair: _repeats(pair[1])):
        found |= _evaluate(requests, [*group])
    return {x.label: [found.get((x.label, n)) for n in range(len(tables))] for x in requests}


def _repeats(table: SmallTable) -> list[str]:
    """Return the rules that a table violates, which all tables of a statement have in common."""
    return sorted(table.features & {"list_repeats", "truth_repeats"})


def _evaluate(
    requests: Sequence[MetricRequest], tables: Sequence[tuple[int, SmallTable]]
) -> dict[tuple[str, int], float | None]:
    """Return values by label and number of a table."""
    opened = Tables.open(
        recs=_rows(tables, "recs", "score"),
        truth=_rows(tables, "truth", "relevance"),
        users=Rows(
            {"user_id": "string", "small_table": "int64"},
            [
                {"user_id": f"{n}-{user}", "small_table": n}
                for n, table in tables
                for user in table.users()
            ],
        ),
    )
    lists_are_valid = not _repeats(tables[0][1])
    forms = [user_form(request, {}, lists_are_valid) for request in requests]
    bases = {key_of(form.base): form.base for form in forms}
    users = _UserValues([*bases.values()], opened)
    found: dict[tuple[str, int], float | None] = {}
    summed = []
    for form, request in zip(forms, requests, strict=True):
        base = bases[key_of(form.base)].label
        if base in users.means:
            found |= {(form.label, n): users.mean(form, base, n) for n, _ in tables}
        else:
            summed.append(request)
    for batch in batches(summed):
        _, rows = prepare(batch, tables=opened, by=["small_table"]).read()
        for row in rows.records:
            known = not row["violations"] and row["users"]
            found[row["metric"], row["small_table"]] = row["value"] if known else None
    return found


class _UserValues:
    """Values of users of all tables, which forms share.

    Attributes:
        means: The labels of requests that are means of these values.
    """

    def __init__(self, bases: list[MetricRequest], opened: Tables) -> None:
        self.means: set[str] = set()
        self._rows: dict[tuple[str, int], list[dict[str, Any]]] = {}
        columns = [*("model", "user_id", "metric", "k", "asked", "value", "list_length")]
        columns += ["relevant_items", "judged_items", "violations"]
        for batch in batches(bases):
            job = prepare(batch, tables=opened)
            job = replace(job, plan=job.plan.each(with_user_items))
            self.means |= job.means
            for row in job.rows(job.render("user_evaluation"), columns).records:
                table = int(row["user_id"].partition("-")[0])
                self._rows.setdefault((row["metric"], table), []).append(row)

    def mean(self, form: UserForm, base: str, table: int) -> float | None:
        """Return the mean of a form on a table; None if it is undefined or rows violate a rule."""
        rows = self._rows.get((base, table), [])
        if any(row["violations"] for row in rows):
            return None
        undefined = {"zero": 0.0, "one": 1.0}.get(form.undefined)
        values = []
        for row in rows:
            if not _is_member(form.population, row):
                continue
            value = row["value"]
            if form.without_list == "undefined" and not row["list_length"]:
                value = None
            values.append(undefined if value is None else float(value))
        known = [value for value in values if value is not None]
        if not known or (form.undefined == "propagate" and len(known) < len(values)):
            return None
        return sum(known) / len(known)


def _is_member(population: str | None, row: Mapping[str, Any]) -> bool:
    """Return whether a user belongs to a population."""
    conditions = {
        "truth": row["relevant_items"],
        "truth_and_recs": row["relevant_items"] and row["list_length"],
        "judged": row["judged_items"],
        "judged_and_recs": row["judged_items"] and row["list_length"],
        "recs": row["list_length"],
    }
    return bool(conditions.get(population or "all", True))


def _rows(tables: Sequence[tuple[int, SmallTable]], name: str, column: str) -> Rows:
    types = {"user_id": "string", "item_id": "int64", column: "float64"}
    return Rows(
        types,
        [
            dict(zip(types, (f"{n}-{user}", item, value), strict=True))
            for n, table in tables
            for user, item, value in getattr(table, name)
        ],
    )


def are_equal(first: float | None, second: float | None) -> bool:
    """Return whether two values are equal: up to rounding, or both undefined."""
    if first is None or second is None:
        return first is second
    return abs(first - second) <= 1e-6


def separating(values: Iterable[TableValues], sizes: Sequence[int], times: int = 1) -> list[int]:
    """Return numbers of tables that separate all pairs of forms that any of the tables separates.

    The greedy set cover takes the table that separates most pairs that are left, of these a small
    one; a pair is left until ``times`` tables separate it, or all that do.
    """
    pairs: list[set[int]] = []
    for of_metric in values:
        columns = [*of_metric.values()]
        for number, first in enumerate(columns):
            for second in columns[:number]:
                differ = {n for n in range(len(sizes)) if not are_equal(first[n], second[n])}
                pairs += [differ] if differ else []
    left = [min(times, len(differ)) for differ in pairs]
    chosen: list[int] = []
    while any(left):
        counts = dict.fromkeys(range(len(sizes)), 0)
        for differ, needed in zip(pairs, left, strict=True):
            for n in differ if needed else ():
                counts[n] += 1
        best = max(counts.keys() - {*chosen}, key=lambda n: (counts[n], -sizes[n], -n))
        chosen.append(best)
        left = [max(0, x - (best in differ)) for differ, x in zip(pairs, left, strict=True)]
    return sorted(chosen)


def describe(table: SmallTable) -> dict[str, Any]:
    """Return a table as values that JSON has."""
    return {
        "seed": table.seed,
        "k": table.k,
        "features": sorted(table.features),
        "recs": [[user, item, score] for user, item, score in table.recs],
        "truth": [[user, item, grade] for user, item, grade in table.truth],
    }
