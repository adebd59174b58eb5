"""TREC files: runs and qrels."""

from __future__ import annotations

import re
import zlib
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..display.numbers import format_count
from ..errors import InputError
from ..safe_text import escape_control_characters
from .delimited import is_text_file, open_decompressed

# The columns of a line, and its numeric column. As in trec_eval, the rank of a run and additional
# columns are not read.
_RUN = ("run", ("topic", "Q0", "docno", "rank", "score", "tag"), "score")
_QRELS = ("qrels", ("topic", "iteration", "docno", "relevance"), "relevance")
TREC = {"recs": _RUN, "baseline": _RUN, "truth": _QRELS}

TREC_ENDINGS = (".run", ".trec", ".qrels", ".qrel")

# Patterns of iterations in qrels and runs, and of integers that are too long for a grade or a rank.
_ITERATION = r"(?i)q?0|iter[-_]?\d*"
_TIMESTAMP = r"\d{8,}"


def is_trec(lines: Sequence[str], table: str) -> bool:
    """Return whether at least half of the lines have TREC's columns, without a timestamp.

    A file with only comments is a TREC file too.
    """
    rows = _split_trec_line(lines)
    minimum = len(TREC[table][1]) - (table != "truth")
    return 2 * sum(len(row) >= minimum and _is_trec_row(row) for row in rows) >= len(rows)


def is_only_numbers(lines: Sequence[str]) -> bool:
    """Return whether TREC lines contain only numbers, so they could be ratings of item 0."""
    rows = _split_trec_line(lines)
    return bool(rows) and all(part.isdecimal() for row in rows for part in row[1:4])


def _split_trec_line(lines: Sequence[str]) -> list[list[str]]:
    return [line.split() for line in lines if not line.lstrip().startswith("#")]


def _is_trec_row(row: Sequence[str]) -> bool:
    fits = len(row) > 2 and re.fullmatch(_ITERATION, row[1]) is not None
    return fits and not (len(row) > 3 and re.fullmatch(_TIMESTAMP, row[3]))


def lines_relation(source: str) -> str:
    """Return the relation of whole lines, with the column ``line``."""
    return (
        f"read_csv({source}, columns = {{'line': 'varchar'}}, header = false, auto_detect = false, "
        r"delim = e'\x01', quote = '', escape = '', strict_mode = false)"
    )


def trec_relation(paths: Sequence[str], source: str, name: str, is_guess: bool) -> str:
    """Check each line of local TREC files, more strictly for a guess; return their relation."""
    kind, columns, value = TREC.get(name.partition("[")[0], _QRELS)
    rule = (
        f"a line of a TREC {kind} is '{' '.join(columns)}'; name another format with "
        "sqlrec.File(path, format)"
    )
    index, number = columns.index(value), 0
    for path in paths:
        for number, line, fields in trec_lines(path, name):
            fault = _find_trec_fault(line, fields, kind, columns, index)
            if not fault and is_guess and not re.fullmatch(_ITERATION, fields[1].decode()):
                fault = f"its {columns[1]} is {fields[1].decode()!r}"
            if fault:
                quoted = repr(escape_control_characters(line.decode(errors="replace").strip())[:80])
                raise InputError(f"{name}={path!r}, line {number}, {quoted}: {fault}; {rule}")
    if not number:
        raise InputError(f"{name}={paths[0]!r} has no line; {rule}")
    field, read = r"([^\s\v]+)", {0: "user_id", 2: "item_id", index: "value"}
    shape = r"[\s\v]+".join(field if i in read else field[1:-1] for i in range(index + 1))
    return (
        f"(select fields.user_id as user_id, fields.item_id as item_id, "
        f"try_cast(fields.value as double) as {value} from (select regexp_extract(line, "
        rf"'^[\s\v]*{shape}', {[*read.values()]}) as fields from {lines_relation(source)} "
        r"where regexp_matches(line, '^[\s\v]*[^#\s\v]')))"
    )


def is_trec_run(path: str) -> bool:
    """Return whether the first line of a local file belongs to a TREC run."""
    if not Path(path).is_file() or not is_text_file(path):
        return False
    _, _, fields = next(trec_lines(path, "recs"), (0, b"", []))
    return len(fields) > 5 and _is_trec_row([field.decode(errors="replace") for field in fields])


def run_tag(path: str) -> str | None:
    """Return the tag in the last line of a TREC run, None for other files."""
    if not is_trec_run(path):
        return None
    last = deque((fields for _, _, fields in trec_lines(path, "recs")), maxlen=1)
    return last[0][5].decode() if last and len(last[0]) > 5 else None


def trec_lines(path: str, name: str) -> Iterator[tuple[int, bytes, list[bytes]]]:
    """Yield the number, text and fields of each line, except empty lines and comments."""
    try:
        with open_decompressed(path) as file:
            for number, line in enumerate(file, start=1):
                fields = line.split()
                if fields and not fields[0].startswith(b"#"):
                    yield number, line, fields
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{name}={path!r} can't be read: {error}") from error


def _find_trec_fault(
    line: bytes, fields: list[bytes], kind: str, columns: tuple[str, ...], index: int
) -> str | None:
    if len(fields) < len(columns) or (len(fields) > len(columns) and kind == "qrels"):
        return f"it has {format_count(len(fields), 'columns')}"
    if b"\r" in line[:-2]:
        return "it has a carriage return in the middle"
    try:
        float(fields[index])
        if not line.isascii():
            line.decode()
    except UnicodeDecodeError:
        return "it is not UTF-8"
    except ValueError:
        return f"its {columns[index]} is not a number"
    return None
