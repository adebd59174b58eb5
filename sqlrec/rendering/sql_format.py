"""Format statements. Only white space changes, and text that fits on one line stays on one line."""

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
    parse_tree,
    word_at,
)

WIDTH = 100
# Maximum length of a column of a select that shares a line.
_SHORT_COLUMN = 50

# Words that start a line of a query, with a second word if the first is ambiguous.
_CLAUSE = re.compile(
    r"(select|from|where|having|values|settings|limit)\b"
    r"|(group by|order by|union|lateral view)\b"
    r"|((left|right|full|inner|cross|array) )?(outer )?join\b"
)
_BEFORE_JOIN = ("left", "right", "full", "inner", "cross", "array", "outer")
_OPERATORS = (("or",), ("and",), ("=", "<>", "!=", "<", "<=", ">", ">="), ("+", "-"), ("*", "/"))


def format_statement(sql: str, dialect: str) -> str:
    """Format a statement in lines of up to 100 columns.

    Args:
        sql: A statement, or its beginning.
        dialect: The dialect, since some dialects allow backslashes in string constants.
    """
    return "\n".join(_format_query(parse_tree(sql, dialect), 0))


def _split_at(nodes: Nodes, starts: Callable[[int], bool]) -> list[list[Token]]:
    """Split nodes before each index that starts a part."""
    parts: list[list[Token]] = [[]]
    for index, node in enumerate(nodes):
        if starts(index) and parts[-1]:
            parts.append([])
        parts[-1].append(node)
    return parts


def _split_entries(nodes: Nodes) -> list[list[Token]]:
    """Split a list at its commas. The comment of an entry may follow the comma."""
    entries: list[list[Token]] = [[]]
    for node in nodes:
        if node.text == ",":
            entries.append([])
        elif node.is_comment and not node.first and not entries[-1]:
            entries[-2].append(node)
        else:
            entries[-1].append(node)
    return entries


def _format_query(nodes: Nodes, indent: int) -> list[str]:
    """Format a query: a short query on one line, or else each clause on a separate line."""
    clauses = _split_clauses(nodes)
    flat = one_line(nodes)
    if flat is not None and len(flat) <= SHORT_QUERY and len(clauses) <= 3:
        return [" " * indent + flat]
    if len(clauses) > 1 and all(word_at(clause, 0) in ("select", "union") for clause in clauses):
        # These are constant rows.
        rows = _split_at(nodes, lambda index: word_at(nodes, index) == "union")
        return _format_operands(rows, indent, "", "", 0, fill=True)
    return [line for clause in clauses for line in _format_clause(clause, indent)]


def _split_clauses(nodes: Nodes) -> list[list[Token]]:
    """Split a query into its clauses, each with the comments above it."""
    clauses = _split_at(nodes, lambda index: _starts_clause(nodes, index))
    for clause, following in pairwise(clauses):
        while clause and clause[-1].is_comment and clause[-1].first:
            following.insert(0, clause.pop())
    return [clause for clause in clauses if clause]


def _starts_clause(nodes: Nodes, index: int) -> bool:
    words = " ".join(word_at(nodes, index + x) for x in range(3))
    before = word_at(nodes, index - 1)
    # A join and the words before it form a clause; "is distinct from" does not start a clause.
    continues = before in _BEFORE_JOIN or (before == "distinct" and words.startswith("from "))
    return _CLAUSE.match(words) is not None and not continues


def _format_clause(nodes: list[Token], indent: int) -> list[str]:
    pad = " " * indent
    lines: list[str] = []
    while nodes and nodes[0].is_comment:
        lines += _wrap_comment(nodes.pop(0).text, indent)
    word = word_at(nodes, 0)
    if word == "with":
        if word_at(nodes, 1) == "recursive":
            first, *rest = _named_queries(nodes, indent)
            return [*lines, f"{pad}with recursive {first.strip()}", *rest]
        return [*lines, f"{pad}with", *_named_queries(nodes, indent)]
    if word == "select":
        width = 2 if word_at(nodes, 1) == "distinct" else 1
        return lines + _format_columns(nodes[width:], indent, str(one_line(nodes[:width])))
    if word in ("where", "having"):
        return lines + _format_expression(nodes[1:], indent, f"{word} ", hang=4)
    if word in ("group", "order", "settings", "values"):
        width = 2 if word in ("group", "order") else 1
        return lines + _fill_list(nodes[width:], indent, f"{one_line(nodes[:width])} ")
    if word == "array":
        return lines + _fill_list(nodes[2:], indent, "array join ")
    ons = [index for index, node in enumerate(nodes) if node.text == "on"]
    if not ons or _fits_line(one_line(nodes), indent):
        return lines + _format_expression(nodes, indent)
    table = _format_expression(nodes[: ons[0]], indent)
    condition = nodes[ons[0] + 1 :]
    if len(table) > 1 and _fits_line(one_line(condition), len(table[-1]) + 4):
        return [*lines, *table[:-1], f"{table[-1]} on {one_line(condition)}"]
    parts = _split_at(condition, lambda index: _is_operator(condition, index, ("and",)))
    return lines + table + _format_operands(parts, indent + 4, "on ", "", 0, fill=True)


def _named_queries(nodes: Nodes, indent: int) -> list[str]:
    pad = " " * indent
    queries, _ = named_queries(nodes)
    lines: list[str] = []
    for number, query in enumerate(queries, start=1):
        for comment in query.comments:
            lines += _wrap_comment(comment.text, indent)
        name, tail = one_line(query.head), "," * (number < len(queries))
        body = _format_query(query.body.inner, indent + 4)
        if len(body) == 1 and _fits_line(line := f"{name} ({body[0].strip()}){tail}", indent):
            lines.append(pad + line)
        else:
            lines += [f"{pad}{name} (", *body, f"{pad}){tail}"]
        # An empty line follows a query at the outermost level.
        lines += [""] * (not indent)
    return lines


def _format_columns(nodes: Nodes, indent: int, head: str) -> list[str]:
    """Format the columns of a select: short columns share lines."""
    if _fits_line(flat := one_line(nodes), indent + len(head) + 1):
        return [f"{' ' * indent}{head} {flat}"]
    lines = [" " * indent + head]
    entries = _split_entries(nodes)
    # Whether another column may share the last line.
    has_room = True
    for number, entry in enumerate(entries, start=1):
        tail = "," * (number < len(entries))
        comments = [node.text for node in entry if node.is_comment]
        entry = [node for node in entry if not node.is_comment]
        text = one_line(entry)
        short = text is not None and (
            _is_column(text) or (number > 1 and len(text) <= _SHORT_COLUMN and "case" not in text)
        )
        room = WIDTH - len(lines[-1])
        if has_room and short and len(f" {text}{tail}  {' '.join(comments)}".rstrip()) <= room:
            lines[-1] += f" {text}{tail}  {' '.join(comments)}".rstrip()
            has_room = not comments
        elif comments:
            body = _format_expression(entry, indent + 4, tail=tail)
            if len(comments) == 1 and len(body[-1]) + len(comments[0]) + 2 <= WIDTH:
                lines += [*body[:-1], f"{body[-1]}  {comments[0]}"]
            else:
                lines += [
                    line for text in comments for line in _wrap_comment(text, indent + 4)
                ] + body
            has_room = False
        else:
            lines += _format_expression(entry, indent + 4, tail=tail)
            has_room = short
    return lines


def _is_column(text: str) -> bool:
    return re.fullmatch(r"([\w.\"`]+|'\w+')( as \w+)?", text) is not None


def _fill_list(nodes: Nodes, indent: int, head: str) -> list[str]:
    """Format the entries of a list in filled lines."""
    entries = _split_entries(nodes)
    lines = [" " * indent + head]
    for number, entry in enumerate(entries, start=1):
        tail = "," * (number < len(entries))
        text = one_line(entry)
        space = " " * (number > 1)
        if _fits_line(text, len(lines[-1] + space + tail)):
            lines[-1] += f"{space}{text}{tail}"
        else:
            lines += _format_expression(entry, indent + 4 * bool(head), tail=tail)
    return [line.rstrip() for line in lines]


def _wrap_comment(text: str, indent: int) -> list[str]:
    pad = " " * indent
    if len(pad + text) <= WIDTH:
        return [pad + text]
    return textwrap.wrap(
        text[2:].strip(), WIDTH, initial_indent=f"{pad}-- ", subsequent_indent=f"{pad}-- "
    )


def _fits_line(text: str | None, before: int) -> bool:
    return text is not None and before + len(text) <= WIDTH


def _format_expression(
    nodes: Nodes, indent: int, head: str = "", tail: str = "", hang: int = 0
) -> list[str]:
    """Format an expression between a head and a tail.

    Args:
        nodes: The expression.
        indent: Indentation of the first line.
        head: Text before the expression on the first line.
        tail: Text after the expression on the last line.
        hang: Additional indentation of the lines after the first.
    """
    flat = one_line(nodes)
    if _fits_line(flat, indent + len(head) + len(tail)):
        return [f"{' ' * indent}{head}{flat}{tail}"]
    if word_at(nodes, len(nodes) - 2) == "as" and one_line(nodes[-2:]):
        return _format_expression(nodes[:-2], indent, head, f" {one_line(nodes[-2:])}{tail}", hang)
    largest = _largest_group(nodes)
    if largest is not None and _is_mostly_group(nodes, largest):
        return _expand_group(nodes, largest, indent, head, tail, hang)
    for operators in _OPERATORS:
        parts = _split_at(nodes, lambda index: _is_operator(nodes, index, operators))  # noqa: B023
        if len(parts) > 1:
            return _format_operands(
                parts, indent, head, tail, hang, operators[0] not in ("or", "and")
            )
    if largest is None:
        return [f"{' ' * indent}{head}{flat}{tail}"]
    return _expand_group(nodes, largest, indent, head, tail, hang)


def _is_operator(nodes: Nodes, index: int, operators: Iterable[str]) -> bool:
    """Return whether a node is a binary operator; the ``and`` of ``between`` is not."""
    if not index or nodes[index].text not in operators or not nodes[index].has_space:
        return False
    if nodes[index].text == "and":
        before = [node.text for node in nodes[:index] if node.text in ("and", "between")]
        return not (before and before[-1] == "between")
    return index + 1 < len(nodes) and nodes[index + 1].has_space


def _format_operands(
    parts: Sequence[Nodes], indent: int, head: str, tail: str, hang: int, fill: bool
) -> list[str]:
    """Format operands, each after its operator, with several on a line if they fit."""
    lines: list[str] = []
    for number, part in enumerate(parts, start=1):
        end = tail if number == len(parts) else ""
        text = one_line(part)
        if lines and fill and _fits_line(text, len(lines[-1]) + 1 + len(end)):
            lines[-1] += f" {text}{end}"
        elif number == 1:
            lines += _format_expression(part, indent, head, end, hang)
        else:
            start, rest = (f"{part[0].text} ", part[1:]) if len(part) > 1 else ("", part)
            lines += _format_expression(rest, indent + hang, start, end)
    return lines


def _largest_group(nodes: Nodes) -> int | None:
    """Return the index of the group to expand: the first with several lines, or the largest."""
    groups = [index for index, node in enumerate(nodes) if isinstance(node, Group) and node.inner]
    for index in groups:
        if nodes[index].flat is None:
            return index
    return max(groups, key=lambda index: len(nodes[index].flat or ""), default=None)


def _is_mostly_group(nodes: Nodes, index: int) -> bool:
    """Return whether an expression is mostly one group, so its lines include all nodes."""
    rest = one_line([*nodes[:index], *nodes[index + 1 :]])
    own = nodes[index].flat
    return rest is not None and (own is None or len(rest) < 0.5 * len(own)) and len(rest) < 60


def _expand_group(
    nodes: Nodes, index: int, indent: int, head: str, tail: str, hang: int
) -> list[str]:
    """Format an expression with the contents of a group on separate lines."""
    group = nodes[index]
    assert isinstance(group, Group)
    before, after = nodes[:index], nodes[index + 1 :]
    opening = f"{' ' * (group.has_space and bool(before))}{group.text}"
    lines = (
        _format_expression(before, indent, head, opening, hang)
        if before
        else [" " * indent + head + opening]
    )
    margin = len(lines[-1]) - len(lines[-1].lstrip())
    if group.text == "case":
        lines = _format_case(group.inner, lines, margin)
    else:
        lines += _format_group(group, margin + 4)
    close = CLOSING[group.text] + " " * (bool(after) and after[0].has_space)
    return lines + (
        _format_expression(after, margin, close, tail) if after else [" " * margin + close + tail]
    )


def _format_group(group: Group, indent: int) -> list[str]:
    """Format the contents of brackets: a query, a window with its clauses, or a list."""
    nodes = group.inner
    if group.is_query:
        return _format_query(nodes, indent)
    if _fits_line(flat := one_line(nodes), indent):
        return [f"{' ' * indent}{flat}"]
    words = ("partition", "order", "rows")
    parts = _split_at(nodes, lambda index: word_at(nodes, index) in words)
    if len(parts) > 1 and word_at(nodes, 0) in words:
        return _format_operands(parts, indent, "", "", 0, fill=True)
    entries = _split_entries(nodes)
    texts = [one_line(entry) for entry in entries]
    if all(text is not None and len(text) <= _SHORT_COLUMN for text in texts):
        return _fill_list(nodes, indent, "")
    return [
        line
        for number, entry in enumerate(entries, start=1)
        for line in _format_expression(entry, indent, tail="," * (number < len(entries)))
    ]


def _format_case(nodes: Nodes, lines: list[str], indent: int) -> list[str]:
    """Format the branches of a case after its first line."""
    branches = _split_at(nodes, lambda index: word_at(nodes, index) in ("when", "else"))
    if word_at(branches[0], 0) != "when":
        lines = [*lines[:-1], f"{lines[-1]} {one_line(branches.pop(0))}"]
        # Short comparisons of one value share lines.
        texts = [one_line(branch) for branch in branches]
        if all(text is not None and len(text) <= _SHORT_COLUMN for text in texts):
            return lines + _format_operands(branches, indent + 4, "", "", 0, fill=True)
    for branch in branches:
        if _fits_line(flat := one_line(branch), indent + 4):
            lines.append(f"{' ' * (indent + 4)}{flat}")
            continue
        word, *_ = (node.text for node in branch)
        when, *then = _split_at(branch[1:], lambda index: word_at(branch, index + 1) == "then")  # noqa: B023
        lines += _format_expression(when, indent + 4, f"{word} ", hang=4)
        for part in then:
            lines += _format_expression(part[1:], indent + 8, "then ")
    return lines
