"""What a report is made of: sections of blocks, each written as HTML and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..display.html import to_html
from ..display.layout import Layout
from ..display.papers import to_markdown
from ..plots.chart import written
from ..plots.plot import Plot
from ..plots.svg import escaped
from ..results.evaluated import paper_name


def plain(text: Any) -> str:
    """Write a text so that Markdown takes it for nothing but text."""
    clean = "".join(c if c.isprintable() or c in "\u00a0\u202f" else " " for c in str(text))
    for sign, instead in (("\\", "\\\\"), ("&", "&amp;"), ("<", "&lt;"), ("|", "\\|")):
        clean = clean.replace(sign, instead)
    for sign in "`*_[]#":
        clean = clean.replace(sign, f"\\{sign}")
    return clean


@dataclass(frozen=True)
class Heading:
    """What the blocks below it tell."""

    text: str

    def html(self) -> str:
        """Write it for a page."""
        return f"<h3>{escaped(self.text)}</h3>"

    def markdown(self) -> str:
        """Write it as Markdown."""
        return f"### {plain(self.text)}"


@dataclass(frozen=True)
class Note:
    """A sentence; one that is missing says what to give for more; a page may have another."""

    text: str
    missing: bool = False
    of_page: str = ""

    def html(self) -> str:
        """Write it for a page."""
        kind = ' class="missing"' if self.missing else ""
        return f"<p{kind}>{escaped(f'{self.text} {self.of_page}'.strip())}</p>"

    def markdown(self) -> str:
        """Write it as Markdown."""
        return plain(self.text)


_SIGNS = {"best": "\u2605", "better": "\u25b2", "worse": "\u25bc", "open": "\u25cb"}


@dataclass(frozen=True)
class Verdict:
    """What is found of a model, with a sign: ``best``, ``better``, ``worse`` or ``open``."""

    kind: str
    text: str

    def html(self) -> str:
        """Write it for a page."""
        sign = f'<span aria-hidden="true">{_SIGNS[self.kind]}</span>'
        return f'<p class="verdict {self.kind}">{sign} {escaped(self.text)}</p>'

    def markdown(self) -> str:
        """Write it as Markdown."""
        return f"- {_SIGNS[self.kind]} {plain(self.text)}"


@dataclass(frozen=True)
class Grid:
    """A table of a few rows; the first column names them, numbers are written already."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1

    def html(self) -> str:
        """Write it for a page."""
        head = "".join(
            f'<th scope="col"{self._side(number)}>{escaped(name)}</th>'
            for number, name in enumerate(self.columns)
        )
        body = "".join(
            "<tr>"
            + "".join(
                f'<th scope="row">{escaped(cell)}</th>'
                if not number
                else f"<td{self._side(number)}>{escaped(cell)}</td>"
                for number, cell in enumerate(row)
            )
            + "</tr>"
            for row in self.rows
        )
        return (
            f'<div class="wide" role="region" tabindex="0" aria-label="{escaped(self.caption)}">'
            f"<table><caption>{escaped(self.caption)}</caption><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table></div>"
        )

    def _side(self, number: int) -> str:
        return "" if number < self.left else ' class="n"'

    def markdown(self) -> str:
        """Write it as Markdown."""
        rule = ["---" if number < self.left else "---:" for number in range(len(self.columns))]
        rows = [[plain(cell) for cell in row] for row in (self.columns, *self.rows)]
        rows.insert(1, rule)
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)


@dataclass(frozen=True)
class Laid:
    """A table of sqlrec as notebooks and papers have it."""

    layout: Layout
    title: str

    def html(self) -> str:
        """Write it for a page."""
        return to_html(replace(self.layout, title=self.title).for_papers(paper_name))

    def markdown(self) -> str:
        """Write it as Markdown."""
        return to_markdown(self.layout.for_papers(paper_name))


@dataclass(frozen=True)
class Picture:
    """A plot; Markdown has its words."""

    plot: Plot

    def html(self) -> str:
        """Write it for a page."""
        return self.plot.html()

    def markdown(self) -> str:
        """Write it as Markdown."""
        return plain(f"{self.plot.chart.title}. {self.plot.chart.about}")


@dataclass(frozen=True)
class Code:
    """A text as it is, such as SQL."""

    text: str

    def html(self) -> str:
        """Write it for a page."""
        lines = "\n".join(escaped(line.expandtabs(4)) for line in self.text.splitlines())
        return f'<pre tabindex="0"><code>{lines}</code></pre>'

    def markdown(self) -> str:
        """Write it as Markdown."""
        fence = "```"
        while fence in self.text:
            fence += "`"
        return f"{fence}\n{self.text}\n{fence}"


@dataclass(frozen=True)
class Folded:
    """Blocks that are opened by who wants to see them."""

    summary: str
    blocks: Sequence[Any]

    def html(self) -> str:
        """Write it for a page."""
        inside = "".join(block.html() for block in self.blocks)
        return f"<details><summary>{escaped(self.summary)}</summary>{inside}</details>"

    def markdown(self) -> str:
        """Write it as Markdown."""
        inside = "\n\n".join(block.markdown() for block in self.blocks)
        summary = escaped(self.summary)
        return f"<details><summary>{summary}</summary>\n\n{inside}\n\n</details>"


@dataclass(frozen=True)
class Loser:
    """A user who lost, with the lists of both models: items, and whether each is a hit.

    Beside them are some of the items that the user had before, of so many.
    """

    user: str
    told: str
    opened: bool
    lists: Sequence[tuple[str, Sequence[tuple[str, bool]]]]
    before: Sequence[str] = ()
    had: int = 0

    def html(self) -> str:
        """Write it for a page."""
        lists = "".join(
            f"<div><h3>{escaped(model)}</h3>"
            + (f"<ol>{''.join(map(_place, items))}</ol>" if items else "<p>no list</p>")
            + "</div>"
            for model, items in self.lists
        )
        if self.before:
            items = "".join(f"<li>{escaped(item)}</li>" for item in self.before)
            count = f"{len(self.before)} of {written(self.had)}" if self.had > 1 else "1"
            lists += f"<div><h3>had before: {count}</h3><ul>{items}</ul></div>"
        return (
            f"<details{' open' * self.opened}><summary><b>{escaped(self.user)}</b> "
            f"{escaped(self.told)}</summary>"
            f'<div class="lists">{lists}</div></details>'
        )

    def markdown(self) -> str:
        """Write it as Markdown."""
        return f"- **{plain(self.user)}** {plain(self.told)}"


def _place(place: tuple[str, bool]) -> str:
    item, hit = place
    if not hit:
        return f"<li>{escaped(item)}</li>"
    return f'<li class="hit"><b>{escaped(item)}</b> <span class="sign">\u2713 hit</span></li>'


@dataclass(frozen=True)
class Section:
    """A part of a report under a heading."""

    name: str
    title: str
    blocks: list[Any]
