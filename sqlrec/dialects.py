"""Names and text constants, written as each dialect of SQL reads them."""

from __future__ import annotations

import re

from .errors import InputError, nearest

DIALECTS = (
    *("duckdb", "postgres", "spark", "databricks", "snowflake"),
    *("bigquery", "redshift", "trino", "clickhouse", "sqlite"),
)

# A dialect takes the macros of its parent where it has none of its own, as in dbt.
PARENTS = {"databricks": "spark", "redshift": "postgres"}

# Dialects for which sql/dialects.sql makes rows of lists.
LISTS = {"duckdb", "postgres", "spark", "databricks", "clickhouse"}

# SQLite takes a name in double quotes that is no column for a text constant.
_BACKTICKS = {"spark", "databricks", "bigquery", "sqlite"}
_BACKSLASHES = {"spark", "databricks", "bigquery", "snowflake", "clickhouse"}

# What some dialect takes for a word of its own: such names are quoted everywhere.
RESERVED = frozenset(
    """
    abort add aes128 aes256 after aggregate all allowoverwrite alter always analyse analyze and anti
    any append array as asc asof assert assert_rows_modified asymmetric at attach authorization
    autoincrement az64 bearer bearer_token before begin between binary blanksasnull both by bytedict
    cascade case cast check clone collate collation column commit commutator comprows compupdate
    concurrently conflict connect connection constraint contains corresponding create credentials
    cross cube current current_catalog current_date current_path current_role current_schema
    current_time current_timestamp current_user current_user_id database datetime deallocate declare
    default deferrable deferred define defrag delete delimiters delta delta32k desc describe detach
    disable distinct do drop each else elseif emptyasnull enable encode encrypt encryption end enum
    escape except exclude exclusive execute exists explain explicit explicit_ids extend extract fail
    false fetch fillrecord filter final first following for foreign format freeze from full function
    generated glob globaldict256 globaldict64k grant group grouping groups gscluster hash hashes
    having hybrid identity if ignore ignoreblanklines ignoreheader ilike immediate in include
    increment index indexed initially inner insert insert_only instead intersect interval into is
    isnull join json_array json_exists json_object json_query json_table json_value lambda lateral
    leading left like limit listagg localtime localtimestamp lookup lun luns lzo match_condition
    match_recognize materialized merge merges minus mostly16 mostly32 mostly8 natural negator new no
    normalize not nothing notnull null null_if nulls of off offline offset oid old on only open or
    order others outer over overlaps parallel partition percent permissions pivot pivot_longer
    pivot_wider placing plan pragma preceding prepare prewhere primary proto qualify query raise
    range raw readratio recover recursive references regexp regr reindex reject rejectlog release
    rename replace resort respect restore restrict returning revoke right rightarg rlike rollback
    rollup row rows runlength sample savepoint select semi session_user set settings show similar
    skip snapshot some start strict struct summarize symmetric sysdate system system_user table
    tablesample tag tdes temp temporary text255 text32k then timestamp to top trailing transaction
    treat trigger trim true truncatecolumns try_cast uescape unbounded union unique unknown unnest
    unpivot update user using vacuum values variadic verbose view when whenever where window with
    within without
    """.split()
)


def check_dialect(dialect: str) -> None:
    """Refuse a dialect that there is no SQL for.

    Raises:
        InputError: There is none; names the nearest.
    """
    if dialect not in DIALECTS:
        raise InputError(f"dialect={dialect!r}: {nearest(str(dialect), DIALECTS)}")


def identifier(name: str, dialect: str, stored: bool = False) -> str:
    """Write the name of a column or table, quoted unless every dialect takes it as it is.

    Snowflake stores what is not quoted in upper case, so there a plain name means that.

    Args:
        name: The name, as somebody writes it or as the engine tells it.
        dialect: Who is to read it.
        stored: Whether the engine told it.

    Raises:
        InputError: The dialect can't write it.
    """
    plain = re.fullmatch(r"[a-z_][a-z0-9_]*", name) and not (stored and dialect == "snowflake")
    if plain and name not in RESERVED:
        return name
    if plain and dialect == "snowflake":
        name = name.upper()
    name = _line(name, dialect)
    if not name:
        raise InputError("'' is no name: give the name of a column or table")
    refused = {"bigquery": "\\`.", "clickhouse": "\\"}.get(dialect, "")
    for sign in refused:
        if sign in name:
            raise InputError(f"{name!r} has a {sign}, which {dialect} can't quote: rename it")
    quote = "`" if dialect in _BACKTICKS else '"'
    return quote + name.replace(quote, 2 * quote) + quote


def relation(name: str, dialect: str) -> str:
    """Write the name of a table, in which points part database, schema and table."""
    return ".".join(identifier(part, dialect) for part in name.split("."))


def text(value: str, dialect: str) -> str:
    """Write a text constant.

    Raises:
        InputError: The dialect can't write it.
    """
    value = _line(value, dialect)
    if dialect in _BACKSLASHES:
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    if dialect in ("postgres", "redshift") and "\\" in value:
        raise InputError(f"{value!r} has a backslash, which {dialect} may take away: rename it")
    return "'" + value.replace("'", "''") + "'"


def _line(name: str, dialect: str) -> str:
    """Refuse what would change on its way: by the layout of a statement, or as Spark's variable."""
    if re.search(r"[\x00-\x1f\x7f\u0085\u2028\u2029]", name):
        raise InputError(f"{name!r} has a line break or another control character: rename it")
    if dialect in ("spark", "databricks") and "${" in name:
        raise InputError(f"{name!r} has a ${{, which {dialect} takes for a variable: rename it")
    return name
