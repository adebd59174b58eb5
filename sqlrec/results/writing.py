"""Atomic writing of files, which never overwrites an input."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ..engines.files import reads, shorten_path
from ..errors import InputError


def check_target(path: str | os.PathLike[str], inputs: Iterable[str] = ()) -> Path:
    """Check that a file can be written, and is not an input; return its absolute path."""
    try:
        target, fault = Path(path).resolve(), None
        target.exists()
    except (OSError, TypeError, ValueError) as error:
        raise InputError(f"{shorten_path(str(path))} can't be a file's path: {error}") from error
    for source in inputs:
        if reads(source, target):
            raise InputError(
                f"{str(path)!r} is an input, or part of the input {source!r}: give another file"
            )
    if not target.parent.is_dir():
        fault = "is in a folder that does not exist"
    elif target.exists() and not target.is_file():
        fault = "is not a file, but a folder, pipe or device"
    if fault:
        raise InputError(f"{str(path)!r} {fault}: give the path of a file")
    return target


@contextmanager
def replace_on_success(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary file, which replaces the path on success and is deleted on failure."""
    target = check_target(path)
    part = target.with_name(f".{os.urandom(16).hex()}")
    try:
        yield part
        if target.exists():
            part.chmod(target.stat().st_mode)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
