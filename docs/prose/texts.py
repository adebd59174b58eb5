"""Write the words of the program for the linter of prose: python docs/prose/texts.py FOLDER.

They are the help of every command, texts of four words and more in Python, which messages and
docstrings are among, and comments of SQL, which are printed. A line begins with where it is from.
"""

import argparse
import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from sqlrec.cli.arguments import parser

ROOT = Path(__file__).parents[2]


def of_help() -> Iterator[tuple[str, str]]:
    """Go through the paragraphs of help, and what is said of each option."""
    (commands,) = (
        action for action in parser({})._actions if isinstance(action, argparse._SubParsersAction)
    )
    for name, command in commands.choices.items():
        texts = [*(command.description or "").split("\n\n"), command.epilog or ""]
        texts += [action.help or "" for action in command._actions]
        yield from ((f"sqlrec {name} --help", text) for text in texts)


def of_python(path: Path) -> Iterator[tuple[str, str]]:
    """Go through the texts of a module; what a text is filled with becomes X."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    within = {
        id(part) for one in ast.walk(tree) if isinstance(one, ast.JoinedStr) for part in one.values
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
            text = "".join(map(str, parts))
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in within
        ):
            text = node.value
        else:
            continue
        yield f"{path.relative_to(ROOT)}:{node.lineno}", text


def of_sql(path: Path) -> Iterator[tuple[str, str]]:
    """Go through the comments of a file of SQL."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        _, sign, text = line.partition("-- ")
        yield f"{path.relative_to(ROOT)}:{number}", text if sign else ""


def main() -> None:
    """Write a file for each kind."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    python = sorted((ROOT / "sqlrec").rglob("*.py"))
    sql = sorted((ROOT / "sql").rglob("*.sql"))
    kinds = {
        "help": of_help(),
        "python": (found for path in python for found in of_python(path)),
        "sql": (found for path in sql for found in of_sql(path)),
    }
    for kind, found in kinds.items():
        lines = [
            f"{where}: {' '.join(text.split())}" for where, text in found if len(text.split()) > 3
        ]
        (folder / f"{kind}.txt").write_text(
            "\n".join(dict.fromkeys(lines)) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
