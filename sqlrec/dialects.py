"""Names and string constants in the syntax of each dialect of SQL."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass

from . import messages
from .errors import InputError, suggest_name
from .paths import sql_folder


@dataclass(frozen=True)
class Dialect:
    """Properties of a SQL dialect, in addition to its macros in ``sql/dialects.sql``."""

    name: str
    parent: str | None = None  # The dialect from which macros are inherited, as in dbt.
    quote: str = '"'  # The quotation mark of names.
    unquotable: str = ""  # Characters that no quoted name may contain.
    # Whether a backslash in a string constant is an escape; None if that depends on a setting.
    backslashes: bool | None = False
    upper_case: bool = False  # Whether unquoted names are stored in upper case.
    variables: bool = False  # Whether ``${...}`` is replaced as a variable everywhere.
    lists: bool = False  # Whether ``sql/dialects.sql`` can unnest lists.
    # The statement that creates a temporary table for the next statements.
    step: str = "create temporary table"
    # The statement that drops a temporary table, if ``step`` does not replace the table.
    drop: str = "drop table if exists {}"
    # Types that segments may not have, each with the reason.
    segments: Mapping[str, str] = dataclasses.field(default_factory=dict)
    text: str = "cast({} as varchar)"  # The expression that converts a value to text.
    concat: str = "||"  # The operator that concatenates two strings.
    field: str = "{}.{}"  # The expression for a field of a struct column.
    reserved: tuple[str, ...] = ()  # Names of metrics that can't be column names.
    stages: int | None = None  # The default maximum number of stages of a query, if it is limited.


_OF_POSTGRES: Mapping[str, str] = {"BOOLEAN": "which PostgreSQL does not order"}
_OF_BIGQUERY = dict.fromkeys(("FLOAT", "DOUBLE"), "by which BigQuery does not partition")

_SPARK = Dialect(
    "spark",
    quote="`",
    backslashes=True,
    variables=True,
    lists=True,
    step="cache table",
    drop="drop view if exists {}",
    text="cast({} as string)",
)

DIALECTS: Mapping[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        Dialect("duckdb", lists=True, step="create or replace temporary table", drop=""),
        Dialect(
            "postgres",
            backslashes=None,
            lists=True,
            drop="drop table if exists pg_temp.{}",
            segments=_OF_POSTGRES,
            field="({}).{}",
        ),
        _SPARK,
        dataclasses.replace(
            _SPARK, name="databricks", parent="spark", step="create or replace table", drop=""
        ),
        Dialect(
            "snowflake",
            backslashes=True,
            upper_case=True,
            step="create or replace temporary table",
            drop="",
            field="{}:{}",
        ),
        Dialect(
            "bigquery",
            quote="`",
            unquotable="\\`.",
            backslashes=True,
            step="create or replace temp table",
            drop="",
            segments=_OF_BIGQUERY,
            text="cast({} as string)",
        ),
        Dialect("redshift", parent="postgres", backslashes=None),
        # The default of the property query.max-stage-count.
        Dialect("trino", step="create table", stages=150),
        Dialect("athena", step="create table", stages=150),
        Dialect(
            "fabric",
            step="create table",
            text="cast({} as varchar(8000))",
            concat="+",
            reserved=("precision",),
        ),
        Dialect(
            "clickhouse",
            unquotable="\\",
            backslashes=True,
            lists=True,
            drop="drop temporary table if exists {}",
            text="toString({})",
        ),
        # SQLite reads a name in double quotes as a string constant if there is no such column.
        Dialect("sqlite", quote="`", drop="drop table if exists temp.{}"),
    )
}

# Reserved words of any dialect: such names are quoted everywhere.
RESERVED = frozenset((sql_folder() / "reserved_words.txt").read_text(encoding="utf-8").split())


def check_dialect(dialect: str) -> None:
    """Check that a dialect exists."""
    if not isinstance(dialect, str) or dialect not in DIALECTS:
        raise InputError(f"dialect={dialect!r}: {suggest_name(str(dialect), DIALECTS)}")


def identifier(name: str, dialect: str, stored: bool = False) -> str:
    """Format a name, without quotes if all dialects accept that; Snowflake stores upper case."""
    syntax = DIALECTS[dialect]
    plain = re.fullmatch(r"[a-z_][a-z0-9_]*", name) and not (stored and syntax.upper_case)
    if plain and name not in RESERVED:
        return name
    if plain and syntax.upper_case:
        name = name.upper()
    name = _check_line(name, syntax)
    if not name:
        raise InputError(messages.NAME_EMPTY)
    for sign in syntax.unquotable:
        if sign in name:
            raise InputError(messages.NAME_SIGN.format(name=name, sign=sign, dialect=dialect))
    return syntax.quote + name.replace(syntax.quote, 2 * syntax.quote) + syntax.quote


def relation(name: str, dialect: str) -> str:
    """Format the name of a table, with dots between database, schema and table.

    Quoted parts, as a warehouse prints them, are stored names. A call such as ``{{ ref('recs') }}``
    in dbt is unchanged.
    """
    if re.fullmatch(r"\{\{\s*(?:ref|source)\([\w\s,'\"=.-]+\)\s*\}\}", name):
        return name
    quotes = r"\"(?:[^\"]|\"\")+\"|`(?:[^`]|``)+`|\[[^\]]+\]"
    part = rf"(?:{quotes}|[^.\"`\[]+)"
    if not re.search(quotes, name) or not re.fullmatch(rf"{part}(?:\.{part})*", name):
        return ".".join(identifier(part, dialect) for part in name.split("."))
    parts = []
    for quoted in re.findall(part, name):
        quote = quoted[0] if re.fullmatch(quotes, quoted) else ""
        plain = quoted[1:-1].replace(2 * quote, quote) if quote else quoted
        # BigQuery prints a whole name in one pair of quotes.
        is_full_name = quote == "`" and "." in DIALECTS[dialect].unquotable
        names = plain.split(".") if is_full_name else [plain]
        parts += [identifier(x, dialect, stored=bool(quote)) for x in names]
    return ".".join(parts)


def text(value: str, dialect: str) -> str:
    """Format a string constant."""
    syntax = DIALECTS[dialect]
    value = _check_line(value, syntax)
    if syntax.backslashes:
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    if syntax.backslashes is None and "\\" in value:
        raise InputError(messages.NAME_BACKSLASH.format(name=value, dialect=dialect))
    return "'" + value.replace("'", "''") + "'"


def _check_line(name: str, dialect: Dialect) -> str:
    """Check that formatting a statement, or variables of Spark, would not change a string."""
    if re.search(r"[\x00-\x1f\x7f\u0085\u2028\u2029]", name):
        raise InputError(messages.NAME_CONTROL.format(name=name))
    if dialect.variables and "${" in name:
        raise InputError(messages.NAME_VARIABLE.format(name=name, dialect=dialect.name))
    return name
