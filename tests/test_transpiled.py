"""Statements of warehouses that are not available, translated to DuckDB: their values are equal."""

import re

from pytest import approx, fixture, mark, param

import sqlrec

from .packages import sqlglot
from .tables import random_inputs
from .test_dialects import every_default, of_64_bits

TABLES = random_inputs(4, users=12)
COLUMNS = {"relevance": "relevance", "position": "position"}
METRICS = [*every_default()]


@fixture(scope="module")
def found():
    return by_metric(sqlrec.evaluate(METRICS, **TABLES).to_arrow().to_pylist())


def by_metric(rows):
    return {(row["metric"], row["k"]): row["value"] for row in rows}


def in_duckdb(text, dialect):
    """Translate a statement; an array of rows, which sqlglot makes structs, becomes the rows."""
    if dialect in ("trino", "athena"):
        text = re.sub(r"(?s)unnest\(\s*array\[(.*?)\]\s*\) as", r"lateral (values \1) as", text)
        text = re.sub(r"\brow\(", "(", text)
    (ours,) = sqlglot.transpile(of_64_bits(text, dialect), read=dialect, write="duckdb")
    return ours


WAREHOUSES = ("fabric", "bigquery", "athena", "snowflake", "redshift", "trino", "databricks")


@mark.parametrize("form", [param("plain", marks=mark.slow), param("audited", marks=mark.weekly)])
@mark.parametrize("dialect", WAREHOUSES)
def test_transpiled_statements_have_duckdbs_values(open_duckdb, dialect, form, found):
    names = {name: name for name in TABLES}
    text = sqlrec.sql(METRICS, **names, dialect=dialect, form=form, columns=COLUMNS)
    with open_duckdb.cursor() as connection:
        for name, table in TABLES.items():
            connection.register(name, table)
        rows = connection.sql(in_duckdb(text, dialect)).to_arrow_table().to_pylist()
    assert by_metric(rows) == approx(found, abs=1e-12)
