"""Layouts as LaTeX and Markdown tables, for papers and documents."""

from __future__ import annotations

import re
from importlib.metadata import version

from ..safe_text import escape_control_characters
from .table_layout import Cell, Layout, to_sentence

# Special characters of LaTeX, and symbols that need a LaTeX command.
_LATEX = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': "''",
    # At the start of a row, LaTeX would read these signs as arguments of the previous row's end.
    "[": "{[}",
    "*": "{*}",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "±": r"$\pm$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "▲": r"$^{\bigtriangleup}$",
    "▼": r"$^{\bigtriangledown}$",
    "✓": r"$+$",
    "✗": r"$\times$",
    "…": r"\dots{}",
}

# Special characters of Markdown.
_MARKDOWN = re.compile(r"([\\`*_{}\[\]#|~])")


def to_latex(layout: Layout, caption: str | None = None, label: str = "") -> str:
    """Return a layout as a LaTeX float, which needs only the package booktabs."""
    if caption is None:
        sentences = [layout.title, *layout.legend("in bold:", by_column=True), *layout.notes]
        sentences.append(f"Made with sqlrec {version('sqlrec')}")
        caption = " ".join(to_sentence(text) for text in sentences if text)
    columns = layout.columns
    kinds = ["r" if column.number else "l" for column in columns]
    lines = [r"\begin{table}", r"\centering", rf"\caption{{{_escape_latex(caption)}}}"]
    lines += [rf"\label{{{label}}}"] if label else []
    # Classes leave no space below a caption above the table.
    lines.append(r"\par\smallskip")
    lines.append(rf"\begin{{tabular}}{{{''.join(kinds)}}}")
    lines += [r"\toprule", *_latex_head(layout), r"\midrule"]
    for number, group in enumerate(layout.groups):
        if group.title:
            lines += [r"\addlinespace"] * bool(number)
            title = _escape_latex(group.title)
            lines.append(rf"\multicolumn{{{len(columns)}}}{{l}}{{\textit{{{title}}}}} \\")
        for row in group.rows:
            lines.append(f"{' & '.join(map(_latex_cell, row))} \\\\")
    lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join(lines)


def to_markdown(layout: Layout) -> str:
    """Return a layout as a Markdown table, with its notes below."""
    head = [markdown_text(column.full) for column in layout.columns]
    rule = ["---:" if column.number else "---" for column in layout.columns]
    lines = [markdown_text(layout.lead), ""] if layout.lead else []
    lines += [f"**{markdown_text(layout.title)}**", ""] if layout.title else []
    lines += [f"| {' | '.join(cells)} |" for cells in (head, rule)]
    for group in layout.groups:
        if group.title:
            cells = [f"**{markdown_text(group.title)}**", *[""] * (len(head) - 1)]
            lines.append(f"| {' | '.join(cells)} |")
        lines += [f"| {' | '.join(map(_markdown_cell, row))} |" for row in group.rows]
    notes = [*layout.legend("bold:", by_column=True), *layout.notes]
    if notes:
        lines += ["", " ".join(markdown_text(to_sentence(note)) for note in notes)]
    return "\n".join(lines)


def _escape_latex(text: str) -> str:
    text = "".join(_LATEX.get(sign, sign) for sign in escape_control_characters(text))
    # Two hyphens would become a dash.
    return text.replace("--", "-{}-{}")


def _latex_head(layout: Layout) -> list[str]:
    """Format the lines above the rows: the headings, and rules below groups of columns."""
    runs = layout.heading_groups()
    names = [_escape_latex(column.full) for _, run in runs for column in run]
    last = f"{' & '.join(names)} \\\\"
    if not any(group for group, _ in runs):
        return [last]
    groups, rules, column = [], [], 1
    for group, run in runs:
        if group:
            groups.append(rf"\multicolumn{{{len(run)}}}{{c}}{{{_escape_latex(group)}}}")
            rules.append(rf"\cmidrule(lr){{{column}-{column + len(run) - 1}}}")
        else:
            groups += [""] * len(run)
        column += len(run)
    return [f"{' & '.join(groups)} \\\\", " ".join(rules), last]


def _latex_number(text: str) -> str:
    """Return a number with a minus instead of a hyphen."""
    return re.sub(r"^-(?=\d)", lambda _: "$-$", _escape_latex(text))


def _latex_cell(cell: Cell) -> str:
    text = _latex_number(cell.text)
    text = rf"\textbf{{{text}}}" if cell.best else text
    mark = _escape_latex(cell.mark)
    text += rf"\textsuperscript{{{mark}}}" if cell.lettered else mark
    # Without braces, LaTeX would read the bracket as an argument of the previous row's end.
    return text + (rf" {{\footnotesize {_latex_number(cell.spread)}}}" if cell.spread else "")


def markdown_text(text: str) -> str:
    """Return a string with the special characters of Markdown escaped."""
    text = _MARKDOWN.sub(r"\\\1", escape_control_characters(text))
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _markdown_cell(cell: Cell) -> str:
    text = markdown_text(cell.text)
    # For an empty text, Markdown would print the emphasis signs.
    if text.strip():
        text = f"**{text}**" if cell.best else text
    mark = markdown_text(cell.mark)
    text += f"<sup>{mark}</sup>" if cell.lettered else mark
    return f"{text} {markdown_text(cell.spread)}".strip()
