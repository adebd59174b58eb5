"""The page of other tools: all blocks parse, and run with the small libraries."""

import ast
import json
import os
import re
import sqlite3
import subprocess
import sys
from types import SimpleNamespace

import duckdb
import pyarrow.parquet
from pytest import fixture, mark, raises

import sqlrec
from sqlrec.sqlmesh import statement

from .environments import ROOT, python_with, run
from .packages import exp, pandas, sqlglot
from .plots.data import inputs

PAGE = ROOT / "docs" / "integrations.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
# Packages that are small enough to install in a test; the others were run by hand.
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


def test_every_block_parses_and_requests_existing_metrics():
    assert len(BLOCKS) == 12
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
    outputs = {}
    for library in ("mlflow", "optuna", "tensorboardX"):
        done = subprocess.run(
            [sys.executable, "-c", named(library)],
            cwd=folder,
            env=os.environ | stored | {"PYTHONPATH": str(packages)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        outputs[library] = done.stdout
    assert "{'lists': '" in outputs["optuna"]
    metrics = {path.name for path in folder.glob("runs/*/*/metrics/*")}
    named_so = ("ndcg_at_5", "ndcg_at_10", "recall_at_10")
    assert metrics == {f"{one}{end}" for one in named_so for end in ("", "_low", "_high")}
    assert [*folder.glob("runs/als/events.out.tfevents.*")]
    assert [*folder.glob("**/artifacts/per_user.parquet")]


def values(folder, recs="als.parquet"):
    result = sqlrec.evaluate(
        "ndcg@5,10 recall@10", recs=folder / recs, truth=folder / "truth.parquet"
    )
    return result.to_dict()


DAGSTER = """
import json

import block
import duckdb
from sqlrec.dagster import evaluation_asset

stored = evaluation_asset(
    "stored",
    "ndcg@10",
    table="evaluations",
    recs="als.parquet",
    truth="truth.parquet",
    engine=lambda context: duckdb.connect("shop.duckdb"),
)
checks = [block.recommendations, block.evaluation, block.good_enough, stored]
runs = [block.dagster.materialize(checks) for _ in range(2)]
(event,) = runs[0].asset_materializations_for_node("evaluation")
(check,) = runs[0].get_asset_check_evaluations()
rows = duckdb.connect("shop.duckdb").sql("select run_id, value from evaluations").fetchall()
assert [run for run, value in rows] == [run.run_id for run in runs]
metadata = {name: entry.value for name, entry in event.metadata.items()}
print(json.dumps([metadata, check.passed, rows[0][1]]))
"""


@mark.weekly
def test_an_asset_of_dagster_has_the_values_as_metadata(folder):
    (folder / "block.py").write_text(named("dagster"), encoding="utf-8")
    *_, line = run([python_with("dagster", "dagster"), "-c", DAGSTER], folder)
    metadata, passed, stored = json.loads(line)
    assert metadata.pop("result").startswith("| model | ndcg@5")
    assert (metadata, passed) == (values(folder), True)
    assert stored == metadata["ndcg_at_10"]


AIRFLOW = """
DATABASE = {"recs": "recs", "truth": "truth", "engine": "sqlite:///shop.db"}


@dag(schedule=None)
def stored():
    rows = EvaluationOperator(
        task_id="rows", metrics="ndcg@10", options=DATABASE, table="evaluations"
    )
    rows >> CheckOperator(task_id="high", checks="ndcg@10 >= 0.9", options=DATABASE, retries=2)


database = stored()
if __name__ == "__main__":
    import json

    runs = shop.test(run_conf={"folder": "."}), database.test()
    states = {task.task_id: str(task.state) for run in runs for task in run.get_task_instances()}
    values = runs[0].get_task_instance("values").xcom_pull(task_ids="values")
    print(json.dumps([states, values, runs[1].run_id]))
"""


@mark.weekly
def test_operators_of_airflow_return_values_append_rows_and_fail_by_checks(folder):
    path = folder / "airflow" / "dags" / "shop.py"
    path.parent.mkdir(parents=True)
    path.write_text(named("airflow") + AIRFLOW, encoding="utf-8")
    with sqlite3.connect(folder / "shop.db") as database:
        for table, file in {"recs": "als", "truth": "truth"}.items():
            pandas.read_parquet(folder / f"{file}.parquet").to_sql(table, database)
    python, home = (
        python_with("apache-airflow", "apache-airflow"),
        {"AIRFLOW_HOME": str(folder / "airflow")},
    )
    run([python, "-m", "airflow", "db", "migrate"], folder, **home)
    *_, line = run([python, path], folder, **home)
    states, numbers, run_id = json.loads(line)
    # A retry would leave the state up_for_retry.
    assert states == {"values": "success", "check": "success", "rows": "success", "high": "failed"}
    assert numbers == values(folder)
    stored = database.execute("select run_id, value from evaluations").fetchall()
    assert stored == [(run_id, numbers["ndcg_at_10"])]


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


@mark.parametrize("columns", ["'user_id'", "('item_id=item', 'user_id')", "7"])
def test_columns_of_sqlmesh_are_pairs(columns):
    recs, truth, options = map(sqlglot.parse_one, ("shop.recs", "shop.truth", columns))
    evaluator = SimpleNamespace(dialect="duckdb")
    with raises(sqlrec.InputError, match="write 'NAME=COLUMN', as in 'user_id=uid'"):
        statement(evaluator, exp.Literal.string("mrr@5"), recs, truth, columns=options)


@mark.weekly
def test_a_model_of_sqlmesh_has_the_values_of_python(folder):
    # SQLMesh needs older releases of DuckDB and sqlglot.
    python = python_with("sqlmesh", "sqlmesh")
    for name, text in MESH.items() | {("macros/metrics.py", named("sqlmesh"))}:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "macros" / "__init__.py").touch()
    run([python, "run.py"], folder)
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
