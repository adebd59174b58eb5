"""dbt in a process of its own, which starts with dbt imported: to import it takes seconds."""

import gc
import multiprocessing
import os
from pathlib import Path


def run(folder, arguments, variables):
    """Run dbt in a folder, and return its exit code, and what it said."""
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(["dbt.cli.main"])
    said = Path(folder, "said.txt")
    process = server.Process(target=_program, args=(folder, arguments, variables, said))
    process.start()
    process.join()
    return process.exitcode, said.read_text(encoding="utf-8")


def _program(folder, arguments, variables, said):
    from dbt.cli.main import cli

    # Objects of parsed projects stay: to look for garbage among them takes time for nothing.
    gc.disable()
    os.chdir(folder)
    for name in [name for name in os.environ if name[:4] == "DBT_"]:
        del os.environ[name]
    os.environ |= variables
    written = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(written, 1)
    os.dup2(written, 2)
    cli(["--no-use-colors", *arguments])
