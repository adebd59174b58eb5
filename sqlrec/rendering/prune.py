"""Remove unused parts of a statement.

Templates write each query whole: with all columns, and with the keys ``model``, ``user_id`` and
``k`` even if there is only one model or cutoff. These passes print the final statement; they never
change a value.

1. A column that is a constant in its query is replaced by the constant in all readers. Keys,
   windows and conditions that are always true are then omitted.
2. Unread named queries, columns and joins are removed. A left join is removed if the joined query
   has at most one row for each row, by its ``group by``, ``distinct`` or ``row_number()``.
3. A query that is read once and only names columns is inlined.

Templates qualify columns of joined tables, and name the columns of all selects except the last.
Expressions of unknown forms are kept. Templates satisfy two assumptions: ranks are neither null nor
beyond the whole list, and readers of a total over all rows treat a missing row as an empty total.
Other queries, and queries that read themselves, are kept unchanged, with all queries that they
mention.
"""

from __future__ import annotations

from .constants import fold
from .inline import inline
from .queries import Query, leaves, read_selects, text
from .tokens import named_queries, tree, word_at
from .unused import keep_read


def prune_statement(sql: str, dialect: str) -> str:
    """Return a statement without unread parts; other text is returned unchanged.

    Raises:
        MetricError: A query reads a column that another lacks, or one of a join is ambiguous.
    """
    nodes = tree(sql, dialect)
    start = next((index for index, node in enumerate(nodes) if not node.is_comment), 0)
    if word_at(nodes, start) != "with" or word_at(nodes, start + 1) == "recursive":
        return sql
    named, rest = named_queries(nodes[start:])
    queries = [*map(Query.read, named)]
    last = Query([], [], *read_selects(rest), rest)
    _leave_tables([*queries, last], {query.name for query in queries})
    fold(queries, last)
    queries = inline(keep_read(queries, last), last)
    full = dialect == "clickhouse"
    head = "".join(f"{node.text}\n" for node in nodes[:start])
    entries = [
        "".join(f"{one.text}\n" for one in query.comments)
        + f"{text(query.head)} (\n{query.body(full, '    ')}\n)"
        for query in queries
    ]
    return head + ("with\n" + ",\n".join(entries) + "\n" if entries else "") + last.body(full)


def _leave_tables(queries: list[Query], names: set[str]) -> None:
    """Keep subqueries that read only input tables unchanged."""
    for query in queries:
        for select in query.selects:
            for source in select.sources:
                if source.query:
                    _leave_tables([source.query], names)
                    words = {node.text for node in leaves(source.table)}
                    source.query = source.query if words & names else None
