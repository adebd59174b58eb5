"""Cases that were worked by hand, as rows that are evaluated together.

A sentence states the definition, and the rows below it have inputs and expected values::

    test_recall = worked(
        "is the share of relevant items in the list",
        case({"recall@2": 0, "recall@3": 1 / 2}, "abc", "cx"),
        case({"recall@3": 2 / 2}, "abc", "ab"),
        case("is 0 without a hit", {"recall@3": 0}, "abc", "x"),
    )

Rows whose inputs have the same shape are evaluated in one call, each as a separate segment or
model, so that rows do not change each other's values.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pytest import approx, mark, raises

import sqlrec
from sqlrec.catalogue.requests import MetricRequest, parse_metrics

from ..tables import JUDGED, lists, rows_of, scored, table, wanted

# A set of relevant items, and the same with grades and items judged irrelevant: a row for each.
EITHER = ("bdx", JUDGED)
SECOND = 1 / log2(3)  # The weight of rank 2.

# Inputs about the users of lists, which cases can share only if they are equal.
OF_USERS = ("history", "baseline", "logs")
TABLES = ("recs", "truth", "catalog", "items", *OF_USERS)
Answers = dict[tuple[str, int | None], Any]


@dataclass(frozen=True, eq=False)
class Case:
    """A row: values of metrics, tables and rules, the user with these values, and a sentence."""

    values: Mapping[str, Any]
    given: Mapping[str, Any]
    user: str | None = None
    sentence: str = ""

    @cached_property
    def expected(self) -> list[tuple[MetricRequest, Any]]:
        """The metrics and their expected values."""
        convention = self.given.get("convention", "sqlrec")
        return [
            (request, value)
            for metrics, value in self.values.items()
            for requests in re.split(r"\s+(?![^(]*\))", metrics)
            for text in _each_choice(requests)
            for request in parse_metrics(text, convention)
        ]


def case(*parts: Any, **others: Any) -> Case:
    """Return a row: its sentence, if it begins a test, and values, recs, truth and user.

    ``recs`` and ``truth`` are the items of one user, ``"abc"`` from best to worst, or with scores
    or grades, ``{"a": 2, "b": 1}``; or those of several users, ``{"ann": "abc", "bob": "x"}``. A
    catalog is its items, ``"abcxyz"``. Each of them can also be a table. Other inputs and rules are
    those of ``sqlrec.evaluate``.

    ``values`` has the expected values. Metrics with one value are separated by blanks, and
    ``map(divide_by=*)@3`` is a request for each choice of the parameter. A value is a number, a
    pair of a number and its number of users, or the value of each user,
    ``{"ann": 1, "bob": None}``. Integers and None are exact, others are compared to 12 digits, or
    by ``approx``. With ``user`` it is that user's value.
    """
    sentence, parts = (parts[0], parts[1:]) if isinstance(parts[0], str) else ("", parts)
    given = dict(zip(("values", "recs", "truth", "user"), parts, strict=False)) | others
    inputs = {name: one for name, one in given.items() if name not in ("values", "user")}
    return Case(given["values"], inputs, given.get("user"), sentence)


def given(**inputs: Any) -> dict[str, Any]:
    """Return default inputs for rows.

    At the top of a test, they apply to all its rows. Below a sentence, they apply to the rows of
    the sentence.
    """
    return inputs


def rated(*users: str | Mapping[str, tuple[float, float]]) -> dict[str, Any]:
    """Return recs and truth of users: "a=5,4 b=3, c=,1" are items with a score, a grade or both."""
    both = [
        {item: two.split(",") for item, two in (word.split("=") for word in user.split())}
        if isinstance(user, str)
        else user
        for user in users
    ]
    return {
        name: {
            f"u{number}": {item: float(two[side]) for item, two in items.items() if two[side] != ""}
            for number, items in enumerate(both)
        }
        for side, name in enumerate(("recs", "truth"))
    }


def each(request: str, **values: float) -> list[Case]:
    """Return a row for each of some lists of one item, without a truth."""
    return [case({request: value}, item) for item, value in values.items()]


def vectors(**items: Iterable[float | None]) -> pa.Table:
    """Return items with the values of their features."""
    pairs = [(item, enumerate(own)) for item, own in items.items()]
    results = [(item, f"f{number}", value) for item, own in pairs for number, value in own]
    return table(results, item_id=pa.string(), feature=pa.string(), value=pa.float64())


def numbered(letter: str, count: int) -> list[str]:
    """Return items such as i0, i1 and i2."""
    return [f"{letter}{number}" for number in range(count)]


def nothing_shown(relevant: str | Mapping[str, float]) -> dict[str, Any]:
    """Return recs and truth of ann, with relevant items and without a list, next to bob's list."""
    others = "x" if isinstance(relevant, str) else {"x": 1}
    return {"recs": {"bob": "x"}, "truth": {"ann": relevant, "bob": others}, "user": "ann"}


def worked(*parts: Mapping[str, Any] | str | Case) -> Callable:
    """Return a test of rows, which have the names of the sentences above them."""
    named: dict[str, list[Case]] = {}
    everywhere: Mapping[str, Any] = {}
    shared: Mapping[str, Any] = {}
    for part in parts:
        if sentence := part if isinstance(part, str) else getattr(part, "sentence", ""):
            rows = named[sentence] = []
            shared = everywhere
        if isinstance(part, Case):
            inputs = {**shared, **part.given}
            for truth in EITHER if inputs.get("truth") is EITHER else [inputs.get("truth")]:
                of_one = {**inputs, "truth": truth}.items()
                tables = {k: _table(k, table) for k, table in of_one if table is not None}
                shared_user = tables.pop("user", None)
                rows.append(Case(part.values, tables, part.user or shared_user))
        elif not isinstance(part, str):
            shared = {**everywhere, **part}
            everywhere = everywhere if named else part

    @mark.parametrize("cases", named.values(), ids=named)
    def test(cases: list[Case], together: Together) -> None:
        for case in cases:
            results = together.answers(case)
            for request, expected in case.expected:
                assert results[request.label, request.k] == _near(expected), request.text

    return test


def refused(*parameters: tuple[str, str]) -> Callable:
    """Return a test of metrics that are rejected, with their messages."""

    @mark.parametrize("metric, message", parameters)
    def test(metric: str, message: str) -> None:
        with raises(sqlrec.MetricError, match=message):
            parse_metrics(metric)

    return test


class Together:
    """The values of cases; cases of one shape are evaluated together."""

    def __init__(self, cases: Iterable[Case]):
        self.groups: dict[tuple, list[Case]] = defaultdict(list)
        for one in cases:
            self.groups[_shape(one)].append(one)
        self.found: dict[Case, Answers | sqlrec.SqlrecError] = {}

    def answers(self, case: Case) -> Answers:
        """Return the values of the metrics of a case."""
        if case not in self.found:
            self.find(self.groups[_shape(case)])
        results = self.found[case]
        if isinstance(results, sqlrec.SqlrecError):
            raise results
        return results

    def find(self, group: Sequence[Case]) -> None:
        """Evaluate cases together; if a case is rejected, evaluate halves to find the case."""
        try:
            self.found |= dict(zip(group, evaluate(group), strict=True))
        except sqlrec.SqlrecError as error:
            if len(group) == 1:
                self.found[group[0]] = error
                return
            half = len(group) // 2
            self.find(group[:half])
            self.find(group[half:])


def evaluate(cases: Sequence[Case]) -> list[Answers]:
    """Return the values of the metrics of cases of one shape, from one call."""
    own = _own(cases[0])
    distinct = {_contents(one, own): one.given for one in cases}
    numbers = {contents: number for number, contents in enumerate(distinct)}
    given = dict(cases[0].given)
    if len(distinct) > 1 and own == ("recs",):
        given["recs"] = {str(number): one["recs"] for number, one in enumerate(distinct.values())}
    elif len(distinct) > 1:
        given |= _segments([*distinct.values()], own)
    requests = {(one.label, one.k): one.text for case in cases for one, _ in case.expected}
    result = sqlrec.evaluate([*requests.values()], **{"interval": None} | given)
    part = _part(given, len(distinct))
    whole = {(part(row), row["request"]): (row["value"], row["users"]) for row in rows_of(result)}
    users: dict[tuple[int, str], dict[str, Any]] = defaultdict(dict)
    if any(one.user or isinstance(value, Mapping) for one in cases for _, value in one.expected):
        for row in rows_of(result.per_user()):
            users[part(row), row["request"]][row["user_id"].split("|")[-1]] = row["value"]

    def answer(case: Case, requests: str, expected: Any) -> Any:
        rank = numbers[_contents(case, own)], requests
        if case.user or isinstance(expected, Mapping):
            return users[rank][case.user] if case.user else users[rank]
        value, count = whole.get(rank, (None, 0))
        return (value, count) if isinstance(expected, tuple) else value

    return [
        {
            (one.label, one.k): answer(case, requests[one.label, one.k], value)
            for one, value in case.expected
        }
        for case in cases
    ]


def _each_choice(metric: str) -> list[str]:
    """Return the requests of a metric, one for each choice of a parameter given as ``*``."""
    name, starred = metric.partition("(")[0], re.search(r"(\w+)=\*", metric)
    choices = sqlrec.metric(name).params[starred[1]] if starred else ["*"]
    return [metric.replace("=*", f"={choice}") for choice in choices]


def _table(name: str, rows: Any) -> Any:
    if name == "catalog" and not isinstance(rows, pa.Table):
        return table([(item,) for item in rows], item_id=pa.string())
    if name not in ("recs", "truth", "history", "baseline") or isinstance(rows, pa.Table):
        return rows
    if not isinstance(rows, Mapping) or all(
        grade is None or isinstance(grade, int | float) for grade in rows.values()
    ):
        rows = {"ann": rows}
    if name == "truth":
        return wanted(rows)
    return (scored if isinstance(next(iter(rows.values())), Mapping) else lists)(rows)


def _own(case: Case) -> tuple[str, ...]:
    """Return the tables that may differ between cases of one shape."""
    if "users" in case.given:
        return ()
    for name in ("logs", "baseline"):
        if name in case.given:
            shared = "history" in case.given
            return () if shared else tuple(x for x in ("recs", "truth", name) if x in case.given)
    # Without a propensity, these metrics count the items of the whole truth.
    counted = any(one.metric.rows == "observed_feedback" for one, _ in case.expected)
    apart = counted or "history" in case.given
    return ("recs",) if apart else tuple(name for name in ("recs", "truth") if name in case.given)


def _shape(case: Case) -> tuple:
    """Return the properties that cases must share to be evaluated together."""
    own = _own(case)
    columns = tuple(str(case.given[name].schema) for name in own)
    shared = tuple(name for name in TABLES if name in case.given and name not in own)
    rules = tuple(sorted((k, repr(v)) for k, v in case.given.items() if k not in TABLES))
    # Some libraries accept rows that others reject.
    conventions = tuple(sorted({one.convention for one, _ in case.expected}))
    return own, columns, shared, _contents(case, shared), rules, conventions


def _contents(case: Case, names: Iterable[str]) -> tuple:
    tables = [case.given[name] for name in names]
    return tuple((str(rows.schema), str(rows.to_pydict())) for rows in tables)


def _segments(given: Sequence[Mapping[str, Any]], own: Iterable[str]) -> dict[str, Any]:
    """Return tables of all cases, with the number of the case in ids of users and as a segment."""
    tables = {
        name: pa.concat_tables([_numbered(one[name], n) for n, one in enumerate(given)])
        for name in own
    }
    ids = sorted({user for rows in tables.values() for user in rows["user_id"].to_pylist()})
    numbers = [(user, int(user.split("|")[0])) for user in ids]
    users = table(numbers, user_id=pa.string(), case=pa.int64())
    return {**tables, "users": users, "by": "case"}


def _numbered(rows: pa.Table, number: int) -> pa.Table:
    if "user_id" not in rows.column_names:
        rows = rows.append_column("user_id", pa.array(range(rows.num_rows), pa.int64()))
    users = rows["user_id"].cast(pa.string())
    named = pc.binary_join_element_wise(str(number), users, "|")
    return rows.set_column(rows.schema.get_field_index("user_id"), "user_id", named)


def _part(given: Mapping[str, Any], parts: int) -> Callable[[Mapping[str, Any]], int]:
    """Return the columns that identify the case of a row of the result."""
    if parts == 1:
        return lambda row: 0
    if "by" not in given:
        return lambda row: int(row["model"])
    return lambda row: int(row["user_id"].split("|")[0] if "user_id" in row else row["case"])


def _near(expected: Any) -> Any:
    if isinstance(expected, tuple):
        return tuple(_near(value) for value in expected)
    if isinstance(expected, Mapping):
        return {user: _near(value) for user, value in expected.items()}
    return approx(expected, rel=1e-12, abs=1e-12) if isinstance(expected, float) else expected
