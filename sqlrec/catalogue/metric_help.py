"""Layouts for lists of metrics and conventions, and the help text of a metric."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..display.table_layout import ARROWS, Cell, Column, Group, Layout
from ..display.text import wrap_lines

# headers.py and conventions.py import this module, so it can't import their classes.
Metric = Any
Convention = Any

# Indentation of the text of a header's entry.
_INDENT = " " * 10


def metrics_layout(metrics: Iterable[Metric], families: Iterable[str]) -> Layout:
    """Return the layout of metrics by family, with their direction and a one-line description."""
    metrics = [*metrics]
    groups = []
    for family in families:
        rows = [
            [
                Cell(metric.name),
                Cell(ARROWS.get(metric.better, "")),
                Cell(metric.meaning[:1].upper() + metric.meaning[1:]),
            ]
            for metric in metrics
            if metric.family == family
        ]
        groups += [Group(family, rows)] if rows else []
    columns = [Column("metric", key=True), Column(""), Column("what it is", cut=True)]
    notes = ["↑ higher is better, ↓ lower is better; `sqlrec show METRIC` describes one"]
    return Layout(columns, groups, notes=notes)


def conventions_layout(conventions: Iterable[Convention]) -> Layout:
    """Return the layout of conventions: the library, its version, and its metrics."""
    rows = []
    for convention in conventions:
        library = f"{convention.library} {convention.version}"
        library = library if convention.library else "sqlrec's own definitions"
        names = ", ".join(sorted({entry.metric for entry in convention.entries}))
        rows.append([Cell(convention.name), Cell(library), Cell(names)])
    columns = [Column("convention", key=True), Column("library"), Column("metrics")]
    return Layout(columns, [Group("", rows)])


def convention_layout(convention: Convention) -> Layout:
    """Return the layout of a convention: its metrics, with sqlrec's names, rules and notes."""
    rows = []
    for entry in convention.entries:
        settings = {**entry.params, **entry.rules}
        text = ", ".join(f"{name}={value}" for name, value in settings.items())
        rows.append([Cell(entry.name), Cell(entry.metric), Cell(text), Cell(entry.note)])
    columns = [Column("its name", key=True), Column("metric"), Column("chosen"), Column("note")]
    if not any(row[-1].text for row in rows):
        columns.pop()
        rows = [row[:-1] for row in rows]
    notes = [f"not here: {', '.join(convention.missing)}"] if convention.missing else []
    title = f"{convention.name}: {convention.library} {convention.version}".strip(": ")
    return Layout(columns, [Group("", rows)], title, notes)


def metric_text(metric: Metric, width: int | None) -> str:
    """Format the header of a metric, within a width."""
    lines: list[str] = []
    for block in _header_blocks(metric):
        lines += [""] if lines else []
        lines += _formula_lines(block, width) if block.startswith(" ") else wrap_lines(block, width)
    lines.append("")
    for label, text in metric.entries.items():
        for number, part in enumerate(_entry_parts(label, text)):
            head = label if not number else ""
            lines += wrap_lines(f"{head:<{len(_INDENT)}}{part}", width, _INDENT)
    return "\n".join(lines)


def _header_blocks(metric: Metric) -> list[str]:
    """Return the paragraphs above a header's entries, each on one line, and formulas unchanged."""
    text = re.split(rf"^{next(iter(metric.entries))} ", metric.header, flags=re.MULTILINE)[0]
    blocks = re.split(r"\n\s*\n", text.strip("\n"))
    return [
        block.rstrip() if block.startswith(" ") else " ".join(block.split())
        for block in filter(str.strip, blocks)
    ]


def _formula_lines(block: str, width: int | None) -> list[str]:
    """Split a formula into lines that fit: shorten fraction bars, and wrap other lines."""
    lines: list[str] = []
    for line in block.splitlines():
        lines += wrap_lines(line, width, " " * 8) if line.strip(" -") else [line[:width]]
    return lines


def _entry_parts(label: str, text: str) -> list[str]:
    parts = re.split(r"^(?=\w+ = )", text, flags=re.MULTILINE) if label == "Params" else [text]
    return [" ".join(part.split()) for part in parts if part.strip()]


def select_metrics(
    metrics: Mapping[str, Metric],
    word: str = "",
    family: str | None = None,
    needs: Iterable[str] = (),
) -> list[Metric]:
    """Select the metrics that match a word and a family, and that some inputs allow."""
    available = {*needs}
    selected = []
    for metric in metrics.values():
        texts = (metric.name, *metric.aliases, metric.family, metric.title)
        required = {need.table for need in metric.needs if not need.when}
        if word.lower() in " ".join(texts).lower() and family in (None, metric.family):
            selected += [metric] if not available or required <= available else []
    return selected
