"""Calls of metric functions in usual styles: dicts, pandas frames, arrays and lists."""

from __future__ import annotations

import inspect
import math
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from .identify_tables import SmallTable

# Words in the names of parameters.
_CUTOFFS = ("k", "n", "at", "at_k", "k_", "top_k", "topk", "top_n", "topn", "cutoff", "cut_off")
_TRUTH = ("truth", "actual", "relevan", "true", "qrel", "gt", "test", "target", "label", "clicked")
_LISTS = ("rec", "pred", "run", "score", "rank", "list", "model")

# The inputs of one user, or of all users.
Inputs = tuple[Any, Any]


@dataclass(frozen=True)
class Style:
    """A style of inputs.

    Attributes:
        name: Its name.
        inputs: A function from a table to the inputs of each call, whose values are averaged.
        orders_rows: Whether inputs have lists in order instead of scores.
    """

    name: str
    inputs: Callable[[SmallTable], Iterator[Inputs]]
    orders_rows: bool


def _by_user(
    table: SmallTable,
) -> dict[str, tuple[list[tuple[int, float]], list[tuple[int, float]]]]:
    """Return each user's list in order, and judgements."""
    return {
        user: (
            sorted(((i, s) for u, i, s in table.recs if u == user), key=lambda row: -row[1]),
            [(i, grade) for u, i, grade in table.truth if u == user],
        )
        for user in table.users()
    }


def _dicts(
    table: SmallTable, lists: Callable[..., Any], truth: Callable[..., Any]
) -> Iterator[Inputs]:
    users = _by_user(table)
    yield (
        {user: lists(listed) for user, (listed, _) in users.items() if listed},
        {user: truth(judged) for user, (_, judged) in users.items() if judged},
    )


def _aligned(table: SmallTable, truth: Callable[..., Any]) -> Iterator[Inputs]:
    """Yield lists of lists, of all users of the truth."""
    users = [(listed, judged) for listed, judged in _by_user(table).values() if judged]
    yield [_items(listed) for listed, _ in users], [truth(judged) for _, judged in users]


def _single(table: SmallTable, truth: Callable[..., Any]) -> Iterator[Inputs]:
    """Yield the list and the truth of each user of the truth."""
    for listed, judged in _by_user(table).values():
        if judged:
            yield _items(listed), truth(judged)


def _frames(table: SmallTable) -> Iterator[Inputs]:
    import pandas

    yield (
        pandas.DataFrame([*table.recs], columns=["user_id", "item_id", "score"]),
        pandas.DataFrame([*table.truth], columns=["user_id", "item_id", "relevance"]),
    )


def _arrays(table: SmallTable) -> Iterator[Inputs]:
    """Yield arrays of users and items; an item that a list lacks has a score below all others."""
    import numpy

    users = [pair for pair in _by_user(table).values() if pair[1]]
    items = sorted({item for pair in users for rows in pair for item, _ in rows})
    scores, grades = (numpy.zeros((len(users), len(items))) for _ in range(2))
    scores -= 1e6
    for row, (listed, judged) in enumerate(users):
        for matrix, pairs in ((scores, reversed(listed)), (grades, judged)):
            for item, value in pairs:
                matrix[row, items.index(item)] = value
    yield scores, grades


def _row_arrays(table: SmallTable) -> Iterator[Inputs]:
    for scores, grades in _arrays(table):
        yield from zip(scores, grades, strict=True)


def _items(rows: list[tuple[int, float]]) -> list[int]:
    return [item for item, _ in rows]


def _relevant(rows: list[tuple[int, float]]) -> list[int]:
    return [item for item, grade in rows if grade > 0]


def _relevant_set(rows: list[tuple[int, float]]) -> set[int]:
    return {*_relevant(rows)}


STYLES = (
    Style("dicts of scores and of grades", partial(_dicts, lists=dict, truth=dict), False),
    Style("dicts of lists and of grades", partial(_dicts, lists=_items, truth=dict), True),
    Style("dicts of lists and of sets", partial(_dicts, lists=_items, truth=_relevant_set), True),
    Style("dicts of lists", partial(_dicts, lists=_items, truth=_relevant), True),
    Style("pandas frames", _frames, False),
    Style("lists of lists", partial(_aligned, truth=_relevant), True),
    Style("lists and sets", partial(_aligned, truth=_relevant_set), True),
    Style("lists and dicts of grades", partial(_aligned, truth=dict), True),
    Style("a user's list and items", partial(_single, truth=_relevant), True),
    Style("a user's list and set", partial(_single, truth=_relevant_set), True),
    Style("a user's list and grades", partial(_single, truth=dict), True),
    Style("arrays of users and items", _arrays, False),
    Style("a user's arrays", _row_arrays, False),
)


@dataclass(frozen=True)
class Call:
    """A way to call a function: a style, the order of its two inputs, and the cutoff."""

    style: Style
    truth_first: bool
    cutoff: str | None

    def value(self, function: Callable[..., Any], table: SmallTable) -> float | None:
        """Return the function's value on a table; None if it has none, or raises."""
        values = []
        for lists, truth in self.style.inputs(table):
            inputs = (truth, lists) if self.truth_first else (lists, truth)
            named = {self.cutoff: table.k} if self.cutoff else {}
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    value = _number(function(*inputs, **named))
            except Exception:
                value = None
            if value is not None:
                values.append(value)
        return sum(values) / len(values) if values else None


def _number(value: Any) -> float | None:
    """Return a finite number; of values per user, their mean."""
    if isinstance(value, Mapping):
        value = [*value.values()]
    if isinstance(value, list | tuple):
        return sum(map(float, value)) / len(value) if value else None
    number = float(value)
    return number if math.isfinite(number) else None


def calls_of(function: Callable[..., Any]) -> list[Call]:
    """Return the ways to call a function, by the names of its parameters."""
    try:
        parameters = [*inspect.signature(function).parameters.values()]
    except (TypeError, ValueError):
        parameters = []
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    names = [one.name for one in parameters if one.kind not in kinds]
    cutoff = next((name for name in names[2:] if name.lower() in _CUTOFFS), None)
    first, second = (*(name.lower() for name in names[:2]), "", "")[:2]
    truth_first = any(word in first for word in _TRUTH) and not any(x in first for x in _LISTS)
    lists_first = any(word in second for word in _TRUTH) and not any(x in second for x in _LISTS)
    orders = [True] if truth_first else [False] if lists_first else [False, True]
    return [Call(style, order, cutoff) for style in STYLES for order in orders]
