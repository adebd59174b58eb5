"""Sections and blocks of a report, which render as HTML and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..display.html import to_html
from ..display.layout import Layout
from ..display.papers import to_markdown
from ..plots.chart import format_value
from ..plots.plot import Plot
from ..plots.svg import escaped
from ..results.result_layout import paper_name


def plain(text: Any) -> str:
    """Return a text with the special characters of Markdown escaped."""
    clean = "".join(c if c.isprintable() or c in "\u00a0\u202f" else " " for c in str(text))
    for sign, replacement in (("\\", "\\\\"), ("&", "&amp;"), ("<", "&lt;"), ("|", "\\|")):
        clean = clean.replace(sign, replacement)
    for sign in "`*_[]#":
        clean = clean.replace(sign, f"\\{sign}")
    return clean


def folded(summary: str, texts: Sequence[str]) -> str:
    """Return Markdown that is collapsed at first."""
    inside = "\n\n".join(texts)
    return f"<details><summary>{escaped(summary)}</summary>\n\n{inside}\n\n</details>"


@dataclass(frozen=True)
class Heading:
    """A heading above blocks."""

    text: str

    def html(self) -> str:
        """Return the block as HTML."""
        return f"<h3>{escaped(self.text)}</h3>"

    def markdown(self) -> str:
        """Return the block as Markdown."""
        return f"### {plain(self.text)}"


@dataclass(frozen=True)
class Note:
    """A sentence; Markdown leaves out ``page_text``, and notes on ``missing`` inputs."""

    text: str
    missing: bool = False
    page_text: str = ""

    def html(self) -> str:
        """Return the block as HTML."""
        kind = ' class="missing"' if self.missing else ""
        return f"<p{kind}>{escaped(f'{self.text} {self.page_text}'.strip())}</p>"

    def markdown(self) -> str:
        """Return the block as Markdown."""
        return "" if self.missing else plain(self.text)


_SIGNS = {"best": "\u2605", "better": "\u25b2", "worse": "\u25bc", "open": "\u25cb"}


@dataclass(frozen=True)
class Verdict:
    """A finding with a sign: ``best``, ``better``, ``worse`` or ``open``."""

    kind: str
    text: str

    def html(self) -> str:
        """Return the block as HTML."""
        sign = f'<span aria-hidden="true">{_SIGNS[self.kind]}</span>'
        return f'<p class="verdict {self.kind}">{sign} {escaped(self.text)}</p>'

    def markdown(self) -> str:
        """Return the block as Markdown."""
        return f"- {_SIGNS[self.kind]} {plain(self.text)}"


@dataclass(frozen=True)
class Grid:
    """A table of formatted cells; the first column identifies the rows."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: int = 1

    def html(self) -> str:
        """Return the block as HTML."""
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
        """Return the block as Markdown."""
        rule = ["---" if number < self.left else "---:" for number in range(len(self.columns))]
        rows = [[plain(cell) for cell in row] for row in (self.columns, *self.rows)]
        rows.insert(1, rule)
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)


@dataclass(frozen=True)
class LayoutTable:
    """A table of sqlrec, as in notebooks and papers."""

    layout: Layout
    title: str

    def html(self) -> str:
        """Return the block as HTML."""
        return to_html(replace(self.layout, title=self.title).for_papers(paper_name))

    def markdown(self) -> str:
        """Return the block as Markdown."""
        return to_markdown(self.layout.for_papers(paper_name))


@dataclass(frozen=True)
class Picture:
    """A plot, which Markdown leaves out."""

    plot: Plot

    def html(self) -> str:
        """Return the block as HTML."""
        return self.plot.html()

    def markdown(self) -> str:
        """Return the block as Markdown."""
        return ""


@dataclass(frozen=True)
class Code:
    """A preformatted text, such as SQL."""

    text: str

    def html(self) -> str:
        """Return the block as HTML."""
        lines = "\n".join(escaped(line.expandtabs(4)) for line in self.text.splitlines())
        return f'<pre tabindex="0"><code>{lines}</code></pre>'

    def markdown(self) -> str:
        """Return the block as Markdown."""
        fence = "```"
        while fence in self.text:
            fence += "`"
        return f"{fence}\n{self.text}\n{fence}"


@dataclass(frozen=True)
class Folded:
    """Blocks that are collapsed at first."""

    summary: str
    blocks: Sequence[Any]

    def html(self) -> str:
        """Return the block as HTML."""
        inside = "".join(block.html() for block in self.blocks)
        return f"<details><summary>{escaped(self.summary)}</summary>{inside}</details>"

    def markdown(self) -> str:
        """Return the block as Markdown."""
        return folded(self.summary, [block.markdown() for block in self.blocks])


@dataclass(frozen=True)
class UserLoss:
    """A user with a loss, and the lists of both models.

    Attributes:
        user: The name of the user.
        summary: The values of both models.
        opened: Whether the lists are visible at first.
        lists: For each model its items, each with whether it is a hit.
        history: Some items of the user's history.
        history_size: The number of all items in the history.
    """

    user: str
    summary: str
    opened: bool
    lists: Sequence[tuple[str, Sequence[tuple[str, bool]]]]
    history: Sequence[str] = ()
    history_size: int = 0

    def html(self) -> str:
        """Return the block as HTML."""
        lists = "".join(
            f"<div><h3>{escaped(model)}</h3>"
            + (f"<ol>{''.join(map(_list_item, items))}</ol>" if items else "<p>no list</p>")
            + "</div>"
            for model, items in self.lists
        )
        if self.history:
            items = "".join(f"<li>{escaped(item)}</li>" for item in self.history)
            size = self.history_size
            count = f"{len(self.history)} of {format_value(size)}" if size > 1 else "1"
            lists += f"<div><h3>had before: {count}</h3><ul>{items}</ul></div>"
        return (
            f"<details{' open' * self.opened}><summary><b>{escaped(self.user)}</b> "
            f"{escaped(self.summary)}</summary>"
            f'<div class="lists">{lists}</div></details>'
        )

    def markdown(self) -> str:
        """Return the block as Markdown."""
        return f"- **{plain(self.user)}** {plain(self.summary)}"


def _list_item(list_item: tuple[str, bool]) -> str:
    item, hit = list_item
    if not hit:
        return f"<li>{escaped(item)}</li>"
    return f'<li class="hit"><b>{escaped(item)}</b> <span class="sign">\u2713 hit</span></li>'


@dataclass(frozen=True)
class Section:
    """A part of a report under a heading."""

    name: str
    title: str
    blocks: list[Any]
