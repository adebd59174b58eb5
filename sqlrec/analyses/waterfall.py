"""Steps from sqlrec's value of a metric to another value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import partial
from itertools import pairwise
from math import floor, log10
from typing import Any

from ..catalogue.conventions import OWN, convention
from ..catalogue.requests import MetricRequest, format_metric
from ..errors import MetricError, OptionError, suggest_name
from ..layouts.explanation import EqualValue
from ..records import Record
from ..rules import OPTIONS, MetricRules
from .form_values import Evaluator, FormValue, FormValues
from .forms import Form, Switch, describe_switch, library_rank, requests_between, switches_of

# The tolerance for sums, which engines compute in different orders.
_SAME = 1e-9

# The number of reliable significant digits in sums of doubles, and of single-precision numbers.
_PRECISIONS = (12, 6)

# The minimum number of decimals for other readings and metrics. With fewer decimals, a match may be
# a coincidence.
MIN_DECIMALS = 3


@dataclass(frozen=True)
class Target:
    """The value at the end of the steps from sqlrec's value."""

    name: str  # The reading of the caller's value, or the library's name.
    model: str
    form: Form  # The form that computes the value.
    # The libraries that compute the value; empty for a form that no library uses.
    names: Sequence[str]
    command: str  # The arguments of ``sqlrec evaluate`` that print the value, or empty.
    number: float | None = None  # The caller's value.
    # The number of decimals to which the form's value equals the caller's value; None if the values
    # differ, or if the caller named a library.
    digits: int | None = None
    # Other values that equal the caller's value to these decimals.
    equal_values: Sequence[EqualValue] = ()


_Candidate = tuple[str, Form, float]


def parse_target_value(value: Any) -> tuple[str, float, int]:
    """Parse a value; return its text, its number and its number of decimals."""
    text = str(value).strip()
    try:
        number = Decimal(text.removesuffix("%"))
    except InvalidOperation:
        number = Decimal("nan")
    exponent = number.as_tuple().exponent
    if not isinstance(exponent, int):
        message = f"value={value!r}: give a number with its digits, as in 0.132"
        raise OptionError(message, option="value")
    places = 2 if text.endswith("%") else 0
    return text, float(number) / 10**places, max(0, places - exponent)


def value_targets(
    value: Any, forms: Sequence[Form], models: Sequence[str], values: FormValues
) -> list[Target]:
    """Return the form that has a value and the fewest switches, or else the nearest form.

    If no form has the value, it is also read as a percentage, and as 1 minus a value.
    """
    candidates = [
        (model, form, candidate)
        for model in models
        for form in forms
        if (candidate := values[model, form.request.label].value) is not None
    ]
    text, number, decimals = parse_target_value(value)
    readings = [(text, number, decimals)]
    if not text.endswith("%"):
        readings.append((f"{text}%", number / 100, decimals + 2))
    if decimals >= MIN_DECIMALS:
        readings.append((f"1 - {text}", 1 - number, decimals))
    for name, target, places in readings:
        for precision in _PRECISIONS:
            digits = count_digits(target, places, precision)
            equal = [x for x in candidates if equals_to_digits(x[2], target, digits)]
            if equal:
                return [_equal_target(name, target, digits, equal, forms[0])]
    if not candidates:
        return []
    minimum = min(round(abs(x[2] - number), 9) for x in candidates)
    nearest = [x for x in candidates if round(abs(x[2] - number), 9) == minimum]
    model, form, _ = min(nearest, key=partial(_preference, forms[0]))
    return [Target(text, model, form, form.names, form_command(forms[0].request, form), number)]


def count_digits(number: float, decimals: int, precision: int = _PRECISIONS[0]) -> int:
    """Return the number of decimals, limited to the reliable significant digits."""
    return min(decimals, precision - 1 - floor(log10(abs(number)))) if number else decimals


def equals_to_digits(value: float, number: float, digits: int) -> bool:
    """Return whether a value rounds to a number with the given decimals."""
    return abs(value - number) <= 0.5 * 10.0**-digits * (1 + _SAME)


def _preference(own: Form, candidate: _Candidate) -> tuple[bool, bool, int]:
    """Return the sort key of a candidate: libraries, printable forms and few switches first."""
    _, form, _ = candidate
    return not form.names, not form_command(own.request, form), len(switches_of(own, form))


def _equal_target(
    name: str, number: float, digits: int, equal: Sequence[_Candidate], own: Form
) -> Target:
    """Return the best form that equals a number, with all other forms that equal it."""
    model, form, value = min(equal, key=lambda x: (*_preference(own, x), abs(x[2] - number)))
    groups: dict[tuple[str, float], list[str]] = {}
    for other, one, its_value in sorted(equal, key=lambda x: abs(x[2] - number)):
        key = next((x for x in groups if x[0] == other and abs(x[1] - its_value) <= _SAME), None)
        groups.setdefault(key or (other, its_value), []).extend(one.names)
    names, equal_values = list[str](), list[EqualValue]()
    for (other, its_value), libraries in groups.items():
        libraries.sort(key=library_rank)
        if other == model and abs(its_value - value) <= _SAME:
            names = libraries
        elif libraries:
            equal_values.append(EqualValue(its_value, other if other != model else "", libraries))
    command = form_command(own.request, form)
    return Target(name, model, form, names, command, number, digits, equal_values)


def library_targets(
    libraries: Iterable[str], forms: Sequence[Form], models: Sequence[str]
) -> list[Target]:
    """Return the form of each library, for each model."""
    targets = []
    for library in libraries:
        name = convention(library).name
        form = next((x for x in forms if name in x.libraries), None)
        if form is None:
            names = sorted({library for x in forms for library in x.libraries})
            raise MetricError(f"like={name!r}: it has no such metric; {suggest_name(name, names)}")
        command = form_command(forms[0].request, form)
        targets += [Target(name, model, form, form.names, command) for model in models]
    return targets


def steps_to(evaluator: Evaluator, own: Form, target: Target) -> list[Record]:
    """Return a row for sqlrec's value, and a row for each switch on the way to a target."""
    requests = requests_between(own, target.form)
    start, *_ = values = evaluator.step_values(requests, target.model)
    rows = [_step_row(0, (), start, None, own.request.k) | {"changed_users": None}]
    for switch, (before, after) in zip(
        switches_of(own, target.form), pairwise(values), strict=True
    ):
        has_values = None not in (before.value, after.value)
        effect = (after.value or 0.0) - (before.value or 0.0) if has_values else None
        is_same = after.value == before.value or (effect is not None and abs(effect) <= _SAME)
        if is_same and not after.changed_users and not after.violation:
            continue
        rows.append(_step_row(len(rows), switch, after, effect, own.request.k))
    return rows


def _step_row(
    step: int, switch: Switch, value: FormValue, effect: float | None, k: int | None
) -> Record:
    return {
        "step": step,
        "switch": ", ".join(f"{key}={choice}" for key, choice in switch),
        "meaning": describe_switch(switch, k),
        "effect": effect,
        "changed_users": value.changed_users,
        "value": value.value,
        "users": value.users,
        "note": value.violation,
    }


def form_command(own: MetricRequest, form: Form) -> str:
    """Return the shortest arguments of ``sqlrec evaluate`` that compute a form, if any."""
    texts = [_request_text(own, form, name) for name in (*form.libraries, OWN)]
    return min(filter(None, texts), key=len, default="")


def _request_text(own: MetricRequest, form: Form, name: str) -> str:
    """Return the arguments that compute a form: a library's form and the differences from it."""
    entry = convention(name).entry(own.metric.name)
    defaults = {key: allowed[0] for key, allowed in own.metric.params.items()}
    library = {key: own.metric.read_param(key, value) for key, value in entry.params.items()}
    usual = {**Form(own, [], {}).settings, **defaults, **library}
    # Since evaluate rejects repeated items, this rule is explain's choice, not the caller's.
    usual |= {"duplicates": MetricRules().duplicates, **entry.rules}
    changed = {key: value for key, value in form.settings.items() if value != usual[key]}
    rules = {
        key: _public_choice(key, changed.pop(key)) for key in [*changed] if key not in defaults
    }
    if None in rules.values():
        return ""
    params = {"convention": name} if name != OWN else {}
    inside = ", ".join(f"{key}={value}" for key, value in {**params, **changed}.items())
    metric = format_metric(own.metric.name + (f"({inside})" if inside else ""), own.k)
    flags = [f"--{key.replace('_', '-')} {value}" for key, value in rules.items()]
    return " ".join([f'"{metric}"' if inside else metric, *flags])


def _public_choice(rule: str, value: Any) -> str | None:
    """Return the public name of a choice of a rule; None if only conventions have the choice."""
    if (option := OPTIONS.get(rule)) is None or value is None:
        return None
    word = str({own: word for word, own in option.rules.items()}.get(value, value))
    return word if not option.choices or word in map(str, option.choices) else None
