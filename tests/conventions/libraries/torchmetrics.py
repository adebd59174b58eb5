"""torchmetrics 1.9.0: how its values are found.

A row for each row of recs, with the relevance from the truth as target or 0, and one for each item
of the truth that the user's list has not, with a score below all others: without those, recall and
NDCG would know nothing of them. Targets are relevance > 0, but for NDCG, which takes the relevance
itself. Users are those of both tables. An item that the truth names again is one item; an item that
a list names again is a row for each.

torchmetrics turns all scores into single precision and finds most values in it. Here it has double
precision in its place, which changes nothing but the digits behind the sixth.
"""

from __future__ import annotations

from contextlib import contextmanager
from random import Random
from unittest.mock import patch

import torch
from tables import CUTOFFS
from torchmetrics import retrieval

LIBRARY = "torchmetrics"
REQUIREMENTS = ["torchmetrics==1.9.0", "torch==2.13.0", "numpy==2.4.6"]

METRICS = {
    "RetrievalMAP": retrieval.RetrievalMAP,
    "RetrievalMRR": retrieval.RetrievalMRR,
    "RetrievalPrecision": retrieval.RetrievalPrecision,
    "RetrievalRecall": retrieval.RetrievalRecall,
    "RetrievalHitRate": retrieval.RetrievalHitRate,
    "RetrievalFallOut": retrieval.RetrievalFallOut,
    "RetrievalNormalizedDCG": retrieval.RetrievalNormalizedDCG,
    "RetrievalAUROC": retrieval.RetrievalAUROC,
}


def values(tables):
    truth = {(user, item): relevance for user, item, relevance in tables["truth"]}
    shown = {(user, item) for user, item, _ in tables["recs"]}
    low = min(score for *_, score in tables["recs"]) - 1
    rows = [(user, score, truth.get((user, item), 0)) for user, item, score in tables["recs"]]
    rows += [(key[0], low, relevance) for key, relevance in truth.items() if key not in shown]
    with _double():
        found = _values(rows)
        # What differs with rows in another order is due to ties, whose order is chance.
        for seed in range(20):
            Random(seed).shuffle(rows)
            again = _values(rows)
            found = {key: value for key, value in found.items() if abs(again[key] - value) < 1e-12}
    return found


def _values(rows):
    users = sorted({user for user, *_ in rows})
    indexes = torch.tensor([users.index(user) for user, *_ in rows])
    scores = torch.tensor([score for _, score, _ in rows], dtype=torch.float64)
    graded = torch.tensor([relevance for *_, relevance in rows])
    metrics = {}
    for name, metric in METRICS.items():
        metrics[name] = metric()
        metrics |= {f"{name}@{k}": metric(top_k=k) for k in CUTOFFS}
    for k in CUTOFFS:
        precision = retrieval.RetrievalPrecision(top_k=k, adaptive_k=True)
        metrics[f"RetrievalPrecision adaptive_k@{k}"] = precision
    metrics["RetrievalRPrecision"] = retrieval.RetrievalRPrecision()
    found = {}
    for key, metric in metrics.items():
        target = graded if metric.allow_non_binary_target else (graded > 0).long()
        metric.update(scores, target, indexes)
        found[key] = metric.compute().item()
    return found


@contextmanager
def _double():
    single = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        with (
            patch.object(torch, "float32", torch.float64),
            patch.object(torch.Tensor, "float", torch.Tensor.double),
        ):
            yield
    finally:
        torch.set_default_dtype(single)
