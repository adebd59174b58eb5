"""Delimited text files: their delimiters and headers, and the SQL that reads them.

If the number of columns changes, DuckDB's own detection drops the rows above the change. So this
module reads the first lines, and passes the delimiter and the column names to DuckDB. Lines that do
not fit are then errors.
"""

from __future__ import annotations

import csv
import gzip
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from ..dialects import text
from ..display.numbers import format_count
from ..errors import InputError
from ..records import group_by
from ..safe_text import escape_control_characters

# Number of lines, and of characters per line, from which the delimiter is inferred.
HEAD_LINES = 50
_LINE_LIMIT = 1 << 20

# Candidates for the delimiter, by kind of file. The candidate that gives the most columns is used.
_DELIMITERS: dict[str, tuple[str, ...]] = {"tsv": ("\t",)}
_ANY_DELIMITER = (",", "\t", ";", "|", "::", " ")

# Numbers, dates and times, which are not column names.
_VALUE = r"[-+]?[0-9][0-9.,:eE/+-]*([ T][0-9:.]+(Z|[-+][0-9:]+)?)?"

# Names that identify a header even if its other names are numbers.
COLUMN_NAMES = {"user_id", "item_id", "userid", "itemid", "user", "item", "model"}
COLUMN_NAMES |= {"score", "rank", "relevance"}

# The first bytes of binary files and of text in other encodings, and their names.
_BINARY = {
    b"\xff\xfe\0\0": "UTF-32",
    b"\0\0\xfe\xff": "UTF-32",
    b"\xfe\xff": "big-endian UTF-16",
    b"PAR1": "Parquet",
    b"ARROW1": "Arrow",
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"PK\x03\x04": "zip",
    b"\x80\x04": "pickle",
    b"\x80\x05": "pickle",
    b"SQLite": "SQLite",
    b"\x93NUMPY": "NumPy",
    b"\x89HDF": "HDF5",
}
_BREAK = r"\r\n?|\n"
_BYTE_ORDER_MARKS = {b"\xff\xfe": "utf-16"}


@dataclass(frozen=True)
class TextLayout:
    """The layout of a delimited file."""

    delimiter: str  # The text between columns.
    # Unique names of the columns; ``column0``, ``column1``, ... without a header.
    names: tuple[str, ...]
    header: tuple[str, ...]  # The original names in the header, empty without a header.
    blank: int = 0  # The number of leading blank lines.
    encoding: str = "utf-8"  # The encoding, as DuckDB names it.


def binary_kind(path: str) -> str | None:
    """Return the name of the binary format of a local file, None for text."""
    with Path(path).open("rb") as file:
        first = file.read(1000)
    kind = next((name for start, name in _BINARY.items() if first.startswith(start)), None)
    # Text has no null characters, except in UTF-16.
    if kind or b"\0" not in first or first[:2] in _BYTE_ORDER_MARKS:
        return kind
    if not any(first[1::2]):
        return "UTF-16"
    return "binary" if any(first[::2]) else "big-endian UTF-16"


def is_text_file(path: str) -> bool:
    """Return whether a local file is text, plain or compressed according to its extension."""
    kind = binary_kind(path)
    endings = {"gzip": ".gz", "zstd": ".zst"}
    return kind is None or (kind in endings and path.lower().endswith(endings[kind]))


def open_decompressed(path: str) -> io.BufferedReader | gzip.GzipFile:
    """Open a local file, and decompress it according to its extension."""
    if path.lower().endswith(".zst"):
        import pyarrow as pa

        return io.BufferedReader(pa.input_stream(path, compression="zstd"))
    return gzip.open(path) if path.lower().endswith(".gz") else Path(path).open("rb")


def read_lines(path: str, encoding: str = "utf-8") -> Iterator[str]:
    """Iterate over the lines of a local file, which may be compressed by gzip or zstd."""
    with open_decompressed(path) as file:
        encoding = _BYTE_ORDER_MARKS.get(file.peek(2)[:2], encoding)
        if encoding == "utf-16":
            yield from re.split(_BREAK, file.read().decode("utf-16", errors="replace"))
            return
        codec = "utf-8-sig" if encoding == "utf-8" else encoding
        while line := file.readline(_LINE_LIMIT):
            yield from re.split(_BREAK, line.rstrip(b"\r\n").decode(codec, errors="replace"))
            codec = encoding


def head_lines(path: str, encoding: str = "utf-8") -> list[str]:
    """Return the first lines of a local file."""
    return [*islice(read_lines(path, encoding), HEAD_LINES)]


def detect_encoding(path: str, encoding: str | None) -> str:
    """Return the caller's encoding, or the encoding by the byte order mark, or UTF-8."""
    if encoding is not None:
        return encoding
    with open_decompressed(path) as file:
        return _BYTE_ORDER_MARKS.get(file.peek(2)[:2], "utf-8")


def split_line(line: str, delimiter: str) -> list[str]:
    """Split a line into its columns, without the quotes around them."""
    if len(delimiter) > 1:
        return line.split(delimiter)
    return next(csv.reader([line], delimiter=delimiter), [])


def infer_layout(
    lines: Sequence[str], kind: str, delimiter: str | None = None, header: bool | None = None
) -> TextLayout:
    """Infer the delimiter and the header of a file of a kind from its first lines, if unknown."""
    candidates = (delimiter,) if delimiter else _DELIMITERS.get(kind, _ANY_DELIMITER)
    if kind == "csv" and not delimiter:
        candidates = candidates[:-1]
    blank = next((number for number, line in enumerate(lines) if line.strip()), len(lines))
    filled = [line for line in lines if line.strip()]
    # Excel can write the separator in the first line.
    if filled and (separator := re.fullmatch(r"sep=(.)", filled[0].strip())) and not delimiter:
        layout = infer_layout(lines[blank + 1 :], kind, separator[1], header)
        return replace(layout, blank=layout.blank + blank + 1)
    if not filled:
        return TextLayout(candidates[0], (), ())
    counts = {
        candidate: [len(split_line(line, candidate)) for line in filled] for candidate in candidates
    }
    usable = [candidate for candidate in candidates if counts[candidate][0] > 1] or [candidates[0]]
    best = max(
        usable, key=lambda candidate: (_has_equal_lines(counts[candidate]), counts[candidate][0])
    )
    fields = [field.strip() for field in split_line(filled[0], best)]
    # NumPy writes "# user_id,item_id".
    if (first := fields[0].lstrip("# ")).lower() in COLUMN_NAMES:
        fields[0] = first
    if header is None:
        header = is_header(fields)
    names = _unique_names(fields if header else [""] * len(fields))
    return TextLayout(best, names, tuple(fields) if header else (), blank)


def is_header(fields: Sequence[str]) -> bool:
    """Return whether a line is a header: it has a standard name, or no number, date or time."""
    has_known_name = any(field.lower() in COLUMN_NAMES for field in fields)
    return has_known_name or not any(re.fullmatch(_VALUE, field) for field in fields)


def _has_equal_lines(counts: Sequence[int]) -> bool:
    """Return whether 90% of the lines have the same number of columns as the first line."""
    return 10 * sum(count == counts[0] for count in counts) >= 9 * len(counts)


def _unique_names(fields: Iterable[str]) -> tuple[str, ...]:
    """Return column names that are not empty, and unique ignoring case."""
    names: list[str] = []
    for index, field in enumerate(fields):
        name = stem = field or f"column{index}"
        number = 0
        while name.lower() in (other.lower() for other in names):
            number += 1
            name = f"{stem}_{number}"
        names.append(name)
    return tuple(names)


def delimited_relation(paths: Sequence[str], layout: TextLayout, options: str = "") -> str:
    """Return the relation of files with the same layout, with all columns as text."""
    columns = ", ".join(f"{text(name, 'duckdb')}: 'varchar'" for name in layout.names)
    source = paths[0] if len(paths) == 1 else f"[{', '.join(paths)}]"
    quote = "'\"'" if len(layout.delimiter) == 1 else "''"
    if layout.encoding != "utf-8":
        options += f", encoding = {text(layout.encoding, 'duckdb')}"
    if layout.blank:
        options += f", skip = {layout.blank}"
    return (
        f"read_csv({source}, delim = {_quote_delimiter(layout.delimiter)}, "
        f"header = {'true' if layout.header else 'false'}, quote = {quote}, escape = {quote}, "
        f"comment = '', auto_detect = false{options}, columns = {{{columns}}})"
    )


def _quote_delimiter(delimiter: str) -> str:
    escaped = "".join(f"\\x{ord(sign):02x}" if sign < " " else sign for sign in delimiter)
    escaped = escaped.replace("\\x09", "\\t")
    return text(delimiter, "duckdb") if escaped == delimiter else f"e'{escaped}'"


def group_layouts(
    layouts: Mapping[str, TextLayout], name: str
) -> list[tuple[TextLayout, list[str]]]:
    """Group files by layout, and check that either all files or none have a header."""
    groups = group_by((path for path in layouts if layouts[path].names), layouts.__getitem__)
    with_header = [paths for layout, paths in groups.items() if layout.header]
    without = [paths for layout, paths in groups.items() if not layout.header]
    if with_header and without:
        raise InputError(
            f"{name}={without[0][0]!r} has no header, but {with_header[0][0]!r} has one: give all "
            "files the same header, or read them as separate inputs"
        )
    return [*groups.items()]


def header_line(paths: Sequence[str], names: Sequence[str]) -> str:
    """Return the file, the number and the text of the first line that repeats the header."""
    header = {name.lower() for name in names}

    def repeats(fields: Sequence[str]) -> bool:
        values = {field.strip(" \ufeff").lower() for field in fields}
        return values <= header or any("\ufeff" in field for field in fields)

    return find_line(paths, repeats, start=2)


def find_line(paths: Sequence[str], fits: Callable[[Sequence[str]], bool], start: int = 1) -> str:
    """Return the file, the number and the text of the first row with the right number of fields."""
    for path in paths:
        delimiter = infer_layout(head_lines(path), Path(path).suffix[1:]).delimiter
        delimiter = delimiter if len(delimiter) == 1 else ","
        rows = csv.reader(read_lines(path), delimiter=delimiter)
        for number, fields in enumerate(rows, start=1):
            if number >= start and fields and fits(fields):
                text = escape_control_characters(delimiter.join(fields))[:80]
                return f"{path!r}, line {number}, {text!r}"
    return repr(next(iter(paths), ""))


_RAGGED = r"Expected Number of Columns: (\d+) Found: (\d+)"
_LINE = r"(?i)CSV Error on Line: (\d+)\n(?:Original Line: ?(.*)\n)?"
_FILE = r"(?m)^\s*file = (.+)$"


def find_csv_fault(message: str) -> str | None:
    """Return the file, line and reason of a CSV error from DuckDB, None for other errors."""
    line, file = re.search(_LINE, message), re.search(_FILE, message)
    if file and "state machine" in message:
        return (
            f"{file[1].strip()} has line breaks of two kinds, \\r\\n and \\n: write only one kind"
        )
    if not line:
        return None
    where = f"{file[1].strip()}, line {line[1]}" if file else f"line {line[1]}"
    quoted = f", {escape_control_characters(line[2] or '')[:80]!r}"
    if lengths := re.search(_RAGGED, message):
        columns = format_count(int(lengths[2]), "columns")
        return (
            f"{where}{quoted}: it has {columns}, but the first line has {lengths[1]}; correct the "
            "line, or read files with other columns separately"
        )
    if "Invalid unicode" in message:
        return (
            f"{where}: it is not UTF-8; write the file as UTF-8, or give its encoding: "
            "sqlrec.File(path, encoding='latin-1')"
        )
    if "unterminated quote" in message:
        return (
            f"{where}{quoted}: a quote is not closed; write a quote in a quoted value twice, or "
            "write the file without quotes"
        )
    rest = [part for part in message[line.end() :].splitlines() if part.strip()]
    return f"{where}{quoted}: {rest[0].strip() if rest else 'unknown error'}"
