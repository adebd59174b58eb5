"""Calls of metric functions with usual styles of inputs: dicts, frames, arrays and lists."""

from __future__ import annotations

import inspect
import math
import re
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from importlib import import_module
from io import StringIO
from typing import Any

from ..errors import InputError
from .identify_tables import OF_REPEATS, OF_SCORES, Pairs, SmallTable, small_table

# Words in the names of parameters.
_CUTOFF = re.compile(
    r"(at|top|max|num|eval|n|k)_?(k|n|recs|top|val)_?|[kn]_?|at|top|depth|limit|cut_?off|max_rank|length"
    r"|rank_cut_?off",
    re.IGNORECASE,
)
_CUTOFFS = re.compile(r"(at_?|top_?)?[kn]s|[kn]_(list|values)|cut_?offs", re.IGNORECASE)
_TRUTH = (
    *("truth", "actual", "relevan", "true", "qrel", "gt", "test", "target", "label", "clicked"),
    *("liked", "bought", "purchase", "positive", "held", "answer", "gold", "reference", "rating"),
)
_LISTS = ("rec", "pred", "run", "score", "rank", "list", "model", "hyp", "shown", "top")
_LABELS = ("label", "click", "flag", "binary", "hit", "is_rel")
_USERS = ("index", "user", "group", "qid", "quer", "uid")

# Words in the names of columns, and the errors that frames without these columns raise.
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
_COLUMNS_OF_LISTS = {
    "user": re.compile("user|uid|customer|session|quer|id", re.IGNORECASE),
    "recs": re.compile("rec|pred|rank|top|list|shown|model|items", re.IGNORECASE),
    "truth": re.compile("|".join(_TRUTH), re.IGNORECASE),
}
_LACKS_COLUMN = {"KeyError", "AttributeError", "ColumnNotFoundError"}

# The types of columns. Polars cannot infer types without rows.
_TYPES = {"user_id": str, "item_id": int, "score": float, "rank": int, "relevance": float}

# The arguments for the first one or two parameters.
Inputs = tuple[Any, ...]

# Features that lists of items, and arrays of all items, cannot represent.
_OF_LISTS = OF_SCORES | OF_REPEATS | {"unjudged"}
_NOT_IN_ARRAYS = OF_REPEATS | {"short", "no_list", "unjudged", "shuffled"}


@dataclass(frozen=True)
class Style:
    """A style of inputs."""

    name: str
    # Returns the inputs of each call for a table; the values of calls are averaged.
    inputs: Callable[[SmallTable], Iterable[Inputs]]
    lacks: frozenset[str] = frozenset()  # The features that the inputs cannot represent.
    # Returns a table as the inputs represent it.
    seen: Callable[[SmallTable], SmallTable] = lambda table: table

    @property
    def is_special(self) -> bool:
        """Whether functions that need a more general style may also run in this style."""
        return "labels" in self.name or self.name.startswith("arrays of items")


@cache
def with_binary_grades(table: SmallTable) -> SmallTable:
    """Return a table with a relevance of 1 for each relevant item."""
    truth = ((user, item, float(grade > 0)) for user, item, grade in table.truth)
    return replace(table, truth=tuple(truth))


@cache
def with_single_items(table: SmallTable) -> SmallTable:
    """Return a table with only the first relevant item of each user."""
    first = {user: item for user, item, grade in reversed(table.truth) if grade > 0}
    return replace(table, truth=tuple((*pair, 1.0) for pair in first.items()))


@cache
def with_listed_truth(table: SmallTable) -> SmallTable:
    """Return a table in which only items of a list are relevant."""
    ranking = {(user, item) for user, item, _ in table.recs}
    truth = ((u, i, grade if (u, i) in ranking else 0.0) for u, i, grade in table.truth)
    return replace(table, truth=tuple(truth))


@cache
def with_all_items(table: SmallTable) -> SmallTable:
    """Return a table in which each list of a user in the truth contains all items, added by id.

    If all scores are above 0, the scores of added items are above 0.
    """
    items = sorted({item for _, item, _ in (*table.recs, *table.truth)})
    lowest = min((score for *_, score in table.recs), default=0.0)
    up = max(0.0, len(items) - lowest + 1) if lowest > 0 else 0.0
    recs = [(user, item, score + up) for user, item, score in table.recs]
    for user, (ranking, judgments) in table.users.items():
        others = [item for item in items if item not in dict(ranking)] if judgments else []
        recs += [(user, item, lowest + up - n) for n, item in enumerate(others, 1)]
    return replace(table, recs=tuple(recs))


def _as_array(values: Any) -> Any:
    import numpy

    return numpy.array(values)


def _listed_items(rows: Pairs) -> list[int]:
    return [item for item, _ in rows]


def _relevant_items(rows: Pairs) -> list[int]:
    return [item for item, grade in rows if grade > 0]


@dataclass(frozen=True)
class _Kind:
    """A form of a user's list or truth, with ``lacks`` and ``seen`` as in ``Style``."""

    read: Callable[[Pairs], Any]  # Reads a list's items and scores, or a truth's and grades.
    lacks: frozenset[str] = frozenset()
    seen: Callable[[SmallTable], SmallTable] = lambda table: table


_LIST_KINDS = {
    "items": _Kind(_listed_items, OF_SCORES),
    "scores": _Kind(dict, OF_REPEATS),
    "pairs": _Kind(list, OF_REPEATS),
    "array": _Kind(lambda rows: _as_array(_listed_items(rows)).astype(int), OF_SCORES),
}
_NO_REPEATS = frozenset({"truth_repeats"})
_TRUTH_KINDS = {
    "items": _Kind(_relevant_items, seen=with_binary_grades),
    "set": _Kind(lambda rows: {*_relevant_items(rows)}, _NO_REPEATS, with_binary_grades),
    "grades": _Kind(dict, _NO_REPEATS),
    "one item": _Kind(lambda rows: rows[0][0], _NO_REPEATS, with_single_items),
    "array": _Kind(
        lambda rows: _as_array(_relevant_items(rows)).astype(int), seen=with_binary_grades
    ),
}

_ByUser = tuple[dict[str, Any], dict[str, Any]]


def _aligned(users: _ByUser) -> Iterator[Inputs]:
    """Yield the lists and the truth of all users in the truth, as two lists."""
    lists, truth = users
    yield [lists[user] for user in truth], [*truth.values()]


def _padded(users: _ByUser) -> Iterator[Inputs]:
    """Yield the lists as an array of users and ranks, and the truth as a list."""
    for lists, truth in _aligned(users):
        width = max(map(len, lists))
        yield _as_array([row + [-1] * (width - len(row)) for row in lists]).astype(int), truth


# Functions that arrange users' lists and truth as inputs, and the features that these inputs cannot
# represent.
_GROUPS: dict[str, tuple[Callable[[_ByUser], Iterator[Inputs]], frozenset[str]]] = {
    "dicts": (
        lambda users: iter([({u: x for u, x in users[0].items() if len(x)}, users[1])]),
        frozenset(),
    ),
    "user": (lambda users: zip(*next(_aligned(users)), strict=True), frozenset({"unjudged"})),
    "lists": (_aligned, frozenset({"unjudged"})),
    "padded": (_padded, frozenset({"unjudged", "short", "no_list"})),
    "arrays": (
        lambda users: ((lists, _as_array(truth)) for lists, truth in _padded(users)),
        _OF_LISTS | {"short", "no_list"},
    ),
}


# The forms of a user's truth, with their names in the plural.
_PLURALS = {"items": "lists", "set": "sets", "grades": "grades", "one item": "single items"}


def _grouped_styles(name: str, group: str, lists: str, *truths: str) -> list[Style]:
    return [
        Style(
            name.format(truth, _PLURALS.get(truth)),
            partial(_grouped, group=_GROUPS[group][0], kinds=(list_kind, kind)),
            list_kind.lacks | kind.lacks | _GROUPS[group][1],
            kind.seen,
        )
        for list_kind in [_LIST_KINDS[lists]]
        for truth in truths
        for kind in [_TRUTH_KINDS[truth]]
    ]


def _grouped(
    table: SmallTable, group: Callable[[_ByUser], Iterator[Inputs]], kinds: tuple[_Kind, _Kind]
) -> Iterator[Inputs]:
    """Return the inputs of each call, arranged from users' lists and truth."""
    of_list, of_truth = (kind.read for kind in kinds)
    rows, users = table.lists_in_row_order, table.users.items()
    lists = {user: of_list(rows.get(user, [])) for user in table.users}
    return group(
        (lists, {user: of_truth(judgments) for user, (_, judgments) in users if judgments})
    )


def _frame(
    library: str, rows: Sequence[Sequence[Any]], columns: str, names: Mapping[str, str]
) -> Any:
    """Return a pandas or Polars frame with rows, and with renamed columns."""
    frame = import_module(library).DataFrame
    renamed = {names.get(column, column): _TYPES.get(column) for column in columns.split()}
    if library == "polars":
        return frame(rows, schema=renamed, orient="row")
    return frame(rows, columns=[*renamed])


def _frame_arguments(table: SmallTable, names: Mapping[str, str], library: str) -> Iterator[Inputs]:
    """Yield frames with renamed columns, and with a column of ranks if the names include it."""
    recs: list[tuple[Any, ...]] = [*table.recs]
    if "rank" in names:
        recs = [
            (
                *row,
                1 + sum(x[0] == row[0] and (-x[2], m) < (-row[2], n) for m, x in enumerate(recs)),
            )
            for n, row in enumerate(recs)
        ]
    columns = "user_id item_id score rank" if "rank" in names else "user_id item_id score"
    truth = _frame(library, [*table.truth], "user_id item_id relevance", names)
    yield _frame(library, recs, columns, names), truth


def _named_frames(call: Call) -> Call:
    columns = _FRAME_STYLES.get(call.style.name.partition(" ")[2], {})
    inputs_of: Callable[..., Iterable[Inputs]] = call.style.inputs
    names: dict[str, str] = {}
    table = small_table(0, 3)
    for _ in range(2 * len(columns)):
        try:
            call.run(next(iter(call.style.inputs(table))), table)
            return call
        except Exception as error:
            # Errors of Polars name the valid columns too.
            text = str(error).partition("valid columns")[0]
            missing = re.findall(r"\w+", text) if type(error).__name__ in _LACKS_COLUMN else []
            fits = [
                (column, name)
                for name in reversed(missing)
                for column, words in columns.items()
                if words.search(name) and names.get(column) != name
            ]
            names |= dict(fits[:1])
            keywords = partial(inputs_of, names={**names})
            call = replace(call, style=replace(call.style, inputs=keywords))
    return call


def _array_arguments(table: SmallTable) -> Iterator[Inputs]:
    import numpy

    users = [pair for pair in table.users.values() if pair[1]]
    items = sorted({item for pair in users for rows in pair for item, _ in rows})
    scores, grades = (numpy.zeros((len(users), len(items))) for _ in range(2))
    for row, (ranking, judgments) in enumerate(users):
        for matrix, pairs in ((scores, ranking), (grades, judgments)):
            for item, value in pairs:
                matrix[row, items.index(item)] = value
    yield scores, grades


def _row_array_arguments(table: SmallTable) -> Iterator[Inputs]:
    for scores, grades in _array_arguments(table):
        yield from zip(scores, grades, strict=True)


def _joined_rows(table: SmallTable) -> list[tuple[str, int, float, float]]:
    grades = {(user, item): grade for user, item, grade in table.truth}
    return [(u, i, score, grades.get((u, i), 0.0)) for u, i, score in table.recs]


def _joined_frame(table: SmallTable, library: str) -> Iterator[Inputs]:
    """Yield a frame with the rows of lists and their grades."""
    yield (_frame(library, _joined_rows(table), "user_id item_id score relevance", {}),)


def _flat_array_arguments(table: SmallTable) -> Iterator[Inputs]:
    """Yield arrays of scores, grades and users, for the list rows of users in the truth."""
    users = [user for user, (_, judgments) in table.users.items() if judgments]
    rows = [(s, grade, users.index(u)) for u, _, s, grade in _joined_rows(table) if u in users]
    scores, grades, numbers = _as_array(rows).reshape(-1, 3).T
    yield scores, grades, numbers.astype(int)


def _list_grades(table: SmallTable) -> list[list[float]]:
    """Return the grades of the items in each list, for users in the truth."""
    users = [(ranking, dict(judgments)) for ranking, judgments in table.users.values() if judgments]
    return [[judgments.get(item, 0.0) for item, _ in ranking] for ranking, judgments in users]


def _flag_arguments(table: SmallTable, total: Callable[[Pairs], Any]) -> Iterator[Inputs]:
    """Yield the grades of each list, and a summary of the user's judgments."""
    users = [judgments for _, judgments in table.users.values() if judgments]
    return zip(_list_grades(table), map(total, users), strict=True)


def _grade_arrays(table: SmallTable) -> Iterator[Inputs]:
    """Yield the grades of all lists as an array, with rows filled up with zeros."""
    rows = _list_grades(table)
    width = max(map(len, rows), default=0)
    yield (_as_array([row + [0.0] * (width - len(row)) for row in rows]),)


_LIBRARIES = {"pandas": "pandas", "polars": "Polars"}
_FRAMES, _FRAME_OF_LISTS = "frames", "frame of users' lists and items"

# Styles with fewer features come first, since a function gets the first style that it accepts.
STYLES = (
    *_grouped_styles("dicts of lists and of {1}", "dicts", "items", *_PLURALS),
    *_grouped_styles("dicts of scores and of {1}", "dicts", "scores", "grades", "set"),
    *(
        Style(f"{name} {_FRAMES}", partial(_frame_arguments, names={}, library=library))
        for library, name in _LIBRARIES.items()
    ),
    *_grouped_styles("a user's list and {0}", "user", "items", *_PLURALS),
    *_grouped_styles("a user's scores and {0}", "user", "scores", "set", "grades"),
    *_grouped_styles("a user's pairs of item and score and {0}", "user", "pairs", "set", "grades"),
    *_grouped_styles("arrays of a user's list and items", "user", "array", "array"),
    *_grouped_styles("lists and {1}", "lists", "items", *_PLURALS),
    *_grouped_styles(
        "dicts of pairs of item and score and of {1}", "dicts", "pairs", "set", "grades"
    ),
    Style(
        "rows of user, item and score and rows of user, item and relevance",
        lambda table: [([*table.recs], [*table.truth])],
    ),
    Style(
        "pairs of user and item",
        lambda table: [([row[:2] for row in table.recs], [row[:2] for row in table.truth])],
        OF_SCORES,
        with_binary_grades,
    ),
    *_grouped_styles("arrays of items and {1}", "padded", "items", "items", "set", "one item"),
    *_grouped_styles("arrays of items and an array of {1}", "arrays", "items", "one item"),
    Style(
        "the grades of a user's list and of all items",
        partial(_flag_arguments, total=lambda judgments: [grade for _, grade in judgments]),
        _OF_LISTS,
    ),
    Style(
        "labels of a user's list and the number of relevant items",
        partial(_flag_arguments, total=lambda judgments: len(_relevant_items(judgments))),
        _OF_LISTS,
        with_binary_grades,
    ),
    *(
        Style(f"{name}{labels}", inputs, _NOT_IN_ARRAYS, seen)
        for labels, seen in (
            ("", with_all_items),
            (" with labels of 0 and 1", lambda table: with_binary_grades(with_all_items(table))),
        )
        for name, inputs in (
            ("arrays of users and items", _array_arguments),
            ("a user's arrays", _row_array_arguments),
        )
    ),
)


class _Record(dict[str, Any]):
    """A user's list and relevant items, as attributes with common names."""

    def __missing__(self, key: str) -> Any:
        if _has_word(key, _TRUTH) and not _has_word(key, ("recommend", "pred", "rank")):
            return self["truth"]
        return self["user" if _has_word(key, _USERS) else "recs"]

    def get(self, key: str, default: Any = None) -> Any:
        return self[key]


def _records(table: SmallTable) -> list[_Record]:
    return [
        _Record(user=user, recs=_listed_items(ranking), truth=_relevant_items(judgments))
        for user, (ranking, judgments) in table.users.items()
        if judgments
    ]


def _named_lists(table: SmallTable, names: Mapping[str, str], library: str) -> Iterator[Inputs]:
    """Yield a frame with a row for each user in the truth, and with renamed columns."""
    rows = [(*record.values(),) for record in _records(table)]
    yield (_frame(library, rows, "user recs truth", names),)


# The features that inputs cannot represent, and the tables that they represent. The first two names
# are for records of users' lists and items, the last two for rows of lists.
_OF_BOTH = (OF_SCORES | {"unjudged"}, with_binary_grades)
_OF_ROWS = (_OF_LISTS | {"no_list"}, with_listed_truth)

# Styles for functions with one input. Most of these styles omit relevant items outside of the list.
STYLES_OF_ONE = (
    *(
        Style(f"the {noun} of {group}", inputs, _OF_LISTS | lacks, seen)
        for noun, seen in (
            ("grades", with_listed_truth),
            ("labels", lambda table: with_binary_grades(with_listed_truth(table))),
        )
        for group, inputs, lacks in (
            ("a user's list", lambda table: [(x,) for x in _list_grades(table)], set()),
            (
                "a user's list, as arrays",
                lambda table: [(_as_array(x),) for x in _list_grades(table)],
                set(),
            ),
            ("all lists", lambda table: [(_list_grades(table),)], set()),
            ("all lists, as an array", _grade_arrays, {"short", "no_list"}),
        )
    ),
    Style(
        "pairs of lists and items",
        lambda table: [([(x["recs"], x["truth"]) for x in _records(table)],)],
        *_OF_BOTH,
    ),
    Style("records of a user's list and items", lambda table: [(_records(table),)], *_OF_BOTH),
    *(
        Style(
            f"{name} {_FRAME_OF_LISTS}", partial(_named_lists, names={}, library=library), *_OF_BOTH
        )
        for library, name in _LIBRARIES.items()
    ),
    Style(
        "rows of user, item, relevance, score and details",
        lambda table: [([(u, i, r, s, {}) for u, i, s, r in _joined_rows(table)],)],
        *_OF_ROWS,
    ),
    *(
        Style(
            f"{name} frame of lists with grades", partial(_joined_frame, library=library), *_OF_ROWS
        )
        for library, name in _LIBRARIES.items()
    ),
)


def _and_users(table: SmallTable, style: Style) -> Iterator[Inputs]:
    for inputs in style.inputs(table):
        yield *inputs, _Users(user for user, (_, judgments) in table.users.items() if judgments)


class _Users(list[str]):
    """A list of users, which acts as the number of users in arithmetic."""

    def __index__(self) -> int:
        return len(self)

    def __rtruediv__(self, value: float) -> float:
        return value / len(self)

    def __int__(self) -> int:
        return len(self)


# Styles for functions with three inputs.
_STYLES_OF_USERS = (
    Style(
        "flat arrays of scores, grades and users",
        _flat_array_arguments,
        _NOT_IN_ARRAYS,
        with_all_items,
    ),
    *(
        replace(style, name=f"{style.name}, and users", inputs=partial(_and_users, style=style))
        for style in STYLES
        if style.name.endswith(_FRAMES) or style.name.startswith("dicts")
    ),
)


@dataclass(frozen=True)
class Call:
    """A way to call a function."""

    function: Callable[..., Any]
    style: Style
    names: tuple[str, ...]  # The parameters in the order of the style; empty without names.
    cutoff: str | None  # The parameter that gets the cutoff.
    metric: tuple[str, ...]  # The names of the metric, for functions of several metrics.
    element: int = 0  # The index of the value in a tuple that the function returns.
    truth_first: bool = False  # Whether inputs without names are truth and lists.

    @cached_property
    def is_cutoff_list(self) -> bool:
        """Whether the function takes a list of cutoffs."""
        name = str(self.cutoff)
        default = self._parameters[name].default if name in self._parameters else None
        return isinstance(default, list | tuple) or (not _CUTOFF.fullmatch(name) and name != _THIRD)

    @cached_property
    def _parameters(self) -> Mapping[str, inspect.Parameter]:
        return _parameters_of(self.function)

    def uses(self, table: SmallTable) -> bool:
        """Return whether this style can represent all features of a table."""
        return not table.features & self.style.lacks and bool(self.style.seen(table).truth)

    def value(self, table: SmallTable) -> float | str:
        """Return the function's value on a table, or the reason for a missing value."""
        try:
            inputs = [*self.style.inputs(self.style.seen(table))]
        except ModuleNotFoundError as error:
            return f"it is not called without {error.name}"
        values = [self._value(x, table) for x in inputs]
        numbers = [value for value in values if isinstance(value, float)]
        return sum(numbers) / len(numbers) if numbers else (values or ["it is not called"])[0]

    def _value(self, inputs: Inputs, table: SmallTable) -> float | str:
        try:
            return self._finite_number(self.run(inputs, table), table.k)
        except Exception as error:
            code = getattr(inspect.unwrap(self.function), "__code__", None)
            frames = traceback.walk_tb(error.__traceback__)
            lines = [line for frame, line in frames if frame.f_code is code]
            return f"it raises {type(error).__name__}{f' in line {lines[-1]}' if lines else ''}"

    def run(self, inputs: Inputs, table: SmallTable) -> Any:
        """Call the function and return its result; printed output is discarded."""
        keywords: dict[str, Any] = {}
        if self.cutoff:
            keywords[self.cutoff] = [table.k] if self.is_cutoff_list else table.k
        if self.names:
            keywords |= zip(self.names, inputs, strict=True)
            args = [
                keywords.pop(name)
                for name, parameter in self._parameters.items()
                if name in keywords and parameter.kind is parameter.POSITIONAL_ONLY
            ]
        else:
            args = [*(inputs[::-1] if self.truth_first else inputs)]
            args += [keywords.pop(x) for x in [*keywords] if x == _THIRD]
        with warnings.catch_warnings(), redirect_stdout(StringIO()):
            warnings.simplefilter("ignore")
            return self.function(*args, **keywords)

    def elements(self, table: SmallTable) -> list[Call]:
        """Return the call, or a call for each element if the function returns a tuple."""
        try:
            inputs = next(iter(self.style.inputs(self.style.seen(table))))
            output = self.run(inputs, table)
        except Exception:
            return [self]
        count = len(output) if isinstance(output, tuple) else 1
        return [replace(self, element=n) for n in range(count)]

    def _finite_number(self, value: Any, k: int) -> float | str:
        """Return a finite number: the value of this metric, or the mean of users' values."""
        if isinstance(value, tuple):
            value = value[self.element]
        if hasattr(value, "columns"):
            own = [x for x in value.columns if _plain_name(x) in self.metric]
            value = value[own[0] if own else value.columns[-1]]
        value = getattr(value, "tolist", getattr(value, "to_list", lambda: value))()
        if isinstance(value, Mapping):
            own = [key for key in value if _plain_name(key) in self.metric] or [
                key for key in value if key == k
            ]
            # If a result has several cutoffs, the names of its metrics contain the cutoffs.
            own.sort(key=lambda x: re.findall(r"\d+", str(x))[-1:] != [str(k)])
            return self._finite_number(value[own[0]] if own else [*value.values()], k)
        if value is None or (isinstance(value, list) and not value):
            return "it returns nothing"
        if isinstance(value, list):
            # Users without a value are excluded, as a pandas Series does in its mean.
            values = [self._finite_number(x, k) for x in value]
            numbers = [x for x in values if isinstance(x, float)]
            return math.fsum(numbers) / len(numbers) if numbers else values[0]
        number = float(value)
        return number if math.isfinite(number) else f"it returns {number}"


# The cutoff has this name if the function's parameters have no names.
_THIRD = "*"


def _plain_name(name: Any) -> str:
    """Return the name of a metric, without its cutoff, as in NDCG@10 and mean_ndcg_at_10."""
    plain = re.sub(r"(_?at_?|@|_)*\d*$", "", str(name).lower())
    return plain.replace("-", "_").removeprefix("mean_").removeprefix("avg_")


def _parameters_of(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a function; none if Python cannot read them."""
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


def calls_of(
    function: Callable[..., Any], metric: Iterable[str], has_cutoff: bool = True
) -> list[Call]:
    """Return the ways to call a function, by the names of its parameters."""
    parameters = [*_parameters_of(function).values()]
    inputs = [x for x in parameters if x.kind not in (x.VAR_POSITIONAL, x.VAR_KEYWORD)]
    required = [x.name for x in inputs if x.default is x.empty]
    # A parameter such as ``n`` may be the number of relevant items instead of the cutoff.
    cutoffs = [x.name for x in inputs[1:] + inputs[:1] if _CUTOFF.fullmatch(x.name)]
    cutoffs = cutoffs or [x.name for x in inputs[1:] if _CUTOFFS.fullmatch(x.name)]
    cutoff = cutoffs[0] if cutoffs and len(inputs) > 1 else None
    required = [name for name in required if name != cutoff]
    users = next((x for x in (*required[2:], *required) if _has_word(x, _USERS)), "")
    if required[2:] and (required[3:] or not users):
        raise InputError(
            f"function={function!r:.80}: it needs {', '.join(required)}; give a function of lists, "
            "truth and a cutoff, as in lambda recs, truth, k: ndcg(recs, truth, k, ...)"
        )
    passed_cutoff = cutoff if has_cutoff else None
    call = partial(Call, function, cutoff=passed_cutoff, metric=(*metric,))
    names = [x.name for x in inputs if x.name != cutoff]
    reads_one = len(required) == 1 and not any(_has_word(x, _TRUTH) for x in names[1:])
    if reads_one and len(inputs) == len(parameters):
        single_input_calls = [_named_frames(call(style, (required[0],))) for style in STYLES_OF_ONE]
        return _with_labels(single_input_calls, required[0])
    if required[2:]:
        names = [name for name in required if name != users]
    names = names[:2]
    if len(names) < 2:
        passed = [passed_cutoff] if cutoff or not has_cutoff else [_THIRD, None]
        return [
            replace(call(style, ()), truth_first=truth_first, cutoff=name)
            for name in passed
            for style in STYLES
            for truth_first in (False, True)
        ]
    first, second = names
    truth_first = _has_word(first, _TRUTH) and not _has_word(first, _LISTS)
    lists_first = _has_word(second, _TRUTH) and not _has_word(second, _LISTS)
    orders = [True] if truth_first else [False] if lists_first else [False, True]
    styles, more = (_STYLES_OF_USERS, (users,)) if required[2:] else (STYLES, ())
    calls = [
        call(style, (*(names[::-1] if order else names), *more), truth_first=order)
        for style in styles
        for order in orders
    ]
    return _with_labels([*map(_named_frames, calls)], first if orders[0] else second)


# The columns of frames, by style.
_FRAME_STYLES = {_FRAMES: _COLUMNS, _FRAME_OF_LISTS: _COLUMNS_OF_LISTS}


def _has_word(name: str, words: Iterable[str]) -> bool:
    return any(word in name.lower() for word in words)


def _with_labels(calls: list[Call], name: str) -> list[Call]:
    """Return calls with labels of 0 and 1 instead of grades, if a parameter has such a name."""
    if not _has_word(name, _LABELS):
        return calls
    labels = {x.style.name for x in calls if "labels" in x.style.name}
    graded = {x.replace(" with labels of 0 and 1", "").replace("labels", "grades") for x in labels}
    return [x for x in calls if x.style.name not in graded - labels]
