"""RePlay 0.22.0: its values.

Frames are pandas, with the columns query_id, item_id and rating: recs and truth unchanged (the
rating of the truth is its relevance, which the metrics do not read), history as `train` of Novelty,
Surprisal and Coverage, and baseline as `base_recommendations` of Unexpectedness.

CategoricalDiversity reads lists of categories in place of items, (query_id, category_id, rating):

    CategoricalDiversity                recs joined with items, so that an item of two categories
                                        has two ranks of the same rating
    CategoricalDiversity one category   recs joined with each item's first category by alphabet

Its sort is unstable, so a key is excluded if rows of the same rating are on both sides of a cutoff
and their order could change its value. All other orders are defined: rating, then item, both
descending.
"""

import warnings
from itertools import groupby
from typing import Any

import pandas as pd
from replay import metrics as library
from replay.metrics.base_metric import MetricDuplicatesWarning
from tables import CUTOFFS

LIBRARY = "replay-rec"
REQUIREMENTS = """
    replay-rec==0.22.0 pandas==2.3.3 polars==1.44.2 numpy==2.3.5 scipy==1.17.1 scikit-learn==1.8.0
    pyarrow==23.0.1
"""

WITH_TRUTH = ("HitRate", "Precision", "Recall", "MAP", "MRR", "NDCG", "RocAuc")
WITH_TRAIN = ("Novelty", "Surprisal", "Coverage")

Values = dict[str, float]


def values(tables: dict[str, list[tuple[Any, ...]]]) -> Values:
    """Return RePlay's values of a data set."""
    warnings.simplefilter("ignore", MetricDuplicatesWarning)
    ranked = ["query_id", "item_id", "rating"]
    recs = pd.DataFrame(tables["recs"], columns=ranked)
    truth = pd.DataFrame(tables["truth"], columns=ranked)
    train = pd.DataFrame(tables["history"], columns=ranked[:2])
    baseline = pd.DataFrame(tables["baseline"], columns=ranked)
    cutoffs = list(CUTOFFS)
    result: Values = {}
    for name in WITH_TRUTH:
        result |= getattr(library, name)(cutoffs)(recs, truth)
    for name in WITH_TRAIN:
        result |= getattr(library, name)(cutoffs)(recs, train)
    result |= library.Unexpectedness(cutoffs)(recs, baseline)
    first: dict[int, str] = {}
    for item, category in sorted(tables["items"]):
        first.setdefault(item, category)
    result |= _diversity("CategoricalDiversity", tables["recs"], tables["items"])
    result |= _diversity("CategoricalDiversity one category", tables["recs"], list(first.items()))
    return result


def _diversity(name: str, recs: list[tuple[Any, ...]], items: list[tuple[Any, ...]]) -> Values:
    """Return the categorical diversity at the cutoffs at which it is defined."""
    rows = [
        (user, category, score)
        for user, item, score in recs
        for owner, category in items
        if owner == item
    ]
    frame = pd.DataFrame(rows, columns=["query_id", "category_id", "rating"])
    lists: dict[str, list[tuple[float, str]]] = {}
    for user, category, score in rows:
        lists.setdefault(user, []).append((-score, category))
    cutoffs = [
        k for k in CUTOFFS if all(len(_possible(listed, k)) == 1 for listed in lists.values())
    ]
    if not cutoffs:
        return {}
    result = library.CategoricalDiversity(cutoffs)(frame)
    return {f"{name}@{key.partition('@')[2]}": value for key, value in result.items()}


def _possible(listed: list[tuple[float, str]], k: int) -> set[int]:
    """Return the possible numbers of categories in k ranks, by the order of equal scores."""
    above: set[str] = set()
    for _, group in groupby(sorted(listed), key=lambda row: row[0]):
        tied = [category for _, category in group]
        if len(tied) <= k:
            k -= len(tied)
            above |= set(tied)
            continue
        # The minimum of new categories: the other ranks repeat those above and the most frequent
        # ones.
        new = sorted((tied.count(each) for each in set(tied) - above), reverse=True)
        rest, fewest = k - sum(each in above for each in tied), 0
        while rest > 0:
            rest -= new[fewest]
            fewest += 1
        return {len(above) + fewest, len(above) + min(k, len(new))}
    return {len(above)}
