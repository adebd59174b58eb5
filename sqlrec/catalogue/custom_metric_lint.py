"""Checks of the text of a custom metric's SQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..rendering.tokens import Group, Token, find_open_bracket, one_line, parse_tree, tokens

# Columns of integers. Some engines drop the remainder when they divide integers.
WHOLE = frozenset(
    "k rank list_length requested_length relevant_items judged_items nonrelevant_items "
    "distinct_gains exceeds_best_list baseline_length category_line all_categories "
    "users_evaluated short_lists ties_at_cutoff".split()
)
# Words that do not turn integers into fractions, and words that end a factor.
_KEEPS = frozenset("sum min max coalesce nullif abs distinct then else null + - * ,".split())
_ENDS = frozenset("+ - , < > = <= >= <> when then else and or".split())
_QUERY = frozenset("select join over where from".split())


def find_fault(sql: str) -> tuple[str, str] | None:
    """Return a problem in SQL that engines reject or read differently, and a text in its line."""
    all_tokens = [*tokens(sql, "duckdb")]
    words = [token.text.lower() for token in all_tokens if not token.is_comment]
    if not words:
        return "it is empty: write one aggregate, as in sum(hit)", "\n"
    if fault := find_open_bracket(words):
        return fault
    if ";" in words:
        return "';' ends a statement, but a metric is only a part of one: remove it", ";"
    for word in (word for word in words if word in _QUERY):
        problem = f"{word!r} is part of a query; a metric is one aggregate over rows"
        return f"{problem}: name rows that have the column", word
    if all_tokens[-1].is_comment:
        return "a comment at the end hides the SQL after it: write it above", all_tokens[-1].text
    for left, right in _divisions(parse_tree(sql, "duckdb")):
        if _is_whole(left) and _is_whole(right):
            above, below = one_line(left), one_line(right)
            fix = f"write {{{{ sqlrec.double('{above}') }}}} / {below}"
            problem = f"'{above} / {below}' divides whole numbers"
            return f"{problem}, and some engines drop the remainder: {fix}", "/"
    return None


def _divisions(nodes: Sequence[Token]) -> Iterator[tuple[Sequence[Token], Sequence[Token]]]:
    """Yield the dividend, with all factors before it, and the divisor of each division."""
    for position, node in enumerate(nodes):
        if isinstance(node, Group):
            yield from _divisions(node.inner)
        if node.text == "/":
            start = position
            while start and nodes[start - 1].text.lower() not in _ENDS:
                start -= 1
            end = position + 2 + isinstance((nodes[position + 2 :] or [node])[0], Group)
            yield nodes[start:position], nodes[position + 1 : end]


def _is_whole(nodes: Sequence[Token]) -> bool:
    """Return whether an expression is certainly an integer."""
    before, condition = "", False
    for node in nodes:
        word = node.text.lower()
        # Conditions and arguments of count may have any type.
        condition = word == "when" or (condition and word != "then")
        any_type = condition or word == "count" or (word == "(" and before == "count")
        if not any_type:
            is_whole = word in WHOLE or word in _KEEPS or word.isdigit()
            if not (_is_whole(node.inner) if isinstance(node, Group) else is_whole):
                return False
        before = word
    return bool(nodes)
