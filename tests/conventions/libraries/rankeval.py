"""RankEval 0.8.2: its values.

A Dataset has a document for each row of recs, whose label is the relevance in the truth, or 0. It
also has a document for each item of the truth that is not in the user's list, with a score below
all others, in order of items, because RankEval scores all documents of a query. Queries are the
users of both tables. A repeated item of the truth is one item; a repeated item of a list is a
document each time. MSE, RMSE and the correlations read the documents that are in both tables. P and
PrecisionMax have a value at cutoffs that all queries reach.

RankEval does not define the order of equal scores, so values that change with the order of rows are
excluded. It computes in single precision. Here double precision replaces it, which changes only
digits after the sixth. The source has to be built, with the packages in BEFORE; Kendalltau fails
from scipy 1.14 on.
"""

from unittest.mock import patch

import numpy as np
from rankeval.dataset.dataset import Dataset
from rankeval.metrics.dcg import DCG
from rankeval.metrics.err import ERR
from rankeval.metrics.kendall_tau import Kendalltau
from rankeval.metrics.map import MAP
from rankeval.metrics.mrr import MRR
from rankeval.metrics.mse import MSE
from rankeval.metrics.ndcg import NDCG
from rankeval.metrics.pfound import Pfound
from rankeval.metrics.precision import Precision
from rankeval.metrics.precision_max import PrecisionMax
from rankeval.metrics.rbp import RBP
from rankeval.metrics.recall import Recall
from rankeval.metrics.rmse import RMSE
from rankeval.metrics.spearman_rho import SpearmanRho
from shapes import documents, shuffled, unchanged
from tables import CUTOFFS

LIBRARY = "rankeval"
BEFORE = "setuptools<58 wheel cython<3 numpy==1.23.5 scipy==1.13.1 six==1.17.0"
REQUIREMENTS = "--no-build-isolation --no-deps rankeval==0.8.2"

METRICS = {
    "P": Precision,
    "P threshold=2": lambda **cut: Precision(threshold=2, **cut),
    "PrecisionMax": PrecisionMax,
    "R": Recall,
    "R threshold=2": lambda **cut: Recall(threshold=2, **cut),
    "MRR": MRR,
    "MRR threshold=2": lambda **cut: MRR(threshold=2, **cut),
    "MAP": MAP,
    "MAP no_relevant_results=0": lambda **cut: MAP(no_relevant_results=0.0, **cut),
    "NDCG": NDCG,
    "NDCG no_relevant_results=0": lambda **cut: NDCG(no_relevant_results=0.0, **cut),
    "NDCG implementation=flat": lambda **cut: NDCG(implementation="flat", **cut),
    "DCG": DCG,
    "DCG implementation=exp": lambda **cut: DCG(implementation="exp", **cut),
    "ERR": ERR,
    "Pfound": Pfound,
    "Pfound p_abandonment=0.5": lambda **cut: Pfound(p_abandonment=0.5, **cut),
    "RBP": RBP,
    "RBP p=0.8": lambda **cut: RBP(p=0.8, **cut),
}
# Metrics that divide by the number of documents within the cutoff.
OF_RANKS = (METRICS["P"], METRICS["P threshold=2"], PrecisionMax)


def values(tables):
    truth = {(user, item): relevance for user, item, relevance in tables["truth"]}
    rows = documents(tables)
    both = [
        (user, score, truth[user, item])
        for user, item, score in tables["recs"]
        if (user, item) in truth
    ]
    with patch.object(np, "float32", np.float64):
        result = _found(rows, METRICS) | _rated(both)
        return unchanged(result, (_found(mixed, METRICS) for mixed in shuffled(rows)))


def _found(rows, metrics):
    data, scores = _dataset(rows)
    fewest = min(data.get_query_sizes())
    result = {}
    for name, metric in metrics.items():
        for k in (None, *CUTOFFS):
            if metric in OF_RANKS and (k is None or k > fewest):
                continue
            result[name if k is None else f"{name}@{k}"] = metric(cutoff=k).eval(data, scores)[0]
    return result


def _rated(rows):
    data, scores = _dataset(rows)
    rated = {"MSE": MSE(), "RMSE": RMSE(), "Kendalltau": Kendalltau(), "SpearmanRho": SpearmanRho()}
    return {name: metric.eval(data, scores)[0] for name, metric in rated.items()}


def _dataset(rows):
    users = sorted({user for user, *_ in rows})
    rows = sorted(rows, key=lambda row: row[0])
    labels = np.array([grade for *_, grade in rows], dtype=float)
    queries = np.array([users.index(user) for user, *_ in rows])
    scores = np.array([score for _, score, _ in rows])
    return Dataset(np.zeros((len(rows), 1)), labels, queries), scores
