"""Environments with packages that tests do not import, such as packages of other engines."""

import os
import subprocess
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]


def python_with(name, *packages):
    """Return the Python of an environment with the packages of sqlrec and others, created once."""
    environment = ROOT / ".venv-libraries" / name
    python = environment / "bin" / "python"
    if not python.exists():
        venv.create(environment, with_pip=True)
        pip = [python, "-m", "pip", "install", "-q", "--no-compile"]
        subprocess.run([*pip, "duckdb", "jinja2", "pyarrow", *packages], check=True, timeout=1800)
    return python


def run(command, folder, **variables):
    """Run a program that can import sqlrec; return its lines of output."""
    variables = os.environ | variables | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip().splitlines()
