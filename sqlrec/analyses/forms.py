"""Forms of a metric: the parameters and rules by which libraries compute it, and switches."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import isfinite
from typing import Any

from ..catalogue.conventions import OWN, convention
from ..catalogue.requests import MetricRequest, request_entry
from ..errors import InputError
from ..paths import sql_folder
from ..plan.build import check_ties
from ..rules import QUERIES, MetricRules, RuleChoices, rule_meanings

# Rules that form one switch: the users, repeated items, the order of lists, and the ideal list.
SWITCHES = (
    ("population", "undefined", "without_list"),
    ("duplicates", "truth_duplicates"),
    ("order", "ties", "missing_items"),
    ("ideal", "ideal_gain"),
)

# Libraries in the order in which texts name them: the best known libraries first, then all other
# libraries.
WELL_KNOWN = (
    *("sqlrec", "sklearn", "trec_eval", "ranx", "recbole", "torchmetrics", "rectools"),
    *("recommenders", "lightgbm", "xgboost", "mllib", "lenskit", "ir_measures", "pyterrier"),
)

# The distance between an exclusive threshold and the value that it excludes.
ABOVE = 1e-6

# A switch: parameters or rules with values other than sqlrec's, mostly a single rule.
Switch = tuple[tuple[str, Any], ...]


@dataclass
class Form:
    """One form of a metric: its request, its libraries, and notes on some libraries."""

    request: MetricRequest
    names: list[str]
    notes: dict[str, list[str]]

    @property
    def libraries(self) -> list[str]:
        """The libraries of the form, without the names of their metrics."""
        return [*dict.fromkeys(name.split()[0] for name in self.names)]

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The values of all parameters and rules of the form."""
        return {**MetricRules().__dict__, **self.request.rules, **self.request.settings}


def forms_of(own: MetricRequest, names: Iterable[str], ties: RuleChoices) -> list[Form]:
    """Return sqlrec's form of a metric, and each other form of a library that supports ``ties``."""
    forms = [Form(replace(own, label="form 1"), [OWN], {})]
    for name in names:
        library = convention(name)
        # A relevance threshold above 1 is a caller's choice, not a library's default.
        entries = [
            entry
            for entry in library.entries
            if entry.metric == own.metric.name and entry.rules.get("relevance_threshold", 0) <= 1
        ]
        several = len({repr((entry.params, entry.rules)) for entry in entries}) > 1
        for entry in entries:
            request = request_entry(library, entry, own.k, f"form {len(forms) + 1}")
            form = Form(replace(request, params={**request.params, **own.params}), [], {})
            if own.k is None and "k" in form.settings.values():
                continue
            try:
                check_ties(form.request, {**form.request.rules, **ties})
            except InputError:
                continue
            same = next((other for other in forms if other.settings == form.settings), form)
            if same is form:
                forms.append(form)
            label = f"{name} {entry.name}" if several else name
            if label not in same.names:
                same.names.append(label)
                if entry.note:
                    same.notes.setdefault(entry.note, []).append(label)
    for form in forms:
        form.names.sort(key=library_rank)
    return forms


def library_rank(name: str) -> int:
    """Return the sort key of a library's name: the best known libraries are first."""
    library = name.split()[0]
    return WELL_KNOWN.index(library) if library in WELL_KNOWN else len(WELL_KNOWN)


def switches_of(own: Form, form: Form) -> list[Switch]:
    """Return the switches between sqlrec's form and another form."""
    default = own.settings
    other = {key: value for key, value in form.settings.items() if value != default[key]}
    single = [(key,) for key in other if not any(key in keys for keys in SWITCHES)]
    switches = [
        tuple((key, other[key]) for key in keys if key in other) for keys in (*SWITCHES, *single)
    ]
    return [switch for switch in switches if switch]


def switch_request(request: MetricRequest, switches: Iterable[Switch], label: str) -> MetricRequest:
    """Return a request with the values of switches, under a label."""
    params, rules = dict(request.params), dict(request.rules)
    for key, value in (pair for switch in switches for pair in switch):
        (params if key in request.metric.params else rules)[key] = value
    return replace(request, label=label, params=params, rules=rules)


def requests_between(own: Form, form: Form) -> list[MetricRequest]:
    """Return sqlrec's request, and the request after each switch on the way to another form."""
    switches = switches_of(own, form)
    return [
        own.request,
        *(
            switch_request(own.request, switches[:n], f"step {n}")
            for n in range(1, len(switches) + 1)
        ),
    ]


def describe_switch(switch: Switch, k: int | None) -> str:
    """Return the description of a switch."""
    texts = []
    for key, choice in switch:
        meanings = _read_switch_texts().get(key, {}) | (
            rule_meanings(key) if key in QUERIES else {}
        )
        text = meanings.get(str(choice), meanings.get("number", f"{key}={choice}"))
        if isinstance(choice, float) and (excluded := value_excluded(choice)) is not None:
            text, choice = meanings.get("above", text), excluded
        texts.append(text.format(value=choice, k="k" if k is None else k))
    return ", and ".join(texts)


def value_excluded(threshold: float) -> float | None:
    """Return the value just below an exclusive threshold; None for an inclusive threshold."""
    value = round(threshold - ABOVE, 3) if isfinite(threshold) else threshold
    return value if value != threshold and threshold == value + ABOVE else None


@cache
def _read_switch_texts() -> dict[str, dict[str, str]]:
    path = sql_folder() / "switches.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))
