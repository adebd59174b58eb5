"""A cache of compiled templates in a folder that only the user can write to."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from jinja2 import BytecodeCache
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


class Compiled(BytecodeCache):
    """Compiled templates as files of a folder, each with a hash of its contents.

    Cached code is executed, so no other account can write to the folder, and damaged files are
    ignored. Without such a folder, or if it is read-only, templates are compiled each time.
    """

    def __init__(self) -> None:
        self.folder: Path | None = None
        with suppress(OSError, RuntimeError):
            folder = user_folder() / "sqlrec"
            folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with suppress(FileExistsError):
                folder.mkdir(mode=0o700)
            if _is_own(folder):
                self.folder = folder

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a compiled template, if the file exists and its hash is correct."""
        path = self._cache_path(bucket)
        # Links are not followed, and reading a pipe would block.
        if path is None or path.is_symlink() or not path.is_file():
            return
        with suppress(OSError):
            contents = path.read_bytes()
            code = contents[sha256().digest_size :]
            if contents == _with_hash(code):
                bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a compiled template atomically."""
        path = self._cache_path(bucket)
        if path is None:
            return
        # The disk may be full, or the folder deleted.
        with suppress(OSError):
            part = path.with_name(f".{os.urandom(16).hex()}")
            try:
                part.write_bytes(_with_hash(bucket.bytecode_to_string()))
                part.replace(path)
            finally:
                part.unlink(missing_ok=True)

    def _cache_path(self, bucket: Bucket) -> Path | None:
        name = f"{bucket.key}.{sys.implementation.cache_tag}"
        return None if self.folder is None else self.folder / name


def _is_own(folder: Path) -> bool:
    """Return whether a path is a folder, not a link, that only this user can write to."""
    info, others = folder.lstat(), stat.S_IWGRP | stat.S_IWOTH
    is_own = not hasattr(os, "getuid") or (info.st_uid == os.getuid() and not info.st_mode & others)
    return stat.S_ISDIR(info.st_mode) and is_own


def _with_hash(code: bytes) -> bytes:
    return sha256(code).digest() + code
