"""SQL from the caller (queries and conditions), and SQL for composite columns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from ..dialects import DIALECTS, identifier
from ..errors import InputError
from ..rendering.tokens import quoted_pattern

# Separator of the parts of a composite key. It is doubled within a part, so keys stay unique.
_SEPARATOR = "|"

_NOT_IN_PARENTHESES = (
    "{}={!r:.200}: put a query in parentheses, with an optional alias: '(select * from recs)'"
)
_QUERY = re.compile(r"\s*\(\s*(select|with)\b", re.IGNORECASE)
_BARE = re.compile(r"\s*(select\s.+\sfrom\s|with\s+\w+\s+as\s*\()", re.IGNORECASE | re.DOTALL)


def is_query(value: Any) -> bool:
    """Return whether an input is a query in parentheses, with or without an alias."""
    return isinstance(value, str) and _QUERY.match(value) is not None


def check_parentheses(value: str, name: str) -> None:
    """Check that an input is not a query without parentheses."""
    if _BARE.match(value):
        raise InputError(_NOT_IN_PARENTHESES.format(name, value))


def check_query(value: str, name: str, table: str, dialect: str) -> str:
    """Return a query in parentheses with an alias, to follow ``from``."""
    sql = check_sql(value, name, dialect, in_parentheses=True)
    match = re.fullmatch(r"(\(.*\))(?: as)?(?: (\w+))?", sql, re.DOTALL | re.IGNORECASE)
    if not match:
        raise InputError(_NOT_IN_PARENTHESES.format(name, value))
    return f"{match[1]} as {match[2] or f'{table}_rows'}"


def check_sql(sql: str, name: str, dialect: str, in_parentheses: bool = False) -> str:
    """Return SQL from the caller on one line, after a check that the SQL is safe to embed."""
    parts = re.split(f"({quoted_pattern(dialect)})", sql.strip())
    code = [re.sub(r"\s+", " ", part) for part in parts[::2]]
    invalid = re.search(r"--|/\*|[;#'\"`]|\$\$|\x00", "".join(code))
    if invalid or any(re.search(r"[\r\n]", part) for part in parts[1::2]):
        problem = repr(invalid[0]) if invalid else "a line break in a quoted text"
        raise InputError(f"{name}={sql!r:.200} has {problem}, which is not allowed here: remove it")
    depth, lowest = 0, 0
    signs = re.findall(r"[()]", "".join(code))
    for number, sign in enumerate(signs, start=1):
        depth += 1 if sign == "(" else -1
        # The outer pair must not close before the last parenthesis.
        lowest = min(lowest, depth - (in_parentheses and number < len(signs)))
    if lowest < 0 or depth:
        raise InputError(f"{name}={sql!r:.200} has unbalanced parentheses: add or remove one")
    return "".join(
        part for pair in zip(code, [*parts[1::2], ""], strict=True) for part in pair
    ).strip()


def composite_key(parts: Sequence[str], dialect: str) -> str:
    """Return the SQL that joins several columns into one text, null if one of them is null."""
    forms = DIALECTS[dialect]
    if len(parts) == 1:
        return parts[0]
    texts = [
        f"replace({forms.text.format(part)}, '{_SEPARATOR}', '{_SEPARATOR * 2}')" for part in parts
    ]
    return f" {forms.concat} ' {_SEPARATOR} ' {forms.concat} ".join(texts)


def column_field(column: str, fields: Iterable[str], dialect: str) -> str:
    """Return the SQL of a column or of its nested field."""
    names = ".".join(identifier(name, dialect, stored=True) for name in fields)
    return DIALECTS[dialect].field.format(column, names) if names else column
