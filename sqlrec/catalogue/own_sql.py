"""What is wrong with the SQL that a metric of one's own writes, as far as its text shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..rendering.tokens import Group, Token, one_line, tokens, tree

# Columns of rows that are whole numbers. Some engines forget the rest where two such are divided.
WHOLE = frozenset(
    "k rank list_length asked_length relevant_items judged_items nonrelevant_items gain_levels "
    "goes_past baseline_length category_line all_categories users_evaluated short_lists "
    "ties_at_cutoff".split()
)
# What makes whole numbers of whole numbers, and what ends a factor.
_KEEPS = frozenset("sum min max coalesce nullif abs distinct then else null + - * ,".split())
_ENDS = frozenset("+ - , < > = <= >= <> when then else and or".split())
_QUERY = frozenset("select join over where from".split())


def fault(sql: str) -> tuple[str, str] | None:
    """Find what no engine takes, or what engines take differently.

    Args:
        sql: The text, as DuckDB reads it.

    Returns:
        What is wrong with its fix, and what stands in the line of it; None if all is well.
    """
    found = [*tokens(sql, "duckdb")]
    words = [token.text.lower() for token in found if not token.is_comment]
    if not words:
        return "it writes nothing: write one aggregate, as in sum(hit)", "\n"
    for opens, closes in (("(", ")"), ("case", "end")):
        more = words.count(opens) - words.count(closes)
        if more > 0:
            return f"{opens!r} is not closed: write {closes!r}", opens
        if more < 0:
            return f"{closes!r} closes nothing: leave it out", closes
    if ";" in words:
        return "';' ends a statement, and a metric is a part of one: leave it out", ";"
    for word in words:
        if word in _QUERY:
            fix = "name rows that have the column"
            return (
                f"{word!r} is part of a query; a metric is one aggregate over rows: {fix}",
                word,
            )
    if found[-1].is_comment:
        return "a comment at the end hides what follows: write it above", found[-1].text
    for left, right in _divisions(tree(sql, "duckdb")):
        if _is_whole(left) and _is_whole(right):
            above, below = one_line(left), one_line(right)
            return (
                f"'{above} / {below}' divides whole numbers, of which some engines forget the "
                f"rest: write {{{{ sqlrec.double('{above}') }}}} / {below}",
                "/",
            )
    return None


def _divisions(nodes: Sequence[Token]) -> Iterator[tuple[Sequence[Token], Sequence[Token]]]:
    """Go through what is divided, with all factors before it, and by what."""
    for place, node in enumerate(nodes):
        if isinstance(node, Group):
            yield from _divisions(node.inner)
        if node.text == "/":
            start = place
            while start and nodes[start - 1].text.lower() not in _ENDS:
                start -= 1
            end = place + 2 + isinstance((nodes[place + 2 :] or [node])[0], Group)
            yield nodes[start:place], nodes[place + 1 : end]


def _is_whole(nodes: Sequence[Token]) -> bool:
    """Say whether an expression is surely a whole number."""
    before, condition = "", False
    for node in nodes:
        word = node.text.lower()
        # What is counted, or compared, may be anything.
        condition = word == "when" or (condition and word != "then")
        known = condition or word == "count" or (word == "(" and before == "count")
        if not known:
            whole = word in WHOLE or word in _KEEPS or word.isdigit()
            if not (_is_whole(node.inner) if isinstance(node, Group) else whole):
                return False
        before = word
    return bool(nodes)
