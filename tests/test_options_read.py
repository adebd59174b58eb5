"""Each option of each command reaches Python or the output, or is refused by its name."""

import contextlib
import functools
import io
import shutil

import pyarrow as pa
import pyarrow.parquet
from pytest import fixture, mark

import sqlrec
from sqlrec import cli
from sqlrec.analyses import interleaved
from sqlrec.cli import program
from sqlrec.cli.arguments import parser
from sqlrec.engines import connect

from .tables import lists, wanted

INPUTS = ("--recs", "als=als.parquet", "--recs", "pop=pop.parquet", "--truth", "truth.parquet")

# Calls of each command that computes.
CALLS = (
    ("evaluate", "mrr@2", *INPUTS),
    ("compare", "mrr@2", *INPUTS, "--baseline", "pop"),
    ("check", "mrr@2 >= pop", *INPUTS),
    ("explain", "mrr@2", *INPUTS),
    ("sql", "mrr@2", *INPUTS),
    ("plot", "curve", "mrr@1,2", *INPUTS),
    ("plot", "curve", "--from", "result.parquet"),
    ("report", "mrr@2", *INPUTS, "-o", "out.md"),
    ("report", "--from", "result.parquet", "-o", "out.md"),
    ("power", "mrr@2", *INPUTS),
    ("power", "--from", "result.parquet"),
    ("unsampled", "mrr@2", *INPUTS, "--catalog-size", "50", "--candidates", "2"),
    ("interleaved", "clicks.parquet"),
)

# Values that differ from the defaults; other options have the last choice, a number or a text.
VALUES = {"--color": "always", "--level": "0.9", "--power": "0.9", "--ranks": "", "--sides": "1"}


class Called(Exception):
    """A call of Python with other arguments than before."""


@fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("options")
    users = [f"u{number}" for number in range(8)]
    models = {
        "als": lists(dict.fromkeys(users, "ab")),
        "pop": lists({user: "ba" if user > "u2" else "ab" for user in users}),
    }
    tables = models | {"truth": wanted(dict.fromkeys(users, "a"))}
    result = sqlrec.evaluate("mrr@1,2", recs=models, truth=tables["truth"])
    shown = {"impression_id": [1, 1, 2, 2], "model": ["als", "pop"] * 2, "click": [1, 0, 0, 0]}
    tables |= {"clicks": pa.table(shown), "result": result.to_arrow()}
    for name, table in tables.items():
        pyarrow.parquet.write_table(table, path / f"{name}.parquet")
    return path


@fixture(scope="module")
def answers():
    """The answers of Python by the name and the arguments of a function."""
    return {}


@fixture
def run(folder, answers, monkeypatch):
    """Run a command; Python computes the first call of each function, and rejects others."""
    inputs = []

    def answer_once(function, name):
        @functools.wraps(function)
        def call(*args, **options):
            given = {x: value for x, value in options.items() if x not in ("command", "engine")}
            key = repr((inputs[-1:], given))
            if answers.setdefault(name, (key, None))[0] != key:
                raise Called
            if answers[name][1] is None:
                answers[name] = key, function(*args, **options)
            return answers[name][1]

        return call

    def record(self, **options):
        inputs.append({x: str(value) for x, value in options.items() if x != "progress"})
        opened(self, **options)

    def refuse(*_):
        raise Called

    opened = sqlrec.Dataset.__init__
    monkeypatch.setattr(sqlrec.Dataset, "__init__", record)
    for name in {words[0] for words in CALLS} - {"interleaved"}:
        method = getattr(sqlrec.Dataset, name)
        monkeypatch.setattr(sqlrec.Dataset, name, answer_once(method, name))
    only = answer_once(interleaved.interleaved, "interleaved")
    monkeypatch.setattr(interleaved, "interleaved", only)
    monkeypatch.setattr(connect, "open_connection", refuse)
    monkeypatch.setenv("COLUMNS", "24")

    def run(*words):
        work = folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        for path in folder.glob("*.parquet"):
            shutil.copyfile(path, work / path.name)
        monkeypatch.chdir(work)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                code = cli.main(words)
            except Called:
                return None
        written = {path.name: path.read_text() for path in work.glob("out*")}
        return code, out.getvalue(), err.getvalue(), written

    return run


def flags_of(command):
    """Yield the words of each option of a command, with a value that is not the default."""
    subparsers = parser(program.COMMANDS)._subparsers._group_actions[0]
    for action in subparsers.choices[command]._actions:
        if not action.option_strings or action.option_strings[-1] in ("-h", "--help"):
            continue
        flag = action.option_strings[-1]
        if action.nargs == 0:
            yield (flag,)
            continue
        values = {int: "6", float: "0.5"}
        value = (
            VALUES.get(flag) or ([*(action.choices or ())] or [values.get(action.type, "x=y")])[-1]
        )
        yield flag, str(value)


@mark.slow
@mark.parametrize("words", CALLS, ids=lambda words: f"{words[0]} {words[1]}")
def test_no_option_of_a_command_is_ignored(run, words):
    before = run(*words)
    assert before is not None and before[0] == 0, before
    ignored = []
    for option in flags_of(words[0]):
        after = run(*words, *option)
        named = (option[0].removeprefix("--no-"), option[-1])
        # An error or a warning names the option, or its value.
        if after is not None and (
            after == before or (after[0] and not any(word in after[2] for word in named))
        ):
            ignored.append((*option, after[2]))
    # No row of these small tables is hidden without --all.
    assert [text for text in ignored if text[0] not in (*words, "--all")] == []
