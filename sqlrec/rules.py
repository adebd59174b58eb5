"""The rules of an evaluation, which apply to all metrics."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from . import options
from .options import check_choice
from .paths import sql_folder

# Rules that a caller can choose.
OPTIONS = {option.name: option for option in options.RULES}

# Tie rules that read the truth. They are not compatible with rules that count an item several times
# or only at one of its positions, or a position as several hits or rows. The last column replaces
# these.
BY_RELEVANCE = ("expected", "best", "worst")
WITH_RELEVANCE = (
    *(("duplicates", choice, "places") for choice in ("once", "outer", "outer_in_k", "crossed")),
    *(("truth_duplicates", choice, "rows") for choice in ("joined", "summed", "lines")),
)


def with_queries(name: str) -> tuple[str, ...]:
    """Return the values of a rule: each is a macro ``<rule>__<value>`` in ``sql/rules``."""
    paths = sorted((sql_folder() / "rules").glob("*.sql"))
    declared = re.compile(rf"{{% macro {name}__(\w+)\(")
    return tuple(x for path in paths for x in declared.findall(path.read_text(encoding="utf-8")))


def _of_libraries(name: str) -> tuple[str, ...]:
    public = OPTIONS[name].choices if name in OPTIONS else ()
    return tuple(value for value in QUERIES[name] if value not in public)


# Rules whose values are macros in sql/rules.
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

# Choices that only conventions of libraries use.
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
class MetricRules:
    """The rules of a metric, with their defaults: those of a caller, or of a convention.

    Attributes:
        population: The users to average over.
        order: Whether score or rank orders a list. None uses the column that exists, and checks
            that the two agree if both exist.
        ties: The order of items with equal scores: by id, by the text of an id that is a number,
            by the input's rows, or by relevance in either direction. Or items share the mean of
            their positions' DCG values; or the value is the mean over all orders.
        duplicates: The treatment of an item that is twice in a list: an error; or it counts once,
            at its best position, with the score of its first or last row, or at its best position
            within the largest cutoff; or it occupies each position and is a hit at each of them,
            or only once. Or it is relevant once for each occurrence, in the list or within the
            cutoff, as in an outer join of truth and list; or as if each position is joined with all
            rows of list and truth again.
        null_scores: The treatment of a missing score.
        seen: Whether items leave the lists, so that the items below move up: the items of the
            user's history, or the item with the user's id.
        relevance_threshold: The minimum relevance of a relevant item; None: any above 0;
            -inf: every row of the truth.
        truth_duplicates: The treatment of an item that is twice in the truth: an error; or the best
            grade counts, or that of the first or last row; or each row is a relevant item, and a
            position has the smallest grade, or all grades as separate hits; or all grades only in
            the number of hits up to a position; or each grade at a position of its own. None: as
            ``duplicates`` if that is an error or the best one.
        scores: Whether lists exclude items with a score of 0 or below.
        listed: The users whose lists are evaluated: all users, or only users of the truth.
        unlisted: Whether items that are not in a list are added below it, in any order: those of
            the user's truth, or all items of lists and truth.
        without_list: Whether a user without a list has the value of an empty list, or no value.
        undefined: The treatment of an undefined value of a user: it is excluded from the mean,
            counts 0 or 1, or makes the mean undefined.
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
            values = [option.rules.get(str(x), x) for x in option.choices] if option else ()
            choices = (*values, *OF_LIBRARIES.get(name, ()))
            if name in QUERIES:
                choices = tuple(x for x in choices if x is None or x in QUERIES[name])
            if choices:
                check_choice(name, getattr(self, name), choices)


RULES = tuple(MetricRules.__dataclass_fields__)
