"""Cases of rows are evaluated together, as those of metrics are."""

from ..metrics.conftest import together  # noqa: F401
