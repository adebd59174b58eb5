"""Real engines, each started once; tests that take `database` run on all of them.

A database has `engine`, which `sqlrec.evaluate` takes, and `load(name, table)`, which brings an Arrow
table into it.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from pathlib import Path

import pyarrow as pa
from pytest import fixture, mark, param

SPARK = "spark"
ENGINES = ["sqlite", "adbc-sqlite", "postgres", "adbc-postgres", "clickhouse", "spark"]


@fixture(scope="session", params=[param(name, marks=mark.xdist_group(name)) for name in ENGINES])
def database(request):
    return request.getfixturevalue(request.param.replace("-", "_"))


class PEP249:
    """A database behind a PEP 249 connection."""

    def __init__(self, connection, types, mark):
        self.engine = connection
        self.types = types
        self.mark = mark

    def load(self, name, table):
        columns = ", ".join(
            f'"{field.name}" {self.types[str(field.type)]}' for field in table.schema
        )
        cursor = self.engine.cursor()
        cursor.execute(f'drop table if exists "{name}"')
        cursor.execute(f'create table "{name}" ({columns}){self.ending}')
        marks = ", ".join([self.mark] * table.num_columns)
        rows = [tuple(row.values()) for row in table.to_pylist()]
        if rows:
            cursor.executemany(f'insert into "{name}" values ({marks})', rows)
        self.engine.commit()
        cursor.close()

    ending = ""
