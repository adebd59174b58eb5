"""A plugin of pytest: ``assert_metric`` fails a test with the checks that failed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .analyses.check import Check

Limits = Mapping[str, float | str] | float


@pytest.fixture
def assert_metric() -> Callable[..., Check]:
    """Check metrics as ``sqlrec.check`` does, ``assert_metric("ndcg@10", min=0.3, recs=...)``.

    ``min`` and ``max`` may be one number for all metrics; all else is as there. What is wrong with
    the inputs is an error, and what fails is shown as rows of a table: model, segment, metric,
    value, and what is needed.
    """
    return _assert_metric


def _assert_metric(
    metrics: str | Iterable[str],
    *,
    k: Any = None,
    min: Limits | None = None,
    max: Limits | None = None,
    **options: Any,
) -> Check:
    __tracebackhide__ = True
    from .analyses.check import check

    asked = [metrics] if isinstance(metrics, str) else [*metrics]
    given = {"min": _of_each(asked, min, k, options), "max": _of_each(asked, max, k, options)}
    found = check(asked, k=k, **given, **options)
    if not found.passed:
        pytest.fail(str(found.failures()), pytrace=False)
    return found


def _of_each(asked: list[str], limits: Limits | None, k: Any, options: Mapping[str, Any]) -> Any:
    """Give each metric the limit that is one number."""
    from .catalogue.own import know
    from .catalogue.requests import parse_metrics

    if limits is None or isinstance(limits, Mapping):
        return limits
    know(options.get("metrics_path"))
    convention = options.get("convention") or "sqlrec"
    return {one.text: limits for one in parse_metrics(asked, convention, k)}
