"""Types of columns in text files, inferred from all values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..dialects import identifier, text

# Integers in canonical form: 7, but not 007, +7 or 7.0.
_PLAIN = "0|-?[1-9][0-9]*"
_SHORT = "0|-?[1-9][0-9]{0,17}"

# Conditions for values; {0} is the value. Underscores are excluded, since DuckDB reads 31_1 as 311.
_KINDS = ("BIGINT", "UBIGINT", "HUGEINT", "DOUBLE")
CAST = {
    kind: f"try_cast({{0}} as {kind}) is not null and not contains(cast({{0}} as varchar), '_')"
    for kind in _KINDS
}
_DIGITS = "regexp_full_match(trim(cast({0} as varchar)), '[-+]?[0-9]+')"
WHOLE = f"{_DIGITS} and {CAST['BIGINT']}"
# Condition for integers without leading zeros.
UNPADDED = f"regexp_full_match(trim(cast({{0}} as varchar)), '{_PLAIN}')"
_HUGE = f"{_DIGITS} and {CAST['HUGEINT']}"

# Texts of missing values in other programs.
_MISSING = "'NULL', 'null', 'None', '\\N', '<NA>', 'NaN', 'nan'"

_SHORTENED = "[0-9]([.][0-9]+)?E[+][0-9]+"

# Formats of ids as bits: plain text, text with surrounding blanks, a number that is not written
# plainly, or an integer of at most 18 digits.
PLAIN, BLANKS, NUMBER, SHORT = 1, 2, 4, 8
_NUMBER = "[-+]?0[0-9]+|[+][0-9]+|[-+]?[0-9]+[.]0+"

# SQL that removes differences in format between ids; {0} is the id.
NORMALIZED = (
    "regexp_replace(regexp_replace(trim(replace({0}, '\u00a0', ' '), ' \t'), "
    "'^[+]?(-?)0*([0-9])', '\\1\\2'), '^(-?[0-9]+)[.]0+$', '\\1')"
)

Rows = Callable[[str], list[tuple[Any, ...]]]


@dataclass(frozen=True)
class IdFormat:
    """The formats of the ids in a column."""

    bits: int  # The formats as bits, 0 for a column without ids.
    missing: str | None = None  # An id that could be a missing value, if any.
    shortened: str | None = None  # An id that is a number with an exponent, if any.

    @property
    def forms(self) -> int:
        """The formats as bits; short integers count as plain."""
        is_plain = self.bits & SHORT or not self.bits
        return self.bits & ~SHORT | (PLAIN if is_plain else 0)


@dataclass(frozen=True)
class Inferred:
    """The types for columns of text."""

    types: dict[str, str] = field(default_factory=dict)  # The types of columns other than text.
    # The values of the row that repeats the header, by column, if there is such a row.
    repeated: dict[str, str] = field(default_factory=dict)
    # The formats of ids and labels, by column.
    id_formats: dict[str, IdFormat] = field(default_factory=dict)
    # A value of the first column that starts with ``#``, unless all values start with it.
    comment: str | None = None


def id_format_columns(name: str) -> list[str]:
    """Return the SQL for the three attributes of a column's id format."""
    missing = f"{name} in ({_MISSING})"
    # The order of tests matters for speed: the comparison with ':' decides for most texts, and
    # patterns are ten times slower. The first pattern decides for most integers.
    form = (
        f"case when {name} is null then 0 "
        f"when {name} < ':' and regexp_full_match({name}, '{_SHORT}') then {SHORT} "
        f"when {name} < ':' and regexp_full_match({name}, '{_NUMBER}') then {NUMBER} "
        f"when {name} < '!' or {name} like '% ' or {name} like '%\t' "
        f"or contains({name}, '\u00a0') then {BLANKS} else {PLAIN} end"
    )
    shortened = f"contains({name}, 'E+') and regexp_full_match({name}, '{_SHORTENED}')"
    return [
        f"coalesce(bit_or({form}), 0)",
        *(f"max(case when {condition} then {name} end)" for condition in (missing, shortened)),
    ]


def infer_types(
    rows: Rows,
    relation: str,
    columns: Mapping[str, bool],
    header: Collection[str] = (),
    first: str = "",
) -> Inferred:
    """Return the inferred types of text columns; ``columns`` says which must be numeric.

    Ids and labels with leading zeros or more than 64 bits are text. Ids with a decimal point get a
    floating-point type, and are rejected later.
    """
    if not columns:
        return Inferred()
    names = {column: identifier(column, "duckdb", stored=True) for column in columns}
    numbers_first = sorted(names, key=lambda column: not columns[column])
    repeats = _repeats([names[column] for column in numbers_first], header)
    expressions = [
        expression
        for column, name in names.items()
        for expression in _type_expressions(name, columns[column])
    ]
    expressions.append(f"bool_or({repeats})" if header else "false")
    expressions.append(_comment_sql(identifier(first, "duckdb", stored=True)) if first else "null")
    ((*values, has_repeated, comment),) = rows(f"select {', '.join(expressions)} from {relation}")
    if has_repeated:
        names_sql = ", ".join(names.values())
        (header_row,) = rows(f"select {names_sql} from {relation} where {repeats} limit 1")
        return Inferred(repeated=dict(zip(columns, header_row, strict=True)))
    types, id_formats = {}, {}
    for number, (column, is_number) in enumerate(columns.items()):
        first_value, *other_values = values[3 * number : 3 * number + 3]
        # A column without values is an integer, like most ids.
        are_short = first_value is not False if is_number else first_value in (0, SHORT)
        infer = _number_type if is_number else _label_type
        if are_short:
            types[column] = "BIGINT"
        elif kind := infer(rows, relation, column, other_values[0]):
            types[column] = kind
        if not is_number:
            id_formats[column] = IdFormat(first_value, *other_values)
    return Inferred(types, {}, id_formats, comment)


def _type_expressions(name: str, is_number: bool) -> list[str]:
    """Return three SQL expressions that infer the type of a column."""
    if is_number:
        are_short = f"bool_and(regexp_full_match({name}, '{_SHORT}'))"
        are_numbers = f"bool_and({CAST['DOUBLE'].format(name)})"
        return [are_short, are_numbers, "null"]
    return id_format_columns(name)


def _comment_sql(name: str) -> str:
    """Return the SQL of a value that starts with ``#``, null if all values start with it."""
    starts = f"{name} like '#%'"
    return f"case when not bool_and({starts}) then max(case when {starts} then {name} end) end"


def _repeats(names: Sequence[str], header: Collection[str]) -> str:
    """Return the condition for rows that repeat the header or have a byte order mark.

    For speed, each condition is evaluated only for rows that satisfy the previous conditions. Names
    in a header usually start with letters, so one comparison excludes most numbers.
    """
    column_names = ", ".join(text(name, "duckdb") for name in sorted(header))
    conditions = [f"lower(trim({name})) in ({column_names})" for name in names]
    if min(header, default="") > ":":
        conditions = [f"({name} > ':' or {name} < '!')" for name in names] + conditions
    has_mark = " or ".join(f"contains({name}, '\ufeff')" for name in names)
    return f"case when {' and '.join(conditions)} then true else {has_mark} end"


def find_invalid_value(rows: Rows, relation: str, column: str, condition: str) -> Any:
    """Return the first value of a column that fails a condition on ``{0}``, if any."""
    name = identifier(column, "duckdb", stored=True)
    values = rows(
        f"select {name} from {relation} "
        f"where {name} is not null and not coalesce({condition.format(name)}, false) limit 1"
    )
    return values[0][0] if values else None


def _number_type(rows: Rows, relation: str, column: str, numbers: bool) -> str | None:
    if numbers:
        return (
            _first_type(rows, relation, column, [("BIGINT", WHOLE), ("HUGEINT", _HUGE)]) or "DOUBLE"
        )
    return _first_type(rows, relation, column, [("BOOLEAN", "lower({0}) in ('true', 'false')")])


def _label_type(rows: Rows, relation: str, column: str, _: None) -> str | None:
    if find_invalid_value(rows, relation, column, CAST["DOUBLE"]) is not None:
        return None
    plain = f"regexp_full_match(trim({{0}}), '{_PLAIN}') and "
    conditions = [(kind, plain + CAST[kind]) for kind in ("BIGINT", "UBIGINT")]
    conditions += [("VARCHAR", "regexp_full_match(trim({0}), '-?[0-9]+')")]
    kind = _first_type(rows, relation, column, conditions) or "DOUBLE"
    return None if kind == "VARCHAR" else kind


def _first_type(
    rows: Rows, relation: str, column: str, conditions: Iterable[tuple[str, str]]
) -> str | None:
    """Return the first type that all values satisfy."""
    return next(
        (
            kind
            for kind, condition in conditions
            if find_invalid_value(rows, relation, column, condition) is None
        ),
        None,
    )
