"""dbt in a process that is started with dbt imported, because the import takes seconds."""

import gc
import multiprocessing
import os
from pathlib import Path


def run(folder, arguments, variables):
    """Run dbt in a folder; return its exit code and output."""
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload(["dbt.cli.main"])
    said = Path(folder, "said.txt")
    process = server.Process(target=_program, args=(folder, arguments, variables, said))
    process.start()
    process.join()
    return process.exitcode, said.read_text(encoding="utf-8")


def _program(folder, arguments, variables, said):
    from dbt.cli.main import cli

    # Parsed projects are kept, so garbage collection among their objects is useless.
    gc.disable()
    os.chdir(folder)
    for name in [name for name in os.environ if name[:4] == "DBT_"]:
        del os.environ[name]
    os.environ |= variables
    written = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(written, 1)
    os.dup2(written, 2)
    cli(["--no-use-colors", *arguments])
