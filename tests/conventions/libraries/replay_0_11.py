"""RePlay 0.11.0, the last release of the older interface on Spark: its values.

Its inputs are those of RePlay 0.9, in replay_0_9.py. Of equal scores the earlier row comes first,
the order of Spark's rows in one partition; so no key is excluded.
"""

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

LIBRARY = "replay-rec"
REQUIREMENTS = """
    pyspark==3.5.7 pandas==2.3.3 numpy==1.26.4 scipy==1.17.1 psutil==7.2.2 setuptools==80.9.0
"""
NO_DEPS = ["replay-rec==0.11.0"]

if importlib.util.find_spec("replay") is None:
    _install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps"]
    subprocess.run([*_install, "--ignore-requires-python", *NO_DEPS], check=True)
    importlib.invalidate_caches()

_spec = importlib.util.spec_from_file_location("older", Path(__file__).with_name("replay_0_9.py"))
assert _spec and _spec.loader
_older: Any = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_older)
_older._defined = lambda metric, rows: list(_older.CUTOFFS)


def values(tables: dict[str, list[tuple[Any, ...]]]) -> dict[str, float]:
    """Return RePlay 0.11.0's values of a data set."""
    return _older.values(tables)
