"""Where the SQL is."""

from __future__ import annotations

from pathlib import Path

# Files of metrics beside those of this folder, by name: where they are, and what they held when
# they were read.
OWN: dict[str, tuple[Path, str]] = {}


def sql_folder() -> Path:
    """Return the folder of the SQL: inside the installed package, beside it in a checkout."""
    here = Path(__file__).resolve().parent
    return next(folder for folder in (here / "sql", here.parent / "sql") if folder.is_dir())
