"""Warnings about unused columns with important names or values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .. import messages
from ..dialects import identifier
from ..errors import InputError
from .read import Inputs
from .source import Source, is_number

# Names of columns with grades in recs, with grades in the truth, and with model names.
_GRADES = "ratings?|grades?|labels?|rel|relevanc[ey]|stars|judge?ments?"
_COUNTS = "(play|listen|click|view|watch|event|interaction|purchase)[ _.-]?counts?|plays|listens"
_SCORES = (
    f"{_GRADES}|relevant|scores?|gains?|targets?|rewards?|weights?|feedbacks?|responses?|"
    f"preferences?|likes?|liked|clicks?|clicked|purchased?|bought|watch[ _.-]?ratio|{_COUNTS}"
)
_MODELS = "(model|algorithm|algo|recommender|system|policy)([ _.-]?(name|id))?"

_POLICIES = (
    "{table} has an unused column {column!r} with {values}: all decisions are "
    "averaged together; if they are policies to evaluate, select one with where="
)

_EXCHANGED = "{table} has an unused column {column!r} with {values}: are recs and truth exchanged?"

# Maximum number of models or columns that a message names.
_MAX_NAMED = 5

# Maximum number of unused columns to check; if there are more, only columns with a known name are
# checked.
_MAX_CHECKED = 50

# Number of rows that are read first, which are enough for most columns.
_FIRST_ROWS = 1000

_BOOLEANS = {"true": 1.0, "false": 0.0}


def check_one_model(inputs: Inputs, sources: Iterable[Source]) -> None:
    """Check that tables without models do not have a column ``model`` with several values."""
    for source in sources:
        table = source.name.partition("[")[0]
        renames = inputs.columns.renames
        model_column = str(renames.get(f"{table}.model", renames.get("model", "model"))).lower()
        columns = [name for name in source.types if name.lower() == model_column]
        for message in _describe_several_values(inputs, source, columns, messages.SEVERAL_VALUES):
            raise InputError(message)


def unused_column_warnings(
    inputs: Inputs, recs: Iterable[Source], truth: Source | None, logs: Source | None
) -> list[str]:
    """Return warnings about unused columns that could be grades or models."""
    warnings = []
    for source in recs:
        columns = unused_columns(inputs, source, "recs")
        rows = _read_first_rows(inputs, source, _match_names(columns, last_word_pattern(_GRADES)))
        warnings += [
            f"{source.name} has an unused column {column!r}: relevance belongs in truth"
            for column, values in rows.items()
            if _parse_numbers(values)
        ]
        if "model" not in source.columns:
            models = _match_names(columns, last_word_pattern(_MODELS))
            warnings += _describe_several_values(inputs, source, models, messages.UNREAD_MODELS)
    if logs is not None:
        models = _match_names(unused_columns(inputs, logs, "logs"), last_word_pattern(_MODELS))
        warnings += _describe_several_values(inputs, logs, models, _POLICIES)
    if truth is not None:
        models = _match_names(unused_columns(inputs, truth, "truth"), last_word_pattern(_MODELS))
        warnings += _describe_several_values(inputs, truth, models, _EXCHANGED)
    if truth is not None and "relevance" not in truth.columns:
        warnings += _grade_warnings(inputs, truth)
    return warnings


def _grade_warnings(inputs: Inputs, truth: Source) -> list[str]:
    """Return warnings about unused columns of numbers that could be the grade, by name or as flags.

    Columns with only ones are ignored: every row is relevant, with or without such a column.
    """
    columns = unused_columns(inputs, truth, "truth")
    grade_columns = _match_names(columns, GRADE_NAMES)
    columns = columns if len(columns) <= _MAX_CHECKED else grade_columns
    rows = _read_first_rows(inputs, truth, columns)
    flags = []
    warnings = []
    for column, values in rows.items():
        numbers = {*_parse_numbers(values)}
        if numbers in ({0.0}, {1.0}) and len(values) == _FIRST_ROWS:
            numbers = {*_parse_numbers(_read_first_values(inputs, truth, column))}
        if not numbers or (numbers == {1.0} and None not in values):
            continue
        if column in grade_columns:
            warnings.append(messages.UNREAD_GRADES.format(table=truth.name, column=column))
        elif numbers <= {0.0, 1.0}:
            flags.append(column)
    if len(flags) == 1:
        warnings.append(messages.UNREAD_GRADES.format(table=truth.name, column=flags[0]))
    elif flags:
        details = {"table": truth.name, "columns": _join_names(flags), "column": flags[0]}
        warnings.append(messages.UNREAD_FLAGS.format(**details))
    return warnings


def _read_first_rows(inputs: Inputs, source: Source, columns: list[str]) -> dict[str, list[Any]]:
    """Return the values in the first rows, for each column that may contain numbers."""
    # Text may contain numbers.
    kinds = {name: source.types[name].partition("(")[0] for name in columns}
    columns = [x for x in columns if is_number(source.types[x]) or kinds[x] in ("VARCHAR", "ENUM")]
    if not columns:
        return {}
    names = ", ".join(identifier(name, source.dialect, stored=True) for name in columns)
    rows = inputs.rows_once(f"select {names} from {source.relation} limit {_FIRST_ROWS}")
    return {name: [row[index] for row in rows] for index, name in enumerate(columns)}


def _parse_numbers(values: Iterable[Any]) -> list[float]:
    """Return the non-null values as numbers, or an empty list if one is not a number."""
    numbers = []
    for value in values:
        if value is None:
            continue
        try:
            text = str(value).strip().lower()
            numbers.append(_BOOLEANS[text] if text in _BOOLEANS else float(text))
        except ValueError:
            return []
    return numbers


def _describe_several_values(
    inputs: Inputs, source: Source, columns: list[str], message: str
) -> list[str]:
    warnings = []
    for column in columns:
        names = _read_first_values(inputs, source, column)
        if len(names) > 1:
            count = f"more than {_MAX_NAMED}" if len(names) > _MAX_NAMED else len(names)
            values = f"{count} values ({_join_names(names)})"
            warnings.append(message.format(table=source.name, column=column, values=values))
    return warnings


def last_word_pattern(words: str) -> str:
    """Return a regular expression of names that end with one of ``words``."""
    return rf"(.*[^a-z])?({words})"


# Names of columns of the truth that could be the grade.
GRADE_NAMES = rf"{last_word_pattern(_SCORES)}|y([ _.-]?true)?"


def unused_columns(inputs: Inputs, source: Source, table: str) -> list[str]:
    """Return the columns that are not read, and not part of a key or a condition."""
    read = {name.lower() for name in source.columns.values()}
    for key, names in inputs.columns.renames.items():
        if key.rpartition(".")[0] in ("", table) and not isinstance(names, str):
            read |= {name.lower() for name in names}
    read |= {*re.findall(r"\w+", inputs.where.get(table, "").lower())}
    return [name for name in source.types if name.lower() not in read]


def _match_names(columns: Iterable[str], pattern: str) -> list[str]:
    return [name for name in columns if re.fullmatch(pattern, name.lower())]


def _read_first_values(inputs: Inputs, source: Source, column: str) -> list[str]:
    """Return the first values of a column in order, one value more than a message names."""
    name = identifier(column, source.dialect, stored=True)
    rows = inputs.rows_once(
        f"select distinct {name} as label from {source.relation} "
        f"where {name} is not null order by label limit {_MAX_NAMED + 1}"
    )
    return [str(value) for (value,) in rows]


def _join_names(names: list[str]) -> str:
    return ", ".join(names[:_MAX_NAMED]) + (", ..." if len(names) > _MAX_NAMED else "")
