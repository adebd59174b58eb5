"""What people install: the wheel, built as a release is."""

import subprocess
import sys
import zipfile
from pathlib import Path

from pytest import mark


@mark.slow
def test_the_wheel_has_what_runs_and_no_more(tmp_path):
    root = Path(__file__).parents[1]
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(tmp_path)]
    subprocess.run([*command, str(root)], check=True, capture_output=True, timeout=300)
    (wheel,) = tmp_path.glob("sqlrec-*.whl")
    assert wheel.stat().st_size < 1_000_000
    names = zipfile.ZipFile(wheel).namelist()
    assert {"sqlrec/py.typed", "sqlrec/m.pyi", "sqlrec/sql/metrics/ndcg.sql"} <= {*names}
    folders = {part for name in names for part in name.split("/")[:-1]}
    assert not folders & {"tests", "snippets", "examples", "docs", "benchmarks", "__pycache__"}
