"""The rules of an evaluation, which apply to all metrics."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from . import options
from .errors import OptionError
from .options import check_choice
from .paths import sql_folder

# Rules that a caller can choose.
OPTIONS = {option.name: option for option in options.RULES}

# Some of the rules, by name.
RuleChoices = Mapping[str, Any]

_FOLDER = sql_folder() / "rules"

# Properties of values, which the files in sql/rules declare for the rules below. Set a property if
# its sentence is true for a value, such as the value at its end.
PROPERTIES = {
    # For duplicates and truth_duplicates: each value has one of these three.
    "refuses_repeats": "an item twice in a list, or in the truth, breaks a rule: duplicates=error",
    "keeps_repeats": "an item may be twice in a list, or in the truth: duplicates=ranks",
    "removes_repeats": "an item counts once, and the query excludes rows: duplicates=best",
    # For duplicates.
    "hits_once": "each row of an item has a rank, but only the first is a hit: duplicates=once",
    "repeats_are_relevant": "an item at m ranks counts as m relevant items: duplicates=outer",
    "crosses_ranks": "an item at m ranks with n truth rows counts m * n times: duplicates=crossed",
    "same_for_cutoffs": "repeats below a cutoff count at this cutoff too: duplicates=outer",
    # For truth_duplicates.
    "joins_once": "a rank is joined with one row of its item in the truth: truth_duplicates=rows",
    "adds_up_rows": "a hit adds all rows of its item to the hits so far: truth_duplicates=summed",
    "ranks_rows": "each row of an item makes a separate rank: truth_duplicates=lines",
    # For missing_items.
    "extends_lists": "items below a list can be hits: missing_items=last",
    # For ties.
    "reads_grades": "the order of equal scores, or their value, depends on the truth: ties=best",
    "sorts_by_grade": "equal scores are sorted by grade: ties=best",
    "shares_discounts": "items with equal scores share the discounts of their ranks: ties=shared",
    "keeps_equal_scores": "a score that begins within the cutoffs keeps all ranks: ties=expected",
    # For population.
    "is_judged": "all users are users of the truth: population=judged",
    "is_relevant": "all users have a relevant item: population=truth",
    "has_list": "all users have a list within the cutoff: population=recs",
    # For several rules.
    "depends_on_row_order": "the first or last of some rows counts: duplicates=first",
    "depends_on_cutoffs": "a deeper cutoff changes values at others: duplicates=best_in_cut",
    "depends_on_lower_ranks": "values depend on ranks below all cutoffs: duplicates=outer",
    "depends_on_other_users": "a value depends on other users' rows: missing_items=universe",
    "rows_of_users": "each user of a population has separate rows of lists or truth: ties=expected",
    # With this property, the order of equal scores can't depend on the truth.
    "not_by_relevance": "an item counts several times, or a rank as several: duplicates=outer",
}


def values_with_queries(name: str) -> tuple[str, ...]:
    """Return the values of a rule: each is a macro ``<rule>__<value>`` in ``sql/rules``."""
    return tuple(re.findall(rf"{{% macro {name}__(\w+)\(", _read_queries()))


def _read_queries() -> str:
    """Return the text of all files of rules."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(_FOLDER.glob("*.sql")))


def rule_properties(name: str) -> dict[str, list[str]]:
    """Parse the properties of each value of a rule, in ``<rule>_properties`` of its file."""
    text = (_FOLDER / f"{name}.sql").read_text(encoding="utf-8")
    pattern = rf"macro {name}_properties\(\) %}}\s*{{{{ return\((.*?)\) }}}}"
    match = re.search(pattern, text, re.DOTALL)
    declared: dict[str, list[str]] = literal_eval(match[1]) if match else {}
    file, values = f"rules/{name}.sql", QUERIES[name]
    for value in values:
        if value not in declared:
            raise OptionError(
                f"{file}: {name}_properties has no entry {value!r}: write one, as in "
                f"{value!r}: [], with properties of {', '.join(PROPERTIES)}"
            )
    for value, properties in declared.items():
        if value not in values:
            raise OptionError(f"{file}: {value!r} has no macro {name}__{value}: write it")
        for each in properties:
            check_choice(f"{file}: {value}", each, tuple(PROPERTIES))
    return declared


@cache
def rule_meanings(name: str) -> dict[str, str]:
    """Return the meaning of each value of a rule: the first sentence above its macro."""
    text, meanings = _read_queries(), {}
    for value in QUERIES[name]:
        pattern = rf"^-- {value}: ((?:.*\n--)*.*)\.\n{{% macro {name}__{value}\("
        sentences = re.search(pattern, text, re.MULTILINE)
        if not sentences:
            raise OptionError(
                f"rules/{name}.sql: {value!r} has no meaning: write a sentence above its macro, as "
                f"in '-- {value}: counts an item of a list once.'"
            )
        meanings[value] = sentences[1].replace("\n--", "").split(". ")[0]
    return meanings


def values_with_property(name: str, quality: str) -> tuple[str, ...]:
    """Return the values of a rule with a property."""
    return tuple(value for value, properties in VALUES[name].items() if quality in properties)


def _library_values(name: str) -> tuple[str, ...]:
    public = OPTIONS[name].choices if name in OPTIONS else ()
    return tuple(value for value in QUERIES[name] if value not in public)


# Rules with values that are macros in sql/rules.
QUERIES = {
    name: values_with_queries(name)
    for name in (
        "population",
        "ties",
        "duplicates",
        "truth_duplicates",
        "seen",
        "list_users",
        "missing_items",
    )
}

# The properties of values, for rules that other code depends on.
VALUES = {
    name: rule_properties(name)
    for name in ("population", "ties", "duplicates", "truth_duplicates", "missing_items")
}

# Populations that exclude users without a list.
NEED_LIST = values_with_property("population", "has_list")

# Tie rules that read the truth, and the values of other rules that they exclude, each with a
# replacement.
BY_RELEVANCE = values_with_property("ties", "reads_grades")
WITH_RELEVANCE = tuple(
    (name, value, fallback)
    for name, fallback in (("duplicates", "ranks"), ("truth_duplicates", "rows"))
    for value in values_with_property(name, "not_by_relevance")
)

# Rules that need an order of rows, with the fallback for tables without an order.
WITHOUT_ROWS = tuple(
    (name, value, fallback)
    for name, fallback in (
        ("ties", "item_asc"),
        ("duplicates", "best"),
        ("truth_duplicates", "best"),
    )
    for value in values_with_property(name, "depends_on_row_order")
)

# Choices that only the conventions of libraries use.
OF_LIBRARIES: Mapping[str, tuple[str | None, ...]] = {
    "ties": _library_values("ties"),
    "duplicates": _library_values("duplicates"),
    "truth_duplicates": (None, *_library_values("truth_duplicates")),
    "scores": ("any", "positive"),
    "list_users": _library_values("list_users"),
    "missing_items": _library_values("missing_items"),
    "without_list": ("value", "undefined"),
    "undefined": ("omit", "zero", "one", "propagate"),
}


def _rule_choices(name: str) -> tuple[Any, ...]:
    option = OPTIONS.get(name)
    values = [option.rules.get(str(x), x) for x in option.choices] if option else ()
    choices = (*values, *OF_LIBRARIES.get(name, ()))
    return tuple(x for x in choices if x is None or name not in QUERIES or x in QUERIES[name])


# The choices of each rule with a limited number of choices.
_CHOICES = {name: x for name in {**OPTIONS, **OF_LIBRARIES} if (x := _rule_choices(name))}


@dataclass(frozen=True)
class MetricRules:
    """The rules of a metric, from the caller or a convention.

    ``options.Rules`` documents the public choices, and ``sql/rules`` the choices of conventions.
    """

    population: str = "truth"
    order: str | None = None  # None uses the column that exists; two columns must agree.
    ties: str = "item_asc"
    duplicates: str = "error"
    null_scores: str = "error"
    seen: str = "keep"
    relevance_threshold: float | None = None
    # None selects the value of ``duplicates`` if it exists for the truth, else ``error``.
    truth_duplicates: str | None = None
    scores: str = "any"  # Whether lists exclude items with a score of 0 or below.
    list_users: str = "all"  # All users with lists, or only users in the truth.
    missing_items: str = "absent"  # Items that are added below a list, in any order.
    without_list: str = "value"  # Whether a user without a list has the value of an empty list.
    undefined: str = "omit"  # Excluded from the mean, 0, 1, or makes the mean undefined.

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            check_choice(name, getattr(self, name), choices)


RULES = tuple(MetricRules.__dataclass_fields__)
