"""A statement as a value: its named queries, in order, and the last query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ..dialects import DIALECTS
from ..shown import warn
from .tokens import CLOSING, Group, Nodes, Token, named_queries, tree, word_at, words

_AGGREGATES = ("sum", "count", "avg", "min", "max", "stddev_samp", "var_samp")


@dataclass(frozen=True)
class Query:
    """A named query.

    Attributes:
        name: Its name.
        text: Its SQL, with the comments that stand above it.
        mentions: How often others, and the last query, read it.
    """

    name: str
    text: str
    mentions: int


@dataclass(frozen=True)
class Statement:
    """A statement, taken apart.

    Attributes:
        head: The comments that it begins with.
        queries: Its named queries, each after those that it reads.
        last: Its last query.
    """

    head: str
    queries: list[Query]
    last: str

    @classmethod
    def read(cls, sql: str, dialect: str, prefix: str = "") -> Statement:
        """Take a statement apart.

        Named queries inside of a named query come before it, under its name and theirs.

        Args:
            sql: The statement.
            dialect: Whose SQL it is.
            prefix: What is put before each name, also where it is read: ``from hits`` is then
                ``from sqlrec_hits``, with ``as hits`` where its columns go by that.
        """
        nodes = tree(sql, dialect)
        start = next(place for place, node in enumerate(nodes) if not node.is_comment)
        queries, last = _flat(nodes[start:], prefix)
        read = Counter(name for _, query in [*queries, ("", last)] for name in _read(query))
        return cls(
            _text(nodes[:start]),
            [Query(name, _text(query), read[name]) for name, query in queries],
            _text(last),
        )


def names(sql: str, dialect: str) -> set[str]:
    """Return the names of all named queries of a statement, those inside of others too.

    A query that stands for a table has names of its own.
    """
    found: set[str] = set()
    texts = [text for text in words(sql, dialect) if text != "materialized"]
    # Of each bracket that is open, whether it holds named queries of the statement.
    named = [texts[:1] == ["with"]]
    for place, text in enumerate(texts):
        if text == "(":
            begins = named[-1] and texts[place - 1] == "as"
            if begins:
                found.add(texts[place - 2])
            named.append(begins and texts[place + 1] == "with")
        elif text == ")":
            named.pop()
    return found


def tables_of(relation: str, dialect: str) -> list[str]:
    """Return the names that are read where a relation, a name or a query, stands."""
    return [*_read(tree(f"from {relation}", dialect))]


def warn_of_stages(sql: str, dialect: str) -> None:
    """Warn of a statement with more stages than the dialect's engine takes by default."""
    most = DIALECTS[dialect].stages
    if most and (found := stages(sql, dialect)) > most:
        warn(
            f"the statement has some {found} stages, and {dialect.capitalize()} takes {most} by "
            "default: run its steps, as sqlrec.sql(..., form='steps') and sqlrec sql --steps print "
            "them, or ask for fewer metrics, conventions or models"
        )


def stages(sql: str, dialect: str) -> int:
    """Count the stages of a statement where a named query is computed for each mention.

    What is read, joined, grouped or put in windows begins one, in each branch of a union.
    """
    statement = Statement.read(sql, dialect)
    found: dict[str, int] = {}
    for query in statement.queries:
        found[query.name] = _stages(tree(query.text, dialect), found)
    return _stages(tree(statement.last, dialect), found)


def _stages(nodes: Nodes, named: Mapping[str, int]) -> int:
    words = [node.text for node in nodes]
    if "union" in words:
        end = words.index("union")
        return _stages(nodes[:end], named) + _stages(nodes[end + 1 :], named)
    found = words.count("join") + ("group" in words or "distinct" in words or _aggregates(nodes))
    inside: list[Token] = []
    for place, node in enumerate(nodes):
        is_branch = isinstance(node, Group) and node.is_query and word_at(nodes, place - 1) == "all"
        if not _is_read(nodes, place) and not is_branch:
            inside += [node, *(_leaves(node.inner) if isinstance(node, Group) else [])]
        elif isinstance(node, Group):
            found += _stages(node.inner, named)
        # What has brackets behind it is a function.
        elif word_at(nodes, place + 1) != "(":
            found += named.get(node.text, 1)
    return found + any(one.text == "over" for one in inside)


def _leaves(nodes: Nodes) -> Iterator[Token]:
    for node in nodes:
        yield node
        if isinstance(node, Group):
            yield from _leaves(node.inner)


def _aggregates(nodes: Nodes) -> bool:
    """Say whether rows are brought together without a group."""
    for place, node in enumerate(nodes):
        if _is_read(nodes, place):
            continue
        of_rows = word_at(nodes, place - 1) in _AGGREGATES and word_at(nodes, place + 1) != "over"
        if isinstance(node, Group) and (of_rows or _aggregates(node.inner)):
            return True
    return False


def _flat(nodes: Nodes, prefix: str) -> tuple[list[tuple[str, list[Token]]], list[Token]]:
    # A recursion reads itself, so it stays in one piece.
    if word_at(nodes, 0) != "with" or word_at(nodes, 1) == "recursive":
        return [], [*nodes]
    queries, last = named_queries(nodes)
    found: list[tuple[str, list[Token]]] = []
    for query in queries:
        inner, rest = _flat(query.body.inner, f"{prefix}{query.name}_")
        found += [*inner, (prefix + query.name, [*query.comments, *rest])]
    new = {query.name: prefix + query.name for query in queries}
    renamed = [(name, _renamed(query, new, _tables(query))) for name, query in found]
    return renamed, _renamed(last, new, _tables(last))


def _tables(nodes: Nodes) -> set[str]:
    """Return what columns go by: the names before their points."""
    return {node.text.split(".")[0] for node in _leaves(nodes) if "." in node.text}


def _renamed(nodes: Nodes, new: Mapping[str, str], tables: set[str]) -> list[Token]:
    """Read named queries under new names; the old ones are what their columns go by."""
    found: list[Token] = []
    for place, node in enumerate(nodes):
        if isinstance(node, Group):
            found.append(replace(node, inner=_renamed(node.inner, new, tables)))
        elif _is_read(nodes, place) and new.get(node.text, node.text) != node.text:
            found.append(replace(node, text=new[node.text]))
            if node.text in tables and word_at(nodes, place + 1) != "as":
                found += [Token("as"), Token(node.text)]
        else:
            found.append(node)
    return found


def _read(nodes: Nodes) -> Iterator[str]:
    """Go through the names that a query reads."""
    for place, node in enumerate(nodes):
        if isinstance(node, Group):
            yield from _read(node.inner)
        elif _is_read(nodes, place):
            yield node.text


def _is_read(nodes: Nodes, place: int) -> bool:
    return word_at(nodes, place - 1) in ("from", "join")


def _text(nodes: Nodes) -> str:
    """Write nodes as they were read; behind a comment there is nothing else on its line."""
    parts: list[str] = []
    for before, node in zip([None, *nodes], nodes, strict=False):
        ends = before is not None and before.is_comment and not node.first
        parts += ["\n" if ends else node.space, node.text]
        if isinstance(node, Group):
            last = node.inner[-1:]
            end = "\n" if last and last[0].is_comment else " "
            parts += [" ", _text(node.inner), end, CLOSING[node.text]]
    return "".join(parts).strip()
