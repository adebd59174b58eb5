"""Metrics as objects that editors complete: ``m.ndcg(gain="exponential") @ 10``.

Each object is a string that names the metric, and is valid wherever such a string is, as in
``evaluate([m.ndcg @ 10, m.recall @ [5, 10]], ...)``. Editors and type checkers read ``m.pyi``,
which docs/update.py writes from the headers of the metrics.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .catalogue.headers import metric, metrics
from .errors import MetricError


class Request(str):
    """The string of a metric, to which ``@`` adds cutoffs."""

    def __matmul__(self, k: int | str | Iterable[int | str]) -> Request:
        """Return the request at a cutoff, at several, or with ``"all"`` for whole lists."""
        several = [k] if isinstance(k, str) or not isinstance(k, Iterable) else k
        return Request(f"{self}@{','.join(map(str, several))}")


class Named(Request):
    """A metric's name, which you can call with parameters."""

    def __call__(self, **params: Any) -> Request:
        """Return the request with parameters, or for a library's form: ``convention="ranx"``.

        Raises:
            MetricError: A parameter or value that the metric does not have.
        """
        requested = metric(self)
        for key, value in params.items():
            if key != "convention":
                requested.read_param(key, value)
        text = ", ".join(f"{key}={value}" for key, value in params.items())
        return Request(f"{self}({text})" if text else self)


def __getattr__(name: str) -> Named:
    try:
        metric(name)
    except MetricError as error:
        raise AttributeError(str(error)) from None
    return Named(name)


def __dir__() -> list[str]:
    return [*metrics()]
