"""The dialects of the default tier; CI tests all dialects."""

from pytest import mark, param

import sqlrec
from sqlrec.dialects import DIALECTS

# The dialect with the most common forms, and the one with the most special forms.
COMMON = ("snowflake", "duckdb")
# The libraries with ndcg: a statement of all of them has all their rules.
WITH_NDCG = [
    name
    for name, convention in sqlrec.conventions().items()
    if "ndcg" in [entry.metric for entry in convention.entries]
]
# sqlfluff's names of dialects that differ from sqlrec's.
SQLFLUFF = {"spark": "sparksql", "fabric": "tsql", "athena": "trino"}


def rest_slow(values, always):
    """Parametrize with these values, most of which run only in CI."""
    return [one if one in always else param(one, marks=mark.slow) for one in values]


EVERY_DIALECT = rest_slow(DIALECTS, COMMON)


def slow(*values):
    """Parametrize with these values, which run only in CI."""
    return [
        param(*(value if isinstance(value, tuple) else (value,)), marks=mark.slow)
        for value in values
    ]
