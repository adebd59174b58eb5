"""What the page of statistics shows is true."""

import re
import shlex
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random

import pyarrow.parquet
from pytest import fixture, mark

from sqlrec import cli

from .tables import lists, wanted

PAGE = (Path(__file__).parent.parent / "docs" / "statistics.md").read_text(encoding="utf-8")
SHOWN = re.compile(r"^```(python|sh)\n(.*?)^```\n\n^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLES = SHOWN.findall(PAGE)


@fixture
def folder(tmp_path, monkeypatch):
    """Two rankings, the second with every fifth user's list the wrong way round.

    People label every fourth user, and a judge all, who misses two items.
    """
    monkeypatch.chdir(tmp_path)
    random = Random(5)
    users = [f"u{n}" for n in range(200)]
    main = {user: random.sample("abcdefghijklmnopqrst", 12) for user in users}
    recs = {
        user: items[::-1] if number % 5 == 0 else items
        for number, (user, items) in enumerate(main.items())
    }
    truth = {user: random.sample(items, 3) for user, items in main.items()}
    tables = {
        "main": lists(main),
        "recs": lists(recs),
        "truth": wanted(truth),
        "labels": wanted({user: truth[user] for user in users[::4]}),
        "judged": wanted({user: {*items} - {"a", "b"} for user, items in truth.items()}),
    }
    for name, table in tables.items():
        pyarrow.parquet.write_table(table, f"{name}.parquet")


def printed(kind, code):
    """Run an example, and return what it prints."""
    text = StringIO()
    with redirect_stdout(text):
        if kind == "python":
            exec(code, {})
        else:
            for line in code.replace("\\\n", " ").splitlines():
                program, *arguments = shlex.split(line)
                assert program == "sqlrec"
                cli.main(arguments)
    return text.getvalue()


@mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_prints_what_is_shown(folder, number):
    # What a file of the page was written with comes first.
    for kind, code, _ in EXAMPLES[:number]:
        if kind == "sh":
            printed(kind, code)
    kind, code, shown = EXAMPLES[number]
    assert printed(kind, code) == shown


def test_every_example_is_run():
    assert len(EXAMPLES) == len(re.findall("^```(?:python|sh)$", PAGE, re.MULTILINE)) >= 3
