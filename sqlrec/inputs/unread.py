"""Columns that nothing reads, though their names or values say that something should."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .. import messages
from ..dialects import identifier
from ..errors import InputError
from .read import Inputs, Source, is_number

# Names of columns that hold grades, in recs and in truth; and of those that tell models apart.
_GRADES = "ratings?|grades?|labels?|rel|relevanc[ey]|stars|judge?ments?"
_COUNTS = "(play|listen|click|view|watch|event|interaction|purchase)[ _.-]?counts?|plays|listens"
_SCORES = (
    f"{_GRADES}|relevant|scores?|gains?|targets?|rewards?|weights?|feedbacks?|responses?|"
    f"preferences?|likes?|liked|clicks?|clicked|purchased?|bought|watch[ _.-]?ratio|{_COUNTS}"
)
_MODELS = "(model|algorithm|algo|recommender|system|policy)([ _.-]?(name|id))?"

_POLICIES = (
    "{table} has a column {column!r} that nothing reads, with {values}: the decisions of all are "
    "averaged together; if they are policies to evaluate, give one at a time, by where"
)

# So many models or columns a message names.
_MOST_NAMED = 5

# Of a table with more columns that nothing reads, those are looked at whose names are known.
_MOST_LOOKED_AT = 50

# So many rows are looked at first, which most columns need no more of.
_FIRST_ROWS = 1000

# How texts of yes and no are written.
_TRUTHS = {"true": 1.0, "false": 0.0}


def check_one_model(inputs: Inputs, sources: Iterable[Source]) -> None:
    """Check that tables of one model are of one: together its lists would be those of no model.

    Raises:
        InputError: One has a column ``model`` with several values.
    """
    for source in sources:
        table = source.name.partition("[")[0]
        named = inputs.columns.named
        wanted = str(named.get(f"{table}.model", named.get("model", "model"))).lower()
        columns = [name for name in source.types if name.lower() == wanted]
        for message in _several(inputs, source, columns, messages.SEVERAL_VALUES):
            raise InputError(message)


def unread(
    inputs: Inputs, recs: Iterable[Source], truth: Source | None, logs: Source | None
) -> list[str]:
    """Return warnings of columns that look like grades or models, and that nothing reads.

    Logs are given where they say by themselves how likely a policy acts so: that of one policy.
    """
    found = []
    for source in recs:
        columns = unread_columns(inputs, source, "recs")
        rows = _first_rows(inputs, source, _like(columns, last_word(_GRADES)))
        found += [
            f"{source.name} has a column {column!r} that nothing reads: truth has what is relevant"
            for column, values in rows.items()
            if _numbers(values)
        ]
        if "model" not in source.found:
            models = _like(columns, last_word(_MODELS))
            found += _several(inputs, source, models, messages.UNREAD_MODELS)
    if logs is not None:
        models = _like(unread_columns(inputs, logs, "logs"), last_word(_MODELS))
        found += _several(inputs, logs, models, _POLICIES)
    if truth is not None and "relevance" not in truth.found:
        found += _grades(inputs, truth)
    return found


def _grades(inputs: Inputs, truth: Source) -> list[str]:
    """Return warnings of columns of truth that could be the grade.

    These are columns of numbers with the name of a grade, and under any name columns of zeros and
    ones. Where all are 1, every row is relevant, as it is without the column.
    """
    columns = unread_columns(inputs, truth, "truth")
    named = _like(columns, GRADE_NAMES)
    columns = columns if len(columns) <= _MOST_LOOKED_AT else named
    limits = _limits_in_metadata(inputs, truth, columns)
    beyond = {name for name, (low, high) in limits.items() if not (low >= 0 and high <= 1)}
    constant = {name for name, (low, high) in limits.items() if low == high}
    rows = _first_rows(inputs, truth, [x for x in columns if x in named or x not in beyond])
    flags = []
    found = []
    for column, values in rows.items():
        numbers = _numbers(values)
        is_alike = {*numbers} in ({0.0}, {1.0}) and len(values) == _FIRST_ROWS
        if is_alike and column not in constant:
            numbers = _numbers(_values(inputs, truth, column))
        are_flags = {*numbers} <= {0.0, 1.0}
        if not numbers or ({*numbers} == {1.0} and None not in values):
            continue
        if column in named:
            found.append(messages.UNREAD_GRADES.format(table=truth.name, column=column))
        elif are_flags:
            flags.append(column)
    if len(flags) == 1:
        found.append(messages.UNREAD_GRADES.format(table=truth.name, column=flags[0]))
    elif flags:
        shown = {"table": truth.name, "columns": _named(flags), "column": flags[0]}
        found.append(messages.UNREAD_FLAGS.format(**shown))
    return found


def _limits_in_metadata(
    inputs: Inputs, source: Source, columns: Iterable[str]
) -> dict[str, tuple[float, float]]:
    """Return the least and the largest number of columns of Parquet, without reading rows."""
    columns = [name for name in columns if is_number(source.types[name])]
    if not columns or not source.relation.startswith("read_parquet("):
        return {}
    names = [identifier(name, source.dialect, stored=True) for name in columns]
    limits = ", ".join(f"min({name}), max({name})" for name in names)
    ((*values,),) = inputs.engine.rows(f"select {limits} from {source.relation}")
    pairs = zip(columns, values[::2], values[1::2], strict=True)
    return {name: (low, high) for name, low, high in pairs if low is not None}


def _first_rows(inputs: Inputs, source: Source, columns: list[str]) -> dict[str, list[Any]]:
    """Return the values of columns in the first rows, for those that may hold numbers."""
    columns = [name for name in columns if _may_be_number(source.types[name])]
    if not columns:
        return {}
    names = ", ".join(identifier(name, source.dialect, stored=True) for name in columns)
    with inputs.engine.naming(inputs.objects):
        rows = inputs.engine.rows(f"select {names} from {source.relation} limit {_FIRST_ROWS}")
    return {name: [row[place] for row in rows] for place, name in enumerate(columns)}


def _may_be_number(kind: str) -> bool:
    """Return whether a type is one of numbers, or of text, of which numbers are made too."""
    return is_number(kind) or kind == "VARCHAR" or kind.startswith("ENUM")


def _numbers(values: Iterable[Any]) -> list[float]:
    """Return values as numbers, without those that are null; none where one is no number."""
    found = []
    for value in values:
        if value is None:
            continue
        try:
            written = str(value).strip().lower()
            found.append(_TRUTHS[written] if written in _TRUTHS else float(written))
        except ValueError:
            return []
    return found


def _several(inputs: Inputs, source: Source, columns: list[str], message: str) -> list[str]:
    """Return a message for each column that tells models apart and has several of them."""
    found = []
    for column in columns:
        names = _values(inputs, source, column)
        if len(names) > 1:
            shown = {"table": source.name, "column": column, "values": _count(names)}
            found.append(message.format(**shown))
    return found


def last_word(names: str) -> str:
    """Return the pattern of a name that is one of these, or has one as its last word."""
    return rf"(.*[^a-z])?({names})"


# A column of truth with such a name could be the grade.
GRADE_NAMES = rf"{last_word(_SCORES)}|y([ _.-]?true)?"


def unread_columns(inputs: Inputs, source: Source, table: str) -> list[str]:
    """Return the columns that are neither read, nor part of a key or of a condition."""
    read = {name.lower() for name in source.found.values()}
    for key, names in inputs.columns.named.items():
        if key.rpartition(".")[0] in ("", table) and not isinstance(names, str):
            read |= {name.lower() for name in names}
    read |= {*re.findall(r"\w+", inputs.where.get(table, "").lower())}
    return [name for name in source.types if name.lower() not in read]


def _like(columns: Iterable[str], shape: str) -> list[str]:
    """Return the columns with a name of some shape."""
    return [name for name in columns if re.fullmatch(shape, name.lower())]


def _values(inputs: Inputs, source: Source, column: str) -> list[str]:
    """Return the first values of a column in order: one more than are named, if there are more."""
    name = identifier(column, source.dialect, stored=True)
    with inputs.engine.naming(inputs.objects):
        rows = inputs.engine.rows(
            f"select distinct {name} as given from {source.relation} "
            f"where {name} is not null order by given limit {_MOST_NAMED + 1}"
        )
    return [str(value) for (value,) in rows]


def _count(names: list[str]) -> str:
    many = len(names) > _MOST_NAMED
    return f"{f'more than {_MOST_NAMED}' if many else len(names)} values ({_named(names)})"


def _named(names: list[str]) -> str:
    return ", ".join(names[:_MOST_NAMED]) + (", ..." if len(names) > _MOST_NAMED else "")
