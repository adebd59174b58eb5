"""The users and the power of a next test, planned from a result or a comparison."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ..catalogue.conventions import OWN
from ..catalogue.requests import format_metric, parse_metrics
from ..errors import InputError
from ..layouts.next_test import next_test_layout
from ..options import LEVEL, read_share
from ..records import Record, Row
from ..results.rows import Rows
from ..results.table import Table, Text
from ..run.margins import read_margins
from ..run.segments import check_segment_names
from ..statistics.comparison_options import Margin, Name
from ..statistics.planning import MAX_UNITS, compute_power, detectable_effect, units_needed

if TYPE_CHECKING:
    import pyarrow as pa

# Columns of a plan, and additional columns if there is a difference to detect.
_PLANNED = ("design", "users", "standard_deviation", "detectable")
_DIFFERENCE = ("difference", "power", "users_needed")


@dataclass(frozen=True)
class NextTest:
    """The checked options of ``sqlrec.power``."""

    difference: Any = None
    sample_size: int | None = None
    power: float = 0.8
    level: float = 0.95
    sides: int = 2

    def __post_init__(self) -> None:
        LEVEL.read(self.level)
        read_share("power", self.power)
        size, sides = self.sample_size, self.sides
        is_whole = isinstance(size, int) and not isinstance(size, bool)
        if size is not None and not (is_whole and 2 <= size <= MAX_UNITS):
            raise InputError(
                f"sample_size={size!r}: it must be a whole number from 2, such as 10000"
            )
        if sides not in (1, 2) or isinstance(sides, bool):
            raise InputError(f"sides={sides!r}: it must be 2, or 1 for a one-sided test")


def plan_next_test(
    table: pa.Table | Rows,
    test: NextTest,
    sql: Text = str,
    inputs: Sequence[str] = (),
    describe_users: Callable[[], Sequence[str]] = list,
) -> Table:
    """Plan a follow-up test on similar users, with notes; ``sqlrec.power`` documents the plan."""
    for name in ("model", "metric", "k", "users", "standard_error"):
        if name not in table.column_names:
            raise InputError(
                f"results has no column {name!r}: give the result of compare, or evaluate with "
                "interval='t'"
            )
    names = table.column_names
    segments = names[1 : names.index("metric")]
    check_segment_names(segments, (*_PLANNED, *_DIFFERENCE))
    sizes = _read_differences(test.difference, table)
    keys = [*names[: names.index("k") + 1], *({"request", "baseline"} & {*names})]
    design = "pairs" if "baseline_value" in names else "groups"
    columns = [*_PLANNED, *(_DIFFERENCE if sizes else ())]
    rows = [
        {**row, "design": design, **_plan_row(row, design, sizes, test)}
        for row in table.to_pylist()
    ]
    types = {field.name: field.type for field in table.select(keys).schema}
    types |= dict.fromkeys(columns, "float64")
    types |= {"design": "string", "users": "int64"}
    types |= {"users_needed": "int64"} if sizes else {}
    plan = Rows(types, [{name: row[name] for name in types} for row in rows])
    lay_out = partial(
        next_test_layout,
        power=test.power,
        level=test.level,
        sides=test.sides,
        describe_users=describe_users,
    )
    return Table(sql, lambda: plan, inputs=inputs, lay_out=lay_out)


def _read_differences(difference: Any, table: pa.Table | Rows) -> dict[Name, Margin]:
    """Parse the differences to detect, by metric."""
    if difference is None:
        return {}
    names = {(row["metric"], row["k"]) for row in table.select(["metric", "k"]).to_pylist()}
    requests = {}
    for label, k in names:
        (request,) = parse_metrics([format_metric(label, k)])
        requests[format_metric(label, k)] = request
    sizes = read_margins(difference, requests, OWN, option="difference")
    for name, size in sizes.items():
        if not size.size:
            raise InputError(
                f"difference of {format_metric(*name)} is 0: give a number above 0, or a share as "
                "'1%'"
            )
    return sizes


def _plan_row(row: Row, design: str, sizes: Mapping[Name, Margin], test: NextTest) -> Record:
    """Plan a test from one row. With clusters, the number of users per cluster is unchanged."""
    plan: Record = dict.fromkeys((*_PLANNED[1:], *_DIFFERENCE))
    plan["users"] = test.sample_size or row["users"]
    units, error = row.get("clusters") or row["users"], row["standard_error"]
    size = sizes.get((row["metric"], row["k"]))
    base = row["baseline_value"] if design == "pairs" else row["value"]
    if size is not None and (base is not None or not size.relative):
        plan["difference"] = size.size * (abs(base) if size.relative else 1)
    if not error or not units or units < 2:
        return plan
    users_per_unit, deviation = row["users"] / units, error * math.sqrt(units)
    new_units = max(2.0, plan["users"] / users_per_unit)
    plan["standard_deviation"] = error * math.sqrt(row["users"])
    plan["detectable"] = (
        detectable_effect(design, test.power, new_units, test.level, test.sides) * deviation
    )
    if plan["difference"]:
        effect = plan["difference"] / deviation
        plan["power"] = compute_power(design, effect, new_units, test.level, test.sides)
        needed = units_needed(design, test.power, effect, test.level, test.sides)
        plan["users_needed"] = None if needed is None else math.ceil(needed * users_per_unit - 1e-9)
    return plan
