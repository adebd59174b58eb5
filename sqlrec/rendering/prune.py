"""Takes out of a statement what nothing reads.

Templates write each query whole: with all columns, and with the keys ``model``, ``user_id`` and
``k`` also where there is one model or one cutoff. The passes here make the statement that people
read and engines run. No template depends on them: without them the values are the same.

1. A column that is a constant in its query is that constant wherever it is read: it leaves keys,
   windows and conditions that hold anyway.
2. Named queries, columns and joins that nothing reads are left out. A left join is left out where
   the joined query has at most one row for each row, by its ``group by`` or ``distinct``.
3. A query that is read once and has nothing but columns is read where it is mentioned.

What a pass asks of a template: columns of joined tables are written with their table, and the
columns of a select that is not the last have names. A query that is written in another way, or that
reads itself, is kept as it is, with all that it mentions.
"""

from __future__ import annotations

from .constants import fold
from .inline import inline
from .queries import Query, leaves, read_selects, text
from .tokens import named_queries, tree, word_at
from .unread import keep_read


def pruned(sql: str, dialect: str) -> str:
    """Take out of a statement what nothing reads; a text of another kind is returned as it is.

    Raises:
        MetricError: A query reads a column that another lacks.
    """
    nodes = tree(sql, dialect)
    start = next((place for place, node in enumerate(nodes) if not node.is_comment), 0)
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
    """Leave queries that stand for tables of the caller's as they are."""
    for query in queries:
        for select in query.selects:
            for source in select.sources:
                if source.query:
                    _leave_tables([source.query], names)
                    words = {node.text for node in leaves(source.table)}
                    source.query = source.query if words & names else None
