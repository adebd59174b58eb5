"""recommenders 1.2.1: its functions of recommenders.evaluation.python_evaluation.

rating_true is the truth with relevance as rating, and rating_pred the recs with score as
prediction; auc requires 0 and 1, so its ratings are relevance > 0. The library selects the k best
rows of each list; for metrics with train_df and reco_df, by its get_top_k_items. train_df is the
history. The library raises an error if a row is in both, so reco_df excludes rows of the history.
"""

import warnings

import pandas as pd
from recommenders.evaluation import python_evaluation as library
from tables import CUTOFFS

LIBRARY = "recommenders"
# Installed without its declared requirements: its metrics need no notebooks, models or compiler.
REQUIREMENTS = """
    --no-deps recommenders==1.2.1 pandas==2.3.3 numpy==2.2.6 scikit-learn==1.7.2 scipy==1.17.1
    joblib==1.6.0 cloudpickle==3.1.2 threadpoolctl==3.8.0 python-dateutil==2.9.0.post0 pytz==2026.6
    tzdata==2026.6 six==1.17.0
"""


def values(tables):
    # Its own code divides by zero and assigns to copies.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {**_accuracy(tables), **_ratings(tables), **_beyond_accuracy(tables)}


def _frames(tables):
    true = pd.DataFrame(tables["truth"], columns=["userID", "itemID", "rating"])
    pred = pd.DataFrame(tables["recs"], columns=["userID", "itemID", "prediction"])
    return true, pred


def _accuracy(tables):
    true, pred = _frames(tables)
    result = {}
    for k in CUTOFFS:
        for name in ("precision_at_k", "recall_at_k", "r_precision_at_k", "map", "map_at_k"):
            result[f"{name}@{k}"] = getattr(library, name)(true, pred, k=k)
        # loge and log2 are equal after the division.
        result[f"ndcg_at_k@{k}"] = library.ndcg_at_k(true, pred, k=k)
        for score_type in ("raw", "exp"):
            result[f"ndcg_at_k {score_type}@{k}"] = library.ndcg_at_k(
                true, pred, k=k, score_type=score_type
            )
    return result


def _ratings(tables):
    true, pred = _frames(tables)
    result = {name: getattr(library, name)(true, pred) for name in ("rmse", "mae", "rsquared")}
    result["auc"] = library.auc(true.assign(rating=(true["rating"] > 0).astype(int)), pred)
    return result


def _beyond_accuracy(tables):
    _, pred = _frames(tables)
    train = pd.DataFrame(tables["history"], columns=["userID", "itemID"])
    had = set(tables["history"])
    new = pred[[pair not in had for pair in zip(pred["userID"], pred["itemID"], strict=True)]]
    wanted = {(user, item) for user, item, relevance in tables["truth"] if relevance > 0}
    result = {}
    for k in CUTOFFS:
        reco = library.get_top_k_items(new, col_rating="prediction", k=k)[["userID", "itemID"]]
        for name in (
            "catalog_coverage",
            "distributional_coverage",
            "novelty",
            "diversity",
            "serendipity",
        ):
            result[f"{name}@{k}"] = getattr(library, name)(train, reco)
        reco["relevance"] = [
            float(pair in wanted) for pair in zip(reco["userID"], reco["itemID"], strict=True)
        ]
        result[f"serendipity col_relevance@{k}"] = library.serendipity(
            train, reco, col_relevance="relevance"
        )
    return result
