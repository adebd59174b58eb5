"""Output for programs, with all rows and digits: CSV, JSON, and names for trackers."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence

from ..errors import InputError
from ..records import Row
from .table_layout import split_cutoff

# Columns that are part of the name of a row, after its metric.
_KEYS = ("check", "population", "convention")

# Ends of the names of counts of users and lists.
_COUNTS = ("_evaluated", "_list", "_lists", "_cutoff", "_rows")

# Columns that are not tracked.
_OMITTED = (
    *("metric", "k", "request", "users", "clusters", "degrees_of_freedom"),
    *("standard_error", "interval"),
)


def to_csv(names: Sequence[str], rows: Sequence[Row]) -> str:
    """Return rows as CSV."""
    text = io.StringIO()
    plain = csv.writer(text, lineterminator="\n")
    # Python does not quote carriage returns.
    quoting = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    for row in (names, *(row.values() for row in rows)):
        returns = any(isinstance(cell, str) and "\r" in cell for cell in row)
        (quoting if returns else plain).writerow(row)
    return text.getvalue().rstrip("\n")


def to_json(rows: Sequence[Row]) -> str:
    """Return rows as JSON, with an object per line."""
    lines = (json.dumps(row, default=str, ensure_ascii=False) for row in rows)
    return "[\n" + ",\n".join(lines) + "\n]"


def to_dict(names: Sequence[str], rows: Sequence[Row], sep: str) -> dict[str, float]:
    """Return numbers by names that trackers accept: ``ease/gender.F/ndcg_at_10``."""
    if not isinstance(sep, str):
        raise InputError(f"sep={sep!r:.80}: give a string, as in '_at_'")
    if "user_id" in names:
        raise InputError(
            "to_dict: per-user values are too many for a tracker: call it on the result"
        )
    at = [*names].index("metric") if "metric" in names else len(names)
    left_out = (*_OMITTED, "result")
    keys = [name for name in names[:at] if name not in left_out]
    if at == len(names):
        # Without metrics, numbers are counts.
        keys = [name for name in keys if not name.endswith(_COUNTS)]
    keys += [name for name in names[at:] if name in _KEYS]
    several = {name for name in keys if len({row[name] for row in rows}) > 1}
    keys = [name for name in keys if name in several or name not in ("model", *_KEYS)]
    numbers: dict[str, float] = {}
    for row in rows:
        names_by_key = {
            name: _tracker_name(str(row[name])) for name in keys if row[name] is not None
        }
        parts = [
            text if name == "model" else f"{_tracker_name(name)}.{text}"
            for name, text in names_by_key.items()
        ]
        metric = ""
        if "metric" in row:
            name, cutoff = split_cutoff(row.get("request") or row["metric"], row["k"])
            metric = _tracker_name(name).strip("_") + (sep + cutoff[1:] if cutoff else "")
        for name in names:
            value = row[name]
            if name == "result":
                name, value = "passed", value == "pass"
            if name in (*keys, *_OMITTED) or not isinstance(value, (int, float)):
                continue
            number_name = metric if name == "value" else f"{metric}_{name}" if metric else name
            if not metric and row.get("k") is not None:
                number_name += f"{sep}{row['k']}"
            full = "/".join([*parts, number_name])
            if full in numbers:
                raise InputError(
                    f"to_dict: two numbers have the name {full!r}: models, segments or metrics "
                    "differ only in characters that trackers reject; rename them, or use to_arrow()"
                )
            numbers[full] = float(value) if isinstance(value, float) else int(value)
    return numbers


def _tracker_name(text: str) -> str:
    """Replace characters that trackers reject in names with underscores."""
    return re.sub(r"[^\w.\- ]+", "_", text)
