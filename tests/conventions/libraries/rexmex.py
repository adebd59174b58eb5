"""rexmex 0.1.3: how its values are found.

It takes two lists of lists, so users of the truth who have a list.
"""

from __future__ import annotations

from rexmex.metrics import ranking
from tables import CUTOFFS

LIBRARY = "rexmex"
REQUIREMENTS = ["rexmex==0.1.3", "pandas==2.3.3", "numpy==2.4.6", "scikit-learn", "six"]


def values(tables):
    lists, wanted = {}, {}
    for user, item, _ in sorted(tables["recs"], key=lambda row: -row[2]):
        lists.setdefault(user, []).append(item)
    for user, item, _ in tables["truth"]:
        wanted.setdefault(user, []).append(item)
    both = [user for user in sorted(wanted) if user in lists]
    truth, recs = [wanted[user] for user in both], [lists[user] for user in both]
    found = {}
    for k in CUTOFFS:
        for name in ("mean_average_precision_at_k", "mean_average_recall_at_k"):
            found[f"{name}@{k}"] = getattr(ranking, name)(truth, recs, k)
        hits = [ranking.hits_at_k(*each, k) for each in zip(truth, recs, strict=True)]
        found[f"hits_at_k@{k}"] = sum(hits) / len(hits)
        cut = [items[:k] for _, items in sorted(lists.items())]
        found[f"personalization@{k}"] = ranking.personalization(cut)
    return found
