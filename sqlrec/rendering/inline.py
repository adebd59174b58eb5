"""Inline queries that are read once and only name columns.

There are two cases. The query has one row for each row of its tables, so it has no group, window,
``distinct``, order or limit. Or its reader only lists some of its columns, like the reader of
``listed`` here.

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

from .merge import Mentions
from .queries import (
    Entry,
    Query,
    Select,
    Source,
    find_equal_columns,
    format_nodes,
    is_column,
    is_name,
    join_parts,
    leaf_nodes,
    makes_rows,
    names_in,
    replace_names,
    row_keys,
    split_nodes,
)
from .tokens import Group, Nodes, Token


def inline_queries(queries: list[Query], last: Query) -> list[Query]:
    """Inline each query that is mentioned once and only names columns."""
    mentions = Mentions(queries, last)
    kept = [*queries]
    by_name = {query.name: query for query in queries}
    for query in queries:
        if mentions.count(query.name) != 1 or not query.select or len(query.head) != 2:
            continue
        (reader,) = mentions.readers(query.name, [*kept, last])
        if _inline_query(query.name, query.select, reader, by_name):
            kept.remove(query)
            mentions.move(query, reader)
            reader.comments = reader.comments or query.comments
    return kept


def _inline_query(name: str, select: Select, reader: Query, queries: Mapping[str, Query]) -> bool:
    """Inline the select of a query into its reader if possible; return whether it was inlined."""
    if reader.select and _only_lists_columns(reader.select, select):
        _replace_projection(select, reader)
        return True
    for reading in reader.selects:
        for source in reading.sources:
            if source.name == name:
                return _replace_source(select, source, reading, queries)
    return False


def _only_lists_columns(reader: Select, select: Select) -> bool:
    """Return whether a reader only lists columns of the select that it reads, each at most once.

    The select must have the same rows with fewer columns.
    """
    texts = [format_nodes(entry.expression) for entry in reader.entries]
    columns = {entry.name for entry in select.entries}
    return (
        len(reader.sources) == 1
        and not (reader.clauses or reader.distinct or reader.sources[0].query)
        and all(_is_plain_column(entry.expression) for entry in reader.entries)
        and len({*texts}) == len(texts)
        and {_column_name(entry.expression) for entry in reader.entries} <= columns
        and _keeps_rows(select)
    )


def _keeps_rows(select: Select) -> bool:
    """Return whether a select without some of its columns has the same rows."""
    together = select.is_possible_aggregate and "group" not in select.clauses
    return not (select.distinct or together or makes_rows(select.entries))


def _replace_projection(select: Select, reader: Query) -> None:
    """Replace a query that only lists columns by these columns of the select that it reads."""
    expressions = {entry.name: entry for entry in select.entries}
    chosen = [
        Entry(expressions[_column_name(entry.expression)].expression, entry.name, entry.comments)
        for entry in reader.selects[0].entries
    ]
    reader.selects = [replace(select, entries=chosen)]


def _column_name(nodes: Nodes) -> str:
    return nodes[0].text.rsplit(".", 1)[-1]


def _replace_source(
    select: Select, source: Source, reader: Select, queries: Mapping[str, Query]
) -> bool:
    """Replace a reader's source by the tables of its select if possible; return the success.

    If a join in the reader adds a row that the select already joins, the join is dropped.
    """
    others = [table for table in reader.sources if table is not source]
    expressions, where = _qualified_parts(select, len(others) > 0)
    mapping = {f"{source.alias}.{name}": nodes for name, nodes in expressions.items()}
    mapping |= {} if others else expressions
    own = {source.alias: source for source in select.sources}
    repeated = [entry for entry in others if entry.alias in own]
    if not (
        _can_replace(select, source, reader, queries, mapping)
        and all(_is_same_row(entry, own[entry.alias], mapping, queries) for entry in repeated)
    ):
        return False
    reader.sources = [source for source in reader.sources if source not in repeated]
    _substitute_columns(reader, mapping)
    tables = [replace(source) for source in select.sources]
    tables[0].kind, tables[0].on = source.kind, source.on
    index = reader.sources.index(source)
    reader.sources[index : index + 1] = tables
    if where:
        conditions = [where, reader.clauses["where"]] if "where" in reader.clauses else [where]
        together = join_parts([_add_brackets(condition) for condition in conditions], "and")
        reader.clauses = {"where": together} | {
            word: nodes for word, nodes in reader.clauses.items() if word != "where"
        }
    return True


def _qualified_parts(select: Select, is_joined: bool) -> tuple[dict[str, list[Token]], list[Token]]:
    """Return the expressions of a select by name and its condition, as written in its reader."""
    columns = {entry.name: entry.expression for entry in select.entries}
    where = select.clauses.get("where", [])
    if not is_joined or len(select.sources) != 1:
        return columns, where
    qualified = _qualify_columns(select)
    replaced = {name: replace_names(nodes, qualified) for name, nodes in columns.items()}
    return replaced, replace_names(where, qualified)


def _can_replace(
    select: Select,
    source: Source,
    reader: Select,
    queries: Mapping[str, Query],
    mapping: Mapping[str, list[Token]],
) -> bool:
    """Return whether a reader has the same rows if the tables of a select replace its source.

    A row that a left join does not find has nulls, so an expression of this row stays in its query.
    Here, ``is_shown`` would be 1 for all users:

    >>> from sqlrec.rendering.prune import show_pass
    >>> show_pass("inline", '''
    ... with
    ... listed as (select distinct user_id from r),
    ... shown as (select user_id, 1 as is_shown from listed)
    ... select t.user_id, shown.is_shown from t left join shown on shown.user_id = t.user_id
    ... ''')
    with
    listed as (select distinct user_id from r),
    shown as (select user_id, 1 as is_shown from listed)
    select t.user_id, shown.is_shown
    from t
    left join shown on shown.user_id = t.user_id

    A reader uses an expression at most once, so no expression is computed twice. If the select
    reads an input table, the reader may use an expression several times. Here, the root would be
    computed twice:

    >>> show_pass("inline", '''
    ... with
    ... listed as (select distinct user_id, points from r),
    ... scored as (select user_id, sqrt(points) as score from listed)
    ... select user_id, score * score as product from scored
    ... ''')
    with
    listed as (select distinct user_id, points from r),
    scored as (select user_id, sqrt(points) as score from listed)
    select user_id, score * score as product
    from scored
    """
    others = len(reader.sources) > 1
    computed = {entry.name for entry in select.entries if not _is_plain_column(entry.expression)}
    reads_table = len(select.sources) == 1 and select.sources[0].name not in queries
    renames = len(select.sources) == 1 and not (computed or select.clauses)
    return (
        _is_rowwise(select)
        and not any(entry.is_star for entry in [*select.entries, *reader.entries])
        and "order" not in reader.clauses
        # Expressions of a row that a join adds must stay null, and columns of a table keep its
        # name.
        and (renames or not others or (source is reader.sources[0] and not reads_table))
        and (reads_table or _reads_each_once(reader, mapping, computed))
    )


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
    """Return the columns of a select from one table, qualified by the table, by plain name."""
    parts = [*(entry.expression for entry in select.entries), select.clauses.get("where", [])]
    names = {name for nodes in parts for name in names_in(nodes) if "." not in name}
    return {name: [Token(f"{select.sources[0].alias}.{name}")] for name in names}


def _is_plain_column(nodes: Nodes) -> bool:
    """Return whether an expression is a plain column of a table, not a constant."""
    return is_column(nodes) and is_name(nodes[0].text) and nodes[0].text != "null"


def _is_same_row(
    source: Source, inner: Source, mapping: Mapping[str, list[Token]], queries: Mapping[str, Query]
) -> bool:
    """Return whether a join adds a row that the select has already joined.

    Both joins must find one row, so their conditions contain all columns that identify a row. Here,
    each join finds all items of a user, so with one join, each item would only have its own grade:

    >>> from sqlrec.rendering.prune import show_pass
    >>> show_pass("inline", '''
    ... with
    ... relevant as (select distinct user_id, item_id, grade from t),
    ... graded as (
    ...     select r.user_id, relevant.item_id
    ...     from r
    ...     left join relevant on relevant.user_id = r.user_id
    ... )
    ... select graded.item_id, relevant.grade
    ... from graded
    ... left join relevant on relevant.user_id = graded.user_id
    ... ''')
    with
    relevant as (select distinct user_id, item_id, grade from t),
    graded as (
        select r.user_id, relevant.item_id
        from r
        left join relevant on relevant.user_id = r.user_id
    )
    select graded.item_id, relevant.grade
    from graded
    left join relevant on relevant.user_id = graded.user_id
    """
    if source.name != inner.name or source.kind != "left join" or source.name not in queries:
        return False
    conditions = [
        format_nodes(condition)
        for condition in split_nodes(replace_names(source.on, mapping), "and")
    ]
    equal = {format_nodes(condition) for condition in split_nodes(inner.on, "and")}
    keys = row_keys(queries[source.name], queries)
    same = {f"{source.alias}.{key} = {source.alias}.{key}": key for key in keys or ()}
    if keys is None or not all(condition in equal or condition in same for condition in conditions):
        return False
    return keys <= {
        same[condition] for condition in conditions if condition in same
    } | find_equal_columns(source)


def _add_brackets(nodes: list[Token]) -> list[Token]:
    return [Group("(", " ", nodes)] if any(node.text == "or" for node in nodes) else nodes


def _reads_each_once(
    reader: Select, mapping: Mapping[str, list[Token]], expressions: set[str]
) -> bool:
    """Return whether a query reads each expression at most once, and only as a column."""
    names = {key for key in mapping if key.rsplit(".", 1)[-1] in expressions}
    mentions = Counter(
        node.text for part in reader.parts() for node in leaf_nodes(part) if node.text in names
    )
    direct = Counter(
        entry.expression[0].text for entry in reader.entries if len(entry.expression) == 1
    )
    return all(mentions[key] == direct[key] <= 1 for key in names)


def _substitute_columns(reader: Select, mapping: Mapping[str, list[Token]]) -> None:
    for entry in reader.entries:
        entry.expression = replace_names(entry.expression, mapping)
    for source in reader.sources:
        source.on = replace_names(source.on, mapping)
    reader.clauses = {word: replace_names(nodes, mapping) for word, nodes in reader.clauses.items()}
