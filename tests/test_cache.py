"""Compiled templates in a cache folder."""

import os
import stat
import subprocess
import sys

from pytest import fixture, mark

ASK = "import sqlrec; print(sqlrec.sql('ndcg@10', dialect='duckdb', recs='recs', truth='truth'))"


@fixture
def folder(tmp_path):
    return tmp_path / "cache" / "sqlrec"


@fixture
def ask(folder):
    """Print a statement in a separate process with a cache folder."""

    def ask(**others):
        inputs = {"XDG_CACHE_HOME": str(folder.parent), **others}
        options = {"capture_output": True, "text": True}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", ASK], env={**os.environ, **inputs}, **options
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return ask


pytestmark = [
    mark.slow,
    mark.skipif(sys.platform != "linux", reason="other systems have other folders"),
]


def test_compiled_templates_are_kept_where_only_their_user_can_write(ask, folder):
    ask()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    kept = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert kept
    ask()
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == kept


@mark.parametrize("size", [0, 2, 10, 100, 1000])
def test_a_damaged_entry_is_replaced(ask, folder, size):
    statement = ask()
    paths = list(folder.iterdir())
    for path in paths:
        path.write_bytes(path.read_bytes()[:size])
    assert ask() == statement
    assert all(len(path.read_bytes()) > 1000 for path in paths)


def test_a_link_is_not_used(ask, folder, tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir(mode=0o755)
    folder.parent.mkdir()
    folder.symlink_to(mine)
    ask()
    assert stat.S_IMODE(mine.stat().st_mode) == 0o755 and not list(mine.iterdir())


def test_a_folder_that_others_can_write_to_is_not_used(ask, folder):
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    ask()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o777 and not list(folder.iterdir())


@mark.parametrize("home", ["/dev/null", "/proc", "relative"])
def test_templates_compile_without_a_cache(ask, home, tmp_path):
    assert ask(XDG_CACHE_HOME=home, HOME=home if home != "relative" else str(tmp_path))
