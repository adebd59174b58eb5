"""The number of users that a next test needs, and its power."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Unpack

from ..errors import InputError
from ..evaluation import evaluate, takes
from ..options import Groupings, Lists
from ..results.result import stored
from ..results.result_layout import users_without_list
from ..results.table import Table
from .compare import compare
from .next_test import plan_next_test


class PowerOptions(Lists, total=False):
    """The options that ``power`` passes on to ``evaluate`` or ``compare``."""

    by: str | Iterable[str]
    groupings: Groupings
    cluster: str | None


@takes(PowerOptions)
def power(
    metrics: str | Iterable[str] = (),
    *,
    results: Any = None,
    difference: Mapping[str, float | str] | float | str | None = None,
    sample_size: int | None = None,
    power: float = 0.8,
    level: float = 0.95,
    sides: Literal[1, 2] = 2,
    baseline: str | None = None,
    **options: Unpack[PowerOptions],
) -> Table:
    """Estimate how many users a next test needs, and which differences it can detect.

    The estimate assumes that the users of the next test vary as much as those of a result. From a
    comparison, it plans a paired test: the same users see both models, tested by Student's t. From
    a result of single models, it plans an A/B test: two groups of equally many users see one model
    each, tested by the normal distribution.

    Columns of the result, a row per model, segment, metric and cutoff:

    - ``design``: ``pairs`` or ``groups``; ``users``: the number of users, with ``groups`` in each
      group.
    - ``standard_deviation``: of the users' differences for ``pairs``, else of their values.
    - ``detectable``: the smallest true difference that the test detects with the given power.
    - With ``difference``: the ``difference``, the ``power`` to detect it, and ``users_needed`` to
      detect it with the given power, with ``groups`` in each group.

    Source: Cohen 1988, Statistical Power Analysis for the Behavioral Sciences

    Args:
        metrics: The metrics, as in ``evaluate``.
        results: A stored result or comparison in place of metrics and inputs: what ``evaluate``
            returned with standard errors, as it does by default; what ``compare`` returned; or a
            Parquet file of either.
        difference: The true difference to detect: ``0.01``; ``"1%"`` of the model's mean, in paired
            tests of the baseline's; or either by metric, ``{"ndcg@10": 0.005}``.
        sample_size: The number of users in the next test, with two groups in each of them; by
            default that of the result.
        power: The probability of detecting the difference; by default 0.8.
        level: The confidence level: the next test is significant at 1 - level.
        sides: 2 for a two-sided test, 1 for a one-sided one.
        baseline: The model that the others are compared with in pairs. By default each model is
            evaluated by itself.
        **options: The inputs and rules of ``evaluate``, with ``by``, ``groupings`` and ``cluster``.

    Returns:
        A Table with a row per model, segment, metric and cutoff.

    Example:
        >>> import pyarrow as pa, sqlrec
        >>> users = ["ann", "bob", "cyd"]
        >>> recs = pa.table({"user_id": users, "item_id": [["a", "b"], ["b", "a"], ["c", "d"]]})
        >>> truth = pa.table({"user_id": users, "item_id": ["a", "a", "a"]})
            >>> plan = sqlrec.power("mrr@2", recs=recs, truth=truth, difference=0.1)
            >>> plan.to_arrow()["users_needed"].to_pylist()
        [393]

    Raises:
        MetricError, DataError: As in ``evaluate`` and ``compare``.
        InputError: As in ``evaluate`` and ``compare``; also if you give neither metrics nor
            results, or both; if the results have no standard errors; or if the difference is 0.
    """
    plan_options: Any = {
        "difference": difference,
        "sample_size": sample_size,
        "power": power,
        "level": level,
        "sides": sides,
    }
    if results is not None:
        if metrics or options or baseline is not None:
            raise InputError(
                "results are given, and metrics or inputs too: a result has its own; leave them out"
            )
        return plan_next_test(stored(results, "results"), **plan_options)
    result: Any
    if baseline is None:
        result = evaluate(metrics, interval="auto", **options)
        plan_options["without_list"] = users_without_list(result.user_counts.rows().to_pylist())
    else:
        result = compare(metrics, baseline=baseline, correction="none", **options)
        plan_options["without_list"] = result.done.without_list
    return plan_next_test(result.rows(), sql=result.sql, inputs=result.inputs, **plan_options)
