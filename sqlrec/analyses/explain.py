"""Explanations of different values: a metric by every convention, and the rules that differ."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, product
from math import inf
from typing import Any
from warnings import catch_warnings, simplefilter

from ..catalogue.conventions import OWN, convention
from ..catalogue.conventions import conventions as known_conventions
from ..catalogue.requests import MetricRequest, format_metric, parse_metrics
from ..display.table_layout import join_words
from ..errors import InputError, MetricError, OptionError, suggest_name
from ..layouts.explanation import explanation_layout, waterfall_layout
from ..layouts.result import libraries_of
from ..options import ConventionName, check_flag
from ..plan.build import check_ties
from ..plots.from_results import waterfall
from ..plots.plot import Plot
from ..records import Record
from ..results.rows import Rows
from ..results.table import Table
from ..rules import OPTIONS
from ..run.job import Call
from .form_values import Evaluator, FormValue, FormValues
from .forms import (
    Form,
    Switch,
    describe_switch,
    forms_of,
    library_rank,
    requests_between,
    switch_request,
    switches_of,
)
from .waterfall import (
    MIN_DECIMALS,
    count_digits,
    equals_to_digits,
    library_targets,
    parse_target_value,
    steps_to,
    value_targets,
)

_METRIC = {"model": "string", "metric": "string", "k": "int64", "request": "string"}
_CAUSE = {"switch": "string", "meaning": "string", "changed_users": "int64", "note": "string"}
_COLUMNS = _METRIC | {"value": "float64", "users": "int64", "conventions": "string"} | _CAUSE
_STEP_COLUMNS = {
    **_METRIC,
    **{"target": "string", "by_value": "bool", "target_value": "float64", "digits": "int64"},
    **{"conventions": "string", "equal_values": "string", "command": "string"},
    **{"step": "int64", "effect": "float64"},
    **{"value": "float64", "users": "int64"},
    **_CAUSE,
}

# The tolerance for sums, which engines compute in different orders.
SAME = 1e-9

# Other metrics and cutoffs to compare a value with, if no form of the metric has this value.
_USUAL_METRICS = ("ndcg", "map", "mrr", "recall", "precision", "hit_rate")
_USUAL_CUTOFFS = (1, 3, 5, 10, 20, 50, 100)


class Explanation(Table):
    """A metric as each library computes it: a row for each value and each switch that changes it.

    The switches of a value are sorted by their effects, the largest first.

    Columns:

    - ``model``, ``metric``, ``k``; ``request``, the metric as you wrote it.
    - ``value``: null if the library's rules leave it undefined; ``users``: the number of users
      with a value.
    - ``conventions``: the libraries that compute this value.
    - ``switch``: a difference of these libraries from sqlrec; ``meaning``: its description.
    - ``changed_users``: the number of users with a value that changes if only this switch changes;
      null for metrics of all users together.
    - ``note``: known defects, or the reason for a missing value.
    """

    def to_dict(self, sep: str = "_at_") -> dict[str, float]:
        """Return each library's value under names that trackers accept: ``ranx/ndcg_at_10``.

        Args:
            sep: The text before a cutoff; by default ``_at_``.
        """
        from ..display.files import to_dict

        rows = {
            (row["model"], row["metric"], row["k"], name): row | {"convention": name}
            for row in self.rows().to_pylist()
            for name in libraries_of(row)
        }
        names = ("model", "metric", "convention", "value")
        return to_dict(names, list(rows.values()), sep)


class Waterfall(Explanation):
    """The steps from sqlrec's value to another value: sqlrec's value, then a row for each switch.

    Columns:

    - ``model``, ``metric``, ``k``; ``request``, the metric as you wrote it.
    - ``target``: the value or the library that you passed; ``by_value``: whether it is a value. If
      a form matches only the value as a percentage, or 1 minus the value, ``target`` is ``13.2%``
      or ``1 - 13.2``.
    - ``target_value``: the value as a number; ``digits``: the number of decimals to which the value
      of the last step equals ``target_value``, for at most 12 significant digits. It is null if no
      form has the value; the steps then lead to the nearest form.
    - ``conventions``: the libraries that compute the value of the last step.
    - ``equal_values``: other values that equal ``target_value`` to these decimals, each with its
      libraries.
    - ``command``: the arguments of ``sqlrec evaluate`` that print the value of the last step.
    - ``step``, from 0; ``switch`` and ``meaning``, as in an Explanation.
    - ``effect``: the change of the value by the step; ``changed_users``: the number of users with a
      changed value.
    - ``value`` and ``users``: the value after the step, and the number of users with a value.
    - ``note``: the rule that the rows violate, if the value is missing.
    """

    def plot(self) -> Plot:
        """Plot the value after each step, and the step's effect."""
        return waterfall(self)


def explain(
    call: Call,
    metrics: Any,
    k: Any = None,
    conventions: ConventionName | Iterable[ConventionName] | None = None,
    value: float | str | None = None,
    like: ConventionName | Iterable[ConventionName] | None = None,
    full: bool = False,
) -> Explanation:
    """Explain metrics on the inputs of a call, for ``Dataset.explain``."""
    tables, rules = call.tables, call.rules
    if not isinstance(conventions, Iterable | None):
        raise InputError(f"conventions={conventions!r}: give library names, as in ['ranx']")
    if not isinstance(like, Iterable | None):
        raise OptionError(f"like={like!r}: give library names, as in ['ranx']", option="like")
    if (single := rules.convention) != OWN:
        raise InputError(f"convention={single!r}: explain compares several; give conventions=[...]")
    check_flag("full", full)
    _check_one_question(value=value, like=like, full=full or None)
    if value is not None:
        parse_target_value(value)
    like_names: list[str] = [like] if isinstance(like, str) else [*(like or ())]
    selection: Iterable[str] | None = [conventions] if isinstance(conventions, str) else conventions
    libraries: list[str] = [*known_conventions()] if selection is None else [OWN, *selection]
    for name in like_names:
        if str(name) not in known_conventions():
            raise MetricError(f"like={name!r}: {suggest_name(str(name), known_conventions())}")
    like_names = [convention(name).name for name in like_names]
    names = list(dict.fromkeys([*(convention(name).name for name in libraries), *like_names]))
    leads = value is not None or bool(like_names)
    rows, sql, notes = list[Record](), list[str](), dict[str, None]()
    for own in parse_metrics(metrics, k=k):
        ties = {"ties": rules.ties} if rules.ties else {}
        check_ties(own, {**own.rules, **ties})
        forms = forms_of(own, names, ties)
        if conventions is None and len(forms) == 1 and len(forms[0].names) == 1:
            raise MetricError(f"{own.metric.name}: no convention has this metric")
        forms, omissions = _select_forms(forms, tables.present, like_names)
        requests = [replace(x.request, label=f"{own.metric.name} of {x.names[0]}") for x in forms]
        call.warn_about_requests(requests)
        with catch_warnings():
            simplefilter("ignore")
            with tables.engine.step(f"{own.text} as libraries compute it"):
                evaluated = evaluate_forms(forms, call, like_names=like_names, with_steps=leads)
            with tables.engine.step(f"Other forms of {own.text}"):
                explained = [*(evaluated.steps(value, like_names) if leads else evaluated.rows())]
            own_notes = evaluated.own_notes()
            if value is not None and all(row["digits"] is None for row in explained):
                own_notes += evaluated.metrics_with_value(value)
        rows += [{"metric": own.label, "k": own.k, "request": own.text} | row for row in explained]
        sql += evaluated.evaluator.texts
        notes |= dict.fromkeys([*own_notes, *omissions])
    text, files = "\n".join(sql), tables.paths
    table = Rows.from_records(_STEP_COLUMNS if leads else _COLUMNS, rows)
    if not leads:
        lay_out = partial(explanation_layout, own_notes=[*notes], full=full)
        return Explanation(text, lambda: table, inputs=files, lay_out=lay_out)
    equal = {(row["request"], row["model"], row["target"]): row["equal"] for row in rows}
    lay_out = partial(waterfall_layout, own_notes=[*notes], equal_values=equal)
    return Waterfall(text, lambda: table, inputs=files, lay_out=lay_out)


def _check_one_question(**options: Any) -> None:
    """Check that at most one of several options is passed."""
    texts = {x: x if y is True else f"{x}={y!r}" for x, y in options.items() if y is not None}
    if len(texts) > 1:
        raise OptionError(f"{', '.join(texts.values())}: give only one", option=next(iter(texts)))


def _select_forms(
    forms: Sequence[Form], present: Container[str], like_names: Iterable[str]
) -> tuple[list[Form], list[str]]:
    """Return the forms that have all their inputs, and notes on libraries with missing inputs.

    A missing input of a named library is an error.
    """
    kept, omissions = [*forms[:1]], dict[str, list[str]]()
    for form in forms[1:]:
        missing = form.request.missing_inputs(present)
        if missing and not {*like_names} & {*form.libraries}:
            omissions.setdefault(" and ".join(missing), []).extend(form.names)
        else:
            kept.append(form)
    notes = [f"omitted without {name}: {join_words(names)}" for name, names in omissions.items()]
    return kept, notes


@dataclass
class _Evaluated:
    """The values of all forms of a metric, and of sqlrec's form after each single switch."""

    forms: list[Form]
    switches: dict[Switch, Form]
    evaluator: Evaluator
    values: FormValues

    def rows(self) -> Iterator[Record]:
        """Return a row for each model, value and switch that could explain it."""
        own = self.forms[0]
        for model in self.evaluator.models:
            value, changes = self.values[model, own.request.label].value, {}
            for switch, form in self.switches.items():
                other = self.values[model, form.request.label]
                changes[switch] = _effect(value, other.value), other.changed_users
            for group in _group_equal_forms(self.forms, self.values, model):
                row = _explanation_row(model, group, self.values[model, group[0].request.label])
                for switch, count in _find_causes(own, group, changes) or [((), None)]:
                    yield row | {
                        "switch": ", ".join(f"{key}={choice}" for key, choice in switch),
                        "meaning": describe_switch(switch, own.request.k),
                        "changed_users": count,
                    }

    def _excludes_users(self, form: Form) -> bool:
        """Return whether a form excludes users from the value of at least one model."""
        users, label = self.evaluator.users_of_models, form.request.label
        return any(self.values[x, label].users != users.get(x) for x in self.evaluator.models)

    def own_notes(self) -> list[str]:
        """Return notes on sqlrec's value, about rows that ``evaluate`` rejects."""
        notes = [note for note, names in self.forms[0].notes.items() if OWN in names]
        violation = self.evaluator.violation
        return [f"value of sqlrec: {note}" for note in ([violation] if violation else notes)]

    def metrics_with_value(self, value: float | str) -> Iterator[str]:
        """Yield a note for each other cutoff and each usual metric with the caller's value."""
        _, number, decimals = parse_target_value(value)
        digits = count_digits(number, decimals)
        others = _usual_requests(self.forms[0].request) if decimals >= MIN_DECIMALS else []
        for row in self.evaluator.valid_rows(others):
            if row["value"] is not None and equals_to_digits(row["value"], number, digits):
                model = f" of {row['model']}" if len(self.evaluator.models) > 1 else ""
                yield f"{row['value']:.{max(5, digits)}f} is {row['metric']}{model}"

    def steps(self, value: float | str | None, like_names: Iterable[str]) -> Iterator[Record]:
        """Return a row for each target and step from sqlrec's value to it."""
        own, models = self.forms[0], self.evaluator.models
        if value is None:
            targets = library_targets(like_names, self.forms, models)
        else:
            candidates = [*self.forms, *self.switches.values()]
            targets = value_targets(value, candidates, models, self.values)
            if all(target.digits is None for target in targets):
                # The caller may have passed a matrix with users other than the library's default
                # users.
                others = [*_average_over_other_users(filter(self._excludes_users, self.forms))]
                values = self.values | self.evaluator.values([x.request for x in others])
                further = value_targets(value, [own, *others], models, values)
                targets = further if further and further[0].digits is not None else targets
        for target in targets:
            row = {
                "model": target.model,
                "target": target.name,
                "by_value": value is not None,
                "target_value": target.number,
                "digits": target.digits,
                "conventions": ", ".join(target.names),
                "equal": target.equal_values,
                "equal_values": "; ".join(
                    x.format(repr(x.value), ", ".join(x.libraries)) for x in target.equal_values
                ),
                "command": target.command,
            }
            for step in steps_to(self.evaluator, own, target):
                yield row | step


def _usual_requests(own: MetricRequest) -> list[MetricRequest]:
    """Return usual metrics, and the metric at usual cutoffs up to the first above its cutoff."""
    if own.metric.rows != "hits" or own.k is None or own.rules:
        return []
    k = own.k
    above = min((x for x in _USUAL_CUTOFFS if x > k), default=k)
    others = [replace(own, k=x) for x in _USUAL_CUTOFFS if x <= above and x != k]
    names = [name for name in _USUAL_METRICS if name != own.metric.name or own.params]
    others += parse_metrics([format_metric(name, k) for name in names])
    return [replace(x, label=format_metric(x.metric.name, x.k)) for x in others]


def evaluate_forms(
    forms: list[Form], call: Call, *, like_names: Collection[str] = (), with_steps: bool = False
) -> _Evaluated:
    """Evaluate forms, and sqlrec's form with each single switch that leads to them.

    Names of libraries limit the forms. With steps, each form on the way to a form is evaluated too.
    """
    own = forms[0]
    chosen_forms = [x for x in forms[1:] if not like_names or {*x.libraries} & {*like_names}]
    single = dict.fromkeys(x for form in forms[1:] for x in switches_of(own, form))
    switches = {
        switch: Form(switch_request(own.request, [switch], f"switch {n}"), [], {})
        for n, switch in enumerate(() if like_names else single, 1)
    }
    requests = [form.request for form in (*chosen_forms, *switches.values())]
    chains = [requests_between(own, form) for form in chosen_forms] if with_steps else []
    evaluator = Evaluator(own.request, call, requests, chains)
    selection = {**own.request.rules, **call.rules.changes}
    if evaluator.violation and "duplicates" not in selection:
        # Repeated rows are an error in sqlrec but not in other libraries. The explanation then
        # starts from the form that counts each item once.
        best = replace(own.request, rules={**own.request.rules, "duplicates": "best"})
        rows = evaluator.violation.rpartition(": ")[0]
        note = f"with duplicates='best', since evaluate rejects these rows; {rows}"
        forms = [Form(best, own.names, {note: [OWN]}), *forms[1:]]
        return evaluate_forms(forms, call, like_names=like_names, with_steps=with_steps)
    return _Evaluated(forms, switches, evaluator, evaluator.values(requests, chains))


def _average_over_other_users(forms: Iterable[Form]) -> Iterator[Form]:
    """Yield the forms of libraries with all other populations and rules for undefined values."""
    for n, form in enumerate(forms):
        for population, undefined in product(OPTIONS["population"].choices, ("omit", "zero")):
            switch = (("population", population), ("undefined", undefined))
            request = switch_request(form.request, [switch], f"users {n} {population} {undefined}")
            other = Form(request, [f"{name} over other users" for name in form.names], {})
            if form.names and other.settings != form.settings:
                yield other


def _explanation_row(model: str, group: list[Form], value: FormValue) -> Record:
    """Return the row of forms with the same value, without the columns of the switch."""
    libraries_by_note: dict[str, list[str]] = {}
    for note, libraries in chain(*(form.notes.items() for form in group)):
        libraries_by_note.setdefault(note, []).extend(libraries)
    notes = [f"{', '.join(libraries)}: {note}" for note, libraries in libraries_by_note.items()]
    return {
        "model": model,
        "value": value.value,
        "users": value.users,
        "conventions": ", ".join(
            sorted((x for form in group for x in form.names), key=library_rank)
        ),
        "note": "; ".join([value.violation, *notes] if value.violation else notes),
    }


def _group_equal_forms(forms: list[Form], values: FormValues, model: str) -> list[list[Form]]:
    """Group forms with equal values: sqlrec's group first, then groups in the order of values."""
    own_values = [values[model, form.request.label].value for form in forms]
    groups: list[tuple[float | None, list[Form]]] = []
    for form, value in zip(forms, own_values, strict=True):
        for other, group in groups:
            is_same = abs((value or 0.0) - (other or 0.0)) <= SAME
            if is_same and (value is None) == (other is None):
                group.append(form)
                break
        else:
            groups.append((value, [form]))
    first, *others = groups
    others.sort(key=lambda x: (x[0] is None, x[0] or 0.0))
    return [group for _, group in (first, *others)]


def _effect(value: float | None, other: float | None) -> float:
    """Return the absolute difference of two values; infinite if only one value is defined."""
    if value is None or other is None:
        return 0.0 if value is other else inf
    return abs(other - value)


def _find_causes(
    own: Form, group: list[Form], changes: Mapping[Switch, tuple[float, int | None]]
) -> list[tuple[Switch, int | None]]:
    """Return the switches that change a group's value, with changed users, by effect."""
    if own in group:
        return []
    nearest = min((switches_of(own, form) for form in group), key=len)
    nearest.sort(key=lambda switch: -changes[switch][0])
    effective = [
        (switch, users)
        for switch, (effect, users) in ((x, changes[x]) for x in nearest)
        if users or (users is None and effect > SAME)
    ]
    return effective or [(switch, None) for switch in nearest]
