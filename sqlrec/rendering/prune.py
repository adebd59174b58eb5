"""Remove unused parts of a statement.

Templates write each query whole: with all columns, and with the keys ``model``, ``user_id`` and
``k`` even if there is only one model or cutoff. These passes print the final statement; they never
change a value. The docstring of each has a small statement before and after it. With the variable
``SQLREC_PASSES`` in the environment, the statement is printed after each pass.

=============  ==================================================================================
``queries``    Parse a query into its selects, tables and clauses.
``names``      Resolve the columns that it reads.
``constants``  Write a constant key in place of its column in all readers. Groups,
               partitions, orders and conditions that are always true are omitted.
``unused``     Remove unread queries and columns, and joins that neither add nor drop rows: a left
               join with a query that is unique by the columns of the condition, by ``group by``,
               ``distinct`` or ``row_number()``; a cross join with totals or constants.
``inline``     Write a query that is read once in its reader, if it has one row for each row of its
               tables: no group, aggregate, window, ``distinct``, order or limit.
=============  ==================================================================================

Known forms are ``select [distinct] .. from .. [where] [group by] [having] [order by] [limit]`` of
tables in ``join``, ``left join`` or ``cross join``, with ``union`` between selects. Columns of
joined tables have the name of their table, and tables of a select have different names.

Any other form leaves its query unchanged, with all columns of the queries that it mentions
(``UnknownForm`` names the form): other joins and sets, ``qualify`` and other clauses, subqueries
in expressions, aggregates with an order, columns by number or pattern, a nested ``with``, and names
that may be a column of a table or of the select itself. A statement in which a query reads its own
name, or the name of a later query, is returned unchanged. A column that a named query lacks is an
error.

Templates satisfy three assumptions: numbers of rows and ranks from 1 are not beyond the whole list;
readers of groups by constant keys treat a missing row as an empty total; and functions of the same
values are equal, so that an expression may be written twice.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping

from .constants import fold_constants
from .inline import inline_queries
from .layout import format_statement
from .names import leave_ambiguous_queries
from .queries import Query, format_nodes, leaf_nodes, read_selects
from .tokens import named_queries, parse_tree, word_at
from .unused import drop_unread

# The passes by name, in order: each changes the queries, and returns the remaining queries.
PASSES: Mapping[str, Callable[[list[Query], Query], list[Query]]] = {
    "names": leave_ambiguous_queries,
    "constants": fold_constants,
    "unused": drop_unread,
    "inline": inline_queries,
}


def prune_statement(sql: str, dialect: str, until: str = "inline") -> str:
    """Return a statement without unread parts; other text is returned unchanged.

    Args:
        sql: The statement.
        dialect: Its dialect.
        until: The last pass.

    Raises:
        MetricError: A query reads a column that another lacks, or one of a join is ambiguous.
    """
    nodes = parse_tree(sql, dialect)
    start = next((index for index, node in enumerate(nodes) if not node.is_comment), 0)
    if word_at(nodes, start) != "with" or word_at(nodes, start + 1) == "recursive":
        return sql
    named, rest = named_queries(nodes[start:])
    queries, last = [*map(Query.read, named)], Query([], [], *read_selects(rest), rest)
    names = [query.name for query in queries]
    _leave_tables([*queries, last], {*names})
    reads_later = any(
        query.mentions().keys() & {*names[index:]} for index, query in enumerate(queries)
    )
    if reads_later or len({*names}) < len(names):
        return sql
    head = "".join(f"{node.text}\n" for node in nodes[:start])
    full = dialect == "clickhouse"
    for name, run in PASSES.items():
        queries = run(queries, last)
        if "SQLREC_PASSES" in os.environ:
            text = head + _format_queries(queries, last, full)
            print(f"-- After {name}:\n{text}\n", file=sys.stderr)
        if name == until:
            break
    return head + _format_queries(queries, last, full)


def _format_queries(queries: list[Query], last: Query, full: bool) -> str:
    entries = [
        "".join(f"{one.text}\n" for one in query.comments)
        + f"{format_nodes(query.head)} (\n{query.body(full, '    ')}\n)"
        for query in queries
    ]
    return ("with\n" + ",\n".join(entries) + "\n" if entries else "") + last.body(full)


def show_pass(name: str, sql: str) -> None:
    """Print a statement after a pass, for examples."""
    text = format_statement(prune_statement(sql.strip(), "duckdb", name), "duckdb")
    print("\n".join(filter(None, text.splitlines())))


def _leave_tables(queries: list[Query], names: set[str]) -> None:
    """Keep subqueries that read only input tables unchanged."""
    for query in queries:
        for select in query.selects:
            for source in select.sources:
                if source.query:
                    _leave_tables([source.query], names)
                    words = {node.text for node in leaf_nodes(source.table)}
                    source.query = source.query if words & names else None
