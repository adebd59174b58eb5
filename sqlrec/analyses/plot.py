"""Plots by name, of inputs or of a stored result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

from ..errors import InputError, suggest_name
from ..evaluation import evaluate
from ..options import INTERVAL, Interval, Segments, changed_fields
from ..plots import from_inputs, from_results
from ..plots.plot import Plot
from ..results.result import read_stored_result
from ..run.job import Call
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
    "ranks": from_inputs.ranks,
    "weights": from_inputs.weights,
}
# Plots over all users, without segments.
WHOLE = ("calibration", "longtail", "lorenz", "ranks")
PlotName = Literal[
    "curve", "history", "tradeoff", "forest", "differences", "activity", "waterfall",
    "calibration", "longtail", "lorenz", "ranks", "weights",
]  # fmt: skip
PLOTS = get_args(PlotName)


def plot(
    call: Call,
    name: PlotName,
    metrics: Any = (),
    k: Any = None,
    baseline: str | None = None,
    interval: Any = "auto",
    value: float | str | None = None,
) -> Plot:
    """Return a plot of the inputs of a call, for ``Dataset.plot``."""
    interval = Interval.read(interval, INTERVAL)
    _check_plot_name(name)
    texts = [metrics] if isinstance(metrics, str) else list(metrics)
    if name in OF_LISTS and texts:
        raise InputError(f"{name} takes no metrics: omit {texts[0]!r} and give a cutoff, k=10")
    if name not in OF_LISTS and not texts:
        raise InputError(f"{name} needs metrics: name some, as in 'ndcg@5,10,20'")
    if name in ("forest", "differences") and baseline is None:
        raise InputError(f"baseline is missing: {name} compares with a model; name it")
    if (name == "waterfall") != (value is not None):
        raise InputError(f"value={value!r}: waterfall needs a value, and no other plot takes one")
    _check_plot_options(name, baseline, call.by, interval)
    if name in OF_LISTS:
        return OF_LISTS[name](call, k=10 if k is None else k)
    if name == "waterfall":
        return from_results.waterfall(explain(call, texts, k, value=value))
    call = call.with_metrics(texts, k)
    if name in OF_RESULTS:
        return OF_RESULTS[name](evaluate(call, interval).rows())
    if name == "forest":
        return from_results.forest(compare(call, baseline, interval).rows(), baseline=baseline)
    if name == "differences":
        return from_inputs.differences(call, baseline=str(baseline))
    return from_inputs.activity(call, level=interval.level)


def _check_plot_options(name: str, baseline: str | None, by: Segments, interval: Interval) -> None:
    unread = {}
    if baseline is not None and name not in ("forest", "differences"):
        unread["baseline"] = baseline
    if by.columns and name in (*WHOLE, "waterfall"):
        unread["by"] = next(iter(by.columns))
    if name not in (*OF_RESULTS, "forest"):
        unread |= changed_fields(interval, Interval())
        if name == "activity":
            unread.pop("level", None)
    for option, value in unread.items():
        raise InputError(f"{option}={value!r}: the plot {name} does not read {option}; remove it")


def plot_stored(name: PlotName, results: Any) -> Plot:
    """Return a plot of a stored result."""
    _check_plot_name(name)
    plots: Mapping[str, Callable[..., Plot]] = {**OF_RESULTS, "forest": from_results.forest}
    if name not in plots:
        raise InputError(
            f"{name} needs the inputs, not results: give the inputs, or plot results as "
            f"{', '.join(plots)}"
        )
    table = read_stored_result(results, "results")
    needed = "difference" if name == "forest" else "value"
    missing = [column for column in ("model", "metric", needed) if column not in table.column_names]
    if missing:
        raise InputError(
            f"results has no column {missing[0]!r}: {name} needs a table that "
            f"{'compare' if name == 'forest' else 'evaluate'} returned"
        )
    return plots[name](table)


def _check_plot_name(name: str) -> None:
    if name not in PLOTS:
        raise InputError(f"plot {name!r}: {suggest_name(str(name), PLOTS)}")
