"""Identification of a caller's own function: the form of a metric that it computes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..catalogue.requests import MetricRequest, parse_metrics
from ..errors import InputError, MetricError
from .call_styles import STYLES, Call, calls_of
from .forms import Form, meaning, switched, switches_of
from .identify_tables import (
    FEATURES,
    SmallTable,
    are_equal,
    forms_on_tables,
    small_table,
    values_of,
)
from .seeds import SEEDS
from .waterfall import reproducing

# Maximum number of switches that are added to a form of the catalogue.
_MAX_SWITCHES = 3

# Rules of which in-house functions have any choice.
_CHOICES = {
    "population": ("truth", "truth_and_recs", "judged", "judged_and_recs", "recs", "all"),
    "undefined": ("omit", "zero"),
    "relevance_threshold": (None, 1),
}

# Features of scores, which functions of lists in order do not have.
_OF_SCORES = {"ties", "negative"}


@dataclass(frozen=True)
class Difference:
    """Tables on which the function differs from the form.

    Attributes:
        description: What these tables have.
        count: The number of these tables on which the two differ, and of all these tables.
        table: The smallest of them.
        value: The function's value of it; None if it has none.
        expected: The form's value of it.
    """

    description: str
    count: tuple[int, int]
    table: SmallTable
    value: float | None
    expected: float | None


@dataclass(frozen=True)
class Identification:
    """The form of a metric that a function computes.

    Attributes:
        metric: The metric, as the caller wrote it.
        names: The libraries whose form is nearest; ``sqlrec`` among them.
        switches: What the function does differently from them, in words.
        request: The arguments of ``sqlrec evaluate`` that print the form, if there are any.
        equal: The number of tables on which the form equals the function.
        tables: The number of all tables.
        differences: The tables that are left, by what they have.
        style: The inputs that the function takes.
    """

    metric: str
    names: Sequence[str]
    switches: Sequence[str]
    request: str
    equal: int
    tables: int
    differences: Sequence[Difference]
    style: str

    def __str__(self) -> str:
        others = f" (also {', '.join(self.names[1:4])})" if self.names[1:] else ""
        but = f", but {' and '.join(self.switches)}" if self.switches else ""
        known = 2 * self.equal > self.tables
        verb = "equals" if known else "is no form of the metric; the nearest is"
        lines = [
            f"{verb} {self.names[0]}{others}{but}; {self.equal} of {self.tables} tables "
            f"({self.style})"
        ]
        for one in self.differences if known else self.differences[-1:]:
            lines.append(
                f"except for {one.description}: {one.count[0]} of {one.count[1]} tables; "
                f"{_value(one.value)} instead of {_value(one.expected)} on"
            )
            lines += [f"  recs   {_rows(one.table.recs)}", f"  truth  {_rows(one.table.truth)}"]
        if self.request:
            lines.append(f"To print it: sqlrec evaluate {self.request} ...")
        return "\n".join(lines)

    __repr__ = __str__


def identify(function: Callable[..., Any], metric: str) -> Identification:
    """Identify the form of a metric that a function of yours computes, or how it differs.

    The function is called on small tables on which the forms of the metric differ, in the style
    that its parameters suggest: with dicts, pandas frames, arrays, or lists of one or all users. A
    parameter named ``k``, ``n`` or the like gets the cutoff.

    Args:
        function: The function, of lists and truth in either order, which returns a number.
        metric: The metric with its cutoff, as in ``ndcg@10``.

    Returns:
        An Identification, which prints as text.

    Example:
        >>> import sqlrec
        >>> def share(recs, truth, k=10):
        ...     hits = [len(set(recs.get(u, [])[:k]) & truth[u]) / k for u in truth if truth[u]]
        ...     return sum(hits) / len(hits)
        >>> found = sqlrec.identify(share, "precision@10")
        >>> found.equal == found.tables, "sqlrec" in found.names
        (True, True)

    Raises:
        InputError: It is no function, or returns a number in no style of inputs.
        MetricError: The metric is unknown, or has no cutoff.
    """
    if not callable(function):
        raise InputError(f"function={function!r:.80}: give a function, as in module.ndcg")
    (own, *others) = parse_metrics(metric)
    if others or own.k is None:
        raise MetricError(f"metric={metric!r}: give one metric with a cutoff, as in ndcg@10")
    search = _search(own.text)
    tables = search.tables
    results = [
        (call, [call.value(function, table) for table in tables]) for call in calls_of(function)
    ]
    results = [(call, found) for call, found in results if any(x is not None for x in found)]
    if not results:
        styles = ", ".join(style.name for style in STYLES)
        raise InputError(f"function={function!r:.80}: it returns no number for {styles}")
    return max((search.best(*result) for result in results), key=lambda x: x[:3])[3].described(
        own, search
    )


class _Search:
    """The search for the form that equals a function on most tables."""

    def __init__(
        self,
        tables: Sequence[SmallTable],
        forms: list[Form],
        values: dict[str, list[float | None]],
    ) -> None:
        self.tables, self.forms, self.values = tables, forms, values

    def best(self, call: Call, found: list[float | None]) -> tuple[float, int, int, _Candidate]:
        """Return how well the best form of the catalogue equals the values, and that form."""
        used = [n for n, table in enumerate(self.tables) if _is_used(call, table)]
        counts = [
            (sum(are_equal(found[n], self.values[form.request.label][n]) for n in used), form)
            for form in self.forms
        ]
        equal, form = max(counts, key=lambda x: (x[0], *_preference(self.forms[0], x[1])))
        known = sum(found[n] is not None for n in used)
        return equal / len(used), known, len(used), _Candidate(call, found, used, form)


def _preference(own: Form, form: Form) -> tuple[bool, bool, int]:
    """Return a sort key: sqlrec's form, then forms of libraries with few switches."""
    return form is own, bool(form.names), -len(switches_of(own, form))


def _is_used(call: Call, table: SmallTable) -> bool:
    return not call.style.orders_rows or not table.features & _OF_SCORES


@cache
def _search(metric: str) -> _Search:
    """Return the search among the forms of a metric, whose values are computed once."""
    (own,) = parse_metrics(metric)
    tables = [small_table(seed, own.k or 0) for seed in SEEDS]
    forms = forms_on_tables(own)
    return _Search(tables, forms, values_of([form.request for form in forms], tables))


@dataclass(frozen=True)
class _Candidate:
    """A form, and the values of a function in one style."""

    call: Call
    found: list[float | None]
    used: list[int]
    form: Form

    def described(self, own: MetricRequest, search: _Search) -> Identification:
        """Return the identification, after a search for further switches."""
        form, values = self._improved(own, search)
        library = self._nearest_library(form, search)
        base = Form(library.request, library.names, {})
        switches = [meaning(switch, own.k) for switch in switches_of(base, form)]
        names = library.names if switches else self._names(values, search)
        different = [n for n in self.used if not are_equal(self.found[n], values[n])]
        return Identification(
            metric=own.text,
            names=names,
            switches=switches,
            request=reproducing(own, form),
            equal=len(self.used) - len(different),
            tables=len(self.used),
            differences=self._differences(search.tables, different, values),
            style=self.call.style.name,
        )

    def _names(self, values: Sequence[float | None], search: _Search) -> list[str]:
        """Return all libraries with these values."""
        return [
            name
            for form in search.forms
            if all(are_equal(search.values[form.request.label][n], values[n]) for n in self.used)
            for name in form.names
        ]

    def _equal(self, values: Sequence[float | None]) -> int:
        return sum(are_equal(self.found[n], values[n]) for n in self.used)

    def _improved(self, own: MetricRequest, search: _Search) -> tuple[Form, list[float | None]]:
        """Return the form with the switches that make it equal on more tables, and its values."""
        form, values = self.form, search.values[self.form.request.label]
        for _ in range(_MAX_SWITCHES):
            if self._equal(values) == len(self.used):
                break
            requests = [
                switched(form.request, [(pair,)], f"other {n}")
                for n, pair in enumerate(_choices(own))
            ]
            others = values_of(requests, search.tables)
            label = max(others, key=lambda label: self._equal(others[label]))
            if self._equal(others[label]) <= self._equal(values):
                break
            request = next(one for one in requests if one.label == label)
            form, values = Form(request, [], {}), others[label]
        same = [one for one in search.forms if one.names and one.settings == form.settings]
        return (same[0] if same else form), values

    def _nearest_library(self, form: Form, search: _Search) -> Form:
        """Return the form of a library with the fewest switches to a form."""
        named = [one for one in search.forms if one.names]
        own = search.forms[0]
        return min(named, key=lambda x: (len(switches_of(x, form)), len(switches_of(own, x))))

    def _differences(
        self,
        tables: Sequence[SmallTable],
        different: list[int],
        values: Sequence[float | None],
    ) -> list[Difference]:
        """Return a difference for each feature that explains most of the tables that are left."""
        differences = []
        left = set(different)
        while left:
            shares = {}
            for feature in FEATURES:
                having = {n for n in self.used if feature in tables[n].features}
                if left & having:
                    shares[feature] = (len({*different} & having) / len(having), len(left & having))
            best = max(shares, key=lambda x: shares[x], default="")
            having = {n for n in self.used if not best or best in tables[n].features}
            n = min(left & having, key=lambda n: tables[n].size)
            differences.append(
                Difference(
                    FEATURES.get(best, "other tables"),
                    (len({*different} & having), len(having)),
                    tables[n],
                    self.found[n],
                    values[n],
                )
            )
            left -= having
        return differences


def _choices(own: MetricRequest) -> list[tuple[str, Any]]:
    """Return single choices of parameters and rules, each of which could be a function's."""
    params = [
        (key, value)
        for key, allowed in own.metric.params.items()
        for value in allowed
        if isinstance(value, str | int | float) and not isinstance(value, type)
    ]
    return [*params, *((rule, value) for rule, values in _CHOICES.items() for value in values)]


def _value(value: float | None) -> str:
    return "no value" if value is None else f"{value:.4f}"


def _rows(rows: Sequence[tuple[str, int, float]]) -> str:
    return "  ".join(f"{user}: {item} ({value:g})" for user, item, value in rows) or "none"
