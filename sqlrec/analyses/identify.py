"""Identification of a caller's own function: the form of a metric that it computes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, product
from math import inf, log2
from statistics import fmean
from typing import Any

from ..catalogue.headers import metrics as known_metrics
from ..catalogue.requests import MetricRequest, format_metric, parse_metrics
from ..display.layout import together
from ..errors import InputError, MetricError
from ..rules import VALUES
from .call_styles import Call, calls_of, with_listed_truth, with_single_items
from .form_values import UserForm
from .forms import Form, Switch, by_fame, meaning, switched, switches_of
from .identify_tables import (
    FEATURES,
    OF_REPEATS,
    OF_SCORES,
    OF_USERS,
    SmallTable,
    are_equal,
    forms_on_tables,
    mean_of,
    rows_of_users,
    small_table,
    values_key,
    values_of,
)
from .seeds import SEEDS
from .waterfall import reproducing

# The cutoff of tables for metrics of whole lists.
_CUTOFF = 3

# Minimum share of tables on which a function equals a form of its metric.
_KNOWN = 0.8

# Seeds of further tables.
_POOL = 300

_THRESHOLDS = (None, -inf, 1, 2)
# Features of tables on which rules matter, beyond the formula of a user's value.
_ODD = OF_USERS | OF_SCORES | OF_REPEATS

# Features of users who may have no value.
_VALUELESS = frozenset({"no_list", "unjudged", "no_relevant", "no_hit"})

_HITS = "averages over users with a hit"

_REPEATS = ("duplicates", "truth_duplicates")

# Parameters outside of the formula of a user's value.
_NO_FORMULA = {"average", "digits"}

_POPULATIONS = ("truth", "truth_and_recs", "judged", "judged_and_recs", "recs", "all", "hits")
_OF_POOLED = [(x, "omit", "value") for x in _POPULATIONS if x != "hits"]
_UNDEFINED = ("omit", "zero", "propagate", "one")


def _values_of_rows(rule: str) -> tuple[str, ...]:
    """Return the values for rows that are repeated, except those that depend on more than these."""
    others = {"rows_of_users", "depends_on_cutoffs"}
    return tuple(x for x, own in VALUES[rule].items() if x != "error" and not others & {*own})


# Choices for rows that sqlrec orders or rejects, each for tables with a feature.
_ROW_CHOICES = {
    "ties": ("ties", ("item_asc", "item_desc", "first", "shared", "text_asc", "text_desc")),
    "negative": ("scores", ("any", "positive")),
    "list_repeats": ("duplicates", _values_of_rows("duplicates")),
    "truth_repeats": ("truth_duplicates", _values_of_rows("truth_duplicates")),
}


@dataclass(frozen=True)
class Difference:
    """Tables on which the function differs from the form.

    Attributes:
        description: The feature that these tables have.
        count: The number of these tables on which the two differ, and of all these tables.
        table: The smallest of them.
        value: The function's value of it, or the reason why it has none.
        expected: The form's value of it.
    """

    description: str
    count: tuple[int, int]
    table: SmallTable
    value: float | str
    expected: float | None

    def __str__(self) -> str:
        value = self.value if isinstance(self.value, str) else f"{self.value:.4f}"
        expected = "no value" if self.expected is None else f"{self.expected:.4f}"
        return (
            f"except for {self.description}: {self.count[0]} of {self.count[1]} tables; "
            f"{value} instead of {expected} on\n"
            f"  recs   {_rows(self.table.recs)}\n  truth  {_rows(self.table.truth)}"
        )


@dataclass(frozen=True)
class Identification:
    """The form of a metric that a function computes.

    Attributes:
        metric: The metric of the form; another one than the caller's if that fits.
        requested: The metric, as the caller wrote it.
        names: The libraries whose form is nearest; ``sqlrec`` among them.
        switches: The differences of the function from them, in words.
        from_sqlrec: Its differences from sqlrec, in words.
        request: The arguments of ``sqlrec evaluate`` that print the form, if there are any.
        equal: The number of tables on which the form equals the function.
        tables: The number of all tables that the function's inputs can show.
        differences: The tables that are left, by their features.
        style: The inputs that the function takes.
    """

    metric: str
    requested: str
    names: Sequence[str]
    switches: Sequence[str]
    from_sqlrec: Sequence[str]
    request: str
    equal: int
    tables: int
    differences: Sequence[Difference]
    style: str

    def __str__(self) -> str:
        is_known = self.equal >= _KNOWN * self.tables
        verb = "equals" if is_known else "does not equal a form of the metric; the nearest is"
        if self.metric != self.requested:
            verb = f"is not {self.requested}, but {self.metric}: {verb}"
        also = f" (also {', '.join(self.names[1:4])})" if self.names[1:] else ""
        but = f", but {together(self.switches, len(self.switches))}" if self.switches else ""
        count = f"{self.equal} of {self.tables} tables ({self.style})"
        lines = [f"{verb} {self.names[0]}{also}{but}; {count}"]
        if self.from_sqlrec != self.switches and self.from_sqlrec:
            lines.append(f"Unlike sqlrec it {together(self.from_sqlrec, len(self.from_sqlrec))}.")
        lines += map(str, self.differences if is_known else self.differences[:1])
        if self.request:
            lines.append(f"To print it: sqlrec evaluate {self.request} ...")
        return "\n".join(lines)

    __repr__ = __str__


def identify(function: Callable[..., Any], metric: str) -> Identification:
    """Identify the form of a metric that a function of yours computes, or how it differs.

    The function is called on small tables on which the forms of the metric differ, in the style
    that its parameters suggest: with dicts, pandas frames, arrays, or lists of one or all users. A
    parameter named ``k``, ``n`` or similar gets the cutoff.

    Args:
        function: The function, of lists and truth in either order, which returns a number; or of
            the grades of lists.
        metric: The metric with its cutoff, as in ``ndcg@10``.

    Returns:
        An Identification, which prints as text.

    Example:
        >>> import sqlrec
        >>> def share(recs, truth, k=10):
        ...     hits = [len(set(recs.get(u, [])[:k]) & truth[u]) / k for u in truth if truth[u]]
        ...     return sum(hits) / len(hits)
        >>> identification = sqlrec.identify(share, "precision@10")
        >>> identification.equal == identification.tables, "sqlrec" in identification.names
        (True, True)

    Raises:
        InputError: It is not a function, or returns a number in no style of inputs.
        MetricError: The metric is unknown, or is not one of lists and truth.
    """
    if not callable(function):
        raise InputError(f"function={function!r:.80}: give a function, as in module.ndcg")
    own, *others = parse_metrics(metric)
    if others or own.metric.rows != "hits" or not own.reads("truth"):
        raise MetricError(f"metric={metric!r}: give one metric of lists and truth, as in ndcg@10")
    calls = calls_of(function, (own.metric.name, *own.metric.aliases), own.k is not None)
    trial, fit = _nearest(own, [_Trial(call, _tables(own.k or _CUTOFF)) for call in calls])
    if fit.share < 1:
        requests = _other_metrics(own)
        # Libraries exist for which every row of the truth is relevant.
        guesses = [
            _Guess(switched(request, [(("relevance_threshold", threshold),)], ""))
            for threshold in (None, -inf)
            for request in requests
        ]
        other = _best(trial, guesses, trial.plain)
        if other.share == 1:
            (own,), fit = parse_metrics(other.request.text), other
    return _identification(own, metric, trial, _refine_guess(own, trial, fit))


class _Trial:
    """A function in one style of inputs.

    Attributes:
        call: The way to call it.
        values_by_table: Its values on all tables that the style can show.
    """

    def __init__(self, call: Call, tables: Sequence[SmallTable]) -> None:
        self.call = call
        self.values_by_table = {table: call.value(table) for table in tables if call.uses(table)}

    def tables(self, features: frozenset[str]) -> tuple[SmallTable, ...]:
        """Return the tables that have none of some features."""
        return tuple(table for table in self.values_by_table if not table.features & features)

    @property
    def plain(self) -> tuple[SmallTable, ...]:
        """The plainest tables with a value."""
        return tuple(x for x in self.tables(_ODD) if not isinstance(self.values_by_table[x], str))

    @property
    def known_share(self) -> float:
        """The share of the plainest tables with a value, among tables whose lists have hits."""
        values = [self.values_by_table[table] for table in self.tables(_ODD | _VALUELESS)]
        return sum(isinstance(x, float) for x in values) / max(1, len(values))

    @property
    def differs(self) -> bool:
        """Whether it has different values for the same users, so that it reads their items."""
        values: dict[tuple[tuple[str, bool, bool], ...], set[float]] = {}
        for table, value in self.values_by_table.items():
            if isinstance(value, float):
                seen = self.call.style.seen(table).users.items()
                users = tuple((user, bool(rows), bool(judged)) for user, (rows, judged) in seen)
                values.setdefault(users, set()).add(value)
        return any(len(of_users) > 1 for of_users in values.values())

    def is_equal(self, table: SmallTable, value: float | None) -> bool:
        """Return whether the function has a value on a table, or 0 if no user may have one."""
        actual = self.values_by_table[table]
        if isinstance(actual, str):
            return value is None
        if value is None:
            return actual == 0 and bool(table.features & _VALUELESS)
        return are_equal(actual, value)


@dataclass(frozen=True)
class _Twist:
    """A habit or a mistake outside of the forms of a metric.

    Attributes:
        text: Its description.
        table: A function from a table to one on which the form has the function's value.
        more: The ranks by which the cutoff is larger; None for lists that are not cut.
        formula: The value of a user that takes the form's rank, by the gains of a list within the
            cutoff, and the gains of all relevant items, largest first.
    """

    text: str
    table: Callable[[SmallTable], SmallTable] = lambda table: table
    more: int | None = 0
    formula: Callable[[list[float], list[float]], float] | None = None

    @property
    def uncut(self) -> _Twist:
        """The twist without a cutoff of lists."""
        return replace(self, text=f"does not cut lists, {self.text}", more=None)

    def cutoff(self, k: int | None) -> int | None:
        """Return the cutoff of the form."""
        return None if self.more is None or k is None else k + self.more


def _shift_lists(table: SmallTable) -> SmallTable:
    """Return a table whose lists start one rank further down."""
    users = {user: rows[0][1] + 1 for user, (rows, _) in table.users.items() if rows}
    first = tuple((user, -1, score) for user, score in users.items())
    return replace(table, recs=first + table.recs)


def _reverse_lists(table: SmallTable) -> SmallTable:
    """Return a table whose lists start with the lowest score."""
    above = max((score for *_, score in table.recs), default=0.0) + 1
    return replace(table, recs=tuple((u, i, above - score) for u, i, score in table.recs))


def _cut_truth(table: SmallTable) -> SmallTable:
    """Return a table whose users have the first relevant items, as many as the cutoff."""
    relevant = [
        (user, [x for x in judged if x[1] > 0]) for user, (_, judged) in table.users.items()
    ]
    first = tuple((user, *row) for user, rows in relevant for row in rows[: table.k])
    return replace(table, truth=first)


def _hit_ranks(gains: list[float]) -> list[int]:
    return [rank for rank, gain in enumerate(gains, 1) if gain > 0]


def _dcg(gains: list[float], first: int = 1) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, first))


def _by_rank(gains: list[float]) -> float:
    return sum(gain / rank for rank, gain in enumerate(gains, 1))


# Mistakes in the formula of each metric.
_MISTAKES = {
    "reciprocal_rank": (
        _Twist(
            "uses the last hit, not the first",
            formula=lambda x, _: 1 / max(_hit_ranks(x), default=inf),
        ),
        _Twist(
            "numbers ranks from 0, with 1 for both of the first two",
            formula=lambda x, _: 1 / max(1, min([*_hit_ranks(x), inf]) - 1),
        ),
        _Twist(
            "adds 1 / rank of all hits, not of the first",
            formula=lambda x, _: sum(1 / rank for rank in _hit_ranks(x)),
        ),
        _Twist(
            "averages 1 / rank over all hits",
            formula=lambda x, _: fmean([1 / rank for rank in _hit_ranks(x)] or [0]),
        ),
    ),
    "average_precision": (
        _Twist(
            "adds 1 / rank of hits, not the precision there",
            formula=lambda x, relevant: sum(1 / rank for rank in _hit_ranks(x)) / len(relevant),
        ),
        _Twist(
            "averages the recall at hits, not the precision",
            formula=lambda x, relevant: fmean(
                [n / len(relevant) for n, _ in enumerate(_hit_ranks(x), 1)] or [0]
            ),
        ),
        _Twist(
            "averages the precision at every rank, not at hits (depth_precision; MAP of Elliot)",
            formula=lambda x, _: fmean(len(_hit_ranks(x[:n])) / n for n in range(1, len(x) + 1)),
        ),
    ),
    "ndcg": (
        _Twist(
            "discounts each rank of the list, but not of the ideal list, like the next rank",
            formula=lambda x, relevant: _dcg(x, 2) / _dcg(relevant[: len(x)]),
        ),
        _Twist(
            "discounts each rank as the next rank, those of the ideal list too",
            formula=lambda x, relevant: _dcg(x, 2) / _dcg(relevant[: len(x)], 2),
        ),
        _Twist(
            "divides once more by the number of relevant items",
            formula=lambda x, relevant: _dcg(x) / _dcg(relevant[: len(x)]) / len(relevant),
        ),
        _Twist(
            "divides each gain by the rank, not by a logarithm, in the ideal list too",
            formula=lambda x, relevant: _by_rank(x) / _by_rank(relevant[: len(x)]),
        ),
    ),
    "recall": (
        _Twist(
            "adds the grades of hits, not their number",
            formula=lambda x, relevant: sum(x) / len(relevant),
        ),
        _Twist(
            "divides the sum of the grades of hits by that of all relevant items",
            formula=lambda x, relevant: sum(x) / sum(relevant),
        ),
    ),
    "precision": (
        _Twist("counts hits, not their share", formula=lambda x, _: float(len(_hit_ranks(x)))),
        _Twist("adds the grades of hits, not their number", formula=lambda x, _: sum(x) / len(x)),
    ),
    "hit_rate": (
        _Twist("counts the hits of a list", formula=lambda x, _: float(len(_hit_ranks(x)))),
        _Twist("adds the grades of a list's hits", formula=lambda x, _: sum(x)),
    ),
}

_PLAIN = _Twist("")
_TWISTS = (
    _Twist("does not cut lists", more=None),
    _Twist("cuts lists one rank too early", more=-1),
    _Twist("cuts lists one rank too late", more=1),
    _Twist(
        "treats the items of a list within the cutoff as all relevant items",
        lambda table: with_listed_truth(table, table.k),
    ),
    _Twist("treats the items of a list as all relevant items", with_listed_truth),
    _Twist(
        "does not cut lists, and treats their items as all relevant items",
        with_listed_truth,
        more=None,
    ),
    _Twist("counts each rank as the next rank", _shift_lists, more=1),
    _Twist("puts the lowest score first", _reverse_lists),
    _Twist("reads only the first relevant item of a user", with_single_items),
    _Twist("reads only the first relevant items of a user, up to the cutoff", _cut_truth),
)


@dataclass(frozen=True)
class _Guess:
    """A form of a metric, with the differences of a function from it.

    Attributes:
        request: The metric with parameters, and rules except rules of users.
        of_users: The population, and the rules for undefined values and users without a list.
        twist: A habit or mistake.
        outcome: The change of the value by the function: a description and a function.
        share: The share of the plainest tables on which it equals the function.
    """

    request: MetricRequest
    of_users: tuple[str, str, str] = ("truth", "omit", "value")
    twist: _Twist = _PLAIN
    outcome: tuple[str, Callable[[float], float]] | None = None
    share: float = 0.0

    @property
    def form(self) -> Form:
        """The form, with all its rules."""
        names = ("population", "undefined", "without_list")
        rules = {**self.request.rules, **dict(zip(names, self.of_users, strict=True))}
        return Form(replace(self.request, rules=rules), [], {})

    @property
    def way(self) -> tuple[_Twist, float | None]:
        """The twist of tables, and the threshold of relevance that applies before it."""
        is_plain = self.twist is _PLAIN
        return self.twist, None if is_plain else self.request.rules.get("relevance_threshold")

    @property
    def base(self) -> MetricRequest:
        """The request that has the values of all users, on the tables of ``way``."""
        rules = {"duplicates": "best", "truth_duplicates": "best", **self.request.rules}
        if self.twist is not _PLAIN:
            rules.pop("relevance_threshold", None)
        k = self.twist.cutoff(self.request.k)
        return replace(self.request, rules={**rules, "population": "all"}, k=k)

    @property
    def is_pooled(self) -> bool:
        """Whether hits of all users are added up before they are divided."""
        return self.request.settings.get("average") == "pooled"

    @property
    def habits(self) -> list[str]:
        """Descriptions of habits outside of the form."""
        return [x for x in (self.twist.text, self.outcome[0] if self.outcome else "") if x]

    def __hash__(self) -> int:
        return id(self)


def _values(guesses: Sequence[_Guess], tables: Sequence[SmallTable]) -> list[list[float | None]]:
    """Return the values of guesses on tables."""
    seen = {
        way: [way[0].table(_above(table, way[1])) for table in tables]
        for way in dict.fromkeys(guess.way for guess in guesses)
    }
    bases = {guess: guess.base for guess in guesses if not guess.twist.formula}
    means = [guess for guess in bases if not guess.is_pooled]
    rows = rows_of_users([bases[guess] for guess in means], chain(*(seen[x.way] for x in means)))
    columns: list[list[float | None]] = []
    for n, guess in enumerate(guesses):
        own = seen[guess.way]
        if guess.twist.formula:
            column = [_by_formula(guess, table) for table in own]
        elif guess.is_pooled or values_key(bases[guess]) not in rows:
            base = bases[guess]
            rules = {**base.rules, "population": guess.of_users[0]}
            column = values_of([replace(base, rules=rules, label=f"{n}")], own)[f"{n}"]
        else:
            form = UserForm("", bases[guess], *guess.of_users)
            of_form = rows[values_key(bases[guess])]
            column = [mean_of(form, of_form[table]) for table in own]
        change = guess.outcome[1] if guess.outcome else None
        columns.append([change(x) if change and x is not None else x for x in column])
    return columns


@cache
def _above(table: SmallTable, threshold: float | None) -> SmallTable:
    """Return a table in which all items from a threshold of relevance up, and no others, count."""
    if threshold is None:
        return table
    truth = tuple(
        (u, i, grade if grade >= threshold and grade > 0 else float(grade >= threshold))
        for u, i, grade in table.truth
    )
    return replace(table, truth=truth)


def _by_formula(guess: _Guess, table: SmallTable) -> float | None:
    """Return the value of a guess on a table by the formula of its twist."""
    gain, formula = guess.request.settings.get("gain"), guess.twist.formula
    k = guess.twist.cutoff(guess.request.k)
    rows = []
    for listed, judged in table.users.values():
        grades = {
            item: {"binary": 1.0, "exponential": 2**grade - 1}.get(str(gain), grade)
            for item, grade in judged
            if grade > 0
        }
        gains = [grades.get(item, 0.0) for item, _ in listed[:k]]
        # The ideal list has as many ranks as the cutoff.
        gains += [0.0] * ((k or len(judged)) - len(gains))
        relevant = sorted(grades.values(), reverse=True)
        row = {"list_length": len(listed), "judged_items": len(judged), "violations": 0}
        row["relevant_items"] = len(relevant)
        rows.append(row | {"value": formula(gains, relevant) if formula and relevant else None})
    return mean_of(UserForm("", guess.request, *guess.of_users), rows)


def _best(
    trial: _Trial,
    guesses: Sequence[_Guess],
    tables: Sequence[SmallTable],
    values: Sequence[Sequence[float | None]] | None = None,
) -> _Guess:
    """Return the first guess that equals the function on most tables."""
    if not tables:
        return guesses[0]
    values = values or _values(guesses, [*map(trial.call.style.seen, tables)])
    equal = [sum(map(trial.is_equal, tables, column)) for column in values]
    largest = max(range(len(guesses)), key=equal.__getitem__)
    return replace(guesses[largest], share=equal[largest] / len(tables))


def _formula(own: MetricRequest, trial: _Trial) -> _Guess:
    """Return the formula of users' values that equals the function on most tables."""
    tables = trial.plain
    visible = tuple(map(trial.call.style.seen, tables))
    guesses, values = formulas(own.text, visible)
    best = _best(trial, guesses, tables, values)
    if best.share == 1:
        return best
    for guess, column in zip(guesses, values, strict=True):
        for outcome in _outcomes([trial.values_by_table[table] for table in tables], column):
            changed = [outcome[1](x) if x is not None else x for x in column]
            if all(map(trial.is_equal, tables, changed)):
                return replace(guess, outcome=outcome, share=1.0)
    return best


def _outcomes(
    actual: Sequence[float | str], values: Sequence[float | None]
) -> Iterator[tuple[str, Callable[[float], float]]]:
    """Yield changes that a function may make to the values of a form."""
    pairs = [(x, y) for x, y in zip(actual, values, strict=True) if y and isinstance(x, float)]
    if len(pairs) < 3:
        return
    yield "subtracts the value from 1", lambda value: 1 - value
    for digits in (5, 4, 3, 2):
        yield f"rounds the value to {digits} decimals", lambda x, n=digits: round(x, n)  # type: ignore[misc]
    factor = pairs[0][0] / pairs[0][1]
    if factor:
        yield f"multiplies the value by {factor:.6g}", lambda value: value * factor


@cache
def formulas(
    metric: str, tables: tuple[SmallTable, ...]
) -> tuple[list[_Guess], list[list[float | None]]]:
    """Return formulas of users' values, those of few changes first, and their values on tables."""
    (own,) = parse_metrics(metric)
    names = [
        (key, allowed)
        for key, allowed in own.metric.params.items()
        if isinstance(allowed[0], str) and key not in {*own.params, *_NO_FORMULA}
    ]
    settings = [tuple(zip(dict(names), x, strict=True)) for x in product(*dict(names).values())]
    default = {key: allowed[0] for key, allowed in names}
    changes = {x: sum(default[key] != choice for key, choice in x) for x in settings}
    settings.sort(key=changes.__getitem__)
    guesses = [
        _Guess(switched(own, [x, (("relevance_threshold", threshold),)], ""), twist=twist)
        for twist, threshold in (
            *product([_PLAIN], _THRESHOLDS),
            *product((*_TWISTS, *_MISTAKES.get(own.metric.name, ())), _THRESHOLDS),
            *((mistake.uncut, None) for mistake in _MISTAKES.get(own.metric.name, ()) if own.k),
        )
        if twist.cutoff(own.k) != 0 and (own.k or not twist.more)
        for x in settings
        if changes[x] < (2 if twist.text or threshold is not None else 5)
        # A formula of its own has only the gain as a setting.
        if not (twist.formula and any(default[key] != y for key, y in x if key != "gain"))
        # Without a cutoff nothing is divided by it.
        if twist.formula
        or twist.cutoff(own.k)
        or "k" not in switched(own, [x], "").settings.values()
    ]
    return guesses, _values(guesses, tables)


def _nearest(own: MetricRequest, trials: Sequence[_Trial]) -> tuple[_Trial, _Guess]:
    """Return the style of inputs in which the function has most values, and its formula.

    Raises:
        InputError: It has no value in any style, or another one in a second call.
    """
    # In a style that is not its own, a function may run and return always the same.
    trials = [trial for trial in trials if trial.differs] or trials
    largest = max(trial.known_share for trial in trials)
    name = f"function={trials[0].call.function!r:.80}"
    if not largest:
        reasons = {str(x) for trial in trials for x in trial.values_by_table.values()}
        raise InputError(
            f"{name}: it returns no number for lists and truth as dicts, pandas frames, arrays or "
            f"lists; {', '.join(sorted(reasons))}"
        )
    fits: list[tuple[_Trial, _Guess]] = []
    for trial in trials:
        if trial.known_share == largest and not (fits and fits[-1][1].share == 1):
            fits.append((trial, _formula(own, trial)))
    trial, fit = max(fits, key=lambda pair: pair[1].share)
    if fit.share < 1:
        # For other metrics too, the first style that runs is the function's own.
        order = trial.call.truth_first
        trial, fit = next(pair for pair in fits if pair[0].call.truth_first is order)
    if any(trial.call.value(table) != value for table, value in trial.values_by_table.items()):
        raise InputError(f"{name}: a second call on the same inputs returns another value")
    return trial, fit


def _refine_guess(own: MetricRequest, trial: _Trial, guess: _Guess) -> _Guess:
    """Return a guess with the rules of users, of equal scores and of repeated rows."""
    of_users = [
        replace(guess, of_users=users)
        for users in sorted(
            product(_POPULATIONS, _UNDEFINED, ("value", "undefined")),
            key=lambda x: sum(map(str.__ne__, x, ("truth", "omit", "value"))),
        )
    ]
    tables = trial.tables(OF_SCORES | OF_REPEATS)
    guess = _best(trial, of_users, tables)
    if guess.share < 1 and "average" in guess.request.settings:
        pooled = switched(guess.request, [(("average", "pooled"),)], "")
        of_users = [replace(guess, request=pooled, of_users=x) for x in _OF_POOLED]
        guess = max(guess, _best(trial, of_users, tables), key=lambda x: x.share)
    for feature, (rule, choices) in _ROW_CHOICES.items():
        tables = trial.tables((OF_SCORES | OF_REPEATS) - {feature})
        tables = tuple(table for table in tables if feature in table.features)
        requests = [switched(guess.request, [((rule, x),)], "") for x in choices]
        guess = _best(trial, [replace(guess, request=x) for x in requests], tables)
    return guess


@cache
def _tables(k: int) -> tuple[SmallTable, ...]:
    """Return all tables, and a table for each of their users."""
    tables = [small_table(seed, k) for seed in SEEDS]
    users = [table.of_user(user) for table in tables for user in table.users]
    plain = [x for x in users if not x.features & _ODD]
    # A few of each feature, for one user and for several.
    pool = [small_table(seed, k) for seed in range(_POOL)]
    single = [table.of_user(user) for table in pool for user in table.users]
    more = [
        table
        for feature in FEATURES
        for group, without in ((single, _ODD), (pool, OF_SCORES | OF_REPEATS))
        for table in [x for x in group if feature in x.features and not x.features & without][:2]
    ]
    # A second user with the same list, who has nothing relevant, or no hit.
    pairs = [
        replace(
            x,
            recs=(*x.recs, *(("u0", item, score) for _, item, score in x.recs)),
            truth=(*x.truth, *(("u0", item + other, float(bool(other))) for _, item, _ in x.truth)),
        )
        for other in (0, 1000)
        for x in plain[:4]
    ]
    return (*dict.fromkeys([*tables, *plain, *more, *pairs]),)


def _other_metrics(own: MetricRequest) -> list[MetricRequest]:
    """Return other metrics of lists and truth, at the same cutoff."""
    requests = [
        request
        for other in known_metrics().values()
        if other.name != own.metric.name and other.rows == "hits"
        if {need.table for need in other.needs} == {"recs", "truth"}
        for request in parse_metrics(format_metric(other.name, own.k))
    ]
    changed = [
        switched(request, [((key, choice),)], "")
        for request in requests
        for key, allowed in request.metric.params.items()
        if isinstance(allowed[0], str) and key not in _NO_FORMULA
        for choice in allowed[1:]
        if own.k or choice != "k"
    ]
    return [*requests, *changed]


def _identification(
    own: MetricRequest, requested: str, trial: _Trial, guess: _Guess
) -> Identification:
    """Return the identification by a guess."""
    tables = [*trial.values_by_table]
    visible = tuple(map(trial.call.style.seen, tables))
    (values,) = _values([guess], visible)
    by_table = dict(zip(tables, values, strict=True))
    # Forms do not have the parameters of another metric that fits.
    libraries = [form for form in forms_on_tables(*parse_metrics(own.text)) if form.names]
    form, sqlrec = guess.form, libraries[0]
    library = min(libraries, key=lambda x: (len(_switches(x, form)), len(_switches(sqlrec, x))))
    rules = {key: x for key, x in form.request.rules.items() if key not in _REPEATS}
    usual = replace(form.request, rules=rules)
    names, repeats = list(library.names), _switches(library, form)
    plain_names: list[str] = []
    for excluded in () if guess.habits else (OF_REPEATS, frozenset[str]()):
        plain = [n for n, table in enumerate(tables) if not table.features & excluded]
        libraries = _equal_libraries(libraries, trial, [tables[n] for n in plain])
        if libraries:
            # Libraries that equal it also where rows repeat an item come first.
            equal = sorted((x for one in libraries for x in one.names), key=by_fame)
            names = [*dict.fromkeys(equal) | dict.fromkeys(plain_names)]
            plain_names = names
            repeats = [
                meaning(x, own.k) for x in switches_of(libraries[0], form) if _is_repeat_switch(x)
            ]
            repeats = repeats if excluded else []
    return Identification(
        metric=own.text,
        requested=requested,
        names=names,
        switches=[*repeats, *guess.habits],
        from_sqlrec=[*_switches(sqlrec, form), *guess.habits],
        request="" if guess.habits else reproducing(own, Form(usual, names, {})),
        equal=sum(map(trial.is_equal, tables, values)),
        tables=len(tables),
        differences=[*_differences(trial, by_table)],
        style=trial.call.style.name,
    )


def _equal_libraries(
    libraries: Sequence[Form], trial: _Trial, tables: Sequence[SmallTable]
) -> list[Form]:
    """Return the libraries' forms that equal the function on tables."""
    equal = [*libraries]
    # Most differ on the plainest tables already.
    for scores in (False, True):
        some = [table for table in tables if bool(table.features & OF_SCORES) is scores]
        values = values_of([x.request for x in equal], [*map(trial.call.style.seen, some)])
        equal = [x for x in equal if all(map(trial.is_equal, some, values[x.request.label]))]
    return equal


def _is_repeat_switch(switch: Switch) -> bool:
    return switch[0][0] in _REPEATS


def _switches(base: Form, form: Form) -> list[str]:
    """Return the descriptions of switches between two forms, except switches for repeated rows."""
    switches = [
        # The tables have scores, so that there is only one order.
        tuple(pair for pair in switch if pair[0] != "order")
        for switch in switches_of(base, form)
        if not _is_repeat_switch(switch)
    ]
    return [
        _HITS if ("population", "hits") in switch else meaning(switch, form.request.k)
        for switch in switches
        if switch
    ]


def _differences(trial: _Trial, values: Mapping[SmallTable, float | None]) -> Iterator[Difference]:
    """Yield a difference for each feature that explains most of the tables that are left."""
    wrong = {table for table, value in values.items() if not trial.is_equal(table, value)}
    left = {*wrong}
    while left:
        tables = {feature: {x for x in values if feature in x.features} for feature in FEATURES}
        shares = {}
        for feature, having in tables.items():
            if explained := left & having:
                share = len(wrong & having) / len(having)
                shares[feature] = share > 0.9, explained == left, share, len(explained)
        best = max(shares, key=lambda x: shares[x], default="")
        having = tables.get(best, {*values})
        table = min(left & having, key=lambda x: (x.size, x.recs))
        yield Difference(
            FEATURES.get(best, "other tables"),
            (len(wrong & having), len(having)),
            table,
            trial.values_by_table[table],
            values[table],
        )
        left -= having


def _rows(rows: Sequence[tuple[str, int, float]]) -> str:
    return "  ".join(f"{user}: {item} ({value:g})" for user, item, value in rows) or "none"
