"""The layout of an explanation: our value first, then others by how far they are from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..display.layout import MISSING, Cell, Column, Group, Layout, Spoken
from ..display.numbers import DIGITS, decimals_for
from ..results.evaluated import libraries_of

# Values that differ further down are the same.
_MOST = 9

# So many models stand beside each other; more stand below each other.
_BESIDE = 6

Row = Mapping[str, Any]


def of_explanation(_: Sequence[str], rows: Sequence[Row]) -> Layout:
    """Lay out an explanation: a row for each value, with who has it and what makes it differ.

    Of a few models a row has the value of each, and the libraries that agree on all of them.
    """
    models = list(dict.fromkeys(row["model"] for row in rows))
    together = len(models) <= _BESIDE
    groups = []
    for asked in dict.fromkeys(row["asked"] for row in rows):
        of_metric = [row for row in rows if row["asked"] == asked]
        if together:
            groups.append(Group(asked, _lines(of_metric, models)))
            continue
        groups += [
            Group(
                f"{asked}, {model}", _lines([r for r in of_metric if r["model"] == model], [model])
            )
            for model in models
        ]
    aside = together and len(models) > 1
    beside: list[str] = [Spoken("", model) for model in models] if aside else ["value"]
    columns = [Column(name, number=True) for name in beside]
    columns += [Column("computed by", key=True), Column("why it differs")]
    return Layout(columns, groups, "Values by library")


def _lines(rows: Sequence[Row], models: Sequence[str]) -> list[list[Cell]]:
    """Return a line for the libraries that have the same values of all models."""
    # What a library has of each model: its value, and what it does otherwise, a row each.
    had: dict[str, dict[str, list[Row]]] = {}
    for row in rows:
        for library in libraries_of(row):
            had.setdefault(library, {}).setdefault(row["model"], []).append(row)
    alike: dict[tuple[str, ...], list[str]] = {}
    for library, of_models in had.items():
        key = tuple(of_models[model][0]["conventions"] for model in models)
        alike.setdefault(key, []).append(library)
    values = {
        key: [had[names[0]][model][0]["value"] for model in models] for key, names in alike.items()
    }
    own = next(iter(values.values()))

    def distance(key: tuple[str, ...]) -> tuple[bool, float]:
        off = [
            abs((one or 0.0) - (ours or 0.0)) for one, ours in zip(values[key], own, strict=True)
        ]
        return None in values[key], max(off)

    first, *others = alike
    digits = [
        _digits({key[at]: those[at] for key, those in values.items()}.values())
        for at in range(len(models))
    ]
    lines = []
    for key in [first, *sorted(others, key=distance)]:
        cells = [
            Cell(MISSING if value is None else f"{value:,.{decimals}f}")
            for value, decimals in zip(values[key], digits, strict=True)
        ]
        of_models = had[alike[key][0]]
        told = [row for model in models for row in of_models[model]]
        lines.append([*cells, Cell(", ".join(alike[key])), Cell(_why(told))])
    return lines


def _why(rows: Sequence[Row]) -> str:
    """Say what makes values differ, and of how many users; a note where nothing is known."""
    touched: dict[str, list[int]] = {}
    for row in rows:
        if row["switch"]:
            counts = touched.setdefault(row["meaning"], [])
            counts += [] if row["touched"] is None else [row["touched"]]
    if not touched:
        return next((str(row["note"]) for row in rows if row["note"]), "")
    return "; ".join(f"{meaning}{_users(counts)}" for meaning, counts in touched.items())


def _users(counts: Sequence[int]) -> str:
    if not counts:
        return ""
    few, most = min(counts), max(counts)
    count = f"{most:,}" if few == most else f"{few:,} to {most:,}"
    return f" (changes {count} user{'s' * (most != 1)})"


def _digits(values: Iterable[float | None]) -> int:
    """Return as many decimals as tell all values apart that are not the same."""
    known = [value for value in values if value is not None]
    least = min(_MOST, max(DIGITS, decimals_for(known)))
    for digits in range(least, _MOST):
        if len({round(value, digits) for value in known}) == len(known):
            return digits
    return _MOST if known else least
