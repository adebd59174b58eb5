"""MLflow 3.17.2: values of its metrics of retrievers.

Each user of the truth is a row; the retrieved items are the items of the list, or none without a
list.
"""

import pandas as pd
from mlflow.metrics import ndcg_at_k, precision_at_k, recall_at_k
from shapes import lists, wanted
from tables import CUTOFFS

LIBRARY = "mlflow-skinny"
REQUIREMENTS = "mlflow-skinny==3.17.2 pandas==2.3.3 numpy==2.4.6 scikit-learn"


def values(tables):
    shown, relevant = lists(tables, str), wanted(tables, str)
    users = sorted(relevant)
    retrieved = pd.Series([shown.get(user, []) for user in users])
    relevant = pd.Series([relevant[user] for user in users])
    return {
        f"{metric.__name__}@{k}": metric(k).eval_fn(retrieved, relevant).aggregate_results["mean"]
        for metric in (precision_at_k, recall_at_k, ndcg_at_k)
        for k in CUTOFFS
    }
