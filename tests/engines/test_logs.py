"""Logged decisions, on every engine: what DuckDB finds, each engine finds."""

import math

import pyarrow as pa
from pytest import approx, mark, raises, warns

import sqlrec

from ..tables import decisions, random_inputs, table

COLUMNS = (
    "user_id reward propensity target_probability predicted_reward expected_reward "
    "slate_id position"
)
LOGGED = ("u1", 1, 0.5, 0.25, 0.5, 0.25, 7, 1)
LOGS = decisions(
    COLUMNS,
    LOGGED,
    ("u2", 0, 0.25, 1, 0.125, 0.75, 8, 1),
    ("u2", 3, 0.01, 0.5, 0.125, 0.5, 8, 2),
    ("u3", -1, 1, 0, 0.5, 0, 7, 2),
)
USERS = table(
    [("u1", "Ä", 1), ("u2", None, 2)], user_id=pa.string(), Land=pa.string(), age=pa.int64()
)
OF_POLICIES = (
    "ips snips clipped_ips(clip=1.5) dm dr sndr switch_dr(tau=2.5) ess max_weight matched_share "
    "dros sgips sgdr cascade_dr slate_ips slate_ips(behavior=cascade, divide_by=weights)"
)
OF_LISTS = (
    "ctr@2 ips@2 ips(divide_by=recommended)@2 ips(divide_by=recommended) snips@5 ess max_weight"
)


def same(database, metrics, tables, **options):
    for name, rows in tables.items():
        database.load(name, rows)
    names = {name: name for name in tables}
    result = sqlrec.evaluate(metrics, **names, **options, engine=database.engine).to_arrow()
    expected = sqlrec.evaluate(metrics, **tables, **options).to_arrow()
    assert result.schema.equals(expected.schema)
    for ours, theirs in zip(result.to_pylist(), expected.to_pylist(), strict=True):
        assert ours == approx(theirs, abs=1e-12)


@mark.parametrize("options", [{}, {"by": ["Land", "age"]}, {"interval": "t"}])
def test_logs_with_probabilities_equal_duckdb(database, options):
    same(database, OF_POLICIES, {"logs": LOGS, "users": USERS}, **options)


@mark.parametrize("options", [{}, {"by": ["Land", "age"]}, {"by": "Land", "interval": "t"}])
def test_logs_with_lists_equal_duckdb(database, options):
    tables = random_inputs(8)
    same(
        database,
        OF_LISTS,
        {name: tables[name] for name in ("recs", "logs")} | {"users": USERS},
        **options,
    )


def test_squares_probabilities_that_are_next_to_nothing(database):
    same(
        database,
        OF_POLICIES,
        {"logs": decisions(COLUMNS, LOGGED, ("u2", 1, 1, 1e-200, 0, 0, 8, 1))},
    )


def test_checks_name_all_broken_rules(database):
    database.load(
        "logs", decisions(COLUMNS, ("u1", 1, 0, 1, 0, 0, 7, 1), ("u1", 1, 1e-310, 1, 0, 0, 7, 2))
    )
    with raises(sqlrec.DataError, match="logs has 2 decisions with a propensity that is null"):
        sqlrec.evaluate(OF_POLICIES, logs="logs", engine=database.engine)


@mark.parametrize("reward", [math.nan, math.inf, None])
def test_missing_rewards_are_errors(database, reward):
    database.load("logs", decisions(COLUMNS, ("u1", reward, 0.5, 1, 0, 0, 8, 1), LOGGED))
    with raises(sqlrec.DataError, match="logs has 1 decision with a reward that is null"):
        sqlrec.evaluate(OF_POLICIES, logs="logs", engine=database.engine)


def test_warns_of_a_small_sample(database):
    database.load("logs", LOGS)
    with warns(UserWarning, match="the effective sample is 1.2 of 4 logged decisions"):
        sqlrec.evaluate("ips", logs="logs", engine=database.engine)
