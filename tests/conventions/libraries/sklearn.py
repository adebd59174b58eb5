"""scikit-learn 1.9.1: its values.

The matrix has a row for each user of the truth and a column for each item of recs and truth. y_true
is the relevance, or 0; for metrics of labels it is 1 if the relevance is above 0. y_score is the
score; items that are not in the user's list share a score below all others. Means over users are
scikit-learn's own. A matrix has one score for a user and an item: lists with repeated items have
values only for the errors below.

The predicted labels of precision_score, recall_score, f1_score, jaccard_score and accuracy_score
are the first k items of each list. They have average="samples", except accuracy_score, which reads
the matrix as one row. Errors of ratings, and "roc_auc_score rated", read the rows of recs and truth
with the same user and item, the latter with relevance > 0 as y_true. "roc_auc_score rated users" is
the mean over the users with both classes in these rows.
"""

import math
import warnings
from random import Random

import numpy as np
from shapes import rated, repeats_items
from sklearn import metrics
from tables import CUTOFFS

LIBRARY = "scikit-learn"
REQUIREMENTS = "scikit-learn==1.9.1 numpy==2.4.6 scipy==1.17.1"

ERRORS = ["mean_absolute_error", "mean_squared_error", "root_mean_squared_error", "r2_score"]
WHOLE = ["label_ranking_average_precision_score", "label_ranking_loss", "coverage_error"]
SAMPLES = ["precision_score", "recall_score", "f1_score", "jaccard_score"]


def values(tables):
    warnings.simplefilter("ignore")
    result = _rated(tables)
    recs, truth = tables["recs"], tables["truth"]
    if repeats_items(recs):
        return result
    items = sorted({item for _, item, _ in recs + truth})
    matrix = _matrix(recs, truth, items)
    # Differences between orders of columns are due to ties, whose order is random.
    for seed in range(20):
        Random(seed).shuffle(items)
        again = _matrix(recs, truth, items)
        matrix = {key: v for key, v in matrix.items() if math.isclose(again[key], v) or v != v}
    return result | matrix


def _matrix(recs, truth, items):
    users = sorted({user for user, *_ in truth})
    wanted = np.zeros((len(users), len(items)))
    for user, item, relevance in truth:
        wanted[users.index(user), items.index(item)] = relevance
    scores = np.full(wanted.shape, min(score for *_, score in recs) - 1.0)
    listed = np.zeros(wanted.shape, bool)
    for user, item, score in recs:
        if user in users:
            scores[users.index(user), items.index(item)] = score
            listed[users.index(user), items.index(item)] = True
    labels = (wanted > 0).astype(int)
    result = {name: getattr(metrics, name)(labels, scores) for name in WHOLE}
    for name in ("average_precision_score", "roc_auc_score"):
        result[name] = getattr(metrics, name)(labels, scores, average="samples")
    for name in ("dcg_score", "ndcg_score"):
        score = getattr(metrics, name)
        result[name] = score(wanted, scores)
        result[f"{name} ignore_ties"] = score(wanted, scores, ignore_ties=True)
        for k in CUTOFFS:
            result[f"{name}@{k}"] = score(wanted, scores, k=k)
            result[f"{name} ignore_ties@{k}"] = score(wanted, scores, k=k, ignore_ties=True)
    for k in CUTOFFS:
        first = np.zeros_like(labels)
        np.put_along_axis(first, np.argsort(-scores, axis=1)[:, :k], 1, axis=1)
        first *= listed
        for name in SAMPLES:
            result[f"{name}@{k}"] = getattr(metrics, name)(labels, first, average="samples")
        result[f"accuracy_score@{k}"] = metrics.accuracy_score(labels.ravel(), first.ravel())
    return result


def _rated(tables):
    users, scores, wanted = map(np.array, zip(*rated(tables), strict=True))
    result = {name: getattr(metrics, name)(wanted, scores) for name in ERRORS}
    result["roc_auc_score rated"] = metrics.roc_auc_score(wanted > 0, scores)
    of_users = [
        metrics.roc_auc_score(wanted[users == user] > 0, scores[users == user])
        for user in np.unique(users)
    ]
    defined = [value for value in of_users if value == value]
    result["roc_auc_score rated users"] = np.mean(defined) if defined else math.nan
    return result
