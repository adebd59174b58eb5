"""Compiled templates, kept for the next process in a folder that is the user's own."""

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
    """Return where programs of this user keep what they can make again.

    Raises:
        RuntimeError: The user has no home.
    """
    if sys.platform == "win32":
        given = os.environ.get("LOCALAPPDATA", "")
        return Path(given) if given else Path.home() / "AppData" / "Local"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    given = os.environ.get("XDG_CACHE_HOME", "")
    # A path that depends on the current folder is to be ignored.
    return Path(given) if Path(given).is_absolute() else Path.home() / ".cache"


class Compiled(BytecodeCache):
    """Compiled templates as files of a folder, each behind a hash of what it holds.

    What is read is run. So no other account can write to the folder, and a file that was damaged
    counts as none. Where there is no such folder, or nothing can be written, templates are
    compiled anew each time.
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
        """Take what was compiled, if it is there and whole."""
        path = self._path(bucket)
        # A link is not followed, and a pipe is not waited for.
        if path is None or path.is_symlink() or not path.is_file():
            return
        with suppress(OSError):
            written = path.read_bytes()
            code = written[sha256().digest_size :]
            if written == _hashed(code):
                bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled; a file appears whole or not at all."""
        path = self._path(bucket)
        if path is None:
            return
        # The folder may be full, or cleaned away since.
        with suppress(OSError):
            part = path.with_name(f".{os.urandom(16).hex()}")
            try:
                part.write_bytes(_hashed(bucket.bytecode_to_string()))
                part.replace(path)
            finally:
                part.unlink(missing_ok=True)

    def _path(self, bucket: Bucket) -> Path | None:
        name = f"{bucket.key}.{sys.implementation.cache_tag}"
        return None if self.folder is None else self.folder / name


def _is_own(folder: Path) -> bool:
    """Say whether a path is a folder, and no link, that this user alone can write to."""
    found, others = folder.lstat(), stat.S_IWGRP | stat.S_IWOTH
    own = not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & others)
    return stat.S_ISDIR(found.st_mode) and own


def _hashed(code: bytes) -> bytes:
    return sha256(code).digest() + code
