"""Resolve the names in a statement: find the source of each column.

If a name may have several meanings, its query stays whole. Here, ``n`` in ``n * 2`` may be a column
of the table or of the select:

>>> from sqlrec.rendering.prune import show_pass
>>> show_pass("unused", '''
... with
... sizes as (select user_id, items + 1 as n, n * 2 as twice from r)
... select user_id from sizes
... ''')
with
sizes as (select user_id, items + 1 as n, n * 2 as twice from r)
select user_id
from sizes
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from ..errors import MetricError
from .queries import Entry, Query, Select, Source, UnknownForm, is_column, names_in
from .tokens import Token

# A column, with the name of its table.
_COLUMN = re.compile(r"(?:(\w+)\.)?(\w+|\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`)")


@cache
def _split_column(name: str) -> tuple[str, str]:
    """Return a column's table, if any, and its name; two empty strings for other words."""
    match = _COLUMN.fullmatch(name)
    return (match[1] or "", match[2]) if match else ("", "")


def leave_ambiguous_queries(queries: list[Query]) -> None:
    """Leave queries unparsed if a name in them may have several meanings.

    Raises:
        MetricError: Two tables of a join have a column that is read without its table.
    """
    _leave_ambiguous(queries, {query.name: query for query in queries if query.name})


def _leave_ambiguous(queries: Iterable[Query], queries_by_name: Mapping[str, Query]) -> None:
    for query in queries:
        inner = [
            source.query for select in query.selects for source in select.sources if source.query
        ]
        _leave_ambiguous(inner, queries_by_name)
        try:
            for select in query.selects:
                _check_select(query.name, select, queries_by_name)
        except UnknownForm as form:
            query.selects, query.unions, query.form = [], [], str(form)


def _check_select(query: str, select: Select, queries_by_name: Mapping[str, Query]) -> None:
    tables = {source.alias: source_columns(source, queries_by_name) for source in select.sources}
    if len(tables) < len(select.sources):
        raise UnknownForm("two tables of the same name")
    # A name that no source contains may be another column of this select.
    read = [(entry.name, names_in(entry.expression)) for entry in select.entries]
    own = dict(read)
    computed = {name for name, names in own.items() if name not in names}
    for name, names in read:
        _check_columns_exist(names, query, tables, computed - {name})
    for source in select.sources:
        _check_columns_exist(names_in(source.on or source.table[1:]), query, tables, set())
    for word, nodes in select.clauses.items():
        order_names = {*names_in(nodes)} if word != "settings" else set()
        if word == "order":
            if query and order_names & computed - {
                entry.name for entry in select.entries if is_column(entry.expression)
            }:
                raise UnknownForm("an order by an expression of the select")
            order_names -= own.keys()
        _check_columns_exist(order_names, query, tables, computed if word == "having" else set())


def _check_columns_exist(
    names: Iterable[str], query: str, tables: Mapping[str, set[str] | None], computed: set[str]
) -> None:
    for name in names:
        table, column = _split_column(name)
        if not column or (table and table not in tables):
            raise UnknownForm(f"{name} of another query")
        if table:
            continue
        having = [one for one, columns in tables.items() if columns and name in columns]
        if len(having) > 1:
            raise MetricError(
                f"{query + ': ' if query else ''}column {name!r} is read without its table in a "
                f"join: write {having[0]}.{name}"
            )
        if len(tables) != 1:
            raise UnknownForm(f"{name} without its table")
        if not having and name in tables:
            raise UnknownForm(f"{name}: a table as a value")
        if name in computed and None in tables.values():
            raise UnknownForm(f"{name}, a column of the table or of the select")


def expand_stars(queries: Iterable[Query]) -> None:
    """Replace qualified stars, as in ``hits.*``, by their columns, if the columns are known."""
    queries_by_name: dict[str, Query] = {}
    for query in queries:
        for select in query.selects:
            entries = [_expand_star(entry, select, queries_by_name) for entry in select.entries]
            select.entries = [column for columns in entries for column in columns]
        queries_by_name[query.name] = query


def _expand_star(entry: Entry, select: Select, queries_by_name: Mapping[str, Query]) -> list[Entry]:
    qualifier = entry.expression[0].text
    if not entry.is_star or qualifier == "*":
        return [entry]
    [source] = select.star_sources(entry)
    columns = source_columns(source, queries_by_name)
    first = queries_by_name[source.name].selects[0] if columns is not None and source.name else None
    if first is None or any(entry.is_star for entry in first.entries):
        return [entry]
    prefix = qualifier if len(select.sources) > 1 else ""
    return [Entry([Token(f"{prefix}{entry.name}")], entry.name) for entry in first.entries]


def check_columns(query: str, select: Select, queries_by_name: Mapping[str, Query]) -> None:
    """Check that the tables of a select have the columns that it reads.

    Raises:
        MetricError: A named query lacks a column.
    """
    names = {name for nodes in select.parts() for name in names_in(nodes)}
    read = [_split_column(name) for name in names]
    for source in select.sources:
        columns = source_columns(source, queries_by_name)
        own = {name for table, name in read if name and table in (source.alias, "")}
        if columns is not None and own - columns:
            column = min(own - columns)
            raise MetricError(
                f"{query + ': ' if query else ''}{source.alias}.{column} is read, but "
                f"{source.name or 'its query'} has no column {column!r}: add it there, as a "
                "column of that name"
            )


def source_columns(source: Source, queries: Mapping[str, Query]) -> set[str] | None:
    """Return the columns of a source, including the columns of stars; None if unknown."""
    query = source.query or queries.get(source.name)
    return query_columns(query, queries) if query else None


def query_columns(query: Query, queries: Mapping[str, Query]) -> set[str] | None:
    """Return the columns of a query, including the columns of stars; None if unknown."""
    columns: set[str] = set()
    by_name = "union all by name" in query.unions
    for select in query.selects if by_name else query.selects[:1]:
        for entry in select.entries:
            own: set[str] | None = {entry.name} if entry.name else None
            if entry.is_star:
                tables = [source_columns(source, queries) for source in select.star_sources(entry)]
                own = None if None in tables else set().union(*(table or set() for table in tables))
            if own is None:
                return None
            columns |= own
    return columns if query.selects else None
