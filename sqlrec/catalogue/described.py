"""The layouts of what there is: metrics, one of them, and the conventions of libraries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..display.layout import ARROWS, Cell, Column, Group, Layout
from ..display.text import wrap

# What headers.py and conventions.py, which show themselves by this module, read.
Metric = Any
Convention = Any

# How far the text of a header's entry is indented.
_INDENT = " " * 10


def of_metrics(metrics: Iterable[Metric], families: Iterable[str]) -> Layout:
    """List metrics by family: name, where better is, and a line of what each means."""
    found = [*metrics]
    groups = []
    for family in families:
        rows = [
            [Cell(one.name), Cell(ARROWS.get(one.better, "")), Cell(_upper(one.meaning))]
            for one in found
            if one.family == family
        ]
        groups += [Group(family, rows)] if rows else []
    columns = [Column("metric", key=True), Column(""), Column("what it is", cut=True)]
    notes = ["↑ higher is better, ↓ lower is better; `sqlrec show METRIC` tells all of one"]
    return Layout(columns, groups, notes=notes)


def of_conventions(conventions: Iterable[Convention]) -> Layout:
    """List conventions: the library and version of each, and its metrics."""
    rows = []
    for one in conventions:
        about = f"{one.library} {one.version}" if one.library else "what sqlrec does by itself"
        names = ", ".join(sorted({entry.metric for entry in one.entries}))
        rows.append([Cell(one.name), Cell(about), Cell(names)])
    columns = [Column("convention", key=True), Column("library"), Column("metrics")]
    return Layout(columns, [Group("", rows)])


def of_convention(convention: Convention) -> Layout:
    """Lay out a convention: its metrics, what they are here, and what is odd about them."""
    rows = []
    for entry in convention.entries:
        chosen = {**entry.params, **entry.rules}
        written = ", ".join(f"{name}={value}" for name, value in chosen.items())
        rows.append([Cell(entry.name), Cell(entry.metric), Cell(written), Cell(entry.note)])
    columns = [Column("its name", key=True), Column("metric"), Column("chosen"), Column("note")]
    if not any(row[-1].text for row in rows):
        columns.pop()
        rows = [row[:-1] for row in rows]
    notes = [f"not here: {', '.join(convention.missing)}"] if convention.missing else []
    title = f"{convention.name}: {convention.library} {convention.version}".strip(": ")
    return Layout(columns, [Group("", rows)], title, notes)


def metric_text(metric: Metric, width: int | None) -> str:
    """Write what a metric's header says, within a width."""
    lines: list[str] = []
    for block in _blocks(metric):
        lines += [""] if lines else []
        lines += _formula(block, width) if block.startswith(" ") else wrap(block, width)
    lines.append("")
    for label, text in metric.entries.items():
        for place, part in enumerate(_parts(label, text)):
            head = label if not place else ""
            lines += wrap(f"{head:<{len(_INDENT)}}{part}", width, _INDENT)
    return "\n".join(lines)


def metric_html(metric: Metric, sql: str) -> str:
    """Write what a metric's header says, and its SQL, as a part of a page."""
    from html import escape

    blocks = [
        f"<pre>{escape(block)}</pre>" if block.startswith(" ") else f"<p>{escape(block)}</p>"
        for block in _blocks(metric)
    ]
    entries = [
        f"<dt><b>{escape(label)}</b></dt>"
        + "".join(f"<dd>{escape(part)}</dd>" for part in _parts(label, text))
        for label, text in metric.entries.items()
    ]
    return (
        f'<div class="sqlrec">{"".join(blocks)}<dl>{"".join(entries)}</dl>'
        f"<details><summary>SQL</summary><pre>{escape(sql)}</pre></details></div>"
    )


def _blocks(metric: Metric) -> list[str]:
    """Return the paragraphs above a header's entries, each in a line, and formulas as they are."""
    text = re.split(rf"^{next(iter(metric.entries))} ", metric.header, flags=re.MULTILINE)[0]
    blocks = re.split(r"\n\s*\n", text.strip("\n"))
    return [
        block.rstrip() if block.startswith(" ") else " ".join(block.split())
        for block in filter(str.strip, blocks)
    ]


def _formula(block: str, width: int | None) -> list[str]:
    """Keep the lines of a formula; of those too wide, cut rules and break others."""
    lines: list[str] = []
    for line in block.splitlines():
        lines += wrap(line, width, " " * 8) if line.strip(" -") else [line[:width]]
    return lines


def _parts(label: str, text: str) -> list[str]:
    """Return the text of an entry; of parameters, one for each."""
    parts = re.split(r"^(?=\w+ = )", text, flags=re.MULTILINE) if label == "Params" else [text]
    return [" ".join(part.split()) for part in parts if part.strip()]


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def chosen(
    metrics: Mapping[str, Metric],
    word: str = "",
    family: str | None = None,
    needs: Iterable[str] = (),
) -> list[Metric]:
    """Return the metrics with a word in name, alias or meaning, of a family, that read inputs.

    Args:
        metrics: All of them.
        word: What is looked for, in any case.
        family: The family.
        needs: Inputs that there are: a metric that needs another one is left out.
    """
    there = {*needs}
    found = []
    for one in metrics.values():
        texts = (one.name, *one.aliases, one.title)
        required = {need.table for need in one.needs if not need.when}
        if word.lower() in " ".join(texts).lower() and family in (None, one.family):
            found += [one] if not there or required <= there else []
    return found
