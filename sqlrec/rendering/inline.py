"""Inline queries that are read once and only name columns.

>>> from sqlrec.rendering.prune import show_pass
>>> show_pass("inline", '''
... with
... recommended as (select user, item as item_id, points + 0 as score from r where points > 0),
... listed as (
...     select user, item_id, row_number() over (partition by user order by score desc) as rank
...     from recommended
... )
... select user, item_id from listed where rank <= 5
... ''')
with
listed as (
    select user, item as item_id,
        row_number() over (partition by user order by (points + 0) desc) as rank
    from r
    where points > 0
)
select user, item_id
from listed
where rank <= 5
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from .queries import (
    NAME,
    Entry,
    Query,
    Select,
    Source,
    find_equal_columns,
    find_names,
    format_nodes,
    is_column,
    join_parts,
    leaf_nodes,
    makes_rows,
    names_in,
    replace_names,
    row_keys,
    split_nodes,
)
from .tokens import Group, Nodes, Token


class _Mentions:
    """Count mentions of queries, by reader and by name."""

    def __init__(self, queries: list[Query], last: Query) -> None:
        self.by_reader = {id(one): one.mentions() for one in [*queries, last]}

    def count(self, name: str) -> int:
        """Return the number of reads of a query."""
        return sum(one[name] for one in self.by_reader.values())

    def move(self, query: Query, reader: Query) -> None:
        """Move the mentions in a query to its reader."""
        counts = self.by_reader[id(reader)]
        del counts[query.name]
        counts.update(self.by_reader.pop(id(query)))

    def replace(self, query: Query, other: str) -> None:
        """Redirect the recorded mentions of a query to another, and forget its own mentions."""
        del self.by_reader[id(query)]
        for counts in self.by_reader.values():
            counts[other] += counts.pop(query.name, 0)


def _merge_renamed(queries: list[Query], last: Query, mentions: _Mentions) -> list[Query]:
    """Merge each query that only selects all columns of another with that other query."""
    kept = {query.name: query for query in queries}
    for query in queries:
        select = query.select
        if not select or select.distinct or select.clauses or len(select.sources) != 1:
            continue
        words = [format_nodes(one.expression) for one in select.entries]
        source = kept.get(select.sources[0].name)
        if source is None or words != ["*"]:
            continue
        reading = [one for one in [*kept.values(), last] if mentions.by_reader[id(one)][query.name]]
        aliases = {
            each.alias
            for one in reading
            for reader in one.selects
            for each in reader.sources
            if each.name == query.name
        }
        if mentions.count(source.name) == 1 and source.name not in aliases:
            del mentions.by_reader[id(query)]
            source.comments = source.comments or query.comments
            kept = {
                name: source if one is query else one
                for name, one in kept.items()
                if one is not source
            }
            source.head = [query.head[0], *max(source.head[1:], query.head[1:], key=len)]
        elif len(query.head) == 2 and _replace_query(reading, query.name, source.name, mentions):
            mentions.replace(query, source.name)
            del kept[query.name]
    return [*kept.values()]


def _replace_query(reading: list[Query], name: str, other: str, mentions: _Mentions) -> bool:
    """Replace mentions of a query by another query; return whether all can be replaced."""
    sources = [
        (select, source)
        for query in reading
        for select in query.selects
        for source in select.sources
        if source.name == name
    ]
    if len(sources) != mentions.count(name):
        return False
    for select, source in sources:
        if other in {one.alias for one in select.sources} - {source.alias}:
            return False
    for select, source in sources:
        start = f"{source.alias}."
        named = source.alias != other and any(
            one.startswith(start) or one == source.alias for one in find_names(select.parts())
        )
        source.naming = [Token("as"), Token(source.alias)] if named else []
        source.table = [Token(other)]
    return True


def inline_queries(queries: list[Query], last: Query) -> list[Query]:
    """Inline each query that is mentioned once and only names columns."""
    mentions = _Mentions(queries, last)
    for query in queries:
        if mentions.count(query.name) == 1 and format_nodes(query.head[2:]) == "not materialized":
            query.head = query.head[:2]
    queries = _merge_renamed(queries, last, mentions)
    kept = [*queries]
    by_name = {query.name: query for query in queries}
    for query in queries:
        if mentions.count(query.name) != 1 or not query.select or len(query.head) != 2:
            continue
        (reader,) = (one for one in [*kept, last] if mentions.by_reader[id(one)][query.name])
        if reader.select and _only_lists_columns(query.select, reader.select):
            _replace_projection(query.select, reader)
            kept.remove(query)
            mentions.move(query, reader)
            reader.comments = reader.comments or query.comments
            continue
        for select in reader.selects:
            source = next((one for one in select.sources if one.name == query.name), None)
            if source and _inline_into(query.select, source, select, by_name):
                kept.remove(query)
                mentions.move(query, reader)
                reader.comments = reader.comments or query.comments
                break
    return kept


def _is_projection(select: Select) -> bool:
    """Return whether a select only lists columns of one named query, once each."""
    names = [format_nodes(one.expression) for one in select.entries]
    return (
        len(select.sources) == 1
        and not (select.clauses or select.distinct or select.sources[0].query)
        and all(_is_plain_column(one.expression) for one in select.entries)
        and len({*names}) == len(names)
    )


def _only_lists_columns(select: Select, reader: Select) -> bool:
    """Return whether a query only lists columns of the select that it reads."""
    names = {one.name for one in select.entries}
    return (
        _is_projection(reader)
        and _keeps_rows(select)
        and all(_column_name(one.expression) in names for one in reader.entries)
    )


def _keeps_rows(select: Select) -> bool:
    """Return whether a select without some of its columns has the same rows."""
    together = select.is_possible_aggregate and "group" not in select.clauses
    return not (select.distinct or together or makes_rows(select.entries))


def _replace_projection(select: Select, reader: Query) -> None:
    """Replace a query that only lists columns by the select that it reads, with these columns."""
    expressions = {one.name: one for one in select.entries}
    chosen = [
        Entry(expressions[_column_name(one.expression)].expression, one.name, one.comments)
        for one in reader.selects[0].entries
    ]
    reader.selects = [replace(select, entries=chosen)]


def _column_name(nodes: Nodes) -> str:
    return nodes[0].text.rsplit(".", 1)[-1]


def _inline_into(
    select: Select, source: Source, reader: Select, queries: Mapping[str, Query]
) -> bool:
    """Inline a select into the query that reads it, if possible; return whether it was inlined."""
    others = [one for one in reader.sources if one is not source]
    named = {one.name for one in select.entries if _is_plain_column(one.expression)}
    computed = {one.name for one in select.entries} - named
    reads_table = len(select.sources) == 1 and select.sources[0].name not in queries
    is_plain = len(select.sources) == 1 and not (computed or select.clauses)
    if (
        not _is_rowwise(select)
        or any(one.is_star for one in [*select.entries, *reader.entries])
        or "order" in reader.clauses
        # A row that a join adds has nulls, and the rows of a table are read under their names.
        or not (is_plain or not others or (source is reader.sources[0] and not reads_table))
    ):
        return False
    columns = {one.name: one.expression for one in select.entries}
    where = select.clauses.get("where", [])
    if others and len(select.sources) == 1:
        qualified = _qualify_columns(select)
        columns = {name: replace_names(nodes, qualified) for name, nodes in columns.items()}
        where = replace_names(where, qualified)
    mapping = {f"{source.alias}.{name}": nodes for name, nodes in columns.items()}
    mapping |= {} if others else columns
    if not reads_table and not _reads_each_once(reader, mapping, computed):
        return False
    moved = {one.alias: one for one in select.sources}
    same = [one for one in others if one.alias in moved]
    if not all(_is_same_row(one, moved[one.alias], mapping, queries) for one in same):
        return False
    reader.sources = [one for one in reader.sources if one not in same]
    _substitute_columns(reader, mapping)
    at = reader.sources.index(source)
    tables = [replace(one) for one in select.sources]
    tables[0].kind, tables[0].on = source.kind, source.on
    reader.sources[at : at + 1] = tables
    if where:
        conditions = [where, reader.clauses["where"]] if "where" in reader.clauses else [where]
        together = join_parts([_add_brackets(one) for one in conditions], "and")
        reader.clauses = {"where": together} | {
            word: nodes for word, nodes in reader.clauses.items() if word != "where"
        }
    return True


def _is_rowwise(select: Select) -> bool:
    """Return whether each row of a select is a row of its sources, without groups or windows."""
    return bool(select.sources) and not (
        select.distinct
        or select.is_possible_aggregate
        or select.has_windows
        or makes_rows(select.entries)
        or select.clauses.keys() - {"where"}
    )


def _qualify_columns(select: Select) -> dict[str, list[Token]]:
    """Return the columns of a select of one table, qualified by its name, by plain name."""
    parts = [*(one.expression for one in select.entries), select.clauses.get("where", [])]
    names = {name for nodes in parts for name in names_in(nodes) if "." not in name}
    return {name: [Token(f"{select.sources[0].alias}.{name}")] for name in names}


def _is_plain_column(nodes: Nodes) -> bool:
    """Return whether an expression is a plain column of a table, and no constant."""
    return (
        is_column(nodes) and NAME.fullmatch(nodes[0].text) is not None and nodes[0].text != "null"
    )


def _is_same_row(
    source: Source,
    inner: Source,
    mapping: Mapping[str, list[Token]],
    queries: Mapping[str, Query],
) -> bool:
    """Return whether a join adds a row that the select has already joined."""
    if source.name != inner.name or source.kind != "left join" or source.name not in queries:
        return False
    conditions = [
        format_nodes(one) for one in split_nodes(replace_names(source.on, mapping), "and")
    ]
    equal = {format_nodes(one) for one in split_nodes(inner.on, "and")}
    keys = row_keys(queries[source.name], queries)
    same = {f"{source.alias}.{key} = {source.alias}.{key}": key for key in keys or ()}
    if keys is None or not all(one in equal or one in same for one in conditions):
        return False
    return keys <= {same[one] for one in conditions if one in same} | find_equal_columns(source)


def _add_brackets(nodes: list[Token]) -> list[Token]:
    return [Group("(", " ", nodes)] if any(one.text == "or" for one in nodes) else nodes


def _reads_each_once(
    reader: Select, mapping: Mapping[str, list[Token]], expressions: set[str]
) -> bool:
    """Return whether a query reads each expression at most once, and only as a column."""
    names = {key for key in mapping if key.rsplit(".", 1)[-1] in expressions}
    mentions = Counter(
        node.text for part in reader.parts() for node in leaf_nodes(part) if node.text in names
    )
    direct = Counter(one.expression[0].text for one in reader.entries if len(one.expression) == 1)
    return all(mentions[key] == direct[key] <= 1 for key in names)


def _substitute_columns(reader: Select, mapping: Mapping[str, list[Token]]) -> None:
    for entry in reader.entries:
        entry.expression = replace_names(entry.expression, mapping)
    for source in reader.sources:
        source.on = replace_names(source.on, mapping)
    reader.clauses = {word: replace_names(nodes, mapping) for word, nodes in reader.clauses.items()}
