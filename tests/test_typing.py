"""Types of the package for type checkers: an unused ignore is an error."""

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import get_args, get_type_hints

from pytest import mark

import sqlrec
from sqlrec.analyses.plot import OF_LISTS, OF_RESULTS, PlotName
from sqlrec.dialects import DIALECTS
from sqlrec.options import ComparisonInputs, ConventionName, DialectName, Inputs, ReportInputs
from sqlrec.paths import sql_folder

from .packages import api

ROOT = Path(__file__).parents[1]
CODE = """
import sqlrec

result: sqlrec.Result = sqlrec.evaluate("ndcg@5", recs="r", truth="t", by="age")
sqlrec.evaluate("ndcg@5", "r", "t", rules=sqlrec.Rules("ranx", ties="expected", population=None))
sqlrec.Rules(ties="expcted")  # type: ignore[arg-type]
sqlrec.evaluate("ndcg@5", recs="r", interval="wilson", by=sqlrec.Segments("age", each=True))
sqlrec.evaluate("ndcg@5", recs="r", interval=sqlrec.Interval("t", level=0.9, cluster="home"))
sqlrec.Segments("age", each="every")  # type: ignore[arg-type]
data = sqlrec.Dataset("recs.parquet", "truth.parquet", history="history.parquet")
data.evaluate("ndcg@5").best()
data.compare("ndcg@5", baseline="pop", rules="trec_eval")
data.compare("ndcg@5", rules="trec")  # type: ignore[arg-type]

found: sqlrec.Comparison = sqlrec.compare(
    ["ndcg@5"], recs={}, truth="t", baseline="pop", test="wilcoxon", rules="ranx"
)
sqlrec.compare("ndcg@5", recs={}, baseline="pop", test="z")  # type: ignore[arg-type]
sqlrec.compare("ndcg@5", recs={}, baseline="pop", duplicate="best")  # type: ignore[call-arg]

sqlrec.check("ndcg@5 >= 0.1", recs="r", truth="t", interval="t")
sqlrec.Rules(null_scores="first")  # type: ignore[arg-type]
sqlrec.explain("map@2", recs="r", truth="t", conventions=["ranx"], columns={"user_id": "uid"})
sqlrec.Rules(relevance_threshold="4")  # type: ignore[arg-type]
sqlrec.unsampled("recall@5", recs="r", truth="t", catalog_size=9, candidates=3, estimator="mle")
sqlrec.unsampled("hr", recs=1, truth=1, catalog_size=9, candidates=3, x=1)  # type: ignore[call-arg]

sqlrec.power("ndcg@5", recs="r", truth="t", difference="1%", sides=1)
sqlrec.power("ndcg@5", recs="r", truth="t", sides=3)  # type: ignore[arg-type]
sqlrec.plot("curve", "ndcg@5", recs="r", truth="t", by="age").save("curve.svg")
sqlrec.plot("curve", "ndcg@5", rec="r")  # type: ignore[call-arg]
sqlrec.report("all@5", recs="r", truth="t", baseline="pop").save("report.html")
sqlrec.report("all@5", recs="r", truth="t", who_lost="no")  # type: ignore[arg-type]

text: str = sqlrec.sql("ndcg@5", dialect="trino", form="steps", recs="r", truth="t", by=["age"])
sqlrec.sql("ndcg@5", form="step")  # type: ignore[arg-type]
sqlrec.sql("ndcg@5", dialect="mysql")  # type: ignore[arg-type]
sqlrec.evaluate("ndcg@5", recs="r", truth="t", rules="ranks")  # type: ignore[arg-type]
for name in sqlrec.conventions():
    sqlrec.evaluate("ndcg@5", recs="r", truth="t", rules=name)
sqlrec.explain("ndcg@5", recs="r", truth="t", conventions=["ranks"])  # type: ignore[list-item]
sqlrec.plot("curves", "ndcg@5", recs="r", truth="t")  # type: ignore[arg-type]
"""


def test_inputs_are_those_of_a_dataset():
    hints = get_type_hints(
        sqlrec.Dataset.__init__, vars(sys.modules["sqlrec.dataset"]) | {"os": os}
    )
    others = get_type_hints(Inputs)
    assert {"recs", "truth", "return", *others} == hints.keys()
    assert {name: hints[name] for name in others} == others


def test_editors_complete_the_existing_names():
    profiles = {path.stem for path in (sql_folder() / "conventions").glob("*.toml")}
    assert sorted(get_args(ConventionName)) == sorted({"sqlrec", *profiles})
    assert get_args(DialectName) == tuple(DIALECTS)
    drawn = ("forest", "differences", "activity", "waterfall")
    assert sorted(get_args(PlotName)) == sorted({*OF_RESULTS, *OF_LISTS, *drawn})


@mark.parametrize("name", "check compare evaluate explain plot power report sql unsampled".split())
def test_functions_are_methods_with_inputs(name):
    function, method = getattr(sqlrec, name), getattr(sqlrec.Dataset, name)
    ours = inspect.signature(function).parameters
    others = {"recs", "truth", "inputs", "results", "comparison"}
    unpacked = {"compare": ComparisonInputs, "report": ReportInputs}.get(name, Inputs)
    further = get_type_hints(unpacked).keys() - get_type_hints(Inputs).keys()
    assert {*ours} - others | further == {*inspect.signature(method).parameters} - {"self"}
    assert len(ours) <= 14
    assert inspect.getdoc(function).startswith(inspect.getdoc(method).splitlines()[0])


def test_no_public_function_has_more_than_fourteen_parameters():
    public = [getattr(sqlrec, name) for name in sqlrec.__all__]
    methods = [one for kind in public if inspect.isclass(kind) for one in vars(kind).values()]
    for function in filter(inspect.isfunction, (*public, *methods)):
        names = {*inspect.signature(function).parameters} - {"self"}
        assert len(names) <= 14 or function.__module__ == "sqlrec.results.result", function


@mark.slow
def test_arguments_have_types(tmp_path):
    path = tmp_path / "calls.py"
    path.write_text(CODE)
    checked = ["--strict", "--warn-unused-ignores", "--python-executable", sys.executable]
    # mypy's cache of the package's own check is reused.
    out, err, code = api.run([*checked, "--cache-dir", str(ROOT / ".mypy_cache"), str(path)])
    assert (out.strip(), err, code) == ("Success: no issues found in 1 source file", "", 0)


PYRIGHT = ["npx", "--yes", "-p", "pyright@1.1.411"]


@mark.weekly
def test_arguments_have_types_to_pyright_too(tmp_path):
    (tmp_path / "calls.py").write_text(CODE)
    settings = {"reportUnnecessaryTypeIgnoreComment": "error", "typeCheckingMode": "strict"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [*PYRIGHT, "pyright", "--pythonpath", sys.executable, "-p", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (done.stdout.split()[:2], done.returncode) == (["0", "errors,"], 0), done.stdout
