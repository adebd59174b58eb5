"""The number of users that a next test needs, and its power."""

from __future__ import annotations

from typing import Any, Literal

from ..evaluation import evaluate
from ..inputs.tables import Tables
from ..options import Interval
from ..results.result import stored
from ..results.result_layout import users_without_list
from ..results.table import Table
from .compare import compare
from .next_test import plan_next_test


def power(
    tables: Tables,
    metrics: Any,
    *,
    difference: Any = None,
    sample_size: int | None = None,
    power: float = 0.8,
    level: float = 0.95,
    sides: Literal[1, 2] = 2,
    baseline: str | None = None,
    by: Any = (),
    rules: Any = "sqlrec",
    cluster: str | None = None,
) -> Table:
    """Plan a next test from opened inputs, as ``Dataset.power`` does."""
    plan_options: Any = {
        "difference": difference,
        "sample_size": sample_size,
        "power": power,
        "level": level,
        "sides": sides,
    }
    result: Any
    if baseline is None:
        result = evaluate(tables, metrics, by=by, rules=rules, interval=Interval(cluster=cluster))
        counted = result.user_counts.rows()
        plan_options["without_list"] = users_without_list(counted.column_names, counted.to_pylist())
    else:
        result = compare(
            tables,
            metrics,
            baseline=baseline,
            correction="none",
            by=by,
            rules=rules,
            interval=Interval(cluster=cluster),
        )
        plan_options["without_list"] = result.done.without_list
    return plan_next_test(result.rows(), sql=result.sql, inputs=result.inputs, **plan_options)


def power_stored(
    results: Any,
    *,
    difference: Any = None,
    sample_size: int | None = None,
    power: float = 0.8,
    level: float = 0.95,
    sides: Literal[1, 2] = 2,
) -> Table:
    """Plan a next test from a stored result or comparison."""
    return plan_next_test(
        stored(results, "results"),
        difference=difference,
        sample_size=sample_size,
        power=power,
        level=level,
        sides=sides,
    )
