"""A cache of compiled templates in a folder that only the user can write to."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket


def user_folder() -> Path:
    """Return the cache folder of the user.

    Raises:
        RuntimeError: The user has no home folder.
    """
    if sys.platform == "win32":
        folder = os.environ.get("LOCALAPPDATA", "")
        return Path(folder) if folder else Path.home() / "AppData" / "Local"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    folder = os.environ.get("XDG_CACHE_HOME", "")
    # The specification ignores relative paths.
    return Path(folder) if Path(folder).is_absolute() else Path.home() / ".cache"


def own_folder() -> Path | None:
    """Return the folder for compiled templates, or None if the user can't have such a folder.

    Cached code is executed, so no other account may write to the folder.
    """
    with suppress(OSError, RuntimeError):
        folder = user_folder() / "sqlrec"
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        info, others = folder.lstat(), stat.S_IWGRP | stat.S_IWOTH
        is_user = not hasattr(os, "getuid") or info.st_uid == os.getuid()
        is_shared = hasattr(os, "getuid") and info.st_mode & others
        if stat.S_ISDIR(info.st_mode) and is_user and not is_shared:
            return folder
    return None


class Compiled(FileSystemBytecodeCache):
    """Compiled templates in files. If the files can't be used, templates are compiled each time."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder), f"%s.{sys.implementation.cache_tag}")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a compiled template, if its file exists and is not damaged."""
        with suppress(Exception):  # marshal, pickle and the file system raise different errors.
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a compiled template atomically, unless the disk is full or the folder deleted."""
        with suppress(OSError):
            super().dump_bytecode(bucket)
