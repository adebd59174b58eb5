"""Logged decisions on every engine: values and errors equal DuckDB's."""

import pyarrow as pa
from pytest import mark, raises, warns

import sqlrec

from ..tables import decisions, random_inputs, table
from .test_engines import same

COLUMNS = "user_id reward propensity target_probability predicted_reward expected_reward "
COLUMNS += "slate_id position"
LOGGED = "u1 1 0.5 0.25 0.5 0.25 7 1"
MORE = "u2 0 0.25 1 0.125 0.75 8 1, u2 3 0.01 0.5 0.125 0.5 8 2, u3 -1 1 0 0.5 0 7 2"
LOGS = decisions(COLUMNS, f"{LOGGED}, {MORE}")
LANDS = [("u1", "Ä", 1), ("u2", None, 2)]
USERS = table(LANDS, user_id=pa.string(), Land=pa.string(), age=pa.int64())
OF_POLICIES = (
    "ips snips clipped_ips(clip=1.5) dm dr sndr switch_dr(tau=2.5) ess max_weight matched_share "
    "dros sgips sgdr cascade_dr slate_ips slate_ips(behavior=cascade, divide_by=weights)"
)
OF_LISTS = (
    "ctr@2 ips@2 ips(divide_by=recommended)@2 ips(divide_by=recommended) snips@5 ess max_weight"
)


@mark.parametrize("options", [{}, {"by": ["Land", "age"]}, {"interval": "t"}])
def test_logs_with_probabilities_equal_duckdb(database, options):
    same(database, OF_POLICIES, {"logs": LOGS, "users": USERS}, **options)


@mark.parametrize("options", [{}, {"by": ["Land", "age"]}, {"by": "Land", "interval": "t"}])
def test_logs_with_lists_equal_duckdb(database, options):
    tables = random_inputs(8)
    given = {"recs": tables["recs"], "logs": tables["logs"], "users": USERS}
    same(database, OF_LISTS, given, **options)


def test_squares_probabilities_that_are_next_to_nothing(database):
    logs = decisions(COLUMNS, f"{LOGGED}, u2 1 1 1e-200 0 0 8 1")
    same(database, OF_POLICIES, {"logs": logs})


def test_checks_name_all_broken_rules(database):
    logs = decisions(COLUMNS, "u1 1 0 1 0 0 7 1, u1 1 1e-310 1 0 0 7 2")
    database.load("logs", logs)
    with raises(sqlrec.DataError, match="logs has 2 decisions with a propensity that is null"):
        sqlrec.evaluate(OF_POLICIES, logs="logs", engine=database.engine)


@mark.parametrize("reward", ["nan", "inf", "-"])
def test_missing_rewards_are_errors(database, reward):
    database.load("logs", decisions(COLUMNS, f"u1 {reward} 0.5 1 0 0 8 1, {LOGGED}"))
    with raises(sqlrec.DataError, match="logs has 1 decision with a reward that is null"):
        sqlrec.evaluate(OF_POLICIES, logs="logs", engine=database.engine)


def test_warns_of_a_small_sample(database):
    database.load("logs", LOGS)
    with warns(UserWarning, match="the effective sample is 1.2 of 4 logged decisions"):
        sqlrec.evaluate("ips", logs="logs", engine=database.engine)
