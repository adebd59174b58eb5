"""Every row and every digit, for programs: CSV, JSON, and names that trackers take."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import InputError
from .layout import halves

# What names a row behind its metric.
_KEYS = ("check", "population", "convention")

# What is not a number to track.
_LEFT_OUT = (
    *("metric", "k", "asked", "users", "clusters", "degrees_of_freedom"),
    *("standard_error", "interval"),
)

Row = Mapping[str, Any]


def to_csv(names: Sequence[str], rows: Sequence[Row]) -> str:
    """Write rows as CSV."""
    text = io.StringIO()
    plain = csv.writer(text, lineterminator="\n")
    # Python does not quote this by itself.
    quoting = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in (names, *(row.values() for row in rows)):
        returns = any(isinstance(cell, str) and "\r" in cell for cell in row)
        (quoting if returns else plain).writerow(row)
    return text.getvalue().rstrip("\n")


def to_json(rows: Sequence[Row]) -> str:
    """Write rows as JSON, an object a line."""
    lines = (json.dumps(row, default=str, ensure_ascii=False) for row in rows)
    return "[\n" + ",\n".join(lines) + "\n]"


def to_dict(names: Sequence[str], rows: Sequence[Row], sep: str) -> dict[str, float]:
    """Return numbers by names that trackers take: ``ease/gender.F/ndcg_at_10``.

    Args:
        names: The columns: the model, segments, then the metric and what was found of it.
        rows: The rows.
        sep: What stands before a cutoff.

    Raises:
        InputError: Two rows have the same name; rows of users; sep is not a text.
    """
    if not isinstance(sep, str):
        raise InputError(f"sep={sep!r:.80}: give a text, as in '_at_'")
    if "user_id" in names:
        raise InputError(
            "to_dict: these are values of single users, and a tracker takes a few numbers: call "
            "it on the result"
        )
    at = [*names].index("metric") if "metric" in names else len(names)
    left_out = (*_LEFT_OUT, "result")
    keys = [name for name in names[:at] if name not in left_out and not _counts(name, at, names)]
    keys += [name for name in names[at:] if name in _KEYS]
    keys = [name for name in keys if name not in ("model", *_KEYS) or _differs(rows, name)]
    found: dict[str, float] = {}
    for row in rows:
        named = {name: _plain(str(row[name])) for name in keys if row[name] is not None}
        parts = [
            text if name == "model" else f"{_plain(name)}.{text}" for name, text in named.items()
        ]
        metric = _metric(row, sep)
        for name in names:
            value = row[name]
            if name == "result":
                name, value = "passed", value == "pass"
            if name in (*keys, *_LEFT_OUT) or not isinstance(value, (int, float)):
                continue
            own = metric if name == "value" else f"{metric}_{name}" if metric else name
            if not metric and row.get("k") is not None:
                own += f"{sep}{row['k']}"
            full = "/".join([*parts, own])
            if full in found:
                raise InputError(
                    f"to_dict: two numbers have the name {full!r}: models, segments or metrics "
                    "differ in signs alone that trackers refuse; rename them, or use to_arrow()"
                )
            found[full] = float(value) if isinstance(value, float) else int(value)
    return found


def _differs(rows: Sequence[Row], name: str) -> bool:
    return len({row[name] for row in rows}) > 1


def _counts(name: str, at: int, names: Sequence[str]) -> bool:
    """Say whether a column of a table without metrics is what was counted."""
    return at == len(names) and name.endswith(("_evaluated", "_list", "_lists", "_cutoff", "_rows"))


def _metric(row: Row, sep: str) -> str:
    if "metric" not in row:
        return ""
    name, cutoff = halves(row.get("asked") or row["metric"], row["k"])
    return _plain(name).strip("_") + (sep + cutoff[1:] if cutoff else "")


def _plain(text: str) -> str:
    """Put what trackers refuse in names into underscores."""
    return re.sub(r"[^\w.\- ]+", "_", text)
