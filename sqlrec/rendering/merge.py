"""Merge each query that only selects all columns of another query with that query.

>>> from sqlrec.rendering.prune import show_pass
>>> show_pass("merge", '''
... with
... ranked as (select user_id, score from r),
... listed as (select * from ranked),
... lengths as (select user_id, count(*) as items from ranked group by user_id),
... judged_rows as (select distinct user_id from t),
... relevant as (select * from judged_rows)
... select listed.score, lengths.items
... from listed
... join lengths on lengths.user_id = listed.user_id
... join relevant on relevant.user_id = listed.user_id
... ''')
with
ranked as (select user_id, score from r),
lengths as (select user_id, count(*) as items from ranked group by user_id),
relevant as (select distinct user_id from t)
select listed.score, lengths.items
from ranked as listed
join lengths on lengths.user_id = listed.user_id
join relevant on relevant.user_id = listed.user_id

A query that no other query reads, like ``judged_rows``, gets the name of the query that selects
from it. Otherwise readers read the other query, like ``ranked``, with an alias if columns have the
name. The query stays if it contains the word ``materialized``, if a subquery or a query that was
not parsed reads it, or if two tables of a join would have one name.
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
        """Move the mentions in a query to its reader."""
        counts = self.by_reader[id(reader)]
        del counts[query.name]
        counts.update(self.by_reader.pop(id(query)))

    def replace(self, query: Query, other: str) -> None:
        """Count the mentions of a removed query for another query, and drop the mentions in it."""
        del self.by_reader[id(query)]
        for counts in self.by_reader.values():
            counts[other] += counts.pop(query.name, 0)


def merge_queries(queries: list[Query], last: Query) -> list[Query]:
    """Merge each query that only selects all columns of another query with that query."""
    mentions = Mentions(queries, last)
    for query in queries:
        if mentions.count(query.name) == 1 and format_nodes(query.head[2:]) == "not materialized":
            query.head = query.head[:2]
    kept = {query.name: query for query in queries}
    for query in queries:
        other = kept.get(_selected_query(query))
        if other is None:
            continue
        reads = _reads_of(query.name, mentions.readers(query.name, [*kept.values(), last]))
        # Readers that name the other query in their columns read it under that name.
        is_named = any(source.alias == other.name for _, source in reads)
        if mentions.count(other.name) == 1 and not is_named:
            del mentions.by_reader[id(query)]
            kept = {
                name: other if one is query else one
                for name, one in kept.items()
                if one is not other
            }
            other.comments = other.comments or query.comments
            other.head = [query.head[0], *max(other.head[1:], query.head[1:], key=len)]
        elif (
            len(query.head) == 2
            and len(reads) == mentions.count(query.name)
            and not any(
                other.name in {table.alias for table in select.sources if table is not source}
                for select, source in reads
            )
        ):
            for select, source in reads:
                _read_other(select, source, other.name)
            mentions.replace(query, other.name)
            del kept[query.name]
    return [*kept.values()]


def _selected_query(query: Query) -> str:
    """Return the table from which a query selects all columns and rows, else an empty text."""
    select = query.select
    if not select or select.distinct or select.clauses or len(select.sources) != 1:
        return ""
    texts = [format_nodes(entry.expression) for entry in select.entries]
    return select.sources[0].name if texts == ["*"] else ""


def _reads_of(name: str, readers: list[Query]) -> list[tuple[Select, Source]]:
    """Return the sources that read a query, except subqueries in a reader."""
    return [
        (select, source)
        for query in readers
        for select in query.selects
        for source in select.sources
        if source.name == name
    ]


def _read_other(select: Select, source: Source, other: str) -> None:
    """Replace a source by another query, with an alias if columns have the old name."""
    start = f"{source.alias}."
    is_named = source.alias != other and any(
        part.startswith(start) or part == source.alias for part in find_names(select.parts())
    )
    source.naming = [Token("as"), Token(source.alias)] if is_named else []
    source.table = [Token(other)]
