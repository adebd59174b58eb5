"""A table as it is looked at, as data: each output writes the same layout in its own signs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from .numbers import decimals_for, number

# What stands where there is no value.
MISSING = "-"

# What follows the name of the model that others are compared with.
BASELINE = " (baseline)"

# What a metric's direction looks like, where a better model has higher or lower values.
ARROWS = {"higher": "↑", "lower": "↓"}

# What a difference is multiplied by, so that more is better.
SIGNS = {"higher": 1, "lower": -1, "neither": 0}


class Spoken(str):
    """A title or a note that names models: of its parts every second one is a name."""

    parts: tuple[str, ...]

    def __new__(cls, *parts: str) -> Spoken:
        """Put parts together."""
        spoken = super().__new__(cls, "".join(parts))
        # The last part is not a name.
        spoken.parts = parts if len(parts) % 2 else (*parts, "")
        return spoken

    @classmethod
    def joined(cls, notes: Sequence[str]) -> Spoken:
        """Put notes into one, apart by semicolons."""
        parts = [""]
        for place, note in enumerate(notes):
            first, *rest = note.parts if isinstance(note, Spoken) else (note,)
            parts[-1] += f"{'; ' if place else ''}{first}"
            parts += rest
        return cls(*parts)

    def renamed(self, labels: Mapping[str, str]) -> Spoken:
        """Return it with other names."""
        parts = enumerate(self.parts)
        return Spoken(*(labels.get(part, part) if place % 2 else part for place, part in parts))


@dataclass(frozen=True)
class Cell:
    """A cell of a table.

    Attributes:
        text: What it says.
        spread: The interval of the value, less prominent: ``±0.012`` or ``[0.031, 0.054]``.
        mark: A sign, which the layout's notes explain: ``▲``; or letters, which stand above.
        best: Whether the value is the best among those it is compared with.
        tied: Whether it is not told apart from the best.
        tone: ``good`` or ``bad`` news, or empty. The text says it too: colour says nothing alone.
    """

    text: str = ""
    spread: str = ""
    mark: str = ""
    best: bool = False
    tied: bool = False
    tone: str = ""

    @property
    def lettered(self) -> bool:
        """Whether its mark is letters."""
        return self.mark.isalpha()


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        name: What stands above it.
        group: What stands above it and its neighbours of the same group, as in ``ndcg``.
        arrow: Where better is, ``↑`` or ``↓``.
        about: What it means, in a sentence.
        number: Whether it holds numbers, which stand to the right.
        key: Whether it names the row: it is repeated where a table is too wide.
        cut: Whether its text may be cut off where the line ends.
        spare: Above 0 it is left out where lines are too short, the highest first.
    """

    name: str
    group: str = ""
    arrow: str = ""
    about: str = ""
    number: bool = False
    key: bool = False
    cut: bool = False
    spare: int = 0

    @property
    def full(self) -> str:
        """The name with its group and arrow, in a line."""
        return f"{self.group}{self.name} {self.arrow}".strip()


@dataclass(frozen=True)
class Group:
    """Rows that stand together under a title, such as those of a segment."""

    title: str
    rows: list[list[Cell]]


@dataclass(frozen=True)
class Layout:
    """A table as it is looked at.

    Attributes:
        columns: Its columns.
        groups: Its rows, in groups; one without title where there are no groups.
        title: What it shows, in a few words.
        notes: What has to be said below it, a sentence each.
        tied: What it means that a value is not told apart from the best.
        metric: The metric with which the title begins, if it is of one.
    """

    columns: list[Column]
    groups: list[Group]
    title: str = ""
    notes: list[str] = field(default_factory=list)
    tied: str = ""
    metric: str = ""

    def rows(self) -> Iterator[list[Cell]]:
        """Go through the rows of all groups."""
        for group in self.groups:
            yield from group.rows

    def runs(self) -> list[tuple[str, list[Column]]]:
        """Part the columns: what stands above several of them, else nothing, and those below."""
        runs = ((group, [*those]) for group, those in groupby(self.columns, lambda one: one.group))
        return [
            (group, [replace(one, group="") for one in those]) if len(those) > 1 else ("", those)
            for group, those in runs
        ]

    def has(self, mark: str) -> bool:
        """Say whether a cell is marked in a way: ``best`` or ``tied``."""
        return any(getattr(cell, mark) for row in self.rows() for cell in row)

    def legend(self, best: str, tied: str) -> list[str]:
        """Say what the signs of the best values mean, if there are any: a note, or none."""
        found = [best] if self.has("best") else []
        found += [f"{tied} {self.tied}"] if self.has("tied") else []
        return ["; ".join(found)] if found else []

    def first(self, most: int | None) -> Layout:
        """Return the first rows, with a note of how many are left out."""
        groups, left = [], sum(len(group.rows) for group in self.groups) if most is None else most
        for group in self.groups:
            groups += [Group(group.title, group.rows[:left])] if left > 0 else []
            left -= len(group.rows)
        return replace(self, groups=groups).with_more(-left)

    def narrow(self, most: int) -> Layout:
        """Return the first columns, with a note of how many are left out."""
        groups = [Group(group.title, [row[:most] for row in group.rows]) for group in self.groups]
        shown = replace(self, columns=self.columns[:most], groups=groups)
        return shown.with_more(len(self.columns) - most, "columns")

    def with_more(self, count: int, what: str = "rows") -> Layout:
        """Return it with a note that so many rows are not shown, if there are any."""
        notes = [f"... and {count:,} more {what}"] if count > 0 else []
        return replace(self, notes=[*notes, *self.notes])

    def for_papers(self, written: Callable[[str], str]) -> Layout:
        """Return it with names of metrics as papers write them: NDCG for ndcg."""
        places = [place for place, column in enumerate(self.columns) if column.name == "metric"]
        columns = []
        for column in self.columns:
            if column.about and column.group:
                column = replace(column, group=written(column.group))
            elif column.about:
                column = replace(column, name=written(column.name))
            columns.append(column)
        groups = [
            Group(
                group.title,
                [
                    [
                        replace(cell, text=written(cell.text)) if place in places else cell
                        for place, cell in enumerate(row)
                    ]
                    for row in group.rows
                ],
            )
            for group in self.groups
        ]
        title = self.title
        if self.metric and isinstance(title, Spoken):
            begin, *rest = title.parts
            title = Spoken(begin.replace(self.metric, written(self.metric), 1), *rest)
        return replace(self, columns=columns, groups=groups, title=title)

    def renamed(self, labels: Mapping[str, str]) -> Layout:
        """Return it with other names of models, metrics and what else has one."""
        if not labels:
            return self

        def said(text: str) -> str:
            return text.renamed(labels) if isinstance(text, Spoken) else text

        def named(column: Column, cell: Cell) -> Cell:
            name = cell.text.removesuffix(BASELINE)
            other = labels.get(name, name) if column.key else name
            return replace(cell, text=other + cell.text[len(name) :])

        columns = []
        for column in self.columns:
            whole = f"{column.group}{column.name}"
            if not (column.key or column.about or column.group):
                column = replace(column, name=said(column.name))
            elif whole in labels:
                column = replace(column, group="", name=labels[whole])
            else:
                name, group = (labels.get(text, text) for text in (column.name, column.group))
                column = replace(column, name=name, group=group)
            columns.append(column)
        groups = [
            Group(
                labels.get(group.title, group.title),
                [[*map(named, self.columns, row)] for row in group.rows],
            )
            for group in self.groups
        ]
        notes = [said(note) for note in self.notes]
        return replace(self, columns=columns, groups=groups, title=said(self.title), notes=notes)


def of_rows(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Layout:
    """Lay out any rows as they are: a column for each of theirs."""
    columns, cells = [], []
    # What rows are told apart by: words that differ before the first value.
    before = names[: names.index("value")] if "value" in names else []
    keys = [one for one in before if one != "metric" and len({repr(row[one]) for row in rows}) > 1]
    for name in names:
        values = [row[name] for row in rows]
        numbers = [value for value in values if _is_number(value)]
        is_number = bool(numbers) and len(numbers) == sum(value is not None for value in values)
        whole = all(isinstance(value, int) for value in numbers)
        # Numbers that name something, as ids and cutoffs do, are no quantities.
        plain = whole and (name == "k" or name.endswith("_id"))
        digits = 0 if whole else decimals_for(numbers)
        key = name == "model" or (not is_number and name in keys)
        columns.append(Column(name, number=is_number, key=key))
        cells.append([_cell(value, digits, plain) for value in values])
    return Layout(columns, [Group("", [[*row] for row in zip(*cells, strict=True)])])


def text_of(value: Any) -> str:
    """Write a value; a sign stands where there is none."""
    return MISSING if value is None else str(value)


def sentence(note: str) -> str:
    """Write a note as a sentence; a letter alone, as of p values, stays as it is."""
    first = note[:1].upper() if note[1:2].isalpha() else note[:1]
    return first + note[1:] + ("" if note.endswith(".") else ".")


def halves(asked: str, k: int | None) -> tuple[str, str]:
    """Part a metric as it was written into its name and its cutoff: ``ndcg`` and ``@10``."""
    found = re.fullmatch(r"(.*?)\s*@\s*(\w+)\s*", asked)
    return (found[1], f"@{found[2]}") if found else (asked if k is None else f"{asked}@{k}", "")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _cell(value: Any, digits: int, plain: bool) -> Cell:
    if value is None:
        return Cell()
    if _is_number(value) and not plain:
        return Cell(number(value, digits))
    return Cell(str(value))
