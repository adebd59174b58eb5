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
    """Return for each user the values by item, all ids as text."""
    found = {}
    for user, item, value in rows:
        found.setdefault(user, {})[item] = value
    return found


if __name__ == "__main__":
    texts = {"user_id": str, "item_id": str}
    recs = pd.read_parquet("recs.parquet", columns=["user_id", "item_id", "score"]).astype(texts)
    truth = pd.read_parquet("truth.parquet").astype(texts)
    run = dicts(zip(recs["user_id"], recs["item_id"], recs["score"], strict=True))
    qrels = dicts(
        (user, item, 1) for user, item in zip(truth["user_id"], truth["item_id"], strict=True)
    )
    cutoffs = sys.argv[1:]
    asked = {
        f"{theirs}.{','.join(cutoffs)}" if "@" in name else theirs
        for name, theirs in METRICS.items()
    }
    found = pytrec_eval.RelevanceEvaluator(qrels, asked).evaluate(run)
    keys = {
        name.format(k=k): f"{theirs}_{k}" if "@" in name else theirs
        for name, theirs in METRICS.items()
        for k in cutoffs
    }
    values = {
        name: sum(row[key] for row in found.values()) / len(found) for name, key in keys.items()
    }
    print(json.dumps(values))
