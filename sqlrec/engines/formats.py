"""Formats of data sets and benchmarks, which the first lines of a file identify."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from ..errors import InputError, suggest_name
from .trec_files import TREC, TREC_ENDINGS, is_only_numbers, is_trec, lines_relation

FormatName = Literal[
    "csv", "tsv", "json", "parquet", "arrow", "trec", "movielens", "recbole", "lightgcn", "mind",
    "libsvm", "netflix",
]  # fmt: skip
FORMATS = get_args(FormatName)

# Encodings that DuckDB reads without an extension.
ENCODINGS = ("utf-8", "latin-1", "utf-16")


@dataclass(frozen=True)
class File:
    """A file as an input, with a format that its name and first lines do not show.

    Example:
        >>> import sqlrec
        >>> sqlrec.File("u.data", "movielens")
        File(path='u.data', format='movielens', delimiter=None, header=None, encoding=None)

    Args:
        path: A file, a glob or a folder.
        format: ``csv``, ``tsv``, ``json``, ``parquet``, ``arrow`` (Feather too), ``trec`` (a run or
            qrels), ``movielens`` (ratings of any release), ``recbole`` (an atomic file),
            ``lightgcn`` (a user and their items per line), ``mind`` (``behaviors.tsv``), ``libsvm``
            (LETOR and SVMrank), ``netflix`` (the Netflix Prize). By default, the format follows
            from the extension and the first lines.
        delimiter: The text between the columns of a text file, such as ``"::"``.
        header: Whether the first line contains the names of the columns. Without names, columns are
            ``column0``, ``column1`` and so on.
        encoding: ``utf-8``, ``latin-1`` or ``utf-16``.

    Raises:
        InputError: The format or the encoding does not exist, or another argument has the wrong
            type.
    """

    path: str | os.PathLike[str]
    format: FormatName | None = None
    delimiter: str | None = None
    header: bool | None = None
    encoding: str | None = None

    def __post_init__(self) -> None:
        for name, choices in (("format", FORMATS), ("encoding", ENCODINGS)):
            value = getattr(self, name)
            if value is not None and value not in choices:
                raise InputError(f"{name}={value!r}: {suggest_name(str(value), choices)}")
        if not isinstance(self.path, str | os.PathLike):
            raise InputError(f"path=<{type(self.path).__name__}>: give the path of a file")
        if self.delimiter is not None and (
            not isinstance(self.delimiter, str) or not self.delimiter
        ):
            raise InputError(f"delimiter={self.delimiter!r}: give the text between two columns")
        if not isinstance(self.header, bool | None):
            raise InputError(f"header={self.header!r}: it must be True, False or None")

    def __fspath__(self) -> str:
        return os.fsdecode(self.path)


def _value_column(table: str) -> str:
    """Return the column with the value of an item: a score, a grade or a rating."""
    return {"recs": "score", "baseline": "score", "truth": "relevance"}.get(table, "rating")


_TIMESTAMP = r"\d{9,13}"
_STARS = r"[0-5](\.[05])?|10"
_TYPED_NAME = r"[^\s:]+:(token|float)(_seq)?"
_IMPRESSIONS = r"\S+-[01]( \S+-[01])*"
_LABEL_OF_QUERY = r"-?\d+(\.\d+)?\s+qid:\S+(\s+\d+:\S+)*\s*(#.*)?"


def recognize_format(lines: Sequence[str], table: str, path: str) -> FormatName | None:
    """Return the format of a text file from its first lines, None if uncertain."""
    filled = [line for line in lines if line.strip()]
    if not filled:
        return None
    if table in TREC and (is_trec(filled, table) or path.lower().endswith(TREC_ENDINGS)):
        return "trec"
    return next((name for name, fits in _SIGNS.items() if fits(filled)), None)


def _is_movielens(lines: Sequence[str]) -> bool:
    rows = [line.split("::" if "::" in lines[0] else "\t") for line in lines]
    return all(
        len(row) == 4 and re.fullmatch(_STARS, row[2]) and re.fullmatch(_TIMESTAMP, row[3])
        for row in rows
    )


def _is_lightgcn(lines: Sequence[str]) -> bool:
    """Return whether each line has a different user and any number of items."""
    rows = [line.split() for line in lines]
    users = {row[0] for row in rows}
    are_integers = all(part.isdecimal() for row in rows for part in row)
    return are_integers and len(users) == len(rows) and len({len(row) for row in rows}) > 1


_SIGNS: dict[FormatName, Callable[[Sequence[str]], bool]] = {
    "recbole": lambda lines: all(re.fullmatch(_TYPED_NAME, name) for name in lines[0].split("\t")),
    "movielens": _is_movielens,
    "mind": lambda lines: all(
        len(row) == 5 and re.fullmatch(_IMPRESSIONS, row[4])
        for row in (line.split("\t") for line in lines)
    ),
    "netflix": lambda lines: re.fullmatch(r"\d+:", lines[0].strip()) is not None,
    "libsvm": lambda lines: all(
        re.fullmatch(_LABEL_OF_QUERY, line.strip()) for line in lines if not line.startswith("#")
    ),
    "lightgcn": _is_lightgcn,
}


def is_guess(format: str | None, lines: Sequence[str], path: str) -> bool:
    """Return whether the format is a guess, so the caller gets a warning."""
    if format == "trec":
        has_name = re.search(r"qrels?\b|\.(run|trec)$", path, re.IGNORECASE)
        return is_only_numbers(lines) and not has_name
    return format in ("movielens", "lightgcn")


# Descriptions of formats that may be a guess.
MEANINGS = {
    "movielens": "ratings of MovieLens: user, item, rating, timestamp",
    "lightgcn": "lists of LightGCN: a user and the user's items per line",
    "trec": "a run or qrels of TREC: topic, iteration, docno and so on",
}


# Formats in which a line is not a row, and the inputs that need a separate query.
OF_LINES: dict[str, Mapping[str, str]] = {
    "lightgcn": {"recs": "lightgcn_lists", "baseline": "lightgcn_lists"},
    "mind": {"history": "mind_history"},
    "libsvm": {},
    "netflix": {},
}


def parsed_lines_relation(format: str, source: str, table: str) -> str:
    """Return the relation of the rows that the lines of files contain, by the format's query."""
    path = Path(__file__).parent / "formats_of_lines" / f"{OF_LINES[format].get(table, format)}.sql"
    _, _, query = path.read_text(encoding="utf-8").partition("\n")
    query = " ".join(query.split()).replace("value_column", _value_column(table))
    return f"({query.replace('file_lines', lines_relation(source))})"


# The standard name of each column in MovieLens CSV files and RecBole atomic files. The column with
# the value, which is a score or a relevance, has an empty name.
RENAMED = {
    "movielens": {"userId": "user_id", "movieId": "item_id", "rating": ""},
    "recbole": {"rating": "", "label": ""},
}
MOVIELENS_NAMES = ("userId", "movieId", "rating", "timestamp")


def rename_columns(call: str, names: Sequence[str], format: str, table: str) -> str:
    """Return the SQL that renames columns of delimited rows to standard names."""
    columns = []
    for name in names:
        plain = re.sub(r":(token|float)(_seq)?$", "", name) if format == "recbole" else name
        standard_name = RENAMED[format].get(plain, plain) or _value_column(table)
        quoted = '"' + name.replace('"', '""') + '"'
        columns.append(f'{quoted} as "{standard_name}"')
    return f"(select {', '.join(columns)} from {call})"
