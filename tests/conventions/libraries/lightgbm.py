"""LightGBM 4.7.0: values of its metrics of learning to rank.

A query is a user of either table. It has a document for each row of recs, in row order, whose label
is the relevance in the truth, or 0. It also has a document for each item of the truth that is not
in the user's list, with a score below all others, in order of items, because a query contains only
its documents. A repeated item of the truth is one item; a repeated item of a list is a document
each time. Scores are the init_score of a booster without a tree. The gain of "label_gain linear" is
the label.

rmse, l2, l1, auc and binary_logloss read the rows of recs and truth with the same user and item, of
all queries together, the last two with relevance > 0 as label.
"""

import lightgbm
import numpy as np
from shapes import documents, rated
from tables import CUTOFFS

LIBRARY = "lightgbm"
REQUIREMENTS = "lightgbm==4.7.0 numpy==2.4.6 scipy==1.17.1"


def values(tables):
    rows = sorted(documents(tables), key=lambda row: row[0])
    _, counts = np.unique([user for user, *_ in rows], return_counts=True)
    ranked = {"objective": "lambdarank", "eval_at": [*CUTOFFS], "group": counts}
    result = _evaluated(rows, metric=["ndcg", "map"], **ranked)
    linear = _evaluated(rows, metric=["ndcg"], label_gain=[0, 1, 2, 3], **ranked)
    result |= {key.replace("ndcg", "ndcg label_gain linear"): linear[key] for key in linear}
    return result | _rated(tables)


def _rated(tables):
    pairs = rated(tables)
    result = _evaluated(pairs, objective="regression", metric=["rmse", "l2", "l1"])
    marked = [(user, score, int(grade > 0)) for user, score, grade in pairs]
    if len({label for *_, label in marked}) > 1:
        result |= _evaluated(marked, objective="binary", metric=["auc", "binary_logloss"])
    return result


def _evaluated(rows, group=None, **settings):
    settings |= {"verbosity": -1, "num_threads": 1, "boost_from_average": False}
    data = lightgbm.Dataset(
        np.zeros((len(rows), 1)),
        label=[relevance for *_, relevance in rows],
        group=group,
        init_score=[score for _, score, _ in rows],
    )
    return {name: value for _, name, value, *_ in lightgbm.Booster(settings, data).eval_train()}
