"""Layouts as HTML for notebooks and pages, without scripts, with light and dark colours."""

from __future__ import annotations

from html import escape

from ..safe_text import printable
from .layout import Cell, Column, Layout, sentence

# Text and background colours are inherited, so the table is dark on dark pages. A table fades at
# the right edge until it is scrolled to its end; without overflow it does not fade.
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
.sqlrec div{animation:sqlrec linear both;animation-timeline:scroll(self inline)}}}"""

# The title of a layout without a title.
_TITLE = "Metrics by model"

# Maximum length of texts that do not wrap.
_SHORT = 16


def to_html(layout: Layout, style: str = STYLE) -> str:
    """Return a layout as a part of a page, by default with its style."""
    title = layout.title or _TITLE
    head = "".join(_head(layout))
    body = "".join(_body(layout))
    notes = [*layout.legend("bold:"), *layout.notes]
    below = "".join(f"<p>{_text(sentence(note))}</p>" for note in notes)
    return (
        f'<div class="sqlrec">{style and f"<style>{style}</style>"}'
        f'<div role="group" aria-label="{_text(title)}" tabindex="0">'
        f"<table><caption>{_text(title)}</caption><thead>{head}</thead>{body}</table></div>"
        f"{below}</div>"
    )


def to_page(layout: Layout) -> str:
    """Return a layout as a page, with the title as its heading."""
    title = layout.title or _TITLE
    return page(title, to_html(layout).replace(f"<caption>{_text(title)}</caption>", "", 1))


def page(title: str, body: str) -> str:
    """Return a page with a heading, which has light and dark colours."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<title>{_text(title)}</title>\n"
        "<style>:root{color-scheme:light dark}body{font:1rem/1.45 system-ui,sans-serif;margin:1rem;"
        "color:light-dark(#1f2328,#e6edf3);background:light-dark(#fff,#0d1117)}"
        "h1{font-size:1.2rem;margin:0 .5em}</style>\n"
        f"</head>\n<body>\n<main>\n<h1>{_text(title)}</h1>\n{body}\n</main>\n</body>\n</html>"
    )


def _text(text: str) -> str:
    return escape(printable(text))


def _head(layout: Layout) -> list[str]:
    """Return the head, in two rows if a metric has several cutoffs."""
    runs = layout.runs()
    if not any(group for group, _ in runs):
        cells = [
            _above(column, column.group + column.name, column.arrow) for column in layout.columns
        ]
        return [f"<tr>{''.join(cells)}</tr>"]
    first, second = [], []
    for group, columns in runs:
        if group:
            span = f'<th scope="colgroup" colspan="{len(columns)}"{_about(columns[0])}>'
            first.append(f"{span}{_text(group)} {columns[0].arrow}</th>")
            second += [_above(column, column.name, "") for column in columns]
        else:
            first += [
                _above(column, column.group + column.name, column.arrow, ' rowspan="2"')
                for column in columns
            ]
    return [f"<tr>{''.join(cells)}</tr>" for cells in (first, second)]


def _about(column: Column) -> str:
    return f' title="{_text(column.about)}"' if column.about else ""


def _above(column: Column, name: str, arrow: str, more: str = "") -> str:
    kind = ' class="n"' if column.number else ""
    text = f"{_text(name)} {arrow}".strip()
    return f'<th scope="col"{more}{kind}{_about(column)}>{text}</th>'


def _body(layout: Layout) -> list[str]:
    parts = []
    for group in layout.groups:
        rows = [f"<tr>{''.join(_row(row, layout.columns))}</tr>" for row in group.rows]
        if group.title:
            span = f'<th scope="rowgroup" colspan="{len(layout.columns)}">'
            rows.insert(0, f"<tr>{span}{_text(group.title)}</th></tr>")
        parts.append(f"<tbody>{''.join(rows)}</tbody>")
    return parts


def _row(row: list[Cell], columns: list[Column]) -> list[str]:
    cells = []
    for cell, column in zip(row, columns, strict=True):
        kinds = ["n" if column.number else "s" if len(cell.text) <= _SHORT else "", cell.tone]
        kinds = [*filter(None, kinds)]
        kind = f' class="{" ".join(kinds)}"' if kinds else ""
        text = _text(cell.text)
        text = f"<b>{text}</b>" if cell.best else text
        mark = _text(cell.mark)
        text += f"<sup>{mark}</sup>" if cell.lettered else mark
        if cell.spread:
            text += f"<small>{_text(cell.spread)}</small>"
        tag, scope = ("th", ' scope="row"') if column.key else ("td", "")
        cells.append(f"<{tag}{scope}{kind}>{text}</{tag}>")
    return cells
