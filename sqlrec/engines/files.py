"""Files: the format of a path, and the SQL by which DuckDB reads it."""

from __future__ import annotations

import atexit
import gzip
import os
import re
import stat
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from pathlib import Path

from ..dialects import text
from ..errors import InputError
from ..shown import hidden, warn
from .delimited import (
    Layout,
    binary_kind,
    encoding_of,
    group_layouts,
    head_lines,
    infer_layout,
    is_text,
    read_call,
)
from .formats import (
    MEANINGS,
    MOVIELENS_NAMES,
    OF_LINES,
    RENAMED,
    File,
    is_guess,
    recognize,
    renamed,
)
from .trec_files import TREC_ENDINGS, trec_call

# Kinds of files by the ending of their names; compressed text ends in one more.
_ENDINGS = {
    **dict.fromkeys(("parquet", "pq", "parq"), "parquet"),
    **dict.fromkeys(("feather", "arrow", "ipc"), "arrow"),
    **dict.fromkeys(("jsonl", "ndjson", "json"), "json"),
    **{"csv": "csv", "tsv": "tsv", "tab": "tsv"},
    **dict.fromkeys(("txt", "dat", "inter"), "text"),
}
_COMPRESSED = tuple(name for name, kind in _ENDINGS.items() if kind not in ("parquet", "arrow"))
_ALL_ENDINGS = (
    *_ENDINGS,
    *(f"{name}.{compression}" for name in _COMPRESSED for compression in ("gz", "zst")),
)
_SHOWN = "parquet, .csv, .tsv, .jsonl, .json, .txt, .dat, .inter, .arrow"
PATHS = f"a path is a folder, has a slash or ends in .{_SHOWN}, or in one of these and .gz or .zst"

# The types of JSON are inferred from all rows of all files.
ALL_OF_JSON = ", sample_size = -1, maximum_sample_files = -1"

# Formats that files with the ending of a table in text can have too.
_IN_TABLES = {"mind", "netflix", "libsvm"}


@dataclass(frozen=True)
class FileRows:
    """The rows of files, as SQL reads them.

    Attributes:
        relation: The SQL behind ``from``.
        headers: The names of columns as they are written in each kind of file; empty if unknown.
        is_text: Whether columns are text whose types have to be inferred.
        files: The local files.
    """

    relation: str
    headers: tuple[tuple[str, ...], ...] = ()
    is_text: bool = False
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Sources:
    """Files of one kind: constants in SQL, the local files, and options of the call."""

    kind: str | None
    constants: tuple[str, ...]
    files: tuple[str, ...]
    options: str = ""

    @property
    def sql(self) -> str:
        few = len(self.constants) == 1
        return self.constants[0] if few else f"[{', '.join(self.constants)}]"


def is_path(given: str) -> bool:
    """Return whether a text can only be a path."""
    signs = ("/", "\\", "*", "?", "://")
    return ending(given) is not None or any(sign in given for sign in signs)


def ending(path: str) -> str | None:
    """Return the ending of a path, if it is one that shows the kind of the file."""
    lower = path.lower()
    return next((known for known in _ALL_ENDINGS if lower.endswith(f".{known}")), None)


def file_kind(path: str) -> str | None:
    """Return the kind of a file by the ending of its name, None for another ending."""
    return _ENDINGS.get((ending(path) or "").partition(".")[0])


def reader(given: str | File | Sequence[str], name: str) -> str:
    """Return the SQL that reads files, as ``read_files`` does."""
    return read_files(given, name).relation


def read_files(given: str | File | Sequence[str], name: str) -> FileRows:
    """Return the rows of a file, of a glob, of a folder (hive partitions too), or of several.

    Raises:
        InputError: There is no such file, it is empty, or its format is not known.
    """
    form = given if isinstance(given, File) else File("")
    paths = [given] if isinstance(given, str | File) else [*given]
    several = [_sources(expand_home(os.fsdecode(path)), name) for path in paths]
    sources = _together(several, name)
    try:
        return _rows(sources, form, name)
    except gzip.BadGzipFile as error:
        shown = shortened(sources.files[0])
        raise InputError(f"{name}={shown} is no gzip file: rename it without .gz") from error
    except (OSError, EOFError, zlib.error) as error:
        shown = shortened(sources.files[0])
        raise InputError(f"{name}={shown} can't be read: {error}") from error


def _rows(sources: _Sources, form: File, name: str) -> FileRows:
    kind = _kind(sources, form, name)
    if kind == "parquet":
        return FileRows(f"read_parquet({sources.sql}{sources.options})", (), False, sources.files)
    if kind == "json":
        call = f"read_json({sources.sql}{sources.options}{ALL_OF_JSON})"
        return FileRows(call, (), False, sources.files)
    if kind == "arrow":
        raise InputError(f"{name}={shortened(sources.files[0])}: give one Arrow file, no folder")
    if not sources.files:
        return FileRows(_remote(sources, form), (), True)
    return _text_rows(replace(sources, kind=kind), form, name)


def _sources(path: str, name: str) -> _Sources:
    if is_folder(path):
        kind, globs = _folder(path, name)
        # Files are brought together by the names of their columns, in types that hold them all.
        options = ", union_by_name = true, hive_partitioning = true"
        return _Sources(kind, globs, (*listed(path),), options)
    if is_there(path):
        if Path(path).is_file() and not Path(path).stat().st_size:
            raise InputError(f"{name}={path!r} is empty: at least one row is needed")
        return _Sources(file_kind(path), (text(_literal(path), "duckdb"),), (path,))
    if re.search(r"[*?\[]|://", path) and "\0" not in path:
        files = () if "://" in path else (*sorted(listed(path)),)
        return _Sources(file_kind(path), (text(path, "duckdb"),), files, ", union_by_name = true")
    raise InputError(f"{name}={shortened(path)}: there is no such file")


def _together(several: Sequence[_Sources], name: str) -> _Sources:
    if len(several) == 1:
        return several[0]
    kinds = {one.kind for one in several}
    if len(kinds) > 1:
        raise InputError(
            f"{name} has files of several kinds, {', '.join(sorted(map(str, kinds)))}: give files "
            "of one kind"
        )
    return _Sources(
        several[0].kind,
        tuple(constant for one in several for constant in one.constants),
        tuple(file for one in several for file in one.files),
        ", union_by_name = true",
    )


def _kind(sources: _Sources, form: File, name: str) -> str:
    """Return the kind of files: the one asked for, that of their ending, or that of their bytes.

    Raises:
        InputError: The kind is not known, or is none that is read.
    """
    if form.format is not None:
        asked = form.format if form.format in ("parquet", "json", "arrow", "csv", "tsv") else "text"
        return asked
    if sources.kind is None and not sources.files:
        shown = sources.constants[0]
        raise InputError(f"{name}={shown}: the ending shows the format of a file: {PATHS}")
    kind = sources.kind
    first = next((file for file in sources.files if _size(file)), None)
    if first is None or kind in ("parquet", "arrow") or ending(first) != file_ending(first):
        return kind or "text"
    found = None if is_text(first) else binary_kind(first)
    if found == "UTF-16" and form.encoding == "utf-16":
        return kind or "text"
    if found in ("Parquet", "Arrow"):
        return found.lower()
    if found is not None:
        fix = {
            "pickle": "a pickle can run code, so load it yourself and give the object",
            "gzip": "rename it so that it ends in .gz",
            "zstd": "rename it so that it ends in .zst",
            "UTF-16": "it has no byte order mark; give sqlrec.File(path, encoding='utf-16')",
            **dict.fromkeys(("UTF-32", "big-endian UTF-16"), "write it as UTF-8"),
        }.get(found, "extract or convert it to Parquet or CSV")
        raise InputError(f"{name}={first!r} is a {found} file: {fix}")
    if kind is None and (head_lines(first) or [""])[0].lstrip()[:1] in ("{", "["):
        return "json" if '"' in head_lines(first)[0] else "text"
    return kind or "text"


def file_ending(path: str) -> str | None:
    """Return the ending of a path, None for one of compressed text."""
    known = ending(path)
    return None if known and "." in known else known


def _size(path: str) -> int:
    return Path(path).stat().st_size


def _remote(sources: _Sources, form: File) -> str:
    """Return the SQL that reads text files of a server, whose delimiter DuckDB infers."""
    options = "" if form.delimiter is None else f", delim = {text(form.delimiter, 'duckdb')}"
    if form.header is not None:
        options += f", header = {'true' if form.header else 'false'}"
    if form.encoding is not None:
        options += f", encoding = {text(form.encoding, 'duckdb')}"
    # With skip, no line in front of a change of form is left out.
    return (
        f"read_csv({sources.sql}{sources.options}{options}, all_varchar = true, skip = 0, "
        "quote = '\"', escape = '\"', comment = '')"
    )


def _text_rows(sources: _Sources, form: File, name: str) -> FileRows:
    table = name.partition("[")[0]
    encodings = {path: encoding_of(path, form.encoding) for path in sources.files}
    heads = {path: head_lines(path, encodings[path]) for path in sources.files}
    first, lines = next(((p, x) for p, x in heads.items() if any(map(str.strip, x))), ("", []))
    if not first:
        raise InputError(
            f"{name}={shortened(sources.files[0])} is empty: at least one row is needed"
        )
    format = form.format
    if format is None and form.delimiter is None and form.header is None:
        format = recognize(lines, table, first)
        if sources.kind in ("csv", "tsv") and format not in _IN_TABLES:
            format = None
        if is_guess(format, lines, first):
            warn(
                f"{name}={shortened(first)} is read as {MEANINGS[str(format)]}; to confirm it, "
                f"give sqlrec.File({first!r}, {format!r})"
            )
    if format == "trec":
        is_named = form.format == "trec" or first.lower().endswith(TREC_ENDINGS)
        filled = [path for path in heads if _size(path)]
        call = trec_call(filled, sources.sql, name, is_guess=not is_named)
        return FileRows(call, (), False, sources.files)
    if format is not None and format in OF_LINES:
        return FileRows(OF_LINES[format](sources.sql, table), (), True, sources.files)
    if (ending(first) or "").startswith("inter"):
        format = "recbole"
    kind = {"recbole": "tsv", "csv": "csv", "tsv": "tsv"}.get(str(format), str(file_kind(first)))
    layouts = {}
    for path, head in heads.items():
        layout = infer_layout(head, kind, form.delimiter, form.header)
        if format == "movielens" and not layout.header:
            layout = replace(layout, names=MOVIELENS_NAMES[: len(layout.names)])
        layouts[path] = replace(layout, encoding=encodings[path])
    groups = group_layouts(layouts, name)
    headers = tuple(layout.header for layout, _ in groups if layout.header)
    hive = ", hive_partitioning = true" if "hive" in sources.options else ""

    def written(layout: Layout, constants: Sequence[str]) -> str:
        call = read_call(constants, layout, hive)
        return renamed(call, layout.names, str(format), table) if format in RENAMED else call

    if len(groups) == 1:
        relation = written(groups[0][0], sources.constants)
    else:
        calls = [
            written(layout, [text(_literal(path), "duckdb") for path in paths])
            for layout, paths in groups
        ]
        relation = f"({' union all by name '.join(f'select * from {call}' for call in calls)})"
    return FileRows(relation, headers, True, sources.files)


def _folder(path: str, name: str) -> tuple[str, tuple[str, ...]]:
    """Return the kind of the files of a folder, and globs of those that Spark and dbt read too.

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
    return str(file_kind(f".{kind}")), tuple(text(glob, "duckdb") for glob in globs)


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
    """Return whether an input at a path reads a file, or would if it were there.

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
    """Return whether the parts of a path are those of a glob, in which ``**`` is any number."""
    if not patterns:
        return not parts
    if patterns[0] == "**":
        return any(_matches(parts[n:], patterns[1:]) for n in range(len(parts) + 1))
    return bool(parts) and fnmatch(parts[0], patterns[0]) and _matches(parts[1:], patterns[1:])


def expand_home(path: str) -> str:
    """Return a path with the folder of the account in place of ``~``."""
    return str(Path(path).expanduser()) if path.startswith("~") else path


def shortened(path: str) -> str:
    """Show a path that may be as long as a file."""
    path = hidden(path, path)
    return repr(path if len(path) <= 200 else f"{path[:200]}...")


# Copies of pipes, which can be read once, by what they are copies of.
_PIPES: dict[tuple[str, int, int], str] = {}


def copy_pipe(path: str) -> str:
    """Return the path of a copy of a pipe, which lives as long as the process; of a file its own.

    The rows of a pipe are read once, and statements read an input several times.
    """
    import shutil
    import tempfile

    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return path
    if not stat.S_ISFIFO(status.st_mode):
        return path
    key = (path, status.st_dev, status.st_ino)
    if key not in _PIPES:
        descriptor, copy = tempfile.mkstemp(prefix="sqlrec-pipe-")
        with os.fdopen(descriptor, "wb") as target, Path(path).open("rb") as source:
            shutil.copyfileobj(source, target)
        atexit.register(Path(copy).unlink, missing_ok=True)
        _PIPES[key] = copy
    return _PIPES[key]


def is_folder(path: str) -> bool:
    """Return whether there is a folder at a path."""
    with suppress(OSError, ValueError):  # No path at all: too long, or with a null character.
        return bool(path) and Path(path).is_dir()
    return False


def is_there(path: str) -> bool:
    """Return whether there is a file, a folder, a pipe or anything else at a path."""
    with suppress(OSError, ValueError):
        return bool(path) and Path(path).exists()
    return False


def is_file(path: str) -> bool:
    """Return whether there is a file at a path."""
    with suppress(OSError, ValueError):
        return bool(path) and Path(path).is_file()
    return False


def _literal(path: str) -> str:
    """Take the meaning of a pattern from the signs of a path that exists."""
    return re.sub(r"([*?\[])", r"[\1]", path)
