"""Recommender-evaluation metrics, written once as SQL.

``evaluate`` computes metrics from two long tables, ``sql`` returns the statement, and ``metrics``
describes what there is.
"""

import sys

try:
    from .catalogue import Metric, metric, metrics
    from .check import Check, check
    from .compare import Comparison, compare
    from .conventions import Convention, conventions
    from .errors import DataError, InputError, MetricError, SqlrecError
    from .explain import Explanation, explain
    from .result import Result, Table
    from .runner import evaluate, sql
    from .unsampled import unsampled
except KeyboardInterrupt:
    # A program that is interrupted this early says so in a line, as later on.
    if not sys.argv[0].endswith(("sqlrec", "sqlrec.exe")) and "sqlrec" not in sys.orig_argv:
        raise
    sys.stderr.write("sqlrec: interrupted\n")
    sys.exit(130)

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
    "sql",
    "unsampled",
]
