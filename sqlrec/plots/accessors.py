"""The plots of a result and of a comparison: ``result.plot.curve()``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import InputError
from . import from_inputs, from_results
from .plot import Plot

if TYPE_CHECKING:
    import pyarrow as pa

    from ..engines.base import Engine
    from ..results.rows import Rows
    from ..run.job import Call


class ResultPlots:
    """The plots of a result."""

    def __init__(self, engine: Engine, table: pa.Table | Rows) -> None:
        self._engine = engine
        self._table = table

    def curve(self) -> Plot:
        """Plot metrics by cutoff, with the interval as a band."""
        return from_results.curve(self._table, self._engine)

    def tradeoff(self, x: str | None = None, y: str | None = None) -> Plot:
        """Plot one metric against another, by default the first metric against the last."""
        return from_results.tradeoff(self._table, x, y, self._engine)


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
