"""Statements as trees: tokens, and groups of what stands in brackets or between case and end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from ..dialects import DIALECTS

# A query as long as this is on a line with others.
SHORT_QUERY = 72
CLOSING = {"(": ")", "[": "]", "{": "}", "case": "end"}


@dataclass(slots=True)
class Token:
    """A word, constant, sign or comment, with the white space before it."""

    text: str
    space: str = " "

    @property
    def spaced(self) -> bool:
        """Whether white space is before it."""
        return bool(self.space)

    @property
    def first(self) -> bool:
        """Whether it starts a line."""
        return "\n" in self.space

    @property
    def is_comment(self) -> bool:
        """Whether it is a comment, to the end of its line."""
        return self.text.startswith("--")

    @property
    def flat(self) -> str | None:
        """The text on one line; none for a comment, behind which nothing can stand."""
        return None if self.is_comment else self.text


@dataclass
class Group(Token):
    """What stands in brackets, or between case and end; its text is what opens it."""

    inner: list[Token] = field(default_factory=list)

    @property
    def is_query(self) -> bool:
        """Whether it holds a query."""
        return bool(self.inner) and word_at(self.inner, 0) in ("select", "with", "values")

    @cached_property
    def flat(self) -> str | None:
        """The text on one line; none where it can't be, or where it would not be read."""
        inner = one_line(self.inner)
        if inner is None or (self.is_query and len(inner) > SHORT_QUERY):
            return None
        space = " " if self.text == "case" else ""
        return f"{self.text}{space}{inner}{space}{CLOSING[self.text]}"


Nodes = Sequence[Token]


def tree(sql: str, dialect: str) -> list[Token]:
    """Read a statement, or what it starts with.

    Args:
        sql: The text.
        dialect: Whose SQL it is; backslashes in texts are read by some.
    """
    return _grouped(tokens(sql, dialect))


def quoted(dialect: str) -> str:
    """Return what text constants and quoted names look like, as a pattern."""
    inside = r"[^'\\]|''|\\." if DIALECTS[dialect].backslashes else "[^']|''"
    return rf"'(?:{inside})*'|\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`"


@cache
def _token(dialect: str) -> re.Pattern[str]:
    """Return what a token looks like: white space, and what stands behind it."""
    signs = r"<=|>=|<>|!=|<<|>>|\|\||->|::|\S"
    return re.compile(rf"(\s*)(--[^\n]*|(?:{quoted(dialect)}|[\w$@.])+|{signs})", re.DOTALL)


def tokens(sql: str, dialect: str) -> Iterator[Token]:
    """Go through the tokens of a statement, or of a part of it."""
    found = _token(dialect).findall(sql, 0, len(sql.rstrip()))
    for place, (space, text) in enumerate(found):
        # What starts the text starts a line.
        yield Token(text.rstrip() if text[:2] == "--" else text, space if place else "\n")


def words(sql: str, dialect: str) -> list[str]:
    """Return the texts of the tokens of a statement but comments."""
    return [text for _, text in _token(dialect).findall(sql) if text[:2] != "--"]


def _grouped(tokens: Iterator[Token], closing: str = "") -> list[Token]:
    nodes: list[Token] = []
    for token in tokens:
        if token.text == closing:
            break
        if token.text in CLOSING:
            inner = _grouped(tokens, CLOSING[token.text])
            token = Group(token.text, token.space, inner)
        nodes.append(token)
    return nodes


def one_line(nodes: Nodes) -> str | None:
    """Return the text of nodes on one line; none where it can't be."""
    text = ""
    for node in nodes:
        if node.flat is None:
            return None
        text += (" " if node.spaced and text else "") + node.flat
    return text


def word_at(nodes: Nodes, place: int) -> str:
    """Return the text at a place; empty where there is none."""
    return nodes[place].text if 0 <= place < len(nodes) else ""


@dataclass(frozen=True)
class NamedQuery:
    """An entry of a with clause.

    Attributes:
        comments: What stands above it.
        head: Its name and the words behind it, as in ``hits as materialized``.
        body: The brackets with its query.
    """

    comments: list[Token]
    head: list[Token]
    body: Group

    @property
    def name(self) -> str:
        """Its name."""
        return self.head[0].text


def named_queries(nodes: Nodes) -> tuple[list[NamedQuery], list[Token]]:
    """Take a statement that begins with ``with`` apart into its named queries and the rest."""
    queries: list[NamedQuery] = []
    start = 2 if word_at(nodes, 1) == "recursive" else 1
    for place, node in enumerate(nodes):
        if isinstance(node, Group) and place > start:
            before = nodes[start:place]
            comments = [other for other in before if other.is_comment]
            head = [other for other in before if not other.is_comment]
            queries.append(NamedQuery(comments, head, node))
            start = place + 2
            if word_at(nodes, place + 1) != ",":
                return queries, [*nodes[place + 1 :]]
    return queries, []
