"""Replace keys by constants if they have the same value in all rows of a query.

Constants are also removed from groups, orders and windows. Conditions that compare equal constants
are dropped. A column is constant if all selects of the query have the same number or string in it.
The row of a left join may be missing, so its columns are constant only in the condition of this
join.

>>> from sqlrec.rendering.prune import show_pass
>>> show_pass("constants", '''
... with
... cutoffs as (select 10 as k),
... listed as (select 'recs' as model, user_id, row_number() over (order by score) as rank from r)
... select listed.model, listed.user_id, cutoffs.k, count(*) as items
... from listed
... cross join cutoffs
... where listed.rank <= cutoffs.k
... group by listed.model, listed.user_id, cutoffs.k
... ''')
with
cutoffs as (select 10 as k),
listed as (
    select 'recs' as model, user_id, row_number() over (order by score) as rank
    from r
)
select 'recs' as model, listed.user_id, 10 as k, count(*) as items
from listed
cross join cutoffs
where listed.rank <= 10
group by listed.user_id
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from .queries import Query, Select, Source, drop_conditions, format_nodes, join_parts, split_nodes
from .tokens import Group, Nodes, Token, word_at

# The keys that every query has.
KEYS = ("model", "k")

_LITERAL = re.compile(r"'(?:[^']|'')*'|\d+")


def fold_constants(queries: list[Query], last: Query) -> list[Query]:
    """Replace constant columns by their constants."""
    constants: dict[str, Mapping[str, str]] = {}
    for query in [*queries, last]:
        for select in query.selects:
            _fold_select(select, constants, query is last)
        constants[query.name] = _query_constants(query, constants)
    return queries


def _query_constants(query: Query, constants: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Return the columns that have the same constant in all selects of a query."""
    by_select = [_select_constants(select, constants) for select in query.selects] or [{}]
    names = [[entry.name for entry in select.entries] for select in query.selects]
    # Columns of other unions are read by position.
    is_positional = any(words != "union all by name" for words in query.unions)
    if is_positional and ("" in names[0] or any(entry != names[0] for entry in names)):
        return {}
    return {
        name: value
        for name, value in by_select[0].items()
        if all(entry.get(name) == value for entry in by_select)
    }


def _select_constants(select: Select, constants: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    values: dict[str, str] = {}
    for star in (entry for entry in select.entries if entry.is_star):
        sources = select.star_sources(star)
        # The row of a left join may be missing.
        if len(sources) == 1 and sources[0].kind != "left join":
            values |= _source_constants(sources[0], constants)
    for entry in select.entries:
        if entry.name in KEYS:
            value = re.sub(r"cast\((\d+) as \w+\)", r"\1", format_nodes(entry.expression))
            if _is_literal(value):
                values[entry.name] = value
    return values


def _source_constants(
    source: Source, constants: Mapping[str, Mapping[str, str]]
) -> Mapping[str, str]:
    return (
        _query_constants(source.query, constants)
        if source.query
        else constants.get(source.name, {})
    )


def _fold_select(select: Select, constants: Mapping[str, Mapping[str, str]], is_last: bool) -> None:
    for source in select.sources:
        for inner in source.query.selects if source.query else ():
            _fold_select(inner, constants, False)
    by_source = [_constant_columns(source, select, constants) for source in select.sources]
    # The row of a left join may be missing, except in the condition of this join.
    certain: dict[str, str] = {}
    for source, own in zip(select.sources, by_source, strict=True):
        certain |= own if source.kind != "left join" else {}
    for entry in select.entries if certain else ():
        entry.expression = _fold_nodes(entry.expression, certain)
    for source, own in zip(select.sources, by_source, strict=True):
        source.on = _fold_nodes(source.on, certain | own)
    for word in ("where", "having"):
        if word in select.clauses:
            select.clauses[word] = _fold_nodes(select.clauses[word], certain)
    drop_conditions(select, lambda nodes, _: _is_true(nodes))
    for word in ("group", "order"):
        if word in select.clauses and not (is_last and word == "order"):
            select.clauses[word] = _drop_constant_keys(select.clauses[word], certain)
    if select.clauses.get("group") == []:
        # Without an aggregate, each group is only one row.
        del select.clauses["group"]
        select.distinct |= not select.aggregates
    select.clauses = {word: nodes for word, nodes in select.clauses.items() if nodes}


def _constant_columns(
    source: Source, select: Select, constants: Mapping[str, Mapping[str, str]]
) -> dict[str, str]:
    """Return the constant columns of a source, by names with and without the table."""
    values = _source_constants(source, constants)
    names = {f"{source.alias}.{name}": value for name, value in values.items()}
    return names | (dict(values) if len(select.sources) == 1 else {})


def _fold_nodes(nodes: Nodes, values: Mapping[str, str]) -> list[Token]:
    """Replace columns by constants, and remove the constants from the keys of windows."""
    folded: list[Token] = []
    for index, node in enumerate(nodes):
        if isinstance(node, Group) and word_at(nodes, index - 1) == "over":
            folded.append(Group(node.text, node.space, _fold_window(node.inner, values)))
        elif isinstance(node, Group):
            group = Group(node.text, node.space, _fold_nodes(node.inner, values))
            folded += _choose_branch(group) if node.text == "case" else [group]
        elif node.text in values and word_at(nodes, index - 1) != "as":
            folded.append(Token(values[node.text], node.space))
        else:
            folded.append(node)
    return folded


def _choose_branch(case: Group) -> list[Token]:
    """Return the branch of a case over constants; other cases are returned unchanged.

    The forms are ``case 5 when 1 then a when 5 then b end`` and ``case when 5 < 9 then a else b
    end``.
    """
    subject, *branches = split_nodes(case.inner, "when")
    pairs = [split_nodes(branch, "then") for branch in branches]
    if not pairs or any(len(pair) != 2 for pair in pairs):
        return [case]
    last, *others = split_nodes(pairs[-1][1], "else")
    pairs[-1][1] = last
    conditions = [_parse_numbers(condition) for condition, _ in pairs]
    value: list[Token] = []
    if (number := _parse_numbers(subject)) and all(len(condition) == 1 for condition in conditions):
        value = next(
            (pair[1] for pair, one in zip(pairs, conditions, strict=True) if one == number), []
        )
    elif not subject and len(pairs) == len(others) == 1 and len(conditions[0]) == 2:
        value = last if conditions[0][0] < conditions[0][1] else others[0]
    if len(value) == 1:
        return [replace(value[0], space=case.space)]
    return [Group("(", case.space, value)] if value else [case]


def _parse_numbers(nodes: Nodes) -> list[int]:
    """Parse the numbers in ``5`` or ``5 < 9``; return an empty list for other text."""
    words = [node.text for node in nodes]
    numbers = words[::2] if words[1::2] in ([], ["<"]) else []
    return [*map(int, numbers)] if all(re.fullmatch("[0-9]+", entry) for entry in numbers) else []


def _fold_window(nodes: Nodes, values: Mapping[str, str]) -> list[Token]:
    """Remove constants from the keys of a window."""
    starts = [
        index
        for index, node in enumerate(nodes)
        if node.text in ("partition", "order", "rows", "range")
    ]
    if not starts:
        return [*nodes]
    parts: list[Token] = []
    for start, end in zip(starts, [*starts[1:], len(nodes)], strict=True):
        if nodes[start].text in ("rows", "range"):
            parts += nodes[start:end]
            continue
        keys = _drop_constant_keys(nodes[start + 2 : end], values)
        if keys:
            parts += [*nodes[start : start + 2], *keys]
    if parts:
        parts[0].space = nodes[0].space
    return parts


def _drop_constant_keys(nodes: Nodes, values: Mapping[str, str]) -> list[Token]:
    """Remove constants from a list of keys."""
    kept = []
    for entry in split_nodes(nodes, ","):
        bare = [node for node in entry if node.text not in ("asc", "desc")]
        if len(bare) == 1 and bare[0].text in values:
            continue
        if word_at(entry, 0) == "grouping" and isinstance(entry[-1], Group):
            sets = [
                Group("(", part[0].space, _drop_constant_keys(part[0].inner, values))
                if isinstance(part[0], Group)
                else part[0]
                for part in split_nodes(entry[-1].inner, ",")
            ]
            kept.append(
                [*entry[:-1], Group("(", " ", join_parts([[entry] for entry in sets], ","))]
            )
            continue
        kept.append(_fold_nodes(entry, values))
    return join_parts(kept, ",")


def _is_true(nodes: Nodes) -> bool:
    """Return whether a condition compares equal constants, as in ``10 = 10``."""
    words = [node.text for node in nodes]
    return len(words) == 3 and words[1:] == ["=", words[0]] and _is_literal(words[0])


def _is_literal(word: str) -> bool:
    return _LITERAL.fullmatch(word) is not None
