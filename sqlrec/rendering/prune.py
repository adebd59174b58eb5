"""Remove unused parts of a statement.

Templates write each query whole: with all columns, and with the keys ``model``, ``user_id`` and
``k`` even if there is only one model or cutoff. Each pass below removes one kind of part, and never
changes a value. The docstring of a pass shows a small statement before and after the pass, and the
forms that stay unchanged. With the variable ``SQLREC_PASSES`` in the environment, the lines that
each pass changes are printed. Before the passes, ``queries`` parses the statement, and ``names``
resolves the columns that each query reads.

=============  ==================================================================================
``constants``  Replace a constant key by its constant in all readers. Groups, partitions, orders and
               conditions that are always true are omitted.
``limits``     Drop limits of ranks to the whole list.
``unused``     Remove unread queries and columns, and joins that neither add nor drop rows: a left
               join with a query that is unique by the columns of the condition, by ``group by``,
               ``distinct`` or ``row_number()``; a cross join with totals or constants.
``merge``      Merge a query that only selects all columns of another query with that query, and
               queries of equal text.
``inline``     Write a query that is read once in its reader, if it has one row for each row of its
               tables: no group, aggregate, window, ``distinct``, order or limit.
=============  ==================================================================================

Known forms are ``select [distinct] .. from .. [where] [group by] [having] [order by] [limit]`` of
tables in ``join``, ``left join`` or ``cross join``, with ``union`` between selects. Columns of
joined tables have the name of their table, and tables of a select have different names.

A query with any other form stays unchanged (``UnknownForm`` names the form). The queries that it
mentions keep all their columns. Such forms are other joins and sets, ``qualify`` and other clauses,
subqueries in expressions, aggregates with an order, columns by number or pattern, a nested
``with``, and names that may be a column of a table or of the select itself. A statement in which a
query reads its own name, or the name of a later query, is returned unchanged. Reading a column that
a named query lacks is an error.

The passes rely on three properties of the templates: row numbers and ranks from 1 are not larger
than the cutoff of the whole list; queries that read groups by constant keys treat a missing row as
an empty total; and functions of the same values are equal, so an expression may be written twice. A
function that ``queries`` does not list may be an aggregate, so its select keeps its number of rows.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from difflib import unified_diff

from .constants import fold_constants
from .inline import inline_queries
from .limits import drop_limits
from .merge import merge_queries
from .names import expand_stars, leave_ambiguous_queries
from .queries import Query, format_nodes, leaf_nodes
from .sql_format import format_statement
from .tokens import split_statement
from .unused import drop_unread

# The passes by name, in order. Each pass changes queries, and returns the remaining queries.
PASSES: Mapping[str, Callable[[list[Query], Query], list[Query]]] = {
    "constants": fold_constants,
    "limits": drop_limits,
    "unused": drop_unread,
    "merge": merge_queries,
    "inline": inline_queries,
}


def prune_statement(sql: str, dialect: str, until: str = "inline") -> str:
    """Return a statement without unread parts. Text that is not a statement is returned unchanged.

    Args:
        sql: The statement.
        dialect: Its dialect.
        until: The last pass.

    Raises:
        MetricError: A query reads a column that another query lacks, or a joined column is
            ambiguous.
    """
    comments, definitions, rest = split_statement(sql, dialect)
    if not definitions:
        return sql
    queries, last = [*map(Query.read, definitions)], Query.unnamed(rest)
    names = [query.name for query in queries]
    _leave_tables([*queries, last], {*names})
    reads_later = any(
        query.mentions().keys() & {*names[index:]} for index, query in enumerate(queries)
    )
    if reads_later or len({*names}) < len(names):
        return sql
    head = "".join(f"{comment}\n" for comment in comments)
    full = dialect == "clickhouse"
    expand_stars([*queries, last])
    leave_ambiguous_queries([*queries, last])
    is_shown = "SQLREC_PASSES" in os.environ
    for query in [*queries, last] if is_shown else []:
        if query.form:
            name = query.name or "the last query"
            print(f"-- {name} stays unchanged: {query.form}", file=sys.stderr)
    for name, run in PASSES.items():
        before = {query.name: query.body(full) for query in [*queries, last]} if is_shown else {}
        queries = run(queries, last)
        if is_shown:
            after = {query.name: query.body(full) for query in [*queries, last]}
            print(
                f"\n-- Changes of {name}:", *_find_changes(before, after), sep="\n", file=sys.stderr
            )
        if name == until:
            break
    return head + _format_statement(queries, last, full)


def _format_statement(queries: list[Query], last: Query, full: bool) -> str:
    entries = [
        "".join(f"{comment.text}\n" for comment in query.comments)
        + f"{format_nodes(query.head)} (\n{query.body(full, '    ')}\n)"
        for query in queries
    ]
    return ("with\n" + ",\n".join(entries) + "\n" if entries else "") + last.body(full)


def _find_changes(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """Iterate over the lines that a pass changes, by query."""
    for name, text in before.items():
        if name not in after:
            yield f"without {name}"
        elif text != after[name]:
            yield f"in {name or 'the last query'}"
            changes = unified_diff(text.splitlines(), after[name].splitlines(), n=0, lineterm="")
            yield from (line for line in [*changes][2:] if line[:2] != "@@")


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
