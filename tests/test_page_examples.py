"""The examples of the pages on statistics, results, sessions and carousels have their output."""

import re
import shlex
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet
from pytest import fixture, mark

from sqlrec import cli

from .tables import lists, table, wanted

DOCS = Path(__file__).parent.parent / "docs"
SHOWN = re.compile(r"^```(python|sh)\n(.*?)^```\n\n^```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@fixture
def folder(tmp_path, monkeypatch):
    """Two rankings; in the second, every fifth user's list is reversed.

    People label every fourth user, and a judge, who misses two items, labels all.
    Users are of two countries.
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
        "countries": pa.table(
            {"user_id": users, "country": ["de" if n % 7 < 4 else "fr" for n in range(200)]}
        ),
        "labels": wanted({user: truth[user] for user in users[::4]}),
        "judged": wanted({user: {*items} - {"a", "b"} for user, items in truth.items()}),
        "users": known(recs, truth),
    }
    for name, rows in tables.items():
        pyarrow.parquet.write_table(rows, f"{name}.parquet")


def known(recs, truth):
    """Five times as many users, whose visits increase with their values."""
    random = Random(6)
    first = [len({*items[:6]} & {*truth[user]}) for user, items in recs.items()]
    visits = [2 * hits + random.randint(0, 2) for hits in [*first, *random.choices(first, k=800)]]
    users = [f"u{n}" for n in range(1000)]
    return table([*zip(users, visits, strict=True)], user_id=pa.string(), visits=pa.int64())


def printed(kind, code, names=None):
    """Run an example, Python with these names, and return its output."""
    text = StringIO()
    with redirect_stdout(text):
        if kind == "python":
            exec(code, {} if names is None else names)
        else:
            for line in code.replace("\\\n", " ").splitlines():
                program, *arguments = shlex.split(line)
                assert program == "sqlrec"
                cli.main(arguments)
    return text.getvalue()


def test_the_page_on_statistics_has_the_printed_output(folder):
    page = (DOCS / "statistics.md").read_text(encoding="utf-8")
    examples = SHOWN.findall(page)
    for kind, code, shown in examples:
        assert printed(kind, code) == shown, code
    assert len(examples) == len(re.findall("^```(?:python|sh)$", page, re.MULTILINE)) >= 3


@mark.slow
@mark.parametrize(("page", "count"), [("sessions", 8), ("carousels", 4)])
def test_pages_of_one_story_have_the_printed_output(page, count):
    text, names = (DOCS / f"{page}.md").read_text(encoding="utf-8"), {}
    examples = SHOWN.findall(text)
    assert len(examples) == count == text.count("```python")
    for kind, code, shown in examples:
        assert printed(kind, code, names) == shown


def test_the_page_on_results_has_the_printed_and_written_output(folder):
    text, names = (DOCS / "results.md").read_text(encoding="utf-8"), {}
    blocks = re.findall(
        r"^```python\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?", text, flags=re.MULTILINE | re.DOTALL
    )
    assert len(blocks) == 3
    for code, shown in blocks:
        assert printed("python", code, names) == shown
    table = Path("table.tex").read_text(encoding="utf-8")
    assert "Models and their baseline Popularity." in table and "\n\\textbf{Item-kNN} & " in table
    assert "\nPopularity (baseline) & " in table and "\\label{tab:accuracy}" in table
