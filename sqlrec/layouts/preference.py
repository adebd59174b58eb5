"""The layout of preferences between models of interleaved lists."""

from __future__ import annotations

from collections.abc import Sequence

from ..display.numbers import format_p, number, spread
from ..display.table_layout import MISSING, Cell, Column, Group, Layout, format_cell_text
from ..records import Row
from .result import CORRECTIONS, GAIN, LOSS, format_level, is_significant


def preference_layout(
    names: Sequence[str], rows: Sequence[Row], *, ties: str, level: float, correction: str
) -> Layout:
    """Return the layout of preferences, with a row for each pair of models."""
    segments, by_user = names[2 : names.index("impressions")], "users" in names
    columns = [Column(name, key=True) for name in ("model", "baseline", *segments)]
    counts = ("impressions", *(["users"] if by_user else []))
    columns += [Column(name, number=True) for name in (*counts, "win/tie/loss", "preference", "p")]
    lines = []
    for row in rows:
        mark, tone = ("", "")
        if is_significant(row, level):
            mark, tone = (GAIN, "good") if row["delta"] > 0 else (LOSS, "bad")
        share = row["preference"]
        interval = "" if share is None else spread(share, row["low"], row["high"], 3)
        line = [Cell(format_cell_text(row[name])) for name in names[: len(segments) + 2]]
        line += [Cell(number(row[name], 0)) for name in counts]
        line += [
            Cell("/".join(f"{row[name]:,}" for name in ("wins", "ties", "losses"))),
            Cell(number(share, 3) or MISSING, interval, mark, tone=tone),
            Cell(format_p(row["p_adjusted"])),
        ]
        lines.append(line)
    words = {"half": "ties are half a win", "drop": "ties do not count"}
    t_test = f"t-test over {'users' if by_user else 'impressions'}"
    test = t_test if by_user or ties == "half" else "sign test"
    notes = [
        f"preference: the share of impressions that the model wins, {words[ties]}",
        f"p: {test}, {CORRECTIONS[correction]}; {format_level(level)} intervals",
    ]
    return Layout(columns, [Group("", lines)], "Clicks by model", notes)
