"""What sqlrec raises. Each message names the value, the rule and the fix."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class SqlrecError(ValueError):
    """Base of all errors that sqlrec raises itself."""


class MetricError(SqlrecError):
    """A metric, cutoff or parameter that is not in the catalogue."""


class InputError(SqlrecError):
    """An input, column, type or option that can't be used. Raised before the metrics run."""


class DataError(SqlrecError):
    """Rows that would make a number wrong: repeated items, missing scores, ..."""


def nearest(name: str, known: Iterable[str], shown: str = "") -> str:
    """Suggest the known name nearest to a mistyped one, as a sentence, or list them all.

    Args:
        name: What was written.
        known: What there is.
        shown: What to say instead of listing them.
    """
    known = sorted(known)
    close = difflib.get_close_matches(name.lower(), known, n=1)
    return f"did you mean {close[0]!r}?" if close else shown or f"known are {', '.join(known)}"
