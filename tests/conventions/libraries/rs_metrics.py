"""rs_metrics 0.6.0, 0.3.0, and 0.4.1, the version that its documentation describes: its values.

It reads the order of rows, not scores: the lists are sorted by score, equal scores in row order.
All items of the truth are relevant, regardless of their relevance. The history is the log of
popularity and surprisal, the items of the table `items` are the items of coverage, and the items of
each category are an aspect of every user.
"""

import warnings

import pandas as pd
import rs_metrics
from tables import CUTOFFS

LIBRARY = "rs_metrics"
# Its a_ndcg uses a name that NumPy 2.0 has removed.
REQUIREMENTS = {
    "rs_metrics": "rs_metrics==0.6.0 pandas==2.3.3 numpy==1.26.4",
    "rs_metrics-0.3": "rs_metrics==0.3.0 pandas==2.3.3 numpy==1.26.4",
    "rs_metrics-0.4": "rs_metrics==0.4.1 pandas==2.3.3 numpy==1.26.4",
}
# The older versions also have mar.
NAMES = "hitrate precision recall mrr mapr ndcg".split()
NAMES += ["mar"] * hasattr(rs_metrics, "mar")


def values(tables):
    # A mean of no items is NaN, with a warning.
    warnings.simplefilter("ignore")
    recs = pd.DataFrame(tables["recs"], columns=["user_id", "item_id", "score"])
    recs = recs.sort_values("score", ascending=False, kind="stable")
    truth = pd.DataFrame(tables["truth"], columns=["user_id", "item_id", "relevance"])
    history = pd.DataFrame(tables["history"], columns=["user_id", "item_id"])
    items = pd.DataFrame(tables["items"], columns=["item_id", "category"])
    catalog = sorted(items["item_id"].unique())
    aspects = [sorted(group) for _, group in sorted(items.groupby("category")["item_id"])]
    by_user = {user: aspects for user in truth["user_id"].unique()}
    result = {"coverage": rs_metrics.coverage(catalog, recs)}
    for k in CUTOFFS:
        for name in NAMES:
            result[f"{name}@{k}"] = getattr(rs_metrics, name)(truth, recs, k=k)
        result[f"popularity@{k}"] = rs_metrics.popularity(history, recs, k=k)
        result[f"surprisal@{k}"] = rs_metrics.surprisal(history, recs, k=k)
        result[f"coverage@{k}"] = rs_metrics.coverage(catalog, recs, k=k)
        result[f"a_ndcg@{k}"] = rs_metrics.a_ndcg(truth, recs, by_user, k=k)
        for alpha in (0, 1):
            result[f"a_ndcg alpha={alpha}@{k}"] = rs_metrics.a_ndcg(
                truth, recs, by_user, k=k, alpha=alpha
            )
    return result
