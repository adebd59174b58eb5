"""Identification of the form of a metric that a function of the caller computes."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain, islice, product
from math import inf
from operator import attrgetter, mul
from textwrap import fill
from typing import Any
from warnings import catch_warnings

from ..catalogue.headers import metrics as known_metrics
from ..catalogue.requests import MetricRequest, format_metric, parse_metrics
from ..errors import InputError, MetricError
from ..records import Record
from ..rules import VALUES
from .forms import ABOVE, Form, Switch, describe_switch, library_rank, switch_request, switches_of
from .identify_calls import STYLES_OF_ONE, Call, calls_of
from .identify_formulas import (
    METRICS,
    OF_MEAN,
    ROW_RULES,
    UNIVERSES,
    Choices,
    Formula,
    first_value,
    formula_rows,
    formulas_near,
    params_of,
    with_grades,
)
from .identify_tables import (
    AVERAGES,
    FEATURES,
    OF_REPEATS,
    OF_SCORES,
    OF_USERS,
    POPULATIONS,
    REPEAT_RULES,
    Row,
    SmallTable,
    are_equal,
    average_rows,
    drop_repeat_rules,
    evaluate_requests,
    forms_on_tables,
    search_tables,
)
from .waterfall import form_command

# The cutoff of tables for metrics of whole lists.
_CUTOFF = 3

# The minimum share of tables on which a function equals a form of the metric.
_KNOWN = 0.8

# Features of tables that need rules in addition to the formula of a user's value.
_ODD = OF_USERS | OF_SCORES | OF_REPEATS

# Features of users who may have no value.
_VALUELESS = frozenset({"no_list", "unjudged", "no_relevant", "no_hit"})

# Parameters outside of the formula of a user's value.
_NO_FORMULA = {"average", "digits"}

# Populations, rules for undefined values, rules for users without a list, and averages; the usual
# choices come first.
_USERS = sorted(
    product(POPULATIONS, ("omit", "zero", "propagate", "one"), ("value", "undefined"), AVERAGES),
    key=lambda x: sum(map(str.__ne__, x, ("truth", "omit", "value", "users"))),
)

# The maximum numbers of formulas to keep that equal a function on simple tables, and on all plain
# tables.
_SIMPLE, _FORMULAS = 300, 12

# The number of tables with which each style is tried.
_PROBES = 24

# The maximum number of groups of styles to try, from the style with the most values.
_TIERS = 3

# The maximum error of a rounded value. Simple fractions are not rounded values; their denominators
# are at most this number.
_EXACT, _SIMPLEST = 1e-12, 20

# The width of printed lines, and a space that does not break a line.
_WIDTH, _JOINT = 80, "\N{NO-BREAK SPACE}"

# The maximum number of printed differences.
_SHOWN = 3

# To measure thresholds: items of a list that are not relevant, and a grade above all thresholds.
_REST: tuple[Row, ...] = (("u", 2, 8.0), ("u", 3, 7.0))
_HIGH = 40.0

# The minimum number of values from which a common change of all values can be inferred.
_PAIRS = 3


@dataclass(frozen=True)
class Difference:
    """Tables with a common feature. Some of them show a difference between function and form.

    Attributes:
        description: The feature that these tables have.
        count: The number of tables with the feature and a difference, and of all tables with the
            feature.
        table: The smallest table with a difference.
        value: The function's value on this table, or the reason for a missing value.
        expected: The form's value on this table.
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
            f"{value} instead of {expected} on\n{_format_table(self.table)}"
        )


@dataclass(frozen=True)
class Identification:
    """The form of a metric that a function computes.

    Attributes:
        metric: The metric of the form; it can differ from the caller's metric.
        requested: The metric, as the caller wrote it.
        names: The libraries with the nearest form; ``sqlrec`` can be among them.
        switches: The differences of the function from this form, in words.
        from_sqlrec: The differences of the function from sqlrec, in words.
        request: The arguments of ``sqlrec evaluate`` that print the form's value, if they exist.
        equal: The number of tables on which the form equals the function.
        tables: The number of all tables that the function's style of inputs can represent.
        differences: The tables with differences, grouped by feature.
        errors: The tables on which the function raises an error and the form has no value.
        style: The inputs that the function takes.
        reads_only_lists: Whether the function's inputs omit relevant items outside of lists.
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
    errors: Sequence[Difference]
    style: str
    reads_only_lists: bool

    def __str__(self) -> str:
        is_known = self.equal >= _KNOWN * self.tables
        verb = "equals" if is_known else "does not equal a form of the metric; the nearest is"
        if self.metric != self.requested:
            verb = f"is not {self.requested}, but {self.metric}: {verb}"
        also = f" (also {', '.join(self.names[1:4])})" if self.names[1:] else ""
        equal = f"{verb} {self.names[0]}{also}"
        count = f"{self.equal} of {self.tables} tables ({self.style})"
        if len(self.switches) == 1:
            lines = [f"{equal}, but {self.switches[0]}; {count}"]
        else:
            lines = [f"{equal}; {count}" + (", but it" if self.switches else "")]
            lines += [f"  - {text}" for text in self.switches]
        further = [text for text in self.from_sqlrec if text not in self.switches]
        unlike = "Unlike sqlrec it also" if self.switches else "Unlike sqlrec it"
        if len(further) == 1:
            lines.append(f"{unlike} {further[0]}.")
        elif further:
            lines += [unlike, *(f"  - {text}" for text in further)]
        lines += map(str, self.differences[: _SHOWN if is_known else 1])
        if self.reads_only_lists:
            lines.append(
                "Its inputs contain only items of lists: other relevant items do not count"
            )
        lines += [
            f"It{str(error.value)[2:]} for {error.description}: {error.count[0]} tables, such as\n"
            f"{_format_table(error.table)}"
            for error in self.errors
        ]
        lines = [
            fill(x, _WIDTH, subsequent_indent="    ", break_on_hyphens=False).replace(_JOINT, " ")
            for x in "\n".join(lines).split("\n")
        ]
        if self.request:
            lines.append(f"`sqlrec evaluate {self.request}` prints its values.")
        return "\n".join(lines)

    __repr__ = __str__


def identify(function: Callable[..., Any], metric: str) -> Identification:
    """Identify the form of a metric that your function computes, or the nearest form.

    The function is called on small tables on which the forms of the metric differ, in the style
    that its parameters suggest: with dicts, pandas or Polars frames, arrays, or lists of one or all
    users. A parameter named ``k``, ``n`` or similar gets the cutoff.

    Args:
        function: A function that takes lists and truth in either order, or the grades of lists, and
            returns a number.
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
        InputError: ``function`` is not a function, or returns no number for any style of inputs.
        MetricError: The metric is unknown, or needs inputs other than recs and truth.
    """
    if not callable(function):
        raise InputError(f"function={function!r:.80}: give a function, as in module.ndcg")
    own, *others = parse_metrics(metric)
    if others or own.metric.rows != "hits" or not own.reads("truth"):
        raise MetricError(f"metric={metric!r}: give one metric of lists and truth, as in ndcg@10")
    # Warnings would describe the small tables, not data of the caller.
    with catch_warnings(action="ignore"):
        return describe_form(own, metric, *find_form(function, own))


def find_form(function: Callable[..., Any], own: MetricRequest) -> tuple[_Trial, _Guess]:
    """Return the style of inputs of a function, and the form that equals it on most tables."""
    calls = calls_of(function, (own.metric.name, *own.metric.aliases), own.k is not None)
    answers = []
    for trials in islice(_try_styles(calls, search_tables(own.k or _CUTOFF), own.k), _TIERS):
        trial, guesses = _nearest_formulas(own, trials)
        best = max(_choose_all_rules(trial, guesses), key=lambda x: x.share)
        answers.append((trial, best))
        if best.share >= _KNOWN:
            break
    return max(answers, key=lambda x: x[1].share)


class _Trial:
    """A function in one style of inputs, with its values on the tables that these represent."""

    def __init__(self, call: Call, tables: Sequence[SmallTable], k: int | None) -> None:
        self.call, self.k = call, k
        self.values_by_table = {table: call.value(table) for table in tables if call.uses(table)}
        numbers = {x: y for x, y in self.values_by_table.items() if isinstance(y, float)}
        # The simplest tables: one user, no unusual scores, no repeated rows.
        self.plain = [x for x in self.tables(_ODD) if x in numbers]
        rows = {self.call.style.seen(x): numbers[x] for x in self.plain}
        self.plain_rows = [*rows.items()]
        self.digits = _count_decimals(rows.values()) or _count_decimals(numbers.values())
        grades = {seen: {grade for *_, grade in seen.truth} for seen in rows}
        # Tables with items of one grade; the highest grade is above all thresholds.
        simple = [x for x in grades if grades[x] == {5.0}] or [
            x for x in grades if grades[x] == {1.0}
        ]
        self.simple = [(seen, rows[seen]) for seen in simple]

    def _probe(
        self, score: float | None, grade: float, other: float = _HIGH, rest: tuple[Row, ...] = _REST
    ) -> float | str:
        """Return the function's value for a list of items; item 1 is in it if it has a score."""
        recs = rest if score is None else (("u", 1, score), *rest)
        truth = (("u", 1, grade), ("u", 4, other))
        return self.call.value(SmallTable(self.k or _CUTOFF, recs, truth))

    @cached_property
    def least_score(self) -> float | None:
        """The smallest score of items that the function reads; None if it reads all items."""
        one = SmallTable(self.k or _CUTOFF, (("u", 1, 1.0),), (("u", 1, _HIGH), ("u", 4, _HIGH)))
        if not self.call.uses(one) or self.call.style.seen(one).recs != one.recs:
            return None
        for grade in (_HIGH, 0.0):
            probe = partial(self._probe, grade=grade, rest=())
            if probe(_HIGH) != probe(-_HIGH):
                return _threshold(lambda x: probe(x) == probe(_HIGH))  # noqa: B023
        return None

    @cached_property
    def thresholds(self) -> Sequence[float | str | None]:
        """The smallest grades of relevant items; None for all grades above 0."""
        if self.needs_mean_grade:
            return OF_MEAN
        probe = partial(self._probe, 9.0)
        return [*dict.fromkeys([None, -inf, _threshold(lambda x: probe(x) != probe(0.0))])]

    @cached_property
    def needs_mean_grade(self) -> bool:
        """Whether an item is relevant only if its grade is high for this user."""
        one, five = (self._probe(9.0, 3.0, x) != self._probe(None, 3.0, x) for x in (1.0, 5.0))
        return one and not five

    def tables(self, features: frozenset[str]) -> tuple[SmallTable, ...]:
        """Return the tables without any of the features."""
        return tuple(table for table in self.values_by_table if not table.features & features)

    @property
    def known_share(self) -> float:
        """The share of tables with a value, among tables with hits in lists."""
        unusual = OF_SCORES | OF_REPEATS | _VALUELESS
        values = [self.values_by_table[table] for table in self.tables(unusual)]
        return sum(isinstance(x, float) for x in values) / max(1, len(values))

    @property
    def differs(self) -> bool:
        """Whether values differ for the same users, so the function reads items."""
        values: dict[tuple[tuple[str, bool, bool], ...], set[float]] = {}
        for table, value in self.values_by_table.items():
            if isinstance(value, float):
                seen = self.call.style.seen(table).users.items()
                users = tuple(
                    (user, bool(rows), bool(judgments)) for user, (rows, judgments) in seen
                )
                values.setdefault(users, set()).add(value)
        return any(len(x) > 1 for x in values.values())

    def is_equal(self, table: SmallTable, value: float | None) -> bool:
        """Return whether the function's value on a table equals a value, up to the tolerance."""
        return _equal_values(self.values_by_table[table], value, self.tolerance)

    @property
    def tolerance(self) -> float:
        """The largest difference of equal values."""
        return 1e-6 if self.digits is None else 0.51 * 10**-self.digits

    def equals(
        self,
        formula: Formula,
        rows: Iterable[tuple[SmallTable, float]],
        change: Callable[[float], float] = float,
    ) -> bool:
        """Return whether a changed formula has the function's values on plain tables."""
        values = ((first_value(formula, table, self.k), actual) for table, actual in rows)
        return all(
            not actual if value is None else abs(change(value) - actual) <= self.tolerance
            for value, actual in values
        )


def _count_decimals(values: Iterable[float]) -> int | None:
    """Return the decimals to which values are rounded; simple fractions have few by themselves."""
    distinct = {*values}
    if all(abs(Fraction(y).limit_denominator(_SIMPLEST) - Fraction(y)) < _EXACT for y in distinct):
        return None
    counts = range(2, 6)
    return next((n for n in counts if all(abs(y - round(y, n)) < _EXACT for y in distinct)), None)


@dataclass(frozen=True)
class _Guess:
    """A form of a metric that a function may compute."""

    request: MetricRequest  # With the parameters and rules that are not part of the formula.
    formula: Formula | None  # None for a metric that SQL computes.
    # The population, the rules for undefined values and users without a list, and the average.
    averaging: tuple[str, str, str, str] = _USERS[0]
    outcome: tuple[str, Callable[[float], float]] | None = None  # A named change of values.
    share: float = 0.0  # The share of tables on which the form equals the function.

    @property
    def all_users_request(self) -> MetricRequest:
        """The request, which includes users without relevant items."""
        return switch_request(self.request, [(("population", "all"),)], self.request.label)

    def rows(self, trial: _Trial, tables: Sequence[SmallTable]) -> list[list[Record]]:
        """Return the users' rows for each table, as the function's inputs represent the table."""
        seen = [*map(trial.call.style.seen, tables)]
        formula, k = self.formula or METRICS["precision"], self.request.k
        rows = [formula_rows(formula, table, k) for table in seen]
        if self.formula is None:
            tables_of_users = [table.select_user(x) for table in seen for x in table.users]
            (values,) = evaluate_requests([self.all_users_request], tables_of_users).values()
            for row, value in zip(chain(*rows), values, strict=True):
                row["value"] = value
        return rows

    def averages(self, rows: Iterable[list[Record]]) -> list[float | None]:
        """Return the average of users' values for each table."""
        values = [average_rows(x, *self.averaging) for x in rows]
        change = self.outcome[1] if self.outcome else float
        return [x if x is None else change(x) for x in values]

    def values(self, trial: _Trial, tables: Sequence[SmallTable]) -> list[float | None]:
        """Return the value for each table, as the function's inputs represent the table."""
        return self.averages(self.rows(trial, tables))

    def measure(self, trial: _Trial, tables: Sequence[SmallTable]) -> _Guess:
        """Return the guess with the share of tables on which it equals the function."""
        equal = sum(map(trial.is_equal, tables, self.values(trial, tables)))
        return replace(self, share=equal / max(1, len(tables)))


def _threshold(is_above: Callable[[float], bool]) -> float | None:
    """Return the smallest number with a condition, or one just above; None if near 0."""
    steps = [n / 4 for n in range(1, 41)]
    place = bisect_left(steps, True, key=is_above)
    if place in (0, len(steps)):
        return None
    number = steps[place] if place % 2 else steps[place - 1] + ABOVE
    return int(number) if number.is_integer() else number


def _try_styles(
    calls: Iterable[Call], tables: Sequence[SmallTable], k: int | None
) -> Iterator[list[_Trial]]:
    """Yield the trials of a function: styles with the most values first."""
    usual = [table for table in tables if not table.features & (_ODD | _VALUELESS - {"no_hit"})]
    usual = usual[:: max(1, len(usual) // _PROBES)]
    probes = [
        _Trial(element, usual, k)
        for call in calls
        if (visible := [table for table in usual if call.uses(table)])
        for element in call.elements(visible[0])
    ]
    name = f"function={probes[0].call.function!r:.80}"
    if not max(trial.known_share for trial in probes):
        reasons = {str(x) for trial in probes for x in trial.values_by_table.values()}
        raise InputError(
            f"{name}: it returns no number for lists and truth as dicts, frames, arrays or "
            f"lists; {', '.join(sorted(reasons))}"
        )
    # With inputs in the wrong style, a function may run, but return the same value for all tables.
    probes = [trial for trial in probes if trial.differs] or probes
    for share in sorted({x.known_share for x in probes} - {0.0}, reverse=True):
        trials = [_Trial(x.call, tables, k) for x in probes if x.known_share == share]
        for trial in trials:
            again = {x: trial.call.value(x) for x in usual if x in trial.values_by_table}
            if any(trial.values_by_table[table] != value for table, value in again.items()):
                raise InputError(f"{name}: a second call on the same inputs returns another value")
        for largest in sorted({x.known_share for x in trials}, reverse=True)[:_TIERS]:
            yield [trial for trial in trials if trial.known_share == largest]


def _nearest_formulas(own: MetricRequest, trials: Sequence[_Trial]) -> tuple[_Trial, list[_Guess]]:
    """Return the formulas that equal the function, and the style of inputs."""
    if own.metric.name not in METRICS:
        return _nearest(trials, _vary_parameters([own]))
    special = [trial for trial in trials if trial.call.style.is_special]
    for group in ([trial for trial in trials if trial not in special], special):
        for step, trial in product(_STEPS if group else (), group):
            if guesses := step(own, trial):
                return trial, sorted(guesses, key=lambda x: _shortest_description(own, x)[0])[
                    :_FORMULAS
                ]
    trial, guesses = _nearest(trials, _vary_parameters(_other_metrics(own)))
    if guesses[0].share == 1:
        return trial, guesses
    formulas = (x for n in (0, 1) for x in formulas_near(_request_formula(own), n, own.k))
    return _nearest(trials, [_Guess(own, formula) for formula in formulas])


def _request_formula(own: MetricRequest) -> Choices:
    formula = METRICS[own.metric.name]
    return {**formula, **{key: x for key, x in own.params.items() if key in formula}}


def _search_formulas(
    own: MetricRequest, trial: _Trial, distance: int, is_own: bool, items: Sequence[str] = ("all",)
) -> list[_Guess]:
    """Return the formulas that equal a function, with few changes to a metric's formula."""
    starts = (
        [_request_formula(own)]
        if is_own
        else [{**x} for n, x in METRICS.items() if n != own.metric.name]
    )
    starts = [{**x, "least_score": trial.least_score, "items": i} for x in starts for i in items]
    simple, plain = trial.simple, trial.plain_rows
    if trial.least_score is not None or trial.needs_mean_grade:
        # Formulas differ on items with a high score and a low grade.
        simple = plain
        starts = [{**x, "relevance_threshold": y} for x in starts for y in trial.thresholds]
    candidates = (formula for start in starts for formula in formulas_near(start, distance, own.k))
    equal = [formula for formula in candidates if trial.equals(formula, simple)]
    guesses = []
    for formula in equal[:_SIMPLE]:
        graded = iter([formula])
        if len(plain) > len(simple):
            graded = with_grades(formula, own.k, trial.thresholds)
        if first := next((x for x in graded if trial.equals(x, plain)), None):
            # If users without a relevant item have no value, other thresholds may give equal
            # values.
            for threshold in trial.thresholds if len(plain) > len(simple) else ():
                other = {**first, "relevance_threshold": threshold}
                if other != first and trial.equals(other, plain):
                    guesses.append(_Guess(own, other, share=1.0))
            guesses.append(_Guess(own, first, share=1.0))
    return guesses


def _search_outcomes(own: MetricRequest, trial: _Trial) -> list[_Guess]:
    """Return a formula, if the same change of its values gives all of the function's values."""
    starts = [_request_formula(own), *METRICS.values()]
    for formula in (x for y in starts for n in (0, 1) for x in formulas_near(y, n, own.k)):
        values = [first_value(formula, x, own.k) for x, _ in trial.plain_rows[: 5 * _PAIRS]]
        pairs = [
            (actual, value)
            for (_, actual), value in zip(trial.plain_rows, values, strict=False)
            if value
        ]
        if len(pairs) < _PAIRS:
            continue
        factor = pairs[0][0] / pairs[0][1]
        for text, change in (
            ("subtracts the value from 1", lambda value: 1 - value),
            (f"multiplies the value by {factor:.6g}", partial(mul, factor)),
        ):
            if factor and trial.equals(formula, trial.plain_rows, change):
                return [_Guess(own, formula, outcome=(text, change), share=1.0)]
    return []


# The searches for a formula, in order: few changes to the metric's own formula come first.
_STEPS: tuple[Callable[[MetricRequest, _Trial], list[_Guess]], ...] = (
    partial(_search_formulas, distance=0, is_own=True),
    partial(_search_formulas, distance=1, is_own=True),
    partial(_search_formulas, distance=0, is_own=False),
    partial(_search_formulas, distance=2, is_own=True),
    partial(_search_formulas, distance=0, is_own=True, items=UNIVERSES),
    partial(_search_formulas, distance=1, is_own=True, items=UNIVERSES),
    partial(_search_formulas, distance=1, is_own=False),
    partial(_search_formulas, distance=3, is_own=True, items=("all", "judged")),
    partial(_search_formulas, distance=2, is_own=False),
    _search_outcomes,
)


def _nearest(trials: Sequence[_Trial], guesses: Sequence[_Guess]) -> tuple[_Trial, list[_Guess]]:
    """Return the guess that equals the function on most plain tables, and the style of inputs."""
    for trial in trials:
        # This stores the values of all requests by a few statements.
        requests = [x.all_users_request for x in guesses if x.formula is None]
        evaluate_requests(requests, [*map(trial.call.style.seen, trial.plain)])
    measured = [(trial, [x.measure(trial, trial.plain)]) for trial in trials for x in guesses]
    return max(measured, key=lambda x: x[1][0].share)


def _choose_all_rules(trial: _Trial, guesses: Iterable[_Guess]) -> Iterator[_Guess]:
    """Yield guesses with the best population and rules, until a guess equals the function."""
    for guess in guesses:
        best = _choose_average(trial, guess)
        if best.share < 1 and best.formula is not None:
            other = replace(best, formula={**best.formula, "matches": "everyone"})
            best = max(best, _choose_average(trial, other), key=attrgetter("share"))
        best = _choose_row_rules(trial, best).measure(trial, [*trial.values_by_table])
        yield best
        if best.share == 1:
            break


def _choose_average(trial: _Trial, guess: _Guess) -> _Guess:
    """Return the guess with the population and average that equals the function most often."""
    tables = trial.tables(OF_SCORES | OF_REPEATS)
    rows = guess.rows(trial, tables)
    best = guess
    for averaging in _USERS if tables else ():
        average = averaging[3]
        if (
            (average == "means" and not (guess.formula or {}).get("beta"))
            or (average in ("means", "pooled") and guess.formula is None)
            or (average == "items" and (guess.formula or {}).get("divide_by") != "relevant")
        ):
            continue
        tried = replace(guess, averaging=averaging)
        share = sum(map(trial.is_equal, tables, tried.averages(rows))) / len(tables)
        if share > best.share or best is guess:
            best = replace(tried, share=share)
        if share == 1:
            break
    return best


def _choose_row_rules(trial: _Trial, guess: _Guess) -> _Guess:
    """Return a guess with the best rules for equal scores, scores below 0 and repeated rows."""
    for rule, (feature, choices) in ROW_RULES.items():
        tables = trial.tables((OF_SCORES | OF_REPEATS) - {feature})
        tables = tuple(table for table in tables if feature in table.features)
        if guess.formula is not None:
            guesses = [replace(guess, formula={**guess.formula, rule: x}) for x in choices]
        else:
            requests = [
                switch_request(guess.request, [((rule, x),)], "")
                for x in choices
                if x in VALUES.get(rule, ())
                and not {"rows_of_users", "depends_on_cutoffs"} & {*VALUES[rule][x]}
            ]
            guesses = [replace(guess, request=x) for x in requests]
        measured = [x.measure(trial, tables) for x in guesses or [guess]]
        share = max(x.share for x in measured)
        guess, *others = [x for x in measured if x.share == share]
        if others:
            # Tables that also have other special rows can separate these rules.
            tables = tuple(table for table in trial.values_by_table if feature in table.features)
            remeasured = [x.measure(trial, tables) for x in (guess, *others)]
            guess = max(remeasured, key=attrgetter("share"))
    return guess


def _equal_values(actual: float | str, value: float | None, tolerance: float) -> bool:
    """Return whether a function's value equals a form's; 0 also equals an undefined value."""
    if isinstance(actual, str):
        return value is None
    return actual == 0 if value is None else abs(actual - value) <= tolerance


def _other_metrics(own: MetricRequest) -> list[MetricRequest]:
    """Return the metrics that read recs and truth but have no formula here, at the same cutoff."""
    return [
        request
        for other in known_metrics().values()
        if other.name not in METRICS and other.rows == "hits"
        if {need.table for need in other.needs} == {"recs", "truth"}
        for request in parse_metrics(format_metric(other.name, own.k))
    ]


def _vary_parameters(requests: Sequence[MetricRequest]) -> list[_Guess]:
    """Return requests with all values of their parameters, and usual thresholds of relevance."""
    guesses: list[_Guess] = []
    for request in requests:
        names = {
            key: allowed
            for key, allowed in request.metric.params.items()
            if isinstance(allowed[0], str) and key not in {*request.params, *_NO_FORMULA}
        }
        for choices in product(*names.values(), (None, -inf)):
            switch = tuple(zip((*names, "relevance_threshold"), choices, strict=True))
            if request.k or "k" not in choices:
                varied = switch_request(request, [switch], str(len(guesses)))
                guesses.append(_Guess(varied, None))
    return guesses


def _shortest_description(
    own: MetricRequest, guess: _Guess
) -> tuple[float, MetricRequest, list[str]]:
    """Return the shortest description of a guess: its cost, metric and habits.

    A habit costs the most, then another metric, then a choice that sqlrec supports.
    """
    if guess.formula is None:
        return 0.0, guess.request, []
    described = []
    for name in METRICS if own.k else (x for x in METRICS if METRICS[x]["divide_by"] != "k"):
        (request,) = parse_metrics(format_metric(name, own.k))
        request = own if name == own.metric.name else request
        settings, habits = params_of(guess.formula, request)
        cost = 3 * len(habits) + len(settings) + 1.5 * (request is not own)
        described.append((cost, request, settings, habits))
    cost, request, settings, habits = min(described, key=lambda x: x[0])
    request = switch_request(request, [tuple(settings.items())], "")
    return cost, request, [describe_switch((x,), own.k) for x in habits.items()]


def describe_form(
    own: MetricRequest, requested: str, trial: _Trial, guess: _Guess
) -> Identification:
    """Return the identification of a function by its nearest form."""
    tables, style = [*trial.values_by_table], trial.call.style
    values = guess.values(trial, tables)
    by_table = dict(zip(tables, values, strict=True))
    _, request, habits = _shortest_description(own, guess)
    own = own if request.metric is own.metric else replace(request, params={}, rules={})
    *users, average = guess.averaging
    rules = dict(zip(("population", "undefined", "without_list"), users, strict=True))
    if guess.formula:
        rules |= {rule: guess.formula[rule] for rule in REPEAT_RULES}
    if average != "users":
        param = {"means": "of"}.get(average, "average")
        if average in request.metric.params.get(param, ()):
            request = switch_request(request, [((param, average),)], "")
        else:
            habits.append(describe_switch((("average", average),), own.k))
    if guess.outcome:
        habits.append(guess.outcome[0])
    habits += _describe_rounding(trial, by_table)
    form = Form(switch_request(request, [tuple(rules.items())], ""), [], {})
    # If another metric equals the function, the forms of the caller's metric lack its parameters.
    libraries = [x for x in forms_on_tables(*parse_metrics(own.text)) if x.names]
    sqlrec = libraries[0]
    library = min(
        libraries, key=lambda x: (len(_describe_switches(x, form)), library_rank(x.names[0]))
    )
    usual = drop_repeat_rules(form.request)
    names, switches = list(library.names), _describe_switches(library, form)
    without_repeats = [] if habits else _equal_libraries(libraries, trial, has_repeats=False)
    if without_repeats:
        # Libraries that also equal the function on tables with repeated items come first.
        equal = _equal_libraries(without_repeats, trial, has_repeats=True)
        names = [*dict.fromkeys([*_sort_names(equal), *_sort_names(without_repeats)])]
        repeats = filter(_is_repeat_switch, switches_of(without_repeats[0], form))
        switches = [] if equal else [describe_switch(x, own.k) for x in repeats]
    elif guess.formula:
        switches += _describe_repeats(trial, guess, values, library, form)
    return Identification(
        metric=own.text,
        requested=requested,
        names=names,
        switches=[*switches, *habits],
        from_sqlrec=[*_describe_switches(sqlrec, form), *habits],
        request="" if habits else form_command(own, Form(usual, names, {})),
        equal=sum(map(trial.is_equal, tables, values)),
        tables=len(tables),
        differences=[_shrink(trial, guess, x) for x in _describe_differences(trial, by_table)],
        errors=[*_describe_errors(trial, by_table)],
        style=style.name,
        reads_only_lists=style in STYLES_OF_ONE and "and items" not in style.name,
    )


def _describe_rounding(trial: _Trial, values: Mapping[SmallTable, float | None]) -> list[str]:
    """Return the description of rounding, if rounding is the only difference from the form."""
    numbers = {x: y for x, y in trial.values_by_table.items() if isinstance(y, float)}
    equal = [x for x in numbers if values[x] is not None and trial.is_equal(x, values[x])]
    if not trial.digits or all(are_equal(numbers[x], values[x]) for x in equal):
        return []
    is_last = all(abs(x - round(x, trial.digits)) < _EXACT for x in numbers.values())
    owner = "the" if is_last else "each user's"
    return [f"rounds {owner} value to {trial.digits} decimals"]


def _describe_errors(
    trial: _Trial, values: Mapping[SmallTable, float | None]
) -> Iterator[Difference]:
    """Yield the errors that a function raises on tables for which the form has no value."""
    by_error: dict[str, list[SmallTable]] = {}
    for table, value in trial.values_by_table.items():
        if isinstance(value, str) and value.startswith("it raises") and values[table] is None:
            by_error.setdefault(value, []).append(table)
    for error, tables in by_error.items():
        table = min(tables, key=attrgetter("size", "recs"))
        counts = Counter(feature for x in tables for feature in x.features)
        feature = max(_VALUELESS & table.features, key=lambda x: (counts[x], x), default="")
        description = FEATURES.get(feature, "other tables")
        yield Difference(description, (len(tables), len(tables)), table, error, None)


def _equal_libraries(libraries: Sequence[Form], trial: _Trial, *, has_repeats: bool) -> list[Form]:
    """Return the libraries' forms that equal the function, with or without repeated rows."""
    tables = [x for x in trial.values_by_table if bool(x.features & OF_REPEATS) is has_repeats]
    equal = [*libraries]
    # Most forms differ already on the simplest tables.
    for has_scores in (False, True):
        some = [table for table in tables if bool(table.features & OF_SCORES) is has_scores]
        values = evaluate_requests([x.request for x in equal], [*map(trial.call.style.seen, some)])
        equal = [x for x in equal if all(map(trial.is_equal, some, values[x.request.label]))]
    return equal


def _sort_names(forms: Iterable[Form]) -> list[str]:
    """Return the names of libraries that have one of the forms, the best known first."""
    return sorted((name for form in forms for name in form.names), key=library_rank)


def _describe_repeats(
    trial: _Trial, guess: _Guess, values: Sequence[float | None], library: Form, form: Form
) -> Iterator[str]:
    """Yield the rules for repeated rows that differ from the rules of a library."""
    tables = [*trial.values_by_table]
    has_repeats = any(table.features & OF_REPEATS for table in tables)
    for switch in filter(_is_repeat_switch, switches_of(library, form) if has_repeats else ()):
        rules = {key: library.settings[key] for key, _ in switch}
        other: Sequence[float | None] = []
        if all(choice in ROW_RULES[rule][1] for rule, choice in rules.items()):
            other = replace(guess, formula={**(guess.formula or {}), **rules}).values(trial, tables)
        if not other or not all(map(are_equal, other, values)):
            yield describe_switch(switch, form.request.k)


def _is_repeat_switch(switch: Switch) -> bool:
    return switch[0][0] in REPEAT_RULES


def _describe_switches(base: Form, form: Form) -> list[str]:
    """Return the descriptions of switches between two forms, except switches for repeated rows."""
    # The tables contain scores but no ranks, so lists have only one order.
    switches = [
        tuple(pair for pair in switch if pair[0] != "order")
        for switch in switches_of(base, form)
        if not _is_repeat_switch(switch)
    ]
    return [describe_switch(switch, form.request.k) for switch in switches if switch]


def _describe_differences(
    trial: _Trial, values: Mapping[SmallTable, float | None]
) -> Iterator[Difference]:
    """Yield a difference for each feature that explains most of the remaining tables."""
    wrong = {table for table, value in values.items() if not trial.is_equal(table, value)}
    remaining = {*wrong}
    while remaining:
        tables = {feature: {x for x in values if feature in x.features} for feature in FEATURES}
        shares = {}
        for feature, having in tables.items():
            if explained := remaining & having:
                share = len(wrong & having) / len(having)
                shares[feature] = share > 0.9, explained == remaining, share, len(explained)
        best = max(shares, key=lambda x: shares[x], default="")
        having = tables.get(best, {*values})
        table = min(remaining & having, key=attrgetter("size", "recs"))
        yield Difference(
            FEATURES.get(best, "other tables"),
            (len(wrong & having), len(having)),
            table,
            trial.values_by_table[table],
            values[table],
        )
        remaining -= having


def _shrink(trial: _Trial, guess: _Guess, difference: Difference) -> Difference:
    """Return a difference with a smaller table that still shows the difference."""
    table = difference.table
    feature_names = {x for x in FEATURES if FEATURES[x] == difference.description}
    for other in _smaller_tables(table):
        if not feature_names <= other.features <= table.features or not trial.call.uses(other):
            continue
        actual, (value,) = trial.call.value(other), guess.values(trial, [other])
        if not _equal_values(actual, value, trial.tolerance):
            smaller = replace(difference, table=other, value=actual, expected=value)
            return _shrink(trial, guess, smaller)
    return difference


def _smaller_tables(table: SmallTable) -> Iterator[SmallTable]:
    """Yield tables without one of the users, and without one of the rows."""
    for user in table.users:
        recs, truth = (tuple(x for x in y if x[0] != user) for y in (table.recs, table.truth))
        yield SmallTable(table.k, recs, truth)
    for name in ("recs", "truth"):
        rows = getattr(table, name)
        for n in reversed(range(len(rows))):
            yield replace(table, **{name: rows[:n] + rows[n + 1 :]})


def _format_table(table: SmallTable) -> str:
    recs, truth = (
        "  ".join(f"{user}:{_JOINT}{item}{_JOINT}({value:g})" for user, item, value in rows)
        or "none"
        for rows in (table.recs, table.truth)
    )
    return f"  recs   {recs}\n  truth  {truth}"
