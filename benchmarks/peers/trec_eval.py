"""pytrec_eval, given scores: dicts of dicts, filled from frames of pandas.

Its reciprocal rank has no cutoff.
"""

import json
import sys

import pandas as pd
import pytrec_eval

LIBRARY = "pytrec-eval-terrier"
REQUIREMENTS = [
    "pytrec-eval-terrier==0.5.11",
    "pandas==2.3.3",
    "numpy==2.4.6",
    "scipy==1.17.1",
    "pyarrow==23.0.1",
]
ORDER = "score"
SHARE = 1
METRICS = {
    "ndcg@{k}": "ndcg_cut",
    "average_precision@{k}": "map_cut",
    "precision@{k}": "P",
    "recall@{k}": "recall",
    "reciprocal_rank": "recip_rank",
}


def dicts(rows):
    """Return the values of each user by item, all ids as text."""
    users = {}
    for user, item, value in rows:
        users.setdefault(user, {})[item] = value
    return users


if __name__ == "__main__":
    texts = {"user_id": str, "item_id": str}
    recs = pd.read_parquet("recs.parquet", columns=["user_id", "item_id", "score"]).astype(texts)
    truth = pd.read_parquet("truth.parquet").astype(texts)
    run = dicts(zip(recs["user_id"], recs["item_id"], recs["score"], strict=True))
    qrels = dicts(
        (user, item, 1) for user, item in zip(truth["user_id"], truth["item_id"], strict=True)
    )
    cutoffs = sys.argv[1:]
    requests = {
        f"{library_name}.{','.join(cutoffs)}" if "@" in name else library_name
        for name, library_name in METRICS.items()
    }
    users = pytrec_eval.RelevanceEvaluator(qrels, requests).evaluate(run)
    keys = {
        name.format(k=k): f"{library_name}_{k}" if "@" in name else library_name
        for name, library_name in METRICS.items()
        for k in cutoffs
    }
    values = {
        name: sum(row[key] for row in users.values()) / len(users) for name, key in keys.items()
    }
    print(json.dumps(values))
