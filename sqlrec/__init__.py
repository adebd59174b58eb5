"""Recommender-evaluation metrics, written once as SQL.

``evaluate`` computes metrics from two long tables, ``sql`` returns the SQL statement, and
``metrics`` describes all metrics.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .analyses.check import Check, check
    from .analyses.compare import Comparison, compare
    from .analyses.explain import Explanation, explain
    from .analyses.identify import Identification, identify
    from .analyses.interleaved import interleaved
    from .analyses.plot import plot
    from .analyses.power import power
    from .analyses.scorer import scorer
    from .analyses.unsampled import unsampled
    from .catalogue.conventions import Convention, conventions
    from .catalogue.headers import Metric, metric, metrics
    from .engines.base import Engine
    from .engines.formats import File
    from .errors import DataError, InputError, MetricError, SqlrecError
    from .evaluation import evaluate, sql
    from .plots.plot import Plot
    from .reports.report import Report, report
    from .results.result import Result
    from .results.table import Table

# Module of each public name. Modules are imported lazily.
_HOMES = {
    "analyses.check": ("Check", "check"),
    "analyses.compare": ("Comparison", "compare"),
    "analyses.explain": ("Explanation", "explain"),
    "analyses.identify": ("Identification", "identify"),
    "analyses.interleaved": ("interleaved",),
    "analyses.plot": ("plot",),
    "analyses.power": ("power",),
    "analyses.scorer": ("scorer",),
    "analyses.unsampled": ("unsampled",),
    "catalogue.conventions": ("Convention", "conventions"),
    "catalogue.headers": ("Metric", "metric", "metrics"),
    "engines.base": ("Engine",),
    "engines.formats": ("File",),
    "errors": ("DataError", "InputError", "MetricError", "SqlrecError"),
    "evaluation": ("evaluate", "sql"),
    "plots.plot": ("Plot",),
    "reports.report": ("Report", "report"),
    "results.result": ("Result",),
    "results.table": ("Table",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__version__ = "0.1.0"

__all__ = [
    "Check",
    "Comparison",
    "Convention",
    "DataError",
    "Engine",
    "Explanation",
    "File",
    "Identification",
    "InputError",
    "Metric",
    "MetricError",
    "Plot",
    "Report",
    "Result",
    "SqlrecError",
    "Table",
    "check",
    "compare",
    "conventions",
    "evaluate",
    "explain",
    "identify",
    "interleaved",
    "metric",
    "metrics",
    "plot",
    "power",
    "report",
    "scorer",
    "sql",
    "unsampled",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
