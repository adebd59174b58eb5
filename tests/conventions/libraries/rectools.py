"""RecTools 0.19.0: its values.

`recs` is the reco, ranked by score, and `truth` the interactions, whose rows count regardless of
their weight. `history` is the prev_interactions, and `baseline` the ref_reco. The catalog is the
items of `items`. Their categories are the features for the Hamming distance of two items.
"""

from itertools import product

import pandas as pd
from rectools import Columns
from rectools import metrics as library
from tables import CUTOFFS

LIBRARY = "rectools"
REQUIREMENTS = "rectools==0.19.0 pandas==2.3.3 numpy==1.26.4 scipy==1.17.1"

# The arguments of each metric. Only de-biasing is excluded, because it draws random rows.
PLAIN = """
    Precision Recall F1Beta Accuracy MCC HitRate MAP NDCG MRR MeanInvUserFreq AvgRecPopularity
    Serendipity CatalogCoverage Intersection SufficientReco UnrepeatedReco CoveredUsers
"""
METRICS = {name: {} for name in PLAIN.split()} | {
    "Precision r_precision": {"r_precision": True},
    "F1Beta beta=2": {"beta": 2.0},
    "F1Beta beta=0.5": {"beta": 0.5},
    "MAP divide_by_k": {"divide_by_k": True},
    "NDCG divide_by_achievable": {"divide_by_achievable": True},
    "NDCG log_base=10": {"log_base": 10},
    "AvgRecPopularity normalize": {"normalize": True},
    "CatalogCoverage normalize": {"normalize": True},
    "Intersection ref_k=5": {"ref_k": 5},
    "SufficientReco deep": {"deep": True},
    "UnrepeatedReco deep": {"deep": True},
}


def values(tables):
    items = pd.DataFrame(tables["items"], columns=["item_id", "category"])
    features = pd.crosstab(items["item_id"], items["category"]).clip(upper=1)
    distances = library.PairwiseHammingDistanceCalculator(features)
    metrics = {
        f"{name}@{k}": getattr(library, name.split()[0])(k=k, **options)
        for k in CUTOFFS
        for name, options in METRICS.items()
    }
    for k, metric in product(CUTOFFS, (library.PAP, library.PartialAUC)):
        # Their k is the number of hits and misses of whole lists that count.
        for how in ("ignore", "exclude", "raise"):
            name = f"{metric.__name__} k={k} {how}".removesuffix(" ignore")
            metrics[name] = metric(k=k, insufficient_handling=how)
    for k in CUTOFFS:
        diversity = library.IntraListDiversity(k=k, distance_calculator=distances)
        metrics[f"IntraListDiversity@{k}"] = diversity
    truth = pd.DataFrame(tables["truth"], columns=[*Columns.UserItem, Columns.Weight])
    inputs = {
        "reco": _ranked(tables["recs"]),
        "interactions": truth.assign(**{Columns.Datetime: pd.Timestamp("2026-01-01")}),
        "prev_interactions": pd.DataFrame(tables["history"], columns=Columns.UserItem),
        "catalog": items["item_id"].unique(),
        # A dict with a name: `calc_metrics` needs a truth value, which a frame does not have.
        "ref_reco": {"baseline": _ranked(tables["baseline"])},
    }
    result = {}
    for key, metric in metrics.items():
        try:
            (result[key],) = library.calc_metrics({key: metric}, **inputs).values()
        except ValueError:
            # With "raise", a list with too few misses is an error.
            if not key.endswith(" raise"):
                raise
    return result


def _ranked(rows):
    columns = [*Columns.UserItem, Columns.Score]
    ranked = pd.DataFrame(rows, columns=columns).sort_values(
        Columns.Score, ascending=False, kind="stable"
    )
    ranked[Columns.Rank] = ranked.groupby(Columns.User).cumcount() + 1
    return ranked
