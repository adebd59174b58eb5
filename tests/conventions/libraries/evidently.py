"""evidently 0.7.23: values of a Report.

The Report reads ranks, not scores: evidently gives items with equal scores the mean of their
ranks, truncated to an integer, while ranks define an order. The data have a row for each row of
recs, in order of rank, with the relevance of the truth as target, or 0. Metrics that read the truth
also get a row for each relevant item that is not in the list, at a rank below every cutoff;
otherwise recall and NDCG would not count these items. A repeated item of the truth is one item, and
a repeated item of a list is a row each time. The history is the training data, and the categories
are features of items, 1 or 0.

If a list has fewer than k ranks, MAP adds the precision of its last rank for each missing rank. If
the last rank is a hit, MAP has no value here. FBetaTopK has no value if no user has a hit, because
it returns NaN. evidently has no values for a k above its longest list.

Only ScoreDistribution reads scores. Items with equal scores have the mean of their ranks, so it has
no value here if the ranks within k differ from those of the lists.
"""

import contextlib
import logging
import warnings

import numpy as np
import pandas as pd
from evidently import DataDefinition, Dataset, Recsys, Report
from evidently.metrics import (
    MAP,
    MRR,
    NDCG,
    Diversity,
    FBetaTopK,
    HitRate,
    Novelty,
    Personalization,
    PopularityBiasMetric,
    PrecisionTopK,
    RecallTopK,
    ScoreDistribution,
    Serendipity,
)
from tables import CATEGORIES, CUTOFFS

LIBRARY = "evidently"
REQUIREMENTS = "evidently==0.7.23 numpy==2.4.6 pandas==2.3.3 scipy==1.17.1 scikit-learn==1.9.1"

BELOW = 1000
JUDGED = {
    "PrecisionTopK": PrecisionTopK,
    "RecallTopK": RecallTopK,
    "FBetaTopK": FBetaTopK,
    "FBetaTopK beta=2": lambda **options: FBetaTopK(beta=2, **options),
    "MAP": MAP,
    "MRR": MRR,
    "HitRate": HitRate,
    "NDCG": NDCG,
}
# Metrics that are computed from two means.
OF_MEANS = ("FBetaTopK", "FBetaTopK beta=2")
WAYS = {
    "": {},
    " no_feedback_users": {"no_feedback_users": True},
    " min_rel_score=2": {"min_rel_score": 2},
}
SHOWN = {
    "Personalization": Personalization,
    "Novelty": Novelty,
    "PopularityBiasMetric": PopularityBiasMetric,
    "PopularityBiasMetric normalize_arp": lambda k: PopularityBiasMetric(k=k, normalize_arp=True),
    "PopularityBiasMetric coverage": lambda k: PopularityBiasMetric(k=k, metric="coverage"),
    "PopularityBiasMetric gini": lambda k: PopularityBiasMetric(k=k, metric="gini"),
    "Diversity": lambda k: Diversity(k=k, item_features=CATEGORIES),
    "Serendipity": lambda k: Serendipity(k=k, item_features=CATEGORIES),
}


def values(tables):
    logging.disable(logging.WARNING)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _values(tables)


def _values(tables):
    truth = {(user, item): relevance for user, item, relevance in tables["truth"]}
    ranked, lengths = [], {}
    for user, item, _ in sorted(tables["recs"], key=lambda row: -row[2]):
        lengths[user] = lengths.get(user, 0) + 1
        ranked.append((user, item, lengths[user], truth.get((user, item), 0)))
    shown = {row[:2] for row in ranked}
    described = set(tables["items"])
    listed = _dataset(ranked, described)
    scored = _dataset([(*row, 0) for row in tables["recs"]], described, by="score")
    history = _frame(tables["history"], ["user_id", "item_id"], described)

    result = {}
    for way, options in WAYS.items():
        wanted = options.get("min_rel_score", 1)
        # It fails if no user has a relevant item.
        if max(truth.values()) >= wanted:
            lacking = [
                (*key, BELOW, grade)
                for key, grade in truth.items()
                if key not in shown and grade >= wanted
            ]
            judged = _dataset(ranked + lacking, described)
            for k in CUTOFFS:
                again = _counted_again(ranked, lengths, k, wanted)
                result |= _judged(judged, k, way, options, again)
    for k in CUTOFFS:
        for name, metric in SHOWN.items():
            result[f"{name}@{k}"] = _metric_value(metric(k=k), listed, history)
        if _is_cut_alike(tables["recs"], k):
            result[f"ScoreDistribution@{k}"] = _metric_value(ScoreDistribution(k=k), scored)
    return result


def _is_cut_alike(recs, k):
    users = pd.DataFrame(recs, columns=["user_id", "item_id", "score"]).groupby("user_id")["score"]
    ranks = [users.rank(ascending=False, method=method) <= k for method in ("average", "first")]
    return ranks[0].equals(ranks[1])


def _judged(judged, k, way, options, again):
    result = {}
    for name, metric in JUDGED.items():
        if (name == "MAP" and again) or (name in OF_MEANS and way == " no_feedback_users"):
            continue
        # It fails for a k above its longest list.
        with contextlib.suppress(KeyError):
            value = _metric_value(metric(k=k, **options), judged)["value"].iloc[k - 1]
            if name not in OF_MEANS or not np.isnan(value):
                result[f"{name}{way}@{k}"] = value
    return result


def _counted_again(ranked, lengths, k, wanted):
    return any(
        lengths[user] == rank and rank < k and grade >= wanted for user, _, rank, grade in ranked
    )


def _frame(rows, columns, described):
    frame = pd.DataFrame(rows, columns=columns)
    for name in CATEGORIES:
        frame[name] = [int((item, name) in described) for item in frame["item_id"]]
    return frame


def _dataset(rows, described, by="rank"):
    frame = _frame(rows, ["user_id", "item_id", "prediction", "target"], described)
    ranking = Recsys(recommendations_type=by)
    return Dataset.from_pandas(frame, DataDefinition(ranking=[ranking]))


def _metric_value(metric, data, history=None):
    inputs = None if history is None else {"current_train_data": history}
    (value,) = Report([metric]).run(data, additional_data=inputs).metric_results.values()
    return value.value
