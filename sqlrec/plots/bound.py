"""The plots of a result and of a comparison: ``result.plot.curve()``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import InputError
from . import of_results, of_rows
from .plot import Plot

if TYPE_CHECKING:
    import pyarrow as pa

    from ..results.rows import Rows


class ResultPlots:
    """The plots of a result. Plots of lists and users read the inputs again."""

    def __init__(self, table: pa.Table | Rows, call: Mapping[str, Any]) -> None:
        self._table = table
        self._metrics = call["metrics"]
        self._options = {name: value for name, value in call.items() if name != "metrics"}
        self._weights = self._options.pop("weights", None)
        self._unsegmented = {name: value for name, value in self._options.items() if name != "by"}

    def curve(self) -> Plot:
        """Plot metrics by cutoff, with the interval as a band."""
        return of_results.curve(self._table, self._options["engine"])

    def tradeoff(self, x: str | None = None, y: str | None = None) -> Plot:
        """Plot one metric against another; by default the first against the last."""
        return of_results.tradeoff(self._table, x, y, self._options["engine"])

    def differences(self, baseline: str) -> Plot:
        """Plot users' differences from a model, sorted, with shares of gains and losses."""
        return of_rows.differences(self._metrics, baseline=baseline, **self._options)

    def activity(self) -> Plot:
        """Plot metrics by the number of items in a user's ``history``."""
        self._check_unweighted("activity")
        return of_rows.activity(self._metrics, **self._options)

    def longtail(self, k: int = 10) -> Plot:
        """Plot the share of places by popularity of items, in lists and in ``history``."""
        return of_rows.longtail(k=k, **self._unsegmented)

    def lorenz(self, k: int = 10) -> Plot:
        """Plot the share of places that few items take; with ``catalog``, of all its items."""
        return of_rows.lorenz(k=k, **self._unsegmented)

    def calibration(self, k: int = 10) -> Plot:
        """Plot the share of each category of ``items``, in lists and in ``history``."""
        return of_rows.calibration(k=k, **self._unsegmented)

    def pairs(self) -> Plot:
        """Plot the differences of all pairs of models, and which are significant."""
        self._check_unweighted("pairs")
        return of_rows.pairs(self._metrics, **self._options)

    def weights(self, k: int | None = None) -> Plot:
        """Plot the weights of logged decisions, which off-policy metrics use."""
        return of_rows.weights(k=k, **self._options)

    def places(self, k: int = 10) -> Plot:
        """Plot the share of hits at each place."""
        return of_rows.places(k=k, **self._unsegmented)

    def _check_unweighted(self, plot: str) -> None:
        """Check that users have no weights.

        Raises:
            InputError: The result is weighted.
        """
        if self._weights:
            raise InputError(
                f"weights={self._weights!r}: plot.{plot} needs means without weights; "
                "plot a result without weights"
            )


class ComparisonPlots:
    """The plots of a comparison."""

    def __init__(self, table: pa.Table | Rows, call: Mapping[str, Any]) -> None:
        self._table = table
        self._call = call

    def forest(self) -> Plot:
        """Plot differences from the baseline by segment, with their intervals."""
        return of_results.forest(self._table, self._call["engine"])

    def differences(self) -> Plot:
        """Plot users' differences from the baseline, sorted, with shares of gains and losses."""
        return of_rows.differences(**self._call)
