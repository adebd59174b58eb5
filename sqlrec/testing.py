"""A pytest plugin: ``assert_metric`` fails a test and shows the checks that failed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .analyses.check import Check


@pytest.fixture
def assert_metric() -> Callable[..., Check]:
    """Check metrics by ``sqlrec.check``: ``assert_metric("ndcg@10 >= 0.3", recs=...)``.

    Invalid inputs raise an error. Failed checks are shown as rows of a table: model, segment, rule
    and value.
    """
    return _assert_metric


def _assert_metric(metrics: str | Iterable[str], **options: Any) -> Check:
    __tracebackhide__ = True
    from .functions import check

    checks = check(metrics, **options)
    if not checks.passed:
        pytest.fail(str(checks.failures()), pytrace=False)
    return checks
