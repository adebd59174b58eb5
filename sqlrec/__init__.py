"""Recommender-evaluation metrics, written once as SQL.

``evaluate`` computes metrics from two long tables, ``sql`` returns the SQL statement, and
``metrics`` describes all metrics.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .analyses.check import Check
    from .analyses.compare import Comparison
    from .analyses.explain import Explanation
    from .analyses.identify import Identification, identify
    from .analyses.interleaved import interleaved
    from .analyses.scorer import scorer
    from .catalogue.conventions import Convention, conventions
    from .catalogue.headers import Metric, metric, metrics
    from .dataset import (
        Dataset,
        check,
        compare,
        demo,
        evaluate,
        explain,
        plot,
        power,
        report,
        sql,
        unsampled,
    )
    from .engines.base import Engine
    from .engines.formats import File
    from .errors import (
        ColumnError,
        DataError,
        InputError,
        MetricError,
        OptionError,
        SqlrecError,
    )
    from .options import Interval, Rules, Segments
    from .plots.plot import Plot
    from .reports.report import Report
    from .results.result import Result
    from .results.table import Table
    from .self_test import selftest

# Module of each public name. Modules are imported lazily.
_HOMES = {
    "analyses.check": ("Check",),
    "analyses.compare": ("Comparison",),
    "analyses.explain": ("Explanation",),
    "analyses.identify": ("Identification", "identify"),
    "analyses.interleaved": ("interleaved",),
    "analyses.scorer": ("scorer",),
    "catalogue.conventions": ("Convention", "conventions"),
    "catalogue.headers": ("Metric", "metric", "metrics"),
    "dataset": (
        *("Dataset", "check", "compare", "demo", "evaluate", "explain", "plot", "power", "report"),
        *("sql", "unsampled"),
    ),
    "engines.base": ("Engine",),
    "engines.formats": ("File",),
    "errors": (
        *("ColumnError", "DataError", "InputError", "MetricError", "OptionError"),
        "SqlrecError",
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

__all__ = [
    "Check",
    "ColumnError",
    "Comparison",
    "Convention",
    "DataError",
    "Dataset",
    "Engine",
    "Explanation",
    "File",
    "Identification",
    "InputError",
    "Interval",
    "Metric",
    "MetricError",
    "OptionError",
    "Plot",
    "Report",
    "Result",
    "Rules",
    "Segments",
    "SqlrecError",
    "Table",
    "check",
    "compare",
    "conventions",
    "demo",
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
    "selftest",
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
    return __all__
