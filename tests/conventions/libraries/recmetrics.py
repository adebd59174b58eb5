"""recmetrics 0.1.5: its values.

It reads two lists of lists, so its users are those of the truth with a list. Lists are cut at k by
its own loops if a metric has a k, and before the call otherwise. Personalization requires lists of
equal length.
"""

import warnings

import pandas as pd
from recmetrics import metrics
from shapes import lists, wanted
from tables import CUTOFFS

LIBRARY = "recmetrics"
REQUIREMENTS = """
    --no-deps recmetrics==0.1.5 pandas==2.3.3 numpy==2.4.6 scipy scikit-learn matplotlib seaborn
    plotly funcsigs python-dateutil pytz tzdata six joblib threadpoolctl narwhals cloudpickle
    contourpy cycler fonttools kiwisolver packaging pillow pyparsing
"""


def values(tables):
    warnings.simplefilter("ignore")
    shown, relevant = lists(tables), wanted(tables)
    both = [user for user in sorted(relevant) if user in shown]
    had = {}
    for _, item in tables["history"]:
        had[item] = had.get(item, 0) + 1
    users = len({user for user, _ in tables["history"]})
    items = sorted({item for item, _ in tables["items"]})
    features = pd.crosstab(*map(pd.Series, zip(*tables["items"], strict=True))).clip(upper=1)
    result = {}
    for k in CUTOFFS:
        result[f"mark@{k}"] = metrics.mark(
            [relevant[user] for user in both], [shown[user] for user in both], k
        )
        cut = [one[:k] for _, one in sorted(shown.items())]
        if all(item in had for one in cut for item in one):
            result[f"novelty@{k}"] = metrics.novelty(cut, had, users, k)[0]
        result[f"prediction_coverage@{k}"] = metrics.prediction_coverage(cut, items)
        pairs = [shown[user][:k] for user in both], [relevant[user] for user in both]
        for name in ("recommender_precision", "recommender_recall"):
            result[f"{name}@{k}"] = getattr(metrics, name)(*pairs)
        if min(map(len, cut)) > 1:
            result[f"intra_list_similarity@{k}"] = metrics.intra_list_similarity(cut, features)
        if {len(one) for one in cut} == {k} == {len(set(one)) for one in cut}:
            result[f"personalization@{k}"] = metrics.personalization(cut)
    scores = {(user, item): score for user, item, score in tables["recs"]}
    if len(scores) == len(tables["recs"]):
        rated = [
            (grade, scores[user, item])
            for user, item, grade in tables["truth"]
            if (user, item) in scores
        ]
        for name in ("mse", "rmse"):
            result[name] = getattr(metrics, name)(*map(list, zip(*rated, strict=True)))
    return result
