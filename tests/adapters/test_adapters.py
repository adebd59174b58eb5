"""Outputs of other libraries, as tables and with the values that the libraries compute."""

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
from pytest import approx, mark, raises

import sqlrec
from sqlrec import adapters

from ..packages import pandas as pd
from ..tables import values
from . import environment
from .recorded import COLUMNS, torchmetrics_tables

ROOT = Path(__file__).parents[2]


def pairs(table, value="score"):
    rows = table.select(["user_id", "item_id", value]).to_pylist()
    return sorted(tuple(row.values()) for row in rows)


@mark.weekly
def test_values_of_real_outputs_equal_those_of_the_libraries():
    from . import libraries

    environment.make()
    command = [environment.PYTHON, "-W", "ignore", libraries.__file__, *libraries.LIBRARIES]
    # Numba's compilation is disabled, because it takes longer than the code.
    env = {"PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1"}
    process = subprocess.run(command, capture_output=True, text=True, env=env)
    assert process.returncode == 0, process.stderr
    result = [json.loads(line) for line in process.stdout.splitlines() if line.startswith("[")]
    assert [name for name, *_ in result] == [*libraries.LIBRARIES]
    for name, ours, theirs in result:
        assert 0 < ours == approx(theirs, abs=1e-9), name


class TestMatrix:
    SCORES = np.array([[0.1, 0.9, 0.5, 0.5], [0.3, -np.inf, np.nan, 0.2], [1, 1, 1, 1]])

    def test_matrices_keep_the_best_items_and_ties(self):
        result = pairs(adapters.matrix(self.SCORES, 2, users=["a", "b", "c"], items=[*"wxyz"]))
        best = [("a", "x", 0.9), ("a", "y", 0.5), ("a", "z", 0.5), ("b", "w", 0.3), ("b", "z", 0.2)]
        assert result == [*best, *(("c", item, 1) for item in "wxyz")]
        assert len(adapters.matrix(self.SCORES, 9)) == 10
        # The scores of one user are a row, even if they are more than a chunk.
        assert pairs(adapters.matrix(np.arange(5), 1, chunk=2)) == [(0, 4, 4)]
        assert pairs(adapters.matrix([[*range(5)]], 1, chunk=2)) == [(0, 4, 4)]

    def test_matrices_are_read_in_chunks(self):
        rng = np.random.default_rng(1)
        scores, truth = rng.integers(0, 5, (50, 20)), rng.integers(0, 2, (50, 20))
        whole = adapters.matrix(scores, 3)
        for inputs in (scores, iter([scores[:7], scores[7:]])):
            assert adapters.matrix(inputs, 3, chunk=4) == whole
        users, items = np.nonzero(truth)
        grades = {user: dict.fromkeys(items[users == user], 1) for user in users}
        every = adapters.matrix(scores, 20)
        for ties in ("item_desc", "expected"):
            requests = {"truth": grades, "ties": ties}
            one, other = (
                sqlrec.evaluate("ndcg@3", recs=recs, **requests) for recs in (whole, every)
            )
            assert values(one) == values(other)


def test_ranks_that_implicit_did_not_fill_are_left_out():
    ids, scores = np.array([[2, 0], [1, -1]]), np.float32([[0.5, 0.25], [1, -3.4028235e38]])
    result = pairs(adapters.implicit(ids, scores, users=[7, 8], items=np.array([*"abc"])))
    assert result == [(7, "a", 0.25), (7, "c", 0.5), (8, "b", 1)]


class TestRecorded:
    """Recorded outputs of the real libraries, with their values."""

    def test_frames_of_lenskit_have_our_names_except_for_ratings(self):
        result = recorded("lenskit")
        recs, truth = (pd.DataFrame(rows) for rows in result["given"].values())
        check_value(result, recs, truth, columns=COLUMNS["lenskit"])

    def test_tokens_of_recbole_replace_numbers(self):
        result = recorded("recbole")
        inputs = result["given"]
        names = {field: np.array(tokens) for field, tokens in inputs["tokens"].items()}
        scores, items, users = (np.array(inputs[name]) for name in ("scores", "items", "users"))
        ids = names["user_id"][users], names["item_id"]
        truth = pa.table([*zip(*inputs["truth"], strict=True)], ["user_id", "item_id"])
        check(result, adapters.implicit(items, scores, *ids), truth)
        # There are fewer items than requested; missing items have no score.
        scores[0, -1] = -np.inf
        assert len(adapters.implicit(items, scores, *ids)) == scores.size - 1

    def test_inputs_of_torchmetrics_have_its_value(self):
        result = recorded("torchmetrics")
        arrays = {name: np.array(numbers) for name, numbers in result["given"].items()}
        check_value(result, *torchmetrics_tables(**arrays))

    def test_files_of_elliot_have_no_names(self, tmp_path):
        result = recorded("elliot")
        files = []
        for name, text in result["given"].items():
            path = tmp_path / f"{name}.tsv"
            path.write_text(text)
            files.append(sqlrec.File(path, header=False))
        check_value(result, *files, columns=COLUMNS["elliot"])


def recorded(library):
    return json.loads((Path(__file__).parent / "recorded" / f"{library}.json").read_text())


def check(result, recs, truth):
    """Compare tables with the tables of the library's objects, and values with its values."""
    for table, name in ((recs, "recs"), (truth, "truth")):
        columns = table.to_pydict()
        assert columns == {column: result[name][column] for column in columns}
    check_value(result, recs, truth)


def check_value(result, recs, truth, **options):
    """Compare the value with the library's value."""
    # TorchMetrics computes in single precision.
    exact = 1e-7 if result["library"] == "torchmetrics" else 1e-12
    ours = values(sqlrec.evaluate(result["our metric"], recs=recs, truth=truth, **options))
    assert ours == approx([result["value"]], abs=exact)


ONES, THREE = np.ones((2, 2)), ["a", "b", "c"]
REFUSED = {
    "ids has the shape (1, 2) and scores (1, 1): the shapes must be equal": ([[1, 2]], [[0.5]]),
    "items has 2 ids, but the data have positions up to 2": ([[1, 2]], [[1, 2]], None, ["a", "b"]),
    "got 2 users for 1 rows: pass one user per row": ([[1]], [[1]], ["a", "b"]),
    "ids has the type float64: give whole": ([[0.5]], [[1]]),
    "the rows do not form an array: ": ([[0], [1, 2]], [[1]]),
}
REFUSED_MATRICES = {
    "scores have 2 rows, but users has 3 ids: give an id for each row": (ONES, 1, THREE),
    "scores have 2 columns, but items has 3 ids: give an id for each column": (
        ONES,
        1,
        None,
        THREE,
    ),
    "k=0: it must be a whole number of at least 1": (ONES, 0),
    "scores has the shape (2, 2, 2): give one row per user": (np.ones((2, 2, 2)), 1),
    "scores=<int>: give an array, or several": (3, 2),
    "scores have no items: give a column for": (np.ones((2, 0)), 2),
    "items=<int>: give their names in": (ONES, 2, None, 2),
    "scores has the type <U1: give numbers": ([["a"]], 2),
}
REFUSED_DICTS = {
    "a column has integers that don't fit in 64 bits: pass them as": ({2**64: {1: 1.0}},),
    "a column has values of several types: ": ({"a": {1: 2, "b": 3}},),
}


@mark.parametrize(
    ("call", "given", "message"),
    [
        *((adapters.implicit, given, message) for message, given in REFUSED.items()),
        *((adapters.matrix, given, message) for message, given in REFUSED_MATRICES.items()),
        *((sqlrec.Dataset, given, message) for message, given in REFUSED_DICTS.items()),
    ],
)
def test_outputs_of_wrong_shape_are_refused(call, given, message):
    with raises(sqlrec.InputError, match=re.escape(message)):
        call(*given)


def test_adapters_import_no_library():
    code = "import sys, sqlrec.adapters; print(*sys.modules)"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert {"implicit", "numpy", "pandas", "torch"}.isdisjoint(process.stdout.split())
