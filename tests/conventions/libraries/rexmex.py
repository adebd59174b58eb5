"""rexmex 0.1.3: its values.

It reads two lists of lists, so its users are those of the truth with a list. Metrics of the ranks
of relevant items have values for lists that contain all relevant items, each once in the truth.
Rank correlations are of the grades and scores of a user's rated items.
"""

import pandas as pd
from rexmex.metrics import ranking
from shapes import lists, repeats_items, wanted
from tables import CUTOFFS

LIBRARY = "rexmex"
REQUIREMENTS = "rexmex==0.1.3 pandas==2.3.3 numpy==2.4.6 scikit-learn six"


def values(tables):
    shown, relevant = lists(tables), wanted(tables)
    both = [user for user in sorted(relevant) if user in shown]
    truth, recs = [relevant[user] for user in both], [shown[user] for user in both]
    result = {}
    for k in CUTOFFS:
        for name in ("mean_average_precision_at_k", "mean_average_recall_at_k"):
            result[f"{name}@{k}"] = getattr(ranking, name)(truth, recs, k)
        hits = [ranking.hits_at_k(*each, k) for each in zip(truth, recs, strict=True)]
        result[f"hits_at_k@{k}"] = sum(hits) / len(hits)
        cut = [items[:k] for _, items in sorted(shown.items())]
        result[f"personalization@{k}"] = ranking.personalization(cut)
    pairs = [
        (items, ranks) for items, ranks in zip(truth, recs, strict=True) if {*items} <= {*ranks}
    ]
    if pairs and all(len({*items}) == len(items) for items, _ in pairs):
        for name in ("mean_reciprocal_rank", "mean_rank", "gmean_rank"):
            each = [getattr(ranking, name)(*pair) for pair in pairs]
            result[name] = sum(each) / len(each)
        for name in ("reciprocal_rank", "rank"):
            each = [
                sum(getattr(ranking, name)(item, ranks) for item in items) / len(items)
                for items, ranks in pairs
            ]
            result[name] = sum(each) / len(each)
    features = pd.crosstab(*map(pd.Series, zip(*tables["items"], strict=True))).clip(upper=1)
    had = {}
    for _, item in {*tables["history"]}:
        had[item] = had.get(item, 0) + 1
    users = len({user for user, _ in tables["history"]})
    index = {item: number for number, item in enumerate(features.index)}
    for k in CUTOFFS:
        cut = [items[:k] for _, items in sorted(shown.items())]
        if min(map(len, cut)) > 1:
            numbers = [[index[item] for item in one] for one in cut]
            result[f"intra_list_similarity@{k}"] = ranking.intra_list_similarity(
                numbers, features.to_numpy()
            )
        if {len(one) for one in cut} == {k} and all(item in had for one in cut for item in one):
            result[f"novelty@{k}"] = ranking.novelty(cut, had, users, k)
    return result | _correlations(tables)


def _correlations(tables):
    scores = {(user, item): score for user, item, score in tables["recs"]}
    rated = {}
    for user, item, grade in tables["truth"]:
        if (user, item) in scores:
            rated.setdefault(user, []).append((grade, scores[user, item]))
    if repeats_items(tables["recs"]) or repeats_items(tables["truth"]):
        return {}
    result = {}
    for name in ("spearmans_rho", "kendall_tau"):
        each = [
            getattr(ranking, name)(*zip(*pairs, strict=True))[0]
            for pairs in rated.values()
            if all(len({*side}) > 1 for side in zip(*pairs, strict=True))
        ]
        if each:
            result[name] = sum(each) / len(each)
    return result
