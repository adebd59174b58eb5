"""Recommender-evaluation metrics, written once as SQL.

``evaluate`` computes metrics from two long tables, ``sql`` returns the statement, and ``metrics``
describes what there is.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .analyses.plot import plot
    from .plots.plot import Plot
    from .reports.report import Report, report

try:
    from .analyses.check import Check, check
    from .analyses.compare import Comparison, compare
    from .analyses.explain import Explanation, explain
    from .analyses.unsampled import unsampled
    from .catalogue.conventions import Convention, conventions
    from .catalogue.headers import Metric, metric, metrics
    from .errors import DataError, InputError, MetricError, SqlrecError
    from .evaluation import evaluate, sql
    from .results.result import Result
    from .results.table import Table
except KeyboardInterrupt:
    # A program that is interrupted this early says so in a line, as later on.
    if not sys.argv[0].endswith(("sqlrec", "sqlrec.exe")) and "sqlrec" not in sys.orig_argv:
        raise
    sys.stderr.write("sqlrec: interrupted\n")
    sys.exit(130)

# What draws is imported when it is asked for: who counts alone does not wait for it.
_DRAWN = {
    "Plot": ".plots.plot",
    "Report": ".reports.report",
    "plot": ".analyses.plot",
    "report": ".reports.report",
}

__version__ = "0.1.0"

__all__ = [
    "Check",
    "Comparison",
    "Convention",
    "DataError",
    "Explanation",
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
    "metric",
    "metrics",
    "plot",
    "report",
    "sql",
    "unsampled",
]


def __getattr__(name: str) -> Any:
    if name not in _DRAWN:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_DRAWN[name], __name__), name)
