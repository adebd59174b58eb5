"""A parsed statement, with its named queries in order and the last query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ..dialects import DIALECTS
from ..safe_text import warn
from .queries import Query as ParsedQuery
from .queries import format_nodes, leaf_nodes
from .tokens import Group, Nodes, Token, parse_tree, split_statement, word_at


@dataclass(frozen=True)
class Query:
    """A named query."""

    name: str
    text: str  # The SQL, with the comments above it.
    mentions: int  # The number of times that other queries read it.


@dataclass(frozen=True)
class Statement:
    """A parsed statement."""

    head: str  # The comments at the start.
    queries: list[Query]  # The named queries, each after the queries that it reads.
    last: str  # The last query.

    @classmethod
    def read(cls, sql: str, dialect: str, prefix: str = "") -> Statement:
        """Parse a statement.

        Args:
            sql: The statement.
            dialect: The dialect of the statement.
            prefix: The prefix of the names of queries, wherever they are written: ``from hits``
                becomes ``from sqlrec_hits``, or ``from sqlrec_hits as hits`` if columns are
                qualified by the name.
        """
        comments, definitions, last = split_statement(sql, dialect)
        new = {query.name: prefix + query.name for query in definitions}
        bodies = [_rename_queries(query.body.inner, new) for query in definitions]
        last = _rename_queries(last, new)
        read = Counter(name for nodes in (*bodies, last) for name in _read_names(nodes))
        queries = [
            Query(
                new[query.name],
                "\n".join([*(x.text for x in query.comments), format_nodes(body)]),
                read[new[query.name]],
            )
            for query, body in zip(definitions, bodies, strict=True)
        ]
        return cls("\n".join(comments), queries, format_nodes(last))


def names(sql: str, dialect: str) -> set[str]:
    """Return the names of all named queries of a statement."""
    _, definitions, _ = split_statement(sql, dialect)
    return {query.name for query in definitions}


def table_names(relation: str, dialect: str) -> list[str]:
    """Return the names of the tables that a relation reads; it can be a name or a query."""
    return [*_read_names(parse_tree(f"from {relation}", dialect))]


def warn_about_stages(dialect: str, *parts: str) -> None:
    """Warn if a statement has more stages than the default limit of the engine."""
    limit = DIALECTS[dialect].stages
    if limit and (count := sum(stage_count(part, dialect) for part in parts)) > limit:
        warn(
            f"the statement has about {count} stages, but {dialect.capitalize()} allows {limit} by "
            "default: run the steps that sqlrec.sql(..., form='steps') or sqlrec sql --steps print"
            ", or request fewer metrics, conventions or models"
        )


def stage_count(sql: str, dialect: str) -> int:
    """Return the number of stages, if the engine computes a named query again at each use.

    Each read, join, group and window is a stage, in each branch of a union.
    """
    _, definitions, last = split_statement(sql, dialect)
    queries = [*map(ParsedQuery.read, definitions), ParsedQuery.unnamed(last)]
    counts: dict[str, int] = {}
    for query in queries:
        counts[query.name] = _count_stages(query, counts)
    return counts[""]


def _count_stages(query: ParsedQuery, stages_by_name: Mapping[str, int]) -> int:
    count = 0
    for select in query.selects:
        for source in select.sources:
            is_table = not source.query and len(source.table) == 1
            count += stages_by_name.get(source.name, 1) if is_table else 0
            count += _count_stages(source.query, stages_by_name) if source.query else 0
        count += max(0, len(select.sources) - 1) + select.has_windows
        count += select.distinct or select.aggregates
    return count


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
