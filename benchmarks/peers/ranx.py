"""ranx, given scores: Run and Qrels from pandas data frames, with ids as text."""

import json
import sys

import pandas as pd
from ranx import Qrels, Run, evaluate

LIBRARY = "ranx"
REQUIREMENTS = ["ranx==0.3.21", "pandas==2.3.3", "numpy==2.4.6", "numba==0.68.1", "pyarrow==23.0.1"]
ORDER = "score"
SHARE = 0.1
METRICS = {
    "ndcg@{k}": "ndcg",
    "average_precision@{k}": "map",
    "precision@{k}": "precision",
    "recall@{k}": "recall",
    "reciprocal_rank@{k}": "mrr",
}

if __name__ == "__main__":
    texts = {"user_id": str, "item_id": str}
    names = {"q_id_col": "user_id", "doc_id_col": "item_id"}
    recs = pd.read_parquet("recs.parquet", columns=["user_id", "item_id", "score"]).astype(texts)
    truth = pd.read_parquet("truth.parquet").astype(texts).assign(score=1)
    requests = {
        name.format(k=k): f"{library_name}@{k}"
        for name, library_name in METRICS.items()
        for k in sys.argv[1:]
    }
    qrels, run = Qrels.from_df(truth, **names), Run.from_df(recs, **names)
    values = evaluate(qrels, run, list(requests.values()), make_comparable=True)
    print(
        json.dumps({name: float(values[library_name]) for name, library_name in requests.items()})
    )
