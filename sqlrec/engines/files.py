"""Files: their formats, and the SQL that reads them in DuckDB."""

from __future__ import annotations

import atexit
import gzip
import os
import re
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from glob import escape, glob
from itertools import chain
from pathlib import Path

from ..dialects import text
from ..errors import InputError, suggest_name
from ..safe_text import hide_passwords, warn
from .delimited import (
    TextLayout,
    binary_kind,
    delimited_relation,
    detect_encoding,
    group_layouts,
    head_lines,
    infer_layout,
    is_text_file,
)
from .formats import (
    MEANINGS,
    MOVIELENS_NAMES,
    OF_LINES,
    RENAMED,
    File,
    is_guess,
    parsed_lines_relation,
    recognize_format,
    rename_columns,
)
from .trec_files import TREC_ENDINGS, trec_relation

# Kinds of files by extension. Compressed text has a second extension.
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
_EXTENSIONS = "parquet, .csv, .tsv, .jsonl, .json, .txt, .dat, .inter, .arrow"
PATHS = (
    f"a path is a folder, has a slash or ends in .{_EXTENSIONS}, or in one of these and .gz or .zst"
)

# The types of JSON are inferred from all rows of all files.
ALL_OF_JSON = ", sample_size = -1, maximum_sample_files = -1"

# Formats of files that can have the extension of delimited text.
_IN_TABLES = {"mind", "netflix", "libsvm"}


@dataclass(frozen=True)
class FileRows:
    """The relation of files."""

    relation: str  # The relation, to follow ``from``.
    # The original column names for each layout of files, empty if unknown.
    headers: tuple[tuple[str, ...], ...] = ()
    is_text: bool = False  # Whether columns are text, and types have to be inferred.
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Sources:
    """Files of one kind: their paths in SQL, the local files, and options of the reader."""

    kind: str | None
    constants: tuple[str, ...]
    files: tuple[str, ...]
    options: str = ""

    @property
    def sql(self) -> str:
        is_single = len(self.constants) == 1
        return self.constants[0] if is_single else f"[{', '.join(self.constants)}]"


def is_path(value: str) -> bool:
    """Return whether a string is a path, and not a table name."""
    signs = ("/", "\\", "*", "?", "://")
    return file_ending(value) is not None or any(sign in value for sign in signs)


def file_ending(path: str) -> str | None:
    """Return the file extension of a path, if it is known."""
    lower = path.lower()
    return next((entry for entry in _ALL_ENDINGS if lower.endswith(f".{entry}")), None)


def file_kind(path: str) -> str | None:
    """Return the kind of a file by its extension, None for other extensions."""
    return _ENDINGS.get((file_ending(path) or "").partition(".")[0])


def file_relation(source: str | File, name: str) -> str:
    """Return the relation of files, like ``read_files``."""
    return read_files(source, name).relation


def read_files(source: str | File | Sequence[str], name: str) -> FileRows:
    """Return the rows of a file, a glob, a folder (with hive partitions) or several files."""
    form = source if isinstance(source, File) else File("")
    paths = [source] if isinstance(source, str | File) else [*source]
    sources_by_path = [_group_files(expand_home(os.fsdecode(path)), name) for path in paths]
    sources = _union_files(sources_by_path, name)
    try:
        return _read_rows(sources, form, name)
    except gzip.BadGzipFile as error:
        path = shorten_path(sources.files[0])
        raise InputError(f"{name}={path} is not a gzip file: rename it without .gz") from error
    except (OSError, EOFError, zlib.error) as error:
        path = shorten_path(sources.files[0])
        raise InputError(f"{name}={path} can't be read: {error}") from error


def _read_rows(sources: _Sources, form: File, name: str) -> FileRows:
    """Return the relation of files of one kind: text, JSON or a binary format."""
    kind = _file_format(sources, form, name)
    if kind == "parquet":
        return FileRows(f"read_parquet({sources.sql}{sources.options})", (), False, sources.files)
    if kind == "json":
        call = f"read_json({sources.sql}{sources.options}{ALL_OF_JSON})"
        return FileRows(call, (), False, sources.files)
    if kind == "arrow":
        raise InputError(
            f"{name}={shorten_path(sources.files[0])}: give one Arrow file, not a folder"
        )
    if not sources.files:
        return FileRows(_remote_relation(sources, form), (), True)
    return _text_rows(replace(sources, kind=kind), form, name)


def _group_files(path: str, name: str) -> _Sources:
    if is_folder(path):
        kind, globs = _folder_globs(path, name)
        # Columns of files are combined by name, with a common type.
        options = ", union_by_name = true, hive_partitioning = true"
        return _Sources(kind, globs, (*list_files(path),), options)
    if path_exists(path):
        if Path(path).is_file() and not Path(path).stat().st_size:
            raise InputError(f"{name}={path!r} is empty: at least one row is needed")
        return _Sources(file_kind(path), (text(escape(path), "duckdb"),), (path,))
    if re.search(r"[*?\[]|://", path) and "\0" not in path:
        files = () if "://" in path else (*sorted(list_files(path)),)
        return _Sources(file_kind(path), (text(path, "duckdb"),), files, ", union_by_name = true")
    raise InputError(f"{name}={shorten_path(path)}: the file does not exist{similar_file(path)}")


def similar_file(path: str) -> str:
    """Return a hint that names a file in the folder with a similar name, if there is one."""
    with suppress(OSError, ValueError):
        folder = Path(path).parent
        names = [other.name for other in folder.iterdir() if other.is_file()]
        hint = suggest_name(Path(path).name, names, fallback="") if names else ""
        if hint.startswith("did"):
            return f"; {hint}"
    return ""


def _union_files(sources: Sequence[_Sources], name: str) -> _Sources:
    """Return the files of several paths, which must have one kind."""
    if len(sources) == 1:
        return sources[0]
    kinds = {source.kind for source in sources}
    if len(kinds) > 1:
        raise InputError(
            f"{name} has files of several kinds, {', '.join(sorted(map(str, kinds)))}: give files "
            "of one kind"
        )
    constants = chain.from_iterable(source.constants for source in sources)
    files = chain.from_iterable(source.files for source in sources)
    return _Sources(sources[0].kind, (*constants,), (*files,), ", union_by_name = true")


def _file_format(sources: _Sources, form: File, name: str) -> str:
    """Return the kind of files, by the caller's format, the extension or the content."""
    if form.format is not None:
        return form.format if form.format in ("parquet", "json", "arrow", "csv", "tsv") else "text"
    if sources.kind is None and not sources.files:
        path = sources.constants[0]
        raise InputError(
            f"{name}={path}: the format of a file is inferred from its extension: {PATHS}"
        )
    kind = sources.kind
    first = next((file for file in sources.files if Path(file).stat().st_size), None)
    if first is None or kind in ("parquet", "arrow") or "." in (file_ending(first) or ""):
        return kind or "text"
    content = None if is_text_file(first) else binary_kind(first)
    if content == "UTF-16" and form.encoding == "utf-16":
        return kind or "text"
    if content in ("Parquet", "Arrow"):
        return content.lower()
    if content is not None:
        fix = {
            "pickle": "a pickle can run code, so load it yourself and give the object",
            "gzip": "rename it so that it ends in .gz",
            "zstd": "rename it so that it ends in .zst",
            "UTF-16": "it has no byte order mark; give sqlrec.File(path, encoding='utf-16')",
            **dict.fromkeys(("UTF-32", "big-endian UTF-16"), "write it as UTF-8"),
        }.get(content, "extract or convert it to Parquet or CSV")
        raise InputError(f"{name}={first!r} is a {content} file: {fix}")
    if kind is None and (head_lines(first) or [""])[0].lstrip()[:1] in ("{", "["):
        return "json" if '"' in head_lines(first)[0] else "text"
    return kind or "text"


def _remote_relation(sources: _Sources, form: File) -> str:
    """Return the relation of remote text files; DuckDB infers their delimiter."""
    options = "" if form.delimiter is None else f", delim = {text(form.delimiter, 'duckdb')}"
    if form.header is not None:
        options += f", header = {'true' if form.header else 'false'}"
    if form.encoding is not None:
        options += f", encoding = {text(form.encoding, 'duckdb')}"
    # Without skip = 0, DuckDB would drop the lines above a change in the number of columns.
    return (
        f"read_csv({sources.sql}{sources.options}{options}, all_varchar = true, skip = 0, "
        "quote = '\"', escape = '\"', comment = '')"
    )


def _text_rows(sources: _Sources, form: File, name: str) -> FileRows:
    """Return the relation of text files, which have a recognized format or delimited columns."""
    table = name.partition("[")[0]
    encodings = {path: detect_encoding(path, form.encoding) for path in sources.files}
    heads = {path: head_lines(path, encodings[path]) for path in sources.files}
    first, lines = next(((p, x) for p, x in heads.items() if any(map(str.strip, x))), ("", []))
    if not first:
        raise InputError(
            f"{name}={shorten_path(sources.files[0])} is empty: at least one row is needed"
        )
    format = form.format
    if format is None and form.delimiter is None and form.header is None:
        format = recognize_format(lines, table, first)
        if sources.kind in ("csv", "tsv") and format not in _IN_TABLES:
            format = None
        if is_guess(format, lines, first):
            warn(
                f"{name}={shorten_path(first)} is read as {MEANINGS[str(format)]}; to confirm it, "
                f"give sqlrec.File({first!r}, {format!r})"
            )
    if format == "trec":
        is_named = form.format == "trec" or first.lower().endswith(TREC_ENDINGS)
        filled = [path for path in heads if Path(path).stat().st_size]
        call = trec_relation(filled, sources.sql, name, is_guess=not is_named)
        return FileRows(call, (), False, sources.files)
    if format is not None and format in OF_LINES:
        return FileRows(parsed_lines_relation(format, sources.sql, table), (), True, sources.files)
    if (file_ending(first) or "").startswith("inter"):
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

    def read_layout(layout: TextLayout, constants: Sequence[str]) -> str:
        call = delimited_relation(constants, layout, hive)
        return rename_columns(call, layout.names, str(format), table) if format in RENAMED else call

    if len(groups) == 1:
        relation = read_layout(groups[0][0], sources.constants)
    else:
        calls = [
            read_layout(layout, [text(escape(path), "duckdb") for path in paths])
            for layout, paths in groups
        ]
        relation = f"({' union all by name '.join(f'select * from {call}' for call in calls)})"
    return FileRows(relation, headers, True, sources.files)


def _folder_globs(path: str, name: str) -> tuple[str, tuple[str, ...]]:
    """Return the kind of the files in a folder, and globs that skip hidden files, like Spark."""
    root = Path(path)
    files = [Path(file).relative_to(root) for file in list_files(path)]
    kinds = {file_ending(file.name) for file in files}
    if len(kinds) != 1:
        content = ", ".join(sorted(map(str, kinds))) or "no Parquet, CSV or JSON lines file"
        raise InputError(
            f"{name}={path!r} contains {content}: all files of a folder are read, so they must be "
            "of one kind; give a glob to select some of them"
        )
    kind = str(kinds.pop())
    either_case = "".join(f"[{c}{c.upper()}]" if c.isalpha() else c for c in kind)
    depths = sorted({len(file.parts) for file in files})
    globs = [f"{escape(path.rstrip('/'))}{'/[!_.]*' * depth}.{either_case}" for depth in depths]
    return str(file_kind(f".{kind}")), tuple(text(pattern, "duckdb") for pattern in globs)


def hive_keys(path: str) -> set[str]:
    """Return the columns that the names of hive partitions contain, such as ``day=1/``."""
    paths = [path, *list_files(path)]
    return {key for each in paths for key in re.findall(r"([^/=*?\[]+)=[^/]*/", each)}


def list_files(path: str) -> list[str]:
    """Return the local files of a path."""
    if not is_folder(path):
        if path_exists(path):
            return [path]
        return glob(path, recursive=True, include_hidden=True)  # noqa: PTH207
    paths, seen = [], set()
    for folder, folders, names in os.walk(path, followlinks=True):
        # Skip files that jobs and editors write, such as _SUCCESS, and links to visited folders.
        target = Path(folder).resolve()
        folders[:] = [name for name in folders if name[0] not in "_." and target not in seen]
        seen.add(target)
        files = (Path(folder, name) for name in names if name[0] not in "_." and file_ending(name))
        paths += [str(file) for file in files if file.is_file()]
    return paths


def reads(path: str, target: Path) -> bool:
    """Return whether an input at a path reads a file, or would read it if it existed."""
    if is_folder(path):
        return Path(path).resolve() in target.parents
    with suppress(OSError, ValueError):
        if path_exists(path):
            return target.exists() and Path(path).samefile(target)
        # ``match`` does not support ``**``.
        files = (Path(file).resolve() for file in list_files(path))
        return target.match(str(Path(path).resolve())) or target in files
    return False


def expand_home(path: str) -> str:
    """Return a path with ``~`` replaced by the home folder."""
    return str(Path(path).expanduser()) if path.startswith("~") else path


def shorten_path(path: str) -> str:
    """Return a quoted path for messages, without passwords and cut to 200 characters."""
    path = hide_passwords(path, path)
    return repr(path if len(path) <= 200 else f"{path[:200]}...")


# Unlike methods of Path, these functions return False for a string that can't be a path, such as a
# string that is too long.
path_exists, is_folder, is_file = os.path.exists, os.path.isdir, os.path.isfile

# Copies of pipes, which can be read only once, by path, device and inode.
_PIPES: dict[tuple[str, int, int], str] = {}


def copy_pipe(path: str) -> str:
    """Return the path of a copy of a pipe, which can be read only once; other paths unchanged."""
    import shutil
    import tempfile

    if not path_exists(path) or not Path(path).is_fifo():
        return path
    status = Path(path).stat()
    key = (path, status.st_dev, status.st_ino)
    if key not in _PIPES:
        descriptor, copy = tempfile.mkstemp(prefix="sqlrec-pipe-")
        with os.fdopen(descriptor, "wb") as target, Path(path).open("rb") as source:
            shutil.copyfileobj(source, target)
        atexit.register(Path(copy).unlink, missing_ok=True)
        _PIPES[key] = copy
    return _PIPES[key]
