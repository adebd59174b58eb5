"""Files: what a path holds, and the call by which DuckDB reads it."""

from __future__ import annotations

import re
from pathlib import Path

from .errors import InputError
from .names import text

_READERS = {
    "parquet": "read_parquet",
    "csv": "read_csv",
    "csv.gz": "read_csv",
    "tsv": "read_csv",
    "tsv.gz": "read_csv",
    "jsonl": "read_json",
    "jsonl.gz": "read_json",
    "ndjson": "read_json",
    "json": "read_json",
}
PATHS = f"a path is a folder or ends in .{', .'.join(_READERS)}"


def is_path(given: str) -> bool:
    """Say whether a text can be nothing but a path."""
    signs = ("/", "\\", "*", "?", "://")
    return ending(given) is not None or any(sign in given for sign in signs)


def ending(path: str) -> str | None:
    """Return the ending of a path, if it is one that says what the file holds."""
    return next((known for known in _READERS if path.lower().endswith(f".{known}")), None)


def reader(path: str, name: str) -> str:
    """Write the call that reads a file, the files of a glob, or a folder, hive partitions too.

    Raises:
        InputError: There is no such file, or its ending does not say what it holds.
    """
    options = ""
    if is_folder(path):
        kinds = {ending(file.name) for file in Path(path).rglob("*") if file.is_file()} - {None}
        if len(kinds) != 1:
            holds = ", ".join(sorted(map(str, kinds))) or "no Parquet, CSV or JSON lines file"
            raise InputError(
                f"{name}={path!r} holds {holds}: a folder is read whole, so it holds one kind; "
                "give a glob for some of its files"
            )
        kind = kinds.pop()
        either_case = "".join(f"[{c}{c.upper()}]" if c.isalpha() else c for c in str(kind))
        path = f"{_literal(path.rstrip('/'))}/**/*.{either_case}"
        # Files are brought together by the names of their columns, in types that hold them all.
        options = ", union_by_name = true, hive_partitioning = true"
    elif Path(path).exists():
        kind = ending(path)
        path = _literal(path)
    elif re.search(r"[*?\[]|://", path):
        kind = ending(path)
        options = ", union_by_name = true"
    else:
        raise InputError(f"{name}={path!r}: there is no such file")
    if kind is None:
        raise InputError(f"{name}={path!r}: the ending says what a file holds: {PATHS}")
    return f"{_READERS[kind]}({text(path, 'duckdb')}{options})"


def is_folder(path: str) -> bool:
    """Say whether there is a folder at a path."""
    try:
        return bool(path) and Path(path).is_dir()
    except (OSError, ValueError):  # No path at all: too long, or with a null character.
        return False


def _literal(path: str) -> str:
    """Take the meaning of a pattern from the signs of a path that exists."""
    return re.sub(r"([*?\[])", r"[\1]", path)
