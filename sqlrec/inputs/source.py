"""The relation of an input, with checks of its columns and their types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .. import messages
from ..dialects import DIALECTS, identifier
from ..engines.column_types import CAST, UNPADDED, WHOLE
from ..errors import ColumnError, InputError

FLOATING = {"FLOAT", "DOUBLE"}
INTEGERS = {
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"),
    *("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"),
}

# Numeric columns. Ranks and positions are integers.
NUMBERS = {
    *("score", "rank", "relevance", "value", "distance", "position", "reward", "propensity"),
    *("target_probability", "predicted_reward", "expected_reward", "click", "price"),
}
_INTEGER_COLUMNS = {"rank", "position"}
_LARGE = {"UBIGINT", "HUGEINT", "UHUGEINT"}
# Snowflake and Oracle export whole numbers as decimals.
_WHOLE_DECIMAL = re.compile(r"DECIMAL\(\d+, ?0\)")

# Columns of the input `items` that contain labels.
LABELS = {"category", "aspect", "item_group", "feature"}

# Words in text columns that should be 1 or 0.
_BOOLEANS = {"yes", "no", "y", "n", "t", "f", "on", "off"}

# Numbers with a decimal comma or thousands separators.
_COMMA = re.compile(r"\s*[-+]?[0-9.]*[0-9],[0-9][0-9,.]*([eE][-+]?[0-9]+)?\s*")

# Condition for integers that a double represents exactly; {0} is the value.
_EXACT = "abs(try_cast({0} as hugeint)) <= 9007199254740992"


@dataclass(frozen=True)
class Source:
    """The relation of an input; standard columns are sqlrec's names, such as ``user_id``."""

    name: str  # The caller's name for the input in messages: ``recs``, ``recs['als']``, ``truth``.
    rows: str  # The relation of the stored rows, to follow ``from``.
    types: Mapping[str, str]  # The DuckDB type of each of the caller's columns, empty if unknown.
    columns: Mapping[str, str]  # The caller's column for each standard column of the input.
    dialect: str
    # The types that text columns are cast to, by the caller's column.
    casts: Mapping[str, str] = field(default_factory=dict)
    # The SQL of composite keys and nested fields, by column.
    composites: Mapping[str, str] = field(default_factory=dict)
    where: str = ""  # The condition for rows in SQL, empty for all rows.
    is_text: bool = False  # Whether the rows come from a text file, so types were inferred.
    as_varchar: frozenset[str] = frozenset()  # The caller's columns that are compared as text.
    # Function that returns the first value of a standard column that fails a condition, in DuckDB.
    probe: Callable[[str, str], Any] = lambda column, form: None
    # Function that returns the line of a text file that contains a value.
    locate: Callable[[str], str] = lambda value: ""

    @property
    def relation(self) -> str:
        """The SQL that goes after ``from``: filtered rows, with columns cast to their types."""
        alias = f"{self.name.partition('[')[0]}_rows"
        relation = self.rows
        if self.casts:
            typed = ", ".join(
                f"cast({identifier(name, self.dialect, stored=True)} as {kind.lower()}) "
                f"as {identifier(name, self.dialect, stored=True)}"
                for name, kind in self.casts.items()
            )
            relation = f"(select * replace ({typed}) from {relation}) as {alias}"
        if self.composites or self.where:
            columns = "".join(f", {sql} as {name}" for name, sql in self.composites.items())
            where = f" where {self.where}" if self.where else ""
            relation = f"(select *{columns} from {relation}{where}) as {alias}"
        return relation

    @property
    def with_columns(self) -> str:
        """The name with the caller's columns, for messages: ``recs has uid, item_id``."""
        return f"{self.name} has {', '.join(self.types)}"

    @property
    def unnest(self) -> bool:
        """Whether ``item_id`` is a list; its items become rows."""
        return self.kind("item_id").endswith("[]")

    @property
    def has_json_lists(self) -> bool:
        """Whether ``item_id`` is a JSON list in PostgreSQL."""
        is_json = self.types.get(self.columns.get("item_id", "")) == "JSON"
        return is_json and self.dialect == "postgres" and not {"score", "rank"} & {*self.columns}

    def kind(self, name: str) -> str:
        """Return the type of a standard column, empty if missing or unknown."""
        if name == "item_id" and self.has_json_lists:
            return "VARCHAR[]"
        return self.types.get(self.columns.get(name, ""), "")

    def expression(self, name: str) -> str:
        """Return the SQL of a standard column."""
        caller_column = self.columns[name]
        column = identifier(caller_column, self.dialect, stored=bool(self.types))
        kind = self.kind(name)
        if kind == "BOOLEAN" and name in ("relevance", "reward", "click"):
            return f"case when {column} then 1 when not {column} then 0 end"
        if caller_column in self.as_varchar:
            text = DIALECTS[self.dialect].text
            return f"cast({column} as varchar[])" if kind.endswith("[]") else text.format(column)
        if name == "item_id" and self.has_json_lists:
            return (
                "(select array_agg(item order by rank) from jsonb_array_elements_text("
                f"cast({column} as jsonb)) with ordinality as items (item, rank))"
            )
        if _WHOLE_DECIMAL.fullmatch(kind) and self.dialect == "duckdb":
            return f"cast({column} as hugeint)"
        # Engines sort enums by their numbers, and ClickHouse also joins them by number. ClickHouse
        # sorts UUIDs by their last digits.
        if kind.startswith("ENUM") or (kind == "UUID" and self.dialect == "clickhouse"):
            return f"cast({column} as varchar)"
        # Sorting text by code points is several times faster than by the rules of a language.
        if kind == "VARCHAR" and self.dialect == "postgres" and name in ("user_id", "item_id"):
            return f'{column} collate "C"'
        return column

    def expression_kind(self, name: str) -> str:
        """Return the type of ``expression``, empty if ``expression`` is a cast."""
        column = identifier(self.columns[name], self.dialect, stored=bool(self.types))
        return self.kind(name) if self.expression(name) == column else ""

    def with_text(self, names: Iterable[str]) -> Source:
        """Return the source with text in place of integers of text files and special types."""
        columns = {name: self.columns[name] for name in names if name in self.columns}
        integers = {x for name, x in columns.items() if is_integer(self, name) and x in self.casts}
        opaque = {
            caller_column
            for name, caller_column in columns.items()
            if self.kind(name).removesuffix("[]") == "UUID"
            or (self.dialect == "postgres" and self._is_specific(name))
        }
        lists = {name for name in self.types if self.types[name].endswith("[]")}
        kinds = {x: "VARCHAR[]" if x in lists else "VARCHAR" for x in integers | opaque}
        casts = {name: kind for name, kind in self.casts.items() if name not in integers}
        types, as_varchar = {**self.types} | kinds, self.as_varchar | opaque
        return replace(self, casts=casts, types=types, as_varchar=as_varchar)

    def _is_specific(self, name: str) -> bool:
        """Return whether a column has a database-specific type, such as an enum."""
        kind = self.kind(name)
        return kind not in {"", "VARCHAR", "JSON", *INTEGERS, *FLOATING} and not (
            kind.endswith("[]") or kind.startswith(("DECIMAL", "DATE", "TIME", "BOOL", "ENUM"))
        )


def unify_ids(sources: list[Source], ids: Iterable[Iterable[str]]) -> list[Source]:
    """Return sources with ids compared as text if the ids of one source are text."""
    for names in ids:
        kinds = {source.kind(name).removesuffix("[]") for source in sources for name in names}
        if any(kind == "VARCHAR" or kind.startswith("ENUM") for kind in kinds):
            sources = [source.with_text(names) for source in sources]
    return sources


def unify_scores(sources: list[Source]) -> list[Source]:
    """Return sources with floating-point scores if one has them and none is rounded."""
    if not any(source.kind("score") in FLOATING for source in sources):
        return sources
    unified = []
    for source in sources:
        is_whole = source.is_text and is_integer(source, "score")
        if is_whole and source.probe("score", _EXACT) is None:
            double = {source.columns["score"]: "DOUBLE"}
            types, casts = {**source.types} | double, {**source.casts} | double
            source = replace(source, types=types, casts=casts)
        unified.append(source)
    return unified


def _column_error(source: Source, column: str, message: str) -> ColumnError:
    return ColumnError(message, input=source.name, column=column)


def check_ids(columns: Iterable[tuple[Source, str]]) -> None:
    """Check that ids in columns of several inputs can be compared without loss."""
    first: tuple[str, Source, str] | None = None
    for source, column in columns:
        kind = source.kind(column).removesuffix("[]")
        if not kind:
            continue
        _check_filled(source, column)
        if kind in FLOATING:
            message = messages.ID_FLOATING.format(table=source.name, column=column, kind=kind)
            raise _column_error(source, column, message + _describe_non_integer(source, column))
        if is_nested(kind):
            message = f"{source.name}.{column} is {kind}: an id is a single value"
            raise _column_error(source, column, message)
        family = _id_family(source, kind)
        first = first or (family, source, column)
        if first[0] == family:
            continue
        _, other, other_column = first
        here = source.name if column == other_column else f"{source.name}.{column}"
        other_kind = other.kind(other_column).removesuffix("[]")
        details = {"table": other.name, "column": other_column, "kind": other_kind, "here": here}
        message = messages.IDS.format(**details, other=kind)
        if "integer" in (first[0], family):
            message += _describe_non_integer(other, other_column)
            message += _describe_non_integer(source, column)
        raise _column_error(source, column, message)


def _id_family(source: Source, kind: str) -> str:
    """Return the family of a type. Ids of one family can be compared with each other."""
    if kind.startswith("ENUM"):
        return "VARCHAR"
    # The scale is unknown for PostgreSQL, which compares exact numbers without loss.
    is_exact = kind == "DECIMAL" and source.dialect == "postgres"
    # DuckDB would compare UHUGEINT with a signed type as doubles.
    is_whole = is_exact or _WHOLE_DECIMAL.fullmatch(kind) or kind in INTEGERS - {"UHUGEINT"}
    return "integer" if is_whole else kind


def _check_filled(source: Source, column: str) -> None:
    if source.kind(column).strip('"[]') == "NULL":
        message = f"{source.name}.{column} is null in every row, so it has no type: add values, or "
        raise _column_error(source, column, f"{message}remove the column")


def _describe_non_integer(source: Source, column: str) -> str:
    """Return the first id of a text column that is not a plain integer, for a message."""
    is_text = source.kind(column) == "VARCHAR" or source.columns[column] in source.casts
    if not is_text:
        return ""
    if (value := source.probe(column, WHOLE)) is not None:
        return f"; {str(value)!r:.80} in {source.name} is not a whole number"
    padded = source.probe(column, UNPADDED)
    return "" if padded is None else f"; {str(padded)!r:.80} in {source.name} begins with a zero"


def check_number_column(source: Source, column: str) -> None:
    """Check that a column contains numbers; a rank or position must be an integer."""
    _check_filled(source, column)
    kind, is_whole = source.kind(column), column in _INTEGER_COLUMNS
    condition = CAST["DOUBLE"] if kind == "VARCHAR" else None
    # Text is read as BIGINT only if all values are integers.
    is_cast = kind != "BIGINT" and source.columns[column] in source.casts
    if is_whole:
        condition = WHOLE if kind in {"VARCHAR", *_LARGE} or is_cast else None
    value = None if condition is None else source.probe(column, condition)
    if value is not None:
        where = source.locate(str(value))
        fix = "correct it, or remove its row"
        if str(value).lower() in _BOOLEANS:
            fix = "write 1 and 0"
        if _COMMA.fullmatch(str(value)):
            fix = (
                "give a frame of pandas.read_csv(path, decimal=','), or thousands=',' if commas "
                "separate thousands"
            )
        message = f"{source.name}.{column} has the value {str(value)!r:.80}"
        rule = "a whole number below 2^63" if is_whole else "a number"
        message += f"{where and f' ({where})'}: a {column} must be {rule}; {fix}"
        raise _column_error(source, column, message)
    is_flag = kind == "BOOLEAN" and column in ("reward", "click")
    if kind in INTEGERS or not kind or is_flag:
        return
    if is_whole:
        message = f"{source.name}.{column} is {kind}: a {column} must be a whole number; cast it "
        raise _column_error(source, column, f"{message}to an integer")
    if kind not in FLOATING and not kind.startswith("DECIMAL"):
        message = messages.NOT_A_NUMBER.format(table=source.name, column=column, kind=kind)
        raise _column_error(source, column, message)


def check_scores(sources: Iterable[Source]) -> None:
    """Check that scores of several tables can be combined in one column without loss."""
    families: dict[str, Source] = {}
    for source in sources:
        kind = source.kind("score")
        family = "whole" if kind in INTEGERS else "floating" if kind in FLOATING else kind
        if kind:
            families.setdefault(family, source)
    if len(families) > 1:
        types = " and ".join(f"{s.name}.score is {s.kind('score')}" for s in families.values())
        raise InputError(
            f"{types}: in one column they could lose digits and tie; cast them to one type"
        )


def check_scalar_column(source: Source, column: str) -> None:
    """Check that a column contains single values, not lists or other nested values."""
    if is_nested(source.kind(column)):
        message = f"{source.name}.{column} is {source.kind(column)}: give one value per row, as in "
        message += f"(select ..., unnest(...) as {column} from ...)"
        raise _column_error(source, column, message)


def check_label_column(source: Source, column: str) -> None:
    """Check that a column of labels has no floating-point numbers, since NaN is not a label."""
    check_scalar_column(source, column)
    if source.kind(column) in FLOATING:
        message = f"{source.name}.{column} is {source.kind(column)}: a {column} must be a label; "
        raise _column_error(source, column, f"{message}cast it to an integer or to text")


def is_number(kind: str) -> bool:
    """Return whether a type is numeric or Boolean."""
    return kind in {*INTEGERS, *FLOATING, "BOOLEAN"} or kind.startswith("DECIMAL")


def is_nested(kind: str) -> bool:
    """Return whether values of a type are lists, structs, maps or unions."""
    return kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION"))


def is_integer(source: Source, column: str) -> bool:
    """Return whether a column has an integer type."""
    return source.kind(column).removesuffix("[]") in INTEGERS


def is_floating(source: Source, column: str) -> bool:
    """Return whether a column can contain NaN. Unknown types can."""
    kind = source.kind(column)
    # In PostgreSQL, numeric can contain NaN. In ClickHouse, only types that declare nulls can
    # contain them.
    has_nan = (source.dialect == "postgres" and kind.startswith("DECIMAL")) or (
        source.dialect == "clickhouse"
    )
    return column in source.columns and (has_nan or kind in {"", *FLOATING})
