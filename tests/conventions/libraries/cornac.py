"""Cornac 3.0.1: values by its evaluation.

Each metric is computed for a user of the truth from the relevant items and the items of the list.
The mean is over these users, as in Cornac's evaluation, in which each user has a list. AUC and MAP
read the scores of all items: items that are not in the list are tied below it.
"""

import importlib.util
import sys
import types
from pathlib import Path

import numpy as np
from shapes import lists, repeats_items, wanted
from tables import CUTOFFS

# The package imports its models, whose requirements the metrics do not have.
_root = Path(importlib.util.find_spec("cornac").origin).parent
sys.modules["cornac"] = types.ModuleType("cornac")
sys.modules["cornac"].__path__ = [str(_root)]
from cornac.metrics.ranking import AUC, MAP, MRR, NCRR, NDCG, FMeasure, HitRatio, Precision, Recall  # noqa: E402

LIBRARY = "cornac"
REQUIREMENTS = "--no-deps cornac==3.0.1 numpy==2.4.6 scipy"


def values(tables):
    shown, relevant = lists(tables), wanted(tables)
    if not relevant.keys() <= shown.keys() or repeats_items(tables["recs"]):
        return {}
    ranks = {user: np.array(shown[user]) for user in relevant}
    positives = {user: np.array([*dict.fromkeys(items)]) for user, items in relevant.items()}
    result = {}
    for name, metric in [
        *(
            (f"{one.__name__}@{k}", one(k))
            for one in (NDCG, FMeasure, HitRatio, Precision, Recall, NCRR)
            for k in CUTOFFS
        ),
        ("MRR", MRR()),
    ]:
        try:
            result[name] = np.mean(
                [metric.compute(gt_pos=positives[u], pd_rank=ranks[u]) for u in relevant]
            )
        except ValueError:
            # A list without a hit has no MRR, so there is no mean.
            assert name == "MRR"
    items = sorted({item for item, _ in tables["items"]})
    inputs = {(user, item): score for user, item, score in tables["recs"]}
    low = min(inputs.values()) - 1
    scores = {u: np.array([inputs.get((u, item), low) for item in items]) for u in relevant}
    for metric in (AUC(), MAP()):
        result[metric.name] = np.mean(
            [
                metric.compute(
                    item_indices=np.array(items), pd_scores=scores[u], gt_pos=positives[u]
                )
                for u in relevant
            ]
        )
    return result
