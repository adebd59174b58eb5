"""A plugin of pytest: ``assert_metric`` fails a test with the checks that failed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .analyses.check import Check


@pytest.fixture
def assert_metric() -> Callable[..., Check]:
    """Check metrics as ``sqlrec.check`` does, ``assert_metric("ndcg@10", min=0.3, recs=...)``.

    What is wrong with the inputs is an error, and what fails is shown as rows of a table: model,
    segment, metric, value, and what is needed.
    """
    return _assert_metric


def _assert_metric(metrics: str | Iterable[str], **options: Any) -> Check:
    __tracebackhide__ = True
    from .analyses.check import check

    found = check(metrics, **options)
    if not found.passed:
        pytest.fail(str(found.failures()), pytrace=False)
    return found
