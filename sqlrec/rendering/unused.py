"""Remove unread queries, columns and joins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

from ..errors import MetricError
from .constants import KEYS
from .queries import (
    ROW_FUNCTIONS,
    Entry,
    Query,
    Select,
    Source,
    find_equal_columns,
    find_names,
    has_aggregate,
    leaves,
    names_of,
    row_keys,
    split,
    text,
)
from .tokens import Group, Nodes, Token, word_at


def keep_read(queries: list[Query], last: Query) -> list[Query]:
    """Keep the queries, columns and joins that the last query reads, directly or not."""
    reads: dict[str, set[str] | None] = {}
    by_name = {query.name: query for query in queries}
    _read_query(last, None, reads, by_name)
    kept: list[Query] = []
    for query in reversed(queries):
        if query.name in reads:
            _read_query(query, reads[query.name], reads, by_name)
            kept.insert(0, query)
    return kept


def _read_query(
    query: Query,
    needed: set[str] | None,
    reads: dict[str, set[str] | None],
    queries: Mapping[str, Query],
) -> None:
    if not query.selects:
        columns = _named_columns(query.nodes)
        for name in {node.text for node in leaves(query.nodes)} - {query.name}:
            _add(reads, name, columns, queries)
        return
    _keep_columns(query.selects, query.unions, needed)
    for select in query.selects:
        _read_select(query.name, select, needed, reads, queries)


def _keep_columns(selects: list[Select], unions: list[str], needed: set[str] | None) -> None:
    """Drop unread entries: in a union, by position or by name."""
    starred = any(entry.is_star for select in selects for entry in select.entries)
    strict = any("all" not in words for words in unions)
    if needed is None or strict or any(one.distinct for one in selects):
        return
    if not unions or all(words == "union all by name" for words in unions):
        for select in selects:
            _keep(select, [one.is_star or one.name in needed for one in select.entries])
    elif not starred and len({len(select.entries) for select in selects}) == 1:
        required = [one.name in needed for one in selects[0].entries]
        for index, entries in enumerate(zip(*(one.entries for one in selects), strict=True)):
            required[index] |= any(_makes_rows(entry) for entry in entries)
        if all(_can_keep(select, required) for select in selects):
            for select in selects:
                _keep(select, required)


def _keep(select: Select, required: list[bool]) -> None:
    """Keep required entries, those that generate rows, and at least one entry."""
    pairs = zip(select.entries, required, strict=True)
    if _can_keep(select, required):
        kept = [entry for entry, is_required in pairs if is_required or _makes_rows(entry)]
        if not _keep_distinct(select, kept):
            select.entries = kept or [_any_column(select)]


def _keep_distinct(select: Select, kept: list[Entry]) -> bool:
    """Replace ``group by`` all columns by ``distinct`` if no aggregate is kept."""
    if "group" not in select.clauses or "having" in select.clauses:
        return False
    keys = [text(one) for one in split(select.clauses["group"], ",")]
    columns = {text(one.expression): one for one in select.entries}
    others = any(text(one.expression) not in keys for one in kept)
    if others or not {*keys} <= columns.keys():
        return False
    select.entries, select.distinct = [columns[key] for key in keys], True
    del select.clauses["group"]
    return True


def _can_keep(select: Select, required: list[bool]) -> bool:
    """Return whether a select stays an aggregate of all rows."""
    pairs = zip(select.entries, required, strict=True)
    of_aggregates = "group" not in select.clauses and select.may_aggregate
    return not of_aggregates or any(
        is_required and has_aggregate(entry.expression) for entry, is_required in pairs
    )


def _makes_rows(entry: Entry) -> bool:
    return any(node.text in ROW_FUNCTIONS for node in leaves(entry.expression))


def _any_column(select: Select) -> Entry:
    """Return the column to keep if only the number of rows is used."""
    return next((one for one in select.entries if one.name not in KEYS), select.entries[0])


def _read_select(
    query: str,
    select: Select,
    needed: set[str] | None,
    reads: dict[str, set[str] | None],
    queries: Mapping[str, Query],
) -> None:
    names = _drop_joins(select, needed, queries)
    starred = any(one.is_star for one in select.entries)
    bare = {name for name in names if "." not in name}
    for source in select.sources:
        start = f"{source.alias}."
        own = {name.removeprefix(start) for name in names if name.startswith(start)}
        of_star = needed if starred else set()
        # The name of a table is its whole row.
        is_row = source.alias in bare
        columns = None if of_star is None or "" in own or is_row else bare | own | of_star
        if source.query:
            _read_query(source.query, columns, reads, queries)
        elif source.name in queries:
            _check_columns(query, select, source, own - {""}, queries)
            _add(reads, source.name, columns, queries)
    # Queries within expressions.
    for part in select.parts():
        for node in leaves(part):
            if isinstance(node, Group) and node.is_query:
                columns = _named_columns(node.inner)
                for name in {word.text for word in leaves(node.inner)}:
                    _add(reads, name, columns, queries)


def _named_columns(nodes: Nodes) -> set[str] | None:
    """Return the columns that a query may name; None for all columns, as with a star."""
    if _has_star(nodes):
        return None
    return {word.text.rsplit(".", 1)[-1] for word in leaves(nodes)}


def _has_star(nodes: Nodes) -> bool:
    """Return whether a query has a star other than a product, or rows without a select."""
    for before, node in pairwise([Token("union"), *nodes]):
        is_star = node.text == "*" and before.text in ("select", ",", "distinct")
        is_bare = node.text == "from" and before.text in ("union", "all", "name")
        if is_star or is_bare or node.text.endswith(".*"):
            return True
        if isinstance(node, Group) and _has_star(node.inner):
            return True
    return False


def _check_columns(
    query: str, select: Select, source: Source, names: set[str], queries: Mapping[str, Query]
) -> None:
    """Check the columns that a select reads of a named query.

    Raises:
        MetricError: A column that is read does not exist, or is in two tables of a join and has no
            qualifier.
    """
    columns = _columns_of(source, queries)
    if columns is None:
        return
    where = f"{query}: " if query else ""
    if not names <= columns:
        column = min(names - columns)
        raise MetricError(
            f"{where}{source.alias}.{column} is read, and {source.name} has no column {column!r}: "
            "write it there too, as a column of that name"
        )
    others = [_columns_of(one, queries) or set() for one in select.sources if one is not source]
    if bare := columns & bare_columns(select, queries) & set().union(*others):
        column = min(bare)
        raise MetricError(
            f"{where}column {column!r} is read without its table in a join: write "
            f"{source.alias}.{column}"
        )


def _columns_of(source: Source, queries: Mapping[str, Query]) -> set[str] | None:
    """Return the columns of a source, with the columns of stars; None if they are unknown."""
    query = source.query or queries.get(source.name)
    if query is None or not query.select:
        return None
    columns: set[str] = set()
    for entry in query.select.entries:
        inner: set[str] | None = {entry.name}
        if entry.is_star:
            sources = query.select.sources
            is_all = text(entry.expression) == "*" and len(sources) == 1
            inner = _columns_of(sources[0], queries) if is_all else None
        if inner is None:
            return None
        columns |= inner
    return columns


def bare_columns(select: Select, queries: Mapping[str, Query]) -> set[str]:
    """Return the columns of joined queries that a select reads without the name of a table."""
    if len(select.sources) < 2:
        return set()
    known = set().union(*(_columns_of(one, queries) or set() for one in select.sources))
    return known & {word for part in select.parts() for word in _bare_words(part)}


def _bare_words(nodes: Nodes) -> Iterator[str]:
    for index, node in enumerate(nodes):
        if isinstance(node, Group):
            if not node.is_query:
                yield from _bare_words(node.inner)
        elif word_at(nodes, index - 1) != "as" and word_at(nodes, index + 1) != "(":
            yield node.text


def _add(
    reads: dict[str, set[str] | None],
    name: str,
    columns: set[str] | None,
    queries: Mapping[str, Query],
) -> None:
    if name in queries:
        before = reads.get(name, set())
        reads[name] = None if before is None or columns is None else before | columns


def _drop_joins(select: Select, needed: set[str] | None, queries: Mapping[str, Query]) -> set[str]:
    """Remove unread joins that neither add nor drop rows.

    Returns:
        The remaining names.
    """
    names = find_names(select.parts_without_joins())
    stays = needed is None and any(one.is_star for one in select.entries)
    kept: list[Source] = []
    for source in reversed(select.sources):
        if stays or not _is_unread(source, names, queries):
            names |= find_names([source.on])
            kept.insert(0, source)
    select.sources = kept
    return names


def _is_unread(source: Source, names: set[str], queries: Mapping[str, Query]) -> bool:
    query = queries.get(source.name)
    columns = names_of(query) if query else None
    start = f"{source.alias}."
    if columns is None or not columns.isdisjoint(names) or any(x.startswith(start) for x in names):
        return False
    return is_single_row(source, queries)


def is_single_row(source: Source, queries: Mapping[str, Query]) -> bool:
    """Return whether a join neither adds nor drops rows: it has at most one row for each row."""
    if source.kind not in ("left join", "cross join") or source.name not in queries:
        return False
    keys = row_keys(queries[source.name], queries)
    return keys is not None and keys <= (
        find_equal_columns(source) if source.kind == "left join" else set()
    )
