"""Why libraries disagree: one metric under every convention, and what tells them apart."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from math import inf
from typing import Any, Unpack
from warnings import catch_warnings, simplefilter

from ..catalogue.conventions import OWN, convention
from ..catalogue.conventions import conventions as known_conventions
from ..catalogue.requests import MetricRequest, ask, parse_metrics
from ..errors import InputError, MetricError
from ..evaluation import takes
from ..inputs.read import paths
from ..options import CONVENTION, ConventionName, Inputs
from ..paths import sql_folder
from ..plan.build import ACCOUNTS, RANKING, check_ties
from ..results.evaluated import libraries_of
from ..results.rows import Rows
from ..results.table import Table
from ..rules import BY_RELEVANCE, OF_LIBRARIES, OPTIONS, RULES, Rules
from ..run.job import RESULT, Job, open_inputs, prepare
from .explained import of_explanation

# What says one thing together: what is counted of whom, of what is there twice, and the best list.
TOGETHER = (
    ("population", "undefined", "without_list"),
    ("duplicates", "truth_duplicates"),
    ("order", "ties", "unlisted"),
    ("ideal", "ideal_gain"),
)

# A switch: what is chosen otherwise, most often one thing.
Switch = tuple[tuple[str, Any], ...]

# How many sets of rules are brought into one statement.
BATCH = 6

# Rules that say whose lists there are and who is averaged over.
OF_USERS = ("population", "listed", "unlisted", "without_list")

# Rules that are as we have them in what our own form counts, for other forms to be told by it.
PRESUMED = [name for name in RULES if name not in ("order", "ties", "truth_duplicates")]

# For each rule the choices that come to the same as ours in the rows at hand.
Alike = Mapping[str, Iterable[Any]]

# Values that differ by less are the same value, computed in another order.
SAME = 1e-9


@dataclass
class _Form:
    """One form of a metric: what is asked, which libraries have it, and notes on some of them."""

    asked: MetricRequest
    names: list[str]
    notes: dict[str, list[str]]

    @property
    def switches(self) -> dict[str, Any]:
        """What the form chooses, among all that can be chosen."""
        own = {key: allowed[0] for key, allowed in self.asked.metric.params.items()}
        return {**Rules().__dict__, **self.asked.rules, **own, **self.asked.params}


class Explanation(Table):
    """A metric as each library computes it: a row per value, and per switch that makes it differ.

    Columns:

    - ``model``, ``metric``, ``k``; ``asked``, the metric as you wrote it.
    - ``value``: null where the library's rules give none; ``users``: how many users have a value.
    - ``conventions``: the libraries that have this value.
    - ``switch``: what these libraries do differently from sqlrec; ``meaning``: the same in words.
    - ``touched``: how many users' values this switch alone changes; null for metrics of all users
      together.
    - ``note``: known defects, or why there is no value.
    """

    def __init__(self, sql: str, rows: Rows, inputs: Sequence[str]) -> None:
        super().__init__(sql, lambda: rows, inputs=inputs, lay_out=of_explanation)

    def to_dict(self, sep: str = "_at_") -> dict[str, float]:
        """Return each library's value under names that trackers accept: ``ranx/ndcg_at_10``.

        Args:
            sep: The text before a cutoff.
        """
        from ..display.files import to_dict

        found = {
            (row["model"], row["metric"], row["k"], name): row | {"convention": name}
            for row in self.rows().to_pylist()
            for name in libraries_of(row)
        }
        names = ("model", "metric", "convention", "value")
        return to_dict(names, list(found.values()), sep)


@takes(Inputs)
def explain(
    metrics: str | Iterable[str],
    *,
    k: int | str | Iterable[int | str] | None = None,
    conventions: ConventionName | Iterable[ConventionName] | None = None,
    **options: Unpack[Inputs],
) -> Explanation:
    """Compute metrics as each library would, and say what makes the values differ.

    A switch is one thing that a library does differently from sqlrec: which users it averages over,
    what it divides by, which of two equal scores comes first. For each switch by itself,
    ``explain`` counts the users whose values it changes.

    Args:
        metrics: The metrics, as in ``evaluate``. Parameters that you give apply to every library.
        k: The default cutoff, as in ``evaluate``.
        conventions: The libraries to compare; by default all that have the metric.
        **options: The inputs and rules of ``evaluate``. Rules that you give apply to every library.

    Returns:
        An Explanation: a table, which prints as text.

    Example:
        >>> import pyarrow as pa, sqlrec
        >>> recs = pa.table({"user_id": ["ann", "bob"], "item_id": [["a", "b"], ["c", "a"]]})
        >>> truth = pa.table({"user_id": ["ann", "bob"], "item_id": ["b", "c"]})
        >>> found = sqlrec.explain("map@2", recs=recs, truth=truth, conventions="jurity")
        >>> found.to_arrow().select(["asked", "value", "conventions"]).to_pylist()
        [{'asked': 'map@2', 'value': 0.75, 'conventions': 'sqlrec, jurity'}]

    Raises:
        MetricError, InputError, DataError: As in ``evaluate``. Where the rows break a rule of one
            library only, that library's value is null and the note says why.
    """
    if not isinstance(conventions, Iterable | None):
        raise InputError(f"conventions={conventions!r}: give names of libraries, as in ['ranx']")
    if (single := CONVENTION.read(options.pop("convention", None))) != OWN:
        raise InputError(f"convention={single!r}: explain compares several; give conventions=[...]")
    chosen: Iterable[str] | None = [conventions] if isinstance(conventions, str) else conventions
    named: list[str] = [*known_conventions()] if chosen is None else [OWN, *chosen]
    names = list(dict.fromkeys(convention(name).name for name in named))
    given = open_inputs(options)
    rows: list[dict[str, Any]] = []
    sql = []
    for own in parse_metrics(metrics, k=k):
        ties = {"ties": given["ties"]} if given.get("ties") else {}
        check_ties(own, {**own.rules, **ties})
        forms = _forms(own, names, ties)
        if conventions is None and len(forms) == 1 and len(forms[0].names) == 1:
            raise MetricError(f"{own.metric.name}: no library's convention has it")
        # All forms together say what is to be warned of, such as a column that none goes by.
        prepare([form.asked for form in forms], **given)
        with catch_warnings():
            simplefilter("ignore")
            found, text = _explained(forms, given)
        rows += [{"metric": own.label, "k": own.k, "asked": own.text} | row for row in found]
        sql.append(text)
    return Explanation("\n".join(sql), _table(rows), paths(given["given"]))


def _forms(own: MetricRequest, names: list[str], ties: Mapping[str, Any]) -> list[_Form]:
    """Return our own form of a metric, and each other that some library has and ties let be."""
    forms = [_Form(replace(own, label="form 1"), [OWN], {})]
    for name in names:
        library = convention(name)
        # A level of relevance above 1 is a caller's choice, not what a library does by itself.
        entries = [
            entry
            for entry in library.entries
            if entry.metric == own.metric.name and entry.rules.get("relevance_threshold", 0) <= 1
        ]
        several = len({repr((entry.params, entry.rules)) for entry in entries}) > 1
        for entry in entries:
            asked = ask(library, entry, own.k, f"form {len(forms) + 1}")
            form = _Form(replace(asked, params={**asked.params, **own.params}), [], {})
            if own.k is None and "k" in form.switches.values():
                continue
            try:
                check_ties(form.asked, {**form.asked.rules, **ties})
            except InputError:
                continue
            same = next((each for each in forms if each.switches == form.switches), form)
            if same is form:
                forms.append(form)
            label = f"{name} {entry.name}" if several else name
            if label not in same.names:
                same.names.append(label)
                if entry.note:
                    same.notes.setdefault(entry.note, []).append(label)
    return forms


def _explained(forms: list[_Form], options: Mapping[str, Any]) -> tuple[list[dict[str, Any]], str]:
    """Evaluate forms, and what tells them apart; return a row per value and switch, and the SQL."""
    own = forms[0]
    job = prepare([own.asked], **options)
    texts = [job.render("evaluation")]
    values = _values(job, texts[0])
    models = [model for model, _ in values]
    refused = values[models[0], own.asked.label]["violation"]
    if refused and "duplicates" not in {**own.asked.rules, **options}:
        # Repeated rows are an error to us, and something to others: what is told is then told from
        # where they count once.
        best = replace(own.asked, rules={**own.asked.rules, "duplicates": "best"})
        note = f"with duplicates='best', for {refused}"
        return _explained([_Form(best, own.names, {note: [OWN]}), *forms[1:]], options)
    alike = _alike(own.asked, job, [*values.values()], options)
    asked = [form.asked for form in forms[1:]]
    defined = {name: choices for name, choices in alike.items() if name != "undefined"}
    for settled in (alike, defined):
        firsts = _firsts(own.asked, asked, settled)
        for those in _batches(own.asked, firsts):
            together = prepare(those, **options)
            texts.append(together.render("evaluation"))
            values |= _values(together, texts[-1])
        for label, first in firsts.items():
            values |= {(model, label): values[model, first.label] for model in models}
        # Users without a value may count otherwise, and only where there are some.
        asked = [
            one
            for one in asked
            if one.rules.get("undefined") in alike.get("undefined", ())
            and any(values[model, one.label]["undefined"] for model in models)
        ]
    groups = {model: _groups(forms, values, model) for model in models}
    alone = _alone(own, [group for each in groups.values() for group in each])
    touched = _touched(own.asked, job, [*alone.values()], defined, models, options)
    rows = []
    for model in models:
        for group in groups[model]:
            value = values[model, group[0].asked.label]
            named: dict[str, list[str]] = {}
            for note, libraries in chain(*(form.notes.items() for form in group)):
                named.setdefault(note, []).extend(libraries)
            notes = [f"{', '.join(libraries)}: {note}" for note, libraries in named.items()]
            row = {
                "model": model,
                "value": value["value"],
                "users": value["users"],
                "conventions": ", ".join(name for form in group for name in form.names),
                "note": "; ".join([value["violation"], *notes] if value["violation"] else notes),
            }
            for switch, count in _telling(own, group, alone, touched, model) or [((), None)]:
                told = {
                    "switch": ", ".join(f"{key}={choice}" for key, choice in switch),
                    "meaning": " and ".join(meaning(*each, own.asked.k) for each in switch),
                    "touched": count,
                }
                rows.append(row | told)
    return rows, "\n".join(texts)


def _alone(own: _Form, groups: list[list[_Form]]) -> dict[Switch, MetricRequest]:
    """Return our form with each switch alone that may tell a group's value from ours."""
    alone: dict[Switch, MetricRequest] = {}
    telling = (_nearest(own, group) for group in groups if own not in group)
    for switch in dict.fromkeys(chain(*telling)):
        params, rules = dict(own.asked.params), dict(own.asked.rules)
        for key, value in switch:
            (params if key in own.asked.metric.params else rules)[key] = value
        label = f"switch {len(alone) + 1}"
        alone[switch] = replace(own.asked, label=label, params=params, rules=rules)
    return alone


def _nearest(own: _Form, group: list[_Form]) -> list[Switch]:
    """Return the switches of that form of a group which has fewest."""
    return min((_switches(own, form) for form in group), key=len)


def _alike(
    own: MetricRequest, job: Job, rows: list[dict[str, Any]], options: Mapping[str, Any]
) -> Alike:
    """Return the choices of rules that come to the same as ours, by what our own form has counted.

    Where no list has an item twice it does not matter what that leads to, where all users have a
    list and relevant items the same are averaged over, and so on.
    """
    plan, default = job.plan, Rules()
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
    # Ranks may leave places out, which lines and joined places do not count.
    gaps = () if by_score or full else ("crossed", "lines")
    alike: dict[str, Iterable[Any]] = {
        "undefined": OF_LIBRARIES["undefined"],
        "truth_duplicates": {*OF_LIBRARIES["truth_duplicates"]}.difference(gaps),
    }
    if options.get("order") or not plan.check_order:
        alike["order"] = (None, "rank", "score")
        if not by_score:
            alike["ties"] = {*OPTIONS["ties"].choices, *OF_LIBRARIES["ties"]}
        if own.k is None or _names_items_once(options):
            choices = {*OPTIONS["duplicates"].choices, *OF_LIBRARIES["duplicates"]}
            alike["duplicates"] = choices.difference(gaps)
    if plan.truth.columns["relevance"] is None:
        alike["relevance_threshold"] = (None, 1, -inf)
        alike["gain"] = ("binary", "linear", "exponential")
        # By ranks, lists of users without truth may begin below the cutoff; by scores none does.
        if judged and (by_score or "order" in alike):
            everyone = {*OPTIONS["population"].choices}
            alike["population"] = everyone if by_score else everyone - {"all"}
            alike["listed"] = OF_LIBRARIES["listed"]
            alike["without_list"] = OF_LIBRARIES["without_list"]
            if full:
                alike["unlisted"] = OF_LIBRARIES["unlisted"]
    return alike


def _names_items_once(options: Mapping[str, Any]) -> bool:
    """Say whether lists are without fault below the cutoffs too."""
    # Of the metrics by whose lists the truth is read, the one that joins no place with it.
    (one,) = parse_metrics("user_coverage@all")
    job = prepare([one], **options)
    return not any(row["violation"] for row in _values(job, job.render("evaluation")).values())


def _plain(one: MetricRequest, alike: Alike) -> MetricRequest:
    """Return what is asked with our choice of each rule that comes to the same."""
    default = Rules()
    rules = {
        name: choice
        for name, choice in one.rules.items()
        if choice != getattr(default, name) and choice not in alike.get(name, ())
    }
    if not {"duplicates", "scores"}.isdisjoint(rules):
        # What was counted of users is so for lists of the same rows.
        rules |= {name: one.rules[name] for name in OF_USERS if name in one.rules}
    params = dict(one.params)
    if params.get("gain") in alike.get("gain", ()) and one.settings.get("ideal_gain", 1) == 1:
        del params["gain"]
    return replace(one, rules=rules, params=params)


def _firsts(
    own: MetricRequest, asked: list[MetricRequest], alike: Alike
) -> dict[str, MetricRequest]:
    """Return for each form the first that comes to the same."""
    firsts: dict[str, MetricRequest] = {}
    return {
        plain.label: firsts.setdefault(repr((plain.settings, sorted(plain.rules.items()))), plain)
        for plain in (_plain(one, alike) for one in (own, *asked))
    }


def _batches(own: MetricRequest, firsts: Mapping[str, MetricRequest]) -> list[list[MetricRequest]]:
    """Part the forms that stand for others, but our own, into statements.

    What ranks lists alike is together, for an engine plans many sets of rules in one statement for
    longer than it takes to run them.
    """
    others = [one for label, one in firsts.items() if label == one.label != own.label]
    sets: dict[str, list[MetricRequest]] = {}
    for one in sorted(others, key=lambda one: [str(one.rules.get(name)) for name in RANKING]):
        sets.setdefault(repr(sorted(one.rules.items())), []).append(one)
    each = list(sets.values())
    return [list(chain(*each[at : at + BATCH])) for at in range(0, len(each), BATCH)]


def _switches(own: _Form, form: _Form) -> list[Switch]:
    """Return what a form chooses otherwise than ours."""
    ours = own.switches
    other = {key: value for key, value in form.switches.items() if value != ours[key]}
    alone = [(key,) for key in other if not any(key in keys for keys in TOGETHER)]
    found = [
        tuple((key, other[key]) for key in keys if key in other) for keys in TOGETHER + tuple(alone)
    ]
    return [switch for switch in found if switch]


def _values(job: Job, text: str) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the value of each model and form, or the rule that rows break."""
    columns = ("model", *RESULT, "population", *ACCOUNTS, *job.weights, "violations")
    found = {}
    for row in job.rows(text, columns).records:
        violation = job.violation(job.part(row)) if row["violations"] else ""
        found[row["model"], row["metric"]] = {
            **{name: row[name] for name in ACCOUNTS},
            "value": None if violation else row["value"],
            "users": None if violation else row["users"],
            "undefined": row["users"] < row["users_evaluated"],
            "violation": violation,
        }
    return found


def _touched(
    own: MetricRequest,
    job: Job,
    alone: list[MetricRequest],
    alike: Alike,
    models: list[str],
    options: Mapping[str, Any],
) -> dict[tuple[str, str], int]:
    """Count for each model and form the users whose value is not that of our own form."""
    if not job.of_users:
        return {}
    firsts = _firsts(own, alone, alike)
    found = {(model, own.label): 0 for model in models}
    for those in _batches(own, firsts):
        together = prepare([own, *those], **options)
        text = together.render("explanation", forms=[one.label for one in together.asked])
        rows = together.rows(text, ("model", "metric", "touched")).records
        found |= {(row["model"], row["metric"]): row["touched"] for row in rows}
    # Where no user has a value under some forms, none is touched by them.
    return {
        (model, label): found.get((model, first.label), 0)
        for label, first in firsts.items()
        for model in models
    }


def _groups(
    forms: list[_Form], values: Mapping[tuple[str, str], dict[str, Any]], model: str
) -> list[list[_Form]]:
    """Bring forms of equal value together, ours first, then by value."""
    groups: list[list[_Form]] = []
    for form in forms:
        mine = values[model, form.asked.label]["value"]
        for group in groups:
            other = values[model, group[0].asked.label]["value"]
            if mine == other or (None not in (mine, other) and abs(mine - other) <= SAME):
                group.append(form)
                break
        else:
            groups.append([form])

    def place(group: list[_Form]) -> tuple[bool, bool, float]:
        value = values[model, group[0].asked.label]["value"]
        return forms[0] not in group, value is None, value or 0.0

    return sorted(groups, key=place)


def _telling(
    own: _Form,
    group: list[_Form],
    alone: Mapping[Switch, MetricRequest],
    touched: Mapping[tuple[str, str], int],
    model: str,
) -> list[tuple[Switch, int | None]]:
    """Return what makes a group's value another than ours, with the users that each touches."""
    if own in group:
        return []
    nearest = _nearest(own, group)
    if not touched:
        return [(switch, None) for switch in nearest]
    counts = [(switch, touched[model, alone[switch].label]) for switch in nearest]
    return [each for each in counts if each[1]] or [(switch, None) for switch in nearest]


def meaning(switch: str, choice: Any, k: int | None) -> str:
    """Say in words what a switch does."""
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
