"""Drop limits of ranks to the cutoff of the whole list.

>>> from sqlrec.rendering.prune import show_pass
>>> show_pass("limits", '''
... with
... listed as (select user_id, row_number() over (order by score) as rank from r),
... lengths as (select user_id, count(*) as n from listed where rank <= 2147483646 group by user_id)
... select lengths.n from lengths left join listed
... on listed.user_id = lengths.user_id where listed.rank <= 2147483646
... ''')
with
listed as (select user_id, row_number() over (order by score) as rank from r),
lengths as (select user_id, count(*) as n from listed group by user_id)
select lengths.n
from lengths
left join listed on listed.user_id = lengths.user_id
where listed.rank <= 2147483646

A limit is dropped if its rank is never null and within the whole list: a row number, a rank, a
column that another condition compares with 1, or a sum or aggregate of these. Limits of other
expressions remain. For example, a column of a left join is null in a row without a match, so its
limit remains.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from .queries import (
    Query,
    Select,
    Source,
    drop_conditions,
    format_nodes,
    leaf_nodes,
    names_in,
    split_nodes,
)
from .tokens import Nodes, Token, word_at

# The cutoff of the whole list. All ranks are within this cutoff, but a left join may lack a rank,
# and some queries have a larger number for items beyond all cutoffs.
WHOLE_LIST_K = 2_147_483_646
# If a rank is below 1 or missing, the rows violate a rule, so no value is valid.
_GIVEN_RANK = re.compile(r"case\s+when (\S+) >= 1 then \1( else 0)? end")
_WORDS_OF_RANKS = {*"row_number rank dense_rank over min max cast as bigint ( + -".split()}


def drop_limits(queries: list[Query], last: Query) -> list[Query]:
    """Drop limits of ranks that no rank exceeds."""
    by_name = {query.name: query for query in queries}
    for query in [*queries, last]:
        for select in query.selects:
            _drop_select_limits(select, by_name)
    return queries


def _drop_select_limits(select: Select, queries: Mapping[str, Query]) -> None:
    for source in select.sources:
        for inner in source.query.selects if source.query else ():
            _drop_select_limits(inner, queries)
    limit = ["<=", str(WHOLE_LIST_K)]
    drop_conditions(
        select,
        lambda nodes, source: (
            [node.text for node in nodes[1:]] == limit
            and _is_rank(nodes[:1], select, queries, source)
        ),
    )


def _is_rank(
    nodes: Nodes, select: Select, queries: Mapping[str, Query], own: Source | None = None
) -> bool:
    """Return whether an expression contains only ranks, row numbers and small numbers."""
    if _GIVEN_RANK.fullmatch(format_nodes(nodes)):
        return True
    without_keys = [one for index, one in enumerate(nodes) if word_at(nodes, index - 1) != "over"]
    names = {*names_in(without_keys)}
    words = {node.text for node in leaf_nodes(without_keys)} - names
    small = all(x.isdecimal() and int(x) <= WHOLE_LIST_K for x in words - _WORDS_OF_RANKS)
    return small and all(_is_rank_column(x, select, queries, own) for x in names)


def _is_rank_column(
    name: str, select: Select, queries: Mapping[str, Query], own: Source | None
) -> bool:
    """Return whether a column is a rank from 1, and not null because of a left join."""
    parts = split_nodes(select.clauses.get("where", []), "and")
    if any(format_nodes(part) in (f"{name} >= 1", f"{name} between 1") for part in parts):
        return True
    table, _, column = name.rpartition(".")
    for source in select.sources:
        query = source.query or queries.get(source.name)
        if query and (source.kind != "left join" or source is own) and table in ("", source.alias):
            return all(_has_rank(column, select, queries) for select in query.selects)
    return False


def _has_rank(column: str, select: Select, queries: Mapping[str, Query]) -> bool:
    expressions = [entry.expression for entry in select.entries if entry.name == column]
    stars = [
        source for entry in select.entries if entry.is_star for source in select.star_sources(entry)
    ]
    prefixes = [f"{source.alias}." if len(select.sources) > 1 else "" for source in stars]
    columns = expressions or [[Token(prefix + column)] for prefix in prefixes]
    return any(_is_rank(node, select, queries) for node in columns)
