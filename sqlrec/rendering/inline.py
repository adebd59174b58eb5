"""Inlines queries that are read once and only name columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from .queries import (
    NAME,
    ROW_FUNCTIONS,
    Entry,
    Query,
    Select,
    Source,
    find_equal_columns,
    find_names,
    is_column,
    join_parts,
    leaves,
    names_of,
    row_keys,
    split,
    text,
)
from .tokens import Group, Nodes, Token, word_at

# Joins that rows can be read through.
_KINDS = ("", "join", "left join", "cross join")


class _Mentions:
    """Count mentions of queries, by reader and by name."""

    def __init__(self, queries: list[Query], last: Query) -> None:
        self.names = {query.name for query in queries}
        self.by_reader = {id(one): self._count_mentions(one) for one in [*queries, last]}

    def _count_mentions(self, query: Query) -> Counter[str]:
        mentions: Counter[str] = Counter()
        if not query.selects:
            mentions.update(one.text for one in leaves(query.nodes) if one.text in self.names)
        for select in query.selects:
            mentions.update(one.name for one in select.sources if one.name in self.names)
            for inner in select.sources:
                if inner.query:
                    mentions.update(self._count_mentions(inner.query))
            for part in select.parts():
                for node in leaves(part):
                    if isinstance(node, Group) and node.is_query:
                        mentions.update(x.text for x in leaves(node.inner) if x.text in self.names)
        return mentions

    def of(self, name: str) -> int:
        """Return how often a query is read."""
        return sum(one[name] for one in self.by_reader.values())

    def move(self, query: Query, reader: Query) -> None:
        """Move the mentions in a query to its reader."""
        counts = self.by_reader[id(reader)]
        del counts[query.name]
        counts.update(self.by_reader.pop(id(query)))

    def replace(self, query: Query, other: str) -> None:
        """Count mentions of a query as mentions of another, and drop those in the query."""
        del self.by_reader[id(query)]
        for counts in self.by_reader.values():
            counts[other] += counts.pop(query.name, 0)


def _merge_renamed(queries: list[Query], last: Query, mentions: _Mentions) -> list[Query]:
    """Merge each query that only selects all columns of another with that other query."""
    kept = {query.name: query for query in queries}
    for query in queries:
        select = query.select
        if not select or select.clauses or len(select.sources) != 1 or len(query.head) > 2:
            continue
        words = [text(one.expression) for one in select.entries]
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
        if mentions.of(source.name) == 1 and source.name not in aliases:
            del mentions.by_reader[id(query)]
            source.comments = source.comments or query.comments
            kept = {
                name: source if one is query else one
                for name, one in kept.items()
                if one is not source
            }
            source.head = [query.head[0], *source.head[1:]]
        elif _read_instead(reading, query.name, source.name, mentions):
            mentions.replace(query, source.name)
            del kept[query.name]
    return [*kept.values()]


def _read_instead(reading: list[Query], name: str, other: str, mentions: _Mentions) -> bool:
    """Replace mentions of a query by another query; return whether all can be replaced."""
    sources = [
        (select, source)
        for query in reading
        for select in query.selects
        for source in select.sources
        if source.name == name
    ]
    if len(sources) != mentions.of(name):
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


def inline(queries: list[Query], last: Query) -> list[Query]:
    """Inline each query that is mentioned once and only names columns."""
    mentions = _Mentions(queries, last)
    queries = _merge_renamed(queries, last, mentions)
    kept = [*queries]
    by_name = {query.name: query for query in queries}
    for query in queries:
        if mentions.of(query.name) != 1 or not query.select or len(query.head) != 2:
            continue
        (reader,) = (one for one in [*kept, last] if mentions.by_reader[id(one)][query.name])
        if reader.select and _can_choose(query.select, reader.select):
            _choose_columns(query.select, reader)
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
    for query in [*kept, last]:
        for select in query.selects:
            _drop_coalesce(select)
    return kept


def _drop_coalesce(select: Select) -> None:
    """Write ``x`` for ``coalesce(x, 0)`` if a condition is ``x > 0``."""
    conditions = split(select.clauses.get("where", []), "and")
    if any(node.text == "or" for condition in conditions for node in condition):
        return
    compared = {
        condition[0].text
        for condition in conditions
        if len(condition) == 3
        and is_column(condition[:1])
        and condition[1].text == ">"
        and condition[2].text.isdecimal()
    }
    for entry in select.entries if compared else ():
        entry.expression = _without_coalesce(entry.expression, compared)
    for source in select.sources if compared else ():
        source.on = _without_coalesce(source.on, compared)


def _without_coalesce(nodes: Nodes, names: set[str]) -> list[Token]:
    """Write a name for ``coalesce(name, number)``."""
    kept: list[Token] = []
    for node in nodes:
        if isinstance(node, Group):
            is_call = bool(kept) and kept[-1].text == "coalesce"
            is_plain = len(node.inner) == 3 and is_column(node.inner[:1])
            if is_call and is_plain and node.inner[0].text in names:
                kept[-1] = replace(node.inner[0], space=kept[-1].space)
                continue
            node = replace(node, inner=_without_coalesce(node.inner, names))
        kept.append(node)
    return kept


def _is_projection(select: Select) -> bool:
    """Return whether a select only lists columns of one named query, once each."""
    names = [text(one.expression) for one in select.entries]
    return (
        len(select.sources) == 1
        and not (select.clauses or select.distinct or select.sources[0].query)
        and all(_is_named(one.expression) for one in select.entries)
        and len({*names}) == len(names)
    )


def _can_choose(select: Select, reader: Select) -> bool:
    """Return whether a reader only lists columns that a select names."""
    names = {one.name for one in select.entries}
    return (
        _is_projection(reader)
        and _keeps_rows(select)
        and all(_column_name(one.expression) in names for one in reader.entries)
    )


def _keeps_rows(select: Select) -> bool:
    """Return whether a select has the same rows with fewer columns."""
    names = {node.text for one in select.entries for node in leaves(one.expression)}
    together = select.may_aggregate and "group" not in select.clauses
    return not (select.distinct or together or names & {*ROW_FUNCTIONS})


def _choose_columns(select: Select, reader: Query) -> None:
    """Replace a projection by the select that it reads, with its columns."""
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
    """Inline a select into its reader if possible, and return whether it was."""
    columns = _columns_to_inline(select, source, reader, queries)
    if columns is None:
        return False
    mapping = {f"{source.alias}.{key}": nodes for key, nodes in columns.items()}
    if len(reader.sources) == 1:
        mapping |= columns
    elif _has_names(reader, _computed_columns(columns)):
        return False
    if _has_names(reader, {source.alias}):
        return False
    others = [one for one in reader.sources if one is not source]
    if others:
        moving = [*columns.values(), select.clauses.get("where", [])]
        if _conflicts(moving, others, queries):
            return False
        if _conflicts(reader.parts(), select.sources, queries, {*columns}):
            return False
    expressions = {key for key, nodes in columns.items() if not _is_named(nodes)}
    if not _reads_table(select, queries) and not _reads_each_once(reader, mapping, expressions):
        return False
    others = []
    for one in reader.sources:
        same = next((x for x in select.sources if x.alias == one.alias), None)
        if one is source or same is None:
            others.append(one)
        elif not _is_same_row(one, same, mapping, queries):
            return False
    reader.sources = others
    _substitute(reader, mapping)
    at = reader.sources.index(source)
    moved = [replace(one) for one in select.sources]
    moved[0].kind, moved[0].on = source.kind, source.on
    reader.sources[at : at + 1] = moved
    if where := select.clauses.get("where"):
        conditions = [_add_brackets(where)]
        if "where" in reader.clauses:
            conditions.append(_add_brackets(reader.clauses["where"]))
        reader.clauses = {"where": join_parts(conditions, "and")} | {
            word: nodes for word, nodes in reader.clauses.items() if word != "where"
        }
    return True


def _conflicts(
    parts: Iterable[Nodes],
    sources: Iterable[Source],
    queries: Mapping[str, Query],
    own: Iterable[str] = (),
) -> bool:
    """Return whether a column without the name of its table is a column of other sources too.

    Args:
        parts: The expressions.
        sources: The other sources; a source with unknown columns may have any column.
        queries: The queries of the statement, by name.
        own: Names that never mean a column of the other sources.
    """
    bare = {one for one in find_names(parts) if NAME.fullmatch(one) and "." not in one} - {*own}
    for source in sources:
        query = source.query or queries.get(source.name)
        names = names_of(query) if query else None
        if bare & names if names is not None else bare and query:
            return True
    return False


def _computed_columns(columns: Mapping[str, list[Token]]) -> set[str]:
    """Return the columns that are an expression or have another name in the source."""
    return {
        key for key, nodes in columns.items() if not _is_named(nodes) or _column_name(nodes) != key
    }


def _has_names(select: Select, names: set[str]) -> bool:
    """Return whether a select reads one of some columns without the name of its table."""
    return any(node.text in names for part in select.parts() for node in leaves(part))


def _reads_table(select: Select, queries: Mapping[str, Query]) -> bool:
    """Return whether a select reads an input table, with columns under standard names."""
    return len(select.sources) == 1 and select.sources[0].name not in queries


def _columns_to_inline(
    select: Select, source: Source, reader: Select, queries: Mapping[str, Query]
) -> dict[str, list[Token]] | None:
    """Return the expressions of a select by name, as a reader can write them, or none."""
    leaf = {one.text for entry in select.entries for one in leaves(entry.expression)}
    simple = not (
        select.distinct or select.may_aggregate or select.has_windows or leaf & {*ROW_FUNCTIONS}
    )
    simple = simple and not select.clauses.keys() - {"where"} and bool(select.sources)
    kinds = {one.kind for one in reader.sources}
    stars = any(one.is_star for one in [*select.entries, *reader.entries])
    if not simple or stars or "order" in reader.clauses or kinds - {*_KINDS}:
        return None
    columns = {entry.name: entry.expression for entry in select.entries}
    only = {key for key, nodes in columns.items() if _is_named(nodes)}
    if source is not reader.sources[0] and (
        len(select.sources) > 1 or select.clauses or only != columns.keys()
    ):
        return None
    if len(reader.sources) > 1 and len(select.sources) == 1:
        if _reads_table(select, queries) and (only != columns.keys() or select.clauses):
            return None
        alias = select.sources[0].alias
        for key in only:
            node = columns[key][0]
            if "." not in node.text:
                columns[key] = [Token(f"{alias}.{node.text}", node.space)]
    return columns


def _is_named(nodes: Nodes) -> bool:
    """Return whether an expression is a column of a table, not a constant."""
    return (
        is_column(nodes) and NAME.fullmatch(nodes[0].text) is not None and nodes[0].text != "null"
    )


def _is_same_row(
    source: Source,
    inner: Source,
    mapping: Mapping[str, list[Token]],
    queries: Mapping[str, Query],
) -> bool:
    """Return whether a join adds the row of a table that the select has joined already."""
    if source.name != inner.name or source.kind != "left join" or source.name not in queries:
        return False
    conditions = [text(one) for one in split(_replace_names(source.on, mapping), "and")]
    equal = {text(one) for one in split(inner.on, "and")}
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
    """Return whether a reader uses expressions only as columns, each once."""
    names = {key for key in mapping if key.rsplit(".", 1)[-1] in expressions}
    mentions = Counter(
        node.text for part in reader.parts() for node in leaves(part) if node.text in names
    )
    direct = Counter(one.expression[0].text for one in reader.entries if len(one.expression) == 1)
    return all(mentions[key] == direct[key] <= 1 for key in names)


def _substitute(reader: Select, mapping: Mapping[str, list[Token]]) -> None:
    for entry in reader.entries:
        entry.expression = _replace_names(entry.expression, mapping)
    for source in reader.sources:
        source.on = _replace_names(source.on, mapping)
    reader.clauses = {
        word: _replace_names(nodes, mapping) for word, nodes in reader.clauses.items()
    }


def _replace_names(nodes: Nodes, mapping: Mapping[str, list[Token]]) -> list[Token]:
    replaced: list[Token] = []
    for index, node in enumerate(nodes):
        if isinstance(node, Group):
            replaced.append(Group(node.text, node.space, _replace_names(node.inner, mapping)))
        elif node.text in mapping and word_at(nodes, index - 1) != "as":
            inner = mapping[node.text]
            call = len(inner) == 2 and inner[1].text == "("
            if len(inner) == 1 or call or len(nodes) == 1:
                first = inner[0]
                head = (
                    Group(first.text, node.space, first.inner)
                    if isinstance(first, Group)
                    else Token(first.text, node.space)
                )
                replaced += [head, *inner[1:]]
            else:
                replaced.append(Group("(", node.space, [*inner]))
        else:
            replaced.append(node)
    return replaced
