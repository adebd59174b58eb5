"""Plans for the next test, with its users and power, from a result or a comparison."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from ..catalogue.conventions import OWN
from ..catalogue.requests import format_metric, parse_metrics
from ..display.numbers import decimals_for, number
from ..display.table_layout import ARROWS, MISSING, Cell, Column, Group, Layout, format_cell_text
from ..errors import InputError
from ..evaluation import evaluate
from ..layouts.result import format_level, format_users, metric_direction
from ..options import LEVEL, Interval, read_share
from ..records import Record, Row
from ..results.result import read_stored_result
from ..results.rows import Rows
from ..results.table import Table, Text
from ..run.job import Call
from ..run.margins import read_margins
from ..run.segments import check_segment_names
from ..statistics.comparison_options import Margin, Name
from ..statistics.planning import MAX_UNITS, compute_power, detectable_effect, units_needed
from .compare import Comparison, compare

if TYPE_CHECKING:
    import pyarrow as pa

# Columns of a plan, and additional columns if the caller names a difference to detect.
_PLANNED = ("design", "users", "standard_deviation", "detectable")
_DIFFERENCE = ("difference", "power", "users_needed")

_DESIGNS = {
    "pairs": "the same users see both models: Student's t test for pairs",
    "groups": "users in each of two groups that see one model each: by the normal distribution",
}


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
                f"sample_size={size!r}: it must be a whole number of at least 2, such as 10000"
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
    types = {field.name: field.type for field in table.select(keys).schema}
    types |= dict.fromkeys(columns, "float64")
    types |= {"design": "string", "users": "int64"}
    types |= {"users_needed": "int64"} if sizes else {}
    rows = (
        {**row, "design": design, **_plan_row(row, design, sizes, test)}
        for row in table.to_pylist()
    )
    plan = Rows.from_records(types, rows)
    lay_out = partial(next_test_layout, test=test, describe_users=describe_users)
    return Table(sql, lambda: plan, inputs=inputs, lay_out=lay_out)


def _read_differences(difference: Any, table: pa.Table | Rows) -> dict[Name, Margin]:
    if difference is None:
        return {}
    rows = table.select(["metric", "k"]).to_pylist()
    names = {format_metric(row["metric"], row["k"]) for row in rows}
    requests = {name: parse_metrics([name])[0] for name in names}
    sizes = read_margins(difference, requests, OWN, option="difference")
    for name, size in sizes.items():
        if not size.size:
            raise InputError(
                f"difference of {format_metric(*name)} is 0: give a number above 0, "
                "or a share, as in '1%'"
            )
    return sizes


def _plan_row(row: Row, design: str, sizes: Mapping[Name, Margin], test: NextTest) -> Record:
    """Plan a test from one row. Clusters have the same number of users as in the row."""
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


def next_test_layout(
    names: Sequence[str],
    rows: Sequence[Row],
    *,
    test: NextTest,
    describe_users: Callable[[], Sequence[str]],
) -> Layout:
    """Return the layout of a plan, with a row for each model, segment and metric."""
    segments = [*names[1 : names.index("metric")]]
    has_difference = "difference" in names
    columns = [Column(name, key=True) for name in ("model", *segments, "metric")]
    headings = ["users", "deviation", "detectable"]
    headings += ["difference", "power", "users needed"] if has_difference else []
    columns += [Column(name, number=True) for name in headings]
    lines = []
    digits = decimals_for(row.get(x) for row in rows for x in ("detectable", "difference"))
    for row in rows:
        model = f"{row['model']} - {row['baseline']}" if "baseline" in names else str(row["model"])
        line = [Cell(model), *(Cell(format_cell_text(row[s])) for s in segments)]
        request = row.get("request") or format_metric(row["metric"], row["k"])
        line.append(Cell(f"{request} {ARROWS.get(metric_direction(row['metric']), '')}".strip()))
        line.append(Cell(number(row["users"], 0)))
        measures = ["standard_deviation", "detectable", *(["difference"] if has_difference else [])]
        line += [Cell(number(row[name], digits) or MISSING) for name in measures]
        if has_difference:
            line.append(Cell(MISSING if row["power"] is None else f"{100 * row['power']:.3g}%"))
            line.append(Cell(number(row["users_needed"], 0) or MISSING))
        lines.append(line)
    design = rows[0]["design"] if rows else "pairs"
    side = "two-sided" if test.sides == 2 else "one-sided"
    several = ", not corrected for multiple tests" if len(rows) > 1 else ""
    notes = [
        *describe_users(),
        f"detectable: the smallest true difference detected in {format_level(test.power)} of tests",
        f"{_DESIGNS[design]}, p < {1 - test.level:.3g}, {side}{several}",
    ]
    return Layout(columns, [Group("", lines)], "Differences that the next test can detect", notes)


def power(
    call: Call, test: NextTest, baseline: str | None = None, cluster: str | None = None
) -> Table:
    """Plan a follow-up test from a call, for ``Dataset.power``."""
    interval = Interval(cluster=cluster)
    if baseline is None:
        result = evaluate(call, interval)
        counts = result.user_counts.rows()
        users = partial(format_users, counts.column_names, counts.to_pylist())
        return plan_next_test(result.rows(), test, lambda: result.sql, result.inputs, users)
    return _plan_from_comparison(compare(call, baseline, interval, correction="none"), test)


def power_stored(
    results: Any,
    *,
    difference: Any = None,
    sample_size: int | None = None,
    power: float = 0.8,
    level: float = 0.95,
    sides: Literal[1, 2] = 2,
) -> Table:
    """Plan a follow-up test from a stored result or comparison."""
    test = NextTest(difference, sample_size, power, level, sides)
    if isinstance(results, Comparison):
        return _plan_from_comparison(results, test)
    return plan_next_test(read_stored_result(results, "results"), test)


def _plan_from_comparison(compared: Comparison, test: NextTest) -> Table:
    users = compared.summary.describe_users
    return plan_next_test(compared.rows(), test, lambda: compared.sql, compared.inputs, users)
