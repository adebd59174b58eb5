"""Merge each query that has the same rows as another query with that query.

>>> from sqlrec.rendering.prune import show_pass
>>> show_pass("merge", '''
... with
... ranked as (select user_id, score from r),
... listed as (select * from ranked),
... lengths as (select user_id, count(*) as items from ranked group by user_id),
... other_lengths as (select user_id, count(*) as items from listed group by user_id),
... judged_rows as (select distinct user_id from t),
... relevant as (select * from judged_rows)
... select listed.score, lengths.items, other_lengths.items as same_items
... from listed
... join lengths on lengths.user_id = listed.user_id
... join other_lengths on other_lengths.user_id = listed.user_id
... join relevant on relevant.user_id = listed.user_id
... ''')
with
ranked as (select user_id, score from r),
lengths as (select user_id, count(*) as items from ranked group by user_id),
relevant as (select distinct user_id from t)
select listed.score, lengths.items, other_lengths.items as same_items
from ranked as listed
join lengths on lengths.user_id = listed.user_id
join lengths as other_lengths on other_lengths.user_id = listed.user_id
join relevant on relevant.user_id = listed.user_id

Two kinds of queries are merged: a query that selects all columns of another query, like ``listed``,
and a query with the same text as an earlier query, like ``other_lengths`` after its tables were
merged. Their readers then read the other query, with an alias if columns or a join need the old
name. If nothing else reads the other query, as with ``judged_rows``, the other query gets the name
of the merged query. A query stays if a query that was not parsed reads it. A query that selects all
columns also stays if it contains the word ``materialized``.
"""

from __future__ import annotations

from collections.abc import Iterable

from .queries import Query, Select, Source, find_names, format_nodes
from .tokens import Token


class Mentions:
    """Count mentions of queries, by reader and by name."""

    def __init__(self, queries: list[Query], last: Query) -> None:
        self.by_reader = {id(query): query.mentions() for query in [*queries, last]}

    def count(self, name: str) -> int:
        """Return the number of reads of a query."""
        return sum(counts[name] for counts in self.by_reader.values())

    def readers(self, name: str, queries: Iterable[Query]) -> list[Query]:
        """Return the queries that read a query."""
        return [query for query in queries if self.by_reader[id(query)][name]]

    def move(self, query: Query, reader: Query) -> None:
        """Assign the mentions in a query to its reader."""
        counts = self.by_reader[id(reader)]
        del counts[query.name]
        counts.update(self.by_reader.pop(id(query)))

    def replace(self, query: Query, other: str) -> None:
        """Assign the mentions of a removed query to another query, and drop its own mentions."""
        del self.by_reader[id(query)]
        for counts in self.by_reader.values():
            counts[other] += counts.pop(query.name, 0)


def merge_queries(queries: list[Query], last: Query) -> list[Query]:
    """Merge each query that has the same rows as another query with that query."""
    mentions = Mentions(queries, last)
    for query in queries:
        if mentions.count(query.name) == 1 and format_nodes(query.head[2:]) == "not materialized":
            query.head = query.head[:2]
    kept = {query.name: query for query in queries}
    by_text: dict[str, Query] = {}
    for query in queries:
        other = kept.get(_selected_query(query))
        # The body is formatted here, because earlier merges may have renamed its tables.
        equal = by_text.setdefault(f"{format_nodes(query.head[1:])} {query.body(True)}", query)
        if other is None and equal is query:
            continue
        reads = _reads_of(query.name, mentions.readers(query.name, [*kept.values(), last]))
        # If a reader already uses the other query's name as an alias, this name is kept.
        is_named = other is not None and any(source.alias == other.name for _, source in reads)
        if other is not None and mentions.count(other.name) == 1 and not is_named:
            del mentions.by_reader[id(query)]
            kept = {
                name: other if one is query else one
                for name, one in kept.items()
                if one is not other
            }
            other.comments = other.comments or query.comments
            other.head = [query.head[0], *max(other.head[1:], query.head[1:], key=len)]
            continue
        other = other if other is not None and len(query.head) == 2 else equal
        if other is not query and len(reads) == mentions.count(query.name):
            for select, source in reads:
                _read_other(select, source, other.name)
            mentions.replace(query, other.name)
            del kept[query.name]
    return [*kept.values()]


def _selected_query(query: Query) -> str:
    """Return the table from which a query selects all columns and rows, else an empty string."""
    select = query.select
    if not select or select.distinct or select.clauses or len(select.sources) != 1:
        return ""
    texts = [format_nodes(entry.expression) for entry in select.entries]
    return select.sources[0].name if texts == ["*"] else ""


def _reads_of(name: str, readers: Iterable[Query]) -> list[tuple[Select, Source]]:
    """Return the sources that read a query, in its readers and their parsed subqueries."""
    sources = [
        (select, source)
        for query in readers
        for select in query.selects
        for source in select.sources
    ]
    inner = [source.query for _, source in sources if source.query]
    reads = [(select, source) for select, source in sources if source.name == name]
    return reads + _reads_of(name, inner) if inner else reads


def _read_other(select: Select, source: Source, other: str) -> None:
    """Replace a source by another query, under the old name if columns or tables need it."""
    start = f"{source.alias}."
    is_named = any(
        part.startswith(start) or part == source.alias for part in find_names(select.parts())
    )
    is_joined = other in {table.alias for table in select.sources if table is not source}
    keeps_alias = source.alias != other and (is_named or is_joined)
    source.naming = [Token("as"), Token(source.alias)] if keeps_alias else []
    source.table = [Token(other)]
