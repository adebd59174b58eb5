"""MLflow 3.17.2's metrics of retrievers: how their values are found.

Each user of the truth is a row, with the items of the list as what was retrieved, none
without a list.
"""

import pandas as pd
from mlflow.metrics import ndcg_at_k, precision_at_k, recall_at_k
from tables import CUTOFFS

LIBRARY = "mlflow-skinny"
REQUIREMENTS = "mlflow-skinny==3.17.2 pandas==2.3.3 numpy==2.4.6 scikit-learn"


def values(tables):
    lists, wanted = {}, {}
    for user, item, _ in sorted(tables["recs"], key=lambda row: -row[2]):
        lists.setdefault(user, []).append(str(item))
    for user, item, _ in tables["truth"]:
        wanted.setdefault(user, []).append(str(item))
    users = sorted(wanted)
    retrieved = pd.Series([lists.get(user, []) for user in users])
    relevant = pd.Series([wanted[user] for user in users])
    return {
        f"{metric.__name__}@{k}": metric(k).eval_fn(retrieved, relevant).aggregate_results["mean"]
        for metric in (precision_at_k, recall_at_k, ndcg_at_k)
        for k in CUTOFFS
    }
