"""SQL that the caller gives: queries, conditions, and columns that are made of others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from ..dialects import DIALECTS, identifier
from ..errors import InputError
from ..rendering.tokens import quoted

# What stands between the parts of a key. Within a part the sign is doubled, so that no two keys of
# different parts are alike.
_BETWEEN = "|"

_BRACKETED = "{}={!r:.200}: a query stands in brackets, as in '(select * from recs)'"
_QUERY = re.compile(r"\s*\(\s*(select|with)\b", re.IGNORECASE)
_BARE = re.compile(r"\s*(select\s.+\sfrom\s|with\s+\w+\s+as\s*\()", re.IGNORECASE | re.DOTALL)


def is_query(given: Any) -> bool:
    """Return whether an input is a query in brackets, which may have a name behind it."""
    return isinstance(given, str) and _QUERY.match(given) is not None


def check_bracketed(given: str, name: str) -> None:
    """Refuse a query that does not stand in brackets.

    Raises:
        InputError: It is one.
    """
    if _BARE.match(given):
        raise InputError(_BRACKETED.format(name, given))


def query(given: str, name: str, table: str, dialect: str) -> str:
    """Write a query in brackets as it can stand behind ``from``.

    Raises:
        InputError: It is more than a query in brackets.
    """
    sql = checked(given, name, dialect, bracketed=True)
    found = re.fullmatch(r"(\(.*\))(?: as)?(?: (\w+))?", sql, re.DOTALL | re.IGNORECASE)
    if not found:
        raise InputError(_BRACKETED.format(name, given))
    return f"{found[1]} as {found[2] or f'{table}_rows'}"


def checked(sql: str, name: str, dialect: str, bracketed: bool = False) -> str:
    """Return SQL of the caller on one line, if it can't leave its place in a statement.

    Args:
        sql: What is given.
        name: How messages call it.
        dialect: Whose SQL it is.
        bracketed: Whether one pair of brackets is around all of it, but for a name.

    Raises:
        InputError: A comment, a semicolon, or a bracket without its other.
    """
    parts = re.split(f"({quoted(dialect)})", sql.strip())
    code = [re.sub(r"\s+", " ", part) for part in parts[::2]]
    odd = re.search(r"--|/\*|[;#'\"`]|\$\$|\x00", "".join(code))
    if odd or any(re.search(r"[\r\n]", part) for part in parts[1::2]):
        what = repr(odd[0]) if odd else "a line break within a text"
        raise InputError(f"{name}={sql!r:.200} has {what}, which is not taken here: leave it out")
    depth, least = 0, 0
    signs = re.findall(r"[()]", "".join(code))
    for place, sign in enumerate(signs, start=1):
        depth += 1 if sign == "(" else -1
        # The bracket around all ends last.
        least = min(least, depth - (bracketed and place < len(signs)))
    if least < 0 or depth:
        raise InputError(
            f"{name}={sql!r:.200}: brackets do not go together: there is one too many or too few"
        )
    return "".join(
        part for pair in zip(code, [*parts[1::2], ""], strict=True) for part in pair
    ).strip()


def key_of(parts: Sequence[str], dialect: str) -> str:
    """Write one text of several columns; null where one of them is."""
    known = DIALECTS[dialect]
    if len(parts) == 1:
        return parts[0]
    texts = [
        f"replace({known.text.format(part)}, '{_BETWEEN}', '{_BETWEEN * 2}')" for part in parts
    ]
    return f" {known.concat} ' {_BETWEEN} ' {known.concat} ".join(texts)


def field_of(column: str, fields: Iterable[str], dialect: str) -> str:
    """Write a column, or a field of one that has several."""
    names = ".".join(identifier(name, dialect, stored=True) for name in fields)
    return DIALECTS[dialect].field.format(column, names) if names else column
