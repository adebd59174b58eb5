"""Cases of rows are evaluated together, like cases of metrics."""

from ..metrics.conftest import together  # noqa: F401
