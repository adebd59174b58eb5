"""Renders the SQL folder, which is a dbt package, with plain Jinja2."""

from __future__ import annotations

import re
from functools import cache
from types import SimpleNamespace
from typing import Any

from .catalogue import sql_folder
from .names import PARENTS


def render(macro: str, plan: dict[str, Any], dialect: str) -> str:
    """Render one macro of the SQL folder for a plan and tidy its white space."""
    return tidy(getattr(_macros(dialect), macro)(plan))


def tidy(sql: str) -> str:
    """Drop the empty lines that templates leave, and set one after each named query."""
    lines = [line.rstrip() for line in sql.splitlines() if line.strip()]
    return re.sub(r"^(\)|\),)$", r"\1\n", "\n".join(lines), flags=re.MULTILINE)


def steps(sql: str, prefix: str) -> tuple[list[tuple[str, str]], str]:
    """Take a statement apart into its named queries, each under a prefixed name, and the last.

    For an engine that would compute a named query once for each mention of it.
    """
    queries = re.findall(r"^(\w+) as \($\n(.*?)^\),?$", sql, re.DOTALL | re.MULTILINE)
    if not queries:
        return [], sql
    *_, last = re.split(r"^\)$", sql, flags=re.MULTILINE)
    names = "|".join(name for name, _ in queries)
    # What is quoted is matched first, so that it stays as it is.
    mention = re.compile(rf"'(?:[^'\\]|\\.)*'|`[^`]*`|\b(from|join) ({names})\b(?!\.)( as \w+)?")

    def prefixed(found: re.Match[str]) -> str:
        word, name, alias = found.groups()
        return f"{word} {prefix}{name}{alias or f' as {name}'}" if word else found[0]

    return (
        [(prefix + name, mention.sub(prefixed, query)) for name, query in queries],
        mention.sub(prefixed, last),
    )


@cache
def _macros(dialect: str) -> SimpleNamespace:
    """Load every macro as an attribute; dispatch to the engine's form as dbt does."""
    from jinja2 import Environment, StrictUndefined

    class Namespace(SimpleNamespace):
        def __getitem__(self, name: str) -> Any:
            return getattr(self, name)

    macros = Namespace()

    def dispatch(name: str, package: str) -> Any:
        forms = [f"{form}__{name}" for form in (dialect, PARENTS.get(dialect), "default")]
        return next(vars(macros)[form] for form in forms if form in vars(macros))

    env = Environment(undefined=StrictUndefined)
    env.globals |= {"sqlrec": macros, "adapter": SimpleNamespace(dispatch=dispatch)}
    # What dbt alone uses is not for plain Jinja.
    for path in sorted({*sql_folder().rglob("*.sql")} - {*sql_folder().glob("dbt/**/*.sql")}):
        module = env.from_string(path.read_text(encoding="utf-8")).module
        vars(macros).update({key: value for key, value in vars(module).items() if key[0] != "_"})
    return macros
