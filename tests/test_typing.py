"""What type checkers know of the package: an ignored error that is none is one."""

import sys
from typing import get_type_hints

from mypy import api
from pytest import mark

import sqlrec
from sqlrec.analyses.check import Checked

CODE = """
import sqlrec
from sqlrec import m

result: sqlrec.Result = sqlrec.evaluate("ndcg@5", recs="r", truth="t", ties="expected", by="age")
sqlrec.evaluate("ndcg@5", recs="r", ties="expcted")  # type: ignore[arg-type]
sqlrec.evaluate("ndcg@5", recs="r", interval="wilson", groupings="each", population=None)
sqlrec.evaluate("ndcg@5", recs="r", groupings="every")  # type: ignore[arg-type]

found: sqlrec.Comparison = sqlrec.compare(
    ["ndcg@5"], recs={}, truth="t", baseline="pop", test="wilcoxon", duplicates="best", depth=5
)
sqlrec.compare("ndcg@5", recs={}, baseline="pop", test="z")  # type: ignore[arg-type]
sqlrec.compare("ndcg@5", recs={}, baseline="pop", duplicate="best")  # type: ignore[call-arg]

sqlrec.check("ndcg@5", min={"ndcg@5": 0.1}, recs="r", truth="t", cluster="home", interval="t")
sqlrec.check("ndcg@5", recs="r", null_scores="first")  # type: ignore[arg-type]
sqlrec.explain("map@2", recs="r", truth="t", conventions=["ranx"], columns={"user_id": "uid"})
sqlrec.explain("map@2", recs="r", relevance_threshold="4")  # type: ignore[arg-type]
sqlrec.unsampled("recall@5", recs="r", truth="t", catalog_size=9, candidates=3, estimator="mle")
sqlrec.unsampled(  # type: ignore[call-arg]
    "recall@5", recs="r", truth="t", catalog_size=9, candidates=3, conventions="ranx"
)
sqlrec.evaluate([m.ndcg(gain="exponential") @ 10, m.map @ [5, 10], "hr@1", m.f1(beta=2) @ "all"])
m.ndcg(gain="exp")  # type: ignore[arg-type]
m.ndcg(gains="binary")  # type: ignore[call-arg]
m.nothing  # type: ignore[attr-defined]
m.recall @ 1.5  # type: ignore[operator]

text: str = sqlrec.sql("ndcg@5", dialect="trino", form="steps", recs="r", truth="t", by=["age"])
sqlrec.sql("ndcg@5", form="step")  # type: ignore[arg-type]
"""


def test_others_take_arguments_of_evaluate_as_it_does():
    told = get_type_hints(sqlrec.evaluate, vars(sys.modules["sqlrec.evaluation"]))
    others = get_type_hints(Checked)
    assert len(others) > 25
    assert {name: told[name] for name in others} == others


@mark.slow
def test_arguments_have_types(tmp_path):
    path = tmp_path / "calls.py"
    path.write_text(CODE)
    checked = ["--strict", "--warn-unused-ignores", "--python-executable", sys.executable]
    out, err, code = api.run([*checked, "--cache-dir", str(tmp_path / "cache"), str(path)])
    assert (out.strip(), err, code) == ("Success: no issues found in 1 source file", "", 0)
