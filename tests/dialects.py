"""Which dialects are tested always: what they share is tested once, and once more by all of CI."""

from pytest import mark, param

import sqlrec
from sqlrec.dialects import DIALECTS

# The one whose forms are those that most have, and the one with most forms of its own.
COMMON = ("snowflake", "duckdb")
# The libraries that have ndcg: a statement of all of them has every rule of theirs.
WITH_NDCG = [
    name
    for name, convention in sqlrec.conventions().items()
    if "ndcg" in [entry.metric for entry in convention.entries]
]
# What sqlfluff calls those that it calls otherwise.
SQLFLUFF = {"spark": "sparksql", "fabric": "tsql", "athena": "trino"}


def rest_slow(values, always):
    """Test with all of these values, and but for some of them in all of CI alone."""
    return [one if one in always else param(one, marks=mark.slow) for one in values]


EVERY_DIALECT = rest_slow(DIALECTS, COMMON)


def slow(*values):
    """Test with these values in all of CI alone."""
    return [
        param(*(value if isinstance(value, tuple) else (value,)), marks=mark.slow)
        for value in values
    ]
