"""Conventions, which map the metrics of a library to sqlrec's metrics, read from data files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import get_args

from .. import messages
from ..display.text import Style, terminal_width, to_text
from ..errors import MetricError, suggest_name
from ..options import ConventionName
from ..paths import sql_folder
from ..rules import RULES, RuleChoices
from .headers import Params
from .metric_help import convention_layout, conventions_layout

OWN = "sqlrec"


@dataclass(frozen=True)
class Entry:
    """A metric of a library.

    Attributes:
        name: The library's name of the metric, such as ``MAP``.
        metric: sqlrec's name of the metric, such as ``average_precision``.
        params: The parameters with which sqlrec's metric equals the library's metric.
        rules: The rules that differ from the defaults.
        note: A known defect of the library's metric, or the cases in which it is undefined.
    """

    name: str
    metric: str
    params: Params = field(default_factory=dict)
    rules: RuleChoices = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True)
class Convention:
    """The metrics of a library.

    Attributes:
        name: The name that selects it, as in ``rs_metrics-0.4``.
        library: The library's name on PyPI.
        version: The version of the library that sqlrec was compared with.
        source: The library's address.
        entries: The metrics. If several entries have the same sqlrec metric, a request without
            parameters selects the first entry.
        missing: Metrics of the library that sqlrec does not implement, with the reason for each.
        unequal: Metrics with values that can differ from the library's values, with the reason for
            each.
    """

    name: str
    library: str = ""
    version: str = ""
    source: str = ""
    entries: tuple[Entry, ...] = field(default=(), repr=False)
    missing: Mapping[str, str] = field(default_factory=dict, repr=False)
    unequal: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        return to_text(convention_layout(self), Style(terminal_width()))

    def entry(self, metric: str) -> Entry:
        """Return the library's form of a metric."""
        own = next((entry for entry in self.entries if entry.metric == metric), None)
        if own is not None:
            return own
        if self.name == OWN:
            return Entry(metric, metric)
        names = ", ".join(sorted({entry.metric for entry in self.entries}))
        raise MetricError(
            messages.NOT_IN_CONVENTION.format(metric=metric, convention=self.name, known=names)
        )


class Conventions(dict[ConventionName, Convention]):
    """Conventions by name, displayed as a list."""

    def __repr__(self) -> str:
        return to_text(conventions_layout(self.values()), Style(terminal_width()))


@cache
def conventions() -> Mapping[ConventionName, Convention]:
    """Return all conventions by name, sqlrec's own first."""
    own, *others = get_args(ConventionName)
    folder = sql_folder() / "conventions"
    return Conventions(
        {own: Convention(own)} | {name: _read_convention(folder, name) for name in others}
    )


def convention(name: str) -> Convention:
    """Return a convention by its name."""
    if name == OWN:
        # The default convention has no file.
        return Convention(OWN)
    match = next((other for other in conventions().values() if other.name == name), None)
    if match is None:
        close = suggest_name(str(name), conventions())
        raise MetricError(messages.CONVENTION.format(convention=name, nearest=close))
    return match


def _read_convention(folder: Path, name: str) -> Convention:
    """Read the file of a convention. Its rules apply to all entries."""
    import tomllib  # The default convention has no file.

    data = tomllib.loads((folder / f"{name}.toml").read_text(encoding="utf-8"))
    entries = []
    for metric, switches in data["metrics"].items():
        rules = data.get("rules", {}) | {key: switches[key] for key in RULES if key in switches}
        params = {
            key: value for key, value in switches.items() if key not in (*RULES, "metric", "note")
        }
        entries.append(Entry(metric, switches["metric"], params, rules, switches.get("note", "")))
    return Convention(
        name,
        data["library"],
        data["version"],
        data["source"],
        tuple(entries),
        data.get("missing", {}),
        data.get("unequal", {}),
    )
