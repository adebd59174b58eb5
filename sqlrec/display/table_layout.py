"""The layout of a table as data, which each output format renders."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from ..records import Row
from .numbers import decimals_for, number

# Text for a missing value.
MISSING = "-"

# Text after the name of the baseline.
BASELINE = " (baseline)"

# Arrow for each direction of a metric.
ARROWS = {"higher": "↑", "lower": "↓"}

# The factor for a difference by direction: after multiplication, larger differences are better.
SIGNS = {"higher": 1, "lower": -1, "neither": 0}


class LabeledText(str):
    """A title or a note with model names; the parts alternate between text and names."""

    parts: tuple[str, ...]

    def __new__(cls, *parts: str) -> LabeledText:
        """Join the parts."""
        text = super().__new__(cls, "".join(parts))
        # The last part is text, not a name.
        text.parts = parts if len(parts) % 2 else (*parts, "")
        return text

    @classmethod
    def concat(cls, *texts: str) -> LabeledText:
        """Join texts, and keep model names marked as names."""
        parts = [""]
        for text in texts:
            first, *rest = text.parts if isinstance(text, LabeledText) else (text,)
            parts[-1] += first
            parts += rest
        return cls(*parts)

    def renamed(self, labels: Mapping[str, str]) -> LabeledText:
        """Return the text with renamed models."""
        parts = enumerate(self.parts)
        return LabeledText(
            *(labels.get(part, part) if index % 2 else part for index, part in parts)
        )


@dataclass(frozen=True)
class Cell:
    """A cell of a table."""

    text: str = ""
    spread: str = ""  # The interval, in a lighter style: ``±0.012`` or ``[0.031, 0.054]``.
    mark: str = ""  # A sign that the layout's notes explain, such as ``▲``, or superscript letters.
    best: bool = False  # Whether the value, or the model of the row, is the best one compared.
    # ``good`` or ``bad``, or empty. It sets the color; the text expresses the same.
    tone: str = ""

    @property
    def lettered(self) -> bool:
        """Whether the mark consists of letters."""
        return self.mark.isalpha()


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str  # The heading.
    group: str = ""  # The common heading of adjacent columns, as in ``ndcg``.
    arrow: str = ""  # The arrow for the direction of better values: ``↑`` or ``↓``.
    about: str = ""  # The description, in a sentence.
    number: bool = False  # Whether the column contains numbers, which are right-aligned.
    # Whether the column identifies the row. Key columns are repeated if the table is split.
    key: bool = False
    cut: bool = False  # Whether the column's text may be truncated at the end of the line.

    @property
    def full(self) -> str:
        """The name with its group and arrow, on one line."""
        return f"{self.group}{self.name} {self.arrow}".strip()


@dataclass(frozen=True)
class Group:
    """Rows with a common title, such as the rows of a segment."""

    title: str
    rows: list[list[Cell]]
    metric: str = ""  # The metric at the start of the title, if any.


@dataclass(frozen=True)
class Layout:
    """A table for display."""

    columns: list[Column]
    groups: list[Group]  # The rows in groups; a table without groups has one group without a title.
    title: str = ""  # The title, in a few words.
    notes: list[str] = field(default_factory=list)  # The notes below the table, a sentence each.
    best: str = ""  # The metric that decides which model is the best.
    metric: str = ""  # The metric that the title names, if any.
    lead: str = ""  # The decision, a sentence above the title.

    def rows(self) -> Iterator[list[Cell]]:
        """Iterate over the rows of all groups."""
        for group in self.groups:
            yield from group.rows

    def heading_groups(self) -> list[tuple[str, list[Column]]]:
        """Return groups of adjacent columns with their common heading, which may be empty."""
        runs = ((name, [*run]) for name, run in groupby(self.columns, lambda column: column.group))
        return [
            (name, [replace(column, group="") for column in run]) if len(run) > 1 else ("", run)
            for name, run in runs
        ]

    def legend(self, sign: str, by_column: bool = False) -> list[str]:
        """Return a note on the sign of the best model, or an empty list without a best model.

        Args:
            sign: The sign.
            by_column: Whether the sign marks the best value in each column instead of the best
                model.
        """
        if not any(cell.best for row in self.rows() for cell in row):
            return []
        by = "of each column" if by_column else f"by {self.best}" if self.best else ""
        return [f"{sign} best {by}".rstrip()]

    def limit_rows(self, limit: int | None) -> Layout:
        """Return the first rows, with a note on the number of omitted rows."""
        count = sum(len(group.rows) for group in self.groups)
        groups, remaining = [], count if limit is None else limit
        for group in self.groups:
            groups += [replace(group, rows=group.rows[:remaining])] if remaining > 0 else []
            remaining -= len(group.rows)
        return replace(self, groups=groups).with_more(-remaining)

    def select(self, indexes: Iterable[int]) -> Layout:
        """Return some of the columns."""
        kept = [*indexes]
        groups = [
            replace(group, rows=[[row[index] for index in kept] for row in group.rows])
            for group in self.groups
        ]
        return replace(self, columns=[self.columns[index] for index in kept], groups=groups)

    def drop_column(self, index: int) -> Layout:
        """Return the layout without a column."""
        return self.select(n for n in range(len(self.columns)) if n != index)

    def limit_columns(self, limit: int) -> Layout:
        """Return the first columns, with a note on the number of omitted columns."""
        first = self.select(range(min(limit, len(self.columns))))
        return first.with_more(len(self.columns) - limit, "columns")

    def with_more(self, count: int, what: str = "rows") -> Layout:
        """Return the layout with a note on omitted rows, if any."""
        notes = [f"... and {count:,} more {what}"] if count > 0 else []
        return replace(self, notes=[*notes, *self.notes])

    def for_papers(self, format_metric: Callable[[str], str]) -> Layout:
        """Return the layout with metric names for papers: NDCG for ndcg."""

        def change_column(column: Column) -> Column:
            if column.about and column.group:
                return replace(column, group=format_metric(column.group))
            return replace(column, name=format_metric(column.name)) if column.about else column

        def change_cell(column: Column, cell: Cell) -> Cell:
            if column.name not in ("metric", "metrics"):
                return cell
            # A comma within parentheses separates parameters.
            names = re.split(r", (?![^(]*\))", cell.text)
            return replace(cell, text=", ".join(map(format_metric, names)))

        def change_title(title: str, metric: str) -> str:
            if not metric:
                return title
            first, *rest = title.parts if isinstance(title, LabeledText) else (title,)
            return LabeledText(first.replace(metric, format_metric(metric), 1), *rest)

        layout = self._change_labels(change_column, change_cell, change_title)
        return replace(layout, best=self.best and format_metric(self.best))

    def renamed(self, labels: Mapping[str, str]) -> Layout:
        """Return the layout with renamed models, metrics and segments."""
        if not labels:
            return self

        def rename(text: str) -> str:
            return text.renamed(labels) if isinstance(text, LabeledText) else text

        def change_column(column: Column) -> Column:
            full_name = f"{column.group}{column.name}"
            if not (column.key or column.about or column.group):
                return replace(column, name=rename(column.name))
            if full_name in labels:
                return replace(column, group="", name=labels[full_name])
            name, group = (labels.get(text, text) for text in (column.name, column.group))
            return replace(column, name=name, group=group)

        def change_cell(column: Column, cell: Cell) -> Cell:
            name = cell.text.removesuffix(BASELINE)
            label = labels.get(name, name) if column.key else name
            return replace(cell, text=label + cell.text[len(name) :])

        layout = self._change_labels(
            change_column, change_cell, lambda title, _: labels.get(title, rename(title))
        )
        return replace(layout, notes=[*map(rename, self.notes)], lead=rename(self.lead))

    def _change_labels(
        self,
        change_column: Callable[[Column], Column],
        change_cell: Callable[[Column, Cell], Cell],
        change_title: Callable[[str, str], str],
    ) -> Layout:
        """Return the layout with changed columns, cells and titles; titles may name a metric."""
        groups = [
            replace(
                group,
                title=change_title(group.title, group.metric),
                rows=[[*map(change_cell, self.columns, row)] for row in group.rows],
            )
            for group in self.groups
        ]
        title = change_title(self.title, self.metric)
        return replace(
            self, columns=[*map(change_column, self.columns)], groups=groups, title=title
        )


def rows_layout(names: Sequence[str], rows: Sequence[Row]) -> Layout:
    """Return the layout of any rows, with their columns."""
    columns, cells = [], []
    # Rows are identified by the columns before the value that have several values.
    before = names[: names.index("value")] if "value" in names else []
    before = [name for name in before if name != "metric"]
    keys = [name for name in before if len({repr(row[name]) for row in rows}) > 1]
    for name in names:
        values = [row[name] for row in rows]
        numbers = [value for value in values if _is_number(value)]
        is_number = bool(numbers) and len(numbers) == sum(value is not None for value in values)
        are_whole = all(isinstance(value, int) for value in numbers)
        # Ids and cutoffs are numbers, but not quantities.
        plain = are_whole and (name == "k" or name.endswith("_id"))
        digits = 0 if are_whole else decimals_for(numbers)
        key = name == "model" or (not is_number and name in keys)
        columns.append(Column(name, number=is_number, key=key))
        cells.append([_value_cell(value, digits, plain) for value in values])
    return Layout(columns, [Group("", [[*row] for row in zip(*cells, strict=True)])])


def join_words(words: Sequence[str], limit: int = 8) -> LabeledText:
    """Join words for a sentence; a long list ends with the number of omitted words."""
    if len(words) > limit:
        words = [*words[: limit - 1], f"{len(words) - limit + 1} more"]
    first, *others = words
    texts = [text for word in others for text in (", ", word)]
    texts[-2:-1] = [" and "] * bool(others)
    return LabeledText.concat(first, *texts)


def join_names(names: Iterable[str], limit: int = 8) -> LabeledText:
    """Join model names for a sentence."""
    return join_words([LabeledText("", name) for name in names], limit)


def format_cell_text(value: Any) -> str:
    """Format a value, or a sign for a missing value."""
    return MISSING if value is None else str(value)


def to_sentence(note: str) -> str:
    """Format a note as a sentence; a single letter, as in p-values, keeps its case."""
    is_word = note[1:2].isalpha() or note.startswith("a ")
    first = note[:1].upper() if is_word else note[:1]
    return first + note[1:] + ("" if note.endswith(".") else ".")


def split_cutoff(request: str, k: int | None) -> tuple[str, str]:
    """Split the request of a metric into its name and cutoff: ``ndcg`` and ``@10``."""
    match = re.fullmatch(r"(.*?)\s*@\s*(\w+)\s*", request)
    return (match[1], f"@{match[2]}") if match else (request if k is None else f"{request}@{k}", "")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _value_cell(value: Any, digits: int, plain: bool) -> Cell:
    if value is None:
        return Cell()
    if _is_number(value) and not plain:
        return Cell(number(value, digits))
    return Cell(str(value))
