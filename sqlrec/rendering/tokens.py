"""Statements as trees of tokens, in which brackets and case expressions are groups."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from ..dialects import DIALECTS

# Maximum length of a query on one line.
SHORT_QUERY = 72
CLOSING = {"(": ")", "[": "]", "{": "}", "case": "end"}


@dataclass(slots=True)
class Token:
    """A word, constant, sign or comment, with the white space before it."""

    text: str
    space: str = " "

    @property
    def has_space(self) -> bool:
        """Whether white space precedes it."""
        return bool(self.space)

    @property
    def first(self) -> bool:
        """Whether it starts a line."""
        return "\n" in self.space

    @property
    def is_comment(self) -> bool:
        """Whether it is a comment, to the end of its line."""
        return self.text[:2] == "--"

    @property
    def flat(self) -> str | None:
        """The text on one line, or None for a comment, since it ends its line."""
        return None if self.is_comment else self.text


@dataclass
class Group(Token):
    """The contents of brackets or of a case expression; ``text`` is the opening token."""

    inner: list[Token] = field(default_factory=list)

    @property
    def is_query(self) -> bool:
        """Whether it contains a query."""
        return bool(self.inner) and word_at(self.inner, 0) in ("select", "with", "values")

    @cached_property
    def flat(self) -> str | None:
        """The text on one line, or None if the group has a comment or is a long query."""
        inner = one_line(self.inner)
        if inner is None or (self.is_query and len(inner) > SHORT_QUERY):
            return None
        space = " " if self.text == "case" else ""
        return f"{self.text}{space}{inner}{space}{CLOSING[self.text]}"


Nodes = Sequence[Token]


def parse_tree(sql: str, dialect: str) -> list[Token]:
    """Parse a statement, or its beginning."""
    nodes: list[Token] = []
    closing = ""
    outer: list[tuple[list[Token], str]] = []  # For each open group: outer nodes, closing token.
    for token in tokens(sql, dialect):
        if token.text == closing:
            nodes, closing = outer.pop()
        elif token.text in CLOSING:
            group = Group(token.text, token.space, [])
            nodes.append(group)
            outer.append((nodes, closing))
            nodes, closing = group.inner, CLOSING[token.text]
        else:
            nodes.append(token)
    return outer[0][0] if outer else nodes


def quoted_pattern(dialect: str) -> str:
    """Return a pattern for string constants and quoted names."""
    inside = r"[^'\\]|''|\\." if DIALECTS[dialect].backslashes else "[^']|''"
    return rf"'(?:{inside})*'|\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`"


@cache
def _token_pattern(dialect: str) -> re.Pattern[str]:
    """Return a pattern for a token with the white space before it."""
    signs = r"<=|>=|<>|!=|<<|>>|\|\||->|::|\S"
    word = rf"(?:[\w$@.]+|{quoted_pattern(dialect)})+"
    return re.compile(rf"(\s*)(--[^\n]*|{word}|{signs})", re.DOTALL)


def tokens(sql: str, dialect: str) -> Iterator[Token]:
    """Iterate over the tokens of a statement or of its part."""
    matches = _token_pattern(dialect).findall(sql, 0, len(sql.rstrip()))
    for index, (space, text) in enumerate(matches):
        # The first token starts a line.
        yield Token(text.rstrip() if text[:2] == "--" else text, space if index else "\n")


def token_texts(sql: str, dialect: str) -> list[str]:
    """Return the texts of the tokens of a statement, except comments."""
    return [text for _, text in _token_pattern(dialect).findall(sql) if text[:2] != "--"]


def find_open_bracket(words: Sequence[str]) -> tuple[str, str] | None:
    """Find an unbalanced bracket or ``case``: the problem with its fix, and the word."""
    for opening, closing in (("(", ")"), ("case", "end")):
        excess = words.count(opening) - words.count(closing)
        if excess > 0:
            return f"{opening!r} is not closed: write {closing!r}", opening
        if excess < 0:
            return f"{closing!r} closes nothing: remove it", closing
    return None


def one_line(nodes: Nodes) -> str | None:
    """Return the text of nodes on one line, or None if a node needs several lines."""
    text = ""
    for node in nodes:
        if node.flat is None:
            return None
        text += (" " if node.has_space and text else "") + node.flat
    return text


def word_at(nodes: Nodes, index: int) -> str:
    """Return the text of the node at an index, or an empty string if no node has the index."""
    return nodes[index].text if 0 <= index < len(nodes) else ""


@dataclass(frozen=True)
class NamedQuery:
    """An entry of a with clause."""

    comments: list[Token]  # The comments above the query.
    head: list[Token]  # The name and the words after it, as in ``hits as materialized``.
    body: Group  # The brackets with the query.

    @property
    def name(self) -> str:
        """The name."""
        return self.head[0].text


def split_statement(sql: str, dialect: str) -> tuple[list[str], list[NamedQuery], list[Token]]:
    """Return the comments at the start of a statement, its named queries, and the last query."""
    nodes = parse_tree(sql, dialect)
    start = next((index for index, node in enumerate(nodes) if not node.is_comment), len(nodes))
    comments = [node.text for node in nodes[:start]]
    # A recursive query reads itself, so it is not split.
    if word_at(nodes, start) != "with" or word_at(nodes, start + 1) == "recursive":
        return comments, [], nodes[start:]
    return comments, *named_queries(nodes[start:])


def named_queries(nodes: Nodes) -> tuple[list[NamedQuery], list[Token]]:
    """Split a statement that begins with ``with`` into its named queries and the rest."""
    queries: list[NamedQuery] = []
    start = 2 if word_at(nodes, 1) == "recursive" else 1
    for index, node in enumerate(nodes):
        if isinstance(node, Group) and index > start:
            before = nodes[start:index]
            comments = [other for other in before if other.is_comment]
            head = [other for other in before if not other.is_comment]
            queries.append(NamedQuery(comments, head, node))
            start = index + 2
            if word_at(nodes, index + 1) != ",":
                return queries, [*nodes[index + 1 :]]
    return queries, []
