"""Sections and blocks of a report, which templates render as HTML and as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup, escape

from ..display.html import templates, to_html
from ..display.papers import markdown_text, to_markdown
from ..display.table_layout import Cell, Column, Group, Layout
from ..layouts.result import name_for_papers
from ..plots.plot import PAGE, Plot
from ..safe_text import escape_control_characters

# Signs of verdicts, in addition to colors.
SIGNS = {"best": "\u2605", "better": "\u25b2", "worse": "\u25bc", "open": "\u25cb"}
SIGNS |= {"pass": "\u2713", "fail": "\u2717"}


@dataclass(frozen=True)
class Note:
    """A sentence. Markdown omits ``page_text`` and notes on ``missing`` inputs."""

    text: str
    missing: bool = False
    page_text: str = ""
    bold: bool = False


@dataclass(frozen=True)
class Verdict:
    """A finding with a sign: ``best``, ``better``, ``worse``, ``open``, ``pass`` or ``fail``."""

    kind: str
    text: str


@dataclass(frozen=True)
class LayoutTable:
    """A table of sqlrec, displayed as in notebooks and papers."""

    layout: Layout
    title: str


@dataclass(frozen=True)
class Picture:
    """A plot, which Markdown omits."""

    plot: Plot


@dataclass(frozen=True)
class Code:
    """Preformatted text, such as SQL."""

    text: str


@dataclass(frozen=True)
class Folded:
    """Blocks that are collapsed at first. Markdown omits blocks that are ``page_only``."""

    summary: str
    blocks: Sequence[Any]
    page_only: bool = False


@dataclass(frozen=True)
class Topic:
    """Blocks under a heading, which stay together on a page."""

    name: str
    blocks: Sequence[Any]


@dataclass(frozen=True)
class UserLoss:
    """A user with a loss, and the lists of both models."""

    user: str  # The name of the user.
    summary: str  # The values of both models.
    opened: bool  # Whether the lists are visible at first.
    # The items of each model. A value is true for a hit.
    lists: Sequence[tuple[str, Sequence[tuple[str, bool]]]]
    history: Sequence[str] = ()  # Some items of the user's history.
    history_size: int = 0  # The number of all items in the history.


@dataclass(frozen=True)
class Section:
    """A part of a report under a heading."""

    name: str
    title: str
    blocks: list[Any]


def texts_table(title: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> LayoutTable:
    """Return a table of texts; the first column identifies the rows."""
    columns = [Column(name, number=name == "rows", key=not at) for at, name in enumerate(names)]
    lines = [[Cell(text) for text in row] for row in rows]
    return LayoutTable(Layout(columns, [Group("", lines)]), title)


def fold_blocks(summary: str, texts: Sequence[str]) -> str:
    """Return Markdown that is collapsed at first, with a title."""
    return "\n\n".join([f"<details><summary>{escape(summary)}</summary>", *texts, "</details>"])


def to_html_block(block: Any) -> Markup:
    """Return a block as HTML."""
    return Markup(_templates().get_template("blocks.html").module.show(block))  # type: ignore[attr-defined]


def to_markdown_block(block: Any) -> str:
    """Return a block as Markdown; plots and notes on missing inputs are empty."""
    match block:
        case Topic(name, blocks):
            return "\n".join([f"### {markdown_text(name)}", *_markdown_lines(blocks)])
        case Note(text, missing=False, bold=bold):
            return f"**{markdown_text(text)}**" if bold else markdown_text(text)
        case Verdict(kind, text):
            return f"- {SIGNS[kind]} {markdown_text(text)}"
        case LayoutTable(layout):
            return to_markdown(layout.for_papers(name_for_papers))
        case Code(text):
            fence = "`" * (3 + text.count("```"))
            return f"{fence}\n{text}\n{fence}"
        case Folded(summary, blocks, page_only=False):
            return fold_blocks(summary, [to_markdown_block(inside) for inside in blocks])
        case UserLoss(user, summary):
            return f"- **{markdown_text(user)}** {markdown_text(summary)}"
    return ""


def _markdown_lines(blocks: Iterable[Any]) -> list[str]:
    """Return blocks as Markdown, with an empty line between blocks that are not lines of a list."""
    lines: list[str] = []
    for block in blocks:
        if text := to_markdown_block(block):
            lines += [*([""] if lines and not isinstance(block, Verdict) else []), text]
    return lines


@dataclass(frozen=True)
class Part:
    """A part of a section in Markdown: a topic, a table, or a block."""

    section: str  # The title of the section.
    name: str  # The heading, or the title of the table.
    text: str  # The Markdown with the heading.
    body: Sequence[str]  # The Markdown without the heading.

    @property
    def lines(self) -> int:
        """The number of lines."""
        return self.text.count("\n") + 1


def split_parts(section: Section) -> list[Part]:
    """Split a section at its blocks."""
    parts = []
    for block in section.blocks:
        if text := to_markdown_block(block):
            name = {Topic: "name", LayoutTable: "title"}.get(type(block))
            body = _markdown_lines(block.blocks) if isinstance(block, Topic) else [text]
            title = getattr(block, name) if name else section.title
            parts.append(Part(section.title, title, text, body))
    return parts


def render_page(title: str, about: str, sections: Sequence[Section]) -> str:
    """Return the page of a report."""
    style = PAGE + Path(__file__).with_name("style.css").read_text(encoding="utf-8")
    page = _templates().get_template("page.html")
    return page.render(
        title=title, about=about, sections=sections, style=Markup(style), show=to_html_block
    )


@cache
def _templates() -> Environment:
    """Return the templates of reports."""
    environment = templates(Path(__file__).parent)
    environment.globals["signs"] = SIGNS
    environment.filters |= {
        "kind": lambda block: type(block).__name__,
        "lines": lambda code: Markup("\n").join(
            map(escape_control_characters, code.expandtabs(4).splitlines())
        ),
        "table": lambda block: Markup(
            to_html(replace(block.layout, title=block.title).for_papers(name_for_papers), style="")
        ),
    }
    return environment
