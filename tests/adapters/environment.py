"""The environment of real libraries: ``python tests/adapters/environment.py`` makes it."""

import subprocess
import venv
from pathlib import Path

FOLDER = Path(__file__).parents[2] / ".venv-libraries" / "adapters"
PYTHON = FOLDER / "bin" / "python"
# In the order in which pip takes them.
REQUIREMENTS = (
    ("rectools==0.19.0", "ranx", "scikit-surprise", "duckdb", "jinja2", "pyarrow"),
    ("--no-deps", "recommenders==1.2.1"),
    ("replay-rec",),
)


def make():
    """Make it where it is not yet."""
    if PYTHON.exists():
        return
    venv.create(FOLDER, with_pip=True)
    # What is imported is compiled then; all that comes along would take far longer.
    pip = [PYTHON, "-m", "pip", "install", "-q", "--no-compile"]
    for wanted in REQUIREMENTS:
        subprocess.run([*pip, *wanted], check=True)


if __name__ == "__main__":
    make()
