"""Lays statements out as a person would: what fits on a line is one. Only white space changes."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from .tokens import (
    CLOSING,
    SHORT_QUERY,
    Group,
    Nodes,
    Token,
    named_queries,
    one_line,
    tree,
    word_at,
)

WIDTH = 100
# A column of a select as long as this is on a line with others.
_SHORT_COLUMN = 50

# What starts a line of a query. With a second word where the first also means something else.
_CLAUSE = re.compile(
    r"(select|from|where|having|values|settings|limit)\b"
    r"|(group by|order by|union|lateral view)\b"
    r"|((left|right|full|inner|cross|array) )?(outer )?join\b"
)
_BEFORE_JOIN = ("left", "right", "full", "inner", "cross", "array", "outer")
_OPERATORS = (("or",), ("and",), ("=", "<>", "!=", "<", "<=", ">", ">="), ("+", "-"), ("*", "/"))


def laid_out(sql: str, dialect: str) -> str:
    """Lay a statement out in lines of up to 100 columns.

    Args:
        sql: A statement, or what it starts with.
        dialect: Whose SQL it is; backslashes in texts are read by some.
    """
    return "\n".join(_query(tree(sql, dialect), 0))


def _split(nodes: Nodes, starts: Callable[[int], bool]) -> list[list[Token]]:
    """Take nodes apart before each place that starts a part."""
    parts: list[list[Token]] = [[]]
    for place, node in enumerate(nodes):
        if starts(place) and parts[-1]:
            parts.append([])
        parts[-1].append(node)
    return parts


def _entries(nodes: Nodes) -> list[list[Token]]:
    """Take a list apart at its commas. What is told of an entry may stand behind its comma."""
    entries: list[list[Token]] = [[]]
    for node in nodes:
        if node.text == ",":
            entries.append([])
        elif node.is_comment and not node.first and not entries[-1]:
            entries[-2].append(node)
        else:
            entries[-1].append(node)
    return entries


def _query(nodes: Nodes, indent: int) -> list[str]:
    """Write a query: on one line where it is short, else a clause after the other."""
    clauses = _clauses(nodes)
    flat = one_line(nodes)
    if flat is not None and len(flat) <= SHORT_QUERY and len(clauses) <= 3:
        return [" " * indent + flat]
    if len(clauses) > 1 and all(word_at(clause, 0) in ("select", "union") for clause in clauses):
        # Rows that are written out.
        rows = _split(nodes, lambda place: word_at(nodes, place) == "union")
        return _operands(rows, indent, "", "", 0, fill=True)
    return [line for clause in clauses for line in _clause(clause, indent)]


def _clauses(nodes: Nodes) -> list[list[Token]]:
    """Take a query apart into its clauses, each with the comments above it."""
    clauses = _split(nodes, lambda place: _starts_clause(nodes, place))
    for clause, following in pairwise(clauses):
        while clause and clause[-1].is_comment and clause[-1].first:
            following.insert(0, clause.pop())
    return [clause for clause in clauses if clause]


def _starts_clause(nodes: Nodes, place: int) -> bool:
    words = " ".join(word_at(nodes, place + x) for x in range(3))
    before = word_at(nodes, place - 1)
    # A join is one clause with the words before it; "is distinct from" is none.
    goes_on = before in _BEFORE_JOIN or (before == "distinct" and words.startswith("from "))
    return _CLAUSE.match(words) is not None and not goes_on


def _clause(nodes: list[Token], indent: int) -> list[str]:
    pad = " " * indent
    lines: list[str] = []
    while nodes and nodes[0].is_comment:
        lines += _comment(nodes.pop(0).text, indent)
    word = word_at(nodes, 0)
    if word == "with":
        if word_at(nodes, 1) == "recursive":
            first, *rest = _named_queries(nodes, indent)
            return [*lines, f"{pad}with recursive {first.strip()}", *rest]
        return [*lines, f"{pad}with", *_named_queries(nodes, indent)]
    if word == "select":
        width = 2 if word_at(nodes, 1) == "distinct" else 1
        return lines + _columns(nodes[width:], indent, str(one_line(nodes[:width])))
    if word in ("where", "having"):
        return lines + _lay(nodes[1:], indent, f"{word} ", hang=4)
    if word in ("group", "order", "settings", "values"):
        width = 2 if word in ("group", "order") else 1
        return lines + _filled(nodes[width:], indent, f"{one_line(nodes[:width])} ")
    if word == "array":
        return lines + _filled(nodes[2:], indent, "array join ")
    ons = [place for place, node in enumerate(nodes) if node.text == "on"]
    if not ons or _fits(one_line(nodes), indent):
        return lines + _lay(nodes, indent)
    table = _lay(nodes[: ons[0]], indent)
    condition = nodes[ons[0] + 1 :]
    if len(table) > 1 and _fits(one_line(condition), len(table[-1]) + 4):
        return [*lines, *table[:-1], f"{table[-1]} on {one_line(condition)}"]
    parts = _split(condition, lambda place: _is_operator(condition, place, ("and",)))
    return lines + table + _operands(parts, indent + 4, "on ", "", 0, fill=True)


def _named_queries(nodes: Nodes, indent: int) -> list[str]:
    pad = " " * indent
    queries, _ = named_queries(nodes)
    lines: list[str] = []
    for number, query in enumerate(queries, start=1):
        for comment in query.comments:
            lines += _comment(comment.text, indent)
        name, tail = one_line(query.head), "," * (number < len(queries))
        laid = _query(query.body.inner, indent + 4)
        if len(laid) == 1 and _fits(line := f"{name} ({laid[0].strip()}){tail}", indent):
            lines.append(pad + line)
        else:
            lines += [f"{pad}{name} (", *laid, f"{pad}){tail}"]
        # An empty line, where the query is not part of another.
        lines += [""] * (not indent)
    return lines


def _columns(nodes: Nodes, indent: int, head: str) -> list[str]:
    """Write the columns of a select: short ones share lines, each other has its own."""
    if _fits(flat := one_line(nodes), indent + len(head) + 1):
        return [f"{' ' * indent}{head} {flat}"]
    lines = [" " * indent + head]
    entries = _entries(nodes)
    # Whether the last line takes another column: the first does, where that is not an expression.
    takes = True
    for number, entry in enumerate(entries, start=1):
        tail = "," * (number < len(entries))
        comments = [node.text for node in entry if node.is_comment]
        entry = [node for node in entry if not node.is_comment]
        text = one_line(entry)
        short = text is not None and (
            _is_column(text) or (number > 1 and len(text) <= _SHORT_COLUMN and "case" not in text)
        )
        room = WIDTH - len(lines[-1])
        if takes and short and len(f" {text}{tail}  {' '.join(comments)}".rstrip()) <= room:
            lines[-1] += f" {text}{tail}  {' '.join(comments)}".rstrip()
            takes = not comments
        elif comments:
            laid = _lay(entry, indent + 4, tail=tail)
            if len(comments) == 1 and len(laid[-1]) + len(comments[0]) + 2 <= WIDTH:
                lines += [*laid[:-1], f"{laid[-1]}  {comments[0]}"]
            else:
                lines += [line for text in comments for line in _comment(text, indent + 4)] + laid
            takes = False
        else:
            lines += _lay(entry, indent + 4, tail=tail)
            takes = short
    return lines


def _is_column(text: str) -> bool:
    return re.fullmatch(r"([\w.\"`]+|'\w+')( as \w+)?", text) is not None


def _filled(nodes: Nodes, indent: int, head: str) -> list[str]:
    """Write the entries of a list, as many on a line as it holds."""
    entries = _entries(nodes)
    lines = [" " * indent + head]
    for number, entry in enumerate(entries, start=1):
        tail = "," * (number < len(entries))
        text = one_line(entry)
        space = " " * (number > 1)
        if _fits(text, len(lines[-1] + space + tail)):
            lines[-1] += f"{space}{text}{tail}"
        else:
            lines += _lay(entry, indent + 4 * bool(head), tail=tail)
    return [line.rstrip() for line in lines]


def _comment(text: str, indent: int) -> list[str]:
    pad = " " * indent
    if len(pad + text) <= WIDTH:
        return [pad + text]
    return textwrap.wrap(
        text[2:].strip(), WIDTH, initial_indent=f"{pad}-- ", subsequent_indent=f"{pad}-- "
    )


def _fits(text: str | None, before: int) -> bool:
    return text is not None and before + len(text) <= WIDTH


def _lay(nodes: Nodes, indent: int, head: str = "", tail: str = "", hang: int = 0) -> list[str]:
    """Write an expression after a head and before a tail.

    Args:
        nodes: The expression.
        indent: Where its first line starts.
        head: What stands before it on the first line.
        tail: What stands behind it on the last.
        hang: How much further in the lines after the first start.
    """
    flat = one_line(nodes)
    if _fits(flat, indent + len(head) + len(tail)):
        return [f"{' ' * indent}{head}{flat}{tail}"]
    if word_at(nodes, len(nodes) - 2) == "as" and one_line(nodes[-2:]):
        return _lay(nodes[:-2], indent, head, f" {one_line(nodes[-2:])}{tail}", hang)
    largest = _largest(nodes)
    if largest is not None and _is_most(nodes, largest):
        return _opened(nodes, largest, indent, head, tail, hang)
    for operators in _OPERATORS:
        parts = _split(nodes, lambda place: _is_operator(nodes, place, operators))  # noqa: B023
        if len(parts) > 1:
            return _operands(parts, indent, head, tail, hang, operators[0] not in ("or", "and"))
    if largest is None:
        return [f"{' ' * indent}{head}{flat}{tail}"]
    return _opened(nodes, largest, indent, head, tail, hang)


def _is_operator(nodes: Nodes, place: int, operators: Iterable[str]) -> bool:
    """Whether an operator with a left side stands at a place; the and of between is none."""
    if not place or nodes[place].text not in operators or not nodes[place].spaced:
        return False
    if nodes[place].text == "and":
        before = [node.text for node in nodes[:place] if node.text in ("and", "between")]
        return not (before and before[-1] == "between")
    return place + 1 < len(nodes) and nodes[place + 1].spaced


def _operands(
    parts: Sequence[Nodes], indent: int, head: str, tail: str, hang: int, fill: bool
) -> list[str]:
    """Write operands, each with the operator before it: where they fit, several on a line."""
    lines: list[str] = []
    for number, part in enumerate(parts, start=1):
        end = tail if number == len(parts) else ""
        text = one_line(part)
        if lines and fill and _fits(text, len(lines[-1]) + 1 + len(end)):
            lines[-1] += f" {text}{end}"
        elif number == 1:
            lines += _lay(part, indent, head, end, hang)
        else:
            start, rest = (f"{part[0].text} ", part[1:]) if len(part) > 1 else ("", part)
            lines += _lay(rest, indent + hang, start, end)
    return lines


def _largest(nodes: Nodes) -> int | None:
    """Return the place of the group to open: the first that has no line, or the largest."""
    groups = [place for place, node in enumerate(nodes) if isinstance(node, Group) and node.inner]
    for place in groups:
        if nodes[place].flat is None:
            return place
    return max(groups, key=lambda place: len(nodes[place].flat or ""), default=None)


def _is_most(nodes: Nodes, place: int) -> bool:
    """Whether an expression is mostly one group, so that what is around it is on its lines."""
    rest = one_line([*nodes[:place], *nodes[place + 1 :]])
    own = nodes[place].flat
    return rest is not None and (own is None or len(rest) < 0.5 * len(own)) and len(rest) < 60


def _opened(nodes: Nodes, place: int, indent: int, head: str, tail: str, hang: int) -> list[str]:
    """Write an expression with what a group of it holds on lines of its own."""
    group = nodes[place]
    assert isinstance(group, Group)
    before, after = nodes[:place], nodes[place + 1 :]
    opening = f"{' ' * (group.spaced and bool(before))}{group.text}"
    lines = _lay(before, indent, head, opening, hang) if before else [" " * indent + head + opening]
    margin = len(lines[-1]) - len(lines[-1].lstrip())
    if group.text == "case":
        lines = _case(group.inner, lines, margin)
    else:
        lines += _inner(group, margin + 4)
    close = CLOSING[group.text] + " " * (bool(after) and after[0].spaced)
    return lines + (_lay(after, margin, close, tail) if after else [" " * margin + close + tail])


def _inner(group: Group, indent: int) -> list[str]:
    """Write what brackets hold: a query, the parts of a window, or a list."""
    nodes = group.inner
    if group.is_query:
        return _query(nodes, indent)
    if _fits(flat := one_line(nodes), indent):
        return [f"{' ' * indent}{flat}"]
    words = ("partition", "order", "rows")
    parts = _split(nodes, lambda place: word_at(nodes, place) in words)
    if len(parts) > 1 and word_at(nodes, 0) in words:
        return _operands(parts, indent, "", "", 0, fill=True)
    entries = _entries(nodes)
    texts = [one_line(entry) for entry in entries]
    if all(text is not None and len(text) <= _SHORT_COLUMN for text in texts):
        return _filled(nodes, indent, "")
    return [
        line
        for number, entry in enumerate(entries, start=1)
        for line in _lay(entry, indent, tail="," * (number < len(entries)))
    ]


def _case(nodes: Nodes, lines: list[str], indent: int) -> list[str]:
    """Write the branches of a case after the line on which it starts."""
    branches = _split(nodes, lambda place: word_at(nodes, place) in ("when", "else"))
    if word_at(branches[0], 0) != "when":
        lines = [*lines[:-1], f"{lines[-1]} {one_line(branches.pop(0))}"]
        # Of one value against others, several are on a line.
        texts = [one_line(branch) for branch in branches]
        if all(text is not None and len(text) <= _SHORT_COLUMN for text in texts):
            return lines + _operands(branches, indent + 4, "", "", 0, fill=True)
    for branch in branches:
        if _fits(flat := one_line(branch), indent + 4):
            lines.append(f"{' ' * (indent + 4)}{flat}")
            continue
        word, *_ = (node.text for node in branch)
        when, *then = _split(branch[1:], lambda place: word_at(branch, place + 1) == "then")  # noqa: B023
        lines += _lay(when, indent + 4, f"{word} ", hang=4)
        for part in then:
            lines += _lay(part[1:], indent + 8, "then ")
    return lines
