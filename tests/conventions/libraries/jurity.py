"""Jurity 2.1.0: values of its metrics.

Recs and truth are its predicted and actual results: the click column contains the score and the
relevance. AUC requires two values of clicks, so its clicks are relevance > 0. IPS and DR have
Jurity's default propensity, from the number of items of the truth. The features of
IntraListDiversity are the categories, each 0 or 1. Diversities read all users, not samples.
"""

import warnings

import pandas as pd
from jurity.recommenders import BinaryRecoMetrics, DiversityRecoMetrics, RankingRecoMetrics
from jurity.utils import get_sorted_clicks
from tables import CATEGORIES, CUTOFFS

LIBRARY = "jurity"
# From pandas 3 on, IPS and DR are NaN and MAP fails.
REQUIREMENTS = "jurity==2.1.0 pandas==2.3.3 numpy==2.2.6 scikit-learn==1.7.2"


def values(tables):
    warnings.simplefilter("ignore")
    columns = ["user_id", "item_id", "clicks"]
    recs = pd.DataFrame(tables["recs"], columns=columns)
    truth = pd.DataFrame(tables["truth"], columns=columns)
    binary = truth.assign(clicks=(truth["clicks"] > 0).astype(int))
    features = _features(tables["items"])
    result = {}
    for k in (None, *CUTOFFS):
        options = {"click_column": "clicks", "k": k}
        # Its metrics, and whether they depend on the order within the first k ranks.
        metrics = {
            "AUC": (BinaryRecoMetrics.AUC(**options), False),
            "CTR": (BinaryRecoMetrics.CTR(**options), False),
            "IPS": (BinaryRecoMetrics.CTR(**options, estimation="ips"), False),
            "DR": (BinaryRecoMetrics.CTR(**options, estimation="dr"), False),
            "Precision": (RankingRecoMetrics.Precision(**options), False),
            "Recall": (RankingRecoMetrics.Recall(**options), False),
            "MAP": (RankingRecoMetrics.MAP(**options), True),
            "NDCG": (RankingRecoMetrics.NDCG(**options), True),
            "InterListDiversity": (
                DiversityRecoMetrics.InterListDiversity(**options, user_sample_size=None),
                False,
            ),
            "IntraListDiversity": (
                DiversityRecoMetrics.IntraListDiversity(
                    features, **options, user_sample_size=None, num_runs=1
                ),
                False,
            ),
        }
        for name, (metric, ordered) in metrics.items():
            if not _order_is_defined(tables["recs"], k, ordered):
                continue
            # Its cache distinguishes scores, but not their users.
            get_sorted_clicks.cache_clear()
            try:
                value = metric.get_score(binary if name == "AUC" else truth, recs)
            except (TypeError, ValueError):
                # MAP without k, and NDCG of a list with a repeated item.
                if not ((name == "MAP" and k is None) or name == "NDCG"):
                    raise
                continue
            result[name if k is None else f"{name}@{k}"] = value
    return result


def _features(items):
    rows = {item: dict.fromkeys(CATEGORIES, 0) for item, _ in items}
    for item, category in items:
        rows[item][category] = 1
    return pd.DataFrame([{"item_id": item, **row} for item, row in sorted(rows.items())])


def _order_is_defined(recs, k, ordered):
    """Return whether no equal scores are at ranks that matter: Jurity's order of them is random."""
    lists = {}
    for user, _, score in recs:
        lists.setdefault(user, []).append(score)
    for scores in lists.values():
        scores.sort(reverse=True)
        depth = len(scores) if k is None else k
        first = scores[: depth + 1]
        if ordered and len(set(first)) < len(first):
            return False
        if len(first) > depth and first[-1] == first[-2]:
            return False
    return True
