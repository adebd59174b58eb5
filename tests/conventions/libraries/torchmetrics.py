"""torchmetrics 1.9.0: its values.

The data have a row for each row of recs, whose target is the relevance in the truth, or 0, and a
row for each item of the truth that is not in the user's list, with a score below all others;
otherwise recall and NDCG would not count these items. Targets are relevance > 0; for NDCG, the
relevance. RetrievalFallOut is a share of all irrelevant items, so its data also have the items that
are in neither list nor truth, and a list with repeated items has no value. RetrievalAUROC, and
RetrievalPrecision without top_k, read only lists and relevant items. With top_k, RetrievalAUROC has
no value if a list is shorter, because further items would be added to it. Users are those of both
tables. A repeated item of the truth is one item; a repeated item of a list is a row each time.

torchmetrics converts all scores to single precision and computes most values in it. Here double
precision replaces it, which changes only digits after the sixth.
"""

from collections import Counter

import torch
from shapes import double_precision, shuffled, unchanged
from tables import CUTOFFS
from torchmetrics import retrieval

LIBRARY = "torchmetrics"
REQUIREMENTS = "torchmetrics==1.9.0 torch==2.13.0 numpy==2.4.6"

METRICS = {
    "RetrievalMAP": retrieval.RetrievalMAP,
    "RetrievalMRR": retrieval.RetrievalMRR,
    "RetrievalPrecision": retrieval.RetrievalPrecision,
    "RetrievalRecall": retrieval.RetrievalRecall,
    "RetrievalHitRate": retrieval.RetrievalHitRate,
    "RetrievalNormalizedDCG": retrieval.RetrievalNormalizedDCG,
}


def values(tables):
    truth = {(user, item): relevance for user, item, relevance in tables["truth"]}
    shown = {(user, item) for user, item, _ in tables["recs"]}
    low = min(score for *_, score in tables["recs"]) - 1
    rows = [(user, score, truth.get((user, item), 0)) for user, item, score in tables["recs"]]
    rows += [(key[0], low, relevance) for key, relevance in truth.items() if key not in shown]
    result = _in_any_order(_values, rows)
    result |= _in_any_order(_lists, [row for row in rows if row[1] > low or row[2] > 0])
    lengths = Counter(user for user, *_ in tables["recs"])
    for k in CUTOFFS:
        if min(lengths.values()) < k:
            result.pop(f"RetrievalAUROC top_k@{k}", None)
    if len(shown) == len(tables["recs"]):
        users = {user for user, _ in {*shown, *truth}}
        items = {item for item, _ in tables["items"]}
        rest = {(user, item) for user in users for item in items} - {*shown, *truth}
        result |= _in_any_order(_fall_out, rows + [(user, low, 0) for user, _ in sorted(rest)])
    return result


def _in_any_order(values, rows):
    with double_precision(torch):
        return unchanged(values(rows), map(values, shuffled(rows)))


def _lists(rows):
    metrics = {f"RetrievalAUROC top_k@{k}": retrieval.RetrievalAUROC(top_k=k) for k in CUTOFFS}
    metrics["RetrievalAUROC"] = retrieval.RetrievalAUROC()
    metrics["RetrievalPrecision"] = retrieval.RetrievalPrecision()
    return _computed(metrics, rows)


def _fall_out(rows):
    metrics = {f"RetrievalFallOut@{k}": retrieval.RetrievalFallOut(top_k=k) for k in CUTOFFS}
    return _computed({"RetrievalFallOut": retrieval.RetrievalFallOut()} | metrics, rows)


def _values(rows):
    metrics = {}
    for name, metric in METRICS.items():
        metrics[name] = metric()
        metrics |= {f"{name}@{k}": metric(top_k=k) for k in CUTOFFS}
    for k in CUTOFFS:
        precision = retrieval.RetrievalPrecision(top_k=k, adaptive_k=True)
        metrics[f"RetrievalPrecision adaptive_k@{k}"] = precision
    metrics["RetrievalRPrecision"] = retrieval.RetrievalRPrecision()
    return _computed(metrics, rows)


def _computed(metrics, rows):
    users = sorted({user for user, *_ in rows})
    indexes = torch.tensor([users.index(user) for user, *_ in rows])
    scores = torch.tensor([score for _, score, _ in rows], dtype=torch.float64)
    graded = torch.tensor([relevance for *_, relevance in rows])
    result = {}
    for key, metric in metrics.items():
        target = graded if metric.allow_non_binary_target else (graded > 0).long()
        metric.update(scores, target, indexes)
        result[key] = metric.compute().item()
    return result
