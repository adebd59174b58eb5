"""The layout of an explanation: our value first, then others by how far they are from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from ..display.layout import MISSING, Cell, Column, Group, Layout
from ..display.numbers import DIGITS, decimals_for

# Values that differ further down are the same.
_MOST = 9

Row = Mapping[str, Any]


def of_explanation(_: Sequence[str], rows: Sequence[Row]) -> Layout:
    """Lay out an explanation: a row for each value, with who has it and what makes it differ."""
    several = len({row["model"] for row in rows}) > 1
    groups = []
    for (model, asked), those in groupby(rows, lambda row: (row["model"], row["asked"])):
        lines = _values([*those])
        groups.append(Group(f"{asked}, {model}" if several else asked, lines))
    columns = [Column("value", number=True), Column("computed by"), Column("why it differs")]
    return Layout(columns, groups, "Values by library")


def _values(rows: Sequence[Row]) -> list[list[Cell]]:
    values: dict[str, list[Row]] = {}
    for row in rows:
        values.setdefault(row["conventions"], []).append(row)
    own, *others = values.values()
    center = own[0]["value"]

    def distance(those: list[Row]) -> tuple[bool, float]:
        value = those[0]["value"]
        return value is None, abs((value or 0.0) - (center or 0.0))

    ordered = [own, *sorted(others, key=distance)]
    digits = _digits([those[0]["value"] for those in ordered])
    lines = []
    for those in ordered:
        value = those[0]["value"]
        why = [_switch(row) for row in those if row["switch"]]
        # What a switch tells, a note tells again.
        why += [those[0]["note"]] if those[0]["note"] and not why else []
        text = MISSING if value is None else f"{value:,.{digits}f}"
        lines.append([Cell(text), Cell(those[0]["conventions"]), Cell("; ".join(why))])
    return lines


def _switch(row: Row) -> str:
    if row["touched"] is None:
        return str(row["meaning"])
    users = "user" if row["touched"] == 1 else "users"
    return f"{row['meaning']} (changes {row['touched']:,} {users})"


def _digits(values: Sequence[float | None]) -> int:
    """Return as many decimals as tell all values apart that are not the same."""
    known = [value for value in values if value is not None]
    least = min(_MOST, max(DIGITS, decimals_for(known)))
    for digits in range(least, _MOST):
        if len({round(value, digits) for value in known}) == len(known):
            return digits
    return _MOST if known else least
