"""The errors that sqlrec raises. Each message names the value, the rule and the fix."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from .shown import hidden, shown

# The rows of a table that was given as something else, without its first line and its last.
_ROWS = re.compile(r"\n.{80,}\n", re.DOTALL)


class SqlrecError(ValueError):
    """Base class of all errors of sqlrec. Messages are one line and contain no passwords."""

    def __init__(self, message: str) -> None:
        super().__init__(shown(_ROWS.sub(" ... ", message)))


class MetricError(SqlrecError):
    """A metric, cutoff or parameter that does not exist."""


class InputError(SqlrecError):
    """An input, column, type or option that is not valid. Raised before the metrics run."""


class DataError(SqlrecError):
    """Rows that would make a value wrong: repeated items, missing scores, ..."""


def not_installed(what: str, package: str, install: str = "") -> InputError:
    """Return the error of what needs a package that is not there.

    Args:
        what: What needs it.
        package: Its name.
        install: What pip installs, where that is not called so too.
    """
    return InputError(f"{what} needs {package}: pip install {install or package}")


def nearest(name: str, known: Iterable[str], shown: str = "") -> str:
    """Suggest the known name nearest to a mistyped one, as a sentence, or list them all.

    Args:
        name: What was written.
        known: What there is.
        shown: What to say instead of listing them.
    """
    known, name = sorted(map(str, known)), name.lower()
    # Two neighbouring letters that are swapped are one mistake, which difflib counts as two.
    swapped = {name[:n] + name[n + 1] + name[n] + name[n + 2 :] for n in range(len(name) - 1)}
    close = [one for one in known if one in swapped] or difflib.get_close_matches(name, known, n=1)
    return f"did you mean {close[0]!r}?" if close else shown or f"known are {', '.join(known)}"


def cause(error: Exception) -> Exception | None:
    """Return what an error is raised from, to be seen in a traceback, unless it tells a secret."""
    return error if hidden(str(error)) == str(error) else None
