"""RecTools, given ranks: frames of pandas, and all metrics in one call."""

import json
import sys

import pandas as pd
from rectools import metrics

LIBRARY = "rectools"
REQUIREMENTS = [
    "rectools==0.19.0",
    "pandas==2.3.3",
    "numpy==1.26.4",
    "scipy==1.17.1",
    "pyarrow==23.0.1",
]
ORDER = "rank"
SHARE = 1
METRICS = {
    "ndcg@{k}": "NDCG",
    "average_precision@{k}": "MAP",
    "precision@{k}": "Precision",
    "recall@{k}": "Recall",
    "reciprocal_rank@{k}": "MRR",
}

if __name__ == "__main__":
    requests = {
        name.format(k=k): getattr(metrics, library_name)(k=int(k))
        for name, library_name in METRICS.items()
        for k in sys.argv[1:]
    }
    reco = pd.read_parquet("recs.parquet", columns=["user_id", "item_id", "rank"])
    values = metrics.calc_metrics(
        requests, reco=reco, interactions=pd.read_parquet("truth.parquet")
    )
    print(json.dumps(values))
