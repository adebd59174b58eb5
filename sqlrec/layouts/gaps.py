"""The layout of gaps between segments."""

from __future__ import annotations

from collections.abc import Sequence

from ..display.numbers import decimals_for, number, spread
from ..display.table_layout import MISSING, Cell, Column, Group, Layout
from ..records import Row
from .result import format_level


def gaps_layout(names: Sequence[str], rows: Sequence[Row], *, level: float) -> Layout:
    """Return the layout of gaps: differences and ratios with their intervals."""
    keys = [name for name in ("grouping", "model", "request") if name in names]
    columns = [Column({"request": "metric"}.get(name, name), key=True) for name in keys]
    columns += [Column("groups", number=True), Column("worst")]
    columns += [Column(name, number=True) for name in ("value", "difference", "ratio")]
    lines = []
    for row in rows:
        low, high = row.get("difference_low"), row.get("difference_high")
        halves = [None if low is None or high is None else (high - low) / 2]
        decimals = decimals_for([row["difference"], row["worst_value"]], halves)
        texts = [*(str(row[name]) for name in (*keys, "groups")), row["worst"] or MISSING]
        numbers = {"worst_value": decimals, "difference": decimals, "ratio": 2}
        lines.append([*map(Cell, texts), *(_gap_cell(row, *item) for item in numbers.items())])
    has_intervals = any(row.get("difference_low") is not None for row in rows)
    notes = [f"{format_level(level)} intervals of all pairs of groups together"] * has_intervals
    return Layout(columns, [Group("", lines)], notes=notes)


def _gap_cell(row: Row, name: str, decimals: int) -> Cell:
    value = row[name]
    if value is None:
        return Cell(MISSING)
    low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
    return Cell(number(value, decimals), spread(value, low, high, decimals))
