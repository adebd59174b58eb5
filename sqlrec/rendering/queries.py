"""Parse the queries of a statement into objects, and format them as text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from .tokens import CLOSING, Group, NamedQuery, Nodes, Token, word_at

# Functions that generate rows.
ROW_FUNCTIONS = ("unnest", "generate_subscripts", "explode", "arrayJoin")
# A name, with optional qualifiers and quotes.
_NAME = re.compile(r"[^\W\d].*|[\"`].*", re.DOTALL)
_OPERAND = re.compile(r"[\w\"'`]")
_CLAUSES = frozenset("from where group having order limit settings".split())
_JOINS = ("left", "cross", "inner", "join", "outer")
# The joins that are parsed.
KINDS = ("", "cross join", "join", "left join")
# Words that can be part of an expression.
WORDS = frozenset(
    "all and array as asc between by case collate current desc distinct else end exists false "
    "filter first following from grouping in is last like not null nulls or order over "
    "partition preceding range row rows sets then true unbounded when where".split()
)
_AGGREGATES = re.compile(
    r"(sum|count|avg|favg|min|max|list|bit_or|arg_max|arg_min|var_\w+|stddev_\w+|any_value)"
)
# Scalar functions, and words before brackets. Any other function may be an aggregate.
_SCALARS = re.compile(
    r"(abs|cast|coalesce|concat|exp|floor|greatest|hash|if|in|least|ln|log|log2|lower|nullif|"
    r"pg_typeof|power|round|sqrt|substr|substring|try_cast|exists|and|or|not|when|then|else|"
    r"between|is|as|over|by)"
)


@dataclass
class Entry:
    """An entry of a select list."""

    expression: list[Token]
    name: str = ""  # Empty for a star.
    comments: list[Token] = field(default_factory=list)  # The comments after the entry.

    @property
    def is_star(self) -> bool:
        """Return whether the entry selects all columns of one table or of all tables."""
        return self.expression[-1].text == "*" and not self.name

    def text(self, full: bool) -> str:
        """Format the entry. With ``full``, columns of joined tables get an alias too."""
        entry = format_nodes(self.expression)
        if not self.name or entry == self.name:
            return entry
        last = entry.rsplit(".", 1)[-1] if is_column(self.expression) and not full else ""
        return entry if last == self.name else f"{entry} as {self.name}"


@dataclass
class Source:
    """A table or query after ``from`` or ``join``."""

    kind: str  # The words of the join, empty for the first table.
    table: list[Token]  # A name, a query in brackets, or a function.
    naming: list[Token]  # The alias, with or without ``as``.
    on: list[Token]  # The condition of the join.
    query: Query | None = None  # The parsed query in the brackets.

    @property
    def name(self) -> str:
        """The name of a table, empty for queries and functions."""
        return self.table[0].text if len(self.table) == 1 and not self.query else ""

    @property
    def alias(self) -> str:
        """The qualifier of the source's columns."""
        if self.naming:
            return self.naming[1 if self.naming[0].text == "as" else 0].text
        return self.table[0].text.rsplit(".", 1)[-1]

    def text(self, full: bool) -> str:
        """Format the source."""
        table = f"({self.query.body(full)})" if self.query else format_nodes(self.table)
        naming = f" {format_nodes(self.naming)}" if self.naming else ""
        on = f" on {format_nodes(self.on)}" if self.on else ""
        return f"{self.kind or 'from'} {table}{naming}{on}"


@dataclass
class Select:
    """One select."""

    distinct: bool  # Whether the select drops equal rows.
    entries: list[Entry]  # Its columns.
    sources: list[Source]  # Its tables.
    clauses: dict[str, list[Token]]  # The nodes after ``where``, ``group by``, ..., by first word.

    def star_sources(self, star: Entry) -> list[Source]:
        """Return the tables of the columns that a star selects."""
        table = star.expression[0].text
        return [source for source in self.sources if table in ("*", f"{source.alias}.")]

    @property
    def aggregates(self) -> bool:
        """Return whether the select certainly aggregates rows."""
        return "group" in self.clauses or any(map(has_aggregate, self._expressions()))

    @property
    def is_possible_aggregate(self) -> bool:
        """Return whether the select may aggregate rows.

        A select that has an unaggregated column and no groups does not.
        """
        names_column = any(
            is_column(node) and is_name(node[0].text) for node in self._expressions()
        )
        return self.aggregates or (
            not names_column and any(map(has_possible_aggregate, self._expressions()))
        )

    @property
    def has_windows(self) -> bool:
        """Return whether a column has a window function."""
        return any(node.text == "over" for part in self._expressions() for node in leaf_nodes(part))

    def _expressions(self) -> Iterator[list[Token]]:
        yield from (entry.expression for entry in self.entries)

    def parts(self) -> Iterator[list[Token]]:
        """Yield all lists of nodes except tables and column names."""
        yield from self.parts_without_joins()
        yield from (source.on for source in self.sources if source.on)

    def parts_without_joins(self) -> Iterator[list[Token]]:
        """Yield the same lists as ``parts``, except the conditions of joins."""
        yield from (entry.expression for entry in self.entries)
        yield from (source.table for source in self.sources if len(source.table) > 1)
        for word, nodes in self.clauses.items():
            if word == "order":
                # An order may refer to columns of the select.
                own_names = {entry.name for entry in self.entries}
                nodes = [node for node in nodes if node.text not in own_names]
            if word != "settings":
                yield nodes

    def text(self, full: bool, indent: str = "") -> str:
        """Format the select in indented lines."""
        lines = [f"{indent}select distinct" if self.distinct else f"{indent}select"]
        for number, entry in enumerate(self.entries, start=1):
            comma = "," * (number < len(self.entries))
            notes = "".join(f"  {node.text}" for node in entry.comments)
            lines.append(f"{indent}    {entry.text(full)}{comma}{notes}")
        lines += [f"{indent}{source.text(full)}" for source in self.sources]
        for word, nodes in self.clauses.items():
            by = " by" if word in ("group", "order") else ""
            lines.append(f"{indent}{word}{by} {format_nodes(nodes)}")
        return "\n".join(lines)


@dataclass
class Query:
    """A named query, or the last query."""

    head: list[Token]  # The name with the words after it, empty for the last query.
    comments: list[Token]  # The comments above the query.
    selects: list[Select]  # Empty if the query was not parsed.
    unions: list[str]  # The words between selects.
    form: str  # The SQL that could not be parsed, if any.
    nodes: list[Token]  # The original text.

    @classmethod
    def read(cls, definition: NamedQuery) -> Query:
        """Read a named query."""
        return replace(
            cls.unnamed(definition.body.inner), head=definition.head, comments=definition.comments
        )

    @classmethod
    def unnamed(cls, nodes: list[Token]) -> Query:
        """Read a query without a name."""
        return cls([], [], *read_selects(nodes), nodes)

    @property
    def name(self) -> str:
        """The name, empty for the last query."""
        return self.head[0].text if self.head else ""

    def mentions(self) -> Counter[str]:
        """Count the reads of each table; for a query that is not parsed, count all its words."""
        if not self.selects:
            return Counter(node.text for node in leaf_nodes(self.nodes))
        sources = [source for select in self.selects for source in select.sources]
        inner = (source.query.mentions() for source in sources if source.query)
        return sum(inner, Counter(source.name for source in sources))

    @property
    def select(self) -> Select | None:
        """The select of a query without unions."""
        return self.selects[0] if len(self.selects) == 1 else None

    def body(self, full: bool, indent: str = "") -> str:
        """Format the query without its name, in indented lines."""
        if not self.selects:
            return indent + format_nodes(self.nodes)
        lines = self.selects[0].text(full, indent)
        for words, select in zip(self.unions, self.selects[1:], strict=True):
            lines += f"\n{indent}{words}\n{select.text(full, indent)}"
        return lines


def is_column(nodes: Nodes) -> bool:
    """Return whether an expression is a column."""
    return len(nodes) == 1 and not isinstance(nodes[0], Group) and nodes[0].text[-1] not in "*."


def leaf_nodes(nodes: Nodes) -> list[Token]:
    """Return all nodes, including the nodes of groups."""
    tokens = [*nodes]
    for node in nodes:
        if isinstance(node, Group):
            tokens += leaf_nodes(node.inner)
    return tokens


def format_nodes(nodes: Nodes) -> str:
    """Format nodes with their original white space."""
    parts = []
    for node in nodes:
        parts += [node.space, node.text]
        if isinstance(node, Group):
            space = " " if node.text == "case" else ""
            end = "\n" if node.inner and node.inner[-1].is_comment else space
            parts += [space, format_nodes(node.inner), end, CLOSING[node.text]]
    return "".join(parts).strip()


def split_nodes(nodes: Nodes, sign: str) -> list[list[Token]]:
    """Split nodes at a separator, a symbol or keyword."""
    parts: list[list[Token]] = [[]]
    for node in nodes:
        if node.text == sign:
            parts.append([])
        else:
            parts[-1].append(node)
    return parts


def join_parts(parts: Iterable[Nodes], sign: str) -> list[Token]:
    """Join parts with a sign or word between them."""
    nodes: list[Token] = []
    for part in parts:
        if nodes:
            nodes.append(Token(sign, "" if sign == "," else " "))
        nodes += part
    return nodes


class UnknownForm(Exception):
    """SQL that this parser does not support; the message names it."""


def read_selects(nodes: Nodes) -> tuple[list[Select], list[str], str]:
    """Parse the selects of a query, and the words between them.

    Returns:
        The selects and the words; or, without selects, the SQL that is not supported.
    """
    parts: list[list[Token]] = [[]]
    unions: list[str] = []
    skip = 0
    for index, node in enumerate(nodes):
        if node.text == "union":
            words = [word_at(nodes, index + x) for x in range(4)]
            skip = 4 if words[2:] == ["by", "name"] else 2 if words[1] == "all" else 1
            unions.append(" ".join(words[:skip]))
            parts.append([])
        if skip:
            skip -= 1
        else:
            parts[-1].append(node)
    try:
        return [*map(_read_select, parts)], unions, ""
    except UnknownForm as form:
        return [], [], str(form)


def _read_select(nodes: Nodes) -> Select:
    if word_at(nodes, 0) != "select":
        raise UnknownForm("no select")
    distinct = word_at(nodes, 1) == "distinct"
    parts: dict[str, list[Token]] = {"select": []}
    clause = "select"
    for index in range(2 if distinct else 1, len(nodes)):
        node = nodes[index]
        if node.text in _CLAUSES and word_at(nodes, index - 1) != "distinct":
            clause = node.text
            if clause in parts:
                raise UnknownForm(f"{clause} twice")
            parts[clause] = []
        elif node.text != "by" or parts[clause] or clause not in ("group", "order"):
            parts[clause].append(node)
    sources = _read_sources(parts.pop("from", []))
    entries = _read_entries(parts.pop("select"))
    for word, expression in parts.items():
        if word != "settings":
            _check_expression(expression)
        if word in ("group", "order") and any(
            key and (key[0].text == "all" or key[0].text.isdecimal())
            for key in split_nodes(expression, ",")
        ):
            raise UnknownForm(f"{word} by the number of a column, or by all")
    return Select(distinct, entries, sources, parts)


def _check_expression(nodes: Nodes) -> None:
    """Check that the words between names and constants of an expression are known.

    Raises:
        UnknownForm: The expression contains another clause, a subquery or an ordered aggregate.
    """
    nodes = [node for node in nodes if not node.is_comment]
    before, follows_operand = "", False
    for index, node in enumerate(nodes):
        word = node.text
        is_operand = isinstance(node, Group) or _is_operand(word)
        if isinstance(node, Group):
            if node.is_query:
                raise UnknownForm("a subquery in an expression")
            if before == "filter" and word_at(nodes, index + 1) == "over":
                raise UnknownForm("a filter of a window")
            is_call = word == "(" and is_name(before)
            if follows_operand and not (is_call or word == "["):
                raise UnknownForm(f"{before} {word}")
            if before != "over" and any(entry.text == "order" for entry in node.inner):
                raise UnknownForm(f"{before}(... order by ...)")
            if before == "columns":
                raise UnknownForm("columns of a pattern")
            _check_expression(node.inner)
        elif is_operand and follows_operand:
            raise UnknownForm(f"{before} {word}")
        before, follows_operand = word, is_operand


@cache
def is_name(word: str) -> bool:
    """Return whether a word is a name or a keyword."""
    return _NAME.fullmatch(word) is not None


@cache
def _is_operand(word: str) -> bool:
    """Return whether a word is a name or a constant; two such words are never adjacent."""
    return word not in WORDS and _OPERAND.match(word) is not None


def names_in(nodes: Nodes) -> list[str]:
    """Return the columns of an expression, without keywords, functions and types."""
    names: list[str] = []
    for index, node in enumerate(nodes):
        if node.text == "as":
            # The rest of the brackets is a type, as in cast(rank as double).
            break
        if isinstance(node, Group):
            names += names_in(node.inner)
        elif (
            _is_possible_column(node.text)
            and word_at(nodes, index - 1) != "collate"
            # Skip a function, or the name of its parameter.
            and word_at(nodes, index + 1) not in ("(", ":")
        ):
            names.append(node.text)
    return names


@cache
def _is_possible_column(word: str) -> bool:
    """Return whether a word can be a column: a name, but not a star."""
    return is_name(word) and word not in WORDS and word[-1] != "."


def replace_names(nodes: Nodes, values: Mapping[str, Nodes]) -> list[Token]:
    """Replace columns by expressions; an expression with several parts gets brackets."""
    replaced: list[Token] = []
    is_type = False
    for index, node in enumerate(nodes):
        is_type |= node.text == "as"
        if isinstance(node, Group):
            replaced.append(Group(node.text, node.space, replace_names(node.inner, values)))
        elif node.text in values and not is_type and word_at(nodes, index + 1) != "(":
            inner = values[node.text]
            is_call = len(inner) == 2 and inner[1].text == "("
            if len(inner) == 1 or is_call or len(nodes) == 1:
                replaced += [replace(inner[0], space=node.space), *inner[1:]]
            else:
                replaced.append(Group("(", node.space, [*inner]))
        else:
            replaced.append(node)
    return replaced


def _read_entries(nodes: Nodes) -> list[Entry]:
    entries = [Entry([])]
    for node in nodes:
        if node.text == ",":
            entries.append(Entry([]))
        elif node.is_comment:
            is_after_comma = not node.first and not entries[-1].expression and len(entries) > 1
            entries[-2 if is_after_comma else -1].comments.append(node)
        else:
            entries[-1].expression.append(node)
    for entry in entries:
        if word_at(entry.expression, len(entry.expression) - 2) == "as":
            entry.name = entry.expression[-1].text
            del entry.expression[-2:]
        elif is_column(entry.expression):
            entry.name = entry.expression[0].text.rsplit(".", 1)[-1]
        if not entry.expression:
            raise UnknownForm("an empty column")
        if word_at(entry.expression, 0) == "*" and len(entry.expression) > 1:
            raise UnknownForm("a star with other words")
        _check_expression(entry.expression)
    return entries


def _read_sources(nodes: Nodes) -> list[Source]:
    sources: list[Source] = []
    part: list[Token] = []
    nodes = [node for node in nodes if not node.is_comment]
    for index, node in enumerate([*nodes, Token("join")]):
        starts = node.text in _JOINS and word_at(nodes, index - 1) not in _JOINS
        if starts and part and (index == len(nodes) or not _is_call(nodes, index)):
            sources.append(_read_source(part))
            part = []
        part.append(node)
    return sources


def _is_call(nodes: Nodes, index: int) -> bool:
    return nodes[index].text == "left" and word_at(nodes, index + 1) == "("


def _read_source(nodes: list[Token]) -> Source:
    words = [node for node in nodes if node.text in _JOINS]
    rest = nodes[len(words) :]
    texts = [node.text for node in rest]
    end = texts.index("on") if "on" in texts else len(rest)
    before, on = rest[:end], rest[end + 1 :]
    kind = " ".join(node.text for node in words)
    # After a function, its brackets follow.
    size = 2 if len(before) > 1 and before[1].text == "(" and before[0].text != "(" else 1
    table, naming = before[:size], before[size:]
    alias, *columns = naming[1:] if word_at(naming, 0) == "as" else naming or [Token("name")]
    query = None
    if table and isinstance(table[0], Group):
        query = Query.unnamed(table[0].inner)
    # Constant rows, and rows from a function, may have names of columns after the alias.
    is_renamed = [node.text for node in columns] == ["("] and (size == 2 or table[-1].text == "(")
    if (
        kind not in KINDS
        or not table
        or not (isinstance(table[0], Group) or is_name(table[0].text))
        or not is_name(alias.text)
        or alias.text in WORDS
        or (columns and not (is_renamed and not (query and query.selects)))
        or bool(on) != (kind in ("join", "left join"))
    ):
        raise UnknownForm(f"from {format_nodes(nodes)}")
    _check_expression(on)
    _check_expression(table if size == 2 else [])
    return Source(kind, table, naming, on, query)


def has_aggregate(nodes: Nodes) -> bool:
    """Return whether an expression certainly contains an aggregate function."""
    return any(map(_is_aggregate, _function_names(nodes)))


def has_possible_aggregate(nodes: Nodes) -> bool:
    """Return whether an expression calls a function that is not known to be scalar."""
    return not all(map(_is_scalar, _function_names(nodes)))


@cache
def _is_aggregate(name: str) -> bool:
    return _AGGREGATES.fullmatch(name) is not None


@cache
def _is_scalar(name: str) -> bool:
    return _SCALARS.fullmatch(name) is not None


def _function_names(nodes: Nodes) -> Iterator[str]:
    """Iterate over the functions of an expression, without windows and subqueries."""
    for index, node in enumerate(nodes):
        if isinstance(node, Group) and not node.is_query:
            name = word_at(nodes, index - 1)
            if node.text == "(" and is_name(name) and word_at(nodes, index + 1) != "over":
                # With two arguments, these functions are scalar.
                has_two_arguments = name in ("max", "min") and any(
                    entry.text == "," for entry in node.inner
                )
                yield "greatest" if has_two_arguments else name
            yield from _function_names(node.inner)


def drop_conditions(select: Select, is_true: Callable[[Nodes, Source | None], bool]) -> None:
    """Drop conditions that are true for all rows, and the word ``and`` next to them.

    Args:
        select: A select; a join without a condition becomes a cross join.
        is_true: A function that returns whether a condition is true for all rows. Its second
            argument is the source of the join that the condition belongs to, or None.
    """

    def keep(nodes: Nodes, source: Source | None) -> list[Token]:
        parts = split_nodes(nodes, "and")
        return join_parts([part for part in parts if not is_true(part, source)], "and")

    for source in select.sources:
        source.on = keep(source.on, source)
        if not source.on and source.kind == "left join":
            source.on = [Token("1"), Token("="), Token("1")]
        elif not source.on and source.kind == "join":
            source.kind = "cross join"
    for word in ("where", "having"):
        if word in select.clauses:
            select.clauses[word] = keep(select.clauses[word], None)
            if not select.clauses[word]:
                del select.clauses[word]


def find_names(parts: Iterable[Nodes]) -> set[str]:
    """Return the names in nodes."""
    words = {node.text for part in parts for node in leaf_nodes(part)}
    return {*filter(is_name, words)}


def find_equal_columns(source: Source) -> set[str]:
    """Return the columns of a joined table that the condition equates with other columns."""
    columns: set[str] = set()
    if any(node.text == "or" for node in source.on):
        return columns
    start = f"{source.alias}."
    for part in split_nodes(source.on, "and"):
        words = [node.text for node in part]
        if len(words) == 3 and words[1] == "=":
            own = [word for word in (words[0], words[2]) if word.startswith(start)]
            if len(own) == 1:
                columns.add(own[0].removeprefix(start))
    return columns


def row_keys(query: Query, queries: Mapping[str, Query]) -> set[str] | None:
    """Return columns that together are unique for each row; None if no such columns are known.

    They are all columns of a ``distinct``; the keys of a ``group by``; none of one row of totals;
    the partition and the number of a ``row_number()``; the keys of the one table of ``select *``;
    and otherwise the keys of all tables, except of left joins that add no rows.
    """
    select = query.select
    if select is None or makes_rows(select.entries):
        return _constant_keys(query)
    names = {format_nodes(entry.expression): entry.name for entry in select.entries}
    names |= {entry.name: entry.name for entry in select.entries if is_column(entry.expression)}
    if (
        any(format_nodes(entry.expression) == "*" for entry in select.entries)
        and len(select.sources) == 1
    ):
        inner = select.sources[0].query or queries.get(select.sources[0].name)
        return row_keys(inner, queries) if inner and inner is not query else None
    if select.distinct:
        return {entry.name for entry in select.entries}
    if "group" in select.clauses:
        keys = {format_nodes(part) for part in split_nodes(select.clauses["group"], ",")}
        return {names[key] for key in keys} if keys <= names.keys() else None
    if not select.sources or select.aggregates:
        return set()
    for entry in select.entries:
        if partition := _row_number_partition(entry.expression):
            return (
                {names[key] for key in partition} | {entry.name}
                if partition <= names.keys()
                else None
            )
    unique: set[str] = set()
    for source in select.sources:
        inner = source.query or queries.get(source.name)
        keys_of = row_keys(inner, queries) if inner and inner is not query else None
        if keys_of is None:
            return None
        if source.kind == "left join" and keys_of <= find_equal_columns(source):
            continue
        for key in keys_of:
            name = names.get(f"{source.alias}.{key}") or (
                len(select.sources) == 1 and names.get(key)
            )
            if not name:
                return None
            unique.add(name)
    return unique


def _constant_keys(query: Query) -> set[str] | None:
    """Return the column of a query that is a union of different constants; else None."""
    entries = [entry for select in query.selects for entry in select.entries]
    texts = {format_nodes(entry.expression) for entry in entries}
    is_constant = not any(select.sources or select.clauses for select in query.selects)
    is_unique = len(texts) == len(entries) == len(query.selects)
    return {entries[0].name} if query.unions and is_constant and is_unique else None


def makes_rows(entries: Iterable[Entry]) -> bool:
    """Return whether a function in the entries generates rows."""
    return any(
        node.text in ROW_FUNCTIONS for entry in entries for node in leaf_nodes(entry.expression)
    )


def is_one_row(query: Query) -> bool:
    """Return whether a query has exactly one row: constants, or totals of all rows."""
    select = query.select
    if select is None or makes_rows(select.entries) or select.clauses.keys() - {"where"}:
        return False
    return select.aggregates or not (select.sources or select.clauses)


def _row_number_partition(nodes: Nodes) -> set[str] | None:
    """Return the partition of ``row_number()``; None for other expressions."""
    if [node.text for node in nodes] != ["row_number", "(", "over", "("] or not isinstance(
        nodes[3], Group
    ):
        return None
    words = [node.text for node in nodes[3].inner]
    if words[:2] != ["partition", "by"] or "order" not in words:
        return None
    return {
        format_nodes(part) for part in split_nodes(nodes[3].inner[2 : words.index("order")], ",")
    }
