"""The public functions with single options, as the command line has them: ``ties="expected"``.

Tests that draw options, or have tables of them, pass these in one dict.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

import sqlrec
from sqlrec.inputs.tables import Tables
from sqlrec.options import OBJECTS, group_options
from sqlrec.run import job
from sqlrec.run.job import Job


def call(function: Callable[..., Any], single: Collection[str], *given: Any, **options: Any) -> Any:
    """Call a function with its options grouped into objects, except those that it has itself."""
    if "groupings" in options:
        options["each"] = options.pop("groupings") == "each"
    own = {name: value for name, value in options.items() if name in single}
    own |= {name: x for name, x in options.items() if type(x) in (sqlrec.Interval, sqlrec.Segments)}
    others = {name: value for name, value in options.items() if name not in own}
    interval = None if function is sqlrec.sql else "auto"
    return function(*given, **own, **group_options(others, interval))


check, compare, evaluate, plot, sql = (
    partial(call, function, ())
    for function in (sqlrec.check, sqlrec.compare, sqlrec.evaluate, sqlrec.plot, sqlrec.sql)
)
explain, report, scorer, unsampled = (
    partial(call, function, ("level", "interval"))
    for function in (sqlrec.explain, sqlrec.report, sqlrec.scorer, sqlrec.unsampled)
)
power = partial(call, sqlrec.power, ("level", "cluster"))


def prepare(metrics: Any, *, given: Any, engine: Any, by: Any = (), **options: Any) -> Job:
    """Prepare a job from inputs by name, and single options."""
    rules = {name: options.pop(name) for name in [*options] if name in OBJECTS["rules"][1]}
    opened = {name: options.pop(name, None) for name in ("columns", "where")}
    tables = Tables(engine, **given, **opened)
    columns = sqlrec.Segments.read(by).columns
    return job.prepare(metrics, tables=tables, rules=sqlrec.Rules(**rules), by=columns, **options)
