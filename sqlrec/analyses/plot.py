"""Plots by name, of inputs or of a stored result."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Unpack, get_args

from ..errors import InputError, nearest
from ..evaluation import evaluate, takes
from ..options import Groupings, Interval, Lists
from ..plots import from_inputs, from_results
from ..plots.plot import Plot
from ..results.result import stored
from ..run.job import open_inputs
from .compare import compare
from .explain import explain

OF_RESULTS: Mapping[str, Callable[..., Plot]] = {
    "curve": from_results.curve,
    "history": from_results.history,
    "tradeoff": from_results.tradeoff,
}
OF_LISTS: Mapping[str, Callable[..., Plot]] = {
    "calibration": from_inputs.calibration,
    "longtail": from_inputs.longtail,
    "lorenz": from_inputs.lorenz,
    "places": from_inputs.places,
    "weights": from_inputs.weights,
}
PlotName = Literal[
    "curve",
    "history",
    "tradeoff",
    "forest",
    "differences",
    "pairs",
    "activity",
    "conventions",
    "calibration",
    "longtail",
    "lorenz",
    "places",
    "weights",
]
PLOTS = get_args(PlotName)


class PlotOptions(Lists, total=False):
    """The options that ``plot`` passes on to ``evaluate`` or ``compare``."""

    by: str | Iterable[str]
    groupings: Groupings
    replicates: int
    cluster: str | None


@takes(PlotOptions)
def plot(
    name: PlotName,
    metrics: str | Iterable[str] = (),
    *,
    results: Any = None,
    baseline: Any = None,
    k: int = 10,
    interval: Interval | None = None,
    level: float = 0.95,
    **options: Unpack[PlotOptions],
) -> Plot:
    """Return a plot.

    The plots:

    - ``curve``: metrics by cutoff, with their intervals.
    - ``history``: metrics by a column ``step``; takes stored results only.
    - ``tradeoff``: the first metric against the last.
    - ``forest``: differences from the baseline by segment, with their intervals.
    - ``differences``: users' differences from the baseline, sorted: who gains and who loses.
    - ``activity``: metrics by the number of items in a user's ``history``.
    - ``longtail``: the share of places that items of each popularity take, in lists and in
      ``history``.
    - ``lorenz``: how few items take all places, among the recommended items or, if you give it, the
      ``catalog``.
    - ``places``: the share of hits at each place.
    - ``calibration``: the share of each ``category`` of ``items``, in lists and in ``history``.
    - ``pairs``: the differences of all pairs of models.
    - ``weights``: the weights of the logged decisions in ``logs``, for off-policy metrics.
    - ``conventions``: a metric as each library computes it.

    Args:
        name: One of the plots above.
        metrics: The metrics, as in ``evaluate``. ``calibration``, ``longtail``, ``lorenz``,
            ``places`` and ``weights`` take none.
        results: A stored result in place of metrics and inputs, for ``forest`` a stored comparison:
            what ``evaluate`` or ``compare`` returned, or a Parquet file of it.
        baseline: The model that ``forest`` and ``differences`` compare with.
        k: The cutoff of the plots that take no metric; for others as in ``evaluate``.
        interval: The interval of the mean, as in ``evaluate``, by default ``auto``; of the
            difference, as in ``compare``, by default ``t``.
        level: The confidence level of the intervals.
        **options: The inputs and rules of ``evaluate``.

    Returns:
        A Plot, which notebooks draw. ``data`` is its table, ``sql`` the query that made the table,
        ``spec`` a Vega-Lite specification, and ``save`` writes a file.

    Raises:
        MetricError, DataError: As in ``evaluate`` and ``compare``.
        InputError: As in ``evaluate`` and ``compare``; also if there is no such plot, or if an
            input that it needs is missing.
    """
    if name not in PLOTS:
        raise InputError(f"plot {name!r}: {nearest(str(name), PLOTS)}")
    if results is not None:
        return _plot_stored(name, results)
    requests = [metrics] if isinstance(metrics, str) else list(metrics)
    if name in OF_LISTS and requests:
        raise InputError(
            f"{name} takes no metrics: leave out {requests[0]!r} and give a cutoff, k=10"
        )
    if name not in OF_LISTS and not requests:
        raise InputError(f"{name} needs metrics: name some, as in 'ndcg@5,10,20'")
    if name in ("forest", "differences") and baseline is None:
        raise InputError(f"baseline is missing: {name} compares with a model; name it")
    intervals: Any = {"interval": interval or ("t" if name == "forest" else "auto"), "level": level}
    if name in OF_RESULTS:
        result = evaluate(requests, baseline=baseline, **intervals, **options)
        return OF_RESULTS[name](result.rows())
    if name == "forest":
        comparison = compare(requests, baseline=baseline, **intervals, **options)
        return from_results.forest(comparison.rows())
    if name == "conventions":
        explain_options: Any = options
        return from_results.conventions(explain(requests, **explain_options))
    opened = open_inputs(options)
    if name in OF_LISTS:
        return OF_LISTS[name](k=k, **opened)
    if name == "differences":
        return from_inputs.differences(requests, baseline=baseline, **opened)
    if name == "pairs":
        return from_inputs.pairs(requests, level=level, **opened)
    return from_inputs.activity(requests, level=level, **opened)


def _plot_stored(name: str, results: Any) -> Plot:
    """Return a plot of a stored result.

    Raises:
        InputError: The plot needs the inputs, or the table is not a result that it can show.
    """
    plots: Mapping[str, Callable[..., Plot]] = {**OF_RESULTS, "forest": from_results.forest}
    if name not in plots:
        raise InputError(
            f"results are given, and {name} is made of the inputs: give these, or ask for "
            f"{', '.join(plots)}"
        )
    table = stored(results, "results")
    needed = "difference" if name == "forest" else "value"
    missing = [column for column in ("model", "metric", needed) if column not in table.column_names]
    if missing:
        raise InputError(
            f"results has no column {missing[0]!r}: {name} is made of what "
            f"{'compare' if name == 'forest' else 'evaluate'} returned"
        )
    return plots[name](table)
