"""The layout of a plan for the next test."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..catalogue.requests import format_metric
from ..display.numbers import decimals_for, number
from ..display.table_layout import ARROWS, MISSING, Cell, Column, Group, Layout, format_cell_text
from ..records import Row
from .result import format_level, metric_direction

_DESIGNS = {
    "pairs": "the same users see both models: Student's t test for pairs",
    "groups": "users in each of two groups that see one model each: by the normal distribution",
}


def next_test_layout(
    names: Sequence[str],
    rows: Sequence[Row],
    *,
    power: float,
    level: float,
    sides: int,
    describe_users: Callable[[], Sequence[str]],
) -> Layout:
    """Return the layout of a plan, with a row for each model, segment and metric."""
    segments = [*names[1 : names.index("metric")]]
    has_baseline = "baseline" in names
    has_difference = "difference" in names
    columns = [Column(name, key=True) for name in ("model", *segments, "metric")]
    headings = ["users", "deviation", "detectable"]
    headings += ["difference", "power", "users needed"] if has_difference else []
    columns += [Column(name, number=True) for name in headings]
    lines = []
    digits = decimals_for(row.get(x) for row in rows for x in ("detectable", "difference"))
    for row in rows:
        model = f"{row['model']} - {row['baseline']}" if has_baseline else str(row["model"])
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
    side = "two-sided" if sides == 2 else "one-sided"
    several = ", each without a correction for several tests" if len(rows) > 1 else ""
    notes = [
        *describe_users(),
        f"detectable: the smallest true difference detected in {format_level(power)} of tests",
        f"{_DESIGNS[design]}, p < {1 - level:.3g}, {side}{several}",
    ]
    return Layout(columns, [Group("", lines)], "Differences that a next test can detect", notes)
