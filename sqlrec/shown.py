"""What people are shown: no password, and no character that a terminal acts on."""

from __future__ import annotations

import re
import sys
import warnings
from types import FrameType
from typing import Any
from urllib.parse import unquote

# Line breaks, escape sequences and other control characters, halves of characters, and what turns
# the direction of text.
_CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)

# What keeps its name and loses its value: ``password=...``, ``'secret': '...'``.
_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
# Only from where a word starts, or long words would take a time that grows with their square.
_SECRET = (
    r"(?<![\w-])(?:(?=[\w-]*(?:passw(?:or)?d|pwd|secret|credential|signature|(?:api|access|account)_?key))"
    r"[\w-]*|[\w-]*(?<![a-z])token|[\w-]*\bsig)"
)
_NAMED = re.compile(
    rf"((?:{_SECRET})(?:\s*=\s*|['\"]\s*:\s*(?=['\"])))(?:{_QUOTED}|[^\s&'\";,)}}\]]+)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"((?<![\w+.-])[\w+.-]+://)([^\s'\"]*)@")


def shown(value: Any) -> str:
    """Write what a message is made of: without passwords, in one line."""
    return printable(hidden(str(value)))


def hidden(text: str, *addresses: str) -> str:
    """Put stars in place of passwords: of URLs, and of settings that are called so.

    Args:
        text: A message, which may repeat what others say.
        addresses: What was given to open something with. Also parts of it are hidden then, as a
            driver may take them for something else.
    """
    for address in addresses:
        scheme, slashes, rest = address.partition("://")
        user, at, _ = rest.rpartition("@")
        if slashes and at:
            text = text.replace(f"{scheme}://{user}@", f"{scheme}://{user.partition(':')[0]}:***@")
        named = [found[0][len(found[1]) :].strip("'\"") for found in _NAMED.finditer(address)]
        for secret in (*re.split("[:@]", user)[1:], *named):
            for spelled in filter(None, (secret, unquote(secret))):
                text = text.replace(spelled, "***")
    return _NAMED.sub(r"\1***", _ADDRESS.sub(_without_password, text))


def _without_password(found: re.Match[str]) -> str:
    user, colon, _ = found[2].partition(":")
    # What stands alone before a server of the web is a token.
    if not colon:
        return f"{found[1]}***@" if found[1].lower().startswith("http") else found[0]
    return f"{found[1]}{user}:***@"


def printable(text: str, kept: str = "") -> str:
    """Write characters that a terminal acts on as Python writes them; some are kept."""
    return _CONTROL.sub(lambda found: found[0] if found[0] in kept else ascii(found[0])[1:-1], text)


def count_of(number: int | str, noun: str) -> str:
    """Format a number of things, as in ``1 column`` and ``2 columns``."""
    return f"{number} {noun}{'' if int(number) == 1 else 's'}"


def warn(message: str) -> None:
    """Warn of something, in words that can be shown, where the package was called."""
    frame: FrameType | None = sys._getframe()
    level = 0
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        frame, level = frame.f_back, level + 1
    warnings.warn(shown(message), stacklevel=level + 1)
