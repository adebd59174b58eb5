"""The public functions with single options, as the command line has them: ``ties="expected"``.

Tests that draw options, or have tables of them, pass these in one dict.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import sqlrec
from sqlrec.inputs.tables import Tables
from sqlrec.options import OBJECTS
from sqlrec.run import job
from sqlrec.run.job import Job


def call(function: Callable[..., Any], *given: Any, **options: Any) -> Any:
    """Call a function, with ``groupings="each"`` as on the command line."""
    if "groupings" in options:
        options["each"] = options.pop("groupings") == "each"
    return function(*given, **options)


check, compare, evaluate, plot, sql, explain, power, report, scorer, unsampled = (
    partial(call, getattr(sqlrec, name))
    for name in (
        *("check", "compare", "evaluate", "plot", "sql"),
        *("explain", "power", "report", "scorer", "unsampled"),
    )
)


def prepare(metrics: Any, *, given: Any, engine: Any, by: Any = (), **options: Any) -> Job:
    """Prepare a job from inputs by name, and single options."""
    rules = {name: options.pop(name) for name in [*options] if name in OBJECTS["rules"][1]}
    opened = {name: options.pop(name, None) for name in ("columns", "where")}
    tables = Tables(engine, **given, **opened)
    columns = sqlrec.Segments.read(by).columns
    return job.prepare(metrics, tables=tables, rules=sqlrec.Rules(**rules), by=columns, **options)
