"""The dbt package in plain Jinja, with dbt's context of macros, which is fast for all dialects."""

import json
import re
from functools import cache
from types import SimpleNamespace

import duckdb
from jinja2 import Environment, StrictUndefined, Template

from sqlrec.dialects import DIALECTS
from sqlrec.paths import sql_folder


class Relation:
    """A table whose columns macros can look up: their names and types."""

    external = None

    def __init__(self, name, **types):
        self.name = name
        self.columns = [
            SimpleNamespace(name=column, dtype=kind, is_number=lambda kind=kind: kind in NUMBERS)
            for column, kind in types.items()
        ]

    def __str__(self):
        return self.name


EXTENSIONS = ["jinja2.ext.do"]
# The database in which queries of macros run, as dbt's own do while it compiles.
DATABASE = duckdb.connect()
# The warnings of macros.
WARNINGS = []
NUMBERS = ("BIGINT", "DOUBLE")


class CompilerError(Exception):
    """The error of exceptions.raise_compiler_error."""


class _Returned(BaseException):
    """The value that a macro returns."""


@cache
def package(dialect):
    """Return the package as in dbt's models: an attribute for each macro."""
    macros = {}

    class Package:
        def __getitem__(self, name):
            return getattr(self, name)

        def __getattr__(self, name):
            if name not in files():
                raise AttributeError(name)
            if name not in macros:
                code = compiled(files()[name])
                macros.update(vars(Template.from_code(env, code, env.globals).module))
            macro = macros[name]

            def call(*positional, **named):
                try:
                    return macro(*positional, **named)
                except _Returned as returned:
                    return returned.args[0]

            return call

    def give_back(value):
        raise _Returned(value)

    def refuse(message):
        raise CompilerError(message)

    def dispatch(name, _):
        forms = (f"{form}__{name}" for form in (dialect, DIALECTS[dialect].parent, "default"))
        return getattr(result, next(form for form in forms if form in files()))

    def run_query(text):
        return SimpleNamespace(rows=DATABASE.execute(text).fetchall())

    result = Package()
    env = Environment(undefined=StrictUndefined, extensions=EXTENSIONS)
    env.globals |= {
        "sqlrec": result,
        "adapter": SimpleNamespace(
            dispatch=dispatch,
            type=lambda: dialect,
            get_columns_in_relation=lambda relation: relation.columns,
        ),
        "exceptions": SimpleNamespace(raise_compiler_error=refuse, warn=WARNINGS.append),
        "run_query": run_query,
        "modules": SimpleNamespace(re=re),
        # Relations that are given by name are not looked up, as when dbt compiles: they may not
        # exist yet.
        "load_relation": lambda relation: relation,
        "dbt_version": "1.11",
        "execute": True,
        "flags": SimpleNamespace(WHICH="compile"),
        "var": lambda name, default: default,
        "return": give_back,
        "fromjson": json.loads,
    }
    return result


@cache
def files():
    """Return the text of the file of each macro."""
    return {name: text for text in texts() for name in re.findall(r"{%-? macro (\w+)\(", text)}


@cache
def compiled(text):
    """Return a file of the package as code, which is equal for all dialects."""
    return Environment(extensions=EXTENSIONS).compile(text)


def texts():
    """Return the files of the package. In dbt, a data test is a macro with its name."""
    folder = sql_folder()
    ignored = tuple((folder / ".dbtignore").read_text(encoding="utf-8").splitlines())
    for path in folder.rglob("*.sql"):
        if path.relative_to(folder).as_posix().startswith(ignored):
            continue
        text = path.read_text(encoding="utf-8").replace("{% test ", "{% macro test_")
        yield text.replace("endtest", "endmacro")
