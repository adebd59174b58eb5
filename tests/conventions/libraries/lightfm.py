"""LightFM 1.17: values of its module of evaluation.

The scores of the model are the scores of the lists: user features are users, each with a factor of
its own, in which an item has its score. The model scores all items, so items that are not in a list
come below it, the user's relevant items last, all with different scores; likewise all items of a
user without a list. Items are those of the catalog. Test interactions are the truth with a
relevance above 0. A matrix has one score for a user and an item: lists with repeated items have no
value.

Scores have single precision, so ranks are of scores in single precision. Ranks are whole numbers of
single precision. They are converted to double precision before means are computed, which changes
only digits after the sixth; auc_score requires single precision.
"""

import numpy as np
from lightfm import LightFM, evaluation
from scipy.sparse import csr_matrix
from shapes import repeats_items
from tables import CUTOFFS

LIBRARY = "lightfm"
# Its source needs a compiler.
BEFORE = "setuptools==70.3.0 wheel numpy==2.2.6 scipy==1.15.3 scikit-learn==1.7.2"
REQUIREMENTS = "--no-build-isolation lightfm==1.17"


class InDouble(LightFM):
    """A model whose ranks have double precision."""

    def predict_rank(self, *args, **options):
        return super().predict_rank(*args, **options).astype(np.float64)


def values(tables):
    recs = tables["recs"]
    if repeats_items(recs):
        return {}
    relevant = {(user, item) for user, item, relevance in tables["truth"] if relevance > 0}
    users = sorted({user for user, *_ in recs} | {user for user, _ in relevant})
    items = sorted({item for item, _ in tables["items"]})
    scores = np.array([_scores(user, items, recs, relevant) for user in users], np.float32)
    wanted = [[(user, item) in relevant for item in items] for user in users]
    test = csr_matrix(np.array(wanted, np.float32))
    model = _model(InDouble, test, scores)
    result = {"reciprocal_rank": evaluation.reciprocal_rank(model, test).mean()}
    aucs = evaluation.auc_score(_model(LightFM, test, scores), test)
    result["auc_score"] = aucs.mean(dtype=np.float64)
    for k in CUTOFFS:
        result[f"precision_at_k@{k}"] = evaluation.precision_at_k(model, test, k=k).mean()
        result[f"recall_at_k@{k}"] = evaluation.recall_at_k(model, test, k=k).mean()
    return result


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
