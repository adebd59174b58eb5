"""The errors that sqlrec raises. Each message names the value, the rule and the fix."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from .records import Row
from .safe_text import hide_passwords, safe_text

# The lines of a table in a message, between its first and its last line.
_ROWS = re.compile(r"\n.{80,}\n", re.DOTALL)

# Names in other libraries and engines, by sqlrec's name.
_FOREIGN_NAMES = {
    "by": ("group_by", "segment"),
    "convention": ("library", "rules"),
    "duplicates": ("dedupe", "deduplicate", "drop_duplicates"),
    "each": ("groupings",),
    "fabric": ("mssql", "sqlserver", "synapse", "tsql"),
    "history": ("train", "train_set"),
    "interval": ("bootstrap", "ci", "confidence_interval"),
    "k": ("at_k", "cutoff", "cutoffs", "top_k", "topk"),
    "level": ("alpha", "confidence"),
    "recs": ("predictions", "recommendations", "run"),
    "relevance_threshold": ("threshold", "relevance_level", "rel"),
    "truth": ("ground_truth", "labels", "qrels", "test_set"),
}


class SqlrecError(ValueError):
    """Base class of all errors of sqlrec. Messages are one line and contain no passwords.

    Attributes:
        option: The option with an invalid value, if any.
        input: The input that the error is about, such as ``truth`` or ``recs['als']``, if any.
        column: The column of this input, by sqlrec's name.
        row: The values of a row that breaks a rule, such as its ``user_id`` and ``item_id``.
    """

    def __init__(
        self,
        message: str,
        *,
        option: str | None = None,
        input: str | None = None,
        column: str | None = None,
        row: Row | None = None,
    ) -> None:
        super().__init__(safe_text(_ROWS.sub(" ... ", message)))
        self.option = option
        self.input = input
        self.column = column
        self.row = row


class MetricError(SqlrecError):
    """A metric, cutoff or parameter that does not exist."""


class InputError(SqlrecError):
    """An invalid input, column, type or option. The error is raised before the metrics run."""


class OptionError(InputError):
    """An invalid value of an option; the attribute ``option`` is the name of the option."""


class ColumnError(InputError):
    """A column that is missing or has a wrong type; ``input`` and ``column`` name it."""


class DataError(SqlrecError):
    """Rows that would make a value wrong: repeated items, missing scores, ..."""


def not_installed(feature: str, package: str, install: str = "") -> InputError:
    """Return the error for a feature that needs a missing package."""
    return InputError(f"{feature} needs {package}: pip install {install or package}")


def suggest_name(name: str, names: Iterable[str], fallback: str = "") -> str:
    """Suggest the valid name that is closest to a mistyped name, or list all valid names.

    For a name from another library, sqlrec's name is suggested. Three or more letters that only one
    valid name contains suggest that name.
    """
    names, name = sorted(map(str, names)), name.lower().lstrip("-").replace("-", "_")
    plain = {x.lstrip("-").replace("-", "_"): x for x in names}
    for own, foreign in _FOREIGN_NAMES.items():
        if own in plain and name in foreign:
            return f"did you mean {plain[own]!r}?"
    # difflib counts two swapped letters as two mistakes.
    anagrams = [x for x in plain if sorted(x) == sorted(name)]
    close = anagrams or difflib.get_close_matches(name, plain, n=1, cutoff=0.62)
    if not close and len(name) > 2:
        close = [x for x in plain if name in x.lower()]
        close *= len(close) == 1
    if close:
        return f"did you mean {plain[close[0]]!r}?"
    return fallback or f"choose from {', '.join(names)}"


def safe_cause(error: Exception) -> Exception | None:
    """Return the error to chain in the traceback, or None if it contains a secret."""
    return error if hide_passwords(str(error)) == str(error) else None


def first_error_line(error: Exception) -> str:
    """Return the first line of an engine's error. The following lines repeat the statement.

    DuckDB's errors about extensions and addresses name the cause in later lines.
    """
    if re.match("An error occurred while trying to automatically|HTTP Error", str(error)):
        return " ".join(str(error).partition("LINE 1:")[0].split())
    return next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
