"""The demo data: a script makes the tables, and the best model is clear."""

import subprocess
import sys
from math import log2
from pathlib import Path

import pyarrow.parquet as pq
from pytest import approx, mark

import sqlrec

ROOT = Path(__file__).parents[1]
PACKAGED = ROOT / "sqlrec" / "cli" / "demo"
SOURCE = ROOT.parent / "shared" / "data" / "movietweetings"
NAMES = {"recs", "truth", "history", "items", "users"}


def test_the_best_model_is_significantly_better_than_each_other():
    data = sqlrec.demo()
    for row in data.compare("ndcg@10 recall@10", baseline="trending").rows().to_pylist():
        assert row["difference"] < 0 and row["p_adjusted"] < 1e-6, row


def test_the_ndcg_of_each_model_is_that_of_plain_python():
    tables = {name: pq.read_table(PACKAGED / f"{name}.parquet").to_pylist() for name in NAMES}
    liked = {}
    for row in tables["truth"]:
        liked.setdefault(row["user_id"], set()).add(row["item_id"])
    sums = {}
    for row in tables["recs"]:
        user = row["user_id"]
        if row["item_id"] in liked[user]:
            best = sum(1 / log2(rank + 1) for rank in range(1, min(len(liked[user]), 10) + 1))
            gain = 1 / log2(row["rank"] + 1) / best
            sums[row["model"]] = sums.get(row["model"], 0) + gain
    result = sqlrec.demo().evaluate("ndcg@10").rows().to_pylist()
    values = {row["model"]: row["value"] for row in result}
    assert values == approx({model: total / len(liked) for model, total in sums.items()})


def test_no_list_or_truth_has_a_film_of_the_history():
    pairs = {
        name: {
            (row["user_id"], row["item_id"])
            for row in pq.read_table(PACKAGED / f"{name}.parquet").to_pylist()
        }
        for name in ("recs", "truth", "history")
    }
    assert not pairs["history"] & (pairs["recs"] | pairs["truth"])


@mark.slow
@mark.skipif(not SOURCE.is_dir(), reason="the ratings are not part of the repository")
def test_the_script_makes_the_tables(tmp_path):
    script = ROOT / "examples" / "movietweetings" / "make_data.py"
    command = [sys.executable, script, SOURCE, "--target", tmp_path]
    subprocess.run([str(word) for word in command], check=True)
    assert {path.stem for path in tmp_path.glob("*.parquet")} == NAMES
    for name in NAMES:
        packaged = pq.read_table(PACKAGED / f"{name}.parquet")
        assert pq.read_table(tmp_path / f"{name}.parquet").equals(packaged), name
