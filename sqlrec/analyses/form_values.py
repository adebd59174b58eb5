"""Values of the forms of a metric, in few statements: equivalent forms share a computation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import chain, groupby
from math import inf
from typing import Any

from ..catalogue.requests import MetricRequest, parse_metrics
from ..plan.build import ACCOUNTS, RANKING
from ..plan.plan import Plan
from ..records import Record, Row, group_by
from ..rules import (
    BY_RELEVANCE,
    OF_LIBRARIES,
    OPTIONS,
    RULES,
    VALUES,
    MetricRules,
    RuleChoices,
    values_with_property,
)
from ..run.input_problems import describe_missing_overlaps
from ..run.job import RESULT, Call, Job

# Maximum number of sets of rules in one statement: engines take longer to plan many than to run
# them.
BATCH = 6

# Rules that decide which lists exist and which users are averaged over.
OF_USERS = ("population", "list_users", "missing_items", "without_list")

# Rules under which lists or truth have separate rows for each user of a population.
_ROWS_OF_USERS = {name: values_with_property(name, "rows_of_users") for name in VALUES}

# Populations of lists, and their users of the truth.
_OF_TRUTH = {"all": "judged", "recs": "judged_and_recs"}

# Rules that must have sqlrec's values for its counts to show which choices are equivalent.
_PRESUMED = [name for name in RULES if name not in ("order", "ties", "truth_duplicates")]

# Choices of each rule that are equivalent to sqlrec's choice for the current rows.
_EquivalentChoices = Mapping[str, Iterable[Any]]

# Columns of the facts that show which choices are equivalent on these rows.
_FACTS = ("violations", "ties", "least_score", "least_grade", "least_relevant", "largest_grade")


@dataclass(frozen=True)
class FormValue:
    """The value of a form for one model."""

    value: float | None  # The mean; None if it is undefined or the rows violate a rule.
    users: int | None  # The number of users with a value.
    # The number of users with another value than by sqlrec's form; None for metrics of all users
    # together.
    touched: int | None
    violation: str = ""  # The rule that the rows violate.


# The value of a metric that is not a mean of users' values, until it is evaluated.
_SUMMED = FormValue(None, None, None)

# Values of models and forms.
FormValues = dict[tuple[str, str], FormValue]


@dataclass(frozen=True)
class UserForm:
    """A form with a mean over per-user values that other forms share."""

    label: str  # The label of the form.
    base: MetricRequest  # The request that has the per-user values.
    population: str | None = None  # The users of the mean; None for all that the request has.
    undefined: str = "omit"  # The rule for undefined values.
    without_list: str = "value"  # The rule for users without a list.


class Evaluator:
    """Evaluations of forms of a metric on the same inputs.

    Attributes:
        own: sqlrec's form.
        models: All models.
        violation: The rule that the rows violate in sqlrec's form.
        texts: The statements that ran.
    """

    def __init__(self, own: MetricRequest, call: Call) -> None:
        self.own, self._call = own, call
        self._given: RuleChoices = call.rules.changes
        self.texts: list[str] = []
        self._lists_are_valid = False
        job = call.prepare(own)
        rows = self._rows_of(job)
        self.models = [row["model"] for row in rows]
        self.violation = str(job.violation(job.plan)) if rows[0]["violations"] else ""
        if not self.violation:
            describe_missing_overlaps(job, rows)
        self._equivalent = {} if self.violation else self._equivalent_choices(job, rows)
        self._has_user_values = job.has_user_values

    def values(self, requests: Iterable[MetricRequest]) -> FormValues:
        """Return the values of requests by model and label; users are compared with sqlrec's form.

        Users differ if their value is not equal.
        """
        firsts: dict[str, MetricRequest] = {}
        equivalents = {
            request.label: firsts.setdefault(request_key(simple), simple)
            for request in (self.own, *requests)
            for simple in [_drop_equivalent_choices(request, self._equivalent)]
        }
        values = self._values_of([*firsts.values()])
        return {
            (model, label): values[model, first.label]
            for label, first in equivalents.items()
            for model in self.models
        }

    def step_values(self, requests: Iterable[MetricRequest], model: str) -> list[FormValue]:
        """Return the values of requests for a model; users are compared with the request before.

        The first request has no changed users.
        """
        simple = (_drop_equivalent_choices(request, self._equivalent) for request in requests)
        runs = [[*run] for _, run in groupby(simple, request_key)]
        firsts = [run[0] for run in runs]
        values = FormValues()
        for start in range(0, max(1, len(firsts) - 1), BATCH):
            steps = firsts[start : start + BATCH + 1]
            # The first of these steps has its users from the statement before.
            values = self._values_of(steps, by_step=True) | values
        all_values = []
        for run in runs:
            value = values[model, run[0].label]
            # An equivalent request changes no user.
            all_values += [value, *[replace(value, touched=0)] * (len(run) - 1)]
        return all_values

    def _values_of(self, requests: list[MetricRequest], *, by_step: bool = False) -> FormValues:
        """Return the values of requests; users are compared with the first, or by step."""
        values = self._user_values(requests, by_step) if self._has_user_values else {}
        sums = [x for x in requests if values.get((self.models[0], x.label), _SUMMED).users is None]
        for batch in group_into_statements(sums):
            job = self._call.prepare(*batch)
            for row in self._rows_of(job):
                key = row["model"], row["metric"]
                touched = values.get(key, _SUMMED).touched
                values[key] = replace(_form_value(job, row["metric"], row), touched=touched)
        return values

    def rows(self, requests: Iterable[MetricRequest]) -> list[Record]:
        """Return the rows of models and of any metrics of the inputs."""
        return self._rows_of(self._call.prepare(*requests))

    def _rows_of(self, job: Job) -> list[Record]:
        """Evaluate, and return the rows of models and forms."""
        columns = ("model", *RESULT, "population", *ACCOUNTS, *job.weights, "violations")
        return self._run(job, job.render("evaluation"), columns)

    def _run(self, job: Job, text: str, columns: Iterable[str]) -> list[Record]:
        """Run a statement, and return its rows."""
        self.texts.append(job.inputs.restore_names(text))
        return job.rows(text, columns).records

    def _user_values(self, requests: list[MetricRequest], by_step: bool) -> FormValues:
        """Return each form's values.

        Forms with the same base metric share one computation of per-user values. By step, all are
        in one statement.
        """
        bases: dict[str, MetricRequest] = {}
        forms = []
        for request in requests:
            form = user_form(request, self._given, self._lists_are_valid)
            base = bases.setdefault(request_key(form.base), form.base)
            forms.append(replace(form, base=base))
        own, values = forms[0], FormValues()
        others = [base for base in bases.values() if base is not own.base]
        for batch in [others] if by_step else group_into_statements(others) or [[]]:
            job = self._call.prepare(own.base, *batch)
            job = replace(job, plan=job.plan.each(with_user_items))
            batch_forms = [own, *(form for form in forms[1:] if form.base in job.requests)]
            values |= self._read_forms(job, batch_forms, by_step)
        return values

    def _read_forms(self, job: Job, forms: list[UserForm], by_step: bool) -> FormValues:
        """Return the values of forms from the per-user values of a job."""
        texts = [
            asdict(form) | {"base": form.base.label, "compared": max(1, n) if by_step else 1}
            for n, form in enumerate(forms)
        ]
        text = job.render("explanation", forms=texts)
        names = ("value", "users", "touched", "violations")
        columns = [f"{name}_{n}" for n in range(1, len(forms) + 1) for name in names]
        rows = {row["model"]: row for row in self._run(job, text, ("model", *columns))}
        values = {}
        for model in self.models:
            row = rows.get(model, dict.fromkeys(columns))
            for n, form in enumerate(forms, 1):
                cells = {name: row[f"{name}_{n}"] for name in names}
                value = _form_value(job, form.base.label, cells)
                if form.base.label not in job.means:
                    value = replace(_SUMMED, touched=value.touched)
                values[model, form.label] = value
        return values

    def _equivalent_choices(self, job: Job, rows: list[Record]) -> _EquivalentChoices:
        """Return the choices of rules that do not change values on these rows.

        For example, if no list repeats an item, all rules for duplicates are equivalent; if every
        user has a list and relevant items, all populations are.
        """
        plan, default = job.plan, MetricRules()
        if (
            [kind.name for kind in plan.kinds] != ["hits"]
            or plan.tables() != [*plan.recs, plan.truth]
            or not plan.truth
            or plan.ties in BY_RELEVANCE
            or any(getattr(plan, name) != getattr(default, name) for name in _PRESUMED)
            or self.own.rules
        ):
            return {}
        facts = self._facts()
        self._lists_are_valid = not facts["violations"]
        none = {name: not any(row[name] for row in rows) for name in ACCOUNTS}
        by_score = plan.order == "score"
        judged = none["users_without_list"] and none["unjudged_lists"]
        full = judged and none["short_lists"] and self.own.k is not None
        # Ranks may have gaps, which row numbers and joined ranks do not count.
        gaps = () if by_score or full else ("crossed", "lines")
        equivalent: dict[str, Iterable[Any]] = {
            "truth_duplicates": {*OF_LIBRARIES["truth_duplicates"]}.difference(gaps),
            **_equivalent_grades(facts),
        }
        positive = (facts["least_grade"] or 0) > 0
        if positive and none["users_without_list"] and none["short_lists"] and self.own.k:
            equivalent["missing_items"] = OF_LIBRARIES["missing_items"]
        if by_score and facts["least_score"] is not None and facts["least_score"] > 0:
            equivalent["scores"] = OF_LIBRARIES["scores"]
        if self._given.get("order") or not plan.check_order:
            equivalent["order"] = (None, "rank", "score")
            if not by_score or not facts["ties"]:
                equivalent["ties"] = {*OPTIONS["ties"].choices, *OF_LIBRARIES["ties"]}
            if self._lists_are_valid:
                choices = {*OPTIONS["duplicates"].choices, *OF_LIBRARIES["duplicates"]}
                equivalent["duplicates"] = choices.difference(gaps)
        # With ranks, a list of a user without truth may start below the cutoff; with scores not.
        if judged and positive and (by_score or "order" in equivalent):
            populations = {*OPTIONS["population"].choices}
            equivalent["population"] = populations if by_score else populations - {"all"}
            equivalent["list_users"] = OF_LIBRARIES["list_users"]
            equivalent["without_list"] = OF_LIBRARIES["without_list"]
        return equivalent

    def _facts(self) -> dict[str, Any]:
        """Return the facts about whole lists and truth, over all models together."""
        # The metric of whole lists and truth that does not join truth by rank.
        (request,) = parse_metrics("user_coverage@all")
        job = self._call.prepare(request)
        within = self.own.k or job.plan.whole_list
        (facts,) = self._run(job, job.render("row_facts", within=within), _FACTS)
        return facts


def user_form(request: MetricRequest, shared_rules: RuleChoices, lists_are_valid: bool) -> UserForm:
    """Return a form with its values by user, if it is a mean over users of truth or lists.

    ``shared_rules`` apply to all forms. If all lists are valid, lists of other users do not
    matter.
    """
    rules = {**request.rules, **shared_rules}
    if (
        request.metric.rows != "hits"
        or not request.reads("truth")
        or "absent" in request.metric.parts
        or any(rules.get(name) in choices for name, choices in _ROWS_OF_USERS.items())
    ):
        return UserForm(request.label, request)
    base_rules = dict(request.rules)
    rule = shared_rules.get("undefined") in ("zero", "one")
    population = base_rules.pop("population", "judged" if rule else "truth")
    mean_rules: dict[str, Any] = {}
    if "population" not in shared_rules:
        if (
            lists_are_valid
            and "missing_items" not in base_rules
            and base_rules.pop("list_users", "") == "truth"
        ):
            population = _OF_TRUTH.get(population, population)
        mean_rules["population"], base_rules["population"] = population, "all"
    if "undefined" not in shared_rules:
        names = ("undefined", "without_list")
        mean_rules |= {name: base_rules.pop(name) for name in names if name in base_rules}
    return UserForm(request.label, replace(request, rules=base_rules), **mean_rules)


def _equivalent_grades(facts: Mapping[str, Any]) -> _EquivalentChoices:
    """Return the choices that are equivalent for the grades of the truth."""
    minimum, largest = facts["least_relevant"] or inf, facts["largest_grade"]
    positive = (facts["least_grade"] or 0) > 0
    numbers = [x for x in (-inf, 0, 1) if x <= minimum and (positive or x > 0)]
    gains = ("binary", "linear", "exponential") if minimum == largest == 1 else ()
    return {"relevance_threshold": [None, *numbers], "gain": gains}


def _form_value(job: Job, label: str, row: Row) -> FormValue:
    """Return the value of a row, or the rule that the rows of the form violate."""
    touched = row.get("touched")
    if row["violations"]:
        return FormValue(None, None, touched, str(job.violation(job.part({"metric": label}))))
    return FormValue(row["value"], int(row["users"] or 0), int(touched or 0), "")


def with_user_items(plan: Plan) -> Plan:
    """Return a plan of per-user values that also have the list length and the number of items."""
    return replace(plan, user_items=True)


def _drop_equivalent_choices(
    request: MetricRequest, equivalent: _EquivalentChoices
) -> MetricRequest:
    """Return the request with sqlrec's choice of each rule with an equivalent choice."""
    default = MetricRules()
    rules = {
        name: choice
        for name, choice in request.rules.items()
        if choice != getattr(default, name) and choice not in equivalent.get(name, ())
    }
    if not {"duplicates", "scores"}.isdisjoint(rules):
        # The counts of users apply only to lists of the same rows.
        rules |= {name: request.rules[name] for name in OF_USERS if name in request.rules}
    if "missing_items" in rules:
        # Items below a list are tied.
        rules |= {name: request.rules[name] for name in ("ties",) if name in request.rules}
    params = dict(request.params)
    if (
        params.get("gain") in equivalent.get("gain", ())
        and request.settings.get("ideal_gain", 1) == 1
    ):
        del params["gain"]
    return replace(request, rules=rules, params=params)


def request_key(request: MetricRequest) -> str:
    """Return a string that is equal for requests with the same settings and rules."""
    return repr((request.settings, sorted(request.rules.items())))


def group_into_statements(requests: list[MetricRequest]) -> list[list[MetricRequest]]:
    """Group requests into statements; requests with the same ranking rules share one."""
    in_order = sorted(requests, key=lambda x: [str(x.rules.get(name)) for name in RANKING])
    groups = [*group_by(in_order, lambda x: repr(sorted(x.rules.items()))).values()]
    return [list(chain(*groups[n : n + BATCH])) for n in range(0, len(groups), BATCH)]
