"""Values of a metric's forms, from a few statements, since equivalent forms share a computation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import chain, pairwise
from math import inf
from typing import Any

from ..catalogue.requests import MetricRequest
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

# The maximum number of sets of rules in one statement. Engines take longer to plan many sets than
# to run them.
BATCH = 6

# Rules that decide which lists exist and which users are averaged over.
OF_USERS = ("population", "list_users", "missing_items", "without_list")

# Rules by which lists or truth contain separate rows for each user of a population.
_ROWS_OF_USERS = {name: values_with_property(name, "rows_of_users") for name in VALUES}

# Populations that include users without truth, each with the population of its users in the truth.
_OF_TRUTH = {"all": "judged", "recs": "judged_and_recs"}

# If these rules do not have sqlrec's values, facts about the rows can't show equivalent choices.
_PRESUMED = [name for name in RULES if name not in ("order", "ties", "truth_duplicates")]

# Choices of each rule that are equivalent to sqlrec's choice for the current rows.
_EquivalentChoices = Mapping[str, Iterable[Any]]

# Facts about usual rows of all models. They determine which choices are equivalent on such rows.
_USUAL_FACTS: Mapping[str, Any] = {
    **dict.fromkeys(("unscored_rows", "repeated_items", "tied_ranks", "missing_ranks"), 0),
    **{"other_orders": 0, "least_score": 1},
    **dict.fromkeys(("least_grade", "least_relevant", "largest_grade"), 1),
}

# Columns of facts that count a model's users.
_USER_COUNTS = ("users_evaluated", "users_without_list", "short_lists", "unjudged_lists")


@dataclass(frozen=True)
class FormValue:
    """The value of a form for one model."""

    value: float | None  # The mean; None if it is undefined or the rows violate a rule.
    users: int | None  # The number of users with a value.
    # The number of users with a value that differs from sqlrec's form; None for metrics over all
    # users together.
    changed_users: int | None
    violation: str = ""  # The rule that the rows violate.


# Values of models and forms.
FormValues = dict[tuple[str, str], FormValue]


@dataclass(frozen=True)
class UserForm:
    """A form that is a mean over per-user values, which other forms share."""

    label: str  # The label of the form.
    base: MetricRequest  # The request that computes the per-user values.
    population: str | None = None  # The users of the mean; None for all users of the request.
    undefined: str = "omit"  # The rule for undefined values.
    without_list: str = "value"  # The rule for users without a list.


class Evaluator:
    """Evaluations of a metric's forms on the same inputs.

    The first statement evaluates the forms that differ from sqlrec's on typical rows,
    and reads the facts about the rows of the inputs. If these facts are not the usual facts, later
    statements evaluate the other forms.
    """

    def __init__(
        self,
        own: MetricRequest,
        call: Call,
        requests: Sequence[MetricRequest],
        chains: Sequence[Sequence[MetricRequest]],
    ) -> None:
        self.own, self._call = own, call  # sqlrec's form.
        self._given: RuleChoices = call.rules.changes
        self.texts: list[str] = []  # The statements that ran.
        self._lists_are_valid = False
        self._equivalent: _EquivalentChoices = {}
        # The number of users of each model, if all populations have the same users.
        self.users_of_models: dict[str, int] = {}
        # One request for each distinct value on these rows; and the numbers of requests by key.
        self._requests: dict[str, MetricRequest] = {}
        self._numbers: dict[str, str] = {}
        self._values = FormValues()
        # The number of changed users, by model and the numbers of two requests.
        self._changed_users: dict[tuple[str, str, str], int] = {}
        job = call.prepare(own)
        self._has_user_values = job.has_user_values
        rows = self._read_facts(job, requests, chains) if self._has_facts(job.plan) else []
        rows = rows or self._rows_of(job)
        self.models = [row["model"] for row in rows]
        self.violation = str(job.violation(job.plan)) if rows[0]["violations"] else ""
        if not self.violation:
            describe_missing_overlaps(job, rows)
        if {*self._equivalent.get("population", ())}.issuperset(OPTIONS["population"].choices):
            self.users_of_models = {row["model"]: row["users_evaluated"] for row in rows}

    def values(
        self, requests: Iterable[MetricRequest], chains: Iterable[Sequence[MetricRequest]] = ()
    ) -> FormValues:
        """Return the values of requests by model and label, with changes from sqlrec's form.

        The statements also compare the steps of chains.
        """
        numbers, pairs = self._pairs_of(requests, chains)
        self._evaluate(pairs)
        return {
            (model, label): self._stored_value(model, pairs[0][0], number)
            for label, number in numbers.items()
            for model in self.models
        }

    def step_values(self, requests: Iterable[MetricRequest], model: str) -> list[FormValue]:
        """Return a model's values of requests, with the users changed since the last request."""
        steps = [*map(self._number_of, requests)]
        pairs = [*pairwise([steps[0], *steps])]
        new = [x for x in pairs if not self._is_stored(model, *x)]
        for start in range(0, len(new), BATCH):
            self._evaluate(new[start : start + BATCH], together=True)
        return [self._stored_value(model, *pair) for pair in pairs]

    def valid_rows(self, requests: Sequence[MetricRequest]) -> list[Record]:
        """Return the rows of requests with the same rules; no rows if they violate a rule."""
        rows = self._rows_of(self._call.prepare(*requests)) if requests else []
        return rows if rows and not rows[0]["violations"] else []

    def _pairs_of(
        self, requests: Iterable[MetricRequest], chains: Iterable[Sequence[MetricRequest]]
    ) -> tuple[dict[str, str], list[tuple[str, str]]]:
        """Return numbers of requests by label, and pairs to compare, first sqlrec's form."""
        numbers = {x.label: self._number_of(x) for x in (self.own, *requests)}
        own = numbers[self.own.label]
        steps = chain(*(pairwise(map(self._number_of, x)) for x in chains))
        return numbers, [*((own, n) for n in numbers.values()), *steps]

    def _is_stored(self, model: str, before: str, number: str) -> bool:
        """Return whether both values and the number of changed users are stored."""
        if not self._has_user_values or before == number:
            return {(model, before), (model, number)} <= self._values.keys()
        return (model, before, number) in self._changed_users

    def _number_of(self, request: MetricRequest) -> str:
        """Return the number of the first request with the same values on these rows."""
        simple = _drop_equivalent_choices(request, self._equivalent)
        number = self._numbers.setdefault(request_key(simple), str(len(self._numbers) + 1))
        self._requests.setdefault(number, replace(simple, label=number))
        return number

    def _stored_value(self, model: str, before: str, number: str) -> FormValue:
        """Return the value of a request, with the users changed since the previous request."""
        # Metrics over all users together have no changed users.
        changed_users = 0 if before == number else self._changed_users.get((model, before, number))
        return replace(self._values[model, number], changed_users=changed_users)

    def _evaluate(self, pairs: Sequence[tuple[str, str]], *, together: bool = False) -> None:
        """Store the values and changed users of pairs, also of stored values if together."""
        model = self.models[0]
        if not together:
            pairs = [x for x in pairs if not {(model, n) for n in x} <= self._values.keys()]
        numbers = list(dict.fromkeys(chain(*pairs)))
        if self._has_user_values and numbers:
            self._evaluate_users(numbers, pairs, together)
        summed = [self._requests[n] for n in numbers if (model, n) not in self._values]
        for batch in group_into_statements(summed):
            job = self._call.prepare(*batch)
            for row in self._rows_of(job):
                self._values[row["model"], row["metric"]] = _form_value(job, row["metric"], row)

    def _rows_of(self, job: Job) -> list[Record]:
        columns = ("model", *RESULT, "population", *ACCOUNTS, *job.weights, "violations")
        return self._run(job, job.render("evaluation"), columns)

    def _read_facts(
        self, job: Job, requests: Sequence[MetricRequest], chains: Sequence[Sequence[MetricRequest]]
    ) -> list[Record]:
        """Evaluate the forms that differ on usual rows; return a row for each model."""
        usual = {**_USUAL_FACTS, **dict.fromkeys(_USER_COUNTS, 0)}
        if job.plan.truth and job.plan.truth.columns["relevance"]:
            usual["largest_grade"] = None
        self._equivalent = self._equivalent_choices(job.plan, [usual])
        _, pairs = self._pairs_of(requests, chains)
        first, *forms = self._forms_of(chain(*pairs))
        forms = [first, *(x for x in forms if x.base.rules == first.base.rules)]
        rows = self._read_forms(forms, pairs, within=self.own.k or job.plan.whole_list)
        for row in rows:
            row |= {"metric": self.own.label, "k": self.own.k, "population": job.plan.population}
            row |= {"value": row["value_1"], "violations": row["violations_1"]}
        self._equivalent, self._lists_are_valid = {}, False
        if rows and not rows[0]["violations"]:
            self._equivalent = self._equivalent_choices(job.plan, rows)
        if not self._lists_are_valid:
            # Values for users with lists may average over other users.
            self._values.clear()
            self._changed_users.clear()
        return rows

    def _run(self, job: Job, text: str, columns: Iterable[str]) -> list[Record]:
        self.texts.append(job.inputs.restore_names(text))
        return job.rows(text, columns).records

    def _evaluate_users(
        self, numbers: Sequence[str], pairs: Sequence[tuple[str, str]], together: bool
    ) -> None:
        """Store the values of requests that are means of users' values."""
        forms = self._forms_of([pairs[0][0], *numbers])
        first, *others = {form.base.label: form.base for form in forms}.values()
        for batch in [others] if together else group_into_statements(others) or [[]]:
            self._read_forms([x for x in forms if x.base in (first, *batch)], pairs)

    def _forms_of(self, numbers: Iterable[str]) -> list[UserForm]:
        """Return the forms of requests. Forms with the same base metric share the users' values."""
        bases: dict[str, MetricRequest] = {}
        forms = []
        for number in dict.fromkeys(numbers):
            form = user_form(self._requests[number], self._given, self._lists_are_valid)
            base = bases.setdefault(request_key(form.base), form.base)
            forms.append(replace(form, base=base))
        return forms

    def _read_forms(
        self, forms: Sequence[UserForm], pairs: Iterable[tuple[str, str]], within: int | None = None
    ) -> list[Record]:
        """Store the values of forms; return a row for each model, with facts at a cutoff."""
        job = self._call.prepare(*{form.base.label: form.base for form in forms}.values())
        job = replace(job, plan=job.plan.each(partial(replace, user_items=True)))
        columns_of = {form.label: n for n, form in enumerate(forms, 1)}
        pairs = [x for x in dict.fromkeys(pairs) if x[0] != x[1] and {*x} <= columns_of.keys()]
        changes = [(columns_of[before], columns_of[after]) for before, after in pairs]
        texts = [asdict(form) | {"base": form.base.label} for form in forms]
        facts = [*_USUAL_FACTS] if within else []
        text = job.render("explanation", forms=texts, changes=changes, within=within, facts=facts)
        names = ("value", "users", "violations")
        columns = [f"{name}_{n}" for n in columns_of.values() for name in names]
        columns += [f"changed_users_{n}" for n, _ in enumerate(changes, 1)]
        columns += [*_USER_COUNTS, *facts] if within else []
        rows = self._run(job, text, ("model", *columns))
        by_model = {row["model"]: row for row in rows}
        for model in by_model if within else self.models:
            row = by_model.get(model, dict.fromkeys(columns))
            for form in forms:
                if form.base.label in job.means:
                    cells = {name: row[f"{name}_{columns_of[form.label]}"] for name in names}
                    value = _form_value(job, form.base.label, cells)
                    self._values[model, form.label] = value
            for n, pair in enumerate(pairs, 1):
                self._changed_users[model, *pair] = int(row[f"changed_users_{n}"] or 0)
        return rows

    def _has_facts(self, plan: Plan) -> bool:
        """Return whether facts about the rows can show which choices are equivalent."""
        default = MetricRules()
        return bool(
            [kind.name for kind in plan.kinds] == ["hits"]
            and plan.truth
            and plan.tables() == [*plan.recs, plan.truth]
            and plan.ties not in BY_RELEVANCE
            and all(getattr(plan, name) == getattr(default, name) for name in _PRESUMED)
            and not self.own.rules
        )

    def _equivalent_choices(self, plan: Plan, rows: Sequence[Row]) -> _EquivalentChoices:
        """Return the choices of rules that do not change values on these rows.

        For example, if no list repeats an item, all rules for duplicates are equivalent. If every
        user has a list and relevant items, all populations are equivalent.
        """
        facts = rows[0]
        self._lists_are_valid = not facts["unscored_rows"] and not facts["repeated_items"]
        none = {name: not any(row[name] for row in rows) for name in _USER_COUNTS}
        judged = none["users_without_list"] and none["unjudged_lists"]
        # Ranks may have gaps, which row numbers and joined ranks do not count.
        is_dense = not facts["missing_ranks"]
        gaps = () if is_dense else ("crossed", "lines")
        positive = (facts["least_grade"] or 0) > 0
        minimum, largest = facts["least_relevant"] or inf, facts["largest_grade"]
        numbers = [x for x in (-inf, 0, 1) if x <= minimum and (positive or x > 0)]
        # An item with a grade of 0 may be relevant, but only a binary gain then counts it.
        is_binary = positive and minimum == largest == 1
        equivalent: dict[str, Iterable[Any]] = {
            "truth_duplicates": {*OF_LIBRARIES["truth_duplicates"]}.difference(gaps),
            "relevance_threshold": [None, *numbers],
            "gain": ("binary", "linear", "exponential") if is_binary else (),
        }
        if positive and none["users_without_list"] and none["short_lists"] and self.own.k:
            equivalent["missing_items"] = OF_LIBRARIES["missing_items"]
        if (facts["least_score"] or 0) > 0:
            equivalent["scores"] = OF_LIBRARIES["scores"]
        # In lists with gaps, some rules change ranks without changing the order of items.
        has_one_order = self._given.get("order") or not facts["other_orders"]
        if is_dense and has_one_order:
            equivalent["order"] = (None, "rank", "score")
            if not facts["tied_ranks"]:
                equivalent["ties"] = {*OPTIONS["ties"].choices, *OF_LIBRARIES["ties"]}
            if self._lists_are_valid:
                choices = {*OPTIONS["duplicates"].choices, *OF_LIBRARIES["duplicates"]}
                equivalent["duplicates"] = choices
        # With gaps, the list of a user without truth may start below the cutoff.
        if judged and positive and is_dense:
            equivalent["population"] = OPTIONS["population"].choices
            equivalent["list_users"] = OF_LIBRARIES["list_users"]
            equivalent["without_list"] = OF_LIBRARIES["without_list"]
        return equivalent


def user_form(request: MetricRequest, shared_rules: RuleChoices, lists_are_valid: bool) -> UserForm:
    """Return a form with its per-user values, if it is a mean over users with truth or lists.

    If all lists are valid, lists of other users do not matter.
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
    counts_undefined = shared_rules.get("undefined") in ("zero", "one")
    population = base_rules.pop("population", "judged" if counts_undefined else "truth")
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


def _form_value(job: Job, label: str, row: Row) -> FormValue:
    """Return the value of a row, or the rule that the rows of the form violate."""
    if row["violations"]:
        return FormValue(None, None, None, str(job.violation(job.part({"metric": label}))))
    return FormValue(row["value"], int(row["users"] or 0), None)


def _drop_equivalent_choices(
    request: MetricRequest, equivalent: _EquivalentChoices
) -> MetricRequest:
    """Return the request with sqlrec's choice for each rule with an equivalent choice."""
    default = MetricRules()
    rules = {
        name: choice
        for name, choice in request.rules.items()
        if choice != getattr(default, name) and choice not in equivalent.get(name, ())
    }
    if not {"duplicates", "scores"}.isdisjoint(rules):
        # Counts of users can be compared only if the lists have the same rows.
        rules |= {name: request.rules[name] for name in OF_USERS if name in request.rules}
    if "missing_items" in rules:
        # Items below a list are tied. All rules order them by item, except rules with shared ranks.
        rules |= {"ties": "shared"} if request.rules.get("ties") == "shared" else {}
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
