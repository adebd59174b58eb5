"""Lists in other shapes than a row per item: text, numbered columns, lists of structs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..dialects import identifier, text
from ..engines.column_types import types_of
from ..errors import InputError

# Inputs whose rows can be lists, and those whose lists are ranked.
LISTS = ("recs", "baseline", "truth")
RANKED = ("recs", "baseline")

# Rows that a table is looked at for lists in text.
_SAMPLE_ROWS = 1000

# Separators of items in text, in the order in which they are tried.
_SEPARATORS = (",", ";", "|", " ")

# Items of a list in brackets: quoted text, or anything without a blank, comma or bracket.
_ITEMS = r"""'"(?:[^"\\]|\\.)*"|''(?:[^''\\]|\\.)*''|[^\s,\[\]]+'"""

_NUMBERED = re.compile(r"(.*?)[_ .-]?([0-9]+)")

# Names of columns with a number behind them that are places of a list.
_PLACES = {"", "top", "item", "item_id", "rec", "recommendation", "rank", "place", "position"}
_PLACES |= {"pos", "prediction", "pred", "product", "p"}
_NUMBER_TYPES = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "FLOAT", "DOUBLE"}
_STRUCT_LIST = re.compile(r"STRUCT\((.*)\)\[\]", re.DOTALL)
_FIELD = r'(?:"((?:[^"]|"")+)"|(\w+)) ([A-Z0-9_]+(?:\(\d+, ?\d+\))?)'
_SCORE = r"(.*[^a-z])?(score|rating|prediction|similarity|weight|relevance|value)s?"
_NUMBERS = ("FLOAT", "DOUBLE", "DECIMAL")


@dataclass(frozen=True)
class Shape:
    """Rows in which items are single values or lists.

    Attributes:
        rows: The SQL behind ``from``.
        types: The types of the columns that are other than those of the rows.
        columns: The columns that were made, by sqlrec's names.
        casts: The types that columns of text are cast to.
    """

    rows: str
    types: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)
    casts: Mapping[str, str] = field(default_factory=dict)


# Runs a query.
Run = Callable[[str], list[tuple[Any, ...]]]

# Whether text is a list in brackets; text in quotes; and items that are missing, cut short, nested
# or escaped.
_BRACKETED = "regexp_full_match(trim(value), '(?s)\\[.*\\]')"
_QUOTED = r"""'"(?:[^"\\]|\\.)*"|''(?:[^''\\]|\\.)*'''"""
_ODD = r"[{}()]|(^|[\s,\[])(None|nan|NaN|\.\.\.)([\s,\]]|$)"
_ESCAPED = r"""\\[^''"]"""


def quoted(name: str) -> str:
    """Return a stored name of DuckDB in SQL."""
    return identifier(name, "duckdb", stored=True)


def unnest_structs(rows: str, types: Mapping[str, str], column: str, table: str) -> Shape:
    """Return a row per struct of a column of lists of structs, as Spark's ALS returns them.

    Structs of one field are lists of items. Of two fields, the one that has floating numbers or the
    name of a score is the score.
    """
    name = quoted(column)
    fields = _fields(types[column])
    if table in RANKED and len(fields) == 1:
        ((item, kind),) = fields.items()
        own = f"list_transform({name}, lambda one: one.{quoted(item)}) as sqlrec_item_id"
        relation = f"(select *, {own} from {rows}) as {table}_lists"
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
    made = {"item_id": items[0]}
    if scores and table in RANKED:
        made["score"] = scores[0]
    own = ", ".join(f"{name}.{quoted(theirs)} as sqlrec_{ours}" for ours, theirs in made.items())
    relation = f"(select *, {own} from {relation}) as {table}_lists"
    kinds |= {f"sqlrec_{ours}": fields[theirs] for ours, theirs in made.items()}
    return Shape(relation, kinds, {ours: f"sqlrec_{ours}" for ours in made})


def struct_columns(types: Mapping[str, str]) -> list[str]:
    """Return the columns that are lists of structs."""
    return [name for name, kind in types.items() if _STRUCT_LIST.fullmatch(kind)]


def _fields(kind: str) -> dict[str, str]:
    inside = _STRUCT_LIST.fullmatch(kind)
    found = re.findall(_FIELD, inside[1] if inside else "")
    return {(quoted or plain).replace('""', '"'): kind for quoted, plain, kind in found}


def numbered_columns(names: Sequence[str]) -> list[str]:
    """Return columns called ``top1`` to ``topk``, or ``0`` to ``k``, in order; empty without."""
    stems: dict[str, dict[int, str]] = {}
    for name in names:
        if match := _NUMBERED.fullmatch(name):
            stems.setdefault(match[1].lower(), {})[int(match[2])] = name
    complete = [
        (stem, [name for _, name in sorted(places.items())])
        for stem, places in stems.items()
        if len(places) > 1 and {*places} in ({*range(len(places))}, {*range(1, len(places) + 1)})
    ]
    if len(complete) != 1 or complete[0][0] not in _PLACES:
        return []
    return complete[0][1]


def gather_columns(
    run: Run,
    rows: str,
    types: Mapping[str, str],
    names: Sequence[str],
    table: str,
    is_text: bool,
) -> Shape:
    """Return a row per item of the items in some columns, with the place of the column as rank.

    A null or a blank text is no item, and the items in the columns behind it keep their ranks.
    """
    kinds = {types[name] for name in names}
    # Numbers of several types are floating, which no id may be.
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
        casts = types_of(run, relation, {"sqlrec_item_id": False}).types
    changed = {"sqlrec_item_id": kind, "sqlrec_rank": "INTEGER"} | casts
    made = {"item_id": "sqlrec_item_id", "rank": "sqlrec_rank"}
    return Shape(relation, changed, made, casts)


def _infer_items(run: Run, relation: str, column: str, table: str) -> dict[str, str]:
    """Return the type of the items in a column of lists of text, by the column."""
    elements = f"(select unnest({quoted(column)}) as item from {relation}) as {table}_items"
    kinds = types_of(run, elements, {"item": False}).types
    return {column: f"{kinds['item']}[]"} if kinds else {}


def has_list_signs(run: Run, rows: str, item: str) -> bool:
    """Return whether the first values of a column have a bracket or a separator of items."""
    name = quoted(item)
    values = run(f"select {name} from {rows} where {name} is not null limit {_SAMPLE_ROWS}")
    return any(sign in value for (value,) in values for sign in ("[", *_SEPARATORS))


def split_text(
    run: Run,
    rows: str,
    item: str,
    user: str,
    table: str,
    *,
    bracketed_only: bool,
    is_text: bool,
) -> Shape | None:
    """Return lists of the items in a column of text; None if its values are single items.

    Text in brackets is a list of JSON, Python or NumPy. Other text is a list if a user has one row
    and its items are separated by one sign.

    Args:
        run: Runs a query.
        rows: The SQL behind ``from``.
        item: The column of items.
        user: The column of users.
        table: The name of the input.
        bracketed_only: Whether only text in brackets is a list.
        is_text: Whether the rows are of a text file, so that types of items are inferred.
    """
    name = quoted(item)
    sample = f"(select {name} as value from {rows} where {name} is not null limit {_SAMPLE_ROWS})"
    ((count, bracketed),) = run(f"select count(*), count_if({_BRACKETED}) from {sample}")
    if not count:
        return None
    if 0 < bracketed < count:
        plain = f"select value from {sample} where not {_BRACKETED} limit 1"
        raise InputError(
            f"{table}.{item} has lists in brackets and the value {run(plain)[0][0]!r:.80}: write "
            "each row as a list"
        )
    if bracketed == count:
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
        separator = _separator(run, rows, name, quoted(user))
        if separator is None:
            return None
        parts = f"string_split({name}, {text(separator, 'duckdb')})"
        trimmed = f"list_transform({parts}, lambda item: trim(item))"
        items = f"list_filter({trimmed}, lambda item: item <> '')"
    relation = f"(select * replace ({items} as {name}) from {rows}) as {table}_lists"
    casts = _infer_items(run, relation, item, table) if is_text else {}
    return Shape(relation, {item: "VARCHAR[]"} | casts, {}, casts)


def _check_brackets(run: Run, rows: str, name: str, shown: str) -> None:
    """Refuse text in brackets of which an item is missing, cut short, nested or escaped.

    Raises:
        InputError: Such a value.
    """
    plain = f"regexp_replace({name}, {_QUOTED}, '', 'g')"
    odd = (
        f"regexp_matches({plain}, '{_ODD}')"
        f" or (not json_valid({name}) and regexp_matches({name}, '{_ESCAPED}'))"
    )
    for (value,) in run(f"select {name} from {rows} where {odd} limit 1"):
        raise InputError(
            f"{shown} has the text {value!r:.80}, whose items can't be read: give a column of "
            "lists, or a row per item"
        )


def separates(run: Run, truth: str, item: str, user: str, lists: str, *, any_part: bool) -> bool:
    """Return whether the items of a truth in text have to be separated to be those of lists.

    No value with a separator may be an item of the lists itself. All parts of one have to be, or
    any part where the lists were separated too.

    Args:
        run: Runs a query.
        truth: The SQL behind ``from`` that reads the truth.
        item: The column of items of the truth.
        user: Its column of users.
        lists: A query of the items in lists, as text.
        any_part: Whether one part of a value is enough.
    """
    name = quoted(item)
    sample = f"(select {name}, {quoted(user)} from {truth} limit {_SAMPLE_ROWS}) as truth_sample"
    sign = _separator(run, sample, name, quoted(user))
    if sign is None:
        return False
    separator = text(sign, "duckdb")
    several = f"(select {name} as value from {sample} where contains(trim({name}), {separator}))"
    parts = f"list_transform(string_split(value, {separator}), lambda part: trim(part))"
    known = "(select list(item) from items)"
    fits = "list_has_any" if any_part else "list_has_all"
    ((whole, parted),) = run(
        f"with items(item) as ({lists}), several as {several} select "
        "(select count(*) from several where value in (select item from items)), "
        f"(select count(*) from several where {fits}({known}, {parts}))"
    )
    return bool(parted > 0 and whole == 0)


def _separator(run: Run, rows: str, item: str, user: str) -> str | None:
    """Return the sign between items, if a user has one row and one sign alone is in the values."""
    # The text of a set or a dict has no order.
    unordered = f"bool_or(starts_with(trim({item}), '{{'))"
    counts = ", ".join(
        f"count_if(contains(trim({item}), {text(sign, 'duckdb')}))" for sign in _SEPARATORS
    )
    ((total, users, is_unordered, *found),) = run(
        f"select count({item}), count(distinct {user}), {unordered}, {counts} from {rows} "
        f"where {item} is not null"
    )
    signs = [sign for sign, number in zip(_SEPARATORS, found, strict=True) if number]
    if len(signs) > 1 and signs[-1] == " ":
        # A blank behind a comma is no sign of its own.
        signs = signs[:-1]
    is_list = total == users and len(signs) == 1 and not is_unordered
    return signs[0] if is_list else None
