"""Checked statistical options of a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

# A metric's name and cutoff in a result.
Name = tuple[str, int | None]


@dataclass(frozen=True)
class Margin:
    """The margin for a difference: a number, or a share of the baseline's value."""

    size: float
    relative: bool
    better: str


@dataclass(frozen=True)
class ComparisonOptions:
    """Checked options of ``compare``."""

    interval: str
    level: float
    test: str
    correction: str
    replicates: int
    cluster: str | None
    alternative: str = "two-sided"
    margins: Mapping[Name, Margin] = field(default_factory=dict)
    adjust: Sequence[str] = ()
    weights: str | None = None

    @property
    def limits(self) -> str:
        """The method of intervals. Anytime-valid limits of one-sided tests are one-sided too."""
        one_sided = self.interval == "anytime" and self.alternative != "two-sided"
        return "anytime_one_sided" if one_sided else self.interval
