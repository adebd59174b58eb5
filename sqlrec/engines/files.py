"""Files: what a path holds, and the call by which DuckDB reads it."""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from ..dialects import text
from ..errors import InputError, not_installed
from ..shown import hidden, warn

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
# Neither types nor quotes are guessed from the first rows: texts.py tells types from all.
ALL_OF_JSON = ", sample_size = -1, maximum_sample_files = -1"
_WHOLE = {
    "read_parquet": "",
    "read_csv": ", all_varchar = true, quote = '\"', escape = '\"', comment = ''",
    "read_json": ALL_OF_JSON,
}
PATHS = f"a path is a folder or ends in .{', .'.join(_READERS)}"

# How the names of files end that say what an Iceberg table holds.
_METADATA = ".metadata.json"

# Files of TREC, which are called anything: by inputs, what a line of theirs has. Of a run the rank
# is not taken, as trec_eval does not take it, nor what stands behind the last column.
_RUN = ("run", ("topic", "Q0", "docno", "rank", "score", "tag"), "score")
_QRELS = ("qrels", ("topic", "iteration", "docno", "relevance"), "relevance")
_TREC = {"recs": _RUN, "baseline": _RUN, "truth": _QRELS}


def is_path(given: str) -> bool:
    """Say whether a text can be nothing but a path."""
    signs = ("/", "\\", "*", "?", "://")
    return ending(given) is not None or any(sign in given for sign in signs)


def ending(path: str) -> str | None:
    """Return the ending of a path, if it is one that says what the file holds."""
    return next((known for known in _READERS if path.lower().endswith(f".{known}")), None)


def reader(path: str, name: str) -> str:
    """Write the call that reads a file, the files of a glob, or a folder, hive partitions too.

    Columns of CSV files are text, and types of JSON files are those that hold all their values.

    Raises:
        InputError: There is no such file, it is empty, or its ending does not say what it holds.
    """
    options = ""
    kind: str | None
    if is_folder(path):
        kind, source = _folder(path, name)
        # Files are brought together by the names of their columns, in types that hold them all.
        options = ", union_by_name = true, hive_partitioning = true"
    elif is_there(path):
        kind, source = ending(path), text(_literal(path), "duckdb")
        if kind and not Path(path).stat().st_size:
            raise InputError(f"{name}={path!r} is empty: at least one row is needed")
    elif re.search(r"[*?\[]|://", path) and "\0" not in path:
        kind, source = ending(path), text(path, "duckdb")
        options = ", union_by_name = true"
    else:
        raise InputError(f"{name}={shortened(path)}: there is no such file")
    if kind is None and name.partition("[")[0] in _TREC and is_file(path):
        return _trec(path, name)
    if kind is None:
        raise InputError(f"{name}={path!r}: the ending says what a file holds: {PATHS}")
    call = _READERS[kind]
    return f"{call}({source}{options}{_WHOLE[call]})"


def _folder(path: str, name: str) -> tuple[str, str]:
    """Say what kind of files a folder holds, and which: those that Spark and dbt read too.

    Raises:
        InputError: Not one kind.
    """
    root = Path(path)
    found = [Path(file).relative_to(root) for file in listed(path)]
    kinds = {ending(file.name) for file in found}
    if len(kinds) != 1:
        holds = ", ".join(sorted(map(str, kinds))) or "no Parquet, CSV or JSON lines file"
        raise InputError(
            f"{name}={path!r} holds {holds}: a folder is read whole, so it holds one kind; "
            "give a glob for some of its files"
        )
    kind = str(kinds.pop())
    either_case = "".join(f"[{c}{c.upper()}]" if c.isalpha() else c for c in kind)
    depths = sorted({len(file.parts) for file in found})
    globs = [f"{_literal(path.rstrip('/'))}{'/[!_.]*' * depth}.{either_case}" for depth in depths]
    written = [text(glob, "duckdb") for glob in globs]
    return kind, written[0] if len(written) == 1 else f"[{', '.join(written)}]"


def is_lake(path: str) -> str | None:
    """Say whether a folder is a Delta or an Iceberg table, of whose files some no longer count.

    The file of metadata that names what counts stands for an Iceberg table too.
    """
    if is_folder(path):
        if Path(path, "_delta_log").is_dir():
            return "Delta"
        return "Iceberg" if any(Path(path, "metadata").glob(f"*{_METADATA}")) else None
    return "Iceberg" if path.endswith(_METADATA) and is_file(path) else None


def lake(path: str, name: str) -> Any:
    """Open a Delta or an Iceberg table; the rows of the latter are read.

    Raises:
        InputError: It can't be read, or what reads it is not installed.
    """
    kind = str(is_lake(path))
    package = {"Delta": "deltalake", "Iceberg": "pyiceberg"}[kind]
    try:
        if kind == "Delta":
            from deltalake import DeltaTable

            return DeltaTable(path).to_pyarrow_dataset()
        from pyiceberg.table import StaticTable

        return StaticTable.from_metadata(_metadata(path, name)).scan().to_arrow()
    except ImportError as error:
        what = f"{name}={path!r} is {'a' if kind == 'Delta' else 'an'} {kind} table, and"
        raise not_installed(what, package) from error
    except InputError:
        raise
    except Exception as error:  # Its own errors, Arrow's, and OSError.
        raise InputError(f"{name}={path!r} can't be read: {str(error).splitlines()[0]}") from error


def _metadata(path: str, name: str) -> str:
    """Find the metadata that count, as ``v3.metadata.json`` or ``00003-1f2e.metadata.json``.

    A folder with a hint of the version is what pyiceberg finds them of.

    Raises:
        InputError: There are several, and nothing says which.
    """
    if not is_folder(path):
        return path
    folder = Path(path, "metadata")
    if (folder / "version-hint.text").is_file():
        return path
    versions: dict[int, list[Path]] = {}
    for file in folder.glob(f"*{_METADATA}"):
        number = re.match(r"v?([0-9]+)", file.name)
        versions.setdefault(int(number[1]) if number else -1, []).append(file)
    newest = versions[max(versions)]
    if len(newest) > 1:
        raise InputError(
            f"{name}={path!r} is an Iceberg table with several newest files of metadata, and its "
            f"catalog alone knows which counts: give the path of one, as {str(min(newest))!r}"
        )
    if len(versions) > 1:
        warn(
            f"{name}={path!r}: read as of {newest[0].name}, its newest metadata; where its catalog "
            "knows of others, give the path of that file"
        )
    return str(newest[0])


def hive_keys(path: str) -> set[str]:
    """Return the names that folders on the way to files give columns, as in ``day=1/``."""
    found = [path, *listed(path)]
    return {key for one in found for key in re.findall(r"([^/=*?\[]+)=[^/]*/", one)}


def listed(path: str) -> list[str]:
    """Return the files that a path names, as far as they are on this machine."""
    if not is_folder(path):
        return [path] if is_there(path) else [str(file) for file in _globbed(path)]
    found, seen = [], set()
    for folder, folders, names in os.walk(path, followlinks=True):
        # What jobs and editors leave begins with a sign; a link may lead back.
        there = Path(folder).resolve()
        folders[:] = [name for name in folders if name[0] not in "_." and there not in seen]
        seen.add(there)
        files = (Path(folder, name) for name in names if name[0] not in "_." and ending(name))
        found += [str(file) for file in files if file.is_file()]
    return found


def _globbed(path: str) -> list[Path]:
    """Return the files of a glob, as far as they are on this machine."""
    start, rest = _parted(path)
    with suppress(ValueError, NotImplementedError, OSError):
        return [*Path(start).glob(rest)]
    return []


def _parted(path: str) -> tuple[str, str]:
    """Part a glob into the folder that it begins with, and the rest."""
    start, slash, _ = re.split(r"[*?\[]", path, maxsplit=1)[0].rpartition("/")
    return start or slash or ".", path[len(start + slash) :]


def reads(path: str, target: Path) -> bool:
    """Say whether an input at a path reads a file, or would if it were there.

    Args:
        path: A file, a folder or a glob.
        target: The file, without links on the way to it.
    """
    if is_folder(path):
        return Path(path).resolve() in target.parents
    with suppress(OSError, ValueError):
        if Path(path).resolve() == target:
            return True
        if Path(path).exists():
            return target.exists() and Path(path).samefile(target)
    if not re.search(r"[*?\[]", path) or "://" in path:
        return False
    start, rest = _parted(path)
    folder = Path(start).resolve()
    return target in (one.resolve() for one in _globbed(path)) or (
        folder in target.parents
        and _matches(target.relative_to(folder).parts, tuple(filter(None, rest.split("/"))))
    )


def _matches(parts: tuple[str, ...], patterns: tuple[str, ...]) -> bool:
    """Say whether the parts of a path are those of a glob, in which ``**`` is any number."""
    if not patterns:
        return not parts
    if patterns[0] == "**":
        return any(_matches(parts[n:], patterns[1:]) for n in range(len(parts) + 1))
    return bool(parts) and fnmatch(parts[0], patterns[0]) and _matches(parts[1:], patterns[1:])


def shortened(path: str) -> str:
    """Show a path that may be as long as a file."""
    path = hidden(path, path)
    return repr(path if len(path) <= 200 else f"{path[:200]}...")


def is_folder(path: str) -> bool:
    """Say whether there is a folder at a path."""
    with suppress(OSError, ValueError):  # No path at all: too long, or with a null character.
        return bool(path) and Path(path).is_dir()
    return False


def is_there(path: str) -> bool:
    """Say whether there is a file, a folder, a pipe or anything else at a path."""
    with suppress(OSError, ValueError):
        return bool(path) and Path(path).exists()
    return False


def is_file(path: str) -> bool:
    """Say whether there is a file at a path."""
    with suppress(OSError, ValueError):
        return bool(path) and Path(path).is_file()
    return False


def run_tag(path: str) -> str | None:
    """Return the tag of a run, as its last line has it; None of what is not a run."""
    if ending(path) is not None or not is_file(path):
        return None
    last = deque((fields for _, _, fields in _lines(path, "recs")), maxlen=1)
    return last[0][5].decode() if last and len(last[0]) > 5 else None


def zscores(path: str) -> dict[tuple[str, str], tuple[float, float]]:
    """Read the mean and the standard deviation of topics and measures, as trec_eval -Z does.

    Raises:
        InputError: A line is none of such a file.
    """
    found = {}
    for number, line, _ in _lines(path, "--zscores"):
        try:
            topic, measure, mean, deviation = line.decode().split()
            found[topic, measure] = float(mean), float(deviation)
        except ValueError:
            shown = line.decode(errors="replace").strip()[:80]
            raise InputError(
                f"--zscores {path}, line {number}, {shown!r}: "
                "a line is 'topic measure mean deviation', the last two numbers"
            ) from None
    return found


def _trec(path: str, name: str) -> str:
    """Check a file of TREC, and write what reads it.

    Raises:
        InputError: A line is none of such a file.
    """
    kind, columns, value = _TREC[name.partition("[")[0]]
    rule = f"a line of a TREC {kind} is '{' '.join(columns)}'"
    else_ = f"{rule}; other kinds of files have an ending, and the ending says what a file holds"
    at, number = columns.index(value), 0
    for number, line, fields in _lines(path, name):
        fault = _fault(line, fields, kind, columns, at)
        if fault:
            shown = line.decode(errors="replace").strip()[:80]
            raise InputError(
                f"{name}={path!r}, line {number}, {shown!r}: {fault}; {else_}: {PATHS}"
            )
    if not number:
        raise InputError(f"{name}={path!r} has no line; {else_}: {PATHS}")
    # Whole lines: what stands for a separator is in none of them.
    lines = (
        f"read_csv({text(_literal(path), 'duckdb')}, columns = {{'line': 'varchar'}}, "
        r"header = false, auto_detect = false, delim = e'\x01', quote = '', escape = '', "
        "strict_mode = false)"
    )
    field, taken = r"([^\s\v]+)", {0: "user_id", 2: "item_id", at: "value"}
    shape = r"[\s\v]+".join(field if i in taken else field[1:-1] for i in range(at + 1))
    return (
        f"(select fields.user_id as user_id, fields.item_id as item_id, "
        f"try_cast(fields.value as double) as {value} from (select regexp_extract(line, "
        rf"'^[\s\v]*{shape}', {[*taken.values()]}) as fields from {lines} "
        r"where regexp_matches(line, '^[\s\v]*[^#\s\v]')))"
    )


def _lines(path: str, name: str) -> Iterator[tuple[int, bytes, list[bytes]]]:
    """Go through a file: number, text and fields of each line but empty ones and comments.

    Raises:
        InputError: It can't be read.
    """
    try:
        with gzip.open(path) if path.lower().endswith(".gz") else Path(path).open("rb") as file:
            for number, line in enumerate(file, start=1):
                fields = line.split()
                if fields and not fields[0].startswith(b"#"):
                    yield number, line, fields
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{name}={shortened(path)} can't be read: {error}") from error


def _fault(
    line: bytes, fields: list[bytes], kind: str, columns: tuple[str, ...], at: int
) -> str | None:
    """Say what is wrong with a line of TREC, if anything."""
    if len(fields) < len(columns) or (len(fields) > len(columns) and kind == "qrels"):
        return f"it has {len(fields)} columns"
    if b"\r" in line[:-2]:
        return "it has a carriage return within"
    try:
        float(fields[at])
        if not line.isascii():
            line.decode()
    except UnicodeDecodeError:
        return "it is not UTF-8"
    except ValueError:
        return f"its {columns[at]} is not a number"
    return None


def _literal(path: str) -> str:
    """Take the meaning of a pattern from the signs of a path that exists."""
    return re.sub(r"([*?\[])", r"[\1]", path)
