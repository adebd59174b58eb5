"""RePlay, given scores: frames of Polars, and all metrics in one call of OfflineMetrics."""

import json
import sys

import polars as pl
from replay import metrics

LIBRARY = "replay-rec"
REQUIREMENTS = [
    "replay-rec==0.22.0",
    "pandas==2.3.3",
    "polars==1.44.2",
    "numpy==2.3.5",
    "scipy==1.17.1",
    "scikit-learn==1.8.0",
    "pyarrow==23.0.1",
]
ORDER = "score"
SHARE = 1
METRICS = {
    "ndcg@{k}": "NDCG",
    "average_precision@{k}": "MAP",
    "precision@{k}": "Precision",
    "recall@{k}": "Recall",
    "reciprocal_rank@{k}": "MRR",
}

if __name__ == "__main__":
    cutoffs = [int(k) for k in sys.argv[1:]]
    requests = [getattr(metrics, library_name)(cutoffs) for library_name in METRICS.values()]
    recs = pl.read_parquet("recs.parquet", columns=["user_id", "item_id", "score"])
    results = metrics.OfflineMetrics(requests, query_column="user_id", rating_column="score")(
        recs, pl.read_parquet("truth.parquet")
    )
    values = {
        name.format(k=k): results[f"{library_name}@{k}"]
        for name, library_name in METRICS.items()
        for k in cutoffs
    }
    print(json.dumps(values))
