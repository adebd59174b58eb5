"""The plots of a result and of a comparison: ``result.plot.curve()``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import of_results, of_rows
from .plot import Plot

if TYPE_CHECKING:
    import pyarrow as pa

    from ..results.rows import Rows


class ResultPlots:
    """The plots of a result. Those of lists and users read the inputs again, as they are then."""

    def __init__(self, table: pa.Table | Rows, call: Mapping[str, Any]) -> None:
        self._table = table
        self._metrics = call["metrics"]
        self._options = {name: value for name, value in call.items() if name != "metrics"}
        self._whole = {name: value for name, value in self._options.items() if name != "by"}

    def curve(self) -> Plot:
        """Metrics by cutoff, with the interval as a band."""
        return of_results.curve(self._table, self._options["engine"])

    def tradeoff(self, x: str | None = None, y: str | None = None) -> Plot:
        """One metric over another, as you asked for them: by default the first over the last."""
        return of_results.tradeoff(self._table, x, y, self._options["engine"])

    def differences(self, baseline: str) -> Plot:
        """Users' differences to a model, in order: who gains and who loses."""
        return of_rows.differences(self._metrics, baseline=baseline, **self._options)

    def activity(self) -> Plot:
        """Metrics by how many items users had, which ``history`` tells."""
        return of_rows.activity(self._metrics, **self._options)

    def longtail(self, k: int = 10) -> Plot:
        """The share of places by popularity of items, beside that of ``history``."""
        return of_rows.longtail(k=k, **self._whole)

    def lorenz(self, k: int = 10) -> Plot:
        """How few items take all places; of those of ``catalog``, if there is one."""
        return of_rows.lorenz(k=k, **self._whole)

    def calibration(self, k: int = 10) -> Plot:
        """The mix of categories of lists, beside that of ``history``; ``items`` has them."""
        return of_rows.calibration(k=k, **self._whole)

    def pairs(self) -> Plot:
        """The differences of all pairs of models, and which are not chance."""
        return of_rows.pairs(self._metrics, **self._options)

    def weights(self, k: int | None = None) -> Plot:
        """The weights of logged decisions, by which off-policy metrics count."""
        return of_rows.weights(k=k, **self._options)

    def places(self, k: int = 10) -> Plot:
        """The share of hits by place."""
        return of_rows.places(k=k, **self._whole)


class ComparisonPlots:
    """The plots of a comparison."""

    def __init__(self, table: pa.Table | Rows, call: Mapping[str, Any]) -> None:
        self._table = table
        self._call = call

    def forest(self) -> Plot:
        """Differences to the baseline by segment, with their intervals."""
        return of_results.forest(self._table, self._call["engine"])

    def differences(self) -> Plot:
        """Users' differences to the baseline, in order: who gains and who loses."""
        return of_rows.differences(**self._call)
