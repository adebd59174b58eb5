"""Recommender-evaluation metrics, written once as SQL.

``evaluate`` computes metrics from two long tables, ``sql`` returns the SQL statement, and
``metrics`` describes all metrics.
"""

from importlib import import_module
from typing import Any

# The module of each public name. Modules are imported lazily; ``docs/update.py`` writes the types
# of the names to ``__init__.pyi``.
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
