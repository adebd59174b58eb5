"""Macros of a dbt project: entries of the catalogue for sqlrec's metrics and custom metrics."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from math import nextafter

from ..paths import OWN
from .headers import ANY_TEXT, Metric, metrics

# A number beyond the limits of all parameters.
LARGEST = 1e300

# Defaults of a catalogue entry, which entries omit.
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
    """Return a file of macros for a dbt project, which makes custom metrics available to sqlrec.

    Args:
        names: The custom metrics, which are loaded.
    """
    by_name = metrics()
    entries = catalogue_entries(by_name[name] for name in names)
    for name in names:
        entry = entries[name]
        entry["planned"] = {**dict(entry["planned"]), "own": True}  # type: ignore[call-overload]
    # The package finds macros of a project like macros of an adapter.
    texts = [_MACRO.sub(r"\1default__\2", OWN[name][1]).strip() for name in names]
    return "\n\n".join([_HEAD + returning("default__own_metrics", entries).strip(), *texts]) + "\n"


def catalogue_entries(metrics: Iterable[Metric]) -> dict[str, dict[str, object]]:
    """Return the catalogue entries of metrics by name; that of an alias has only the name."""
    metrics = [*metrics]
    entries: dict[str, dict[str, object]] = {
        metric.name: catalogue_entry(metric) for metric in metrics
    }
    return entries | {
        alias: {"name": metric.name} for metric in metrics for alias in metric.aliases
    }


def catalogue_entry(metric: Metric) -> dict[str, object]:
    """Return the catalogue entry of a metric, without values that equal the defaults."""
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
    """Return the largest or smallest number within limits."""
    if open_ in limits:
        return nextafter(limits[open_], -without)
    return limits.get(closed, without)


def returning(name: str, value: object, read: str = "{{ return(fromjson(entries)) }}") -> str:
    """Return a macro that returns a value as JSON, which dbt reads much faster than Jinja."""
    # Jinja's delimiters may only occur within a string.
    text = re.sub("{(?=[{%#])", r"\\u007b", _json(value))
    entries = f"{{% set entries %}}\n{text}\n{{% endset %}}\n{read}"
    return f"{{% macro {name}() %}}\n{entries}\n{{% endmacro %}}\n"


def _json(value: object, indent: str = "") -> str:
    """Format a value as JSON, in lines of 100 columns if its strings are short enough."""
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
    text = "\n".join(line.rstrip() for line in lines)
    return f"{first}\n{text}\n{indent}{last}"
