"""The layout of a search for segments: those that change the difference, and the scope."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..display.layout import Cell, Column, Group, LabeledText, Layout
from ..display.numbers import decimals_for, format_p, number
from ..records import Row, group_by
from .losses import SMALL
from .result import format_count, format_level, is_significant

TESTS = (
    "p: the larger of Student's and Welch's t-test of a segment against the rest, Benjamini and "
    "Hochberg's correction"
)

# The names of the number of items in users' histories, and of columns of these items.
HISTORY, ITEMS = "history.items", "items."

PAST = (
    f"{HISTORY}: the number of items in a user's history; "
    f"{ITEMS}*: the most frequent value of these items"
)


@dataclass(frozen=True)
class Search:
    """The scope of a search."""

    metric: str  # The metric, as the caller wrote it.
    baseline: str
    level: float  # One minus the false discovery rate.
    overall: Mapping[str, float]  # The difference of each model over all users.
    columns: Sequence[str]  # The columns that were searched.
    # The columns that were not: they have no two segments with enough users.
    omitted: Sequence[str]
    small: int  # The number of segments with too few users.
    # The difference in each segment with its p-value, as a comparison by each column has it.
    differences: Sequence[Row] = ()

    def scope(self, rows: Sequence[Row]) -> str:
        """Format the numbers of columns and segments, and the false discovery rate."""
        segments = len({(row["column"], row["segment"]) for row in rows})
        return (
            f"columns searched: {len(self.columns)}, segments tested: {segments}, false discovery "
            f"rate {format_level(1 - self.level)}"
        )

    def omissions(self) -> list[str]:
        """Format the segments and columns that were excluded."""
        texts = []
        if self.small:
            texts.append(
                f"not tested: {format_count(self.small, 'segments')} of fewer than {SMALL} users"
            )
        if self.omitted:
            names = ", ".join(self.omitted[:5]) + ", ..." * (len(self.omitted) > 5)
            texts.append(f"not searched: {names}, without two segments of {SMALL} users")
        return texts

    def nothing(self, rows: Sequence[Row]) -> str:
        """Format that no segment changes the difference."""
        return f"No column of users changes the difference by {self.metric} ({self.scope(rows)})"


def search_layout(names: Sequence[str], rows: Sequence[Row], *, search: Search) -> Layout:
    """Return the layout of a search: a line for each column that changes the difference."""
    by_column = group_significant(rows, search.level)
    several = len(search.overall) > 1
    columns = [Column("model", key=True)] if several else []
    columns += [Column(name, key=True) for name in ("column", "segment")]
    columns += [Column(name, number=True) for name in ("users", "difference", "the rest", "p")]
    has_others = any(others for _, *others in by_column)
    columns += [Column("other segments", cut=True)] if has_others else []
    if not by_column:
        line = [*([Cell("all")] if several else []), Cell("none"), *[Cell() for _ in range(5)]]
        return Layout(columns, [Group("", [line])], search.nothing(rows), search.omissions())
    decimals = _decimals_of_differences(by_column)
    lines = [
        [
            *([Cell(row["model"])] if several else []),
            *(Cell(row["column"]), Cell(_format_segment(row)), Cell(number(row["users"], 0))),
            *(
                Cell(number(row[name], decimals, sign=True))
                for name in ("difference", "rest_difference")
            ),
            Cell(format_p(row["p_adjusted"])),
            *([Cell(", ".join(map(_format_segment, others)))] if has_others else []),
        ]
        for row, *others in by_column
    ]
    differences = ", ".join(
        f"{model} {number(mean, decimals, sign=True)}" for model, mean in search.overall.items()
    )
    title = LabeledText(
        "Where the difference from ", search.baseline, f" by {search.metric} changes"
    )
    notes = [f"all users: {differences}", search.scope(rows), TESTS]
    notes += [PAST] if any("." in row["column"] for row, *_ in by_column) else []
    return Layout(columns, [Group("", lines)], title, [*notes, *search.omissions()])


def format_segments(rows: Sequence[Row], search: Search, limit: int) -> list[str]:
    """Return a sentence for each of the first columns, or that no column has an effect."""
    by_column = group_significant(rows, search.level)[:limit]
    decimals = _decimals_of_differences(by_column)
    texts = [
        f"{row['model']} for {row['column']}={_format_segment(row)} "
        f"({format_count(row['users'], 'users')}): "
        f"{number(row['difference'], decimals, sign=True)} by {search.metric}, the rest "
        f"{number(row['rest_difference'], decimals, sign=True)} (p {format_p(row['p_adjusted'])})."
        for row, *_ in by_column
    ]
    return texts or [f"{search.nothing(rows)}."]


def group_significant(rows: Sequence[Row], level: float) -> list[list[Row]]:
    """Return the significant rows of each model and column, the smallest p-values first."""
    significant = (row for row in rows if is_significant(row, level))
    return [*group_by(significant, lambda row: (row["model"], row["column"])).values()]


def _format_segment(row: Row) -> str:
    return "unknown" if row["segment"] is None else str(row["segment"])


def _decimals_of_differences(by_column: Sequence[Sequence[Row]]) -> int:
    return decimals_for(
        row[name] for row, *_ in by_column for name in ("difference", "rest_difference")
    )
