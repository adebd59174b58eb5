"""Types of the columns of text files, inferred from all of their values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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
# A whole number without zeros in front.
UNPADDED = f"regexp_full_match(trim(cast({{0}} as varchar)), '{_PLAIN}')"
_HUGE = f"{_DIGITS} and {CAST['HUGEINT']}"

# Texts that other programs write for a missing value.
_MISSING = "'NULL', 'null', 'None', '\\N', '<NA>', 'NaN', 'nan'"

# A number that a spreadsheet has shortened.
_SHORTENED = "[0-9]([.][0-9]+)?E[+][0-9]+"

# How an id is spelled, as bits: plain, with blanks around it, as a number that is not plain, or as
# a whole number of at most 18 digits.
PLAIN, BLANKS, NUMBER, SHORT = 1, 2, 4, 8
_NUMBER = "[-+]?0[0-9]+|[+][0-9]+|[-+]?[0-9]+[.]0+"

# The same text for all spellings of an id.
ALIKE = (
    "regexp_replace(regexp_replace(trim(replace({0}, '\u00a0', ' '), ' \t'), "
    "'^[+]?(-?)0*([0-9])', '\\1\\2'), '^(-?[0-9]+)[.]0+$', '\\1')"
)

Rows = Callable[[str], list[tuple[Any, ...]]]


@dataclass(frozen=True)
class Spelling:
    """The spellings of the ids in a column.

    Attributes:
        bits: The forms of its ids, as bits; 0 without ids.
        missing: An id that is spelled as a missing value is, None without one.
        shortened: An id that is a number with an exponent, None without one.
    """

    bits: int
    missing: str | None = None
    shortened: str | None = None

    @property
    def forms(self) -> int:
        """The forms as bits, in which whole numbers are plain."""
        is_plain = self.bits & SHORT or not self.bits
        return self.bits & ~SHORT | (PLAIN if is_plain else 0)


@dataclass(frozen=True)
class Inferred:
    """The types of columns of text.

    Attributes:
        types: The types of columns other than text.
        repeated: The values of a row that repeats the header, by column; empty without one.
        spellings: The spellings of the columns that are no numbers.
        comment: A value of the first column that starts with ``#``, unless all of them do.
    """

    types: dict[str, str] = field(default_factory=dict)
    repeated: dict[str, str] = field(default_factory=dict)
    spellings: dict[str, Spelling] = field(default_factory=dict)
    comment: str | None = None


def spelling_columns(name: str) -> list[str]:
    """Return the SQL of the three parts of the spelling of a column."""
    missing = f"{name} in ({_MISSING})"
    # The comparison with ':' spares most texts the search for a pattern, which takes ten times as
    # long, and the first pattern spares whole numbers the second.
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
        *(f"max(case when {odd} then {name} end)" for odd in (missing, shortened)),
    ]


def types_of(
    rows: Rows,
    relation: str,
    columns: Mapping[str, bool],
    header: Collection[str] = (),
    first: str = "",
) -> Inferred:
    """Return the types in which columns of text are read.

    Numbers are whole where all are written so. Ids and labels are, too, but with zeros in front
    or beyond 64 bits they are text; those with a point are numbers that no id may be.

    Args:
        rows: Runs a query.
        relation: The file.
        columns: Columns, and whether each is to have numbers.
        header: The names of all columns of the file, in lower case.
        first: The first column of the file, whose values are searched for comments.
    """
    if not columns:
        return Inferred()
    names = {column: identifier(column, "duckdb", stored=True) for column in columns}
    numbers_first = sorted(names, key=lambda column: not columns[column])
    repeats = _repeats([names[column] for column in numbers_first], header)
    asked = [one for column, name in names.items() for one in _questions(name, columns[column])]
    asked.append(f"bool_or({repeats})" if header else "false")
    asked.append(_comment(identifier(first, "duckdb", stored=True)) if first else "null")
    ((*answers, has_repeated, comment),) = rows(f"select {', '.join(asked)} from {relation}")
    if has_repeated:
        chosen = ", ".join(names.values())
        (values,) = rows(f"select {chosen} from {relation} where {repeats} limit 1")
        return Inferred(repeated=dict(zip(columns, values, strict=True)))
    types, spellings = {}, {}
    for place, (column, is_number) in enumerate(columns.items()):
        first_answer, *others = answers[3 * place : 3 * place + 3]
        # A column without any value has the type that numbers and most ids have.
        are_short = first_answer is not False if is_number else first_answer in (0, SHORT)
        infer = _type_of_numbers if is_number else _type_of_labels
        if are_short:
            types[column] = "BIGINT"
        elif kind := infer(rows, relation, column, others[0]):
            types[column] = kind
        if not is_number:
            spellings[column] = Spelling(first_answer, *others)
    return Inferred(types, {}, spellings, comment)


def _questions(name: str, is_number: bool) -> list[str]:
    """Return the SQL of three values from which the type of a column is inferred."""
    if is_number:
        are_short = f"bool_and(regexp_full_match({name}, '{_SHORT}'))"
        are_numbers = f"count({name}) = count(try_cast({name} as double))"
        return [are_short, are_numbers, "null"]
    return spelling_columns(name)


def _comment(name: str) -> str:
    """Return the SQL of a value that starts with ``#`` where others do not."""
    starts = f"{name} like '#%'"
    return f"case when not bool_and({starts}) then max(case when {starts} then {name} end) end"


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


def _type_of_numbers(rows: Rows, relation: str, column: str, numbers: bool) -> str | None:
    if numbers:
        return _first(rows, relation, column, [("BIGINT", WHOLE), ("HUGEINT", _HUGE)]) or "DOUBLE"
    return _first(rows, relation, column, [("BOOLEAN", "lower({0}) in ('true', 'false')")])


def _type_of_labels(rows: Rows, relation: str, column: str, _: None) -> str | None:
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
