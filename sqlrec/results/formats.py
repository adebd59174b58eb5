"""Output formats of tables, and the file endings that select them."""

from __future__ import annotations

from pathlib import Path

from ..display.text import Style, to_text
from ..errors import InputError
from ..layouts.result import name_for_papers
from .table import Table

# Formats by the ending of a file; other endings mean a text table.
ENDINGS = {
    ".csv": "csv",
    ".json": "json",
    ".md": "markdown",
    ".html": "html",
    ".tex": "latex",
    ".parquet": "parquet",
    ".txt": "table",
}
FORMATS = ("table", *dict.fromkeys(form for form in ENDINGS.values() if form != "table"))


def file_format(path: str) -> str:
    """Return the format for a file's ending."""
    ending = Path(path).suffix.lower()
    if ending and ending not in ENDINGS:
        raise InputError(
            f"-o {path}: the extension must be one of {', '.join(ENDINGS)}; or give --format"
        )
    return ENDINGS.get(ending, "table")


def format_table(
    table: Table,
    form: str,
    style: Style,
    *,
    long: bool = False,
    digits: int | None = None,
    caption: str | None = None,
    label: str = "",
) -> str:
    """Return a table in a text format."""
    if form != "latex" and (caption is not None or label):
        raise InputError(f"--caption and --label are of LaTeX tables, not of {form}")
    if form in ("csv", "json"):
        return table.to_csv() if form == "csv" else table.to_json()
    layout = table.layout(long=long, digits=digits)
    if form == "table":
        return to_text(layout, style)
    from ..display import html, papers

    if form == "latex":
        return papers.to_latex(layout.for_papers(name_for_papers), caption, label)
    return html.to_page(layout) if form == "html" else papers.to_markdown(layout)
