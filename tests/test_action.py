"""The GitHub action: its steps, run by bash as on a runner."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet
from pytest import mark

from .packages import yaml
from .tables import lists, wanted

GITHUB = {"github.action_path": ".", "github.repository": "a/b", "github.event.number": "7"}

# A stub of GitHub: a file contains the comments, and each comment has its own file.
GH = """#!/usr/bin/env python
import pathlib, re, sys

here, words = pathlib.Path(__file__).parent, sys.argv[1:]
if "--jq" in words:
    assert words[:3] == ["api", "--paginate", "repos/a/b/issues/7/comments"], words
    (first,) = re.findall(r'select.[.]body . startswith[(]"(.*)"[)]. . [.]url$', words[-1])
    for path in sorted(here.glob("*.comment")):
        if path.read_text().startswith(first):
            print(path)
    sys.exit()
silent, method, verb, to, field, body = words[1:]
text = pathlib.Path(body.removeprefix("body=@")).read_text()
number = len(list(here.glob("*.comment")))
path = here / f"{number}.comment" if verb == "POST" else pathlib.Path(to)
path.write_text(text)
"""

ACTION = Path(__file__).parents[1] / "action.yml"


def run(name, folder, **inputs):
    """Run a step with inputs in variables, as a runner does."""
    action = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
    (step,) = (one for one in action["runs"]["steps"] if one["name"] == name)
    options = {key: one.get("default") for key, one in action["inputs"].items()} | inputs
    known = {f"inputs.{key}": value for key, value in options.items()} | GITHUB
    words = {
        key: re.sub(r"\${{ ([\w.]+) }}", lambda result: known[result[1]], text)
        for key, text in step["env"].items()
    }
    path = os.pathsep.join([str(folder), str(Path(sys.executable).parent), os.environ["PATH"]])
    around = {"PATH": path, "RUNNER_TEMP": str(folder)}
    around["GITHUB_STEP_SUMMARY"] = str(folder / "summary.md")
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(
        command, cwd=folder, env=os.environ | around | words, capture_output=True, text=True
    )


@mark.slow
def test_the_summary_has_the_report_and_a_check_that_fails_ends_the_job(tmp_path):
    pyarrow.parquet.write_table(lists({"ann": "abc", "bob": "bac"}), tmp_path / "my recs.parquet")
    pyarrow.parquet.write_table(wanted({"ann": "a", "bob": "a"}), tmp_path / "truth.parquet")
    requests = "--recs 'my recs.parquet' --truth truth.parquet"
    done = run("report", tmp_path, arguments=requests, report="mrr@3 --title Nightly")
    assert (done.stderr, done.returncode) == ("", 0)
    assert "## Verdict" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert run("check", tmp_path, arguments=requests, check="'mrr@3 >= 0.7'").returncode == 0
    assert run("check", tmp_path, arguments=requests, check="mrr@3>=0.8").returncode == 3
    gh = tmp_path / "gh"
    gh.write_text(GH)
    gh.chmod(0o755)
    other = tmp_path / "0.comment"
    other.write_text("well done")
    for wanted_runs, name in ((2, "sqlrec"), (2, "sqlrec"), (3, "nightly")):
        assert run("comment", tmp_path, comment=name, token="x").returncode == 0
        comments = sorted(tmp_path.glob("*.comment"))
        assert len(comments) == wanted_runs and other.read_text() == "well done"
        assert "## Verdict" in comments[-1].read_text()
    assert comments[1].read_text().startswith("<!-- sqlrec -->\n")
    gh.write_text("#!/bin/sh\nexit 1")
    refused = run("comment", tmp_path, comment="sqlrec", token="x")
    assert refused.returncode == 0 and "::warning::no comment" in refused.stdout
    harmful = run("check", tmp_path, arguments=requests, check="mrr@3>=0 ; touch made")
    assert harmful.returncode and not (tmp_path / "made").exists()
