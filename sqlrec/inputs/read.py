"""Inputs: files, Python tables and database tables, as relations with standard columns."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from .. import messages
from ..catalogue.headers import TABLES, known_columns
from ..dialects import DIALECTS, identifier
from ..dialects import relation as named
from ..engines.base import Engine
from ..engines.column_types import CAST, UNPADDED, WHOLE, find_exception
from ..engines.delimited import csv_fault
from ..engines.duckdb import DuckDB
from ..engines.files import PATHS, copy_pipe, is_file, is_folder, is_path, similar_file
from ..engines.formats import File
from ..engines.table_files import open_table
from ..errors import ColumnError, InputError, cause, nearest
from .list_shapes import (
    LISTS,
    RANKED,
    Shape,
    gather_columns,
    needs_splitting,
    numbered_columns,
    split_text,
    struct_columns,
    unnest_structs,
)
from .sql_fragments import (
    check_parentheses,
    check_sql,
    column_field,
    composite_key,
    is_query,
    query,
)
from .tables import Tables

_FLOATING = {"FLOAT", "DOUBLE"}
_INTEGERS = {
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"),
    *("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"),
}

# Numeric columns. Ranks and positions are integers.
NUMBERS = {
    *("score", "rank", "relevance", "value", "distance", "position", "reward", "propensity"),
    *("target_probability", "predicted_reward", "expected_reward", "click", "price"),
}
_INTEGER_COLUMNS = {"rank", "position"}
# Columns that can be composite keys.
KEYS = ("user_id", "item_id", "other_item_id")
_LARGE = {"UBIGINT", "HUGEINT", "UHUGEINT"}
# Snowflake and Oracle export whole numbers as decimals.
_WHOLE_DECIMAL = re.compile(r"DECIMAL\(\d+, ?0\)")

# Columns of the input `items` that contain labels.
LABELS = {"category", "aspect", "item_group", "feature"}

# Tables with more columns and no `item_id` may be one-hot: one column for each item.
_MAX_COLUMNS = 5

# The type suffix of a column name in the header of a RecBole atomic file.
_TYPE_SUFFIX = re.compile(r":(token|float)(_seq)?$")

# Texts that should be 1 or 0.
_BOOLEANS = {"yes", "no", "y", "n", "t", "f", "on", "off"}

# A number with a decimal comma or thousands separators.
_COMMA = re.compile(r"\s*[-+]?[0-9.]*[0-9],[0-9][0-9,.]*([eE][-+]?[0-9]+)?\s*")

# Words in the error messages of engines for a missing table.
_MISSING_TABLE = "table|relation|view|catalog|not found|does not exist"

# Condition for integers that a double represents exactly; {0} is the value.
_EXACT = "abs(try_cast({0} as hugeint)) <= 9007199254740992"


@dataclass(frozen=True)
class Source:
    """The relation of an input, with its columns.

    The caller's columns have the names in the table. The standard columns are sqlrec's names, such
    as ``user_id``.
    """

    name: str  # The caller's name of the input, for messages: ``recs``, ``recs['als']``, ``truth``.
    rows: str  # The relation of the stored rows, to follow ``from``.
    types: Mapping[str, str]  # The DuckDB type of each of the caller's columns; empty if unknown.
    columns: Mapping[str, str]  # The caller's column for each standard column of the input.
    dialect: str
    # The types that text columns are cast to, by the caller's column.
    casts: Mapping[str, str] = field(default_factory=dict)
    # The SQL of composite keys and nested fields, by column.
    composites: Mapping[str, str] = field(default_factory=dict)
    where: str = ""  # The condition for rows, in SQL; empty for all rows.
    is_text: bool = False  # Whether the rows come from a text file, so that types were inferred.
    as_varchar: frozenset[str] = frozenset()  # The caller's columns that are compared as text.
    # Function that returns the first value of a standard column that does not satisfy a condition,
    # in DuckDB.
    probe: Callable[[str, str], Any] = lambda column, form: None
    # Function that returns the line of a text file that has a value.
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
    def unnest(self) -> bool:
        """Whether ``item_id`` is a list, whose items become rows."""
        return self.kind("item_id").endswith("[]")

    @property
    def has_json_lists(self) -> bool:
        """Whether ``item_id`` is a JSON list in PostgreSQL."""
        is_json = self.types.get(self.columns.get("item_id", "")) == "JSON"
        return is_json and self.dialect == "postgres" and not {"score", "rank"} & {*self.columns}

    def kind(self, name: str) -> str:
        """Return the type of a standard column; empty if it is missing or unknown."""
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
        # Enums are sorted by number, and in ClickHouse also joined by number. ClickHouse sorts
        # UUIDs by their end.
        if kind.startswith("ENUM") or (kind == "UUID" and self.dialect == "clickhouse"):
            return f"cast({column} as varchar)"
        return column

    def with_text(self, names: Iterable[str]) -> Source:
        """Return the source with text for integers of text files, UUIDs and database types."""
        columns = {name: self.columns[name] for name in names if name in self.columns}
        integers = {
            caller_column
            for name, caller_column in columns.items()
            if is_integer(self, name) and caller_column in self.casts
        }
        opaque = {
            caller_column
            for name, caller_column in columns.items()
            if self.kind(name).removesuffix("[]") == "UUID"
            or (self.dialect == "postgres" and self._is_specific(name))
        }
        kinds = {
            name: "VARCHAR[]" if self.types[name].endswith("[]") else "VARCHAR"
            for name in integers | opaque
        }
        casts = {name: kind for name, kind in self.casts.items() if name not in integers}
        types, as_varchar = {**self.types} | kinds, self.as_varchar | opaque
        return replace(self, casts=casts, types=types, as_varchar=as_varchar)

    def _is_specific(self, name: str) -> bool:
        """Return whether a column has a database-specific type, such as an enum."""
        kind = self.kind(name)
        return kind not in {"", "VARCHAR", "JSON", *_INTEGERS, *_FLOATING} and not (
            kind.endswith("[]") or kind.startswith(("DECIMAL", "DATE", "TIME", "BOOL", "ENUM"))
        )


class Columns:
    """The caller's column names: ``{"user_id": "uid", "truth.item_id": "sku"}``.

    A list of names is a composite key, ``["user", "day"]``. A dotted name that is not a column is a
    nested field, ``user.id``.

    Args:
        renames: The caller's name for a standard name, in all inputs that have the column, or in
            one input: ``truth.item_id``.
        names: The standard names.
        tables: The names of inputs.
        segments: Names of segments. Their columns can also be standard columns.
    """

    def __init__(
        self,
        renames: Mapping[str, str | Sequence[str]] | None,
        names: Iterable[str],
        tables: Iterable[str],
        segments: Iterable[str] = (),
    ) -> None:
        if not isinstance(renames, Mapping | None):
            raise InputError(messages.COLUMNS.format(columns=renames))
        self.renames: dict[str, str | list[str]] = {}
        self.unused = set(renames or {})
        self.segments = {*segments} - {*names}
        names = {*names, *segments}
        for key, value in (renames or {}).items():
            table, _, column = str(key).rpartition(".")
            if table and table not in tables:
                close = nearest(table, tables)
                raise InputError(messages.COLUMNS_INPUT.format(key=key, table=table, nearest=close))
            if column not in names:
                details = {"key": key, "column": column, "nearest": nearest(column, names)}
                raise InputError(messages.COLUMNS_UNKNOWN.format(**details))
            parts = [value] if isinstance(value, str) else value
            is_list = isinstance(parts, list | tuple) and parts
            if not is_list or not all(isinstance(part, str) and part for part in parts):
                raise InputError(messages.COLUMNS_TEXT.format(key=key, column=value))
            if len(parts) > 1 and (column not in KEYS or len({*parts}) < len(parts)):
                raise InputError(messages.COLUMNS_SEVERAL.format(key=key, column=value))
            self.renames[key] = parts[0] if len(parts) == 1 else [*parts]

    def _renames(self, name: str, table: str) -> Iterator[tuple[str, str | list[str]]]:
        """Yield the caller's names for a standard name in a table, by key of ``columns``."""
        for key in (f"{table}.{name}", name):
            if key in self.renames:
                yield key, self.renames[key]

    def find(self, name: str, table: str, names: Sequence[str]) -> tuple[int | None, bool]:
        """Return the index of the caller's column for a name, and whether it is renamed."""
        for key, column in self._renames(name, table):
            if isinstance(column, list):
                continue
            index = _column_index(column, table, names)
            if index is not None:
                self.unused.discard(key)
                return index, True
            if "." in key and "." not in column:
                raise _missing_column(key, column, table, names)
        return _column_index(name, table, names), False

    def lookup(self, name: str, table: str, names: Sequence[str]) -> str | None:
        """Return the caller's column for a standard name, None if the table has none."""
        index = None
        with suppress(InputError):  # The error is raised again when the column is read.
            index, _ = self.find(name, table, names)
        return None if index is None else names[index]

    def composite(self, name: str, table: str, names: Sequence[str]) -> list[str]:
        """Return the parts of a composite key, or a nested field; none for a plain column."""
        for key, column in self._renames(name, table):
            parts = [column] if isinstance(column, str) else column
            plain = isinstance(column, str) and "." not in column
            if plain or (column == parts[0] and _column_index(parts[0], table, names) is not None):
                return []
            missing = [part for part in parts if _split_field(part, table, names) is None]
            if not missing:
                self.unused.discard(key)
                return parts
            if "." in key or len(missing) < len(parts):
                raise _missing_column(key, column, table, names)
        return []

    def names_field(self, column: str, table: str) -> bool:
        """Return whether the caller names a nested field of a column."""
        return any(
            isinstance(renamed, str) and renamed.startswith(f"{column}.")
            for key, renamed in self.renames.items()
            if key.rpartition(".")[0] in ("", table)
        )

    def list_columns(self, table: str, names: Sequence[str]) -> list[str]:
        """Return the columns that the caller names for the items of a list, best first."""
        for key, columns in self._renames("item_id", table):
            if isinstance(columns, list) and {*columns} <= {*names}:
                self.unused.discard(key)
                return columns
        return []

    def assumed(self, table: str, required: Sequence[str], optional: Sequence[str]) -> list[str]:
        """Return the columns of a table that can't be read: required and renamed ones."""
        names = []
        for column in (*required, *optional):
            default = [column] if column in required else []
            _, renamed = next(self._renames(column, table), ("", default))
            parts = [renamed] if isinstance(renamed, str) else renamed
            names += [part.partition(".")[0] for part in parts]
        return [*dict.fromkeys(names)]

    def check_used(self) -> None:
        """Check that each of the caller's names is a column of an input."""
        for key in sorted(self.unused):
            option = key if key == "order_by" else f"columns[{key!r}]"
            raise InputError(
                messages.COLUMNS_UNUSED.format(option=option, column=self.renames[key])
            )


def _missing_column(
    key: str, column: str | list[str], table: str, names: Sequence[str]
) -> InputError:
    details = {"key": key, "column": column, "table": table, "columns": ", ".join(names)}
    return InputError(messages.COLUMNS_LACKS.format(**details))


def _column_index(column: str, table: str, names: Sequence[str]) -> int | None:
    """Return the index of a column, with the exact name or else ignoring case."""
    indexes = [index for index, name in enumerate(names) if name == column]
    indexes = indexes or [
        index for index, name in enumerate(names) if name.lower() == column.lower()
    ]
    # Headers of RecBole have type suffixes.
    indexes = indexes or [
        index for index, name in enumerate(names) if _TYPE_SUFFIX.sub("", name) == column
    ]
    if len(indexes) > 1:
        details = {"table": table, "count": len(indexes), "name": column}
        matches = ", ".join(names[index] for index in indexes)
        raise InputError(messages.COLUMN_CASE.format(**details, columns=matches))
    return indexes[0] if indexes else None


def _split_field(column: str, table: str, names: Sequence[str]) -> tuple[int, list[str]] | None:
    """Return the index of a column, and the names of the nested field if there is one."""
    index = _column_index(column, table, names)
    if index is not None:
        return index, []
    head, *fields = column.split(".")
    index = _column_index(head, table, names) if fields and all(fields) else None
    return None if index is None else (index, fields)


class Inputs:
    """The inputs of one call, with the Python tables that SQL reads by name.

    Args:
        engine: The engine that has or reads the inputs.
        columns: The caller's column names.
        where: The condition for rows, by input.
        tables: The inputs by name: paths, Python tables and names of tables.
    """

    def __init__(
        self,
        engine: Engine,
        columns: Columns,
        where: Mapping[str, str] | None = None,
        tables: Mapping[str, Any] | None = None,
    ) -> None:
        self.engine = engine
        self.tables = tables or {}
        self.columns = columns
        self.where = _conditions(where, engine.dialect)
        self.kinds: dict[tuple[str, int], tuple[str, str]] = {}
        self.objects: dict[str, object] = {}
        # A query of the recommended items as text, to detect lists in the truth.
        self.ranked = ""
        # Whether lists were parsed from text with separators.
        self.separated = False
        self.copies: dict[str, str] = {}

    @classmethod
    def of(cls, tables: Tables, segments: Iterable[str], order_by: str | None = None) -> Inputs:
        """Return the inputs of a dataset, with the column that orders rows, if there is one."""
        columns = tables.columns
        if order_by is not None and isinstance(columns, Mapping | None):
            columns = {**(columns or {}), "order_by": order_by}
        names = Columns(columns, known_columns(), tables=tuple(TABLES), segments=segments)
        return cls(tables.engine, names, tables.where, tables.present)

    def models(self, table: str) -> list[str | None]:
        """Return the models of an input; None if it is one table, which may contain models."""
        value = self.tables[table]
        if table != "recs" or not isinstance(value, Mapping):
            return [None]
        if not value:
            raise InputError(
                "recs={} has no model: give at least one, as in {'als': 'als.parquet'}"
            )
        for model in value:
            if not isinstance(model, str) or not model:
                raise InputError(messages.MODEL.format(model=model))
        return [*value]

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a query of few rows over the inputs."""
        with self.engine.naming(self.objects):
            return self.engine.rows(sql)

    def read(
        self,
        table: str,
        model: str | None = None,
        *,
        required: Sequence[str] = (),
        assumed: Sequence[str] = (),
        optional: Sequence[str] = (),
    ) -> Source:
        """Return the source of an input, or of the lists of one of its models.

        Args:
            table: The input: ``recs``, ``truth``, ``history``, ...
            model: The model, if the input is a dict of tables.
            required: Standard columns that it must have.
            assumed: Standard columns that are assumed to exist if the table can't be read.
            optional: Standard columns that are used if it has them.
        """
        value, name = self.tables.get(table), table
        if model is not None:
            value, name = self.tables[table][model], f"{table}[{model!r}]"
        where = self.where.get(table, "")
        description = _describe(value) + (f" where {where}" if where else "")
        with self._named_errors(value, name, _describe(value)):
            rows = self._relation(value, name, table)
            with self.engine.naming(self.objects):
                types = self.engine.columns(rows)
        if types is None:
            required = [*required, *assumed]
            names = self.columns.assumed(table, required, optional)
            columns, parts = self._find_columns(
                name, table, dict.fromkeys(names, ""), names, required, optional
            )
            composites, dialect = self._quote_names(parts, stored=False), self.engine.dialect
            return Source(name, rows, {}, columns, dialect, composites=composites, where=where)
        with self._named_errors(value, name, description), self.engine.naming(self.objects):
            source = self._source(rows, types, name, table, required, optional)
            is_duckdb = self.engine.dialect == "duckdb"
            if table == "recs" and not self.ranked and is_duckdb and "item_id" in source.columns:
                items = source.expression("item_id")
                items = f"unnest({items})" if source.unnest else items
                self.ranked = f"select cast({items} as varchar) from {source.relation}"
            empty = not self.engine.rows(f"select 1 as filled from {source.relation} limit 1")
        if empty:
            raise InputError(f"{name}={description} is empty: at least one row is needed")
        if source.unnest and not DIALECTS[source.dialect].lists:
            raise InputError(
                f"{name}.item_id is {source.kind('item_id')}: {source.dialect} can't read lists; "
                "give a row for each item"
            )
        return source

    def _source(
        self,
        rows: str,
        types: dict[str, str],
        name: str,
        table: str,
        required: Sequence[str],
        optional: Sequence[str],
    ) -> Source:
        """Return the source of a relation with known columns."""
        dialect, where = self.engine.dialect, self.where.get(table, "")
        is_text = self.engine.is_text(rows)
        shape = self._shape(rows, types, table, is_text, {*required, *optional})
        required, optional = (
            [x for x in names if x not in shape.columns] for names in (required, optional)
        )
        headers = self.engine.header_names(rows, [*types], self.objects.get(rows))
        columns, parts = self._find_columns(
            name, table, {**types, **shape.types}, headers, required, optional, rows
        )
        columns |= shape.columns
        numbers = dict.fromkeys(_condition_columns(where, types), True) | {
            caller_column: column in NUMBERS
            for column, caller_column in columns.items()
            if caller_column in types
        }
        typed, kinds, casts = self.engine.typed(rows, types, numbers)
        casts = {x: kind for x, kind in casts.items() if x not in shape.types} | {**shape.casts}
        source = Source(
            name,
            shape.rows.replace(rows, typed),
            {**kinds, **shape.types},
            columns,
            dialect,
            casts,
            self._quote_names(parts, stored=True),
            where,
            is_text,
        )
        if parts or where:
            all_types = self.engine.columns(source.relation) or {}
            added = {columns[column]: all_types[columns[column]] for column in parts}
            source = replace(source, types={**source.types} | added)
        if dialect != "duckdb":
            return source
        locate = partial(self.engine.locate, rows)
        return replace(source, probe=partial(self._probe, source), locate=locate)

    def _probe(self, source: Source, column: str, form: str) -> Any:
        """Return the first value of a column that does not satisfy a condition, as in the file."""
        caller_column = source.columns[column]
        casts = {name: kind for name, kind in source.casts.items() if name != caller_column}
        return find_exception(self.rows, replace(source, casts=casts).relation, caller_column, form)

    def _shape(
        self, rows: str, types: Mapping[str, str], table: str, is_text: bool, columns: set[str]
    ) -> Shape:
        """Return the rows with items as single values or as lists, for any supported shape."""
        shape = Shape(rows)
        if self.engine.dialect != "duckdb" or "item_id" not in columns:
            return shape
        names = [*types]
        lookup = partial(self.columns.lookup, table=table, names=names)
        item = lookup("item_id")
        structs = struct_columns(types)
        chosen = [column for column in structs if self.columns.names_field(column, table)]
        if chosen or (item is None and len(structs) == 1):
            column = (chosen or structs)[0]
            shape = unnest_structs(rows, types, column, table)
            if not chosen and not shape.columns:
                raise InputError(
                    f"{table}.{column} is {types[column]:.200}: rename its fields, as in columns="
                    f"{{'{table}.item_id': '{column}.item', '{table}.score': '{column}.score'}}"
                )
            return replace(shape, columns={}) if chosen else shape
        ordered = (lookup("score") or lookup("rank")) if table in RANKED else None
        if table in RANKED and not ordered:
            list_names = self.columns.list_columns(table, names) or (
                [] if item else numbered_columns(names)
            )
            if list_names:
                return gather_columns(self.engine.rows, rows, types, list_names, table, is_text)
        user = lookup("user_id")
        if item is None or user is None or table not in LISTS or types[item] != "VARCHAR":
            return shape
        run, single = self.engine.rows, table in RANKED and ordered is not None
        if table == "truth" and self.ranked:
            single = not needs_splitting(
                run, rows, item, user, self.ranked, any_part=self.separated
            )
        lists = split_text(run, rows, item, user, table, bracketed_only=single, is_text=is_text)
        self.separated |= lists is not None and table in RANKED
        return lists or shape

    def _composite_columns(
        self, name: str, table: str, types: Mapping[str, str], columns: Iterable[str], stored: bool
    ) -> dict[str, str]:
        """Return the SQL of composite keys and nested fields by standard column."""
        names, composites = [*types], {}
        for column in columns:
            parts = self.columns.composite(column, table, names)
            expressions = []
            for number, part in enumerate(parts):
                index, fields = _split_field(part, table, names) or (0, [])
                if len(parts) > 1 and not fields:
                    self._check_part(name, column, number, names[index], types[names[index]])
                expression = identifier(names[index], self.engine.dialect, stored=stored)
                expressions.append(column_field(expression, fields, self.engine.dialect))
            if expressions:
                composites[column] = composite_key(expressions, self.engine.dialect)
        return composites

    def _check_part(
        self, name: str, column: str, number: int, caller_column: str, kind: str
    ) -> None:
        details = {"table": name, "column": caller_column, "kind": kind, "key": column}
        if kind in _FLOATING or is_nested(kind):
            raise InputError(messages.KEY_PART.format(**details))
        family = "integer" if kind in _INTEGERS else kind
        first, of = self.kinds.setdefault((column, number), (family, name))
        # Text in a file can be of any type.
        if kind and first and family != first and "VARCHAR" not in (family, first):
            raise InputError(messages.KEY_PARTS.format(**details, other=first, first=of))

    def _quote_names(self, parts: Mapping[str, str], stored: bool) -> dict[str, str]:
        """Return the SQL of composite columns by quoted name."""
        dialect = self.engine.dialect
        return {
            identifier(_composite_name(column), dialect, stored=stored): sql
            for column, sql in parts.items()
        }

    @contextmanager
    def _named_errors(self, value: Any, name: str, description: str) -> Iterator[None]:
        """Raise the errors of an engine as errors of an input, with its name."""
        try:
            yield
        except InputError:
            raise
        except self.engine.error as error:
            reason = csv_fault(str(error)) or first_line(error).rstrip("!.")
            hint = ""
            if (
                isinstance(value, str)
                and description == _describe(value)
                and not is_query(value)
                and self._path(value, name) is None
                and re.search(_MISSING_TABLE, reason, re.IGNORECASE)
            ):
                hint = f". It is read as a table's name: {PATHS}"
                if similar := similar_file(value):
                    raise InputError(
                        f"{name}={description}: no such file or table{similar}"
                    ) from cause(error)
            raise InputError(f"{name}={description} can't be read: {reason}{hint}") from cause(
                error
            )

    def _find_columns(
        self,
        name: str,
        table: str,
        types: Mapping[str, str],
        headers: Sequence[str],
        required: Sequence[str],
        optional: Sequence[str],
        relation: str = "",
    ) -> tuple[dict[str, str], dict[str, str]]:
        """Return the caller's column for each standard column, and the SQL of composite ones.

        Headers are the original names of the first columns. A table that can't be read has no
        relation.
        """
        caller_columns, is_read = [*types], bool(relation)
        composites = self._composite_columns(name, table, types, (*required, *optional), is_read)
        columns: dict[str, str] = {}
        renamed = set()
        for column in (*required, *optional):
            index, is_renamed = None, False
            if column in composites:
                columns[column] = _composite_name(column)
            else:
                index, is_renamed = self.columns.find(column, table, headers)
            if index is not None:
                columns[column] = caller_columns[index]
                renamed |= {column} if is_renamed else set()
        self._check_meanings(name, columns, {*required, *renamed})
        if missing := [column for column in required if column not in columns]:
            others = [name for name in headers if name not in columns.values()]
            guesses = {name: _guess(name, others) for name in missing}
            keys = ", ".join(f"'{table}.{name}': {guess}" for name, guess in guesses.items())
            names = f"column{'s' * (len(missing) > 1)} {', '.join(map(repr, missing))}"
            details = {"table": name, "names": names, "keys": keys}
            message = messages.COLUMN_LACKS.format(**details, columns=", ".join(headers))
            if {*guesses.values()} == {"..."}:
                message += self._format_hint(relation, missing[0], headers)
            raise ColumnError(message, input=name, column=missing[0])
        return columns, composites

    def _check_meanings(self, name: str, columns: dict[str, str], required: Container[str]) -> None:
        """Remove optional columns that the caller uses as another standard column."""
        meanings: dict[str, str] = {}
        for column, caller_column in [*columns.items()]:
            if column in self.columns.segments:
                continue
            first = meanings.setdefault(caller_column, column)
            if first == column:
                continue
            if first in required and column in required:
                details = {"table": name, "column": caller_column, "first": first}
                raise InputError(messages.COLUMN_MEANS.format(**details, second=column))
            del columns[column if first in required else first]
            meanings[caller_column] = first if first in required else column

    def _format_hint(self, relation: str, column: str, names: Sequence[str]) -> str:
        """Return a hint for a missing column, from the format of the table."""
        is_json = relation.startswith("read_json(")
        if self.engine.is_text(relation) and not is_json:
            if names[:1] == ["column0"]:
                return (
                    "; the file has no header, so that its columns are column0, column1 and so on; "
                    "or give its format: sqlrec.File(path, 'movielens'), 'lightgcn', 'trec', ..."
                )
            if names[0].startswith("#"):
                return "; the first line starts with '#': if it is a comment, delete it"
            return "; if the first line is a row, give sqlrec.File(path, header=False)"
        if names == ["json"] and is_json:
            return (
                '; a JSON file has a record for each row, {"user_id": "u1", "item_id": "a"}, or a '
                "dict of users"
            )
        if column == "item_id" and len(names) > _MAX_COLUMNS:
            return "; if each item has a column, give sqlrec.adapters.one_hot(frame)"
        return ""

    def describe_incomplete_files(self, column: str, table: str) -> str:
        """Return a message if one of several files has no such column, else an empty text."""
        inputs = self.engine.parts() if isinstance(self.engine, DuckDB) else []
        for files in inputs:
            columns = {file: self.columns.lookup(column, table, files[file]) for file in files}
            missing = [file for file, name in columns.items() if name is None]
            if 0 < len(missing) < len(files):
                present = next(filter(None, columns.values()))
                return (
                    f"{table}: {missing[0]!r} has no column {present!r}, but other files have it: "
                    "give all files the same columns"
                )
        return ""

    def restore_names(self, sql: str) -> str:
        """Return a statement with the caller's table names in place of copies."""
        for copy, relation in self.copies.items():
            sql = sql.replace(copy, relation)
        return sql

    def _relation(self, value: Any, name: str, table: str) -> str:
        path = self._path(value, name)
        if path is not None and isinstance(self.engine, DuckDB):
            file_table = None if isinstance(path, list) else open_table(path, name)
            if file_table is not None:
                return self._register(file_table, table)
        if path is not None:
            return self.engine.file(path, name)
        if isinstance(value, str):
            dialect = self.engine.dialect
            is_sql = is_query(value)
            relation = query(value, name, table, dialect) if is_sql else named(value, dialect)
            copied = self.engine.copy_table(relation)
            if copied is None:
                return relation
            rows, casts = copied
            name = self._register(rows, table)
            sql = f"({casts} from {name})" if casts else name
            self.copies[sql] = relation
            return sql
        return self._register(self.engine.table(value, name), table)

    def _path(self, value: Any, name: str) -> Any:
        """Return the path, the ``File`` or the paths of an input; None for a table."""
        if value is None or (isinstance(value, str) and not value.strip()):
            raise InputError(f"{name} is missing: give a path, a table of Python or a table's name")
        if isinstance(value, File):
            return replace(value, path=copy_pipe(os.fsdecode(value.path)))
        if (
            isinstance(value, list | tuple)
            and value
            and all(isinstance(part, str | os.PathLike) for part in value)
        ):
            return [*value]
        if isinstance(value, os.PathLike):
            return os.fsdecode(value)
        if isinstance(value, str):
            check_parentheses(value, name)
        is_path_text = (
            isinstance(value, str)
            and not is_query(value)
            and (is_path(value) or (self.engine.own and (is_folder(value) or is_file(value))))
        )
        return copy_pipe(value) if is_path_text else None

    def _register(self, value: Any, table: str) -> str:
        """Register a Python table, under a random name if the engine has the caller's tables."""
        if not self.engine.own:
            name = f"sqlrec_{table}_{os.urandom(16).hex()}"
        elif table in self.objects:
            name = f"{table}_{len(self.objects) + 1}"
        else:
            name = table
        self.objects[name] = value
        return name


def _condition_columns(condition: str, names: Iterable[str]) -> list[str]:
    """Return the columns in a condition."""
    words = {word.lower() for word in re.findall(r"\w+", condition)}
    return [name for name in names if name.lower() in words or (name in condition and " " in name)]


def _composite_name(column: str) -> str:
    return f"sqlrec_{column}"


def _conditions(where: Mapping[str, str] | None, dialect: str) -> dict[str, str]:
    """Return the checked conditions of inputs."""
    if not isinstance(where, Mapping | None):
        raise InputError(messages.WHERE.format(where=where))
    conditions = {}
    for table, condition in (where or {}).items():
        if table not in TABLES:
            close = nearest(str(table), TABLES)
            raise InputError(messages.WHERE_INPUT.format(table=table, nearest=close))
        if not isinstance(condition, str) or not condition.strip():
            raise InputError(messages.WHERE_TEXT.format(table=table, condition=condition))
        conditions[table] = check_sql(condition, f"where[{table!r}]", dialect)
    return conditions


def unify_ids(sources: list[Source], ids: Iterable[Iterable[str]]) -> list[Source]:
    """Return sources with ids compared as text if the ids of one source are text."""
    for names in ids:
        kinds = {source.kind(name).removesuffix("[]") for source in sources for name in names}
        if any(kind == "VARCHAR" or kind.startswith("ENUM") for kind in kinds):
            sources = [source.with_text(names) for source in sources]
    return sources


def unify_scores(sources: list[Source]) -> list[Source]:
    """Return sources with floating-point scores if one source has such scores.

    Integers of text files are cast unless a double would round them.
    """
    if not any(source.kind("score") in _FLOATING for source in sources):
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


def _guess(column: str, names: Sequence[str]) -> str:
    """Suggest one of the caller's columns for a column, or ``...``: userId for user_id."""
    plain = {name: re.sub(r"[^a-z]", "", name.lower()) for name in names}
    found = [name for name in names if plain[name] == column.replace("_", "")]
    if not found and column == "item_id":
        found = [name for name in names if plain[name].endswith("id") and plain[name] != "userid"]
    return repr(found[0]) if len(found) == 1 else "..."


def _error(source: Source, column: str, message: str) -> ColumnError:
    return ColumnError(message, input=source.name, column=column)


def check_ids(columns: Iterable[tuple[Source, str]]) -> None:
    """Check that ids in columns of several inputs can be compared without loss."""
    first: tuple[str, Source, str] | None = None
    for source, column in columns:
        kind = source.kind(column).removesuffix("[]")
        if not kind:
            continue
        _check_filled(source, column)
        if kind in _FLOATING:
            message = messages.ID_FLOATING.format(table=source.name, column=column, kind=kind)
            raise _error(source, column, message + _describe_non_integer(source, column))
        if is_nested(kind):
            message = f"{source.name}.{column} is {kind}: an id is a single value"
            raise _error(source, column, message)
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
        raise _error(source, column, message)


def _id_family(source: Source, kind: str) -> str:
    """Return the name of types whose ids can be compared with each other."""
    if kind.startswith("ENUM"):
        return "VARCHAR"
    # The scale is unknown for PostgreSQL, which compares exact numbers without loss.
    is_exact = kind == "DECIMAL" and source.dialect == "postgres"
    # UHUGEINT and a signed type would be compared as doubles.
    is_whole = is_exact or _WHOLE_DECIMAL.fullmatch(kind) or kind in _INTEGERS - {"UHUGEINT"}
    return "integer" if is_whole else kind


def _check_filled(source: Source, column: str) -> None:
    if source.kind(column).strip('"[]') == "NULL":
        message = f"{source.name}.{column} is null in every row, so it has no type: add values, or "
        raise _error(source, column, f"{message}remove the column")


def _describe_non_integer(source: Source, column: str) -> str:
    """Return the first id of a text column that is not a plain integer, for a message."""
    is_text = source.kind(column) == "VARCHAR" or source.columns[column] in source.casts
    if not is_text:
        return ""
    if (value := source.probe(column, WHOLE)) is not None:
        return f"; {str(value)!r:.80} in {source.name} is not a whole number"
    padded = source.probe(column, UNPADDED)
    return "" if padded is None else f"; {str(padded)!r:.80} in {source.name} begins with a zero"


def check_number(source: Source, column: str) -> None:
    """Check that a column has numbers: integers for a rank or position."""
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
        raise _error(source, column, message)
    is_flag = kind == "BOOLEAN" and column in ("reward", "click")
    if kind in _INTEGERS or not kind or is_flag:
        return
    if is_whole:
        message = f"{source.name}.{column} is {kind}: a {column} must be a whole number; cast it "
        raise _error(source, column, f"{message}to an integer")
    if kind not in _FLOATING and not kind.startswith("DECIMAL"):
        message = messages.NOT_A_NUMBER.format(table=source.name, column=column, kind=kind)
        raise _error(source, column, message)


def check_scores(sources: Iterable[Source]) -> None:
    """Check that scores of several tables can be combined in one column without loss."""
    families: dict[str, Source] = {}
    for source in sources:
        kind = source.kind("score")
        family = "whole" if kind in _INTEGERS else "floating" if kind in _FLOATING else kind
        if kind:
            families.setdefault(family, source)
    if len(families) > 1:
        types = " and ".join(f"{s.name}.score is {s.kind('score')}" for s in families.values())
        raise InputError(
            f"{types}: in one column they could lose digits and tie; cast them to one type"
        )


def check_scalar_column(source: Source, column: str) -> None:
    """Check that a column has single values, and no lists or other nested values."""
    if is_nested(source.kind(column)):
        message = f"{source.name}.{column} is {source.kind(column)}: give single values, a row for "
        raise _error(source, column, f"{message}each")


def check_label_column(source: Source, column: str) -> None:
    """Check that a column has labels, and no floating-point numbers, since NaN is not a label."""
    check_scalar_column(source, column)
    if source.kind(column) in _FLOATING:
        message = f"{source.name}.{column} is {source.kind(column)}: a {column} must be a label; "
        raise _error(source, column, f"{message}cast it to an integer or to text")


def is_number(kind: str) -> bool:
    """Return whether a type is numeric or Boolean."""
    return kind in {*_INTEGERS, *_FLOATING, "BOOLEAN"} or kind.startswith("DECIMAL")


def is_nested(kind: str) -> bool:
    """Return whether values of a type are lists, structs, maps or unions."""
    return kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION"))


def is_integer(source: Source, column: str) -> bool:
    """Return whether a column has an integer type."""
    return source.kind(column).removesuffix("[]") in _INTEGERS


def is_floating(source: Source, column: str) -> bool:
    """Return whether a column can contain NaN. Unknown types can."""
    kind = source.kind(column)
    # PostgreSQL's exact numbers have a NaN. ClickHouse types must declare nulls.
    has_nan = (source.dialect == "postgres" and kind.startswith("DECIMAL")) or (
        source.dialect == "clickhouse"
    )
    return column in source.columns and (has_nan or kind in {"", *_FLOATING})


def _describe(value: Any) -> str:
    value = value.path if isinstance(value, File) else value
    return repr(value) if isinstance(value, (str, os.PathLike)) else f"<{type(value).__name__}>"


def first_line(error: Exception) -> str:
    """Return the first line of an error of an engine. The following lines repeat the statement.

    DuckDB's errors of extensions and of addresses have their cause in further lines.
    """
    if re.match("An error occurred while trying to automatically|HTTP Error", str(error)):
        return " ".join(str(error).partition("LINE 1:")[0].split())
    return next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
