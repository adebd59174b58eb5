"""The folder of the SQL files, and the registry of custom metrics."""

from __future__ import annotations

from pathlib import Path

# Custom metrics by name: the path of the file, and the text of the file when it was read.
OWN: dict[str, tuple[Path, str]] = {}


def sql_folder() -> Path:
    """Return the folder of the SQL: inside the installed package, or next to it in a checkout."""
    here = Path(__file__).resolve().parent
    return next(folder for folder in (here / "sql", here.parent / "sql") if folder.is_dir())
