"""RecBole 1.2.1: values by its Collector and Evaluator.

RecBole's Collector reads a matrix of scores, as in a full-sort evaluation: a row for each user of
the truth, a column for each item of `items` and one for the padding item. Every row of the truth is
a positive regardless of its relevance, as in RecBole's test sets. Items that are not in a list come
below it, the positives last, so that a short list is continued with misses. The data do not define
which misses, so the metrics of listed items are excluded for short lists.

GAUC has two forms: over all items, where items not in the list are tied below it, and "GAUC
sampled" over the list and the truth, as with sampled negatives. `history` is the training set.
Items have their internal numbers in order of item, as from sorted files. AUC, MAE, RMSE and LogLoss
read the rows of the truth with a score. Their label is the relevance; for AUC and LogLoss it is 1
if the relevance is above 0.

RecBole has one score for a user and an item: lists with repeated items have no values. Values are
not rounded to four digits, which is only the default of metric_decimal_place.
"""

import logging

import numpy as np

# As in RecBole's Config: its metrics use names that NumPy has removed.
np.bool, np.float = np.bool_, np.float64

import torch  # noqa: E402
from recbole.evaluator import Collector, Evaluator  # noqa: E402
from shapes import renumbered, unchanged  # noqa: E402
from tables import CUTOFFS  # noqa: E402

LIBRARY = "recbole"
# The requirements of RecBole's evaluator, without the requirements of training and tuning.
REQUIREMENTS = """
    --no-deps recbole==1.2.1 torch==2.13.0 numpy==1.26.4 pandas==2.2.3 scikit-learn==1.5.2
    scipy==1.13.1 joblib==1.4.2 threadpoolctl==3.5.0 tensorboard==2.21.0 protobuf absl-py grpcio
    markdown werkzeug tensorboard-data-server colorlog==4.7.2 colorama==0.4.4 texttable==1.7.0 thop
    tqdm pyyaml psutil packaging python-dateutil pytz six tzdata filelock typing-extensions sympy
    networkx jinja2 fsspec mpmath markupsafe
"""

LISTS = ["Recall", "Precision", "Hit", "MRR", "MAP", "NDCG"]
SHOWN = ["ItemCoverage", "AveragePopularity", "ShannonEntropy", "GiniIndex", "TailPercentage"]
# A share of the items, by default 0.1, or the maximum number of events of an item of the tail.
TAILS = [0.2, 3]


def values(tables):
    logging.disable(logging.WARNING)
    recs, truth = tables["recs"], tables["truth"]
    scores = {(user, item): score for user, item, score in recs}
    if len(scores) < len(recs):
        return {}
    items = sorted({item for item, _ in tables["items"]})
    users = sorted({user for user, *_ in truth})
    positives = {(user, item) for user, item, _ in truth}
    result = _ranked(LISTS, tables, users, items, scores, positives)
    result |= _of_labels(["MAE", "RMSE"], scores, truth)
    binary = [(user, item, int(relevance > 0)) for user, item, relevance in truth]
    result |= _of_labels(["AUC", "LogLoss"], scores, binary)
    mixed = (
        _ranked(LISTS, tables, users, numbers, scores, positives) for numbers in renumbered(items)
    )
    result = unchanged(result, mixed)
    shown = _ranked(SHOWN, tables, users, items, scores, positives)
    for tail in TAILS:
        other = _ranked(["TailPercentage"], tables, users, items, scores, positives, tail=tail)
        shown |= {f"TailPercentage tail_ratio={tail}@{k.split('@')[1]}": other[k] for k in other}
    defined = {f"@{k}" for k in CUTOFFS if _defined(users, scores, k)}
    result |= {key: shown[key] for key in shown if key[key.index("@") :] in defined}
    result |= _ranked(["GAUC"], tables, users, items, scores, positives, tied=True)
    sampled = _ranked(["GAUC"], tables, users, items, scores, positives, tied=True, sampled=True)
    return result | {"GAUC sampled": sampled["GAUC"]}


def _ranked(
    metrics, tables, users, items, scores, positives, *, tied=False, sampled=False, tail=None
):
    number = {item: number for number, item in enumerate(items, 1)}
    low = min(scores.values())
    matrix = torch.full((len(users), len(items) + 1), -torch.inf, dtype=torch.float64)
    for row, user in enumerate(users):
        for item in items:
            positive = (user, item) in positives
            if (user, item) in scores:
                matrix[row, number[item]] = scores[user, item]
            elif not sampled or positive:
                matrix[row, number[item]] = low - (2 if positive and not tied else 1)
    config = _config(metrics, tail_ratio=tail)
    collector = Collector(config)
    data = collector.data_struct
    # With the padding item, as in RecBole's own count.
    data.set("data.num_items", len(items) + 1)
    counts = {}
    for _, item in tables["history"]:
        counts[number[item]] = counts.get(number[item], 0) + 1
    data.set("data.count_items", counts)
    rows = [(users.index(user), number[item]) for user, item in sorted(positives)]
    collector.eval_batch_collect(matrix, None, *map(torch.tensor, zip(*rows, strict=True)))
    return _named(metrics, Evaluator(config).evaluate(data))


def _of_labels(metrics, scores, truth):
    rated = [(scores[row[:2]], row[2]) for row in truth if row[:2] in scores]
    predicted, labels = torch.tensor(rated, dtype=torch.float64).T
    config = _config(metrics)
    collector = Collector(config)
    collector.eval_batch_collect(predicted, {"label": labels}, None, None)
    return _named(metrics, Evaluator(config).evaluate(collector.get_data_struct()))


def _config(metrics, **options):
    return {
        "metrics": metrics,
        "topk": list(CUTOFFS),
        "metric_decimal_place": 15,
        "tail_ratio": None,
        "eval_args": {"mode": {"test": "full"}},
        "device": "cpu",
        "LABEL_FIELD": "label",
    } | options


def _named(metrics, result):
    # RecBole returns names in lower case.
    names = {metric.lower(): metric for metric in metrics}
    return {key.replace(key.split("@")[0], names[key.split("@")[0]]): result[key] for key in result}


def _defined(users, scores, k):
    for user in users:
        own = sorted((score for (of, _), score in scores.items() if of == user), reverse=True)
        if len(own) < k or (len(own) > k and own[k - 1] == own[k]):
            return False
    return True
