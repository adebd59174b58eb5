"""Inputs: files, tables of Python and tables of a database, all brought into one form."""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .engines import DuckDB, identifier, text
from .errors import InputError, nearest

_READERS = {
    "parquet": "read_parquet",
    "csv": "read_csv",
    "csv.gz": "read_csv",
    "tsv": "read_csv",
    "tsv.gz": "read_csv",
    "jsonl": "read_json",
    "jsonl.gz": "read_json",
    "ndjson": "read_json",
    "json": "read_json",
}
_PATHS = f"a path is a folder or ends in .{', .'.join(_READERS)}"
_FLOATING = {"FLOAT", "DOUBLE"}
_INTEGERS = {
    *("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"),
    *("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"),
}


@dataclass(frozen=True)
class Source:
    """An input as SQL can name it.

    Attributes:
        name: What the caller calls it, for messages: ``recs``, ``recs['als']``, ``truth``.
        relation: What stands after ``from``.
        types: The type of each of its columns.
        found: The caller's column for each name of ours that was found.
    """

    name: str
    relation: str
    types: Mapping[str, str]
    found: Mapping[str, str]

    @property
    def unnest(self) -> bool:
        """Whether ``item_id`` is a list of items, of which each becomes a row."""
        return self.kind("item_id").endswith("[]")

    def kind(self, name: str) -> str:
        """Return the type of one of our columns; empty where the input has none."""
        return self.types[self.found[name]] if name in self.found else ""

    def expression(self, name: str) -> str:
        """Write one of our columns in SQL."""
        column = identifier(self.found[name])
        # An enum sorts by the order of its values, which would be a tie order of its own.
        if self.kind(name).startswith("ENUM") or name == "model":
            return f"cast({column} as varchar)"
        return column


class Columns:
    """The caller's names of columns: ``{"user_id": "uid", "truth.item_id": "sku"}``.

    Args:
        named: Our name to the caller's, for every input that has the column, or for one input
            where its name stands in front.
        known: Our names.
        tables: The names of inputs.

    Raises:
        InputError: A name or input that does not exist.
    """

    def __init__(
        self, named: Mapping[str, str] | None, known: Iterable[str], tables: Iterable[str]
    ) -> None:
        if not isinstance(named, Mapping | None):
            raise InputError(f"columns={named!r}: give a dict, your names by ours")
        self.named = dict(named or {})
        self.unused = set(self.named)
        for key, value in self.named.items():
            table, _, column = str(key).rpartition(".")
            if table and table not in tables:
                raise InputError(f"columns[{key!r}]: no input {table!r}: {nearest(table, tables)}")
            if column not in known:
                raise InputError(
                    f"columns[{key!r}]: no column {column!r}: {nearest(column, known)}"
                )
            if not isinstance(value, str):
                raise InputError(f"columns[{key!r}]={value!r}: a column's name is text")

    def find(self, name: str, table: str, types: Mapping[str, str]) -> str | None:
        """Return the caller's column for a name of ours, if the table has it."""
        by_case = {column.lower(): column for column in reversed(list(types))}
        for key in (f"{table}.{name}", name):
            wanted = self.named.get(key)
            if wanted is None:
                continue
            column = wanted if wanted in types else by_case.get(wanted.lower())
            if column is not None:
                self.unused.discard(key)
                return column
            if "." in key:
                raise InputError(f"columns[{key!r}]={wanted!r}: {table} has {', '.join(types)}")
        return name if name in types else by_case.get(name)

    def check_used(self) -> None:
        """Refuse a name that no input has: it is misspelled."""
        for key in sorted(self.unused):
            raise InputError(f"columns[{key!r}]={self.named[key]!r}: no input has this column")


class Inputs:
    """All inputs of one call, with the tables of Python that SQL sees under a name."""

    def __init__(self, engine: DuckDB, columns: Columns) -> None:
        self.engine = engine
        self.columns = columns
        self.objects: dict[str, Any] = {}

    def read(
        self, given: Any, name: str, table: str, *, needed: Iterable[str], taken: Iterable[str]
    ) -> Source:
        """Bring one input into the common form.

        Args:
            given: A path, glob, folder, table of Python or table name.
            name: How messages call it.
            table: Which input it is: ``recs``, ``truth`` or ``users``.
            needed: Columns of ours that it must have.
            taken: Columns of ours that are taken where it has them.

        Raises:
            InputError: It can't be read, is empty, lacks a column or has one of the wrong type.
        """
        try:
            relation = self._relation(given, name, table)
            with self.engine.naming(self.objects):
                types = self.engine.columns(relation)
                empty = not self.engine.query(f"select 1 from {relation} limit 1").num_rows
        except self.engine.error as error:
            is_name = isinstance(given, str) and not _is_path(given)
            hint = f". It is taken for a table's name: {_PATHS}" if is_name else ""
            reason = str(error).splitlines()[0]
            raise InputError(f"{name}={_shown(given)} can't be read: {reason}{hint}") from error
        found = {}
        for column in (*needed, *taken):
            theirs = self.columns.find(column, table, types)
            if theirs is not None:
                found[column] = theirs
        for column in needed:
            if column not in found:
                raise InputError(
                    f"{name} has no column {column!r}: it has {', '.join(types)}. "
                    f"Name yours: columns={{'{table}.{column}': ...}}"
                )
        if empty:
            raise InputError(f"{name}={_shown(given)} is empty: at least one row is needed")
        return Source(name, relation, types, found)

    def _relation(self, given: Any, name: str, table: str) -> str:
        if given is None:
            raise InputError(f"{name} is missing: give a path, a table of Python or a table's name")
        if isinstance(given, os.PathLike) or (isinstance(given, str) and _is_path(given)):
            return _reader(os.fspath(given), name)
        if isinstance(given, str):
            return ".".join(identifier(part) for part in given.split("."))
        return self._register(_as_table(given, name), table)

    def _register(self, given: Any, table: str) -> str:
        """Name a table of Python as people would; beside the caller's tables, as nobody would."""
        if not self.engine.own:
            name = f"sqlrec_{table}_{uuid.uuid4().hex}"
        elif table in self.objects:
            name = f"{table}_{len(self.objects) + 1}"
        else:
            name = table
        self.objects[name] = given
        return name


def check_ids(sources: Iterable[Source], column: str) -> None:
    """Check that ids of several inputs can be compared without loss.

    Raises:
        InputError: An id is a floating number or nested, or two inputs have ids of different kinds.
    """
    first: tuple[str, str, str] | None = None
    for source in sources:
        kind = source.kind(column).removesuffix("[]")
        if kind in _FLOATING:
            raise InputError(
                f"{source.name}.{column} is {kind}: a floating number loses digits of an id; "
                "cast it to an integer or to text"
            )
        if is_nested(kind):
            raise InputError(f"{source.name}.{column} is {kind}: an id is a single value")
        family = "VARCHAR" if kind.startswith("ENUM") else kind
        # The largest unsigned kind and a signed one would be compared as doubles.
        family = "integer" if kind in _INTEGERS - {"UHUGEINT"} else family
        if first and first[0] != family:
            raise InputError(
                f"{column} is {first[1]} in {first[2]} and {kind} in {source.name}: "
                "ids are compared as they are; cast one of them"
            )
        first = first or (family, kind, source.name)


def check_number(source: Source, column: str) -> None:
    """Check that a column holds numbers: whole ones for a rank.

    Raises:
        InputError: It does not.
    """
    kind = source.kind(column)
    if kind in _INTEGERS:
        return
    if column == "rank":
        raise InputError(
            f"{source.name}.rank is {kind}: a rank is a whole number; cast it to an integer"
        )
    if kind not in _FLOATING and not kind.startswith("DECIMAL"):
        raise InputError(f"{source.name}.{column} is {kind}: a {column} is a number; cast it")


def check_scores(sources: Iterable[Source]) -> None:
    """Check that scores of several tables can stand in one column, each as it is.

    Raises:
        InputError: Scores are whole numbers in one, and decimal or floating numbers in another.
    """
    families: dict[str, Source] = {}
    for source in sources:
        kind = source.kind("score")
        family = "whole" if kind in _INTEGERS else "floating" if kind in _FLOATING else kind
        families.setdefault(family, source)
    if len(families) > 1:
        found = " and ".join(f"{s.name}.score is {s.kind('score')}" for s in families.values())
        raise InputError(f"{found}: together they could lose digits and tie; cast them to one type")


def is_nested(kind: str) -> bool:
    """Say whether a type holds more than a single value."""
    return kind.endswith("]") or kind.startswith(("STRUCT", "MAP", "UNION"))


def is_floating(source: Source, column: str) -> bool:
    """Say whether a column can hold NaN."""
    return source.kind(column) in _FLOATING


def _is_path(given: str) -> bool:
    return (
        _ending(given) is not None
        or any(sign in given for sign in ("/", "\\", "*", "?", "://"))
        or _is_folder(given)
    )


def _is_folder(path: str) -> bool:
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):  # No path at all: too long, or with a null character.
        return False


def _ending(path: str) -> str | None:
    """Return the ending of a path, if it is one that says what the file holds."""
    return next((ending for ending in _READERS if path.lower().endswith(f".{ending}")), None)


def _reader(path: str, name: str) -> str:
    """Write the call that reads a file, the files of a glob, or a folder, hive partitions too."""
    options = ""
    if _is_folder(path):
        endings = {_ending(file.name) for file in Path(path).rglob("*") if file.is_file()} - {None}
        if len(endings) != 1:
            holds = ", ".join(sorted(map(str, endings))) or "no Parquet, CSV or JSON lines file"
            raise InputError(
                f"{name}={path!r} holds {holds}: a folder is read whole, so it holds one kind; "
                "give a glob for some of its files"
            )
        ending = endings.pop()
        either_case = "".join(f"[{c}{c.upper()}]" if c.isalpha() else c for c in str(ending))
        path = f"{_literal(path.rstrip('/'))}/**/*.{either_case}"
        # Files are brought together by the names of their columns, in types that hold them all.
        options = ", union_by_name = true, hive_partitioning = true"
    elif Path(path).exists():
        ending = _ending(path)
        path = _literal(path)
    elif re.search(r"[*?\[]|://", path):
        ending = _ending(path)
        options = ", union_by_name = true"
    else:
        raise InputError(f"{name}={path!r}: there is no such file")
    if ending is None:
        raise InputError(f"{name}={path!r}: the ending says what a file holds: {_PATHS}")
    return f"{_READERS[ending]}({text(path)}{options})"


def _literal(path: str) -> str:
    """Take the meaning of a pattern from the signs of a path that exists."""
    return re.sub(r"([*?\[])", r"[\1]", path)


def _as_table(given: Any, name: str) -> Any:
    """Bring a table of Python into a form that can be read more than once."""
    kind = type(given).__module__.partition(".")[0]
    if kind == "polars" and hasattr(given, "collect"):
        given = given.collect()
    if kind == "pandas" and hasattr(given, "columns"):
        return given
    if kind == "pyarrow" and type(given).__name__.endswith("Dataset"):
        return given
    if hasattr(given, "__arrow_c_stream__"):
        import pyarrow as pa

        try:
            return pa.table(given)
        except (pa.ArrowException, TypeError) as error:
            raise InputError(f"{name} is a {type(given).__name__} and no table: {error}") from error
    if hasattr(given, "to_arrow_table"):
        return given.to_arrow_table()
    raise InputError(
        f"{name} is a {type(given).__name__}: give a path, a table's name, or a table of pandas, "
        "Polars, PyArrow, DuckDB or with the Arrow C stream interface"
    )


def _shown(given: Any) -> str:
    return repr(given) if isinstance(given, (str, os.PathLike)) else f"<{type(given).__name__}>"
