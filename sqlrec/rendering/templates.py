"""Render macros of the SQL folder, which is a dbt package, with plain Jinja2."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field
from functools import cache, lru_cache
from types import SimpleNamespace
from typing import Any

from ..dialects import DIALECTS
from ..errors import MetricError
from ..paths import OWN, sql_folder
from .prune import prune_statement
from .sql_format import format_statement
from .statement import Statement
from .tokens import find_open_bracket, token_texts


def render(macro: str, plan: Any, dialect: str, **arguments: Any) -> str:
    """Render one macro of the SQL folder, for a plan or entries by name, with more entries."""
    entries = {**(plan if isinstance(plan, Mapping) else vars(plan)), **arguments}
    # Plans have no hash, so calls are compared by their pickled contents. This takes a thousandth
    # of the time of rendering.
    return _render_macro(_Call(pickle.dumps((macro, dialect, entries)), macro, dialect, entries))


@dataclass(frozen=True)
class _Call:
    """A macro with its arguments, compared by their contents."""

    contents: bytes
    macro: str = field(compare=False)
    dialect: str = field(compare=False)
    entries: Mapping[str, Any] = field(compare=False)


@lru_cache(256)
def _render_macro(call: _Call) -> str:
    return _prune(render_unpruned(call.macro, call.entries, call.dialect), call.dialect)


@lru_cache(256)
def _prune(sql: str, dialect: str) -> str:
    # Small statements often have the same text for different plans.
    return tidy_white_space(prune_statement(sql, dialect))


def render_unpruned(macro: str, plan: Any, dialect: str, **arguments: Any) -> str:
    """Render one macro without removing unread parts."""
    entries = plan if isinstance(plan, Mapping) else vars(plan)
    macros = _load_macros(dialect)
    text = getattr(macros, macro)(with_derived({**entries, **arguments}, dialect))
    return tidy_white_space(macros.in_dialect(text))


def with_derived(entries: Mapping[str, Any], dialect: str) -> dict[str, Any]:
    """Return entries for macros. A plan of metrics includes the entries of ``sql/derived.sql``."""
    plan = {**entries}
    if "properties" in entries:
        plan["parts"] = [with_derived(vars(part), dialect) for part in plan["parts"]]
        derived = _load_macros(dialect).derived(plan)
        assert not derived.keys() & entries.keys(), derived.keys() & entries.keys()
        plan |= derived
    return plan


def tidy_white_space(sql: str) -> str:
    """Return SQL without empty lines, except for a line after each named query."""
    lines = [line.rstrip() for line in sql.splitlines() if line.strip()]
    return re.sub(r"^(\)|\),)$", r"\1\n", "\n".join(lines), flags=re.MULTILINE)


def statement_ending(dialect: str) -> str:
    """Return the last line of a statement, which is empty in most dialects."""
    text = str(_load_macros(dialect).ending()).strip()
    return f"\n{text}" if text else ""


def numbered_steps(sql: str, dialect: str) -> str:
    """Return a statement as steps. All steps except the last create or replace a table."""
    statement = Statement.read(sql, dialect, "sqlrec_")
    create, drop = DIALECTS[dialect].step, DIALECTS[dialect].drop
    dropped = f"{drop};\n" if drop else ""
    end = f"{statement_ending(dialect)};"
    texts = [
        f"{dropped.format(query.name)}{create} {query.name} as\n"
        f"{format_statement(query.text + end, dialect)}"
        for query in statement.queries
    ]
    numbered = enumerate([*texts, format_statement(f"{statement.last};", dialect)], start=1)
    steps = (f"-- Step {number}\n{text}" for number, text in numbered)
    return "\n\n".join([format_statement(statement.head, dialect).rstrip(), *steps])


# Macros without side effects, which a statement calls many times with the same text.
_PURE = {"column_names", "constant", "identifiers", "is_column", "with_alias"}
_MACROS = re.compile(r"{%-? macro (\w+)\(")


@cache
def _load_macros(dialect: str) -> Any:
    """Return an object with all macros as attributes. As in dbt, an engine can have its own form.

    A file is compiled when one of its macros is first used. The cache of compiled files makes the
    next process five times as fast.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from jinja2.runtime import Context

    from .cache import Compiled, own_folder

    class Plain(Context):
        """A context that calls functions directly, without Jinja's check for a context argument."""

        def call(
            self, function: Callable[..., Any], *args: Any, _loop_vars: Any = None, **kwargs: Any
        ) -> Any:
            return function(*args, **kwargs)

    folder = sql_folder()
    files: dict[str, str] = {}
    for path in folder.rglob("*.sql"):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(folder).as_posix()
        files |= dict.fromkeys(_MACROS.findall(text), name)

    own = {macro: name for name, (_, text) in OWN.items() for macro in _MACROS.findall(text)}

    class Macros:
        def __getattr__(self, name: str) -> Any:
            if name in own:
                vars(self).update(_compile_custom_macros(own[name], macros))
                return vars(self)[name]
            if name not in files:
                raise AttributeError(name)
            module = vars(env.get_template(files[name]).module)
            file = f"sql/{files[name]}"
            calls = {
                key: check_brackets(catch_returned_value(macro), f"{file}: macro {key}", dialect)
                for key, macro in module.items()
            }
            calls |= {key: cache_macro(calls[key]) for key in _PURE & calls.keys()}
            vars(self).update(calls)
            return vars(self)[name]

        def __getitem__(self, name: str) -> Any:
            return getattr(self, name)

    def dispatch(name: str, package: str) -> Any:
        forms = [f"{form}__{name}" for form in (dialect, DIALECTS[dialect].parent, "default")]
        return getattr(macros, next(form for form in forms if form in files))

    macros = Macros()
    cache_folder = own_folder()
    cache_of_code = None if cache_folder is None else Compiled(cache_folder)
    env = Environment(
        loader=FileSystemLoader(folder), bytecode_cache=cache_of_code, undefined=StrictUndefined
    )
    env.context_class = Plain
    env.globals |= {
        "sqlrec": macros,
        "adapter": SimpleNamespace(dispatch=dispatch, type=lambda: dialect),
        "modules": SimpleNamespace(re=re),
        "return": return_value,
        # The forms of a dialect are read many times per statement, and never change.
        "fromjson": cache(json.loads),
        "exceptions": SimpleNamespace(raise_compiler_error=raise_metric_error),
    }
    return macros


def clear_template_caches() -> None:
    """Clear the caches of macros and of their texts, so files are read again."""
    _load_macros.cache_clear()
    _render_macro.cache_clear()


@dataclass(frozen=True)
class OwnMacro:
    """A macro of a custom metric."""

    name: str  # The name, as in ``hits__revenue``.
    line: int  # The line of the file at which the macro starts.
    takes: Mapping[str, object]  # The parameters with constant defaults, or else None.
    call: Callable[..., Any]  # Returns the SQL for parameters, in DuckDB's dialect.


def own_macros(name: str) -> list[OwnMacro]:
    """Compile the macros of a custom metric.

    Raises:
        MetricError: The file has an error; the message contains the path and line.
    """
    from jinja2 import Environment, nodes

    calls = _compile_custom_macros(name, _load_macros("duckdb"))
    compiled = []
    for macro in Environment().parse(OWN[name][1]).find_all(nodes.Macro):
        takes: dict[str, object] = {argument.name: None for argument in macro.args}
        for argument, default in zip(reversed(macro.args), reversed(macro.defaults), strict=False):
            with suppress(nodes.Impossible):
                takes[argument.name] = default.as_const()
        compiled.append(OwnMacro(macro.name, macro.lineno, takes, calls[macro.name]))
    return compiled


def _compile_custom_macros(name: str, macros: Any) -> dict[str, Callable[..., Any]]:
    """Return the macros of a custom metric, in a sandbox in which they can only write SQL."""
    import traceback

    from jinja2 import FunctionLoader, StrictUndefined, TemplateNotFound, TemplateSyntaxError
    from jinja2.sandbox import SandboxedEnvironment

    path, text = OWN[name]
    loader = FunctionLoader(
        lambda requested: (text, str(path), lambda: True) if requested == name else None
    )
    env = SandboxedEnvironment(loader=loader, undefined=StrictUndefined)
    env.globals = {"sqlrec": macros, "return": return_value, "namespace": env.globals["namespace"]}
    try:
        template = env.get_template(name)
    except TemplateSyntaxError as error:
        raise MetricError(f"{path}, line {error.lineno}: {error.message}") from None

    def with_line(macro: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a macro to add the path and line of the metric's file to its errors."""

        def call(*positional: Any, **keywords: Any) -> Any:
            try:
                return macro(*positional, **keywords)
            except MetricError:
                raise
            except Exception as error:
                frames = traceback.extract_tb(error.__traceback__)
                lines = [frame.lineno or 1 for frame in frames if frame.filename == str(path)]
                line = template.get_corresponding_lineno(lines[-1]) if lines else 1
                why = str(error)
                if isinstance(error, AttributeError):
                    why = f"sqlrec has no macro {why!r}"
                elif isinstance(error, TemplateNotFound):
                    why = f"{why!r} can't be read: a metric reads no other file"
                raise MetricError(f"{path}, line {line}: {why}") from error

        return call

    return {
        key: with_line(catch_returned_value(macro)) for key, macro in vars(template.module).items()
    }


class _Returned(BaseException):
    """The value that a macro returns; as in dbt, it can be of any type."""


def return_value(value: Any) -> None:
    """Stop the calling macro, which returns the value."""
    raise _Returned(value)


def raise_metric_error(message: str) -> None:
    """Raise an error about the file of a metric; for custom metrics, with path and line."""
    match = re.match(r"metrics/(\w+)\.sql", message)
    if match and match[1] in OWN:
        path, text = OWN[match[1]]
        words = re.findall(r"'([^']+)'", message)
        lines = enumerate(text.splitlines(), start=1)
        at = [n for n, line in lines if not line.startswith("--") and words and words[0] in line]
        message = f"{path}, line {at[0] if at else 1}{message[match.end() :]}"
    raise MetricError(message)


def catch_returned_value(macro: Any) -> Any:
    """Return a macro as a function that may return a value."""
    if not callable(macro):
        return macro

    def call(*positional: Any, **keywords: Any) -> Any:
        try:
            return macro(*positional, **keywords)
        except _Returned as returned:
            return returned.args[0]

    return call


def check_brackets(macro: Any, location: str, dialect: str) -> Any:
    """Return a function that calls a macro, and checks that its text closes all brackets."""
    if not callable(macro):
        return macro

    def call(*positional: Any, **keywords: Any) -> Any:
        text = macro(*positional, **keywords)
        # To save time, a text is parsed only if its counts of opening and closing signs differ.
        if isinstance(text, str) and (
            text.count("(") != text.count(")")
            or text.count("case ") + text.count("case\n") != text.count(" end")
        ):
            fault, _ = find_open_bracket(token_texts(text, dialect)) or ("", "")
            if fault:
                raise MetricError(f"{location}: {fault}")
        return text

    return call


def cache_macro(macro: Callable[..., Any]) -> Callable[..., Any]:
    """Return a macro with a cache, which copies lists and dicts, since callers may change them."""
    cached = lru_cache(2000)(macro)

    def call(*positional: Any, **keywords: Any) -> Any:
        return copy(cached(*positional, **keywords))

    return call
