"""A parsed statement: its named queries in order, and the last query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ..dialects import DIALECTS
from ..safe_text import warn
from .queries import format_nodes, leaf_nodes
from .tokens import Group, NamedQuery, Nodes, Token, named_queries, parse_tree, word_at

_AGGREGATES = ("sum", "count", "avg", "min", "max", "stddev_samp", "var_samp")


@dataclass(frozen=True)
class Query:
    """A named query.

    Attributes:
        name: The name.
        text: The SQL, with the comments above it.
        mentions: The number of times that other queries read it.
    """

    name: str
    text: str
    mentions: int


@dataclass(frozen=True)
class Statement:
    """A parsed statement.

    Attributes:
        head: The comments at its start.
        queries: The named queries, each after the queries that it reads.
        last: The last query.
    """

    head: str
    queries: list[Query]
    last: str

    @classmethod
    def read(cls, sql: str, dialect: str, prefix: str = "") -> Statement:
        """Parse a statement.

        Args:
            sql: The statement.
            dialect: The dialect of the statement.
            prefix: The prefix of each name, also in references: ``from hits`` becomes
                ``from sqlrec_hits``, or ``from sqlrec_hits as hits`` if columns are qualified by
                the name.
        """
        comments, named, last = _split_statement(sql, dialect)
        new = {query.name: prefix + query.name for query in named}
        bodies = [_rename_queries(query.body.inner, new) for query in named]
        last = _rename_queries(last, new)
        read = Counter(name for nodes in (*bodies, last) for name in _read_names(nodes))
        queries = [
            Query(
                new[query.name],
                "\n".join([*(x.text for x in query.comments), format_nodes(body)]),
                read[new[query.name]],
            )
            for query, body in zip(named, bodies, strict=True)
        ]
        return cls("\n".join(comments), queries, format_nodes(last))


def _split_statement(sql: str, dialect: str) -> tuple[list[str], list[NamedQuery], list[Token]]:
    """Return the comments at the start of a statement, its named queries, and the last query."""
    nodes = parse_tree(sql, dialect)
    start = next(index for index, node in enumerate(nodes) if not node.is_comment)
    comments = [node.text for node in nodes[:start]]
    # A recursive query reads itself, so it is not split.
    if word_at(nodes, start) != "with" or word_at(nodes, start + 1) == "recursive":
        return comments, [], nodes[start:]
    return comments, *named_queries(nodes[start:])


def names(sql: str, dialect: str) -> set[str]:
    """Return the names of all named queries of a statement."""
    _, named, _ = _split_statement(sql, dialect)
    return {query.name for query in named}


def table_names(relation: str, dialect: str) -> list[str]:
    """Return the names of the tables that a relation, a name or a query, reads."""
    return [*_read_names(parse_tree(f"from {relation}", dialect))]


def warn_of_stages(sql: str, dialect: str) -> None:
    """Warn about a statement with more stages than the default limit of the engine."""
    limit = DIALECTS[dialect].stages
    if limit and (count := stage_count(sql, dialect)) > limit:
        warn(
            f"the statement has some {count} stages, and {dialect.capitalize()} takes {limit} by "
            "default: run its steps, as sqlrec.sql(..., form='steps') and sqlrec sql --steps print "
            "them, or request fewer metrics, conventions or models"
        )


def stage_count(sql: str, dialect: str) -> int:
    """Return the number of stages of a statement that computes a named query for each mention.

    Each read, join, group and window is a stage, in each branch of a union.
    """
    statement = Statement.read(sql, dialect)
    counts: dict[str, int] = {}
    for query in statement.queries:
        counts[query.name] = _count_stages(parse_tree(query.text, dialect), counts)
    return _count_stages(parse_tree(statement.last, dialect), counts)


def _count_stages(nodes: Nodes, named: Mapping[str, int]) -> int:
    words = [node.text for node in nodes]
    if "union" in words:
        end = words.index("union")
        return _count_stages(nodes[:end], named) + _count_stages(nodes[end + 1 :], named)
    count = words.count("join") + ("group" in words or "distinct" in words or _has_aggregate(nodes))
    inside: list[Token] = []
    for index, node in enumerate(nodes):
        is_branch = isinstance(node, Group) and node.is_query and word_at(nodes, index - 1) == "all"
        if not _is_read(nodes, index) and not is_branch:
            inside += [node, *(leaf_nodes(node.inner) if isinstance(node, Group) else [])]
        elif isinstance(node, Group):
            count += _count_stages(node.inner, named)
        # A name before a bracket is a function.
        elif word_at(nodes, index + 1) != "(":
            count += named.get(node.text, 1)
    return count + any(node.text == "over" for node in inside)


def _has_aggregate(nodes: Nodes) -> bool:
    """Return whether a query aggregates rows without a group by."""
    for index, node in enumerate(nodes):
        if _is_read(nodes, index):
            continue
        is_aggregate = (
            word_at(nodes, index - 1) in _AGGREGATES and word_at(nodes, index + 1) != "over"
        )
        if isinstance(node, Group) and (is_aggregate or _has_aggregate(node.inner)):
            return True
    return False


def _rename_queries(nodes: Nodes, new: Mapping[str, str]) -> list[Token]:
    """Return nodes that read named queries under new names, with aliases for qualified columns."""
    tables = {node.text.split(".")[0] for node in leaf_nodes(nodes) if "." in node.text}

    def rename(nodes: Nodes) -> list[Token]:
        result: list[Token] = []
        for index, node in enumerate(nodes):
            if isinstance(node, Group):
                result.append(replace(node, inner=rename(node.inner)))
            elif _is_read(nodes, index) and new.get(node.text, node.text) != node.text:
                result.append(replace(node, text=new[node.text]))
                if node.text in tables and word_at(nodes, index + 1) != "as":
                    result += [Token("as"), Token(node.text)]
            else:
                result.append(node)
        return result

    return rename(nodes)


def _read_names(nodes: Nodes) -> Iterator[str]:
    """Iterate over the names that a query reads."""
    for index, node in enumerate(nodes):
        if isinstance(node, Group):
            yield from _read_names(node.inner)
        elif _is_read(nodes, index):
            yield node.text


def _is_read(nodes: Nodes, index: int) -> bool:
    return word_at(nodes, index - 1) in ("from", "join")
