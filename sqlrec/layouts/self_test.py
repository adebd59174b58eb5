"""The layout for a self-test of an engine."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from ..display.numbers import number
from ..display.table_layout import Cell, Column, Group, Layout
from ..records import Row


def self_test_layout(names: Sequence[str], rows: Sequence[Row], dialect: str) -> Layout:
    """Return the layout of a self-test, with a line for each part, then the failures."""
    columns = [Column(name, key=name in ("result", "part")) for name in ("result", "part")]
    numbers = ("statements", "values", "difference", "seconds")
    columns += [Column(name, number=True) for name in numbers]
    lines = []
    for part, part_rows in groupby(rows, key=lambda row: row["part"]):
        group = [*part_rows]
        has_failure = any(row["result"] == "FAIL" for row in group)
        differences = [row["difference"] for row in group if row["difference"] is not None]
        result = Cell("✗ FAIL", tone="bad") if has_failure else Cell("✓ pass", tone="good")
        sums = [sum(row[name] for row in group) for name in ("values", "seconds")]
        lines.append(
            [
                *(result, Cell(part), Cell(str(len(group))), Cell(number(sums[0], 0))),
                *(Cell(f"{max(differences, default=0):.1g}"), Cell(f"{sums[1]:.1f}")),
            ]
        )
    failures = [row for row in rows if row["result"] == "FAIL"]
    count = f"{len(rows)} statements on {dialect}"
    title = f"{len(failures)} of {count} failed" if failures else f"all {count} passed"
    notes = [f"{row['part']}, {row['metrics']}: {row['message']}" for row in failures]
    return Layout(columns, [Group("", lines)], title, notes)
