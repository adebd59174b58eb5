"""The page of other tools: all blocks can be read, and run with the libraries that are light."""

import ast
import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import duckdb
import pyarrow.parquet
from pytest import fixture, mark

import sqlrec

from .plots.data import inputs

PAGE = Path(__file__).parents[1] / "docs" / "integrations.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
# What is small enough to be installed for a test; the others were run by hand.
LIGHT = ("mlflow-skinny", "optuna", "tensorboardX")


@fixture
def folder(tmp_path):
    tables = inputs()
    recs = tables["recs"]
    for model in ("als", "pop"):
        those = pyarrow.array([one == model for one in recs["model"].to_pylist()])
        pyarrow.parquet.write_table(recs.filter(those), tmp_path / f"{model}.parquet")
    pyarrow.parquet.write_table(tables["truth"], tmp_path / "truth.parquet")
    return tmp_path


def named(library):
    (block,) = (one for one in BLOCKS if re.search(rf"^(import|from) {library}\b", one, re.M))
    return block


def test_every_block_can_be_read_and_asks_for_what_there_is():
    assert len(BLOCKS) == 11
    for block in BLOCKS:
        tree = ast.parse(block)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "sqlrec":
                assert node.attr in sqlrec.__all__


def test_a_check_is_a_table_for_tools_that_look_at_tables(folder, monkeypatch):
    monkeypatch.chdir(folder)
    names = {}
    exec(named("duckdb"), names)
    with names["duckdb"].connect("shop.duckdb") as connection:
        results = connection.sql("select distinct result from metric_checks").fetchall()
    assert results == [("pass",)]


@mark.weekly
def test_blocks_run_with_the_real_libraries(folder):
    packages = folder / "packages"
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-compile"]
    command = [*pip, "--target", str(packages), *LIGHT]
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    stored = {"MLFLOW_TRACKING_URI": "runs", "MLFLOW_ALLOW_FILE_STORE": "true"}
    told = {}
    for library in ("mlflow", "optuna", "tensorboardX"):
        done = subprocess.run(
            [sys.executable, "-c", named(library)],
            cwd=folder,
            env=os.environ | stored | {"PYTHONPATH": str(packages)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        told[library] = done.stdout
    assert "{'lists': '" in told["optuna"]
    metrics = {path.name for path in folder.glob("runs/*/*/metrics/*")}
    named_so = ("ndcg_at_5", "ndcg_at_10", "recall_at_10")
    assert metrics == {f"{one}{end}" for one in named_so for end in ("", "_low", "_high")}
    assert [*folder.glob("runs/als/events.out.tfevents.*")]
    assert [*folder.glob("**/artifacts/per_user.parquet")]


MESH = {
    "config.yaml": """
gateways: {local: {connection: {type: duckdb, database: evaluations.duckdb}}}
model_defaults: {dialect: duckdb, start: 2026-01-01}
disable_anonymized_analytics: true
""",
    "models/recs.sql": """
MODEL (name shop.recs, kind FULL);
SELECT * FROM 'als.parquet' UNION ALL SELECT * FROM 'pop.parquet'
""",
    "models/truth.sql": "MODEL (name shop.truth, kind FULL); SELECT * FROM 'truth.parquet'",
    "models/evaluation.sql": """
MODEL (name shop.evaluation, kind FULL);
@sqlrec('ndcg@10 mrr@5', shop.recs, shop.truth, columns := ('model=model', 'rank=rank'))
""",
    "run.py": """
from sqlmesh import Context

context = Context(paths=".")
context.plan(auto_apply=True, no_prompts=True)
context.load()
(model,) = (one for one in context.models.values() if one.name == "shop.evaluation")
assert {name.split(".")[-1] for name in model.depends_on} == {'"recs"', '"truth"'}
""",
}


@mark.weekly
def test_a_model_of_sqlmesh_has_the_values_of_python(folder):
    environment = Path(__file__).parents[1] / ".venv-libraries" / "sqlmesh"
    python = environment / "bin" / "python"
    if not python.exists():
        # SQLMesh needs older releases of DuckDB and sqlglot.
        venv.create(environment, with_pip=True)
        pip = [python, "-m", "pip", "install", "-q", "--no-compile"]
        subprocess.run([*pip, "sqlmesh", "pyarrow"], check=True, timeout=600)
    for name, text in MESH.items() | {("macros/metrics.py", named("sqlmesh"))}:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "macros" / "__init__.py").touch()
    paths = {"PYTHONPATH": str(Path(__file__).parents[1])}
    command = [python, "run.py"]
    done = subprocess.run(
        command, cwd=folder, env=os.environ | paths, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    models = {name: str(folder / f"{name}.parquet") for name in ("als", "pop")}
    truth = str(folder / "truth.parquet")
    result = sqlrec.evaluate("ndcg@10 mrr@5", recs=models, truth=truth, interval=None)
    with duckdb.connect(str(folder / "evaluations.duckdb")) as connection:
        rows = connection.execute("select model, metric, value from shop.evaluation").fetchall()
    assert len(rows) == 4
    for model, metric, value in rows:
        (expected,) = (
            row["value"]
            for row in result.to_arrow().to_pylist()
            if (row["model"], row["metric"]) == (model, metric)
        )
        assert abs(value - expected) < 1e-12
