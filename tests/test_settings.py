"""Settings of DuckDB, and the progress and the interruption of long statements."""

import gc
import os
import pty
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from functools import partial
from pathlib import Path

import duckdb
import pyarrow.parquet
from pytest import fixture, mark, raises, warns

import sqlrec
from sqlrec.cli import main
from sqlrec.engines import base as engines
from sqlrec.engines import duckdb as duckdb_engine
from sqlrec.engines.connect import open_engine

from .dialects import slow
from .tables import lists, scored, wanted

RECS = lists({"ann": "ab", "bob": "ba"})
TRUTH = wanted({"ann": "a", "bob": "a"})

# A table that takes too long to be read to its end.
ENDLESS = "select n // 100 as user_id, n as item_id, hash(n) as score from range({}) as numbers(n)"

# Many rows in SQLite, which has no function for ranges.
COUNTED = """
    with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < 100000)
    select n / 100 as user_id, n as item_id, n % 7919 as score from numbers
"""


@fixture
def scratch(tmp_path, monkeypatch):
    """The folder for temporary files, empty."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return scratch


@fixture
def folder(tmp_path):
    pyarrow.parquet.write_table(RECS, tmp_path / "recs.parquet")
    pyarrow.parquet.write_table(TRUTH, tmp_path / "truth.parquet")
    with duckdb.connect(str(tmp_path / "shop.duckdb")) as connection:
        connection.execute(f"create view recs as {ENDLESS.format(10**10)}")
        connection.execute("create table truth as select 1 as user_id, 1 as item_id")
    return tmp_path


FILES = ("--recs", "recs.parquet", "--truth", "truth.parquet")
ENDLESSLY = ("--engine", "shop.duckdb", "--recs", "recs", "--truth", "truth")


@fixture
def start(folder):
    """Start programs, which end with the test."""
    started = []

    def start(*command, **streams):
        command = [sys.executable, *command]
        started.append(subprocess.Popen(command, cwd=folder, text=True, **streams))
        return started[-1]

    yield start
    for running in started:
        running.kill()
        running.wait()


def script(folder, text):
    (folder / "script.py").write_text(text)
    return "script.py"


def wait_for(running, seen):
    """Wait for a condition while a process runs."""
    while not (result := seen()):
        assert running.poll() is None
        time.sleep(0.02)
    return result


def current(engine, name):
    return engine.connection.execute("select current_setting(?)", [name]).fetchall()[0][0]


def test_settings_are_those_of_the_connection(tmp_path):
    arguments = {
        "THREADS": 1,
        "memory_limit": "1GB",
        "temp_directory": tmp_path,
        "TimeZone": "it's",
    }
    with raises(sqlrec.InputError, match=r"DuckDB rejects timezone: .*it's"):
        open_engine(None, arguments)
    engine = open_engine(None, arguments | {"TimeZone": "Asia/Tokyo"})
    assert current(engine, "threads") == 1
    assert current(engine, "memory_limit") == "953.6 MiB"
    assert current(engine, "temp_directory") == str(tmp_path)
    assert current(engine, "TimeZone") == "Asia/Tokyo"


@mark.parametrize(
    "call, more",
    [
        (sqlrec.evaluate, {}),
        (sqlrec.sql, {}),
        (sqlrec.explain, {}),
        (sqlrec.check, {}),
        (sqlrec.compare, {"baseline": "recs"}),
        (sqlrec.unsampled, {"catalog_size": 9, "candidates": 2}),
    ],
)
def test_each_function_takes_settings(folder, call, more):
    paths = {"recs": folder / "recs.parquet", "truth": folder / "truth.parquet"}
    with raises(sqlrec.InputError, match=r"can't be read: .*file system operations"):
        rule = "mrr@2 >= 0" if call is sqlrec.check else "mrr@2"
        call(rule, **paths, **more, settings={"enable_external_access": False})


@mark.parametrize(
    "settings, message",
    [
        ({"thread": 2}, 'rejects thread: .*unrecognized configuration parameter "thread"'),
        ({"threads": 0}, "rejects threads: .*at least 1 thread"),
        ({"memory_limit": "4 apples"}, "rejects memory_limit: .*Unknown unit .*'apples'"),
        ({"threads = 1; --": 2}, "unrecognized configuration parameter"),
        ({"threads\n": 2}, "has a line break"),
        ({"secret": {"token": "abc"}}, "rejects secret: .*must have a type"),
        (2, "settings=2: give a dict, as in {'threads': 2}"),
    ],
)
def test_a_setting_that_can_not_be_is_refused(settings, message):
    with raises(sqlrec.InputError, match=message):
        sqlrec.evaluate("mrr@2", recs="none", truth="none", settings=settings)


@mark.parametrize("address", ["s3://shop/recs.parquet", "https://shop.example/recs.csv"])
def test_an_address_that_can_not_be_read_has_its_cause(address, tmp_path):
    settings = {"extension_directory": tmp_path, "autoinstall_known_extensions": False}
    with raises(sqlrec.InputError, match=r'httpfs.*"INSTALL httpfs"$'):
        sqlrec.evaluate("mrr@2", recs=address, truth="none", settings=settings)


def test_a_connection_has_its_own_settings():
    with duckdb.connect() as connection, raises(sqlrec.InputError, match="give only one; settings"):
        sqlrec.evaluate("mrr@2", recs=RECS, engine=connection, settings={"threads": 2})
    with raises(sqlrec.InputError, match="give only one; settings"):
        sqlrec.sql("mrr@2", recs="r", truth="t", dialect="trino", settings={"threads": 2})


def test_unordered_rows_refuse_rules_of_order():
    inputs = {"recs": scored({"ann": {"a": 1, "b": 1}}), "truth": TRUTH}
    without = {"settings": {"preserve_insertion_order": False}}
    with raises(sqlrec.InputError, match="rows in duckdb without preserve_insertion_order have no"):
        sqlrec.evaluate("mrr@2", **inputs, **without, ties="first")
    by_rows = "row_number() over ()"
    assert by_rows in sqlrec.sql("mrr@2", **inputs, convention="ranx")
    with warns(UserWarning, match="rows in duckdb have no order"):
        assert by_rows not in sqlrec.sql("mrr@2", **inputs, **without, convention="ranx")


def test_spilled_rows_are_removed(scratch):
    engine = open_engine(None, {"memory_limit": "60MB", "threads": 2})
    (own,) = scratch.iterdir()
    engine.execute("create temp table spilled as select hash(n) as h from range(9_000_000) t(n)")
    assert own.stat().st_mode & 0o777 == 0o700
    assert list(own.glob("*.tmp"))
    del engine
    gc.collect()
    assert not list(scratch.glob("sqlrec-*"))


@mark.slow
def test_options_of_the_command_line_are_settings(folder, scratch, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    opened = []

    def connect(path=":memory:", settings=None, writes=False):
        opened.append((path, settings))
        return original(path, settings, writes)

    original = duckdb_engine.open_database
    monkeypatch.setattr(duckdb_engine, "open_database", connect)
    options = ("--threads", "1", "--memory-limit", "1GB", "--temp-directory", "own")
    settings = {"threads": 1, "memory_limit": "1GB", "temp_directory": "own"}
    for command in (
        ("evaluate", "mrr@2"),
        ("evaluate", "num_q", "--format", "trec"),
        ("compare", "mrr@2", "--baseline", "recs"),
        ("check", "mrr@2 >= 0"),
        ("explain", "mrr@2"),
        ("sql", "mrr@2"),
    ):
        main([*command, *FILES, *options])
        assert opened.pop() == (":memory:", settings) and not opened
    assert main(["sql", "mrr@2", *ENDLESSLY, *options]) == 0
    assert opened == [("shop.duckdb", settings)]
    assert not list(scratch.glob("sqlrec-*")) and not Path("own").exists()
    capsys.readouterr()
    for wrong, message in (
        (("--threads", "0"), "error: --threads: DuckDB rejects it: "),
        (("--engine", "spark", "--threads", "2"), "error: --threads: settings apply only to"),
        (("--engine", "postgresql://x", *options), "error: --threads, --memory-limit, --temp"),
    ):
        assert main(["evaluate", "mrr@2", *FILES, *wrong]) == 1
        assert capsys.readouterr().err.startswith(message)
    assert main(["sql", "mrr@2", *FILES, "--dialect", "trino", "--threads", "2"]) == 1
    assert "settings and --dialect trino: give only one" in capsys.readouterr().err


@mark.parametrize("progress", [True, False])
@mark.parametrize(
    ("connect", "rows"),
    [(duckdb.connect, ENDLESS.format(500_000)), (partial(sqlite3.connect, ":memory:"), COUNTED)],
    ids=["duckdb", "sqlite"],
)
def test_a_long_statement_prints_progress(monkeypatch, capsys, connect, rows, progress):
    monkeypatch.setattr(engines, "PATIENCE", 0.01)
    monkeypatch.setattr(engines, "PACE", 0.01)
    with closing(connect()) as connection:
        connection.execute(f"create view recs as {rows}")
        connection.execute("create table truth as select 1 as user_id, 1 as item_id")
        sqlrec.evaluate("mrr@2", recs="recs", truth="truth", engine=connection, progress=progress)
    said = capsys.readouterr().err
    if progress:
        assert "\rcomputing values  0 s\r" in said
        assert said.endswith("\r" + " " * len("computing values  0 s") + "\r")
    else:
        assert said == ""


def test_a_report_shows_its_steps(monkeypatch, capsys):
    monkeypatch.setattr(engines, "PATIENCE", 0.0)
    monkeypatch.setattr(engines, "PACE", 0.001)
    recs = {"als": RECS, "pop": lists({"ann": "ba", "bob": "ba"})}
    sqlrec.report("mrr@1", recs=recs, truth=TRUTH, baseline="pop", progress=True)
    steps = re.findall(r"\r\[(\d)/7\] ([^\r]*)  \d+ s", capsys.readouterr().err)
    assert steps[0] == ("1", "Metrics and differences") and steps == sorted(steps)


def test_explain_shows_its_steps(monkeypatch, capsys):
    monkeypatch.setattr(engines, "PATIENCE", 0.0)
    monkeypatch.setattr(engines, "PACE", 0.001)
    sqlrec.explain("mrr@1", recs=RECS, truth=TRUTH, value=0.123, progress=True)
    shown = capsys.readouterr().err
    steps = re.findall(r"\r([^\r]*(?:forms|libraries)[^\r]*)  \d+ s", shown)
    expected = ["mrr@1 as libraries compute it", "Other forms of mrr@1"]
    assert [*dict.fromkeys(steps)] == expected


@mark.slow
def test_a_terminal_shows_that_a_statement_runs(start):
    leader, follower = pty.openpty()
    running = start("-m", "sqlrec", "evaluate", "mrr@2", *ENDLESSLY, stderr=follower)
    os.close(follower)
    said = ""
    while "computing values  3 s" not in said:
        said += os.read(leader, 1000).decode()
    running.send_signal(signal.SIGINT)
    while not said.endswith("interrupted\r\n"):
        said += os.read(leader, 1000).decode()
    os.close(leader)
    assert running.wait(timeout=60) == 130
    # Slow machines skip seconds.
    assert re.match(r"\rcomputing values  [23] s", said)
    line = re.findall(r"computing values  \d+ s", said)[-1]
    assert said.endswith(f"\r{line}\r{' ' * len(line)}\rsqlrec: interrupted\r\n")


ALL_AT_ONCE = ("-o", "out.csv")
PER_USER = ("--table", "per-user", "-o", "out.parquet")


@mark.parametrize(
    "number, options",
    [
        (signal.SIGTERM, PER_USER),
        *slow((signal.SIGINT, ALL_AT_ONCE), (signal.SIGINT, PER_USER)),
        *slow((signal.SIGTERM, ALL_AT_ONCE)),
    ],
)
def test_an_interrupted_run_leaves_no_file(folder, start, scratch, number, options):
    output = folder / options[-1]
    output.write_text("was here")
    before = sorted(folder.iterdir())
    running = start(
        *("-m", "sqlrec", "evaluate", "mrr@2", *ENDLESSLY, *options),
        *("--threads", "2", "--memory-limit", "60MB"),
        stderr=subprocess.PIPE,
    )
    wait_for(running, lambda: list(scratch.rglob("*.tmp")))
    running.send_signal(number)
    _, said = running.communicate(timeout=60)
    assert (running.returncode, said) == (130, "sqlrec: interrupted\n")
    assert output.read_text() == "was here"
    assert sorted(folder.iterdir()) == before
    assert not list(scratch.glob("sqlrec-*"))


@mark.parametrize(
    "ending, before",
    [("csv", None), ("json", "was here"), ("md", "was here"), ("parquet", "was here")],
)
def test_a_half_written_output_is_removed(folder, command_line, monkeypatch, ending, before):
    """The signal comes after a part of the output is written."""

    def write(self, text, **options):
        self.write_bytes(text[:9].encode())
        raise KeyboardInterrupt

    output = folder / f"out.{ending}"
    if before:
        output.write_text(before)
    files = sorted(folder.iterdir())
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", write)
        patch.setattr(pyarrow.parquet, "write_table", lambda _, path: write(path, "PAR1 and"))
        command = ("evaluate", "mrr@2", *FILES, "-o", output.name)
        assert command_line(folder, *command) == (130, "", "sqlrec: interrupted\n")
    assert sorted(folder.iterdir()) == files
    assert not before or output.read_text() == before


# Per-user values are computed while they are written; the endless table interrupts this.
WRITING = f"""
import duckdb, sqlrec
connection = duckdb.connect(config={{"threads": 1}})
connection.execute("create view recs as {ENDLESS.format(100)}")
connection.execute("create table truth as select 0 as user_id, 1 as item_id")
result = sqlrec.evaluate("mrr@2", recs="recs", truth="truth", engine=connection)
connection.execute("create or replace view recs as {ENDLESS.format(10**10)}")
try:
    result.per_user().to_parquet("out.parquet")
except KeyboardInterrupt:
    print(connection.execute("select 42").fetchall())
"""


def test_the_connection_is_of_use_after_ctrl_c(folder, start):
    program = script(folder, WRITING)
    before = sorted(folder.iterdir())
    running = start(program, stdout=subprocess.PIPE)
    wait_for(running, lambda: sorted(folder.iterdir()) != before)
    running.send_signal(signal.SIGINT)
    said, _ = running.communicate(timeout=60)
    assert (running.returncode, said) == (0, "[(42,)]\n")
    assert sorted(folder.iterdir()) == before


def test_ctrl_c_works_before_a_statement_runs(folder, start):
    """A signal before DuckDB starts stops the statement that follows."""
    early = """
import os, signal, time
from sqlrec.engines.connect import open_engine
engine = open_engine(None, {"threads": 1})

def work():
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.5)
    engine.connection.execute("select count(*) from range(10_000_000_000_000) where range % 3 = 1")

try:
    engine._run(work)
except KeyboardInterrupt:
    print(engine.query("select 42 as n").to_pylist())
"""
    running = start(script(folder, early), stdout=subprocess.PIPE)
    said, _ = running.communicate(timeout=60)
    assert (running.returncode, said) == (0, "[{'n': 42}]\n")
