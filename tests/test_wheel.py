"""The wheel and the source distribution, built and checked as for a release."""

import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

from pytest import mark

import sqlrec

from .packages import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def run(*command):
    done = subprocess.run(
        [sys.executable, "-m", *map(str, command)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@mark.weekly
def test_a_release_has_the_package_and_no_other_file(tmp_path):
    run("build", "--outdir", tmp_path, ROOT)
    (wheel,) = tmp_path.glob("sqlrec-*.whl")
    (source,) = tmp_path.glob("sqlrec-*.tar.gz")
    assert run("twine", "check", "--strict", wheel, source).count("PASSED") == 2
    assert wheel.stat().st_size < 1_500_000
    with zipfile.ZipFile(wheel) as opened:
        names = opened.namelist()
        (message,) = (name for name in names if name.endswith("entry_points.txt"))
        assert "[pytest11]\nsqlrec = sqlrec.testing" in opened.read(message).decode()
    assert {
        "sqlrec/py.typed",
        "sqlrec/functions.pyi",
        "sqlrec/__init__.pyi",
        "sqlrec/sql/metrics/ndcg.sql",
    } <= {*names}
    assert {"sqlrec/cli/demo/recs.parquet", "sqlrec/cli/demo/LICENSE"} <= {*names}
    folders = {part for name in names for part in name.split("/")[:-1]}
    assert not folders & {"tests", "snippets", "examples", "docs", "benchmarks", "__pycache__"}
    with tarfile.open(source) as packed:
        files = {name.partition("/")[2] for name in packed.getnames()}
    assert {"sql/metrics/ndcg.sql", "tests/test_wheel.py", "LICENSE"} <= files
    # The packages of an installation, as declared by the release.
    installed = tmp_path / "installed"
    run("venv", "--without-pip", installed)
    run("pip", "--python", installed, "install", "-q", wheel)
    listed = json.loads(run("cyclonedx_py", "environment", installed, "--of", "JSON"))
    names = {one["name"].lower() for one in listed["components"]}
    assert names == {"sqlrec", "duckdb", "jinja2", "markupsafe", "pyarrow"}


def test_the_recipe_for_conda_and_the_version_are_those_of_the_package():
    recipe = yaml.safe_load((ROOT / "conda" / "recipe.yaml").read_text(encoding="utf-8"))
    needed = [re.sub(r"\W+", "", one) for one in recipe["requirements"]["run"]]
    ours = [f"python{PROJECT['requires-python']}", *PROJECT["dependencies"]]
    # On conda-forge, the name duckdb is that of the program.
    assert needed == [re.sub(r"\W+", "", one.replace("duckdb", "python-duckdb")) for one in ours]
    assert recipe["context"]["version"] == PROJECT["version"] == sqlrec.__version__
    for name in ("sql/dbt_project.yml", "CITATION.cff"):
        release = yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))
        assert release["version"] == PROJECT["version"]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(PROJECT['version'])} - ", changes, re.MULTILINE)
