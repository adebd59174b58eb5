"""LensKit 2025.8.1: a RunAnalysis of the recs, measured against the truth.

The recs are an item list for each user, by descending score, ties in row order, with ranks. The
truth is an item list for each user, with relevance as rating. The value of a list metric is the
mean of list_summary(), with the metric's default for missing values; the value of a metric of the
whole run is in global_metrics(). The history is the data of MeanPopRank, the number of items is an
argument of the Ginis, and rank_biased_overlap compares with the baseline, over users with both
lists. entropy reads 1 if an item has the category, else 0, and is averaged over lists. RMSE and MAE
ignore missing values, since they fail otherwise.
"""

import contextlib
import logging
import warnings

import numpy as np
import pandas as pd
from lenskit.data import ItemListCollection, from_interactions_df
from lenskit.metrics import (
    DCG,
    MAE,
    NDCG,
    RBP,
    RMSE,
    ExposureGini,
    Hit,
    ListGini,
    LogRankWeight,
    MeanPopRank,
    Precision,
    Recall,
    RecipRank,
    RunAnalysis,
    entropy,
    rank_biased_overlap,
)
from lenskit.metrics.ranking import AveragePrecision
from tables import CUTOFFS

LIBRARY = "lenskit"
REQUIREMENTS = """
    lenskit==2025.8.1 torch==2.13.0 numpy==2.4.6 pandas==2.3.3 pyarrow==26.0.1 scipy==1.17.1
"""

LISTS = {
    "Hit": Hit,
    "Precision": Precision,
    "Recall": Recall,
    "RecipRank": RecipRank,
    "AveragePrecision": AveragePrecision,
    "DCG": DCG,
    "DCG gain": lambda **n: DCG(gain="rating", **n),
    "DCG offset": lambda **n: DCG(weight=LogRankWeight(offset=1), **n),
    "NDCG": NDCG,
    "NDCG gain": lambda **n: NDCG(gain="rating", **n),
    "NDCG offset": lambda **n: NDCG(weight=LogRankWeight(offset=1), **n),
    "NDCG offset gain": lambda **n: NDCG(weight=LogRankWeight(offset=1), gain="rating", **n),
    "RBP": RBP,
    "RBP normalize": lambda **n: RBP(normalize=True, **n),
}


def values(tables):
    logging.getLogger("lenskit").setLevel(logging.ERROR)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _values(tables)


def _values(tables):
    recs = _lists(tables["recs"])
    truth = pd.DataFrame(tables["truth"], columns=["user_id", "item_id", "rating"])
    truth = ItemListCollection.from_df(truth, ["user_id"])
    history = pd.DataFrame(tables["history"], columns=["user_id", "item_id"])
    history = from_interactions_df(history)
    items = len({item for item, _ in tables["items"]})

    results = {}
    for n in (None, *CUTOFFS):
        at = "" if n is None else f"@{n}"
        for name, metric in LISTS.items():
            # For a user without truth, AveragePrecision divides by zero, and gains are missing.
            with contextlib.suppress(ZeroDivisionError, KeyError):
                results[name + at] = _mean(metric(n=n), recs, truth)
        results["MeanPopRank" + at] = _mean(MeanPopRank(history, n=n), recs, truth)
        for name, metric in (
            ("ListGini", ListGini(n=n, items=items)),
            ("ExposureGini", ExposureGini(n=n, items=items)),
            ("ExposureGini offset", ExposureGini(n=n, items=items, weight=LogRankWeight(offset=1))),
        ):
            results[name + at] = RunAnalysis(metric).measure(recs, truth).global_metrics().iloc[0]
        results["entropy" + at] = _entropy(recs, tables["items"], n)
        if n is not None:
            results["rank_biased_overlap" + at] = _overlap(recs, _lists(tables["baseline"]), n)
    for name, metric in (("RMSE", RMSE), ("MAE", MAE)):
        analysis = RunAnalysis(metric(missing_scores="ignore", missing_truth="ignore"))
        # It fails for a user without truth, and MAE for a user without an item in both tables.
        try:
            result = analysis.measure(recs, truth)
        except (AssertionError, AttributeError):
            continue
        results[name] = result.list_summary()["mean"].iloc[0]
        # It is NaN if a list has no item that is in both tables.
        whole = result.global_metrics().iloc[0]
        if not np.isnan(whole):
            results[f"{name} global"] = whole
    return results


def _lists(rows):
    frame = pd.DataFrame(rows, columns=["user_id", "item_id", "score"])
    frame = frame.sort_values("score", ascending=False, kind="stable")
    frame["rank"] = frame.groupby("user_id").cumcount() + 1
    return ItemListCollection.from_df(frame, ["user_id"])


def _mean(metric, recs, truth):
    return RunAnalysis(metric).measure(recs, truth).list_summary()["mean"].iloc[0]


def _entropy(recs, items, n):
    names = sorted({name for _, name in items})
    pairs = set(items)
    results = []
    for ranked in recs.lists():
        matrix = [[float((item, name) in pairs) for name in names] for item in ranked.ids()]
        results.append(entropy(ranked, np.array(matrix), n=n))
    return np.mean(results)


def _overlap(recs, baseline, n):
    pairs = [(baseline.lookup(key), ranked) for key, ranked in recs]
    return np.mean([rank_biased_overlap(old, new, n=n) for old, new in pairs if old is not None])
