"""What dbt knows of metrics: entries of its catalogue, of ours and of metrics of one's own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from math import nextafter

from ..paths import OWN
from .headers import ANY_TEXT, Metric, metrics

# A number beyond all that a parameter may be.
LARGEST = 1e300

# What is said of most metrics, and left out where it is so.
USUAL: dict[str, object] = {
    "texts": [],
    "choices": {},
    "numbers": {},
    "cutoff": "a number, or all",
    "most": 1_000_000,
    "if_given": [],
    "if_param": {},
    "unless": {},
    "weighed": False,
    "unexpected": {},
}

_MACRO = re.compile(r"({%-? macro )(\w)")

_HEAD = """\
-- Made by sqlrec dbt-metrics of the files of these metrics: change those, and make it anew.

-- What sqlrec's package asks a project for.
"""


def own_metrics(names: list[str]) -> str:
    """Write a file of macros for a dbt project, by which sqlrec's package knows metrics.

    Args:
        names: Metrics of one's own, which are known here.
    """
    found = metrics()
    entries = described_by_name(found[name] for name in names)
    for name in names:
        entry = entries[name]
        entry["planned"] = {**dict(entry["planned"]), "own": True}  # type: ignore[call-overload]
    # The package finds macros of a project as it finds those of an adapter.
    texts = [_MACRO.sub(r"\1default__\2", OWN[name][1]).strip() for name in names]
    return "\n\n".join([_HEAD + returning("default__own_metrics", entries).strip(), *texts]) + "\n"


def described_by_name(found: Iterable[Metric]) -> dict[str, dict[str, object]]:
    """Say what dbt looks up of metrics by name; an alias has the name alone."""
    known = [*found]
    own: dict[str, dict[str, object]] = {one.name: described(one) for one in known}
    return own | {alias: {"name": one.name} for one in known for alias in one.aliases}


def described(metric: Metric) -> dict[str, object]:
    """Say what dbt looks up of a metric, as far as it is not usual."""
    rule = metric.entries["Cutoff"]
    texts = [key for key, allowed in metric.params.items() if allowed == (ANY_TEXT,)]
    entry: dict[str, object] = {
        "name": metric.name,
        "rows": metric.rows,
        "defaults": {key: own[0] for key, own in metric.params.items()},
        "texts": texts,
        "choices": {
            key: list(own)
            for key, own in metric.params.items()
            if isinstance(own[0], str) and key not in texts
        },
        "numbers": {
            key: {
                "words": " ".join(f"{word} {limit}" for word, limit in limits.items()),
                "least": _bound(limits, "from", "above", -LARGEST),
                "most": _bound(limits, "to", "below", LARGEST),
                "step": limits.get("by", 0),
            }
            for key, limits in metric.limits.items()
        },
        "cutoff": re.sub(" up to .*", "", rule),
        "most": int(rule.partition(" up to ")[2] or 1_000_000),
        "needs": {need.table: list(need.columns) for need in metric.needs},
        "if_given": [need.table for need in metric.needs if need.when == "given"],
        "if_param": {
            need.table: [key, values.split("|")]
            for need in metric.needs
            for key, equals, values in [need.when.partition("=")]
            if equals
        },
        "unless": {
            need.table: dict(re.findall(r"(\w+)=(\w+)", need.unless))
            for need in metric.needs
            if need.unless
        },
        "weighed": metric.reads("logs", "propensity"),
        "unexpected": dict(metric.unexpected),
        "planned": {
            "parts": list(metric.parts),
            "better": metric.better,
            "title": metric.title,
            "source": metric.source,
        },
    }
    return {key: value for key, value in entry.items() if key not in USUAL or value != USUAL[key]}


def _bound(limits: Mapping[str, float], closed: str, open_: str, without: float) -> float:
    """Return the outermost number within limits: beside what it is above or below."""
    if open_ in limits:
        return nextafter(limits[open_], -without)
    return limits.get(closed, without)


def returning(name: str, value: object, read: str = "{{ return(fromjson(entries)) }}") -> str:
    """Write a macro that returns a value: as JSON, which dbt reads faster than Jinja by far."""
    # A sign of Jinja can only stand within a text.
    text = re.sub("{(?=[{%#])", r"\\u007b", _json(value))
    entries = f"{{% set entries %}}\n{text}\n{{% endset %}}\n{read}"
    return f"{{% macro {name}() %}}\n{entries}\n{{% endmacro %}}\n"


def _json(value: object, indent: str = "") -> str:
    """Write a value as JSON, in lines of 100 columns as far as its texts are short enough."""
    inner = indent + "    "
    if isinstance(value, dict):
        first, last = "{", "}"
        entries = [f"{json.dumps(key)}: {_json(entry, inner)}" for key, entry in value.items()]
    elif isinstance(value, list):
        first, last = "[", "]"
        entries = [_json(entry, inner) for entry in value]
    else:
        return json.dumps(str(value) if value == float("-inf") else value, ensure_ascii=False)
    if len(line := f"{first}{', '.join(entries)}{last}") + len(indent) <= 90 and "\n" not in line:
        return line
    lines = [inner]
    for number, entry in enumerate(entries, start=1):
        filled = len(lines[-1]) + len(entry) > 97 or "\n" in entry + lines[-1]
        if filled and lines[-1].strip():
            lines.append(inner)
        lines[-1] += entry + (", " if number < len(entries) else "")
    written = "\n".join(line.rstrip() for line in lines)
    return f"{first}\n{written}\n{indent}{last}"
