"""Gaps between the segments of a result, by metric."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

from ..display.numbers import decimals_for, number, spread
from ..display.table_layout import MISSING, Cell, Column, Group, Layout
from ..errors import InputError
from ..layouts.result import equals_up_to_rounding, format_level, metric_direction, segment_title
from ..records import Record, Row, group_by
from ..statistics.formulas import DRAWN, interval_from_error
from ..statistics.gaps import Mean, pair_level, smallest_ratio, widest_difference
from .rows import Rows

_LIMITS = ("difference_low", "difference_high", "ratio_low", "ratio_high")


def measure_gaps(
    rows: Rows, segments: Sequence[str], interval: str | None, level: float, cluster: str | None
) -> Rows:
    """Return the gaps between segments, as ``Result.gaps`` describes them."""
    if not segments:
        raise InputError("gaps need segments: name their columns, as in by='country'")
    if cluster is not None:
        raise InputError(
            f"gaps with cluster={cluster!r}: users of a group may be in several segments, which "
            "are then not independent; evaluate without cluster"
        )
    if interval == "anytime":
        raise InputError("gaps have no interval='anytime': give interval='t'")
    keys = ["model", *(["grouping"] if "grouping" in segments else []), "metric", "k", "request"]
    types = dict(rows.select(keys).schema) | {"groups": "int64", "worst": "string"}
    numbers = ("worst_value", "difference", "ratio", "mean_difference")
    types |= dict.fromkeys(numbers if interval is None else (*numbers, *_LIMITS), "float64")
    parts = (row for row in rows.records if row.get("grouping") != "all")
    records = []
    for values in group_by(parts, lambda row: tuple(row[key] for key in keys)).values():
        names = [name for name in segments if name == values[0].get("grouping")] or segments
        groups = [row for row in values if all(row[name] is not None for name in ("value", *names))]
        record = {name: values[0].get(name) for name in keys} | {"groups": len(groups)}
        records.append(
            dict.fromkeys(types) | record | _measure_gap(groups, segments, interval, level)
        )
    return Rows(types, records)


def _measure_gap(
    groups: Sequence[Row], segments: Sequence[str], interval: str | None, level: float
) -> Record:
    """Return the difference and ratio of the extreme segments, and the worst segment."""
    if len(groups) < 2:
        return {}
    values = [row["value"] for row in groups]
    low, high = min(values), max(values)
    has_ratio = low >= 0 and high > 0
    gap: Record = {
        "difference": high - low,
        "ratio": low / high if has_ratio else None,
        # The MAD of Elliot and WarpRec.
        "mean_difference": fmean(abs(x - y) for x, y in combinations(values, 2)),
    }
    worst = {"higher": low, "lower": high}.get(metric_direction(groups[0]["metric"]))
    if worst is not None and not equals_up_to_rounding(low, high):
        gap["worst"] = min(segment_title(x, segments) for x in groups if x["value"] == worst)
        gap["worst_value"] = worst
    if interval is None:
        return gap
    level = pair_level(level, len(groups))
    means = [mean for row in groups if (mean := _segment_mean(row, interval, level))]
    if len(means) == len(groups):
        limits = (
            *widest_difference(means),
            *(smallest_ratio(means) if has_ratio else (None, None)),
        )
        gap |= dict(zip(_LIMITS, limits, strict=True))
    return gap


def _segment_mean(row: Row, interval: str, level: float) -> Mean | None:
    value, users = row["value"], row["users"]
    if row["low"] is None:
        return None
    # With auto, each row names its method. A method that draws samples is replaced by normal.
    method: str = row["interval"] if interval == "auto" else interval
    method = "normal" if method in DRAWN else method
    low, high = interval_from_error(method, level, value, users, row["standard_error"])
    return None if low is None or high is None else Mean(value, low, high)


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
    notes = [f"{format_level(level)} joint intervals for all pairs of groups"] * has_intervals
    return Layout(columns, [Group("", lines)], notes=notes)


def _gap_cell(row: Row, name: str, decimals: int) -> Cell:
    value = row[name]
    if value is None:
        return Cell(MISSING)
    low, high = row.get(f"{name}_low"), row.get(f"{name}_high")
    return Cell(number(value, decimals), spread(value, low, high, decimals))
