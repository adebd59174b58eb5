"""The action of GitHub: its steps, run by bash as a runner does."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet
from pytest import mark

from .tables import lists, wanted

ACTION = Path(__file__).parents[1] / "action.yml"


def run(name, folder, **inputs):
    """Run a step with inputs as a runner writes them into its variables."""
    import yaml  # Which tests of values do without.

    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    (step,) = (one for one in action["runs"]["steps"] if one["name"] == name)
    given = {key: one.get("default") for key, one in action["inputs"].items()} | inputs
    words = {
        key: re.sub(r"\${{ inputs\.(\w+) }}", lambda found: given[found[1]], text)
        for key, text in step["env"].items()
    }
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    around = {"PATH": path, "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(
        command, cwd=folder, env=os.environ | around | words, capture_output=True, text=True
    )


@mark.slow
def test_the_summary_has_the_report_and_a_check_that_fails_ends_the_job(tmp_path):
    pyarrow.parquet.write_table(lists({"ann": "abc", "bob": "bac"}), tmp_path / "my recs.parquet")
    pyarrow.parquet.write_table(wanted({"ann": "a", "bob": "a"}), tmp_path / "truth.parquet")
    asked = "mrr@3 --recs 'my recs.parquet' --truth truth.parquet"
    done = run("report", tmp_path, arguments=asked, report="--no-libraries")
    assert (done.stderr, done.returncode) == ("", 0)
    assert "## Verdict" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert run("check", tmp_path, arguments=asked, check="--min mrr@3=0.7").returncode == 0
    assert run("check", tmp_path, arguments=asked, check="--min mrr@3=0.8").returncode == 3
    harmful = run("check", tmp_path, arguments=asked, check="--min mrr@3=0 ; touch made")
    assert harmful.returncode and not (tmp_path / "made").exists()
