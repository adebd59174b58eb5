"""Texts and warnings without passwords and control characters, which are safe to display."""

from __future__ import annotations

import re
import sys
import warnings
from types import FrameType
from typing import Any
from urllib.parse import unquote

# Line breaks, escape sequences and other control characters, surrogates, and characters that change
# the direction of text.
_CONTROL = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)

# Names of hidden values: ``password=...``, ``'secret': '...'``.
_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
# Match only at the start of a word: otherwise, time grows with the square of a word's length.
_SECRET = (
    r"(?<![\w-])(?:(?=[\w-]*(?:passw(?:or)?d|pwd|secret|credential|signature|(?:api|access|account)_?key))"
    r"[\w-]*|[\w-]*(?<![a-z])token|[\w-]*\bsig)"
)
_NAMED = re.compile(
    rf"((?:{_SECRET})(?:\s*=\s*|['\"]\s*:\s*(?=['\"])))(?:{_QUOTED}|[^\s&'\";,)}}\]]+)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"((?<![\w+.-])[\w+.-]+://)([^\s'\"]*)@")


def safe_text(value: Any) -> str:
    """Format a value for a message: on one line, without passwords."""
    return escape_control_characters(hide_passwords(str(value)))


def hide_passwords(text: str, *addresses: str) -> str:
    """Replace passwords in URLs and settings with stars."""
    for address in addresses:
        scheme, slashes, rest = address.partition("://")
        user, at, _ = rest.rpartition("@")
        if slashes and at:
            text = text.replace(f"{scheme}://{user}@", f"{scheme}://{user.partition(':')[0]}:***@")
        secrets = [match[0][len(match[1]) :].strip("'\"") for match in _NAMED.finditer(address)]
        for secret in (*re.split("[:@]", user)[1:], *secrets):
            for form in filter(None, (secret, unquote(secret))):
                text = text.replace(form, "***")
    return _NAMED.sub(r"\1***", _ADDRESS.sub(_without_password, text))


def _without_password(match: re.Match[str]) -> str:
    user, colon, _ = match[2].partition(":")
    # In a web address, a user name without a password is a token.
    if not colon:
        return f"{match[1]}***@" if match[1].lower().startswith("http") else match[0]
    return f"{match[1]}{user}:***@"


def escape_control_characters(text: str, kept: str = "") -> str:
    """Escape control characters as in Python, except the characters in ``kept``."""
    return _CONTROL.sub(lambda match: match[0] if match[0] in kept else ascii(match[0])[1:-1], text)


def warn(message: str) -> None:
    """Warn with a safe message, at the line that calls the package."""
    frame: FrameType | None = sys._getframe()
    level = 0
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] == __package__:
        frame, level = frame.f_back, level + 1
    warnings.warn(safe_text(message), stacklevel=level + 1)
