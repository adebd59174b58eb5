"""The environment with real libraries, which ``python tests/adapters/environment.py`` creates."""

import subprocess
import venv
from pathlib import Path

FOLDER = Path(__file__).parents[2] / ".venv-libraries" / "adapters"
PYTHON = FOLDER / "bin" / "python"
# In the order of installation.
REQUIREMENTS = (
    ("rectools==0.19.0", "ranx", "scikit-surprise", "duckdb", "jinja2", "pyarrow"),
    ("--no-deps", "recommenders==1.2.1"),
    ("replay-rec",),
)


def make():
    """Create the environment if it does not exist."""
    if PYTHON.exists():
        return
    venv.create(FOLDER, with_pip=True)
    # Modules are compiled when they are imported; compiling all of them takes far longer.
    pip = [PYTHON, "-m", "pip", "install", "-q", "--no-compile"]
    for wanted in REQUIREMENTS:
        subprocess.run([*pip, *wanted], check=True)


if __name__ == "__main__":
    make()
