"""Inputs: files, tables of Python and tables of a database, all brought into one form."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from .. import messages
from ..catalogue.headers import TABLES
from ..dialects import DIALECTS, identifier
from ..dialects import relation as named
from ..engines.base import Engine
from ..engines.column_types import CAST, UNPADDED, WHOLE, first_other
from ..engines.delimited import csv_fault
from ..engines.duckdb import DuckDB, as_table, is_held
from ..engines.files import PATHS, copy_pipe, is_file, is_folder, is_path
from ..engines.formats import File
from ..engines.python_tables import as_user_rows, is_rows, is_user_dict
from ..engines.table_files import open_table
from ..errors import ColumnError, InputError, cause, nearest
from .given import check_bracketed, checked, field_of, is_query, key_of, query
from .list_shapes import (
    LISTS,
    RANKED,
    Shape,
    gather_columns,
    has_list_signs,
    numbered_columns,
    separates,
    split_text,
    struct_columns,
    unnest_structs,
)

_FLOATING = {"FLOAT", "DOUBLE"}
_INTEGERS = {
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"),
    *("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"),
}

# Columns of inputs that hold numbers; ranks and positions hold whole ones.
NUMBERS = {
    *("score", "rank", "relevance", "value", "distance", "position", "reward", "propensity"),
    *("target_probability", "predicted_reward", "expected_reward", "click", "price"),
}
_WHOLE = {"rank", "position"}
# What several columns may be together.
KEYS = ("user_id", "item_id", "other_item_id")
_LARGE = {"UBIGINT", "HUGEINT", "UHUGEINT"}
# Snowflake and Oracle export whole numbers as decimals.
_WHOLE_DECIMAL = re.compile(r"DECIMAL\(\d+, ?0\)")

# Columns of items that hold labels.
LABELS = {"category", "aspect", "item_group", "feature"}

# A table of more columns than this and none of items may have a column per item.
_WIDE = 5

# The type behind a name in the header of an atomic file of RecBole.
_TYPED = re.compile(r":(token|float)(_seq)?$")

_YES_OR_NO = {"yes", "no", "y", "n", "t", "f", "on", "off"}

# A number with a comma.
_COMMA = re.compile(r"\s*[-+]?[0-9.]*[0-9],[0-9][0-9,.]*([eE][-+]?[0-9]+)?\s*")

# What engines say of a table that is not there.
_LACKS = "table|relation|view|catalog|not found|does not exist"

# A whole number that a double holds, of a value that {0} stands for.
_EXACT = "abs(try_cast({0} as hugeint)) <= 9007199254740992"


@dataclass(frozen=True)
class Source:
    """An input as SQL can name it.

    Attributes:
        name: What the caller calls it, for messages: ``recs``, ``recs['als']``, ``truth``.
        rows: The SQL behind ``from`` that reads the rows as they are stored.
        types: The type of each of its columns, as DuckDB calls it; empty where it is not known.
        found: The caller's column for each name of ours that was found.
        dialect: The SQL that names are written in.
        casts: The types that columns of text are cast to, of the caller's columns.
        made: The SQL of the columns that are made of others, by their names.
        where: The condition of the rows, in SQL; empty for all rows.
        is_text: Whether the rows are of a text file, whose types were inferred.
        as_varchar: The caller's columns that are compared as text.
        probe: Finds the first value of one of our columns that has not a form, in DuckDB.
        locate: Finds the line of a text file that has a value.
    """

    name: str
    rows: str
    types: Mapping[str, str]
    found: Mapping[str, str]
    dialect: str
    casts: Mapping[str, str] = field(default_factory=dict)
    made: Mapping[str, str] = field(default_factory=dict)
    where: str = ""
    is_text: bool = False
    as_varchar: frozenset[str] = frozenset()
    probe: Callable[[str, str], Any] = lambda column, form: None
    locate: Callable[[str], str] = lambda value: ""

    @property
    def relation(self) -> str:
        """The SQL behind ``from``: rows with typed columns, those that meet the condition."""
        alias = f"{self.name.partition('[')[0]}_rows"
        relation = self.rows
        if self.casts:
            typed = ", ".join(
                f"cast({identifier(name, self.dialect, stored=True)} as {kind.lower()}) "
                f"as {identifier(name, self.dialect, stored=True)}"
                for name, kind in self.casts.items()
            )
            relation = f"(select * replace ({typed}) from {relation}) as {alias}"
        if self.made or self.where:
            columns = "".join(f", {sql} as {name}" for name, sql in self.made.items())
            where = f" where {self.where}" if self.where else ""
            relation = f"(select *{columns} from {relation}{where}) as {alias}"
        return relation

    @property
    def unnest(self) -> bool:
        """Whether ``item_id`` is a list of items, of which each becomes a row."""
        return self.kind("item_id").endswith("[]")

    @property
    def has_json_lists(self) -> bool:
        """Whether ``item_id`` of PostgreSQL is a list in JSON."""
        is_json = self.types.get(self.found.get("item_id", "")) == "JSON"
        return is_json and self.dialect == "postgres" and not {"score", "rank"} & {*self.found}

    def kind(self, name: str) -> str:
        """Return the type of one of our columns; empty where it is not there or not known."""
        if name == "item_id" and self.has_json_lists:
            return "VARCHAR[]"
        return self.types.get(self.found.get(name, ""), "")

    def expression(self, name: str) -> str:
        """Write one of our columns in SQL."""
        theirs = self.found[name]
        column = identifier(theirs, self.dialect, stored=bool(self.types))
        kind = self.kind(name)
        if kind == "BOOLEAN" and name in ("relevance", "reward", "click"):
            return f"case when {column} then 1 when not {column} then 0 end"
        if theirs in self.as_varchar:
            text = DIALECTS[self.dialect].text
            return f"cast({column} as varchar[])" if kind.endswith("[]") else text.format(column)
        if name == "item_id" and self.has_json_lists:
            return (
                "(select array_agg(item order by place) from jsonb_array_elements_text("
                f"cast({column} as jsonb)) with ordinality as items (item, place))"
            )
        if _WHOLE_DECIMAL.fullmatch(kind) and self.dialect == "duckdb":
            return f"cast({column} as hugeint)"
        # An enum sorts, and in ClickHouse joins, by the numbers behind it; a UUID there by its end.
        if kind.startswith("ENUM") or (kind == "UUID" and self.dialect == "clickhouse"):
            return f"cast({column} as varchar)"
        return column

    def as_text(self, names: Iterable[str]) -> Source:
        """Leave whole numbers of a text file the text that they are, in some of our columns."""
        theirs = {self.found[name] for name in names if is_whole(self, name)} & set(self.casts)
        return replace(
            self,
            casts={name: kind for name, kind in self.casts.items() if name not in theirs},
            types={**self.types}
            | {
                name: "VARCHAR[]" if self.types[name].endswith("[]") else "VARCHAR"
                for name in theirs
            },
        )

    def with_text(self, names: Iterable[str]) -> Source:
        """Compare UUIDs, and values of types that only the database knows, as text."""
        theirs = {
            self.found[name]
            for name in names
            if self.kind(name).removesuffix("[]") == "UUID"
            or (self.dialect == "postgres" and self._is_own(name))
        }
        return replace(
            self,
            as_varchar=self.as_varchar | theirs,
            types={**self.types}
            | {
                name: "VARCHAR[]" if self.types[name].endswith("[]") else "VARCHAR"
                for name in theirs
            },
        )

    def _is_own(self, name: str) -> bool:
        """Return whether a column has a type of the database's own, such as an enum."""
        kind = self.kind(name)
        return kind not in {"", "VARCHAR", "JSON", *_INTEGERS, *_FLOATING} and not (
            kind.endswith("[]") or kind.startswith(("DECIMAL", "DATE", "TIME", "BOOL", "ENUM"))
        )

    def as_floating(self, name: str) -> Source:
        """Read one of our columns as floating numbers."""
        theirs = {self.found[name]: "DOUBLE"}
        return replace(self, casts={**self.casts} | theirs, types={**self.types} | theirs)


class Columns:
    """The caller's names of columns: ``{"user_id": "uid", "truth.item_id": "sku"}``.

    A list of names is a key of several columns, ``["user", "day"]``; a name with points that is no
    column is a field of one, ``user.id``.

    Args:
        named: Our name to the caller's, for every input that has the column, or for one input
            where its name stands in front.
        known: Our names.
        tables: The names of inputs.
        segments: Names of segments, whose columns may mean something else too.

    Raises:
        InputError: A name or input that does not exist.
    """

    def __init__(
        self,
        named: Mapping[str, str | Sequence[str]] | None,
        known: Iterable[str],
        tables: Iterable[str],
        segments: Iterable[str] = (),
    ) -> None:
        if not isinstance(named, Mapping | None):
            raise InputError(messages.COLUMNS.format(columns=named))
        self.named: dict[str, str | list[str]] = {}
        self.unused = set(named or {})
        self.segments = {*segments} - {*known}
        known = {*known, *segments}
        for key, value in (named or {}).items():
            table, _, column = str(key).rpartition(".")
            if table and table not in tables:
                close = nearest(table, tables)
                raise InputError(messages.COLUMNS_INPUT.format(key=key, table=table, nearest=close))
            if column not in known:
                shown = {"key": key, "column": column, "nearest": nearest(column, known)}
                raise InputError(messages.COLUMNS_UNKNOWN.format(**shown))
            names = [value] if isinstance(value, str) else value
            several = isinstance(names, list | tuple) and names
            if not several or not all(isinstance(one, str) and one for one in names):
                raise InputError(messages.COLUMNS_TEXT.format(key=key, column=value))
            if len(names) > 1 and (column not in KEYS or len({*names}) < len(names)):
                raise InputError(messages.COLUMNS_SEVERAL.format(key=key, column=value))
            self.named[key] = names[0] if len(names) == 1 else [*names]

    def find(self, name: str, table: str, names: Sequence[str]) -> tuple[int | None, bool]:
        """Return the place of the caller's column for a name of ours, and whether it was named.

        Raises:
            InputError: The table lacks a column that was named for it, or has several of the name.
        """
        for key in (f"{table}.{name}", name):
            wanted = self.named.get(key)
            if not isinstance(wanted, str):
                continue
            place = _place(wanted, table, names)
            if place is not None:
                self.unused.discard(key)
                return place, True
            if "." in key:
                raise _lacks(key, wanted, table, names)
        return _place(name, table, names), False

    def made(self, name: str, table: str, names: Sequence[str]) -> list[str] | None:
        """Return the columns that one of ours is made of: several, or a field of one.

        Raises:
            InputError: The table lacks one.
        """
        for key in (f"{table}.{name}", name):
            wanted = self.named.get(key)
            if wanted is None:
                continue
            parts = [wanted] if isinstance(wanted, str) else wanted
            plain = isinstance(wanted, str) and "." not in wanted
            if plain or (wanted == parts[0] and _place(parts[0], table, names) is not None):
                return None
            lacking = [part for part in parts if _part(part, table, names) is None]
            if not lacking:
                self.unused.discard(key)
                return parts
            if "." in key or len(lacking) < len(parts):
                raise _lacks(key, wanted, table, names)
        return None

    def lookup(self, name: str, table: str, names: Sequence[str]) -> str | None:
        """Return the caller's column for a name of ours, None where there is none."""
        for key in (f"{table}.{name}", name):
            wanted = self.named.get(key)
            if isinstance(wanted, str) and (place := _place(wanted, table, names)) is not None:
                return names[place]
        place = _place(name, table, names)
        return None if place is None else names[place]

    def names_field(self, column: str, table: str) -> bool:
        """Return whether a column of an input is named for a field of it."""
        keys = [key for key in self.named if key.rpartition(".")[0] in ("", table)]
        return any(
            isinstance(self.named[key], str)
            and str(self.named[key]).partition(".")[0] == column
            and "." in str(self.named[key])
            for key in keys
        )

    def places(self, table: str, names: Sequence[str]) -> list[str]:
        """Return the columns that are named for the items of a list, from best to worst."""
        for key in (f"{table}.item_id", "item_id"):
            wanted = self.named.get(key)
            if isinstance(wanted, list) and {*wanted} <= {*names}:
                self.unused.discard(key)
                return wanted
        return []

    def take(self, name: str, table: str) -> str | list[str] | None:
        """Return the caller's column for a name of ours, whether or not the table has it."""
        for key in (f"{table}.{name}", name):
            if key in self.named:
                self.unused.discard(key)
                return self.named[key]
        return None

    def check_used(self) -> None:
        """Refuse a name that no input has: it is misspelled."""
        for key in sorted(self.unused):
            option = key if key == "order_by" else f"columns[{key!r}]"
            raise InputError(messages.COLUMNS_UNUSED.format(option=option, column=self.named[key]))


def _lacks(key: str, wanted: str | list[str], table: str, names: Sequence[str]) -> InputError:
    shown = {"key": key, "column": wanted, "table": table, "columns": ", ".join(names)}
    return InputError(messages.COLUMNS_LACKS.format(**shown))


def held(given: Mapping[str, Any], engine: Engine) -> dict[str, Any]:
    """Read what may be there only once, such as a stream of batches, for statements to come.

    Args:
        given: Inputs by name, as the caller gives them; recs by model too.
        engine: Where they go. Tables of Python are read into DuckDB alone.
    """
    if not isinstance(engine, DuckDB):
        return {**given}

    def read(table: Any, name: str) -> Any:
        if is_user_dict(table) or is_rows(table):
            return as_user_rows(table, name)
        if isinstance(table, Mapping):
            return {key: read(one, f"{name}[{key!r}]") for key, one in table.items()}
        once = any(hasattr(table, x) for x in ("__arrow_c_stream__", "to_arrow_table", "collect"))
        return as_table(table, name) if once and not is_held(table) else table

    return {name: read(table, name) for name, table in given.items()}


def paths(given: Any) -> list[str]:
    """Return the paths among inputs, and names of tables, which look the same."""
    if isinstance(given, Mapping | list | tuple):
        tables = given.values() if isinstance(given, Mapping) else given
        return [path for one in tables for path in paths(one)]
    return [os.fsdecode(given)] if isinstance(given, (str, os.PathLike)) else []


def _place(wanted: str, table: str, names: Sequence[str]) -> int | None:
    """Find a name as it is spelled, or else in another case.

    Raises:
        InputError: There are several.
    """
    places = [place for place, name in enumerate(names) if name == wanted]
    places = places or [n for n, name in enumerate(names) if name.lower() == wanted.lower()]
    # RecBole's headers have the type behind each name.
    places = places or [n for n, name in enumerate(names) if _TYPED.sub("", name) == wanted]
    if len(places) > 1:
        shown = {"table": table, "count": len(places), "name": wanted}
        found = ", ".join(names[place] for place in places)
        raise InputError(messages.COLUMN_CASE.format(**shown, columns=found))
    return places[0] if places else None


def _part(wanted: str, table: str, names: Sequence[str]) -> tuple[int, list[str]] | None:
    """Find a column as it is named, or the one that a name with points is a field of."""
    place = _place(wanted, table, names)
    if place is not None:
        return place, []
    head, *fields = wanted.split(".")
    place = _place(head, table, names) if fields and all(fields) else None
    return None if place is None else (place, fields)


class Inputs:
    """All inputs of one call, with the tables of Python that SQL sees under a name.

    Args:
        engine: Where they are.
        columns: The caller's names of columns.
        where: For inputs by name, a condition that rows have to meet.

    Raises:
        InputError: A condition of an input that does not exist, or that is none.
    """

    def __init__(
        self, engine: Engine, columns: Columns, where: Mapping[str, str] | None = None
    ) -> None:
        self.engine = engine
        self.columns = columns
        self.where = _conditions(where, engine.dialect)
        self.kinds: dict[tuple[str, int], tuple[str, str]] = {}
        self.objects: dict[str, Any] = {}
        # The query of the items in the first lists, as text.
        self.ranked = ""
        # Whether lists were text with separators.
        self.separated = False
        self.taken: dict[str, str] = {}

    def read(
        self,
        given: Any,
        name: str,
        table: str,
        *,
        needed: Iterable[str],
        assumed: Iterable[str],
        taken: Iterable[str],
    ) -> Source:
        """Bring one input into the common form.

        Args:
            given: A path, glob, folder, table of Python or table name.
            name: How messages call it.
            table: Which input it is: ``recs``, ``truth``, ``history``, ...
            needed: Columns of ours that it must have.
            assumed: Columns of ours that it has, as it seems, where the table cannot be read.
            taken: Columns of ours that are taken where it has them.

        Raises:
            InputError: It can't be read, is empty, lacks a column or has one of the wrong type.
        """
        needed, taken = [*needed], [*taken]
        where = self.where.get(table, "")
        shown = _shown(given) + (f" where {where}" if where else "")
        with self._reading(given, name, _shown(given)):
            rows = self._relation(given, name, table)
            with self.engine.naming(self.objects):
                types = self.engine.columns(rows)
        if types is None:
            found, parts = self._assumed(table, (*needed, *assumed), taken)
            made, dialect = self._made(parts, stored=False), self.engine.dialect
            return Source(name, rows, {}, found, dialect, made=made, where=where)
        with self._reading(given, name, shown), self.engine.naming(self.objects):
            source = self._source(rows, types, name, table, needed, taken)
            is_duckdb = self.engine.dialect == "duckdb"
            if table == "recs" and not self.ranked and is_duckdb and "item_id" in source.found:
                items = source.expression("item_id")
                items = f"unnest({items})" if source.unnest else items
                self.ranked = f"select cast({items} as varchar) from {source.relation}"
            empty = not self.engine.rows(f"select 1 as filled from {source.relation} limit 1")
        if empty:
            raise InputError(f"{name}={shown} is empty: at least one row is needed")
        if source.unnest and not DIALECTS[source.dialect].lists:
            raise InputError(
                f"{name}.item_id is {source.kind('item_id')}: for {source.dialect}, "
                "give a row per item"
            )
        return source

    def _source(
        self,
        rows: str,
        types: dict[str, str],
        name: str,
        table: str,
        needed: list[str],
        taken: list[str],
    ) -> Source:
        """Return the source of rows whose columns are known."""
        dialect, where = self.engine.dialect, self.where.get(table, "")
        is_text = self.engine.is_text(rows)
        shape = self._shape(rows, types, table, is_text, {*needed, *taken})
        needed, taken = ([x for x in names if x not in shape.columns] for names in (needed, taken))
        parts = self._parts(name, table, {**types, **shape.types}, (*needed, *taken))
        found = self._found(rows, name, table, [*types], needed, taken, parts)
        found |= shape.columns
        numbers = dict.fromkeys(_named_in(where, types), True) | {
            theirs: ours in NUMBERS for ours, theirs in found.items() if theirs in types
        }
        typed, kinds, casts = self.engine.typed(rows, types, numbers)
        casts = {x: kind for x, kind in casts.items() if x not in shape.types} | {**shape.casts}
        source = Source(
            name,
            shape.rows.replace(rows, typed),
            {**kinds, **shape.types},
            found,
            dialect,
            casts,
            self._made(parts, stored=True),
            where,
            is_text,
        )
        if parts or where:
            own = self.engine.columns(source.relation) or {}
            made = {found[ours]: own[found[ours]] for ours in parts}
            source = replace(source, types={**source.types} | made)
        if dialect != "duckdb":
            return source
        locate = partial(self.engine.locate, rows)
        return replace(source, probe=partial(self._probe, source), locate=locate)

    def _probe(self, source: Source, column: str, form: str) -> Any:
        """Return the first value of a column without a form, as a text file has it."""
        theirs = source.found[column]
        casts = {name: kind for name, kind in source.casts.items() if name != theirs}
        with self.engine.naming(self.objects):
            return first_other(
                self.engine.rows, replace(source, casts=casts).relation, theirs, form
            )

    def _shape(
        self, rows: str, types: Mapping[str, str], table: str, is_text: bool, columns: set[str]
    ) -> Shape:
        """Return the rows with items as single values or as lists, in whatever shape they are."""
        shape = Shape(rows)
        if self.engine.dialect != "duckdb" or "item_id" not in columns:
            return shape
        names = [*types]
        lookup = partial(self.columns.lookup, table=table, names=names)
        item = lookup("item_id")
        structs = struct_columns(types)
        named = [one for one in structs if self.columns.names_field(one, table)]
        if named or (item is None and len(structs) == 1):
            column = (named or structs)[0]
            shape = unnest_structs(rows, types, column, table)
            if not named and not shape.columns:
                raise InputError(
                    f"{table}.{column} is {types[column]:.200}: name its fields, as in columns="
                    f"{{'{table}.item_id': '{column}.item', '{table}.score': '{column}.score'}}"
                )
            return replace(shape, columns={}) if named else shape
        ordered = lookup("score") or lookup("rank")
        if table in RANKED and not ordered:
            places = self.columns.places(table, names) or ([] if item else numbered_columns(names))
            if places:
                return gather_columns(self.engine.rows, rows, types, places, table, is_text)
        user = lookup("user_id")
        if item is None or user is None or table not in LISTS or types[item] != "VARCHAR":
            return shape
        run = self.engine.rows
        single = table in RANKED and ordered is not None
        with_lists = table == "truth" and bool(self.ranked)
        # Both kinds are decided by the first rows, which most often have no list.
        if (single or with_lists) and not has_list_signs(run, rows, item):
            return shape
        if with_lists:
            single = not separates(run, rows, item, user, self.ranked, any_part=self.separated)
        found = split_text(
            run,
            rows,
            item,
            user,
            table,
            bracketed_only=single,
            is_text=is_text,
        )
        self.separated |= found is not None and table in RANKED
        return found or shape

    def _parts(
        self, name: str, table: str, types: Mapping[str, str], columns: Iterable[str]
    ) -> dict[str, str]:
        """Write the columns of ours that are made of several of the caller's, or of a field.

        Raises:
            InputError: A part that is not a single value, or is of another type in another input.
        """
        names, made = [*types], {}
        for column in columns:
            parts = self.columns.made(column, table, names)
            written = []
            for number, part in enumerate(parts or ()):
                place, fields = _part(part, table, names) or (0, [])
                if parts and len(parts) > 1 and not fields:
                    self._check_part(name, column, number, names[place], types[names[place]])
                one = identifier(names[place], self.engine.dialect, stored=True)
                written.append(field_of(one, fields, self.engine.dialect))
            if written:
                made[column] = key_of(written, self.engine.dialect)
        return made

    def _check_part(self, name: str, column: str, number: int, theirs: str, kind: str) -> None:
        shown = {"table": name, "column": theirs, "kind": kind, "key": column}
        if kind in _FLOATING or is_nested(kind):
            raise InputError(messages.KEY_PART.format(**shown))
        family = "integer" if kind in _INTEGERS else kind
        first, of = self.kinds.setdefault((column, number), (family, name))
        # Text files write what other tables hold.
        if kind and first and family != first and "VARCHAR" not in (family, first):
            raise InputError(messages.KEY_PARTS.format(**shown, other=first, first=of))

    def _made(self, parts: Mapping[str, str], stored: bool) -> dict[str, str]:
        """Return the SQL of columns that are made of others, by their names as SQL writes them."""
        dialect = self.engine.dialect
        return {
            identifier(_made_name(ours), dialect, stored=stored): sql for ours, sql in parts.items()
        }

    @contextmanager
    def _reading(self, given: Any, name: str, shown: str) -> Iterator[None]:
        """Return which input it is that an engine can't read."""
        try:
            yield
        except InputError:
            raise
        except self.engine.error as error:
            is_name = isinstance(given, str) and not is_query(given)
            is_name = is_name and self._path(given, name) is None
            reason = csv_fault(str(error)) or first_line(error).rstrip("!.")
            lacks = is_name and shown == _shown(given) and re.search(_LACKS, reason, re.IGNORECASE)
            hint = f". It is taken for a table's name: {PATHS}" if lacks else ""
            raise InputError(f"{name}={shown} can't be read: {reason}{hint}") from cause(error)

    def _found(
        self,
        relation: str,
        name: str,
        table: str,
        names: list[str],
        needed: list[str],
        taken: Iterable[str],
        made: Container[str],
    ) -> dict[str, str]:
        """Find the caller's column for each of ours; a column means one thing.

        Raises:
            InputError: One is missing, or is named for two.
        """
        written = self.engine.written(relation, names, self.objects.get(relation))
        found: dict[str, str] = {}
        told: dict[str, str] = {}
        for column in (*needed, *taken):
            if column in made:
                found[column] = _made_name(column)
                continue
            place, is_named = self.columns.find(column, table, written)
            if place is not None:
                found[column] = names[place]
                if is_named and column not in self.columns.segments:
                    other = told.setdefault(names[place], column)
                    if other != column:
                        raise InputError(
                            f"{name}: columns has {written[place]!r} for {other!r} and for "
                            f"{column!r}: a column means one thing"
                        )
        for column, theirs in [*found.items()]:
            if told.get(theirs, column) != column and column not in self.columns.segments:
                del found[column]
        for column in needed:
            if column not in found:
                shown = {"table": name, "names": repr(column), "key": f"{table}.{column}"}
                message = messages.COLUMN_LACKS.format(**shown, columns=", ".join(written))
                message += self._format_hint(relation, column, written)
                raise ColumnError(message, input=name, column=column)
        return found

    def _format_hint(self, relation: str, column: str, names: Sequence[str]) -> str:
        """Return what to try where a column is missing for the form of a table."""
        if self.engine.is_text(relation) and not relation.startswith("read_json("):
            first = (
                "a file without a header, of the columns column0, column1 and so on, may have a "
            )
            if names[:1] == ["column0"]:
                return f"; {first}format: sqlrec.File(path, 'movielens'), 'lightgcn', 'trec', ..."
            if names[0].startswith("#"):
                return "; the first line starts with '#': if it is a comment, delete it"
            return "; if the first line is a row, give sqlrec.File(path, header=False)"
        if names == ["json"] and relation.startswith("read_json("):
            return (
                '; a file of JSON has a record for each row, {"user_id": "u1", "item_id": "a"}, or '
                "a dict of users"
            )
        if column == "item_id" and len(names) > _WIDE:
            return "; a column per item becomes rows by sqlrec.adapters.one_hot(frame)"
        return ""

    def _assumed(
        self, table: str, needed: Iterable[str], taken: Iterable[str]
    ) -> tuple[dict[str, str], dict[str, str]]:
        """Take columns as there where a table cannot be read: needed ones, and named others.

        Returns:
            The caller's column for each of ours, and what stands for those made of others.

        Raises:
            InputError: A column is named for two, or for another than the one that is needed.
        """
        dialect = self.engine.dialect
        yours = {column: self.columns.take(column, table) for column in (*needed, *taken)}
        found, made = {}, {}
        for name, theirs in yours.items():
            parts = [theirs] if isinstance(theirs, str) else theirs or [name]
            if len(parts) > 1 or "." in parts[0]:
                made[name] = key_of([_assumed_part(part, dialect) for part in parts], dialect)
                found[name] = _made_name(name)
            elif theirs or name in needed:
                found[name] = parts[0]
        meant: dict[str, str] = {}
        for name, theirs in found.items():
            if name not in self.columns.segments and meant.setdefault(theirs, name) != name:
                shown = {"table": table, "column": theirs, "first": meant[theirs], "second": name}
                raise InputError(messages.COLUMN_MEANS.format(**shown))
        return found, made

    def part_without(self, column: str, table: str) -> str:
        """Return a message of one of several files that lacks a column of ours; empty if none."""
        several = self.engine.parts() if isinstance(self.engine, DuckDB) else []
        for parts in several:
            theirs = {
                file: self.columns.lookup(column, table, [*names]) for file, names in parts.items()
            }
            lacking = [file for file, name in theirs.items() if name is None]
            if 0 < len(lacking) < len(parts):
                has = next(name for name in theirs.values() if name is not None)
                return (
                    f"{table}: {lacking[0]!r} has no column {has!r}, and other files have it: give "
                    "all files the same columns"
                )
        return ""

    def spelled(self, sql: str) -> str:
        """Write a statement with the caller's names of tables whose rows were taken."""
        for written, relation in self.taken.items():
            sql = sql.replace(written, relation)
        return sql

    def check(self, given: Any, name: str) -> None:
        """Refuse what can be no input, without reading it.

        Raises:
            InputError: Neither a path, a name nor a table.
        """
        if self._path(given, name) is None and not isinstance(given, str):
            self.engine.check_table(given, name)

    def _relation(self, given: Any, name: str, table: str) -> str:
        path = self._path(given, name)
        if path is not None and isinstance(self.engine, DuckDB):
            opened = None if isinstance(path, list) else open_table(path, name)
            if opened is not None:
                return self._register(opened, table)
        if path is not None:
            return self.engine.file(path, name)
        if isinstance(given, str):
            dialect = self.engine.dialect
            of_query = is_query(given)
            relation = query(given, name, table, dialect) if of_query else named(given, dialect)
            taken = self.engine.taken(relation)
            if taken is None:
                return relation
            rows, read = taken
            name = self._register(rows, table)
            written = f"({read} from {name})" if read else name
            self.taken[written] = relation
            return written
        return self._register(self.engine.table(given, name), table)

    def _path(self, given: Any, name: str) -> Any:
        """Return an input that is a path, a file or several; in a database, a name is none.

        Raises:
            InputError: Nothing is given.
        """
        if given is None or (isinstance(given, str) and not given.strip()):
            raise InputError(f"{name} is missing: give a path, a table of Python or a table's name")
        if isinstance(given, File):
            return replace(given, path=copy_pipe(os.fsdecode(given.path)))
        if (
            isinstance(given, list | tuple)
            and given
            and all(isinstance(one, str | os.PathLike) for one in given)
        ):
            return [*given]
        if isinstance(given, os.PathLike):
            return os.fsdecode(given)
        if isinstance(given, str):
            check_bracketed(given, name)
        of_file = (
            isinstance(given, str)
            and not is_query(given)
            and (is_path(given) or (self.engine.own and (is_folder(given) or is_file(given))))
        )
        return copy_pipe(given) if of_file else None

    def _register(self, given: Any, table: str) -> str:
        """Name a table of Python as people would; beside the caller's tables, as they would not."""
        if not self.engine.own:
            name = f"sqlrec_{table}_{os.urandom(16).hex()}"
        elif table in self.objects:
            name = f"{table}_{len(self.objects) + 1}"
        else:
            name = table
        self.objects[name] = given
        return name


def _assumed_part(part: str, dialect: str) -> str:
    head, *fields = part.split(".")
    return field_of(identifier(head, dialect), fields, dialect)


def _named_in(condition: str, names: Iterable[str]) -> list[str]:
    """Return the columns that a condition names."""
    words = {word.lower() for word in re.findall(r"\w+", condition)}
    return [name for name in names if name.lower() in words or (name in condition and " " in name)]


def _made_name(column: str) -> str:
    return f"sqlrec_{column}"


def _conditions(where: Mapping[str, str] | None, dialect: str) -> dict[str, str]:
    """Read the conditions of inputs.

    Raises:
        InputError: One of an input that does not exist, or that is none.
    """
    if not isinstance(where, Mapping | None):
        raise InputError(
            f"where={where!r}: give a dict, conditions by input: {{'recs': 'day = 7'}}"
        )
    found = {}
    for table, condition in (where or {}).items():
        if table not in TABLES:
            raise InputError(f"where[{table!r}]: no input {table!r}: {nearest(str(table), TABLES)}")
        if not isinstance(condition, str) or not condition.strip():
            raise InputError(
                f"where[{table!r}]={condition!r}: a condition is text, as in 'day = 7'"
            )
        found[table] = checked(condition, f"where[{table!r}]", dialect)
    return found


def alike(sources: list[Source], ids: Iterable[Iterable[str]]) -> list[Source]:
    """Read ids of text files, UUIDs and enums as text where those of another input are text."""
    for names in ids:
        kinds = {source.kind(name).removesuffix("[]") for source in sources for name in names}
        if any(kind == "VARCHAR" or kind.startswith("ENUM") for kind in kinds):
            sources = [
                source.as_text(set(names) & set(source.found)).with_text(
                    set(names) & set(source.found)
                )
                for source in sources
            ]
    return sources


def scores_alike(sources: list[Source]) -> list[Source]:
    """Read whole scores of text files as floating numbers, where those of another table are.

    Not those which that would round.
    """
    if not any(source.kind("score") in _FLOATING for source in sources):
        return sources
    return [source.as_floating("score") if _may_float(source) else source for source in sources]


def _may_float(source: Source) -> bool:
    whole = source.is_text and is_whole(source, "score")
    return whole and source.probe("score", _EXACT) is None


def check_ids(columns: Iterable[tuple[Source, str]]) -> None:
    """Check that ids in columns of several inputs can be compared without loss.

    Raises:
        InputError: An id is a floating number or nested, or two columns have different kinds.
    """
    first: tuple[str, Source, str] | None = None
    for source, column in columns:
        kind = source.kind(column).removesuffix("[]")
        if not kind:
            continue
        _check_filled(source, column)
        if kind in _FLOATING:
            shown = {"table": source.name, "column": column, "kind": kind}
            raise ColumnError(
                messages.ID_FLOATING.format(**shown) + _no_number(source, column),
                input=source.name,
                column=column,
            )
        if is_nested(kind):
            raise ColumnError(
                f"{source.name}.{column} is {kind}: an id is a single value",
                input=source.name,
                column=column,
            )
        family = "VARCHAR" if kind.startswith("ENUM") else kind
        # Of PostgreSQL no scale is known; it compares exact numbers as they are.
        exact = kind == "DECIMAL" and source.dialect == "postgres"
        family = "integer" if exact or _WHOLE_DECIMAL.fullmatch(kind) else family
        # The largest unsigned kind and a signed one would be compared as doubles.
        family = "integer" if kind in _INTEGERS - {"UHUGEINT"} else family
        if first and first[0] != family:
            of, other = first[1:]
            here = source.name if column == other else f"{source.name}.{column}"
            there = of.kind(other).removesuffix("[]")
            shown = {"table": of.name, "column": other, "kind": there, "other": kind, "here": here}
            are_numbers = "integer" in (first[0], family)
            odd = _no_number(of, other) + _no_number(source, column) if are_numbers else ""
            raise ColumnError(messages.IDS.format(**shown) + odd, input=source.name, column=column)
        first = first or (family, source, column)


def _check_filled(source: Source, column: str) -> None:
    if source.kind(column).strip('"[]') == "NULL":
        raise ColumnError(
            f"{source.name}.{column} has no value: it is null in every row, and has no type; give "
            "its values, or leave the column out",
            input=source.name,
            column=column,
        )


def _no_number(source: Source, column: str) -> str:
    """Return which value it is that ids of a text, or of a text file, are not whole numbers for."""
    written = source.kind(column) == "VARCHAR" or source.found[column] in source.casts
    if not written:
        return ""
    if (odd := source.probe(column, WHOLE)) is not None:
        return f"; {str(odd)!r:.80} in {source.name} is not a whole number"
    padded = source.probe(column, UNPADDED)
    return "" if padded is None else f"; {str(padded)!r:.80} in {source.name} begins with a zero"


def check_number(source: Source, column: str) -> None:
    """Check that a column holds numbers: whole ones for a rank or position.

    Raises:
        InputError: It does not.
    """
    kind = source.kind(column)
    form = None
    _check_filled(source, column)
    if column in _WHOLE:
        rule = "a whole number below 2^63"
        # Text is read as BIGINT where all values are of this form.
        is_cast = kind != "BIGINT" and source.found[column] in source.casts
        if kind in {"VARCHAR", *_LARGE} or is_cast:
            form = WHOLE
    elif kind == "VARCHAR":
        form, rule = CAST["DOUBLE"], "a number"
    odd = None if form is None else source.probe(column, form)
    if odd is not None:
        where = source.locate(str(odd))
        fix = "correct it, or leave its row out"
        if str(odd).lower() in _YES_OR_NO:
            fix = "write 1 and 0"
        if _COMMA.fullmatch(str(odd)):
            fix = (
                "give a frame of pandas.read_csv(path, decimal=','), or thousands=',' where commas "
                "are between thousands"
            )
        raise ColumnError(
            f"{source.name}.{column} has the value {str(odd)!r:.80}{where and f' ({where})'}: "
            f"a {column} is {rule}; {fix}",
            input=source.name,
            column=column,
        )
    if kind in _INTEGERS or not kind or (kind == "BOOLEAN" and column in ("reward", "click")):
        return
    if column in _WHOLE:
        raise ColumnError(
            f"{source.name}.{column} is {kind}: a {column} is a whole number; cast it to an "
            "integer",
            input=source.name,
            column=column,
        )
    if kind not in _FLOATING and not kind.startswith("DECIMAL"):
        raise ColumnError(
            f"{source.name}.{column} is {kind}: a {column} is a number; cast it",
            input=source.name,
            column=column,
        )


def check_scores(sources: Iterable[Source]) -> None:
    """Check that scores of several tables can stand in one column, each as it is.

    Raises:
        InputError: Scores are whole numbers in one, and decimal or floating numbers in another.
    """
    families: dict[str, Source] = {}
    for source in sources:
        kind = source.kind("score")
        family = "whole" if kind in _INTEGERS else "floating" if kind in _FLOATING else kind
        if kind:
            families.setdefault(family, source)
    if len(families) > 1:
        found = " and ".join(f"{s.name}.score is {s.kind('score')}" for s in families.values())
        raise InputError(f"{found}: together they could lose digits and tie; cast them to one type")


def check_single(source: Source, column: str) -> None:
    """Check that a column holds single values.

    Raises:
        InputError: It holds lists, or what else is nested.
    """
    if is_nested(source.kind(column)):
        raise ColumnError(
            f"{source.name}.{column} is {source.kind(column)}: give single values, a row for each",
            input=source.name,
            column=column,
        )


def check_label(source: Source, column: str) -> None:
    """Check that a column holds labels, which are told apart as they are.

    Raises:
        InputError: It holds floating numbers, of which NaN would be a label too; or lists.
    """
    check_single(source, column)
    if source.kind(column) in _FLOATING:
        raise ColumnError(
            f"{source.name}.{column} is {source.kind(column)}: a {column} is a label; "
            "cast it to an integer or to text",
            input=source.name,
            column=column,
        )


def is_number(kind: str) -> bool:
    """Return whether a type is one of numbers, or of yes and no, which are 1 and 0."""
    return kind in {*_INTEGERS, *_FLOATING, "BOOLEAN"} or kind.startswith("DECIMAL")


def is_nested(kind: str) -> bool:
    """Return whether a type holds more than a single value."""
    return kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION"))


def is_whole(source: Source, column: str) -> bool:
    """Return whether a column is known to hold whole numbers."""
    return source.kind(column).removesuffix("[]") in _INTEGERS


def is_floating(source: Source, column: str) -> bool:
    """Return whether a column can hold NaN, as far as its type is known."""
    kind = source.kind(column)
    # PostgreSQL's exact numbers have a NaN; ClickHouse needs all that can be null to say so.
    odd = (source.dialect == "postgres" and kind.startswith("DECIMAL")) or (
        source.dialect == "clickhouse"
    )
    return column in source.found and (odd or kind in {"", *_FLOATING})


def _shown(given: Any) -> str:
    given = given.path if isinstance(given, File) else given
    return repr(given) if isinstance(given, (str, os.PathLike)) else f"<{type(given).__name__}>"


def first_line(error: Exception) -> str:
    """Return the first line of what an engine says: the rest quotes the statement."""
    return next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
