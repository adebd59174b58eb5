"""The number of users that a next test needs, and the power of the test."""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from ..evaluation import evaluate
from ..layouts.result import format_users
from ..options import Interval
from ..results.result import read_stored_result
from ..results.table import Table
from ..run.job import Call
from .compare import Comparison, compare
from .next_test import NextTest, plan_next_test


def power(
    call: Call, test: NextTest, baseline: str | None = None, cluster: str | None = None
) -> Table:
    """Plan a follow-up test from a call, for ``Dataset.power``."""
    interval = Interval(cluster=cluster)
    if baseline is None:
        result = evaluate(call, interval)
        counts = result.user_counts.rows()
        users = partial(format_users, counts.column_names, counts.to_pylist())
        return plan_next_test(result.rows(), test, lambda: result.sql, result.inputs, users)
    return _plan_from_comparison(compare(call, baseline, interval, correction="none"), test)


def power_stored(
    results: Any,
    *,
    difference: Any = None,
    sample_size: int | None = None,
    power: float = 0.8,
    level: float = 0.95,
    sides: Literal[1, 2] = 2,
) -> Table:
    """Plan a follow-up test from a stored result or comparison."""
    test = NextTest(difference, sample_size, power, level, sides)
    if isinstance(results, Comparison):
        return _plan_from_comparison(results, test)
    return plan_next_test(read_stored_result(results, "results"), test)


def _plan_from_comparison(compared: Comparison, test: NextTest) -> Table:
    users = compared.summary.describe_users
    return plan_next_test(compared.rows(), test, lambda: compared.sql, compared.inputs, users)
