"""The rules of an evaluation that can be switched, whatever the metric."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from . import options
from .errors import nearest
from .options import check_choice
from .paths import sql_folder

# What a caller may choose.
OPTIONS = {option.name: option for option in options.RULES}

# Values of ties that go by the truth, and what stands in for rules that they can't be with: an item
# that is a hit in one of its places alone or to be found several times, and a place that is several
# hits or lines.
BY_RELEVANCE = ("expected", "best", "worst")
WITH_RELEVANCE = (
    *(("duplicates", odd, "places") for odd in ("once", "outer", "outer_in_k", "crossed")),
    *(("truth_duplicates", odd, "rows") for odd in ("joined", "summed", "lines")),
)


def with_queries(name: str) -> tuple[str, ...]:
    """Return the values of a rule: each is a macro ``<rule>__<value>`` in ``sql/rules``."""
    paths = sorted((sql_folder() / "rules").glob("*.sql"))
    declared = re.compile(rf"{{% macro {name}__(\w+)\(")
    return tuple(x for path in paths for x in declared.findall(path.read_text(encoding="utf-8")))


def _of_libraries(name: str) -> tuple[str, ...]:
    public = OPTIONS[name].choices if name in OPTIONS else ()
    return tuple(value for value in QUERIES[name] if value not in public)


# The rules whose values are queries: one is declared where its query is.
QUERIES = {
    name: with_queries(name)
    for name in (
        "population",
        "ties",
        "duplicates",
        "truth_duplicates",
        "seen",
        "listed",
        "unlisted",
    )
}

# What conventions alone choose, as libraries have it.
OF_LIBRARIES: Mapping[str, tuple[str | None, ...]] = {
    "ties": _of_libraries("ties"),
    "duplicates": _of_libraries("duplicates"),
    "truth_duplicates": (None, *_of_libraries("truth_duplicates")),
    "scores": ("any", "positive"),
    "listed": _of_libraries("listed"),
    "unlisted": _of_libraries("unlisted"),
    "without_list": ("value", "undefined"),
    "undefined": ("omit", "zero", "one", "propagate"),
}


@dataclass(frozen=True)
class Rules:
    """The rules that can be switched, each with its default.

    Attributes:
        population: Who is averaged over.
        order: Whether score or rank orders a list; None takes what there is, and checks that
            they agree where there are both.
        ties: Which item comes first among equal scores: by its id, or by the characters of its id
            where that is a number too, or the one whose row comes first, or the most or the least
            relevant one; or they share what their places are worth in a DCG; or the value is what
            is expected if any of their orders is as likely.
        duplicates: What an item twice in a list leads to: an error; or it counts once, at its best
            place, or with the score of its first or last row; or at its best place of those that
            the largest cutoff leaves; or it takes a place each time, and is a hit each time, or
            only once. Or it is to be found as often as the list has it, at all
            or within the cutoff, as in an outer join of truth and list; or as where each place is
            joined with all rows of list and truth once more.
        null_scores: What a missing score leads to.
        seen: Whether items leave the lists, and those below move up: those of the user's history,
            or the item that the user is.
        relevance_threshold: The relevance from which an item is relevant; None: all above 0;
            -inf: every row of the truth.
        truth_duplicates: What a judgement twice in the truth leads to: an error; or the best one
            counts, or the one in the first or last row; or each row counts among the user's items,
            and a place meets the least of them, or all of them, as so many hits; or all of them
            among the hits so far alone; or each at a place of its own. None: as duplicates has it,
            where that is an error or the best one.
        scores: Whether items with a score of 0 or below are left out of lists.
        listed: Whose lists there are: all that are given, or those of users of the truth alone.
        unlisted: Whether items that a list lacks stand below it, in any order: those of the user's
            truth, or all items of lists and truth.
        without_list: Whether a user without a list has the value of an empty list, or none.
        undefined: What a value that is not defined for a user leads to: it is left out of the mean,
            counts 0 or 1, or leaves the mean undefined.
    """

    population: str = "truth"
    order: str | None = None
    ties: str = "item_asc"
    duplicates: str = "error"
    null_scores: str = "error"
    seen: str = "keep"
    relevance_threshold: float | None = None
    truth_duplicates: str | None = None
    scores: str = "any"
    listed: str = "all"
    unlisted: str = "absent"
    without_list: str = "value"
    undefined: str = "omit"

    def __post_init__(self) -> None:
        for name in {**OPTIONS, **OF_LIBRARIES}:
            option = OPTIONS.get(name)
            ours = [option.rules.get(str(x), x) for x in option.choices] if option else ()
            known = (*ours, *OF_LIBRARIES.get(name, ()))
            if name in QUERIES:
                known = tuple(x for x in known if x is None or x in QUERIES[name])
            if known:
                check_choice(name, getattr(self, name), known)


RULES = tuple(Rules.__dataclass_fields__)


def read_rules(given: Mapping[str, Any]) -> dict[str, Any]:
    """Check rules that a caller gives, and leave out those that are None.

    Raises:
        InputError: A value that a rule does not have, or that conventions alone choose.
    """
    known = options.Inputs.__annotations__
    for name in given:
        if name not in OPTIONS:
            raise TypeError(f"unknown option {name!r}: {nearest(name, known)}")
    return {name: OPTIONS[name].read(value) for name, value in given.items() if value is not None}
