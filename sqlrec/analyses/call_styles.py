"""Calls of metric functions in usual styles: dicts, pandas frames, arrays and lists."""

from __future__ import annotations

import inspect
import math
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from functools import cache, partial
from io import StringIO
from typing import Any

from ..errors import InputError
from .identify_tables import OF_REPEATS, OF_SCORES, Pairs, SmallTable, small_table

# Words in the names of parameters.
_CUTOFF = re.compile(r"(at_?|top_?)?[kn]_?|at|top|cut_?off|max_rank|length", re.IGNORECASE)
_TRUTH = ("truth", "actual", "relevan", "true", "qrel", "gt", "test", "target", "label", "clicked")
_LISTS = ("rec", "pred", "run", "score", "rank", "list", "model")

# Words in the names of columns, and the errors of frames without them.
_COLUMNS = {
    name: re.compile(words, re.IGNORECASE)
    for name, words in {
        "user_id": "user|uid|customer|visitor|session|quer",
        "item_id": "item|iid|product|article|movie|track|doc|sku",
        "rank": "rank|pos",
        "relevance": "rel|rating|grade|label|target|weight|gain",
        "score": "score|pred|rating|sim",
    }.items()
}
_LACKS_COLUMN = (KeyError, AttributeError)

# The values of the first one or two parameters.
Inputs = tuple[Any, ...]


@dataclass(frozen=True)
class Style:
    """A style of inputs.

    Attributes:
        name: Its name.
        inputs: A function from a table to the inputs of each call, whose values are averaged.
        lacks: The features that inputs in this style cannot have.
        seen: A function from a table to the table as the inputs show it.
    """

    name: str
    inputs: Callable[[SmallTable], Iterator[Inputs]]
    lacks: frozenset[str] = frozenset()
    seen: Callable[[SmallTable], SmallTable] = lambda table: table


@cache
def with_binary_grades(table: SmallTable) -> SmallTable:
    """Return a table whose relevant items have a relevance of 1."""
    truth = ((user, item, float(grade > 0)) for user, item, grade in table.truth)
    return SmallTable(table.k, table.recs, tuple(truth))


@cache
def with_single_items(table: SmallTable) -> SmallTable:
    """Return a table whose users have one relevant item, the first."""
    first = {user: item for user, item, grade in reversed(table.truth) if grade > 0}
    return SmallTable(table.k, table.recs, tuple((*pair, 1.0) for pair in first.items()))


@cache
def with_listed_truth(table: SmallTable, within: int | None = None) -> SmallTable:
    """Return a table in which only items of a list, within a cutoff if any, are relevant."""
    listed = {(user, item) for user, (rows, _) in table.users.items() for item, _ in rows[:within]}
    truth = ((u, i, grade if (u, i) in listed else 0.0) for u, i, grade in table.truth)
    return SmallTable(table.k, table.recs, tuple(truth))


@cache
def with_all_items(table: SmallTable) -> SmallTable:
    """Return a table whose users of the truth also list the other items, from the smallest id up.

    Scores above 0 remain above 0 if all are.
    """
    items = sorted({item for _, item, _ in (*table.recs, *table.truth)})
    lowest = min((score for *_, score in table.recs), default=0.0)
    up = max(0.0, len(items) - lowest + 1) if lowest > 0 else 0.0
    recs = [(user, item, score + up) for user, item, score in table.recs]
    for user, (listed, judged) in table.users.items():
        others = [item for item in items if item not in dict(listed)] if judged else []
        recs += [(user, item, lowest + up - n) for n, item in enumerate(others, 1)]
    return SmallTable(table.k, tuple(recs), table.truth)


def _dicts(
    table: SmallTable, lists: Callable[[Pairs], Any], truth: Callable[[Pairs], Any]
) -> Iterator[Inputs]:
    users = table.users.items()
    yield (
        {user: lists(listed) for user, (listed, _) in users if listed},
        {user: truth(judged) for user, (_, judged) in users if judged},
    )


def _aligned_lists(table: SmallTable, truth: Callable[[Pairs], Any]) -> Iterator[Inputs]:
    """Yield lists of lists, of all users of the truth."""
    users = [(listed, judged) for listed, judged in table.users.values() if judged]
    yield [_items(listed) for listed, _ in users], [truth(judged) for _, judged in users]


def _single(table: SmallTable, truth: Callable[[Pairs], Any]) -> Iterator[Inputs]:
    """Yield the list and the truth of each user of the truth."""
    for listed, judged in table.users.values():
        if judged:
            yield _items(listed), truth(judged)


def _id_arrays(table: SmallTable) -> Iterator[Inputs]:
    """Yield arrays of the items of each user's list and of the truth."""
    import numpy

    for listed, relevant in _single(table, _relevant_items):
        yield numpy.array(listed, dtype=int), numpy.array(relevant, dtype=int)


def _frames(table: SmallTable, names: Mapping[str, str]) -> Iterator[Inputs]:
    """Yield frames with renamed columns, and with a rank if the names include one."""
    import pandas

    recs = pandas.DataFrame([*table.recs], columns=["user_id", "item_id", "score"])
    if "rank" in names:
        recs["rank"] = recs.groupby("user_id")["score"].rank("first", ascending=False).astype(int)
    truth = pandas.DataFrame([*table.truth], columns=["user_id", "item_id", "relevance"])
    yield recs.rename(columns=names), truth.rename(columns=names)


def _named_frames(call: Call) -> Call:
    """Return a call with frames, whose columns have the names that the function reads."""
    names: dict[str, str] = {}
    table = small_table(0, 3)
    for _ in range(2 * len(_COLUMNS)):
        (inputs,) = call.style.inputs(table)
        try:
            call.run(inputs, table)
        except Exception as error:
            missing = re.findall(r"\w+", str(error)) if isinstance(error, _LACKS_COLUMN) else []
            fits = [
                (column, name)
                for name in reversed(missing)
                for column, words in _COLUMNS.items()
                if words.search(name) and names.get(column) != name
            ]
            names |= dict(fits[:1])
            inputs_of = partial(_frames, names={**names})
            call = replace(call, style=replace(call.style, inputs=inputs_of))
    return call


def _arrays(table: SmallTable) -> Iterator[Inputs]:
    """Yield arrays of users and items."""
    import numpy

    users = [pair for pair in table.users.values() if pair[1]]
    items = sorted({item for pair in users for rows in pair for item, _ in rows})
    scores, grades = (numpy.zeros((len(users), len(items))) for _ in range(2))
    for row, (listed, judged) in enumerate(users):
        for matrix, pairs in ((scores, listed), (grades, judged)):
            for item, value in pairs:
                matrix[row, items.index(item)] = value
    yield scores, grades


def _row_arrays(table: SmallTable) -> Iterator[Inputs]:
    for scores, grades in _arrays(table):
        yield from zip(scores, grades, strict=True)


def _grades(table: SmallTable) -> Iterator[list[float]]:
    """Yield the grades of the items of each list of users of the truth."""
    for listed, judged in table.users.values():
        if judged:
            yield [dict(judged).get(item, 0.0) for item, _ in listed]


def _items(rows: Pairs) -> list[int]:
    return [item for item, _ in rows]


def _relevant_items(rows: Pairs) -> list[int]:
    return [item for item, grade in rows if grade > 0]


def _relevant_set(rows: Pairs) -> set[int]:
    return {*_relevant_items(rows)}


def _one_item(rows: Pairs) -> int:
    return rows[0][0]


_TRUTHS: tuple[tuple[str, str, Callable[[Pairs], Any], frozenset[str], Any], ...] = (
    ("lists", "items", _relevant_items, frozenset(), with_binary_grades),
    ("sets", "set", _relevant_set, frozenset({"truth_repeats"}), with_binary_grades),
    ("grades", "grades", dict, frozenset({"truth_repeats"}), lambda table: table),
    ("single items", "one item", _one_item, frozenset({"truth_repeats"}), with_single_items),
)

_FRAMES = "pandas frames"

# Inputs of fewer features come first: of the styles that a function takes, the first is its own.
STYLES = (
    *(
        Style(f"dicts of lists and of {name}", partial(_dicts, lists=_items, truth=truth), *rest)
        for name, _, truth, lacks, seen in _TRUTHS
        for rest in [(lacks | OF_SCORES, seen)]
    ),
    Style("dicts of scores and of grades", partial(_dicts, lists=dict, truth=dict), OF_REPEATS),
    Style(
        "dicts of scores and of sets",
        partial(_dicts, lists=dict, truth=_relevant_set),
        OF_REPEATS,
        with_binary_grades,
    ),
    Style(_FRAMES, partial(_frames, names={})),
    *(
        Style(f"a user's list and {name}", partial(_single, truth=truth), *rest)
        for _, name, truth, lacks, seen in _TRUTHS
        for rest in [(lacks | OF_SCORES | {"unjudged"}, seen)]
    ),
    Style(
        "arrays of a user's list and items",
        _id_arrays,
        OF_SCORES | {"unjudged"},
        with_binary_grades,
    ),
    *(
        Style(f"lists and {name}", partial(_aligned_lists, truth=truth), *rest)
        for name, _, truth, lacks, seen in _TRUTHS
        for rest in [(lacks | OF_SCORES | {"unjudged"}, seen)]
    ),
    *(
        Style(f"{name}{labels}", inputs, OF_REPEATS | {"short", "no_list", "unjudged"}, seen)
        for labels, seen in (
            ("", with_all_items),
            (" with labels of 0 and 1", lambda table: with_binary_grades(with_all_items(table))),
        )
        for name, inputs in (
            ("arrays of users and items", _arrays),
            ("a user's arrays", _row_arrays),
        )
    ),
)

# Styles of functions of one input, which cannot know the relevant items that a list lacks.
STYLES_OF_ONE = (
    Style(
        "the grades of a user's list",
        lambda table: ((grades,) for grades in _grades(table)),
        OF_SCORES | OF_REPEATS | {"unjudged"},
        with_listed_truth,
    ),
    Style(
        "the grades of all lists",
        lambda table: iter([([*_grades(table)],)]),
        OF_SCORES | OF_REPEATS | {"unjudged"},
        with_listed_truth,
    ),
)


@dataclass(frozen=True)
class Call:
    """A way to call a function.

    Attributes:
        function: The function.
        style: The style of its inputs.
        truth_first: Whether the truth is the first of them.
        cutoff: The name of the parameter that gets the cutoff.
        metric: The names of the metric, for functions that return values of several.
    """

    function: Callable[..., Any]
    style: Style
    truth_first: bool
    cutoff: str | None
    metric: tuple[str, ...]

    def uses(self, table: SmallTable) -> bool:
        """Return whether inputs in this style have all features of a table."""
        return not table.features & self.style.lacks and bool(self.style.seen(table).truth)

    def value(self, table: SmallTable) -> float | str:
        """Return the function's value on a table, or the reason why it has none."""
        values = [
            self._value(inputs, table) for inputs in self.style.inputs(self.style.seen(table))
        ]
        numbers = [value for value in values if isinstance(value, float)]
        return sum(numbers) / len(numbers) if numbers else (values or ["it is not called"])[0]

    def _value(self, inputs: Inputs, table: SmallTable) -> float | str:
        try:
            return self._number(self.run(inputs, table))
        except Exception as error:
            return f"it raises {type(error).__name__}"

    def run(self, inputs: Inputs, table: SmallTable) -> Any:
        """Return what the function returns, without its output."""
        ordered = inputs[::-1] if self.truth_first else inputs
        named = {self.cutoff: table.k} if self.cutoff else {}
        with warnings.catch_warnings(), redirect_stdout(StringIO()):
            warnings.simplefilter("ignore")
            return self.function(*ordered, **named)

    def _number(self, value: Any) -> float | str:
        """Return a finite number; of several metrics, this one; of values per user, their mean."""
        value = getattr(value, "tolist", lambda: value)()
        if isinstance(value, Mapping):
            own = [x for key, x in value.items() if str(key).lower().split("@")[0] in self.metric]
            return self._number(own[0] if own else [*value.values()])
        if value is None or (isinstance(value, list) and not value):
            return "it returns nothing"
        if isinstance(value, list):
            return self._number(math.fsum(map(float, value)) / len(value))
        number = float(value)
        return number if math.isfinite(number) else f"it returns {number}"


def calls_of(
    function: Callable[..., Any], metric: Iterable[str], has_cutoff: bool = True
) -> list[Call]:
    """Return the ways to call a function, by the names of its parameters.

    A parameter of the cutoff gets no value without ``has_cutoff``.

    Raises:
        InputError: It needs more inputs than lists, truth and a cutoff.
    """
    try:
        parameters = [*inspect.signature(function).parameters.values()]
    except (TypeError, ValueError):
        parameters = []
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    named = [one for one in parameters if one.kind not in kinds]
    cutoff = next((x.name for x in named[1:] if _CUTOFF.fullmatch(x.name)), None)
    needed = [x.name for x in named if x.default is x.empty and x.name != cutoff]
    if needed[2:]:
        raise InputError(
            f"function={function!r:.80}: it needs {', '.join(needed)}; give a function of lists, "
            "truth and a cutoff, as in lambda recs, truth, k: ndcg(recs, truth, k, ...)"
        )
    names = (*metric,)
    passed_cutoff = cutoff if has_cutoff else None
    if parameters and len(named) == len(parameters) and len(needed) == 1 and len(named) <= 2:
        return [Call(function, style, False, passed_cutoff, names) for style in STYLES_OF_ONE]
    first, second = (*(x.name.lower() for x in named if x.name != cutoff), "", "")[:2]
    truth_first = any(word in first for word in _TRUTH) and not any(x in first for x in _LISTS)
    lists_first = any(word in second for word in _TRUTH) and not any(x in second for x in _LISTS)
    orders = [True] if truth_first else [False] if lists_first else [False, True]
    calls = [
        Call(function, style, order, passed_cutoff, names) for style in STYLES for order in orders
    ]
    return [_named_frames(x) if x.style.name == _FRAMES else x for x in calls]
