"""Rows are tested on one DuckDB."""

from pytest import fixture


@fixture(scope="module", autouse=True)
def one_connection(one_duckdb):
    pass
