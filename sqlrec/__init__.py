"""Recommender-evaluation metrics, written once as SQL.

``evaluate`` computes metrics from two long tables, ``sql`` returns the SQL statement, and
``metrics`` describes all metrics.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .analyses.check import Check as Check
    from .analyses.compare import Comparison as Comparison
    from .analyses.explain import Explanation as Explanation
    from .analyses.identify import Identification as Identification
    from .analyses.identify import identify as identify
    from .analyses.interleaved import interleaved as interleaved
    from .catalogue.conventions import Convention as Convention
    from .catalogue.conventions import conventions as conventions
    from .catalogue.headers import Metric as Metric
    from .catalogue.headers import metric as metric
    from .catalogue.headers import metrics as metrics
    from .dataset import Dataset as Dataset
    from .dataset import demo as demo
    from .engines.base import Engine as Engine
    from .engines.formats import File as File
    from .errors import ColumnError as ColumnError
    from .errors import DataError as DataError
    from .errors import InputError as InputError
    from .errors import MetricError as MetricError
    from .errors import OptionError as OptionError
    from .errors import SqlrecError as SqlrecError
    from .functions import check as check
    from .functions import compare as compare
    from .functions import evaluate as evaluate
    from .functions import explain as explain
    from .functions import plot as plot
    from .functions import power as power
    from .functions import report as report
    from .functions import sql as sql
    from .functions import unsampled as unsampled
    from .options import Interval as Interval
    from .options import Rules as Rules
    from .options import Segments as Segments
    from .plots.plot import Plot as Plot
    from .reports.report import Report as Report
    from .results.result import Result as Result
    from .results.table import Table as Table
    from .self_test import selftest as selftest

# The module of each public name. Modules are imported lazily.
_HOMES = {
    "analyses.check": ("Check",),
    "analyses.compare": ("Comparison",),
    "analyses.explain": ("Explanation",),
    "analyses.identify": ("Identification", "identify"),
    "analyses.interleaved": ("interleaved",),
    "catalogue.conventions": ("Convention", "conventions"),
    "catalogue.headers": ("Metric", "metric", "metrics"),
    "dataset": ("Dataset", "demo"),
    "engines.base": ("Engine",),
    "engines.formats": ("File",),
    "errors": (
        *("ColumnError", "DataError", "InputError", "MetricError", "OptionError"),
        "SqlrecError",
    ),
    "functions": (
        *("check", "compare", "evaluate", "explain", "plot", "power", "report", "sql"),
        "unsampled",
    ),
    "options": ("Interval", "Rules", "Segments"),
    "plots.plot": ("Plot",),
    "reports.report": ("Report",),
    "results.result": ("Result",),
    "results.table": ("Table",),
    "self_test": ("selftest",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__version__ = "0.1.0"

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
