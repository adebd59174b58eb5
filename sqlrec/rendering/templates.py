"""Renders the SQL folder, which is a dbt package, with plain Jinja2."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import SimpleNamespace
from typing import Any

from ..dialects import DIALECTS
from ..errors import MetricError
from ..paths import sql_folder
from .layout import laid_out
from .statement import Statement


def render(macro: str, plan: Any, dialect: str, **arguments: Any) -> str:
    """Render one macro of the SQL folder and tidy its white space.

    Args:
        macro: The macro's name.
        plan: What it reads: a plan, or entries by name.
        dialect: Whose SQL to write.
        arguments: What it reads besides.
    """
    entries = plan if isinstance(plan, Mapping) else vars(plan)
    return tidy(getattr(_macros(dialect), macro)(SimpleNamespace(**{**entries, **arguments})))


def tidy(sql: str) -> str:
    """Drop the empty lines that templates leave, and set one after each named query."""
    lines = [line.rstrip() for line in sql.splitlines() if line.strip()]
    return re.sub(r"^(\)|\),)$", r"\1\n", "\n".join(lines), flags=re.MULTILINE)


def numbered_steps(sql: str, dialect: str) -> str:
    """Write a statement as several, each of which but the last makes a table."""
    statement = Statement.read(sql, dialect, "sqlrec_")
    ending = str(_macros(dialect).ending()).strip()
    made = DIALECTS[dialect].step
    texts = [
        f"{made} {query.name} as\n{laid_out(query.text, dialect)}\n{ending}".strip()
        for query in statement.queries
    ]
    numbered = enumerate([*texts, laid_out(statement.last, dialect)], start=1)
    steps = (f"-- Step {number}\n{text};" for number, text in numbered)
    return "\n\n".join([laid_out(statement.head, dialect).rstrip(), *steps])


@cache
def _macros(dialect: str) -> Any:
    """Return every macro as an attribute; dispatch to the engine's form as dbt does.

    A file is compiled when one of its macros is asked for: most metrics, and what dbt alone uses,
    are not. What is compiled is kept for the next process, which takes a fifth of the time.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from .cache import Compiled

    folder = sql_folder()
    files: dict[str, str] = {}
    for path in folder.rglob("*.sql"):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(folder).as_posix()
        files |= dict.fromkeys(re.findall(r"{%-? macro (\w+)\(", text), name)

    class Macros:
        def __getattr__(self, name: str) -> Any:
            if name not in files:
                raise AttributeError(name)
            module = vars(env.get_template(files[name]).module)
            vars(self).update({key: returning(macro) for key, macro in module.items()})
            return vars(self)[name]

        def __getitem__(self, name: str) -> Any:
            return getattr(self, name)

    def dispatch(name: str, package: str) -> Any:
        forms = [f"{form}__{name}" for form in (dialect, DIALECTS[dialect].parent, "default")]
        return getattr(macros, next(form for form in forms if form in files))

    macros = Macros()

    env = Environment(
        loader=FileSystemLoader(folder), bytecode_cache=Compiled(), undefined=StrictUndefined
    )
    env.globals |= {
        "sqlrec": macros,
        "adapter": SimpleNamespace(dispatch=dispatch, type=lambda: dialect),
        "modules": SimpleNamespace(re=re),
        "return": give_back,
        "exceptions": SimpleNamespace(raise_compiler_error=refuse),
    }
    return macros


class _Returned(BaseException):
    """A value on its way out of a macro, as dbt has it: not all that macros make is text."""


def give_back(value: Any) -> None:
    """End the macro that calls this, which then has this value."""
    raise _Returned(value)


def refuse(message: str) -> None:
    """Refuse a metric whose file is wrong."""
    raise MetricError(message)


def returning(macro: Any) -> Any:
    """Let a macro end with a value."""
    if not callable(macro):
        return macro

    def call(*positional: Any, **named: Any) -> Any:
        try:
            return macro(*positional, **named)
        except _Returned as returned:
            return returned.args[0]

    return call
