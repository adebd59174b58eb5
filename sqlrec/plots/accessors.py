"""The plots of a result and of a comparison: ``result.plot.curve()``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..errors import InputError
from . import from_inputs, from_results
from .plot import Plot

if TYPE_CHECKING:
    import pyarrow as pa

    from ..results.rows import Rows
    from ..run.job import Call


class ResultPlots:
    """The plots of a result. Plots of lists and users read the inputs again."""

    def __init__(self, table: pa.Table | Rows, call: Call, weights: str | None) -> None:
        self._table = table
        self._call = call
        self._weights = weights
        self._unsegmented = replace(call, by=())

    def curve(self) -> Plot:
        """Plot metrics by cutoff, with the interval as a band."""
        return from_results.curve(self._table, self._call.tables.engine)

    def tradeoff(self, x: str | None = None, y: str | None = None) -> Plot:
        """Plot one metric against another; by default the first against the last."""
        return from_results.tradeoff(self._table, x, y, self._call.tables.engine)

    def differences(self, baseline: str) -> Plot:
        """Plot users' differences from a model, sorted, with shares of gains and losses."""
        return from_inputs.differences(self._call, baseline=baseline)

    def activity(self) -> Plot:
        """Plot metrics by the number of items in a user's ``history``."""
        self._check_unweighted("activity")
        return from_inputs.activity(self._call)

    def longtail(self, k: int = 10) -> Plot:
        """Plot the share of recommendations by popularity of items, in lists and in ``history``."""
        return from_inputs.longtail(self._unsegmented, k=k)

    def lorenz(self, k: int = 10) -> Plot:
        """Plot the share of recommendations that few items get, also of all ``catalog``."""
        return from_inputs.lorenz(self._unsegmented, k=k)

    def calibration(self, k: int = 10) -> Plot:
        """Plot the share of each category of ``items``, in lists and in ``history``."""
        return from_inputs.calibration(self._unsegmented, k=k)

    def weights(self, k: int | None = None) -> Plot:
        """Plot the weights of logged decisions, which off-policy metrics use."""
        return from_inputs.weights(self._call, k=k)

    def ranks(self, k: int = 10) -> Plot:
        """Plot the share of hits at each rank."""
        return from_inputs.ranks(self._unsegmented, k=k)

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

    def __init__(self, table: pa.Table | Rows, call: Call, baseline: str | None) -> None:
        self._table = table
        self._call = call
        self._baseline = baseline

    def forest(self) -> Plot:
        """Plot differences from the baseline by segment, with their intervals."""
        return from_results.forest(self._table, self._call.tables.engine, self._baseline)

    def differences(self) -> Plot:
        """Plot users' differences from the baseline, sorted, with shares of gains and losses.

        Raises:
            InputError: The comparison has no baseline.
        """
        if self._baseline is None:
            raise InputError("plot.differences and baseline=None: compare with a baseline")
        return from_inputs.differences(self._call, baseline=self._baseline)
