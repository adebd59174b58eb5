"""Layouts as text: never wider than a terminal, and the same without colour."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..shown import printable
from .layout import Cell, Column, Group, Layout, sentence

# Behind the best value, and behind those that are not told apart from it.
BEST, TIED = "*", "~"

# Between columns; and how narrow a column of text may become.
_GAP = "  "
_NARROWEST = 14

# Words of rows that stay whole in a column of text, as 25-34 does.
_WHOLE = 8

# Between words; an arrow stays with the name before it.
_BLANK = re.compile(r"(\s+(?![↑↓^v](?:\s|$)))")

# Where a word breaks that is wider than a line: behind these, and before a cutoff.
_BREAK = re.compile(r"(?<=[_,/(=;|.-])(?=[^_,/(=;|.-])|(?=@)")

# What a terminal is told: bold, dim, underlined, green, red.
_CODES = {"bold": "1", "dim": "2", "under": "4", "good": "32", "bad": "31"}

# What is written where a terminal has no other characters than those of ASCII.
_PLAIN = str.maketrans(
    {
        "↑": "^",
        "↓": "v",
        "±": "+-",
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

# A line of a cell: as it is written, and how wide it is.
Line = tuple[str, int]


@dataclass(frozen=True)
class Style:
    """How text is written.

    Attributes:
        width: How wide a line may be; None for any width.
        colour: Whether the terminal is told of bold, underlined and coloured text.
        ascii: Whether characters beyond ASCII are written in others.
    """

    width: int | None = None
    colour: bool = False
    ascii: bool = False


def terminal_width() -> int:
    """Return how wide the terminal is: 80 where there is none."""
    import shutil  # Which takes longer to import than all else here.

    return shutil.get_terminal_size().columns


def to_text(layout: Layout, style: Style) -> str:
    """Write a layout as aligned columns; what is too wide goes on below, its keys repeated."""
    layout = _without_spare(_readable(layout, style), style.width)
    lines = _block(layout.title, style, "bold") if layout.title else []
    for form in _fitted(layout, style.width):
        lines += ([""] if lines else []) + _table(form, style)
    notes = layout.notes
    if notes and lines:
        lines.append("")
    for note in notes:
        lines += _block(sentence(note), style, "dim")
    return "\n".join(lines)


def _readable(layout: Layout, style: Style) -> Layout:
    """Return a layout without characters that a terminal acts on or does not have."""

    def of(text: str) -> str:
        text = printable(text)
        return text.translate(_PLAIN) if style.ascii else text

    def cell(one: Cell) -> Cell:
        return replace(one, text=of(one.text), spread=of(one.spread), mark=of(one.mark))

    return replace(
        layout,
        columns=[
            replace(one, name=of(one.name), group=of(one.group), arrow=of(one.arrow))
            for one in layout.columns
        ],
        groups=[
            Group(of(group.title), [[cell(one) for one in row] for row in group.rows])
            for group in layout.groups
        ],
        title=of(layout.title),
        notes=[of(note) for note in layout.legend(f"{BEST} best", TIED) + layout.notes],
    )


def _without_spare(layout: Layout, width: int | None) -> Layout:
    """Leave out columns that can be spared, until the others fit; none where that is not enough."""
    least = _widths(layout, True)[0]
    if width is None or _total(least) <= width:
        return layout
    columns = layout.columns
    kept = [*range(len(columns))]
    left: list[int] = []
    for place in sorted(kept, key=lambda place: -columns[place].spare):
        if not columns[place].spare:
            break
        left.append(place)
        kept.remove(place)
        if _total([least[one] for one in kept]) <= width:
            names = ", ".join(columns[one].full for one in sorted(left))
            note = f"left out, as lines are short: {names}"
            return replace(_part(layout, kept), notes=[*layout.notes, note])
    return layout


def width_of(text: str) -> int:
    """Return how many places of a line a text takes."""
    if text.isascii():
        return len(text)
    wide = {"W": 2, "F": 2}
    return sum(
        0 if unicodedata.combining(sign) else wide.get(unicodedata.east_asian_width(sign), 1)
        for sign in text
    )


def wrap(text: str, width: int | None, indent: str = "") -> list[str]:
    """Break a text into lines, those after the first indented; long words break too."""
    if width is None or width_of(text) <= width:
        return [text]
    width = max(width, len(indent) + 2)
    lines, line = [], ""
    for part in _pieces(text, width - len(indent)):
        if line.strip() and width_of((line + part).rstrip()) > width:
            lines.append(line.rstrip())
            line, part = indent, part.lstrip()
        line += part
        while width_of(line.rstrip()) > width:
            place = _cut_at(line, width)
            lines.append(line[:place])
            line = indent + line[place:]
    return [*lines, line.rstrip()] if line.strip() else lines


def _pieces(text: str, width: int) -> list[str]:
    """Return blanks and words; of words that are wider than a line, their parts."""
    pieces: list[str] = []
    for word in filter(None, _BLANK.split(text)):
        pieces += _BREAK.split(word) if width_of(word) > width else [word]
    return pieces


def cut(text: str, width: int) -> str:
    """Cut a text off where a line ends, and say so."""
    return text if width_of(text) <= width else text[: _cut_at(text, max(1, width - 1))] + "…"


def _cut_at(text: str, width: int) -> int:
    """Return how many characters fit; at least one."""
    taken = 0
    for place, sign in enumerate(text):
        taken += width_of(sign)
        if taken > width:
            return max(1, place)
    return len(text)


def _block(text: str, style: Style, look: str) -> list[str]:
    return [_dress(line, (look,), style) for line in wrap(text, style.width)]


def _dress(text: str, looks: tuple[str, ...], style: Style) -> str:
    codes = ";".join(_CODES[look] for look in looks if look)
    return f"\x1b[{codes}m{text}\x1b[0m" if style.colour and codes and text.strip() else text


@dataclass(frozen=True)
class _Form:
    """A part of a layout, and how its cells are written."""

    layout: Layout
    stacked: bool
    widths: list[int]


def _fitted(layout: Layout, width: int | None) -> list[_Form]:
    """Return how a layout fits a width: intervals beside or below values, wrapped, or in parts."""
    for stacked in (False, True):
        _, natural = _widths(layout, stacked)
        if width is None or _total(natural) <= width:
            return [_Form(layout, stacked, natural)]
    assert width is not None
    for stacked in (False, True):
        least, natural = _widths(layout, stacked)
        if _total(least) <= width:
            return [_Form(layout, stacked, _shrunk(layout, natural, least, width))]
    return _in_parts(layout, least, width)


def _in_parts(layout: Layout, least: Sequence[int], width: int) -> list[_Form]:
    """Return a layout in parts, each with the columns that name the rows."""
    keys = [place for place, column in enumerate(layout.columns) if column.key] or [0]
    others = [place for place in range(len(layout.columns)) if place not in keys]
    own = [least[place] for place in keys]
    widest = max((least[place] for place in others), default=0)
    if _total([*own, widest]) > width:
        room = max(4, (width - widest) // len(keys) - len(_GAP))
        own = [min(room, one) for one in own]
    parts: list[list[int]] = [[]]
    for place in others:
        taken = _total([*own, *(least[one] for one in parts[-1]), least[place]])
        if parts[-1] and taken > width:
            parts.append([])
        parts[-1].append(place)
    found = []
    for places in parts:
        part = _part(layout, [*keys, *places])
        narrow, natural = _widths(part, True)
        narrow = [min(one, width) for one in [*own, *narrow[len(own) :]]]
        found.append(_Form(part, True, _shrunk(part, natural, narrow, width)))
    return found


def _part(layout: Layout, places: Sequence[int]) -> Layout:
    groups = [
        Group(group.title, [[row[place] for place in places] for row in group.rows])
        for group in layout.groups
    ]
    return replace(layout, columns=[layout.columns[place] for place in places], groups=groups)


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(_GAP) * (len(widths) - 1)


def _shrunk(layout: Layout, widths: Sequence[int], least: Sequence[int], width: int) -> list[int]:
    """Make columns narrower until they fit, the widest first; those that are cut before all."""
    found = [*widths]
    while _total(found) > width:
        wide = [place for place in range(len(found)) if found[place] > least[place]]
        if not wide:
            break
        cut_first = [place for place in wide if layout.columns[place].cut]
        place = max(cut_first or wide, key=lambda place: found[place])
        found[place] -= 1
    return found


def _widths(layout: Layout, stacked: bool) -> tuple[list[int], list[int]]:
    """Return for each column how narrow it may become, and how wide it is by itself."""
    least, natural = [], []
    for place, column in enumerate(layout.columns):
        cells = [row[place] for row in layout.rows()]
        head = column.full
        pad = _pad(cells)
        inner = [width_of(line) for cell in cells for line in _plain(cell, stacked, pad)]
        natural.append(max([width_of(head), *inner], default=1))
        if column.number:
            least.append(max([_longest(head), *inner], default=1))
        elif column.cut:
            least.append(min(_NARROWEST, natural[-1]))
        else:
            lines = [line for cell in cells for line in _plain(cell, stacked, pad)]
            words = [_longest(line, _WHOLE) for line in lines]
            least.append(min(_NARROWEST, max([_longest(head), *words], default=1)))
    return least, natural


def _longest(text: str, whole: int = 0) -> int:
    """Return the width of the longest piece that does not break, as short words do not."""
    words = _BLANK.split(text)
    parts = [[word] if width_of(word) <= whole else _BREAK.split(word) for word in words]
    return max((width_of(part) for those in parts for part in those), default=1)


def _pad(cells: Sequence[Cell]) -> int:
    """Return how many places the signs behind values take in a column."""
    return max((len(_signs(cell)) for cell in cells), default=0)


def _signs(cell: Cell) -> str:
    best = BEST if cell.best else TIED if cell.tied else ""
    # Values stand below each other, whether one of them has a star or not.
    return f"{best or ' '} {cell.mark}" if cell.lettered else cell.mark + best


def _plain(cell: Cell, stacked: bool, pad: int) -> list[str]:
    main = cell.text + _signs(cell).ljust(pad)
    if not cell.spread:
        return [main]
    return [main, cell.spread + " " * pad] if stacked else [f"{main} {cell.spread}"]


def _table(form: _Form, style: Style) -> list[str]:
    layout, widths = form.layout, form.widths
    places = range(len(layout.columns))
    pads = [_pad([row[place] for row in layout.rows()]) for place in places]
    spreads = [
        max((width_of(row[place].spread) for row in layout.rows()), default=0) for place in places
    ]
    beside = [0] * len(spreads) if form.stacked else spreads
    heads = [
        [(_dress(line, ("bold",), style), width_of(line)) for line in wrap(column.full, width)]
        for column, width in zip(layout.columns, widths, strict=True)
    ]
    tall = max(len(head) for head in heads)
    lines = _joined([[("", 0)] * (tall - len(head)) + head for head in heads], form)
    lines.append(_GAP.join(("-" if style.ascii else "─") * width for width in widths))
    for number, group in enumerate(layout.groups):
        if group.title:
            lines += [""] * bool(number)
            lines += [_dress(line, ("bold",), style) for line in wrap(group.title, _total(widths))]
        for row in group.rows:
            parts = zip(row, layout.columns, widths, pads, beside, strict=True)
            lines += _joined([_lines(*part, style) for part in parts], form)
    return [line.rstrip() for line in lines]


def _lines(
    cell: Cell, column: Column, width: int, pad: int, beside: int, style: Style
) -> list[Line]:
    """Write a cell: its value with signs, and its interval beside or below it."""
    looks = ("bold" if cell.best else "under" if cell.tied else "", cell.tone)
    if not column.number:
        texts = [cut(cell.text, width)] if column.cut else wrap(cell.text, width)
        texts = [text.translate(_PLAIN) for text in texts] if style.ascii else texts
        return [(_dress(text, looks, style), width_of(text)) for text in texts]
    signs = _signs(cell).ljust(pad)
    main = (_dress(cell.text, looks, style) + signs, width_of(cell.text) + pad)
    spread = _dress(cell.spread, ("dim",), style)
    if beside:
        blank = " " * (beside - width_of(cell.spread))
        return [(f"{main[0]} {spread}{blank}", main[1] + 1 + beside)]
    return [main, (spread + " " * pad, width_of(cell.spread) + pad)] if cell.spread else [main]


def _joined(cells: Sequence[list[Line]], form: _Form) -> list[str]:
    """Put the cells of a row beside each other, line by line."""
    lines = []
    for place in range(max(len(cell) for cell in cells)):
        parts = []
        for cell, column, width in zip(cells, form.layout.columns, form.widths, strict=True):
            text, taken = cell[place] if place < len(cell) else ("", 0)
            blank = " " * (width - taken)
            parts.append(blank + text if column.number else text + blank)
        lines.append(_GAP.join(parts))
    return lines
