"""Files that appear whole or not at all, and that no input is lost by."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..engines.files import reads, shortened
from ..errors import InputError


def check_target(path: str | os.PathLike[str], inputs: Iterable[str] = ()) -> Path:
    """Check that a file can be written at a path, before the work for it is done.

    Args:
        path: Where to write.
        inputs: Files, folders and globs that are read, and not to be written over.

    Raises:
        InputError: The path is a folder, in none, or an input.
    """
    try:
        target, fault = Path(path).resolve(), None
        target.exists()
    except (OSError, TypeError, ValueError) as error:
        raise InputError(f"{shortened(str(path))} can't be a file's path: {error}") from error
    for one in inputs:
        if reads(one, target):
            raise InputError(
                f"{str(path)!r} is an input, or read as one with {one!r}: give another file"
            )
    if not target.parent.is_dir():
        fault = "is in a folder that does not exist"
    elif target.exists() and not target.is_file():
        fault = "is not a file, but a folder, pipe or device"
    if fault:
        raise InputError(f"{str(path)!r} {fault}: give the path of a file")
    return target


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a file to write; it takes the place of the path when all went well, else it goes.

    Raises:
        InputError: The path is a folder, or in none.
    """
    target = check_target(path)
    part = target.with_name(f".{os.urandom(16).hex()}")
    try:
        yield part
        if target.exists():
            part.chmod(target.stat().st_mode)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
