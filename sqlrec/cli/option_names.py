"""Messages with options of the command line: ``--ties first`` for ``ties='first'``."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

from ..catalogue.headers import TABLES
from ..options import OF_COMPARE, OF_EVALUATE

# Options with another name on the command line than two dashes and the Python name.
_OTHER_NAMES = {
    **{"columns": "--column", "summaries": "--summary", "results": "--from"},
    "past": "--merge",
}
_NAMES = (
    *(*TABLES, *_OTHER_NAMES, *(option.name for option in (*OF_EVALUATE, *OF_COMPARE))),
    *("by", "engine", "dialect", "against", "margin", "comparison"),
    *("catalog_size", "candidates", "estimator", "gamma"),
    *("unit", "difference", "sample_size", "power", "sides", "mode"),
)
_NAME = rf"(?<![\w(\[.'=-])({'|'.join(_NAMES)})"
_TEXT = r"'[^']*'|\"[^\"]*\""
_VALUE = rf"{_TEXT}|\.\.\.|-?(?:\d[\w.+-]*|inf|nan)"

_PAIR = re.compile(rf"({_TEXT}): ({_VALUE})")
_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    # recs={'als': ..., 'pop': ...}
    (
        re.compile(rf"{_NAME}=\{{((?:{_PAIR.pattern}(?:, )?)+)\}}"),
        lambda match: " ".join(
            f"{_option(match[1])} {_plain(pair[1])}={_plain(pair[2])}"
            for pair in _PAIR.finditer(match[2])
        ),
    ),
    # recs['als']='als.csv'
    (
        re.compile(rf"{_NAME}\[({_TEXT})\](?:=({_VALUE}))?(?!\.\w)"),
        lambda match: " ".join(
            [
                _option(match[1]),
                "=".join(filter(None, map(_plain, filter(None, match.groups()[1:])))),
            ]
        ),
    ),
    # by=['country']
    (
        re.compile(rf"{_NAME}=\[((?:{_TEXT})(?:, (?:{_TEXT}))*)\]"),
        lambda match: " ".join(
            f"{_option(match[1])} {_plain(text)}" for text in re.findall(_TEXT, match[2])
        ),
    ),
    (re.compile(rf"{_NAME}=None"), lambda match: f"no {_option(match[1])}"),
    # ties='first'
    (
        re.compile(rf"{_NAME}=({_VALUE})"),
        lambda match: f"{_option(match[1])} {_plain(match[2])}",
    ),
    (
        re.compile(
            rf"^({'|'.join(_NAMES)})(?= is missing| is given| is not a model| of | has no col)"
        ),
        lambda match: _option(match[1]),
    ),
    # A path is unchanged. The last patterns are words that only Python has.
    (re.compile(r"^(results|comparison|past)="), lambda match: f"{_option(match[1])} "),
    (re.compile(r"^merge(?=: )"), lambda match: "--merge"),
    (
        re.compile(r"each=True and no columns: name some, .*"),
        lambda match: "--groupings each and no --by: name columns of segments",
    ),
    (re.compile(r"^each=True"), lambda match: "--groupings each"),
    (re.compile(r"^results are given"), lambda match: "--from is given"),
    (re.compile(r"(?<=give a cutoff, )k=10"), lambda match: "-k 10"),
    (
        re.compile(r"^settings: DuckDB refuses (\w+)"),
        lambda match: f"{_option(match[1])}: DuckDB refuses it",
    ),
    (re.compile(r"a path, a table of Python or"), lambda match: "a path or"),
)


def translate_message(message: str) -> str:
    """Return a message with the options of the command line."""
    for pattern, replacement in _FORMS:
        message = pattern.sub(replacement, message)
    return message


def _option(name: str) -> str:
    return _OTHER_NAMES.get(name, f"--{name.replace('_', '-')}")


def _plain(value: str) -> str:
    """Replace the quotes of Python by those of a shell, if a value needs them."""
    text = value[1:-1] if value[0] in "'\"" else value
    return text if re.fullmatch(r"[\w\-./@:,*%]*", text) else shlex.quote(text)
