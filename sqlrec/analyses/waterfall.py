"""Steps from sqlrec's value of a metric to another value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ..catalogue.conventions import OWN, convention
from ..catalogue.requests import MetricRequest, format_metric
from ..errors import MetricError, OptionError, suggest_name
from ..records import Record
from ..rules import OPTIONS, MetricRules
from .form_values import Evaluator, FormValue, FormValues
from .forms import Form, Switch, describe_switch, rank_of_library, switch_request, switches_of

# Tolerance: engines add up in different orders.
_SAME = 1e-9


@dataclass(frozen=True)
class Target:
    """The value at the end of the steps from sqlrec's value."""

    name: str  # The value as the caller wrote it, or the library.
    model: str
    form: Form  # A form that has the value.
    names: Sequence[str]  # The libraries that have the value; empty for a form of no library.
    request: str  # The arguments of ``sqlrec evaluate`` that print it; or empty.
    # The number of decimals to which the form's value equals the caller's; None if it does not, or
    # if the caller named a library.
    digits: int | None = None


def parse_target_value(value: Any) -> tuple[str, float, int]:
    """Parse a value; return its text, its number and its number of decimals."""
    text = str(value).strip()
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        message = f"value={value!r}: give a number with its digits, as in 0.132"
        raise OptionError(message, option="value") from None
    decimals = len(text.removesuffix("%").partition(".")[2]) if "e" not in text.lower() else 9
    return (text, number / 100, decimals + 2) if text.endswith("%") else (text, number, decimals)


def targets_of_value(
    value: Any, forms: Sequence[Form], models: Sequence[str], values: FormValues
) -> list[Target]:
    """Return the form with a value and the fewest switches, or else the nearest form.

    Forms of libraries precede other forms.
    """
    text, number, decimals = parse_target_value(value)
    own = forms[0]
    requests = {form.request.label: command_of_form(own.request, form) for form in forms}
    candidates = [
        (abs(candidate - number), model, form, requests[form.request.label])
        for model in models
        for form in forms
        if (candidate := values[model, form.request.label].value) is not None
    ]

    def preference(candidate: tuple[float, str, Form, str]) -> tuple[bool, bool, int, float]:
        distance, _, form, request = candidate
        return not form.names, not request, len(switches_of(own, form)), distance

    equal = [x for x in candidates if x[0] <= 0.5 * 10**-decimals]
    if equal:
        distance, model, form, request = min(equal, key=preference)
        others = {
            name: (abs(x - distance) > _SAME, rank_of_library(name))
            for x, other, one, _ in equal
            if other == model
            for name in one.names
        }
        names = sorted(others, key=lambda name: others[name])
        return [Target(text, model, form, names, request, decimals)]
    if not candidates:
        return []
    _, model, form, request = min(candidates, key=lambda x: (round(x[0], 9), preference(x)))
    return [Target(text, model, form, form.names, request)]


def targets_of_libraries(
    libraries: Iterable[str], forms: Sequence[Form], models: Sequence[str]
) -> list[Target]:
    """Return the form of each library, for each model."""
    targets = []
    for library in libraries:
        name = convention(library).name
        form = next((x for x in forms if name in [one.split()[0] for one in x.names]), None)
        if form is None:
            names = sorted({one.split()[0] for x in forms for one in x.names})
            raise MetricError(f"like={name!r}: it has no such metric; {suggest_name(name, names)}")
        request = command_of_form(forms[0].request, form)
        targets += [Target(name, model, form, form.names, request) for model in models]
    return targets


def steps_to(evaluator: Evaluator, own: Form, target: Target) -> list[Record]:
    """Return a row for sqlrec's value, and a row for each switch on the way to a target."""
    request, model = own.request, target.model
    start = evaluator.values([])[model, request.label]
    rows = [_step_row(0, (), start, None, request.k) | {"touched": None}]
    changes: list[Switch] = []
    for switch in switches_of(own, target.form):
        changes.append(switch)
        following = switch_request(own.request, changes, f"step {len(changes)}")
        values = evaluator.values([following], first=request)
        before, after = values[model, request.label], values[model, following.label]
        request = following
        if after.value == before.value and not after.touched and not after.violation:
            continue
        has_values = None not in (before.value, after.value)
        effect = (after.value or 0.0) - (before.value or 0.0) if has_values else None
        rows.append(_step_row(len(rows), switch, after, effect, request.k))
    return rows


def _step_row(
    step: int, switch: Switch, value: FormValue, effect: float | None, k: int | None
) -> Record:
    return {
        "step": step,
        "switch": ", ".join(f"{key}={choice}" for key, choice in switch),
        "meaning": describe_switch(switch, k),
        "effect": effect,
        "touched": value.touched,
        "value": value.value,
        "users": value.users,
        "note": value.violation,
    }


def command_of_form(own: MetricRequest, form: Form) -> str:
    """Return the arguments of ``sqlrec evaluate`` that compute a form; empty if there are none."""
    names = dict.fromkeys(name.split()[0] for name in form.names)
    texts = [_request_text(own, form, name) for name in (*names, OWN)]
    return min(filter(None, texts), key=len, default="")


def _request_text(own: MetricRequest, form: Form, name: str) -> str:
    """Return the arguments that compute a form, as differences from a library's own form."""
    entry = convention(name).entry(own.metric.name)
    defaults = {key: allowed[0] for key, allowed in own.metric.params.items()}
    library = {key: own.metric.read_param(key, value) for key, value in entry.params.items()}
    usual = {**Form(own, [], {}).settings, **defaults, **library}
    # The rule of repeated items is explain's own if evaluate refuses them.
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
    option = OPTIONS.get(rule)
    if option is None or value is None:
        return None
    words = {own: word for word, own in option.rules.items()}
    word = str(words.get(value, value))
    return word if not option.choices or word in map(str, option.choices) else None
