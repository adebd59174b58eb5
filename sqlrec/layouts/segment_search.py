"""The layout of a search for segments, with the segments that change the difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..display.numbers import decimals_for, format_count, format_p, number
from ..display.table_layout import Cell, Column, Group, LabeledText, Layout
from ..records import Row, group_by
from .losses import SMALL
from .result import format_level, is_significant

TESTS = (
    "p: the larger of Student's and Welch's t-test of a segment against the rest, Benjamini and "
    "Hochberg's correction"
)

REST = "the rest: the mean difference of all other users, so segments of one column change together"

# Names for the number of items in users' histories, and for columns of these items.
HISTORY, ITEMS = "history.items", "items."


@dataclass(frozen=True)
class Search:
    """The scope of a search."""

    metric: str  # The metric, as the caller wrote it.
    baseline: str
    level: float  # One minus the false discovery rate.
    overall: Mapping[str, float]  # The difference of each model over all users.
    columns: Sequence[str]  # The columns that were searched.
    # The columns that were not searched, with fewer than two segments that have enough users.
    omitted: Sequence[str]
    small: int  # The number of segments with too few users.
    descriptions: Mapping[str, str]  # The values of columns that a user's history has.
    # The difference in each segment with its p-value, in the form of a comparison by this column.
    differences: Sequence[Row] = ()
    describe_users: Callable[[], Sequence[str]] = list  # Returns notes on excluded users.

    def scope(self, rows: Sequence[Row]) -> str:
        """Format the numbers of columns and segments, and the false discovery rate."""
        segments = len({(row["column"], row["segment"]) for row in rows})
        return (
            f"columns searched one by one: {len(self.columns)}, segments tested: {segments}, "
            f"false discovery rate {format_level(1 - self.level)}"
        )

    def omissions(self) -> list[str]:
        """Format the users, segments and columns that were excluded."""
        texts = [*self.describe_users()]
        if self.small:
            texts.append(
                f"not tested: {format_count(self.small, 'segments')} of fewer than {SMALL} users"
            )
        if self.omitted:
            names = ", ".join(self.omitted[:5]) + ", ..." * (len(self.omitted) > 5)
            texts.append(f"not searched: {names}, without two segments of {SMALL} users")
        return texts

    def no_change_text(self, rows: Sequence[Row]) -> str:
        """Format the sentence that no segment changes the difference."""
        return f"No column of users changes the difference by {self.metric} ({self.scope(rows)})"


def search_layout(names: Sequence[str], rows: Sequence[Row], *, search: Search) -> Layout:
    """Return the layout of a search, with a line for each segment that changes the difference."""
    significant = [row for row in rows if is_significant(row, search.level)]
    several = len(search.overall) > 1
    columns = [Column("model", key=True)] if several else []
    columns += [Column(name, key=True) for name in ("column", "segment")]
    columns += [Column(name, number=True) for name in ("users", "difference", "the rest", "p")]
    if not significant:
        line = [*([Cell("all")] if several else []), Cell("none"), *[Cell() for _ in range(5)]]
        group, text = Group("", [line]), search.no_change_text(rows)
        return Layout(columns, [group], text, search.omissions(), metric=search.metric)
    decimals = decimals_for(
        row[name] for row in significant for name in ("difference", "rest_difference")
    )
    lines = [
        [
            *([Cell(row["model"])] if several else []),
            *(Cell(row["column"]), Cell(_format_segment(row)), Cell(number(row["users"], 0))),
            *(
                Cell(number(row[name], decimals, sign=True))
                for name in ("difference", "rest_difference")
            ),
            Cell(format_p(row["p_adjusted"])),
        ]
        for row in significant
    ]
    differences = ", ".join(
        f"{model} {number(mean, decimals, sign=True)}" for model, mean in search.overall.items()
    )
    title = LabeledText(
        f"Where the difference by {search.metric} from ", search.baseline, " changes"
    )
    tests = format_count(sum(row["p"] is not None for row in rows), "tests")
    by_models = " of all models" * several
    notes = [
        f"all users: {differences}",
        REST,
        search.scope(rows),
        f"{TESTS} over {tests}{by_models}",
    ]
    described = [x for x in search.descriptions if x in {row["column"] for row in significant}]
    values = group_by(described, search.descriptions.__getitem__)
    notes += [f"{text}: {', '.join(names)}" for text, names in values.items()]
    notes += search.omissions()
    return Layout(columns, [Group("", lines)], title, notes, metric=search.metric)


def _format_segment(row: Row) -> str:
    return "unknown" if row["segment"] is None else str(row["segment"])
