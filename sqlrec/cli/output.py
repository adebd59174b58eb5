"""The output of commands to the terminal, or to a file in the format of its extension."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TextIO

from ..display.text import BEYOND_ASCII, Style, terminal_width, to_text, wrap_lines
from ..errors import InputError
from ..layouts.result import name_for_papers
from ..results.rows import Rows
from ..results.table import LayOut, Table
from ..results.writing import check_target, replace_on_success
from ..safe_text import escape_control_characters, safe_text

# Colors of messages: bold red and bold yellow.
_COLORS = {"error": "1;31", "warning": "1;33"}


# The separator of several files after one flag. Arguments of programs can't contain it.
FILES = "\0"


# Formats by file extension; other extensions mean a text table.
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


class Options(argparse.Namespace):
    """The command line. An option that the caller did not write is None."""

    def __getattr__(self, name: str) -> Any:
        """Return None, except for the private attributes of argparse."""
        if name.startswith("_"):
            raise AttributeError(name)


def table_of(rows: list[dict[str, str]], lay_out: LayOut | None = None) -> Table:
    """Return a table of strings."""
    return Table("", lambda: Rows(dict.fromkeys(rows[0], "string"), rows), lay_out=lay_out)


def check_output_format(
    options: Options, inputs: Iterable[str] = (), more: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Return the output format, and check the output file before the command runs."""
    if options.into is not None:
        if options.engine is None:
            raise InputError(f"--into {options.into} needs --engine: the database of the table")
        if options.output is not None or options.format is not None:
            raise InputError(f"--into {options.into}: omit --format and -o; nothing is printed")
        return "database"
    for name in ("mode", "run_id", "evaluated_at", "options"):
        if vars(options).get(name) is not None:
            flag = name.replace("_", "-")
            raise InputError(f"--{flag} needs --into: it applies only to a database table")
    ending = Path(options.output or "").suffix.lower()
    form: str = options.format or more.get(ending) or file_format(options.output or "")
    if options.output is not None:
        check_target(options.output, inputs)
    elif form == "parquet":
        raise InputError("--format parquet needs -o FILE: Parquet cannot be printed in a terminal")
    return form


def put_table(table: Table, form: str, options: Options) -> None:
    """Write a table to the output file in a format, or print the table."""
    if form == "parquet":
        table.to_parquet(options.output)
        print_written_file(options.output)
        return
    if form == "database":
        table.to_table(
            options.into, **_select_options(options, "mode", "run_id", "evaluated_at", "options")
        )
        return
    look = _select_options(options, "long", "digits", "caption", "label")
    full = options.full is not None or options.output is not None
    text = format_table(table, form, text_style(options), full=full, **look)
    put_text(text, options.output, form)


def _select_options(options: Options, *names: str) -> dict[str, Any]:
    """Return the options that the command line contains."""
    return {name: value for name, value in vars(options).items() if name in names}


def put_text(text: str, output: str | None = None, form: str = "text") -> None:
    """Write a string to a file, or print it without control characters except colors."""
    if output is not None:
        with replace_on_success(output) as part:
            part.write_text(text + "\n", encoding="utf-8")
        print_written_file(output)
    # Tables contain escape sequences only for colors.
    elif sys.stdout.isatty() and form != "table":
        print(escape_control_characters(text, kept="\n\t"))
    else:
        print(text)


def format_for_stderr(message: str, kind: str = "error") -> str:
    """Format a message for stderr: on one line for programs, wrapped for a terminal."""
    text = f"{kind}: {safe_text(message)}"
    if not sys.stderr.isatty():
        return text
    lines = "\n".join(wrap_lines(text, terminal_width(), "  "))
    if kind not in _COLORS or not _has_colors(sys.stderr):
        return lines
    return f"\x1b[{_COLORS[kind]}m{kind}:\x1b[0m{lines.removeprefix(f'{kind}:')}"


def print_written_file(path: str, note: str = "") -> None:
    """Print the name and size of a written file on stderr, if stderr is a terminal."""
    if sys.stderr.isatty():
        size = Path(path).stat().st_size
        amount = f"{size / 1000:,.0f} kB" if size >= 1000 else f"{size} bytes"
        print(f"Wrote {escape_control_characters(path)} ({amount}){note}", file=sys.stderr)


def text_style(options: Options) -> Style:
    """Return the style of text tables."""
    to_file = options.output is not None
    by_terminal = options.color in (None, "auto")
    color = options.color == "always" or (by_terminal and _has_colors(sys.stdout))
    return Style(
        None if options.wide else terminal_width(),
        color and not to_file,
        not to_file and _is_ascii(),
    )


def _has_colors(stream: TextIO) -> bool:
    disabled = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return stream.isatty() and not disabled


def _is_ascii() -> bool:
    try:
        BEYOND_ASCII.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def file_format(path: str) -> str:
    """Return the format for a file's extension."""
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
    full: bool = False,
    digits: int | None = None,
    caption: str | None = None,
    label: str = "",
) -> str:
    """Return a table in a text format."""
    if form != "latex" and (caption is not None or label):
        raise InputError(f"--caption and --label apply only to LaTeX tables, not to {form}")
    if form in ("csv", "json"):
        return table.to_csv() if form == "csv" else table.to_json()
    is_short = form == "table" and not (long or full)
    layout = (
        table.screen_layout(digits=digits) if is_short else table.layout(long=long, digits=digits)
    )
    if form == "table":
        return to_text(layout, style)
    from ..display import html, papers

    if form == "latex":
        return papers.to_latex(layout.for_papers(name_for_papers), caption, label)
    return html.to_page(layout) if form == "html" else papers.to_markdown(layout)
