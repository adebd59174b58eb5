"""Tests of whether the mean of a segment differs from the mean of all other users."""

from __future__ import annotations

import math
from typing import NamedTuple

from .distributions import t_outside

# A sum of squares below this share of the total is a rounding error.
_ROUNDING = 1e-12


class Sample(NamedTuple):
    """The number of users, their mean, and the sum of squares around the mean."""

    users: int
    mean: float
    squares: float

    @property
    def variance(self) -> float:
        """The variance of the users."""
        return self.squares / (self.users - 1)

    def mean_p(self) -> float | None:
        """Return the p-value of Student's t-test for a mean of 0, None if unknown."""
        if self.users < 2 or not self.squares:
            return 0.0 if self.users > 1 and self.mean else None
        return t_outside(self.mean / math.sqrt(self.variance / self.users), self.users - 1)

    def exclude(self, part: Sample) -> Sample:
        """Return the sample without some of its users; at least one user must remain."""
        users = self.users - part.users
        mean = self.mean + (self.mean - part.mean) * part.users / users
        between = (part.mean - mean) ** 2 * part.users * users / self.users
        squares = self.squares - part.squares - between
        return Sample(users, mean, squares if squares > _ROUNDING * self.squares else 0.0)


def interaction_p(part: Sample, rest: Sample) -> float | None:
    """Return the larger p-value of Student's and Welch's t-tests for a difference of two means.

    Welch's p-value is too small if most values are 0 and a few are large: a small segment may have
    no large value, so its variance is underestimated. Student's p-value is too small if the segment
    has a larger variance than all other users. Return None if a sample has fewer than two users. If
    neither sample varies, return 0 when the means differ and None when they are equal.

    Source: Student 1908, doi.org/10.2307/2331554; Welch 1947, doi.org/10.1093/biomet/34.1-2.28
    """
    if part.users < 2 or rest.users < 2:
        return None
    if not part.squares + rest.squares:
        same = math.isclose(part.mean, rest.mean, rel_tol=1e-9, abs_tol=1e-12)
        return None if same else 0.0
    difference, df = part.mean - rest.mean, part.users + rest.users - 2
    pooled = (part.squares + rest.squares) / df * (1 / part.users + 1 / rest.users)
    errors = [sample.variance / sample.users for sample in (part, rest)]
    parts = zip(errors, (part, rest), strict=True)
    welch_df = sum(errors) ** 2 / sum(error**2 / (sample.users - 1) for error, sample in parts)
    return max(
        t_outside(difference / math.sqrt(pooled), df),
        t_outside(difference / math.sqrt(sum(errors)), welch_df),
    )
