"""Relations of items, from lists in text, numbered columns and lists of structs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..dialects import identifier, text
from ..engines.column_types import infer_types
from ..errors import InputError

# Inputs that can have a list per row, and inputs with ranked lists.
LISTS = ("recs", "baseline", "truth")
RANKED = ("recs", "baseline")

# Number of rows that are read to detect lists in text.
_SAMPLE_ROWS = 1000

_SEPARATORS = (",", ";", "|", " ")

# Items of a list in brackets: quoted text, or anything without a blank, comma or bracket.
_ITEMS = r"""'"(?:[^"\\]|\\.)*"|''(?:[^''\\]|\\.)*''|[^\s,\[\]]+'"""

_NUMBERED = re.compile(r"(.*?)[_ .-]?([0-9]+)")

# Stems of numbered columns that contain the items of a list, such as `top1`.
_STEMS = {"", "top", "item", "item_id", "rec", "recommendation", "rank", "place", "position"}
_STEMS |= {"pos", "prediction", "pred", "product", "p"}
_NUMBER_TYPES = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "FLOAT", "DOUBLE"}
_STRUCT_LIST = re.compile(r"STRUCT\((.*)\)\[\]", re.DOTALL)
_FIELD = r'(?:"((?:[^"]|"")+)"|(\w+)) ([A-Z0-9_]+(?:\(\d+, ?\d+\))?)'
_SCORE = r"(.*[^a-z])?(score|rating|prediction|similarity|weight|relevance|value)s?"
_NUMBERS = ("FLOAT", "DOUBLE", "DECIMAL")


@dataclass(frozen=True)
class Shape:
    """A relation in which items are single values or lists."""

    rows: str  # The relation, to follow ``from``.
    types: Mapping[str, str] = field(default_factory=dict)  # The types of added or changed columns.
    columns: Mapping[str, str] = field(default_factory=dict)  # The added columns by standard name.
    # The types that text columns are cast to.
    casts: Mapping[str, str] = field(default_factory=dict)


Run = Callable[[str], list[tuple[Any, ...]]]

# Conditions and patterns for lists in brackets, quoted text, and items that are missing, truncated,
# nested or escaped.
_BRACKETED = "regexp_full_match(trim(value), '(?s)\\[.*\\]')"
_QUOTED = r"""'"(?:[^"\\]|\\.)*"|''(?:[^''\\]|\\.)*'''"""
_INVALID = r"[{}()]|(^|[\s,\[])(None|nan|NaN|\.\.\.)([\s,\]]|$)"
_ESCAPED = r"""\\[^''"]"""


def quoted(name: str) -> str:
    """Return a quoted column name for DuckDB."""
    return identifier(name, "duckdb", stored=True)


def unnest_structs(rows: str, types: Mapping[str, str], column: str, table: str) -> Shape:
    """Return a row for each struct of a column of lists of structs, as in Spark's ALS.

    Structs with one field contain only items. If structs have two fields, the score is the field
    with floating-point numbers or with the name of a score.
    """
    name = quoted(column)
    fields = _struct_fields(types[column])
    if table in RANKED and len(fields) == 1:
        ((item, kind),) = fields.items()
        added = f"list_transform({name}, lambda field: field.{quoted(item)}) as sqlrec_item_id"
        relation = f"(select *, {added} from {rows}) as {table}_lists"
        return Shape(relation, {"sqlrec_item_id": f"{kind}[]"}, {"item_id": "sqlrec_item_id"})
    scores = [
        field
        for field, kind in fields.items()
        if kind.startswith(_NUMBERS) or (re.fullmatch(_SCORE, field) and kind in _NUMBER_TYPES)
    ]
    items = [field for field in fields if field not in scores]
    columns = f"* exclude ({name}), unnest({name}) as {name}"
    relation = f"(select {columns} from {rows}) as {table}_lists"
    kinds = {column: types[column].removesuffix("[]")}
    if len(items) != 1 or len(scores) > 1:
        return Shape(relation, kinds)
    chosen = {"item_id": items[0]}
    if scores and table in RANKED:
        chosen["score"] = scores[0]
    added = ", ".join(
        f"{name}.{quoted(field)} as sqlrec_{column}" for column, field in chosen.items()
    )
    relation = f"(select *, {added} from {relation}) as {table}_lists"
    kinds |= {f"sqlrec_{column}": fields[field] for column, field in chosen.items()}
    return Shape(relation, kinds, {column: f"sqlrec_{column}" for column in chosen})


def struct_columns(types: Mapping[str, str]) -> list[str]:
    """Return the columns that are lists of structs."""
    return [name for name, kind in types.items() if _STRUCT_LIST.fullmatch(kind)]


def _struct_fields(kind: str) -> dict[str, str]:
    struct = _STRUCT_LIST.fullmatch(kind)
    matches = re.findall(_FIELD, struct[1] if struct else "")
    return {(quoted or plain).replace('""', '"'): kind for quoted, plain, kind in matches}


def numbered_columns(names: Sequence[str]) -> list[str]:
    """Return the columns ``top1`` to ``topk`` or ``0`` to ``k`` in order, if the table has them."""
    stems: dict[str, dict[int, str]] = {}
    for name in names:
        if match := _NUMBERED.fullmatch(name):
            stems.setdefault(match[1].lower(), {})[int(match[2])] = name
    complete = [
        (stem, [name for _, name in sorted(ranks.items())])
        for stem, ranks in stems.items()
        if len(ranks) > 1 and {*ranks} in ({*range(len(ranks))}, {*range(1, len(ranks) + 1)})
    ]
    if len(complete) != 1 or complete[0][0] not in _STEMS:
        return []
    return complete[0][1]


def gather_columns(
    run: Run, rows: str, types: Mapping[str, str], names: Sequence[str], table: str, is_text: bool
) -> Shape:
    """Return a row per item of several item columns, with the column's number as rank.

    Nulls and blank texts are dropped; later items keep their ranks.
    """
    kinds = {types[name] for name in names}
    # Mixed numeric types are cast to double, which is rejected as a type for ids.
    mixed = "DOUBLE" if kinds <= _NUMBER_TYPES else "VARCHAR"
    kind = kinds.pop() if len(kinds) == 1 else mixed
    items = ", ".join(f"cast({quoted(name)} as {kind.lower()})" for name in names)
    filled = "trim(sqlrec_item_id) <> ''" if kind == "VARCHAR" else "sqlrec_item_id is not null"
    relation = (
        f"(select * from (select *, unnest([{items}]) as sqlrec_item_id, "
        f"unnest([{', '.join(map(str, range(1, len(names) + 1)))}]) as sqlrec_rank from {rows}) "
        f"where {filled}) as {table}_lists"
    )
    casts: dict[str, str] = {}
    if is_text:
        casts = infer_types(run, relation, {"sqlrec_item_id": False}).types
    changed = {"sqlrec_item_id": kind, "sqlrec_rank": "INTEGER"} | casts
    columns = {"item_id": "sqlrec_item_id", "rank": "sqlrec_rank"}
    return Shape(relation, changed, columns, casts)


def split_text_lists(
    run: Run, rows: str, item: str, user: str, table: str, *, bracketed_only: bool, is_text: bool
) -> Shape | None:
    """Return lists of the items in a text column, None if its values are single items.

    Text in brackets is a JSON, Python or NumPy list. Other text is a list if each user has one row
    and the items have one separator.
    """
    name = quoted(item)
    sample = f"(select {name} as value from {rows} where {name} is not null limit {_SAMPLE_ROWS})"
    ((count, bracket_count),) = run(f"select count(*), count_if({_BRACKETED}) from {sample}")
    if not count:
        return None
    if 0 < bracket_count < count:
        plain = f"select value from {sample} where not {_BRACKETED} limit 1"
        raise InputError(
            f"{table}.{item} has lists in brackets and the value {run(plain)[0][0]!r:.80}: write "
            "each row as a list"
        )
    if bracket_count == count:
        _check_brackets(run, rows, name, f"{table}.{item}")
        items = (
            f"case when json_valid({name}) then from_json({name}, '[\"varchar\"]') else "
            f"list_transform(regexp_extract_all({name}, {_ITEMS}), lambda item: case "
            "when item[1] in ('\"', '''') then replace(item[2:-2], '\\' || item[1], item[1]) "
            "else item end) end"
        )
    elif bracketed_only:
        return None
    else:
        separator = _infer_separator(run, rows, name, quoted(user))
        if separator is None:
            return None
        parts = f"string_split({name}, {text(separator, 'duckdb')})"
        trimmed = f"list_transform({parts}, lambda item: trim(item))"
        items = f"list_filter({trimmed}, lambda item: item <> '')"
    relation = f"(select * replace ({items} as {name}) from {rows}) as {table}_lists"
    casts = {}
    if is_text:
        items = f"(select unnest({name}) as item from {relation}) as {table}_items"
        kinds = infer_types(run, items, {"item": False}).types
        casts = {item: f"{kinds['item']}[]"} if kinds else {}
    return Shape(relation, {item: "VARCHAR[]"} | casts, {}, casts)


def _check_brackets(run: Run, rows: str, name: str, column: str) -> None:
    """Check that no item of text in brackets is missing, truncated, nested or escaped."""
    plain = f"regexp_replace({name}, {_QUOTED}, '', 'g')"
    is_invalid = (
        f"regexp_matches({plain}, '{_INVALID}')"
        f" or (not json_valid({name}) and regexp_matches({name}, '{_ESCAPED}'))"
    )
    for (value,) in run(f"select {name} from {rows} where {is_invalid} limit 1"):
        raise InputError(
            f"{column} has the text {value!r:.80}, and its items can't be read: give a column of "
            "lists, or a row for each item"
        )


def needs_splitting(
    run: Run, truth: str, item: str, user: str, lists: str, *, any_part: bool
) -> bool:
    """Return whether text values of the truth are lists, by comparison with recommended items.

    A value is a list if it has a separator, is not a recommended item, and all its parts are
    recommended items. With ``any_part``, which is true if recommended lists have separators too,
    one part is enough.
    """
    name = quoted(item)
    sample = f"(select {name}, {quoted(user)} from {truth} limit {_SAMPLE_ROWS}) as truth_sample"
    sign = _infer_separator(run, sample, name, quoted(user))
    if sign is None:
        return False
    separator = text(sign, "duckdb")
    several = f"(select {name} as value from {sample} where contains(trim({name}), {separator}))"
    parts = f"list_transform(string_split(value, {separator}), lambda part: trim(part))"
    recommended = "(select list(item) from items)"
    fits = "list_has_any" if any_part else "list_has_all"
    ((whole_values, split_values),) = run(
        f"with items(item) as ({lists}), several as {several} select "
        "(select count(*) from several where value in (select item from items)), "
        f"(select count(*) from several where {fits}({recommended}, {parts}))"
    )
    return bool(split_values > 0 and whole_values == 0)


def _infer_separator(run: Run, rows: str, item: str, user: str) -> str | None:
    """Return the separator, if each user has one row and the values have only one separator."""
    # Sets and dicts have no order.
    is_set = f"bool_or(starts_with(trim({item}), '{{'))"
    counts = ", ".join(
        f"count_if(contains(trim({item}), {text(sign, 'duckdb')}))" for sign in _SEPARATORS
    )
    ((total, users, is_unordered, *counted),) = run(
        f"select count({item}), count(distinct {user}), {is_set}, {counts} from {rows} "
        f"where {item} is not null"
    )
    signs = [sign for sign, count in zip(_SEPARATORS, counted, strict=True) if count]
    if len(signs) > 1 and signs[-1] == " ":
        # A space after a comma is not a separator.
        signs = signs[:-1]
    is_list = total == users and len(signs) == 1 and not is_unordered
    return signs[0] if is_list else None
