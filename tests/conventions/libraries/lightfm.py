"""LightFM 1.17, its module of evaluation: how its values are found.

A model whose scores are those of the lists: user features are users, each with a factor of its own,
in which an item has its score. As the model scores all items, those that a list lacks stand below
it, the user's relevant ones last and no two alike; so do all items of a user without a list. Items
are those of the catalog. Test interactions are the truth with a relevance above 0. A matrix has one
score of a user and an item: where lists name an item again, there is no value.

Scores are single precision, so these are the ranks of scores among the user's. Ranks are whole
numbers of single precision, and get double precision before means are made of them, which changes
nothing but the digits behind the sixth; but for auc_score, which takes no others.
"""

import numpy as np
from lightfm import LightFM, evaluation
from scipy.sparse import csr_matrix
from tables import CUTOFFS

LIBRARY = "lightfm"
# Its source asks for a compiler.
BEFORE = "setuptools==70.3.0 wheel numpy==2.2.6 scipy==1.15.3 scikit-learn==1.7.2"
REQUIREMENTS = "--no-build-isolation lightfm==1.17"


class InDouble(LightFM):
    """A model whose ranks have double precision."""

    def predict_rank(self, *args, **options):
        return super().predict_rank(*args, **options).astype(np.float64)


def values(tables):
    recs = tables["recs"]
    if len({row[:2] for row in recs}) < len(recs):
        return {}
    relevant = {(user, item) for user, item, relevance in tables["truth"] if relevance > 0}
    users = sorted({user for user, *_ in recs} | {user for user, _ in relevant})
    items = sorted({item for item, _ in tables["items"]})
    scores = np.array([_scores(user, items, recs, relevant) for user in users], np.float32)
    wanted = [[(user, item) in relevant for item in items] for user in users]
    test = csr_matrix(np.array(wanted, np.float32))
    model = _model(InDouble, test, scores)
    found = {"reciprocal_rank": evaluation.reciprocal_rank(model, test).mean()}
    aucs = evaluation.auc_score(_model(LightFM, test, scores), test)
    found["auc_score"] = aucs.mean(dtype=np.float64)
    for k in CUTOFFS:
        found[f"precision_at_k@{k}"] = evaluation.precision_at_k(model, test, k=k).mean()
        found[f"recall_at_k@{k}"] = evaluation.recall_at_k(model, test, k=k).mean()
    return found


def _scores(user, items, recs, relevant):
    listed = {item: score for one, item, score in recs if one == user}
    levels = {score: level for level, score in enumerate(sorted({*listed.values()}))}
    below = sorted(items, key=lambda item: ((user, item) in relevant, item))
    return [levels[listed[item]] if item in listed else -1 - below.index(item) for item in items]


def _model(kind, test, scores):
    model = kind(no_components=len(scores)).fit(test, epochs=0)
    model.user_embeddings = np.eye(len(scores), dtype=np.float32)
    model.item_embeddings = np.ascontiguousarray(scores.T)
    model.user_biases[:] = model.item_biases[:] = 0
    return model
