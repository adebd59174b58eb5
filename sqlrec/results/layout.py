"""Rows as people read them: text, Markdown and HTML."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

from ..shown import printable
from .rows import Rows

if TYPE_CHECKING:
    import pyarrow as pa


def cells(rows: pa.Table | Rows) -> list[list[str]]:
    """Return all cells as text, row by row."""
    return [[_cell(value) for value in row.values()] for row in rows.to_pylist()]


def as_text(rows: pa.Table | Rows, most: int = 60) -> str:
    """Lay rows out for a terminal: aligned columns, numbers to the right."""
    body = cells(rows.slice(0, most))
    table = [[printable(cell) for cell in row] for row in (rows.column_names, *body)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    right = [_is_number(column.type) for column in rows.schema]
    lines = [
        "  ".join(
            cell.rjust(width) if to_right else cell.ljust(width)
            for cell, width, to_right in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in table
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    if rows.num_rows > most:
        lines.append(f"... and {rows.num_rows - most} more rows")
    return "\n".join(lines)


def as_markdown(rows: pa.Table | Rows) -> str:
    """Lay rows out as a Markdown table."""
    head, *body = (
        [printable(cell).replace("<", "&lt;").replace("|", "\\|") for cell in row]
        for row in (rows.column_names, *cells(rows))
    )
    rule = ["---:" if _is_number(column.type) else "---" for column in rows.schema]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *body))


def as_html(rows: pa.Table | Rows, most: int = 60) -> str:
    """Lay rows out for a notebook."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in rows.column_names)
    right = [' style="text-align: right"' if _is_number(c.type) else "" for c in rows.schema]
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{side}>{html.escape(cell)}</td>" for cell, side in zip(row, right, strict=True)
        )
        + "</tr>"
        for row in cells(rows.slice(0, most))
    )
    rest = f"<p>... and {rows.num_rows - most} more rows</p>" if rows.num_rows > most else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{rest}"


def _is_number(kind: Any) -> bool:
    return str(kind).startswith(("int", "uint", "float", "double", "halffloat"))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6f}" if isinstance(value, float) else str(value)
