"""Layouts as HTML for notebooks and pages, without scripts, with light and dark colors."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from ..safe_text import escape_control_characters
from .table_layout import Layout, to_sentence

# Text and background colors are inherited, so the table is dark on dark pages. A table that is too
# wide fades at the right edge until it is scrolled to the end.
STYLE = """\
.sqlrec{color:inherit;--good:#116329;--bad:#a40e26}
.sqlrec div{overflow-x:auto}
@media(prefers-color-scheme:dark){.sqlrec{--good:#7ee787;--bad:#ffa198}}
.sqlrec table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.5em 0}
.sqlrec caption{text-align:left;font-weight:600;padding:.2em .6em}
.sqlrec th,.sqlrec td{padding:.2em .6em;text-align:left;vertical-align:top;border:0;background:none}
.sqlrec .n{text-align:right}.sqlrec .n,.sqlrec .s{white-space:nowrap}
.sqlrec thead th{vertical-align:bottom;white-space:nowrap}
.sqlrec thead{border-bottom:1px solid}
.sqlrec tbody th{font-weight:400}
.sqlrec tbody th[scope=row]{max-width:22em;overflow-wrap:break-word}
.sqlrec tbody th[scope=rowgroup]{font-weight:600;padding-top:.7em}
.sqlrec small{display:block;opacity:.8;font-size:.85em}
.sqlrec p{margin:.2em .6em;max-width:60em;font-size:.9em;opacity:.85}
.sqlrec .good{color:var(--good)}.sqlrec .bad{color:var(--bad)}
@keyframes sqlrec{0%,98%{mask-image:linear-gradient(270deg,#0003,#000 3em)}99%,to{mask-image:none}}
@supports(animation-timeline:scroll()){@media screen{
.sqlrec div{animation:sqlrec linear both;animation-timeline:scroll(self inline)}}}
@media screen and (max-width:560px){.sqlrec .wide,.sqlrec .wide :is(caption,tbody){display:block}
.sqlrec .wide thead{display:none}.sqlrec .wide small{display:inline;margin-left:.4em}
.sqlrec .wide tr{display:flex;flex-wrap:wrap;padding:.2em 0}
.sqlrec .wide :is(th,td){padding:0 .6em}
.sqlrec .wide th[scope=row]{max-width:none;font-weight:600;order:-1}
.sqlrec .wide th:last-of-type:not([scope=rowgroup]){flex:1 0 75%}
.sqlrec .wide td:not([data-h]){display:none}
.sqlrec .wide td::before{content:attr(data-h) " ";opacity:.8}}"""

# The title of a layout without a title.
_TITLE = "Metrics by model"

# The maximum length of texts that do not wrap.
_SHORT = 16

# Tables with at most this number of columns stay tables on narrow screens. Rows of other tables
# become lines of names and values.
_NARROW = 3

_FOLDER = Path(__file__).parent


def to_html(layout: Layout, style: str = STYLE, *, caption: bool = True) -> str:
    """Return a layout as a part of a page, by default with its style and its title."""
    return (
        templates(_FOLDER)
        .get_template("table.html")
        .render(
            layout=layout,
            title=layout.title or _TITLE,
            caption=caption,
            style=Markup(style),
            notes=map(to_sentence, [*layout.legend("bold:", by_column=True), *layout.notes]),
            short=_SHORT,
            narrow=_NARROW,
        )
    )


def to_page(layout: Layout) -> str:
    """Return a layout as a page, with the title as its heading."""
    return html_page(layout.title or _TITLE, to_html(layout, caption=False))


def html_page(title: str, body: str) -> str:
    """Return a page with a heading, and with light and dark colors."""
    return templates(_FOLDER).get_template("page.html").render(title=title, body=body)


@cache
def templates(folder: Path) -> Environment:
    """Return the templates of a folder, which escape control characters and HTML."""

    def clean(value: Any) -> Any:
        is_text = isinstance(value, str) and not isinstance(value, Markup)
        return escape_control_characters(value) if is_text else value

    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        finalize=clean,
        trim_blocks=True,
        lstrip_blocks=True,
    )
