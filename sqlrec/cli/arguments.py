"""The parser of the command line, from the commands and options of ``commands.toml``."""

from __future__ import annotations

import argparse
import re
import textwrap
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn, get_args

from .. import __version__, options
from ..catalogue.headers import FAMILIES, TABLES
from ..dialects import DIALECTS
from ..display.text import terminal_width
from ..engines.files import is_path, path_exists
from ..engines.formats import FORMATS as INPUT_FORMATS
from ..errors import suggest_name
from ..results.database_table import Mode
from .output import FILES, FORMATS, Options, format_for_stderr

# The options of sqlrec/options.py, by the name of the constant or of the rule.
DECLARED = {option.name.upper(): option for option in options.RULES}
DECLARED |= {name: x for name, x in vars(options).items() if isinstance(x, options.Option)}

# The lists that commands.toml names in braces.
_LISTS: dict[str, Sequence[str]] = {
    **{"dialects": [*DIALECTS], "families": FAMILIES, "estimators": options.ESTIMATORS},
    **{"input_formats": INPUT_FORMATS, "modes": get_args(Mode)},
}

# Types and choices of values, by placeholder.
_TYPES = {"N": int, "P": float, "G": float}
_CHOICES = {"DIALECT": DIALECTS, "FAMILY": FAMILIES}

# Options with a different name in Python.
_NAMES = {
    **{"--all": "full", "--column": "columns", "--from": "results", "--merge": "past"},
    **{"--metrics": "metrics_path", "--summary": "summaries", "DIR": "metrics_path"},
    **{"METRIC...": "metrics", "RULE...": "metrics", "PLOT": "name", "MODULE:FUNCTION": "function"},
}


class Parser(argparse.ArgumentParser):
    """A parser with error messages of one line and a short help."""

    def print_short_help(self) -> None:
        """Print the usage, the description, and the names of all options."""
        print(f"{self.format_usage()}\n{(self.description or '').strip()}\n")
        for group in self._action_groups:
            flags = [max(node.option_strings, key=len, default="") for node in group._group_actions]
            if any(flags):
                lines = textwrap.wrap(
                    f"{group.title}: {' '.join(flags)}", min(terminal_width(), 80)
                )
                print("\n  ".join(lines))
        print(f"\n{self.prog} --help describes each option.")

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the command line; the command's parser raises the error for an unknown option."""
        options, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return options, rest

    def error(self, message: str) -> NoReturn:
        """Print the error, with the closest valid choice or flag, and exit with status 2."""
        if match := re.match(
            r"argument (\S+): invalid choice: '(.*?)' \(choose from (.*)\)", message
        ):
            choices = match[3].replace("'", "").split(", ")
            message = f"{match[1]} {match[2]}: {suggest_name(match[2], choices)}"
        elif match := re.match(r"unrecognized arguments: (--[^\s=]+)", message):
            flags = [flag for flag in self._option_string_actions if flag.startswith("--")]
            message = f"{match[1]}: {suggest_name(match[1], flags, 'no such option')}"
        elif message.startswith("unrecognized arguments: "):
            message += "; repeat an option for each of its values, and write a value in quotes"
        self.exit(2, format_for_stderr(f"{message}; see {self.prog} --help") + "\n")


class ShortHelp(argparse.Action):
    """Print the short help of a command."""

    def __call__(self, parser: Any, *_: Any, **__: Any) -> None:
        """Print the help and exit."""
        parser.print_short_help()
        parser.exit()


def parser(
    commands: Mapping[str, Callable[[Options], None]], words: Sequence[str] | None = None
) -> argparse.ArgumentParser:
    """Return the parser of the command line.

    It sets ``run`` to the function of the command, and ``parser`` to the parser of the command.
    If the words of a command line are passed, only the parser of their command gets options, to
    save time.
    """
    entries = tomllib.loads(Path(__file__).with_name("commands.toml").read_text(encoding="utf-8"))
    shared, program, helps = (entries.pop(name) for name in ("parts", "program", "options"))
    settings: Any = {
        "epilog": program["exits"],
        "formatter_class": argparse.RawDescriptionHelpFormatter,
        "argument_default": argparse.SUPPRESS,
    }
    parser = Parser(prog="sqlrec", description=program["text"], **settings)
    parser.add_argument("--version", action="version", version=f"sqlrec {__version__}")
    added = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, entry in entries.items():
        settings["usage"] = f"sqlrec {name} {entry['usage']}".strip()
        settings["description"] = entry["text"]
        command = added.add_parser(name, help=entry["about"], add_help=False, **settings)
        command.add_argument("-h", nargs=0, action=ShortHelp, help="show the names of all options")
        command.add_argument("--help", action="help", help="show this help message and exit")
        command.set_defaults(run=commands.get(name), parser=command)
        if words is not None and [*words[:1]] != [name]:
            continue
        lists = {**_LISTS, "formats": [*FORMATS, *entry.get("formats", ())]}
        groups: dict[str, argparse._ArgumentGroup] = {}
        for part in entry["parts"]:
            _add_command_part(command, groups, dict(entry.get(part) or shared[part]), helps, lists)
    return parser


def _add_command_part(
    command: Parser,
    groups: dict[str, argparse._ArgumentGroup],
    part: dict[str, Any],
    helps: Mapping[str, str],
    lists: Mapping[str, Sequence[str]],
) -> None:
    """Add the options of a section of a command to its group in the help."""
    title, text = part.pop("group", None), part.pop("text", None)
    required, one_of = part.pop("required", False), part.pop("one_of", None)
    if title is not None and title not in groups:
        groups[title] = command.add_argument_group(title, text)
    group: Any = groups[title] if title is not None else command
    if one_of is not None:
        group = command.add_mutually_exclusive_group()
    for spec, meaning in part.items():
        if meaning in DECLARED:
            _add_declared(group, spec, DECLARED[meaning], helps[meaning])
        elif one_of is not None:
            value = {"dest": one_of, "action": "store_const", "const": spec.strip("-")}
            group.add_argument(spec, **value, help=meaning)
        else:
            _add_option(
                group,
                _fill_in_names(spec, "|", lists),
                _fill_in_names(meaning, ", ", lists),
                required,
            )


def _fill_in_names(text: str, separator: str, lists: Mapping[str, Sequence[str]]) -> str:
    """Replace the names of lists in braces by their entries."""
    return re.sub(r"\{(\w+)\}", lambda match: separator.join(lists[match[1]]), text)


def _add_option(group: Any, spec: str, meaning: str, required: bool) -> None:
    """Add an option or an argument. An omitted option keeps its default in Python."""
    *flags, last = spec.split(" ")
    flags, value = ([*flags, last], "") if last.startswith("-") else (flags, last)
    name = value.strip("[].")
    settings: Any = {"help": " ".join(meaning.split()).replace("%", "%%")}
    names = _NAMES.get((flags or [value.strip("[]")])[-1])
    if not flags:
        nargs = "+" if value.endswith("...") else "*" if value.endswith("...]") else None
        nargs = nargs or ("?" if "[" in value else None)
        group.add_argument(names or name.lower(), metavar=name, nargs=nargs, **settings)
        return
    settings |= {"required": required} | ({"dest": names} if names else {})
    if not value:
        settings["action"] = "store_true"
    elif "|" in value:
        choices = value.split("|")
        settings["type"] = int if choices[0].isdigit() else str
        settings["choices"] = [*map(settings["type"], choices)]
    else:
        metavar = value.removesuffix("...")
        settings |= {"metavar": metavar, "type": _TYPES.get(metavar, str)}
        settings["choices"] = _CHOICES.get(metavar)
        settings["action"] = "append" if metavar != value else "store"
        if re.fullmatch(r"\[\w+\]", value):
            settings |= {"nargs": "?", "const": "", "metavar": name}
    group.add_argument(*flags, **settings)


def _add_declared(group: Any, spec: str, option: options.Option, meaning: str) -> None:
    """Add an option of ``sqlrec/options.py``."""
    flag, _, metavar = spec.partition(" ")
    settings: Any = {"nargs": "?", "const": True} if option.switch else {}
    settings |= {"choices": option.named_choices or None, "metavar": metavar or None}
    group.add_argument(flag, type=option.type, help=" ".join(meaning.split()), **settings)
    if None in option.choices and option.default is not None:
        no: Any = {"dest": option.name, "action": "store_const", "const": None}
        group.add_argument(f"--no-{flag[2:]}", **no, help=f"omit {option.name}s")


def repeat_flags(words: Sequence[str]) -> list[str]:
    """Return the words of a command line with an input's flag before each of the input's files.

    A shell replaces an unquoted glob by several files after one flag. Files of lists stay in one
    word, since each flag for lists is a model.
    """
    flags = {f"--{table}" for table in TABLES}
    repeats: list[str] = []
    flag = ""
    for word in words:
        if word.startswith("-"):
            flag = word if word in flags else ""
        elif flag and repeats[-1] != flag:
            if not (is_path(word) and path_exists(word)):
                flag = ""
            elif flag == "--recs":
                repeats[-1] += f"{FILES}{word}"
                continue
            else:
                repeats.append(flag)
        repeats.append(word)
    return repeats
