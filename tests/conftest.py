"""Fixtures of all tests."""

import gc
import importlib.util
import os
import pty
import subprocess
import sys
import warnings
from contextlib import chdir, redirect_stdout
from functools import cache
from io import BytesIO, TextIOWrapper
from pathlib import Path

from pytest import MonkeyPatch, fixture, hookimpl

from sqlrec import cli
from sqlrec.catalogue.custom_metrics import unload_metrics
from sqlrec.engines import duckdb
from sqlrec.inputs import read
from sqlrec.paths import OWN
from sqlrec.plan import sources

from . import examples  # noqa: F401  The profiles of hypothesis.

# Workers of pytest-xdist keep more blocks of freed memory: DuckDB allocates many objects for each
# statement, and merging and splitting their blocks takes 4% of the CPU time of all tests.
os.environ.setdefault("GLIBC_TUNABLES", "glibc.malloc.tcache_count=2000")

# Folders and files of tests of inputs: lists in text, and unusual spellings of ids.
ABOUT_INPUTS = (
    *("adapters", "engines", "golden", "test_cli", "test_domains", "test_files", "test_files_page"),
    *("test_inputs", "test_inputs_given", "test_inputs_logs", "test_inputs_once"),
    *("test_inputs_read", "test_list_shapes", "test_other_inputs", "test_padding", "test_readme"),
    *("test_settings", "test_trec", "test_unread_columns"),
)


@hookimpl(wrapper=True)
def pytest_collection():
    """Collect tests without garbage collection, and freeze the objects of modules."""
    gc.disable()
    collected = yield
    gc.freeze()
    gc.enable()
    return collected


@fixture(scope="session", autouse=True)
def empty_folder(tmp_path_factory):
    """Run all tests in an empty folder: DuckDB prefers files of the current folder to tables."""
    before = Path.cwd()
    os.chdir(tmp_path_factory.mktemp("empty"))
    yield
    os.chdir(before)


@fixture(scope="session")
def update():
    """The script docs/update.py as a module, which renders the statement of a metric only once."""
    path = Path(__file__).parent.parent / "docs" / "update.py"
    spec = importlib.util.spec_from_file_location("update", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.example_statement = cache(module.example_statement)
    return module


@fixture(scope="session")
def open_duckdb():
    """Open a DuckDB that plans faster, since tables of tests are tiny.

    In large statements, finding common subqueries saves ten times the time that it takes.
    """
    with duckdb.open_database(settings={"threads": 1}) as connection:
        ((names,),) = connection.execute(
            "select string_agg(name) from duckdb_optimizers() "
            "where name not in ('join_order', 'materialized_cte', 'cte_inlining')"
        ).fetchall()
        connection.execute(f"set disabled_optimizers = '{names}'")
        yield connection


@fixture(scope="module", autouse=True)
def one_duckdb(request):
    """Share one DuckDB between calls without an engine, and run statements in the test's thread.

    Opening DuckDB takes as long as a small query, and starting a thread takes a tenth as long as a
    small evaluation. Tests of settings and of golden values open DuckDB as users do.
    """
    if request.path.stem in ("test_settings", "test_golden"):
        yield
        return
    connection = request.getfixturevalue("open_duckdb")
    connect, threaded = duckdb.open_database, duckdb.DuckDB._run

    def shared(path=":memory:", settings=None, writes=False):
        own = settings or path != ":memory:"
        return connect(path, settings, writes) if own else connection.cursor()

    def run(engine, work):
        return threaded(engine, work) if engine.progress_since is not None else work()

    with MonkeyPatch.context() as patch:
        patch.setattr(duckdb, "open_database", shared)
        patch.setattr(duckdb.DuckDB, "_run", run)
        yield


@fixture(scope="module", autouse=True)
def rows_of_single_items(request):
    """Skip the search for lists in text and unusual spellings of ids, except in tests of inputs.

    The search takes a third of the time of a small evaluation.
    """
    with MonkeyPatch.context() as patch:
        if not {request.path.stem, request.path.parent.name} & {*ABOUT_INPUTS}:
            patch.setattr(read, "needs_splitting", lambda *_, **__: False)
            patch.setattr(read, "split_text_lists", lambda *_, **__: None)
            patch.setattr(sources, "id_format_warnings", lambda *_: [])
        yield


@fixture(scope="module", autouse=True)
def little_garbage_collection(request):
    """Collect garbage rarely, since statements and their trees consist of many objects.

    This saves about 7% of the time in tests of values, and a third in tests of trees. Tests of
    engines collect garbage, because Spark releases objects with Python's garbage.
    """
    often = gc.get_threshold()
    if request.path.parent.name != "engines":
        gc.set_threshold(50_000, 20, 20)
    yield
    gc.set_threshold(*often)


@fixture(autouse=True)
def metrics_of_sqlrec_alone():
    """Remove custom metrics after each test, so that later tests of the process do not see them."""
    yield
    if OWN:
        unload_metrics()


@fixture(scope="session")
def demo(tmp_path_factory):
    """A folder in which the demo ran, and its output."""
    folder = tmp_path_factory.mktemp("a folder")
    out = TextIOWrapper(BytesIO(), encoding="utf-8")
    with chdir(folder), redirect_stdout(out):
        assert cli.main(["demo"]) == 0
    out.seek(0)
    return folder, out.read()


@fixture
def command_line(capsys, monkeypatch):
    """The command line in this process, which takes a tenth of the time of a new process.

    The function returns the exit code and the texts on stdout and stderr.
    """

    def run(folder, *arguments):
        monkeypatch.chdir(folder)
        capsys.readouterr()
        with warnings.catch_warnings():
            # As in a program, not as in tests.
            warnings.simplefilter("always")
            try:
                code = cli.main(arguments)
            except SystemExit as ended:
                code = ended.code
        return code, *capsys.readouterr()

    return run


@fixture
def terminal():
    """The program in a terminal. The function returns the exit code and the output."""

    def run(folder, *arguments):
        leader, follower = pty.openpty()
        command = [sys.executable, "-m", "sqlrec", *arguments]
        done = subprocess.run(command, cwd=folder, stdout=follower, stderr=follower)
        os.close(follower)
        output = os.read(leader, 100_000).decode()
        os.close(leader)
        return done.returncode, output

    return run


@fixture
def run(folder, command_line):
    """The command line in a folder that all tests of a file share.

    The function checks the exit code, and returns the text on stdout, or after an error on stderr.
    """

    def run(*arguments, code=0):
        result, out, err = command_line(folder, *arguments)
        assert result == code, err
        return err if code in (1, 2) else out

    return run
