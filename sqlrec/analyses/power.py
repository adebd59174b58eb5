"""Before a test: how many users it needs, and what it can find."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, Unpack

from ..errors import InputError
from ..evaluation import evaluate, takes
from ..options import Groupings, Lists
from ..results.result import stored
from ..results.table import Table
from .compare import compare
from .planned import planned


class Planned(Lists, total=False):
    """What ``power`` hands on to ``evaluate`` or ``compare``."""

    by: str | Iterable[str]
    groupings: Groupings
    cluster: str | None


@takes(Planned)
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
    **options: Unpack[Planned],
) -> Table:
    """Tell how many users a next test needs, and which differences it finds, by one result.

    Users are taken to differ as they do in the result. Of a comparison, the next test is one of
    pairs: the same users see both models, by Student's t. Of a result of models by themselves, it
    is an A/B test: as many users see the one as the other, by the normal distribution.

    Args:
        metrics: As in ``evaluate``.
        results: A stored result or comparison, in place of metrics and inputs: what ``evaluate``
            returned with ``interval="t"`` or another that has standard errors, what ``compare``
            returned, or a Parquet file of one.
        difference: The true difference that is to be found: ``0.01``; ``"1%"`` of the model's mean,
            in pairs of the baseline's; or either by metric, ``{"ndcg@10": 0.005}``.
        sample_size: How many users the next test has, in each of two groups; by default as many as
            the result.
        power: The chance with which it is to find a difference.
        level: How sure it is to be that there is one: it tests at 1 - level.
        sides: 2, a difference to either side; or 1, as the alternatives with one side ask.
        baseline: The model that others are compared with in pairs. By default the models of recs
            are evaluated by themselves.
        **options: The inputs and rules of ``evaluate``, with ``by``, ``groupings`` and ``cluster``.

    Returns:
        A row per model, segment, metric and cutoff: ``design``, ``pairs`` or ``groups``; ``users``;
        ``standard_deviation``, of users' differences in pairs, else of their values;
        ``detectable``, the least difference that is found with the chance of ``power``; and with
        ``difference`` that, the ``power`` with which it is found, and ``users_needed`` to find it
        with the chance asked, in each of two groups.

    Example:
        >>> import pyarrow as pa, sqlrec
        >>> users = ["ann", "bob", "cyd"]
        >>> recs = pa.table({"user_id": users, "item_id": [["a", "b"], ["b", "a"], ["c", "d"]]})
        >>> truth = pa.table({"user_id": users, "item_id": ["a", "a", "a"]})
        >>> found = sqlrec.power("mrr@2", recs=recs, truth=truth, difference=0.1)
        >>> found.to_arrow()["users_needed"].to_pylist()
        [393]

    Raises:
        MetricError, InputError, DataError: As in ``evaluate`` and ``compare``. InputError: Neither
            metrics nor results, or both; results without standard errors; a difference of 0.

    Source: Cohen 1988, Statistical Power Analysis for the Behavioral Sciences
    """
    how: Any = {
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
        return planned(stored(results, "results"), **how)
    found: Any
    if baseline is None:
        found = evaluate(metrics, interval="auto", **options)
    else:
        found = compare(metrics, baseline=baseline, correction="none", **options)
    return planned(found.rows(), sql=found.sql, inputs=found.inputs, **how)
