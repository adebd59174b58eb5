"""rexmex 0.1.3: its values.

It reads two lists of lists, so its users are those of the truth with a list. Metrics of the ranks
of relevant items have values for lists that contain all relevant items, each once in the truth.
Rank correlations are of the grades and scores of a user's rated items.
"""

import pandas as pd
from rexmex.metrics import ranking
from tables import CUTOFFS

LIBRARY = "rexmex"
REQUIREMENTS = "rexmex==0.1.3 pandas==2.3.3 numpy==2.4.6 scikit-learn six"


def values(tables):
    lists, wanted = {}, {}
    for user, item, _ in sorted(tables["recs"], key=lambda row: -row[2]):
        lists.setdefault(user, []).append(item)
    for user, item, _ in tables["truth"]:
        wanted.setdefault(user, []).append(item)
    both = [user for user in sorted(wanted) if user in lists]
    truth, recs = [wanted[user] for user in both], [lists[user] for user in both]
    result = {}
    for k in CUTOFFS:
        for name in ("mean_average_precision_at_k", "mean_average_recall_at_k"):
            result[f"{name}@{k}"] = getattr(ranking, name)(truth, recs, k)
        hits = [ranking.hits_at_k(*each, k) for each in zip(truth, recs, strict=True)]
        result[f"hits_at_k@{k}"] = sum(hits) / len(hits)
        cut = [items[:k] for _, items in sorted(lists.items())]
        result[f"personalization@{k}"] = ranking.personalization(cut)
    pairs = [
        (truth, shown) for truth, shown in zip(truth, recs, strict=True) if {*truth} <= {*shown}
    ]
    if pairs and all(len({*truth}) == len(truth) for truth, _ in pairs):
        for name in ("mean_reciprocal_rank", "mean_rank", "gmean_rank"):
            each = [getattr(ranking, name)(*pair) for pair in pairs]
            result[name] = sum(each) / len(each)
        for name in ("reciprocal_rank", "rank"):
            each = [
                sum(getattr(ranking, name)(item, shown) for item in truth) / len(truth)
                for truth, shown in pairs
            ]
            result[name] = sum(each) / len(each)
    features = pd.crosstab(*map(pd.Series, zip(*tables["items"], strict=True))).clip(upper=1)
    had = {}
    for _, item in {*tables["history"]}:
        had[item] = had.get(item, 0) + 1
    users = len({user for user, _ in tables["history"]})
    index = {item: number for number, item in enumerate(features.index)}
    for k in CUTOFFS:
        cut = [items[:k] for _, items in sorted(lists.items())]
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
    if len(scores) < len(tables["recs"]) or len({row[:2] for row in tables["truth"]}) < len(
        tables["truth"]
    ):
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
