"""Layouts as text that fits the terminal, with or without color."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from ..safe_text import escape_control_characters
from .table_layout import Cell, Column, Layout, to_sentence

# The sign of the best model.
BEST = "★"

# The gap between columns, and the minimum width of a text column.
_GAP = "  "
_NARROWEST = 14

# Maximum lengths: of words that never break, such as 25-34 or recall@10, and of segment names.
_UNBROKEN, _UNBROKEN_NAME = _NARROWEST, 24

# Blanks between words, but not before an arrow, after a star, or after the minus of a pair of
# models.
_BLANK = re.compile(r"((?<!\s-)(?<!^★)(?<!^>)\s+(?![↑↓^v](?:\s|$)))")

# Break points of long words: after punctuation, and before a cutoff.
_BREAK = re.compile(r"(?<=[_,/(=;|.-])(?=[^_,/(=;|.-])|(?=@)")

# Escape codes: bold, dim, green, red.
_CODES = {"bold": "1", "dim": "2", "good": "32", "bad": "31"}

# Replacements for terminals with only ASCII characters.
_PLAIN = str.maketrans(
    {
        "↑": "^",
        "↓": "v",
        "±": "+-",
        "★": ">",
        "▲": "+",
        "▼": "-",
        "✓": "+",
        "✗": "x",
        "…": ".",
        "≥": ">=",
        "≤": "<=",
        "─": "-",
    }
)

BEYOND_ASCII = "".join(map(chr, _PLAIN))

# A line of a cell with escape codes, and the width of its text.
Line = tuple[str, int]


@dataclass(frozen=True)
class Style:
    """The style of text output."""

    width: int | None = None  # The maximum width of a line; None for no limit.
    color: bool = False  # Whether to write escape codes for bold, underlined and colored text.
    ascii: bool = False  # Whether to replace characters beyond ASCII.


def terminal_width() -> int:
    """Return the width of the terminal, or 80 if no terminal is used."""
    import shutil  # The import is lazy, since it takes longer than all other imports here.

    return shutil.get_terminal_size().columns


def to_text(layout: Layout, style: Style) -> str:
    """Return a layout as aligned columns, split into parts with the keys if it is too wide."""
    layout = _replace_unsupported_characters(layout, style)
    lines = [*_wrap_block(layout.lead, style, "bold"), ""] if layout.lead else []
    lines += _wrap_block(layout.title, style, "bold") if layout.title else []
    for form in _fit_width(layout, style.width):
        lines += ([""] if lines else []) + _table_lines(form, style)
    notes = layout.notes
    if notes and lines:
        lines.append("")
    for note in notes:
        lines += _wrap_block(to_sentence(note), style, "dim")
    return "\n".join(lines)


def _replace_unsupported_characters(layout: Layout, style: Style) -> Layout:
    """Return a layout without control characters and unsupported characters."""

    def clean(text: str) -> str:
        text = escape_control_characters(text)
        return text.translate(_PLAIN) if style.ascii else text

    starred = {
        index
        for index, column in enumerate(layout.columns)
        if column.key and any(row[index].best for row in layout.rows())
    }

    stars = not starred and any(cell.best for row in layout.rows() for cell in row)

    def clean_row(row: Sequence[Cell]) -> list[Cell]:
        cells = []
        for index, cell in enumerate(row):
            star = f"{BEST if cell.best else ' '} " * (index in starred)
            sign = BEST if stars and cell.best else cell.mark
            text, spread, mark = map(clean, (star + cell.text, cell.spread, sign))
            cells.append(replace(cell, text=text, spread=spread, mark=mark))
        return cells

    def clean_column(column: Column) -> Column:
        name, group, arrow = map(clean, (column.name, column.group, column.arrow))
        return replace(column, name=name, group=group, arrow=arrow)

    return replace(
        layout,
        columns=[*map(clean_column, layout.columns)],
        groups=[
            replace(group, title=clean(group.title), rows=[*map(clean_row, group.rows)])
            for group in layout.groups
        ],
        title=clean(layout.title),
        lead=clean(layout.lead),
        notes=[clean(note) for note in layout.legend(BEST, by_column=stars) + layout.notes],
    )


def text_width(text: str) -> int:
    """Return the width of a string in columns of a terminal."""
    if text.isascii():
        return len(text)
    wide = {"W": 2, "F": 2}
    return sum(
        0 if unicodedata.combining(sign) else wide.get(unicodedata.east_asian_width(sign), 1)
        for sign in text
    )


def wrap_lines(text: str, width: int | None, indent: str = "") -> list[str]:
    """Wrap a string into lines with a hanging indent; long words are broken too."""
    if width is None or text_width(text) <= width:
        return [text]
    width = max(width, len(indent) + 2)
    lines, line = [], ""
    for part in _split_words(text, width - len(indent)):
        if line.strip() and text_width((line + part).rstrip()) > width:
            lines.append(line.rstrip())
            line, part = indent, part.lstrip()
        line += part
        while text_width(line.rstrip()) > width:
            index = _cut_at(line, width)
            lines.append(line[:index])
            line = indent + line[index:]
    return [*lines, line.rstrip()] if line.strip() else lines


def _split_words(text: str, width: int) -> list[str]:
    """Return blanks and words; words that are wider than a line are split."""
    pieces: list[str] = []
    for word in filter(None, _BLANK.split(text)):
        pieces += _BREAK.split(word) if text_width(word) > width else [word]
    return pieces


def truncate(text: str, width: int) -> str:
    """Truncate a string to a width, with an ellipsis."""
    return text if text_width(text) <= width else text[: _cut_at(text, max(1, width - 1))] + "…"


def _cut_at(text: str, width: int) -> int:
    """Return the number of characters that fit, at least one."""
    used = 0
    for index, character in enumerate(text):
        used += text_width(character)
        if used > width:
            return max(1, index)
    return len(text)


def _wrap_block(text: str, style: Style, look: str) -> list[str]:
    return [_add_codes(line, (look,), style) for line in wrap_lines(text, style.width)]


def _add_codes(text: str, looks: tuple[str, ...], style: Style) -> str:
    codes = ";".join(_CODES[look] for look in looks if look)
    return f"\x1b[{codes}m{text}\x1b[0m" if style.color and codes and text.strip() else text


@dataclass(frozen=True)
class _Form:
    """A part of a layout, with the widths of its columns and the position of intervals."""

    layout: Layout
    stacked: bool
    widths: list[int]


def _fit_width(layout: Layout, width: int | None) -> list[_Form]:
    """Fit a layout into a width: put intervals below values, wrap text, or split the columns.

    A name that is wider than its column is printed on a line above its row.
    """
    for stacked in (False, True):
        _, natural = _column_widths(layout, stacked)
        if width is None or _total_width(natural) <= width:
            return [_Form(layout, stacked, natural)]
    assert width is not None
    for narrow, stacked in product((False, True), repeat=2):
        minimum, natural = _column_widths(layout, stacked, narrow)
        if _total_width(minimum) <= width:
            return [_Form(layout, stacked, _shrink_widths(layout, natural, minimum, width))]
    return _split_columns(layout, minimum, width)


def _split_columns(layout: Layout, minimum: Sequence[int], width: int) -> list[_Form]:
    """Return a layout in parts, each with the key columns."""
    keys = [index for index, column in enumerate(layout.columns) if column.key] or [0]
    others = [index for index in range(len(layout.columns)) if index not in keys]
    key_widths = [minimum[index] for index in keys]
    widest = max((minimum[index] for index in others), default=0)
    if _total_width([*key_widths, widest]) > width:
        room = max(4, (width - widest) // len(keys) - len(_GAP))
        key_widths = [min(room, size) for size in key_widths]
    parts: list[list[int]] = [[]]
    for index in others:
        total = _total_width(
            [*key_widths, *(minimum[other] for other in parts[-1]), minimum[index]]
        )
        if parts[-1] and total > width:
            parts.append([])
        parts[-1].append(index)
    forms = []
    for indexes in parts:
        part = layout.select([*keys, *indexes])
        narrow, natural = _column_widths(part, True)
        narrow = [*key_widths, *narrow[len(keys) :]]
        narrow = [min(size, width) for size in narrow]
        forms.append(_Form(part, True, _shrink_widths(part, natural, narrow, width)))
    return forms


def _total_width(widths: Sequence[int]) -> int:
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _shrink_widths(
    layout: Layout, widths: Sequence[int], minimum: Sequence[int], width: int
) -> list[int]:
    """Return widths that fit: shrink columns that may be truncated, then the widest columns."""
    narrower = [*widths]
    while _total_width(narrower) > width:
        wide = [index for index, size in enumerate(narrower) if size > minimum[index]]
        if not wide:
            break
        wide = [index for index in wide if layout.columns[index].cut] or wide
        narrower[max(wide, key=lambda index: narrower[index])] -= 1
    return narrower


def _column_widths(
    layout: Layout, stacked: bool, narrow: bool = False
) -> tuple[list[int], list[int]]:
    """Return the minimum and the natural width of each column.

    With ``narrow``, the first key column may be narrower than its names.
    """
    name, minimum, natural = _name_index(layout), [], []
    for index, column in enumerate(layout.columns):
        cells = [row[index] for row in layout.rows()]
        pad = _signs_width(cells)
        lines = [line for cell in cells for line in _cell_texts(cell, stacked, pad)]
        width = max(map(text_width, [column.full, *lines]), default=1)
        natural.append(width)
        if column.cut:
            minimum.append(min(_NARROWEST, width))
        elif column.number:
            minimum.append(max(_longest_piece(column.full), *map(text_width, lines), 1))
        elif index == name and not narrow:
            minimum.append(max(map(_longest_word, (column.full, *lines))))
        else:
            limit = _UNBROKEN_NAME if column.key and index != name else _UNBROKEN
            pieces = (_longest_piece(text, limit) for text in (column.full, *lines))
            minimum.append(min(limit, max(pieces)))
    return minimum, natural


def _name_index(layout: Layout) -> int | None:
    """Return the index of the first key column, which contains the names of the rows."""
    return next((index for index, column in enumerate(layout.columns) if column.key), None)


def _longest_word(text: str) -> int:
    """Return the width of the longest word of a name, with the indent of the name."""
    words = text.lstrip()
    return len(text) - len(words) + max(map(text_width, _BLANK.split(words)))


def _longest_piece(text: str, limit: int = _UNBROKEN) -> int:
    """Return the width of the longest piece of a string after long words are broken."""
    return max((text_width(piece) for piece in _split_words(text, limit)), default=1)


def _signs_width(cells: Sequence[Cell]) -> int:
    """Return the width of the signs after values in a column."""
    return max((len(_cell_signs(cell)) for cell in cells), default=0)


def _cell_signs(cell: Cell) -> str:
    return f" {cell.mark}" if cell.mark else ""


def _cell_texts(cell: Cell, stacked: bool, pad: int) -> list[str]:
    main = cell.text + _cell_signs(cell).ljust(pad)
    if not cell.spread:
        return [main]
    return [main, cell.spread + " " * pad] if stacked else [f"{main} {cell.spread}"]


def _table_lines(form: _Form, style: Style) -> list[str]:
    layout, widths = form.layout, form.widths
    indexes = range(len(layout.columns))
    pads = [_signs_width([row[index] for row in layout.rows()]) for index in indexes]
    spreads = [
        max((text_width(row[index].spread) for row in layout.rows()), default=0)
        for index in indexes
    ]
    spread_widths = [0] * len(spreads) if form.stacked else spreads
    heads = [
        [
            (_add_codes(line, ("bold",), style), text_width(line))
            for line in wrap_lines(column.full, width)
        ]
        for column, width in zip(layout.columns, widths, strict=True)
    ]
    tall = max(len(head) for head in heads)
    lines = _join_cells([[("", 0)] * (tall - len(head)) + head for head in heads], form)
    lines.append(_GAP.join(("-" if style.ascii else "─") * width for width in widths))
    name = _name_index(layout)
    for number, group in enumerate(layout.groups):
        if group.title:
            lines += [""] * bool(number)
            lines += [
                _add_codes(line, ("bold",), style) for line in wrap_lines(group.title, style.width)
            ]
        for row, before_row in zip(group.rows, [None, *group.rows], strict=False):
            parts = zip(row, layout.columns, widths, pads, spread_widths, strict=True)
            cells = [_cell_lines(*part, style) for part in parts]
            if name is not None and _longest_word(row[name].text) > widths[name]:
                before = widths[:name]
                room = (style.width or _total_width(widths)) - sum(before) - len(_GAP) * name
                first = replace(layout.columns[name], cut=False)
                above = [*cells[:name], _cell_lines(row[name], first, room, 0, 0, style)]
                names = replace(layout, columns=layout.columns[: name + 1])
                head = _join_cells(above, replace(form, layout=names, widths=[*before, room]))
                same = before_row is not None and before_row[: name + 1] == row[: name + 1]
                lines += [] if same else head
                cells = [[("", 0)]] * (name + 1) + cells[name + 1 :]
            lines += _join_cells(cells, form)
    return [line.rstrip() for line in lines]


def _cell_lines(
    cell: Cell, column: Column, width: int, pad: int, spread_width: int, style: Style
) -> list[Line]:
    """Return the lines of a cell: its value with signs, and its interval."""
    looks = ("bold" if cell.best else "", cell.tone)
    if not column.number:
        texts = [truncate(cell.text, width)] if column.cut else wrap_lines(cell.text, width)
        texts = [text.translate(_PLAIN) for text in texts] if style.ascii else texts
        return [(_add_codes(text, looks, style), text_width(text)) for text in texts]
    signs = _cell_signs(cell).ljust(pad)
    main = (_add_codes(cell.text, looks, style) + signs, text_width(cell.text) + pad)
    spread = _add_codes(cell.spread, ("dim",), style)
    if spread_width:
        blank = " " * (spread_width - text_width(cell.spread))
        return [(f"{main[0]} {spread}{blank}", main[1] + 1 + spread_width)]
    return [main, (spread + " " * pad, text_width(cell.spread) + pad)] if cell.spread else [main]


def _join_cells(cells: Sequence[list[Line]], form: _Form) -> list[str]:
    """Join the cells of a row, line by line."""
    lines = []
    for index in range(max(len(cell) for cell in cells)):
        parts = []
        for cell, column, width in zip(cells, form.layout.columns, form.widths, strict=True):
            text, cell_width = cell[index] if index < len(cell) else ("", 0)
            blank = " " * (width - cell_width)
            parts.append(blank + text if column.number else text + blank)
        lines.append(_GAP.join(parts))
    return lines
