"""ml_metrics 0.1.4, whose apk and mapk are Kaggle's metrics: its values.

mapk reads, for each user of the truth, the items with a relevance above 0 as `actual`, each as
often as in the truth, and the items of the list as `predicted`, by descending score, in row order
if scores are equal; the list is empty for a user without one. kdd_mapk reads the same. rmse, mae,
mse, auc and log_loss read the rows of recs and truth with the same user and item, the last two with
relevance > 0 as `actual`. log_loss has a value if all scores are probabilities between 0 and 1.
"""

import ml_metrics
from shapes import lists, rated
from tables import CUTOFFS

LIBRARY = "ml_metrics"
# Its source is for Python 2; the build translates it.
BEFORE = "setuptools<58 wheel numpy==2.4.6 pandas==2.3.3"
REQUIREMENTS = "--no-build-isolation ml_metrics==0.1.4"


def values(tables):
    shown, wanted = lists(tables), {}
    for user, item, relevance in tables["truth"]:
        wanted.setdefault(user, []).extend([item] if relevance > 0 else [])
    users = sorted(wanted)
    actual = [wanted[user] for user in users]
    predicted = [shown.get(user, []) for user in users]
    result = {}
    for k in CUTOFFS:
        result[f"mapk@{k}"] = ml_metrics.mapk(actual, predicted, k)
        result[f"kdd_mapk@{k}"] = ml_metrics.kdd_mapk(actual, predicted, k)
    return result | _rated(tables)


def _rated(tables):
    _, predicted, actual = map(list, zip(*rated(tables), strict=True))
    result = {name: getattr(ml_metrics, name)(actual, predicted) for name in ("rmse", "mae", "mse")}
    relevant = [int(grade > 0) for grade in actual]
    if len({*relevant}) > 1:
        result["auc"] = ml_metrics.auc(relevant, predicted)
    if min(predicted) > 0 and max(predicted) < 1:
        result["log_loss"] = ml_metrics.log_loss(relevant, predicted)
    return result
