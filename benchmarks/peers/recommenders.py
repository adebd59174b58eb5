"""recommenders, given scores: frames of pandas, and a call for each metric and cutoff.

It has no reciprocal rank.
"""

import json
import sys
import warnings

import pandas as pd
from recommenders.evaluation import python_evaluation

LIBRARY = "recommenders"
# Without its declared dependencies: its metrics need no notebooks, models or compiler.
REQUIREMENTS = [
    "--no-deps",
    "recommenders==1.2.1",
    "pandas==2.3.3",
    "numpy==2.2.6",
    "scikit-learn==1.7.2",
    "scipy==1.17.1",
    "joblib==1.6.0",
    "cloudpickle==3.1.2",
    "threadpoolctl==3.8.0",
    "python-dateutil==2.9.0.post0",
    "pytz==2026.6",
    "tzdata==2026.6",
    "six==1.17.0",
    "pyarrow==23.0.1",
]
ORDER = "score"
SHARE = 0.1
METRICS = {
    "ndcg@{k}": "ndcg_at_k",
    "average_precision@{k}": "map_at_k",
    "precision@{k}": "precision_at_k",
    "recall@{k}": "recall_at_k",
}

if __name__ == "__main__":
    # Its own code divides by zero and assigns to copies.
    warnings.simplefilter("ignore")
    recs = pd.read_parquet("recs.parquet", columns=["user_id", "item_id", "score"])
    truth = pd.read_parquet("truth.parquet").assign(rating=1.0)
    columns = {"col_user": "user_id", "col_item": "item_id", "col_prediction": "score"}
    values = {
        name.format(k=k): getattr(python_evaluation, library_name)(truth, recs, k=int(k), **columns)
        for name, library_name in METRICS.items()
        for k in sys.argv[1:]
    }
    print(json.dumps({name: float(value) for name, value in values.items()}))
