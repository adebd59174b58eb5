"""Explanations of differing values: a metric under every convention, and the rules that differ."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from math import inf
from typing import Any
from warnings import catch_warnings, simplefilter

from ..catalogue.conventions import OWN, convention
from ..catalogue.conventions import conventions as known_conventions
from ..catalogue.requests import MetricRequest, parse_metrics, request_entry
from ..errors import InputError, MetricError
from ..inputs.read import paths
from ..inputs.tables import Tables
from ..options import ConventionName, Rules
from ..paths import sql_folder
from ..plan.build import ACCOUNTS, RANKING, check_ties
from ..results.result_layout import libraries_of
from ..results.rows import Rows
from ..results.table import Table
from ..rules import BY_RELEVANCE, OF_LIBRARIES, OPTIONS, RULES, MetricRules
from ..run.job import RESULT, Job, prepare
from .explanation_layout import explanation_layout

# Rules that form one switch: the users, repeated items, the order of lists, and the ideal list.
SWITCHES = (
    ("population", "undefined", "without_list"),
    ("duplicates", "truth_duplicates"),
    ("order", "ties", "unlisted"),
    ("ideal", "ideal_gain"),
)

# A switch: parameters or rules with other values than sqlrec's, mostly a single rule.
Switch = tuple[tuple[str, Any], ...]

# Maximum number of sets of rules in one statement.
BATCH = 6

# Rules that decide which lists exist and which users are averaged over.
OF_USERS = ("population", "listed", "unlisted", "without_list")

# Rules that must have sqlrec's values for its counts to show which choices are equivalent.
PRESUMED = [name for name in RULES if name not in ("order", "ties", "truth_duplicates")]

# Choices of each rule that are equivalent to sqlrec's choice for the current rows.
EquivalentChoices = Mapping[str, Iterable[Any]]

# Tolerance: engines add up in different orders.
SAME = 1e-9


@dataclass
class _Form:
    """One form of a metric: its request, the libraries that have it, and notes on some of them."""

    request: MetricRequest
    names: list[str]
    notes: dict[str, list[str]]

    @property
    def switches(self) -> dict[str, Any]:
        """The values of all parameters and rules of the form."""
        own = {key: allowed[0] for key, allowed in self.request.metric.params.items()}
        return {**MetricRules().__dict__, **self.request.rules, **own, **self.request.params}


class Explanation(Table):
    """A metric as each library computes it: a row per value, and per switch that makes it differ.

    Columns:

    - ``model``, ``metric``, ``k``; ``asked``, the metric as you wrote it.
    - ``value``: null where the library's rules give none; ``users``: the number of users with a
      value.
    - ``conventions``: the libraries that have this value.
    - ``switch``: what these libraries do differently from sqlrec; ``meaning``: the same in words.
    - ``touched``: the number of users whose values this switch changes by itself; null for metrics
      of all users together.
    - ``note``: known defects, or the reason for a missing value.
    """

    def __init__(self, sql: str, rows: Rows, inputs: Sequence[str]) -> None:
        super().__init__(sql, lambda: rows, inputs=inputs, lay_out=explanation_layout)

    def to_dict(self, sep: str = "_at_") -> dict[str, float]:
        """Return each library's value under names that trackers accept: ``ranx/ndcg_at_10``.

        Args:
            sep: The text before a cutoff.
        """
        from ..display.files import to_dict

        rows = {
            (row["model"], row["metric"], row["k"], name): row | {"convention": name}
            for row in self.rows().to_pylist()
            for name in libraries_of(row)
        }
        names = ("model", "metric", "convention", "value")
        return to_dict(names, list(rows.values()), sep)


def explain(
    tables: Tables,
    metrics: Any,
    *,
    k: Any = None,
    conventions: ConventionName | Iterable[ConventionName] | None = None,
    rules: Any = "sqlrec",
) -> Explanation:
    """Explain the values of metrics of opened inputs, as ``Dataset.explain`` does."""
    rules = Rules.read(rules)
    if not isinstance(conventions, Iterable | None):
        raise InputError(f"conventions={conventions!r}: give names of libraries, as in ['ranx']")
    if (single := rules.convention) != OWN:
        raise InputError(f"convention={single!r}: explain compares several; give conventions=[...]")
    chosen: Iterable[str] | None = [conventions] if isinstance(conventions, str) else conventions
    libraries: list[str] = [*known_conventions()] if chosen is None else [OWN, *chosen]
    names = list(dict.fromkeys(convention(name).name for name in libraries))
    opened: Any = {"tables": tables, "rules": rules}
    rows: list[dict[str, Any]] = []
    sql = []
    for own in parse_metrics(metrics, k=k):
        ties = {"ties": rules.ties} if rules.ties else {}
        check_ties(own, {**own.rules, **ties})
        forms = _forms(own, names, ties)
        if conventions is None and len(forms) == 1 and len(forms[0].names) == 1:
            raise MetricError(f"{own.metric.name}: no library's convention has it")
        # Warnings consider all forms together, such as one of a column that no form reads.
        prepare([form.request for form in forms], **opened)
        with catch_warnings():
            simplefilter("ignore")
            explained, text = _explain_forms(forms, opened)
        rows += [{"metric": own.label, "k": own.k, "asked": own.text} | row for row in explained]
        sql.append(text)
    return Explanation("\n".join(sql), _table(rows), paths(dict(tables.named())))


def _forms(own: MetricRequest, names: list[str], ties: Mapping[str, Any]) -> list[_Form]:
    """Return sqlrec's form of a metric, and each other form of a library that supports ``ties``."""
    forms = [_Form(replace(own, label="form 1"), [OWN], {})]
    for name in names:
        library = convention(name)
        # A threshold of relevance above 1 is a caller's choice, not the library's default.
        entries = [
            entry
            for entry in library.entries
            if entry.metric == own.metric.name and entry.rules.get("relevance_threshold", 0) <= 1
        ]
        several = len({repr((entry.params, entry.rules)) for entry in entries}) > 1
        for entry in entries:
            request = request_entry(library, entry, own.k, f"form {len(forms) + 1}")
            form = _Form(replace(request, params={**request.params, **own.params}), [], {})
            if own.k is None and "k" in form.switches.values():
                continue
            try:
                check_ties(form.request, {**form.request.rules, **ties})
            except InputError:
                continue
            same = next((other for other in forms if other.switches == form.switches), form)
            if same is form:
                forms.append(form)
            label = f"{name} {entry.name}" if several else name
            if label not in same.names:
                same.names.append(label)
                if entry.note:
                    same.notes.setdefault(entry.note, []).append(label)
    return forms


def _explain_forms(
    forms: list[_Form], options: Mapping[str, Any]
) -> tuple[list[dict[str, Any]], str]:
    """Evaluate forms and the switches between them; return a row per value and switch, and SQL."""
    own = forms[0]
    job = prepare([own.request], **options)
    texts = [job.render("evaluation")]
    values = _values(job, texts[0])
    models = [model for model, _ in values]
    violation = values[models[0], own.request.label]["violation"]
    if violation and "duplicates" not in {**own.request.rules, **options["rules"].changes}:
        # Repeated rows are an error in sqlrec but not in other libraries. The explanation then
        # starts from the form that counts each item once.
        best = replace(own.request, rules={**own.request.rules, "duplicates": "best"})
        note = f"with duplicates='best', for {violation}"
        return _explain_forms([_Form(best, own.names, {note: [OWN]}), *forms[1:]], options)
    equivalent = _equivalent_choices(own.request, job, [*values.values()], options)
    requests = [form.request for form in forms[1:]]
    defined = {name: choices for name, choices in equivalent.items() if name != "undefined"}
    for choices in (equivalent, defined):
        firsts = _first_equivalents(own.request, requests, choices)
        for batch in _batches(own.request, firsts):
            batch_job = prepare(batch, **options)
            texts.append(batch_job.render("evaluation"))
            values |= _values(batch_job, texts[-1])
        for label, first in firsts.items():
            values |= {(model, label): values[model, first.label] for model in models}
        # MetricRules for undefined values matter only if there are users without a value.
        requests = [
            request
            for request in requests
            if request.rules.get("undefined") in equivalent.get("undefined", ())
            and any(values[model, request.label]["undefined"] for model in models)
        ]
    groups = {model: _groups(forms, values, model) for model in models}
    switches = _switch_requests(own, [group for each in groups.values() for group in each])
    touched = _touched(own.request, job, [*switches.values()], defined, models, options)
    rows = []
    for model in models:
        for group in groups[model]:
            row = _group_row(model, group, values[model, group[0].request.label])
            for switch, count in _causes(own, group, switches, touched, model) or [((), None)]:
                cause = {
                    "switch": ", ".join(f"{key}={choice}" for key, choice in switch),
                    "meaning": " and ".join(meaning(*each, own.request.k) for each in switch),
                    "touched": count,
                }
                rows.append(row | cause)
    return rows, "\n".join(texts)


def _group_row(model: str, group: list[_Form], value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of forms with the same value, except the switch."""
    libraries_by_note: dict[str, list[str]] = {}
    for note, libraries in chain(*(form.notes.items() for form in group)):
        libraries_by_note.setdefault(note, []).extend(libraries)
    notes = [f"{', '.join(libraries)}: {note}" for note, libraries in libraries_by_note.items()]
    return {
        "model": model,
        "value": value["value"],
        "users": value["users"],
        "conventions": ", ".join(name for form in group for name in form.names),
        "note": "; ".join([value["violation"], *notes] if value["violation"] else notes),
    }


def _switch_requests(own: _Form, groups: list[list[_Form]]) -> dict[Switch, MetricRequest]:
    """Return sqlrec's form with each single switch that could explain a group's value."""
    requests: dict[Switch, MetricRequest] = {}
    nearest = (_nearest(own, group) for group in groups if own not in group)
    for switch in dict.fromkeys(chain(*nearest)):
        params, rules = dict(own.request.params), dict(own.request.rules)
        for key, value in switch:
            (params if key in own.request.metric.params else rules)[key] = value
        label = f"switch {len(requests) + 1}"
        requests[switch] = replace(own.request, label=label, params=params, rules=rules)
    return requests


def _nearest(own: _Form, group: list[_Form]) -> list[Switch]:
    """Return the switches of the form of a group with the fewest switches."""
    return min((_switches(own, form) for form in group), key=len)


def _equivalent_choices(
    own: MetricRequest, job: Job, rows: list[dict[str, Any]], options: Mapping[str, Any]
) -> EquivalentChoices:
    """Return the choices of rules that are equivalent to sqlrec's, according to its counts.

    For example, if no list repeats an item, all rules for duplicates are equivalent; if every user
    has a list and relevant items, all populations are.
    """
    plan, default = job.plan, MetricRules()
    if (
        [kind.name for kind in plan.kinds] != ["hits"]
        or plan.tables() != [*plan.recs, plan.truth]
        or not plan.truth
        or plan.ties in BY_RELEVANCE
        or any(getattr(plan, name) != getattr(default, name) for name in PRESUMED)
        or own.rules
        or any(row["violation"] for row in rows)
    ):
        return {}
    none = {name: not any(row[name] for row in rows) for name in ACCOUNTS}
    by_score = plan.order == "score"
    judged = none["users_without_list"] and none["unjudged_lists"]
    full = judged and none["short_lists"] and own.k is not None
    # Ranks may have gaps, which row numbers and joined ranks do not count.
    gaps = () if by_score or full else ("crossed", "lines")
    equivalent: dict[str, Iterable[Any]] = {
        "undefined": OF_LIBRARIES["undefined"],
        "truth_duplicates": {*OF_LIBRARIES["truth_duplicates"]}.difference(gaps),
    }
    if options["rules"].order or not plan.check_order:
        equivalent["order"] = (None, "rank", "score")
        if not by_score:
            equivalent["ties"] = {*OPTIONS["ties"].choices, *OF_LIBRARIES["ties"]}
        if own.k is None or _names_items_once(options):
            choices = {*OPTIONS["duplicates"].choices, *OF_LIBRARIES["duplicates"]}
            equivalent["duplicates"] = choices.difference(gaps)
    if plan.truth.columns["relevance"] is None:
        equivalent["relevance_threshold"] = (None, 1, -inf)
        equivalent["gain"] = ("binary", "linear", "exponential")
        # With ranks, a list of a user without truth may start below the cutoff; with scores not.
        if judged and (by_score or "order" in equivalent):
            populations = {*OPTIONS["population"].choices}
            equivalent["population"] = populations if by_score else populations - {"all"}
            equivalent["listed"] = OF_LIBRARIES["listed"]
            equivalent["without_list"] = OF_LIBRARIES["without_list"]
            if full:
                equivalent["unlisted"] = OF_LIBRARIES["unlisted"]
    return equivalent


def _names_items_once(options: Mapping[str, Any]) -> bool:
    """Return whether lists follow all rules below the cutoffs too."""
    # The metric of whole lists and truth that does not join truth by rank.
    (request,) = parse_metrics("user_coverage@all")
    job = prepare([request], **options)
    return not any(row["violation"] for row in _values(job, job.render("evaluation")).values())


def _simplify(request: MetricRequest, equivalent: EquivalentChoices) -> MetricRequest:
    """Return the request with sqlrec's choice of each rule whose choice is equivalent."""
    default = MetricRules()
    rules = {
        name: choice
        for name, choice in request.rules.items()
        if choice != getattr(default, name) and choice not in equivalent.get(name, ())
    }
    if not {"duplicates", "scores"}.isdisjoint(rules):
        # The counts of users apply only to lists of the same rows.
        rules |= {name: request.rules[name] for name in OF_USERS if name in request.rules}
    params = dict(request.params)
    if (
        params.get("gain") in equivalent.get("gain", ())
        and request.settings.get("ideal_gain", 1) == 1
    ):
        del params["gain"]
    return replace(request, rules=rules, params=params)


def _first_equivalents(
    own: MetricRequest, requests: list[MetricRequest], equivalent: EquivalentChoices
) -> dict[str, MetricRequest]:
    """Return the first equivalent request of each request, by label."""
    firsts: dict[str, MetricRequest] = {}
    return {
        plain.label: firsts.setdefault(repr((plain.settings, sorted(plain.rules.items()))), plain)
        for plain in (_simplify(request, equivalent) for request in (own, *requests))
    }


def _batches(own: MetricRequest, firsts: Mapping[str, MetricRequest]) -> list[list[MetricRequest]]:
    """Group the requests without an equivalent, except sqlrec's own, into statements.

    Requests with the same ranking rules share a statement: engines take longer to plan many sets
    of rules in one statement than to run them.
    """
    others = [x for label, x in firsts.items() if label == x.label != own.label]
    sets: dict[str, list[MetricRequest]] = {}
    for request in sorted(others, key=lambda x: [str(x.rules.get(name)) for name in RANKING]):
        sets.setdefault(repr(sorted(request.rules.items())), []).append(request)
    groups = list(sets.values())
    return [list(chain(*groups[n : n + BATCH])) for n in range(0, len(groups), BATCH)]


def _switches(own: _Form, form: _Form) -> list[Switch]:
    """Return the switches between sqlrec's form and another form."""
    default = own.switches
    other = {key: value for key, value in form.switches.items() if value != default[key]}
    single = [(key,) for key in other if not any(key in keys for keys in SWITCHES)]
    switches = [
        tuple((key, other[key]) for key in keys if key in other) for keys in (*SWITCHES, *single)
    ]
    return [switch for switch in switches if switch]


def _values(job: Job, text: str) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the value of each model and form, or the rule that its rows violate."""
    columns = ("model", *RESULT, "population", *ACCOUNTS, *job.weights, "violations")
    values = {}
    for row in job.rows(text, columns).records:
        violation = str(job.violation(job.part(row))) if row["violations"] else ""
        values[row["model"], row["metric"]] = {
            **{name: row[name] for name in ACCOUNTS},
            "value": None if violation else row["value"],
            "users": None if violation else row["users"],
            "undefined": row["users"] < row["users_evaluated"],
            "violation": violation,
        }
    return values


def _touched(
    own: MetricRequest,
    job: Job,
    requests: list[MetricRequest],
    equivalent: EquivalentChoices,
    models: list[str],
    options: Mapping[str, Any],
) -> dict[tuple[str, str], int]:
    """Count for each model and form the users whose value differs from that of sqlrec's form."""
    if not job.has_user_values:
        return {}
    firsts = _first_equivalents(own, requests, equivalent)
    counts = {(model, own.label): 0 for model in models}
    for batch in _batches(own, firsts):
        batch_job = prepare([own, *batch], **options)
        text = batch_job.render("explanation", forms=[form.label for form in batch_job.asked])
        rows = batch_job.rows(text, ("model", "metric", "touched")).records
        counts |= {(row["model"], row["metric"]): row["touched"] for row in rows}
    # A form without any user's value has no row, and changes no value.
    return {
        (model, label): counts.get((model, first.label), 0)
        for label, first in firsts.items()
        for model in models
    }


def _groups(
    forms: list[_Form], values: Mapping[tuple[str, str], dict[str, Any]], model: str
) -> list[list[_Form]]:
    """Group forms of equal value; sqlrec's group comes first, the others are sorted by value."""
    groups: list[list[_Form]] = []
    for form in forms:
        value = values[model, form.request.label]["value"]
        for group in groups:
            other = values[model, group[0].request.label]["value"]
            if value == other or (None not in (value, other) and abs(value - other) <= SAME):
                group.append(form)
                break
        else:
            groups.append([form])

    def sort_key(group: list[_Form]) -> tuple[bool, bool, float]:
        value = values[model, group[0].request.label]["value"]
        return forms[0] not in group, value is None, value or 0.0

    return sorted(groups, key=sort_key)


def _causes(
    own: _Form,
    group: list[_Form],
    switches: Mapping[Switch, MetricRequest],
    touched: Mapping[tuple[str, str], int],
    model: str,
) -> list[tuple[Switch, int | None]]:
    """Return the switches that change a group's value, with the users that each changes."""
    if own in group:
        return []
    nearest = _nearest(own, group)
    if not touched:
        return [(switch, None) for switch in nearest]
    counts = [(switch, touched[model, switches[switch].label]) for switch in nearest]
    return [count for count in counts if count[1]] or [(switch, None) for switch in nearest]


def meaning(switch: str, choice: Any, k: int | None) -> str:
    """Return the description of a switch."""
    texts = _meanings().get(switch, {})
    text = texts.get(str(choice), texts.get("number", f"{switch}={choice}"))
    return text.format(value=choice, k="k" if k is None else k)


@cache
def _meanings() -> dict[str, dict[str, str]]:
    path = sql_folder() / "switches.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def _table(rows: list[dict[str, Any]]) -> Rows:
    types = {"model": "string", "metric": "string", "k": "int64", "asked": "string"}
    types |= {"value": "float64", "users": "int64", "conventions": "string", "switch": "string"}
    types |= {"meaning": "string", "touched": "int64", "note": "string"}
    return Rows(types, [{name: row[name] for name in types} for row in rows])
