"""Conventions: what libraries compute under the names of metrics, read from data."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, get_args

from .. import messages
from ..display.text import Style, terminal_width, to_text
from ..errors import MetricError, nearest
from ..options import ConventionName
from ..paths import sql_folder
from ..rules import RULES
from .described import of_convention, of_conventions

OWN = "sqlrec"


@dataclass(frozen=True)
class Entry:
    """A metric as a library has it.

    Attributes:
        name: What the library calls it, as in ``MAP``.
        metric: What it is called here, as in ``average_precision``.
        params: The parameters with which it is the same.
        rules: The rules of an evaluation, as far as they differ from the defaults.
        note: What is odd about it, if anything: a known defect, or what it leaves undefined.
    """

    name: str
    metric: str
    params: Mapping[str, Any] = field(default_factory=dict)
    rules: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True)
class Convention:
    """How a library computes its metrics.

    Attributes:
        name: The name that selects it, as in ``rs_metrics-0.4``.
        library: The library's name on PyPI.
        version: The version of the library whose values were compared.
        source: The library's address.
        entries: Its metrics. Where several are the same metric in sqlrec with other parameters, a
            metric without parameters means the first.
        missing: Metrics of the library that sqlrec does not have, with the reason for each.
        unequal: Metrics whose values can differ from the library's, with the reason for each.
    """

    name: str
    library: str = ""
    version: str = ""
    source: str = ""
    entries: tuple[Entry, ...] = field(default=(), repr=False)
    missing: Mapping[str, str] = field(default_factory=dict, repr=False)
    unequal: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        return to_text(of_convention(self), Style(terminal_width()))

    def _repr_html_(self) -> str:
        from ..display.html import to_html

        return to_html(of_convention(self))

    def entry(self, metric: str) -> Entry:
        """Return the library's form of a metric.

        Args:
            metric: The name of a metric, such as ``ndcg``.

        Raises:
            MetricError: The library does not have this metric.
        """
        found = next((entry for entry in self.entries if entry.metric == metric), None)
        if found is not None:
            return found
        if self.name == OWN:
            return Entry(metric, metric)
        known = ", ".join(sorted({entry.metric for entry in self.entries}))
        raise MetricError(
            messages.NOT_IN_CONVENTION.format(metric=metric, convention=self.name, known=known)
        )


class Conventions(dict[ConventionName, Convention]):
    """Conventions by name, which show themselves as a list."""

    def __repr__(self) -> str:
        return to_text(of_conventions(self.values()), Style(terminal_width()))

    def _repr_html_(self) -> str:
        from ..display.html import to_html

        return to_html(of_conventions(self.values()))


@cache
def conventions() -> Mapping[ConventionName, Convention]:
    """Return all conventions by name, sqlrec's own first."""
    own, *others = get_args(ConventionName)
    folder = sql_folder() / "conventions"
    return Conventions({own: Convention(own)} | {name: _read(folder, name) for name in others})


def convention(name: str) -> Convention:
    """Find a convention by its name.

    Raises:
        MetricError: There is none; names the nearest.
    """
    if name == OWN:
        # It is the default, and the others are not read for it.
        return Convention(OWN)
    found = next((one for one in conventions().values() if one.name == name), None)
    if found is None:
        close = nearest(str(name), conventions())
        raise MetricError(messages.CONVENTION.format(convention=name, nearest=close))
    return found


def _read(folder: Path, name: str) -> Convention:
    """Read a profile: entries hold parameters and rules alike, and rules hold for all of them."""
    found = tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))
    entries = []
    for metric, switches in found["metrics"].items():
        rules = found.get("rules", {}) | {key: switches[key] for key in RULES if key in switches}
        params = {
            key: value for key, value in switches.items() if key not in (*RULES, "metric", "note")
        }
        entries.append(Entry(metric, switches["metric"], params, rules, switches.get("note", "")))
    return Convention(
        name,
        found["library"],
        found["version"],
        found["source"],
        tuple(entries),
        found.get("missing", {}),
        found.get("unequal", {}),
    )
