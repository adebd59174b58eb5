"""A plot, with its table, its query and its output formats."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from ..display.html import STYLE as TABLE_STYLE
from ..display.html import html_page, to_html
from ..errors import InputError, not_installed
from ..options import refuse_unknown_arguments
from ..records import Row
from ..results.table import Table
from ..results.writing import check_target, replace_on_success
from .chart import Chart
from .svg import INK, PAPER, STYLE, escape_text, full_image, panel_images
from .vega_lite import Layer, vega_lite

if TYPE_CHECKING:
    import pyarrow as pa

    from ..results.rows import Rows

# Maximum number of rows in the table below a plot; ``data`` contains all rows.
SHOWN = 40


@refuse_unknown_arguments
class Plot:
    """A plot, which notebooks draw.

    Attributes:
        name: The kind of plot: ``curve``, ``forest``, ...
        data: The table of the plot, which has few rows for inputs of any size.
        sql: The query that makes the table.
        chart: The definition of marks and axes.
        rows: The rows to draw: the rows of ``data`` with the names of panels.
    """

    def __init__(
        self, name: str, chart: Chart, rows: Sequence[Row], data: pa.Table | Rows, sql: str
    ) -> None:
        self.name = name
        self.chart = chart
        self.rows = rows
        self.data = Table(sql, lambda: data)
        self.sql = sql

    @property
    def spec(self) -> Layer:
        """The plot with its rows as a Vega-Lite specification: a dict for other programs."""
        return vega_lite(self.chart, self.rows)

    @cached_property
    def svg(self) -> str:
        """The plot as a self-contained SVG."""
        return full_image(self.chart, self.rows)

    def among(self, models: Collection[str], hidden: Collection[str]) -> Plot:
        """Return the plot without some models, with the same table and colors."""
        rows = [row for row in self.rows if row["model"] not in hidden]
        chart = replace(self.chart, models=tuple(name for name in models if name not in hidden))
        return Plot(self.name, chart, rows, self.data.rows(), self.sql)

    def html(self) -> str:
        """Return the HTML of the plot: its panels, and its rows in a collapsed table."""
        panels = "".join(panel_images(self.chart, self.rows))
        rows = replace(self.data.layout(long=True, max_rows=SHOWN), title=self.chart.title)
        return (
            '<figure class="sqlrec-figure">'
            f"<figcaption><strong>{escape_text(self.chart.title)}</strong><br>"
            f"{escape_text(self.chart.about)}</figcaption>"
            f'<div class="sqlrec-panels">{panels}</div>'
            f"<details><summary>The {len(self.data)} rows</summary>{to_html(rows, '')}</details>"
            "</figure>"
        )

    def _repr_html_(self) -> str:
        return f'<div class="sqlrec-alone"><style>{PAGE}</style>{self.html()}</div>'

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"Plot {self.name}: {self.chart.title}. {self.chart.about}"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the plot in the format of the extension: svg, html, json (Vega-Lite), png or pdf.

        Args:
            path: The file, which is written atomically.

        Raises:
            InputError: The extension is not supported; no file can be written at the path; or
                vl-convert is missing, which PNG and PDF need and ``sqlrec[plot]`` installs.
        """
        target = check_target(path)
        ending = target.suffix.lower()
        if ending not in FORMATS:
            raise InputError(
                f"{str(path)!r}: the extension of a plot must be one of {', '.join(FORMATS)}"
            )
        content = FORMATS[ending](self)
        with replace_on_success(path) as part:
            part.write_bytes(content if isinstance(content, bytes) else content.encode())

    def page(self) -> str:
        """Return an HTML page with only the plot."""
        # The title is the heading of the page, so the caption does not repeat it.
        title = f"<strong>{escape_text(self.chart.title)}</strong><br>"
        return html_page(self.chart.title, self._repr_html_().replace(title, "", 1)) + "\n"


def _convert_svg(plot: Plot, form: str) -> bytes:
    try:
        import vl_convert
    except ImportError:
        raise not_installed(f"a plot as {form}", "vl-convert", "'sqlrec[plot]'") from None
    if form == "png":
        return bytes(vl_convert.svg_to_png(plot.svg, scale=2))
    return bytes(vl_convert.svg_to_pdf(plot.svg))


FORMATS: dict[str, Callable[[Plot], str | bytes]] = {
    ".svg": lambda plot: plot.svg + "\n",
    ".html": lambda plot: plot.page(),
    ".json": lambda plot: json.dumps(plot.spec, indent=1, ensure_ascii=False, default=str) + "\n",
    ".png": lambda plot: _convert_svg(plot, "png"),
    ".pdf": lambda plot: _convert_svg(plot, "pdf"),
}

# The style of plots in a page, in addition to the style of the SVG.
PAGE = f"{STYLE}{TABLE_STYLE}" + (
    ".sqlrec-alone{color-scheme:light dark;font:14px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,"
    "'Helvetica Neue',Arial,sans-serif}"
    f"@media screen{{.sqlrec-alone{{color:light-dark({INK[0]},{INK[1]});"
    f"background:light-dark({PAPER[0]},{PAPER[1]})}}}}"
    ".sqlrec-figure{margin:1em 0}.sqlrec-figure figcaption{max-width:72ch;margin-bottom:.6em}"
    ".sqlrec-panels{display:flex;flex-wrap:wrap;gap:20px 32px}"
    ".sqlrec-panels svg{max-width:100%;height:auto;break-inside:avoid}"
    ".sqlrec-figure details{font-size:12px;margin-top:.5em}"
)
