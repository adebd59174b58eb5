"""Messages with command-line options: ``--ties first`` for ``ties='first'``."""

from __future__ import annotations

import re
import shlex

from ..catalogue.headers import TABLES
from .output import FILES, Options

_TEXT = r"'[^']*'|\"[^\"]*\""
_VALUE = rf"{_TEXT}|\.\.\.|-?(?:\d[\w.+-]*|inf|nan)"

# sqlrec.File(path, 'movielens'), sqlrec.File(path, header=False)
_FILE = re.compile(rf"sqlrec\.File\((?:path|{_TEXT}), ([\w='-]+)\)")


def translate_message(message: str, options: Options) -> str:
    """Return a Python message with the options of a command."""
    flags = {"each": "--groupings each", "merge": "--merge"}
    # If several options have a name, the first is used: --interval, not --no-interval.
    for action in reversed(options.parser._actions) if options.parser else ():
        if action.option_strings:
            flags[action.dest] = action.option_strings[-1]
    table = re.match("|".join(TABLES), message)
    input_format = f"--input-format {table[0] if table else 'INPUT'}="
    name = rf"(?<![\w(\[.'\"=-])({'|'.join(flags)})"

    def repeat_option(match: re.Match[str]) -> str:
        """Repeat the option for each value."""
        if match[1] in TABLES and match[2] == "...":
            return f"{flags[match[1]]} FILE"
        values = re.findall(rf"(?:({_TEXT}): )?({_VALUE})", match[2])
        return " ".join(
            f"{flags[match[1]]} {'='.join(filter(None, map(_quote_for_shell, filter(None, pair))))}"
            for pair in values
        )

    # recs['als']='als.csv', recs={'als': ..., 'pop': ...}, by=['country'], ties='first'
    message = re.sub(rf"{name}\[({_TEXT})\]=({_VALUE})", r"\1={\2: \3}", message)
    pair = rf"(?:(?:{_TEXT}): )?(?:{_VALUE})"
    message = re.sub(rf"{name}=[{{\[]({pair}(?:, {pair})*)[}}\]]", repeat_option, message)
    message = re.sub(rf"{name}\[({_TEXT})\](?!\.\w)", repeat_option, message)
    message = re.sub(rf"{name}=None", lambda match: f"no {flags[match[1]]}", message)
    message = re.sub(rf"{name}=({_VALUE})", repeat_option, message)
    message = message.replace("each=True", flags["each"])
    omitted = r"(?<=\bomit )" + rf"({'|'.join(flags)})\b"
    message = re.sub(omitted, lambda match: flags[match[1]], message)
    # A method of a result: worse(), ranks()
    message = re.sub(rf"\b({'|'.join(flags)})\(\)", lambda match: flags[match[1]], message)
    message = _FILE.sub(lambda match: input_format + _input_format_flag(match[1]), message)
    # The name of an input at the start, even before a path without quotes. Elsewhere, a name may be
    # a table, and stays unchanged.
    start = r"(?<=merge): | is missing| is given| is not read| is not a model| of | has no col"
    message = re.sub(
        rf"^({'|'.join(flags)})(?:=|(?={start}))",
        lambda match: flags[match[1]] + " " * match[0].endswith("="),
        message,
    )
    if message.startswith(("recs: ", "recs has one model")) and any(
        FILES in text for text in options.recs or ()
    ):
        message += "; files after one --recs are one model: repeat --recs for a model of each"
    if match := re.match(r"settings: DuckDB rejects (\w+)", message):
        flag = f"--{match[1].replace('_', '-')}"
        message = f"{flag}: DuckDB rejects it{message[match.end() :]}"
    return message


def _input_format_flag(argument: str) -> str:
    """Return the value of ``--input-format`` that corresponds to an argument of ``sqlrec.File``."""
    name, equals, value = argument.replace("'", "").rpartition("=")
    if not equals:
        return value.upper() if value == "format" else value
    return f"csv,{name}={'no' if value == 'False' else value}"


def _quote_for_shell(value: str) -> str:
    """Replace Python's quotes by shell quotes, if a value needs them."""
    text = value[1:-1] if value[0] in "'\"" else value
    return text if re.fullmatch(r"[\w\-./@:,*%]*", text) else shlex.quote(text)
