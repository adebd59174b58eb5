"""Inputs: files, Python tables and database tables, as relations with standard columns."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from .. import messages
from ..catalogue.headers import TABLES, known_columns
from ..dialects import DIALECTS, identifier
from ..dialects import relation as named
from ..engines.base import Engine
from ..engines.column_types import find_invalid_value
from ..engines.delimited import find_csv_fault
from ..engines.duckdb import DuckDB
from ..engines.files import PATHS, copy_pipe, is_path, path_exists, similar_file
from ..engines.formats import File
from ..engines.table_files import open_unsupported_file
from ..errors import ColumnError, InputError, first_error_line, safe_cause, suggest_name
from .columns import Columns, resolve_nested_field
from .list_shapes import (
    LISTS,
    RANKED,
    Shape,
    gather_columns,
    needs_splitting,
    numbered_columns,
    split_text_lists,
    struct_columns,
    unnest_structs,
)
from .source import FLOATING, INTEGERS, NUMBERS, Source, is_nested
from .sql_fragments import (
    check_parentheses,
    check_query,
    check_sql,
    column_field,
    composite_key,
    is_query,
)
from .tables import Tables

# Tables with more columns than this and no `item_id` may have one column for each item.
_MAX_COLUMNS = 5

# Words in engines' error messages about a missing table.
_MISSING_TABLE = "table|relation|view|catalog|not found|does not exist"


@dataclass(eq=False)
class Inputs:
    """The inputs of one call, with the Python tables that SQL reads by name."""

    engine: Engine  # The engine that stores or reads the inputs.
    columns: Columns  # The caller's column names.
    where: Mapping[str, str] = field(default_factory=dict)  # The condition for rows, by input.
    # The inputs by name: paths, Python tables and names of tables.
    tables: Mapping[str, Any] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)  # The names of the inputs that were read.
    objects: dict[str, object] = field(default_factory=dict)  # Python tables by their SQL names.
    copies: dict[str, str] = field(default_factory=dict)  # Names to print, by the copy's name.
    # The types of columns by input. Sources refer to inputs, so they are not kept here.
    _kinds: dict[str, dict[str, str]] = field(default_factory=dict)
    # The type of each part of a composite key, and the first input with this key.
    _key_kinds: dict[tuple[str, int], tuple[str, str]] = field(default_factory=dict)
    _ranked: str = ""  # A query for the recommended items as text, to detect lists in the truth.
    _separated: bool = False  # Whether lists were parsed from text with separators.

    @classmethod
    def from_tables(
        cls, tables: Tables, segments: Iterable[str], order_by: str | None = None
    ) -> Inputs:
        """Return the inputs of a dataset, with the column that orders rows, if any."""
        columns = tables.columns
        if order_by is not None and isinstance(columns, Mapping | None):
            columns = {**(columns or {}), "order_by": order_by}
        names = Columns(columns, known_columns(), tables=tuple(TABLES), segments=segments)
        where = _check_conditions(tables.where, tables.engine.dialect)
        return cls(tables.engine, names, where, tables.present, tables.used)

    def models(self, table: str) -> list[str | None]:
        """Return the models of an input, None for a single table, which may contain models."""
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
        """Run a query with few rows over the inputs."""
        with self.engine.naming(self.objects):
            return self.engine.rows(sql)

    def rows_once(self, sql: str) -> list[tuple[Any, ...]]:
        """Run a query about the inputs; the engine may keep its rows."""
        with self.engine.naming(self.objects):
            return self.engine.rows_once(sql)

    def read(self, table: str, model: str | None = None, **columns: Sequence[str]) -> Source:
        """Return the source of an input, like ``describe``, and note that a call uses the input."""
        self.used.add(table)
        return self.describe(table, model, **columns)

    def describe(
        self,
        table: str,
        model: str | None = None,
        *,
        required: Sequence[str] = (),
        assumed: Sequence[str] = (),
        optional: Sequence[str] = (),
    ) -> Source:
        """Return the source of an input, or of the lists of one of its models.

        ``assumed`` columns are required if the table can't be read; ``optional`` ones are used if
        the input has them.
        """
        value, name = self.tables.get(table), table
        if model is not None:
            value, name = self.tables[table][model], f"{table}[{model!r}]"
        where, path = self.where.get(table, ""), self._find_input_file(value, name)
        is_name = path is None and isinstance(value, str) and not is_query(value)
        table_name = str(value) if is_name else ""
        table_or_path = value.path if isinstance(value, File) else value
        is_text = isinstance(table_or_path, (str, os.PathLike))
        description = repr(table_or_path) if is_text else f"<{type(table_or_path).__name__}>"
        with self._named_errors(name, description, table_name):
            rows = self._input_relation(value if path is None else None, path, name, table)
            with self.engine.naming(self.objects):
                types = self.engine.columns(rows)
        description += f" where {where}" if where else ""
        if types is None:
            required = [*required, *assumed]
            names = self.columns.assumed(table, required, optional)
            types = dict.fromkeys(names, "")
            columns, parts = self._find_columns(name, table, types, names, required, optional)
            composites, dialect = self._quote_names(parts, stored=False), self.engine.dialect
            return Source(name, rows, {}, columns, dialect, composites=composites, where=where)
        table_name = "" if where else table_name
        with (
            self._named_errors(name, description, table_name, table, types if where else ()),
            self.engine.naming(self.objects),
        ):
            source = self._source(rows, types, name, table, required, optional)
            is_duckdb = self.engine.dialect == "duckdb"
            if table == "recs" and not self._ranked and is_duckdb and "item_id" in source.columns:
                items = source.expression("item_id")
                items = f"unnest({items})" if source.unnest else items
                self._ranked = f"select cast({items} as varchar) from {source.relation}"
            empty = self._is_empty(source.relation)
        if empty:
            raise InputError(f"{name}={description} is empty: at least one row is needed")
        if source.unnest and not DIALECTS[source.dialect].lists:
            raise InputError(
                f"{name}.item_id is {source.kind('item_id')}: {source.dialect} can't read lists; "
                "give a row for each item"
            )
        self._kinds[table] = {x: source.expression_kind(x) for x in source.columns}
        return source

    def kind(self, table: str, column: str) -> str:
        """Return the type of a column of a described input, empty if unknown."""
        return self._kinds.get(table, {}).get(column, "")

    def _is_empty(self, relation: str) -> bool:
        """Return whether a relation has no rows, from the length of an Arrow table or a query."""
        count = getattr(self.objects.get(relation), "num_rows", None)
        if isinstance(count, int):
            return not count
        return not self.engine.rows_once(f"select 1 as filled from {relation} limit 1")

    def _source(
        self,
        rows: str,
        types: dict[str, str],
        name: str,
        table: str,
        required: Sequence[str],
        optional: Sequence[str],
    ) -> Source:
        dialect, where = self.engine.dialect, self.where.get(table, "")
        is_text = self.engine.is_text(rows)
        shape = self._normalize_list_shape(rows, types, table, is_text, {*required, *optional})
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
        return replace(source, probe=partial(self._find_invalid_value, source), locate=locate)

    def _find_invalid_value(self, source: Source, column: str, form: str) -> Any:
        """Return the first value of a column that fails a condition, before the cast."""
        caller_column = source.columns[column]
        casts = {name: kind for name, kind in source.casts.items() if name != caller_column}
        return find_invalid_value(
            self.rows_once, replace(source, casts=casts).relation, caller_column, form
        )

    def _normalize_list_shape(
        self, rows: str, types: Mapping[str, str], table: str, is_text: bool, columns: set[str]
    ) -> Shape:
        """Return a relation with items as single values or as lists, for any supported shape."""
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
                return gather_columns(
                    self.engine.rows_once, rows, types, list_names, table, is_text
                )
        user = lookup("user_id")
        if item is None or user is None or table not in LISTS or types[item] != "VARCHAR":
            return shape
        run, single = self.engine.rows_once, table in RANKED and ordered is not None
        if table == "truth" and self._ranked:
            single = not needs_splitting(
                run, rows, item, user, self._ranked, any_part=self._separated
            )
        lists = split_text_lists(
            run, rows, item, user, table, bracketed_only=single, is_text=is_text
        )
        self._separated |= lists is not None and table in RANKED
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
                index, fields = resolve_nested_field(part, table, names) or (0, [])
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
        """Check that a part of a composite key is a single value of the same type in all inputs."""
        details = {"table": name, "column": caller_column, "kind": kind, "key": column}
        if kind in FLOATING or is_nested(kind):
            raise InputError(messages.KEY_PART.format(**details))
        family = "integer" if kind in INTEGERS else kind
        first, of = self._key_kinds.setdefault((column, number), (family, name))
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
    def _named_errors(
        self,
        name: str,
        description: str,
        table_name: str,
        table: str = "",
        columns: Collection[str] = (),
    ) -> Iterator[None]:
        """Raise an engine's errors about an input, or its condition if columns are passed."""
        try:
            yield
        except InputError:
            raise
        except self.engine.error as error:
            if name == "baseline" and self._is_model(table_name):
                raise InputError(
                    f"baseline={table_name!r} is a model of recs: give a table of baseline lists "
                    "here; compare and report take a model; check takes a rule like 'ndcg@10 > "
                    f"{table_name}'"
                ) from None
            reason = find_csv_fault(str(error)) or first_error_line(error).rstrip("!.")
            has = f"{name} has {', '.join(columns)}"
            message = f"{name}={description} can't be read: {reason}" + f"; {has}" * bool(columns)
            if columns and (missing := re.search('column "([^"]+)"', reason, re.IGNORECASE)):
                column = missing[1]
                close = suggest_name(column, columns, f"{has}; write strings in single quotes")
                message = f"where[{table!r}]: no column {column!r}: {close}"
            if table_name and re.search(_MISSING_TABLE, reason, re.IGNORECASE):
                if reason.startswith("Catalog Error: Table with name"):
                    message = f"{name}={description} can't be read: no such table"
                message += f". It is read as a table's name: {PATHS}"
                if similar := similar_file(table_name):
                    message = f"{name}={description}: no such file or table{similar}"
            raise InputError(message) from safe_cause(error)

    def _is_model(self, name: str) -> bool:
        recs = self.tables.get("recs")
        if recs is None or isinstance(recs, Mapping):
            return name in (recs or ())
        source = self.read("recs", optional=["model"])
        if "model" not in source.columns:
            return False
        models = f"select distinct {source.expression('model')} from {source.relation}"
        return (name,) in self.rows_once(models)

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
        """Return the caller's column for each standard column, and the SQL of composite columns."""
        caller_columns, is_read = [*types], bool(relation)
        composites = self._composite_columns(name, table, types, (*required, *optional), is_read)
        columns: dict[str, str] = {}
        renamed = set()
        for column in (*required, *optional):
            if column in composites:
                columns[column] = _composite_name(column)
                continue
            index, is_renamed = self.columns.find(column, table, headers)
            if index is not None:
                columns[column] = caller_columns[index]
                renamed |= {column} if is_renamed else set()
        self._check_meanings(name, columns, {*required, *renamed})
        if missing := [column for column in required if column not in columns]:
            others = [name for name in headers if name not in columns.values()]
            guesses = {name: _suggest_column(name, others) for name in missing}
            keys = ", ".join(f"'{table}.{name}': {guess}" for name, guess in guesses.items())
            names = f"column{'s' * (len(missing) > 1)} {', '.join(map(repr, missing))}"
            details = {"table": name, "names": names, "keys": keys}
            message = messages.COLUMN_LACKS.format(**details, columns=", ".join(headers))
            if {*guesses.values()} == {"..."}:
                message += self._format_hint(relation, missing[0], headers)
            raise ColumnError(message, input=name, column=missing[0])
        return columns, composites

    def _check_meanings(self, name: str, columns: dict[str, str], required: Container[str]) -> None:
        """Remove optional columns that the caller uses for another standard column."""
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
        """Return a message if one of several files lacks the column, else an empty string."""
        for files in self.engine.parts() if isinstance(self.engine, DuckDB) else ():
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
        """Return a statement with the caller's tables instead of copies, and with input names."""
        for copy, relation in reversed(self.copies.items()):
            sql = sql.replace(copy, relation)
        return sql

    def _input_relation(self, value: Any, path: Any, name: str, table: str) -> str:
        """Return the relation of files at a path, or else of a Python table, a name or a query."""
        if path is not None:
            is_file = isinstance(self.engine, DuckDB) and not isinstance(path, list)
            file_table = open_unsupported_file(path, name) if is_file else None
            if file_table is None:
                return self.engine.file(path, name)
            return self._register(file_table, table)
        if isinstance(value, str):
            dialect = self.engine.dialect
            is_sql = is_query(value)
            relation = check_query(value, name, table, dialect) if is_sql else named(value, dialect)
            copied = self.engine.copy_table(relation)
            if copied is None:
                return relation
            rows, casts = copied
            name = self._register(rows, table)
            sql = f"({casts} from {name})" if casts else name
            self.copies[sql] = relation
            return sql
        return self._register(self.engine.table(value, name), table)

    def _find_input_file(self, value: Any, name: str) -> Any:
        """Return the path, the ``File`` or the paths of an input; None for a table."""
        if value is None or (isinstance(value, str) and not value.strip()):
            raise InputError(f"{name} is missing: give a path, a table or a table's name")
        if isinstance(value, File):
            return replace(value, path=copy_pipe(os.fsdecode(value.path)))
        if isinstance(value, os.PathLike):
            return os.fsdecode(value)
        if isinstance(value, list | tuple):
            are_paths = value and all(isinstance(part, str | os.PathLike) for part in value)
            return [*value] if are_paths else None
        if not isinstance(value, str):
            return None
        check_parentheses(value, name)
        is_file = is_path(value) or (self.engine.own and path_exists(value))
        return copy_pipe(value) if is_file and not is_query(value) else None

    def _register(self, value: Any, table: str) -> str:
        """Register a Python table under a name that no table of the caller has."""
        printed = f"{table}_{len(self.objects) + 1}" if table in self.copies.values() else table
        name = self.engine.frame_name(printed)
        self.copies[name] = printed
        self.objects[name] = value
        return name


def _condition_columns(condition: str, names: Iterable[str]) -> list[str]:
    words = {word.lower() for word in re.findall(r"\w+", condition)}
    return [name for name in names if name.lower() in words or (name in condition and " " in name)]


def _composite_name(column: str) -> str:
    return f"sqlrec_{column}"


def _check_conditions(where: Mapping[str, str] | None, dialect: str) -> dict[str, str]:
    if not isinstance(where, Mapping | None):
        raise InputError(messages.WHERE.format(where=where))
    conditions = {}
    for table, condition in (where or {}).items():
        if table not in TABLES:
            close = suggest_name(str(table), TABLES)
            raise InputError(messages.WHERE_INPUT.format(table=table, nearest=close))
        if not isinstance(condition, str) or not condition.strip():
            raise InputError(messages.WHERE_TEXT.format(table=table, condition=condition))
        conditions[table] = check_sql(condition, f"where[{table!r}]", dialect)
    return conditions


def _suggest_column(column: str, names: Sequence[str]) -> str:
    """Suggest a column of the caller, such as userId for user_id; by default, ``...``."""
    plain = {name: re.sub(r"[^a-z]", "", name.lower()) for name in names}
    similar = [name for name in names if plain[name] == column.replace("_", "")]
    if not similar and column == "item_id":
        similar = [name for name in names if plain[name].endswith("id") and plain[name] != "userid"]
    return repr(similar[0]) if len(similar) == 1 else "..."
