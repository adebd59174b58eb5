"""Types of the columns of text files, inferred from all of their values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from ..dialects import identifier, text

# A whole number as it is written when nothing is to be lost: 7, and not 007, +7 or 7.0.
_PLAIN = "0|-?[1-9][0-9]*"
_SHORT = "0|-?[1-9][0-9]{0,17}"

# Forms of values, in which {0} stands for one.
_KINDS = ("BIGINT", "UBIGINT", "HUGEINT", "DOUBLE")
CAST = {kind: f"try_cast({{0}} as {kind}) is not null" for kind in _KINDS}
_DIGITS = "regexp_full_match(trim(cast({0} as varchar)), '[-+]?[0-9]+')"
WHOLE = f"{_DIGITS} and {CAST['BIGINT']}"
_HUGE = f"{_DIGITS} and {CAST['HUGEINT']}"

# Texts that other programs write for a missing value.
_MISSING = "'NULL', 'null', 'None', '\\N', '<NA>', 'NaN', 'nan'"

Rows = Callable[[str], list[tuple[Any, ...]]]


def types_of(
    rows: Rows, relation: str, columns: Mapping[str, bool], header: Collection[str] = ()
) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
    """Return the types in which columns of text are read, except those that stay text.

    Numbers are whole where all are written so. Ids and labels are, too, but with zeros in front
    or beyond 64 bits they are text; those with a point are numbers that no id may be.

    Args:
        rows: Runs a query.
        relation: The file.
        columns: Columns, and whether each is to have numbers.
        header: The names of all columns of the file, in lower case.

    Returns:
        Types by column; where a row repeats the header, its values by column, else nothing; and ids
        that are spelled as missing values are, by column.
    """
    if not columns:
        return {}, {}, {}
    names = {column: identifier(column, "duckdb", stored=True) for column in columns}
    asked = []
    for column, numbers in columns.items():
        name = names[column]
        asked.append(f"bool_and(regexp_full_match({name}, '{_SHORT}'))")
        asked.append(f"count({name}) = count(try_cast({name} as double))" if numbers else "null")
        missing = f"max(case when {name} in ({_MISSING}) then {name} end)"
        asked.append("null" if numbers else missing)
    numbers_first = sorted(names, key=lambda column: not columns[column])
    repeats = _repeats([names[column] for column in numbers_first], header)
    asked.append(f"bool_or({repeats})" if header else "false")
    (found,) = rows(f"select {', '.join(asked)} from {relation}")
    if found[-1]:
        chosen = ", ".join(names.values())
        (values,) = rows(f"select {chosen} from {relation} where {repeats} limit 1")
        return {}, dict(zip(columns, values, strict=True)), {}
    types = {}
    for place, (column, numbers) in enumerate(columns.items()):
        # Without any value, null, it is what numbers and most ids are.
        if found[3 * place] is not False:
            types[column] = "BIGINT"
        elif kind := (_number if numbers else _label)(rows, relation, column, found[3 * place + 1]):
            types[column] = kind
    missing_ids = {
        column: found[3 * place + 2]
        for place, column in enumerate(columns)
        if column not in types and found[3 * place + 2]
    }
    return types, {}, missing_ids


def _repeats(names: Sequence[str], header: Collection[str]) -> str:
    """Return the condition of a row that repeats the header or has a byte order mark.

    A ``case`` evaluates the next of its conditions for the rows that meet those before. Names are
    letters, as a rule, so that one comparison per row is enough for numbers.
    """
    known = ", ".join(text(name, "duckdb") for name in sorted(header))
    conditions = [f"lower(trim({name})) in ({known})" for name in names]
    if min(header, default="") > ":":
        conditions = [f"({name} > ':' or {name} < '!')" for name in names] + conditions
    marked = " or ".join(f"contains({name}, '\ufeff')" for name in names)
    return f"case when {' and '.join(conditions)} then true else {marked} end"


def first_other(rows: Rows, relation: str, column: str, form: str) -> Any:
    """Return the first value of a column that has not a form, None where all have.

    Args:
        rows: Runs a query.
        relation: Where it is.
        column: The column.
        form: A condition in SQL, in which ``{0}`` stands for a value.
    """
    name = identifier(column, "duckdb", stored=True)
    found = rows(
        f"select {name} from {relation} "
        f"where {name} is not null and not coalesce({form.format(name)}, false) limit 1"
    )
    return found[0][0] if found else None


def _number(rows: Rows, relation: str, column: str, numbers: bool) -> str | None:
    if numbers:
        return _first(rows, relation, column, [("BIGINT", WHOLE), ("HUGEINT", _HUGE)]) or "DOUBLE"
    return _first(rows, relation, column, [("BOOLEAN", "lower({0}) in ('true', 'false')")])


def _label(rows: Rows, relation: str, column: str, _: None) -> str | None:
    if first_other(rows, relation, column, CAST["DOUBLE"]) is not None:
        return None
    plain = f"regexp_full_match(trim({{0}}), '{_PLAIN}') and "
    forms = [(kind, plain + CAST[kind]) for kind in ("BIGINT", "UBIGINT")]
    forms += [("VARCHAR", "regexp_full_match(trim({0}), '-?[0-9]+')")]
    kind = _first(rows, relation, column, forms) or "DOUBLE"
    return None if kind == "VARCHAR" else kind


def _first(rows: Rows, relation: str, column: str, forms: Iterable[tuple[str, str]]) -> str | None:
    """Return the first of some types whose form all values have."""
    return next(
        (kind for kind, form in forms if first_other(rows, relation, column, form) is None), None
    )
