"""XGBoost 3.2.0: values of its metrics of learning to rank.

A query is a user of either table. It has a document for each row of recs, in row order, whose label
is the relevance in the truth, or 0. It also has a document for each item of the truth that is not
in the user's list, with a score below all others, in order of items, because a query contains only
its documents. A repeated item of the truth is one item; a repeated item of a list is a document
each time. A booster without a tree returns its base_margin in single precision, so ranks are of
scores in single precision. map, pre and auc require binary labels, so their labels are relevance >
0. pre has a value at cutoffs that all queries reach.

XGBoost's name ndcg@10- is ndcg-@10 here.
"""

import re

import numpy as np
import xgboost
from shapes import documents
from tables import CUTOFFS

LIBRARY = "xgboost-cpu"
REQUIREMENTS = "xgboost-cpu==3.2.0 numpy==2.4.6 scipy==1.17.1"


def values(tables):
    rows = sorted(documents(tables), key=lambda row: row[0])
    _, queries = np.unique([user for user, *_ in rows], return_inverse=True)
    _, levels = np.unique([score for _, score, _ in rows], return_inverse=True)
    labels = np.array([relevance for *_, relevance in rows])
    result = _evaluated(labels, queries, levels, ("ndcg", "ndcg-"), (None, *CUTOFFS))
    linear = _evaluated(labels, queries, levels, ("ndcg",), (None, *CUTOFFS), ndcg_exp_gain=False)
    result |= {key.replace("ndcg", "ndcg ndcg_exp_gain=False"): linear[key] for key in linear}
    result |= _evaluated(labels > 0, queries, levels, ("map", "map-"), (None, *CUTOFFS))
    result |= _evaluated(labels > 0, queries, levels, ("auc",), (None,))
    fewest = min(np.bincount(queries))
    reached = [k for k in CUTOFFS if k <= fewest]
    return result | _evaluated(labels > 0, queries, levels, ("pre",), reached)


def _evaluated(labels, queries, levels, metrics, cutoffs, **settings):
    names = {}
    for name in metrics:
        for k in cutoffs:
            base, minus = name.rstrip("-"), "-" * name.endswith("-")
            names[f"{name}@{k}" if k else name] = f"{base}@{k}{minus}" if k else name
    data = xgboost.DMatrix(
        np.zeros((len(labels), 1)), label=labels, qid=queries, base_margin=levels
    )
    booster = xgboost.Booster(
        {"objective": "rank:ndcg", "eval_metric": [*names.values()], **settings}, [data]
    )
    numbers = dict(re.findall(r"lists-(\S+?):(\S+)", booster.eval_set([(data, "lists")])))
    return {key: float(numbers[name]) for key, name in names.items()}
