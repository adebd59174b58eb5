"""Remove unread queries, columns and joins.

>>> from sqlrec.rendering.prune import show_pass
>>> show_pass("unused", '''
... with
... listed as (select user_id, item_id, score, rank from r),
... sizes as (select user_id, count(*) as items from t group by user_id),
... other as (select user_id from u),
... hits as (
...     select listed.user_id, listed.rank, sizes.items
...     from listed
...     left join sizes on sizes.user_id = listed.user_id
... )
... select user_id, max(rank) as last from hits group by user_id
... ''')
with
listed as (select user_id, rank from r),
hits as (select listed.user_id, listed.rank from listed)
select user_id, max(rank) as last
from hits
group by user_id
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from .constants import KEYS
from .names import check_columns
from .queries import (
    Entry,
    Query,
    Select,
    Source,
    find_equal_columns,
    find_names,
    format_nodes,
    has_aggregate,
    is_one_row,
    leaf_nodes,
    makes_rows,
    row_keys,
    split_nodes,
)


def drop_unread(queries: list[Query], last: Query) -> list[Query]:
    """Keep the queries, columns and joins that the last query reads, directly or indirectly."""
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
        # The name of an output column is not a read, even if a query has the same name.
        words = ["", *(node.text for node in leaf_nodes(query.nodes))]
        read = {word for before, word in pairwise(words) if before != "as"}
        for name in read - {query.name}:
            _add_reads(reads, name, None, queries)
        return
    _keep_columns(query.selects, query.unions, needed)
    for select in query.selects:
        _read_select(query.name, select, needed, reads, queries)


def _keep_columns(selects: list[Select], unions: list[str], needed: set[str] | None) -> None:
    """Drop unread entries; in a union, entries correspond by position or by name."""
    starred = any(entry.is_star for select in selects for entry in select.entries)
    strict = any("all" not in words for words in unions)
    if needed is None or strict or any(select.distinct for select in selects):
        return
    if not unions or all(words == "union all by name" for words in unions):
        for select in selects:
            required = [entry.is_star or entry.name in needed for entry in select.entries]
            _keep_entries(select, required, bool(unions))
    elif not starred and len({len(select.entries) for select in selects}) == 1:
        required = [entry.name in needed for entry in selects[0].entries]
        for index, entries in enumerate(zip(*(select.entries for select in selects), strict=True)):
            required[index] |= makes_rows(entries)
        if all(_can_keep(select, required) for select in selects):
            for select in selects:
                _keep_entries(select, required, True)


def _keep_entries(select: Select, required: list[bool], in_union: bool) -> None:
    """Keep required entries, entries that generate rows, and at least one entry."""
    pairs = zip(select.entries, required, strict=True)
    if _can_keep(select, required):
        kept = [entry for entry, is_required in pairs if is_required or makes_rows([entry])]
        if in_union or not _keep_distinct(select, kept):
            select.entries = kept or [_choose_any_column(select)]


def _keep_distinct(select: Select, kept: list[Entry]) -> bool:
    """Replace a ``group by`` of all columns by ``distinct`` if no aggregate is kept."""
    if "group" not in select.clauses or "having" in select.clauses:
        return False
    columns = {format_nodes(entry.expression): entry for entry in select.entries}
    keys = [columns.get(format_nodes(part)) for part in split_nodes(select.clauses["group"], ",")]
    chosen = [entry for entry in keys if entry is not None]
    if len(chosen) < len(keys) or any(entry not in chosen for entry in kept):
        return False
    select.entries, select.distinct = chosen, True
    del select.clauses["group"]
    return True


def _can_keep(select: Select, required: list[bool]) -> bool:
    """Return whether a select without some entries is still an aggregate of all rows."""
    if all(required):
        return True
    pairs = zip(select.entries, required, strict=True)
    is_aggregate = "group" not in select.clauses and select.is_possible_aggregate
    return not is_aggregate or any(
        is_required and has_aggregate(entry.expression) for entry, is_required in pairs
    )


def _choose_any_column(select: Select) -> Entry:
    """Return the column to keep if only the number of rows is used."""
    return next((entry for entry in select.entries if entry.name not in KEYS), select.entries[0])


def _read_select(
    query: str,
    select: Select,
    needed: set[str] | None,
    reads: dict[str, set[str] | None],
    queries: Mapping[str, Query],
) -> None:
    names = _drop_joins(select, needed, queries)
    check_columns(query, select, queries)
    starred = any(entry.is_star for entry in select.entries)
    bare = {name for name in names if "." not in name}
    for source in select.sources:
        start = f"{source.alias}."
        own = {name.removeprefix(start) for name in names if name.startswith(start)}
        columns = (
            None
            if starred and needed is None
            else bare | own | (needed or set() if starred else set())
        )
        if source.query:
            _read_query(source.query, columns, reads, queries)
        else:
            _add_reads(reads, source.name, columns, queries)


def _add_reads(
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
    stays = needed is None and any(entry.is_star for entry in select.entries)
    kept: list[Source] = []
    for source in reversed(select.sources):
        if stays or not _is_unread(source, names, queries):
            names |= find_names([source.on])
            kept.insert(0, source)
    select.sources = kept
    return names


def _is_unread(source: Source, names: set[str], queries: Mapping[str, Query]) -> bool:
    start = f"{source.alias}."
    return not any(entry.startswith(start) for entry in names) and is_single_row(source, queries)


def is_single_row(source: Source, queries: Mapping[str, Query]) -> bool:
    """Return whether a join keeps the number of rows: each row matches at most one row."""
    query = queries.get(source.name)
    if query is None or source.kind != "left join":
        return query is not None and source.kind == "cross join" and is_one_row(query)
    keys = row_keys(query, queries)
    return keys is not None and keys <= find_equal_columns(source)
