"""Columns that nothing reads, though their names say that something should."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .. import messages
from ..dialects import identifier
from ..errors import InputError
from .read import Inputs, Source, is_number

# Names of columns that hold grades, in recs and in truth; and of those that tell models apart.
_GRADES = "ratings?|grades?|labels?|rel|relevanc[ey]|stars|judge?ments?"
_SCORES = f"{_GRADES}|scores?|gains?"
_MODELS = "(model|algorithm|algo|recommender|system|policy)([ _.-]?(name|id))?"

_POLICIES = (
    "{table} has a column {column!r} that nothing reads, with {values}: the decisions of all are "
    "averaged together; if they are policies to evaluate, give one at a time, by where"
)

# So many models a message names.
_MOST_NAMED = 5


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
        for column in _like(source, _GRADES):
            if is_number(source.types[column]):
                found.append(
                    f"{source.name} has a column {column!r} that nothing reads: what is relevant "
                    "stands in truth"
                )
        if "model" not in source.found:
            found += _several(inputs, source, _like(source, _MODELS), messages.UNREAD_MODELS)
    if logs is not None:
        found += _several(inputs, logs, _like(logs, _MODELS), _POLICIES)
    if truth is not None and "relevance" not in truth.found:
        found += [
            messages.UNREAD_GRADES.format(table=truth.name, column=column)
            for column in _like(truth, _SCORES)
            if is_number(truth.types[column])
        ]
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


def _like(source: Source, names: str) -> list[str]:
    """Return the columns that are not read and have such a name, alone or as its last word."""
    read = set(source.found.values())
    shape = re.compile(last_word(names))
    return [name for name in source.types if name not in read and shape.fullmatch(name.lower())]


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
    shown = ", ".join(names[:_MOST_NAMED]) + (", ..." if many else "")
    return f"{f'more than {_MOST_NAMED}' if many else len(names)} values ({shown})"
