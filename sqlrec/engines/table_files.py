"""Files that Python libraries read: Delta and Iceberg tables, Arrow files, dicts in JSON."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..errors import InputError, not_installed
from ..safe_text import warn
from .delimited import COLUMN_NAMES, binary_kind
from .files import expand_home, file_kind, is_file, is_folder
from .formats import File
from .python_tables import as_user_rows

# Extension of the metadata files of Iceberg tables.
_METADATA = ".metadata.json"


def open_unsupported_file(source: str | File, name: str) -> Any:
    """Return the table of a file that SQL can't read, None if SQL reads the file."""
    path = expand_home(os.fsdecode(source))
    if lake_format(path):
        return open_lake(path, name)
    if not is_file(path):
        return None
    kind = (source.format if isinstance(source, File) else None) or file_kind(path)
    if kind is None and binary_kind(path) == "Arrow":
        kind = "arrow"
    if kind == "arrow":
        return _read_arrow_file(path, name)
    if kind == "json" and path.lower().endswith(".json"):
        return _dict_table(path, name)
    return None


def _read_arrow_file(path: str, name: str) -> Any:
    import pyarrow as pa
    from pyarrow import feather, ipc

    try:
        if binary_kind(path) == "Arrow":
            return feather.read_table(path)
        return ipc.open_stream(path).read_all()
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{name}={path!r} can't be read as an Arrow file: {reason}") from error


# The start of a dict by user, with dicts or lists of items as values.
_DICT_BY_USER = r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*[\[{]'
_EMPTY = r"\s*(\{\s*\}|\[\s*\])?\s*"


def _dict_table(path: str, name: str) -> Any:
    """Return the rows of a JSON file with a dict by user, as in ranx; None for other files."""
    values = None
    try:
        with Path(path).open(encoding="utf-8-sig") as file:
            head = file.read(1 << 16)
            if re.match(_DICT_BY_USER, head):
                values = json.loads(head + file.read())
    except UnicodeDecodeError as error:
        raise InputError(f"{name}={path!r} is not UTF-8: write it as UTF-8") from error
    except ValueError:  # JSON Lines.
        return None
    if re.fullmatch(_EMPTY, head):
        raise InputError(f"{name}={path!r} is empty: at least one row is needed")
    if values is None:
        return None
    if _is_pandas_table(values):
        raise InputError(
            f"{name}={path!r} does not have a record for each row: write it with "
            "frame.to_json(path, orient='records'), or give the frame"
        )
    return as_user_rows(values, name)


def _is_pandas_table(values: Mapping[str, Any]) -> bool:
    """Return whether a JSON object is a table from pandas, or contains a single list of rows."""
    names = {name.lower() for name in values}
    first, *others = values.values()
    if isinstance(first, list) and not others:
        return isinstance(next(iter(first), None), Mapping)
    if {"columns", "data"} <= names or {"schema", "data"} <= names:
        return True
    if not all(isinstance(part, Mapping) and [*part] == [*first] for part in values.values()):
        return False
    is_by_column = all(key.isdecimal() for key in first) and bool(COLUMN_NAMES & names)
    return is_by_column or bool(COLUMN_NAMES & {name.lower() for name in first})


def lake_format(path: str) -> str | None:
    """Return "Delta" or "Iceberg" for a table's folder or Iceberg's metadata file, else None."""
    if is_folder(path):
        if Path(path, "_delta_log").is_dir():
            return "Delta"
        return "Iceberg" if any(Path(path, "metadata").glob(f"*{_METADATA}")) else None
    return "Iceberg" if path.endswith(_METADATA) and is_file(path) else None


def open_lake(path: str, name: str) -> Any:
    """Open a Delta table, or read an Iceberg table."""
    kind = str(lake_format(path))
    package = {"Delta": "deltalake", "Iceberg": "pyiceberg"}[kind]
    try:
        if kind == "Delta":
            from deltalake import DeltaTable

            table = DeltaTable(path)
            try:
                return table.to_pyarrow_dataset()
            except Exception:  # Arrow does not support all features, such as deletion vectors.
                import pyarrow as pa
                from deltalake import QueryBuilder

                rows = QueryBuilder().register("rows", table).execute("select * from rows")
                return pa.table(rows)
        from pyiceberg.table import StaticTable

        return StaticTable.from_metadata(_newest_metadata_file(path, name)).scan().to_arrow()
    except ImportError as error:
        what = f"{name}={path!r} is {'a' if kind == 'Delta' else 'an'} {kind} table, and"
        raise not_installed(what, package) from error
    except InputError:
        raise
    except Exception as error:  # The library and Arrow raise various errors.
        raise InputError(f"{name}={path!r} can't be read: {str(error).splitlines()[0]}") from error


def _newest_metadata_file(path: str, name: str) -> str:
    """Return the newest metadata file, or the folder if a version hint names it for pyiceberg."""
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
            f"{name}={path!r} is an Iceberg table with several newest metadata files, but only its "
            f"catalog has the current one: give the path of one, as in {str(min(newest))!r}"
        )
    if len(versions) > 1:
        warn(
            f"{name}={path!r}: read with {newest[0].name}, the newest metadata; if its catalog "
            "has another current version, give the path of that version's metadata"
        )
    return str(newest[0])
