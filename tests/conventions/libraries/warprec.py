"""WarpRec 2.2.8: values by its evaluator.

A metric reads the inputs of WarpRec's evaluator in a full evaluation with mask_seen=none: a matrix
of scores, with a row for each user of the truth and a column for each item of `items`, the truth as
such a matrix, and the blocks that the metric requests. Items that are not in a list come below it,
the relevant ones last, so that a short list is continued with misses. The data do not define which
misses, so the metrics of listed items have no value for short lists. Values that change with the
numbers of items are excluded too, because the numbers decide the order of equal scores. `history`
is the training set. A value is the mean over the users with a value. Categories are features of
items.

For PopRSP, PopREO, RSP and REO, lists and truth have only items that the user has not had before
and that some user has had, and items of the history have no score; for the first two, `items` are
the items of `history`. These metrics, and bias disparity, have values if each list has k items. The
cluster of an item is its first category. Bias disparity is the value of the first cluster, over the
users of the truth. LogLoss reads only scores of items that are in a list and in the truth, and
NumRetrieved reads only items of a list. UserCoverageAtN counts scores above 0, which all items of a
list have. Propensities are those of the estimator popularity.

A grade of 0 is no interaction, so MAE, MSE and RMSE have no value if the truth has such a grade.
ARP excludes users without a relevant item, so it has no value if there are such users.
ItemMADRating reads only hits, so it has values for short lists too. UserMADRanking and
UserMADRating use the groups of users in `user_group` as clusters.

WarpRec has one score and one grade for a user and an item: lists with repeated items have no
values, and of a repeated item of the truth the last row counts. It computes most values in single
precision. Here double precision replaces it, which changes only digits after the sixth.

WarpRec itself requires Python 3.12 and its models' libraries. Its metrics need neither, so the
package is loaded without the code that imports the rest.
"""

import importlib.metadata
import sys
from functools import partial
from types import ModuleType

import numpy as np
import torch
from scipy.sparse import csr_matrix
from shapes import double_precision, renumbered, unchanged
from tables import CATEGORIES, CUTOFFS, groups, user_group

LIBRARY = "warprec"
REQUIREMENTS = """
    --no-deps --ignore-requires-python warprec==2.2.8 torch==2.13.0 torchmetrics==1.9.0
    lightning-utilities==0.15.3 numpy==2.4.6 scipy==1.17.1 pydantic==2.14.3 pydantic-core==2.50.4
    annotated-types typing-inspection packaging setuptools typing-extensions filelock sympy mpmath
    networkx jinja2 markupsafe fsspec
"""

for name in ("warprec", "warprec.utils", "warprec.evaluation", "warprec.evaluation.metrics"):
    bare = sys.modules[name] = ModuleType(name)
    root = importlib.metadata.distribution("warprec").locate_file("")
    bare.__path__ = [str(root / name.replace(".", "/"))]

from warprec.evaluation.metrics import (  # noqa: E402, F401
    accuracy,
    bias,
    coverage,
    debiased,
    diversity,
    fairness,
    novelty,
    rating,
)
from warprec.evaluation.metrics.base_metric import BaseMetric  # noqa: E402
from warprec.evaluation.propensity import build_propensity  # noqa: E402
from warprec.utils.registry import metric_registry  # noqa: E402

HITS = [
    *("Precision", "Recall", "HitRate", "MRR", "MAP", "MAR", "F1", "nDCG", "nDCGRendle2020"),
    *("SRecall", "UserCoverage", "LAUC", "ItemMADRating", "UserMADRanking"),
    *("IPSRecall", "SNIPSRecall", "IPSDCG", "SNIPSDCG"),
]
SHOWN = ["ItemCoverage", "Gini", "ShannonEntropy", "EPC", "EFD", "ARP", "APLT", "ACLT"]
SHOWN += ["ItemMADRanking", "UserMADRating"]
USER_MADS = ("UserMADRanking", "UserMADRating")
# Only of users with a relevant item.
OF_RELEVANT = ["ARP", "APLT", "ACLT"]
DISPARITIES = ["BiasDisparityBR", "BiasDisparityBD"]
RATINGS = ["MAE", "MSE", "RMSE"]


def values(tables):
    scores = {(user, item): score for user, item, score in tables["recs"]}
    if len(scores) < len(tables["recs"]):
        return {}
    truth = {(user, item): grade for user, item, grade in tables["truth"]}
    users = sorted({user for user, _ in truth})
    items = sorted({item for item, _ in tables["items"]})
    with double_precision(torch, "float"):
        found = partial(_found, tables, users, scores=scores, truth=truth)
        return unchanged(found(items), map(found, renumbered(items)))


def _found(tables, users, items, scores, truth):
    return _ranked(tables, users, items, scores, truth) | _grouped(tables, items, scores, truth)


def _grouped(tables, items, scores, truth):
    had, known = set(tables["history"]), {item for _, item in tables["history"]}
    scores, truth = (
        {key: value for key, value in one.items() if key[1] in known and key not in had}
        for one in (scores, truth)
    )
    users = sorted({user for user, _ in truth})
    result = {}
    for names, among in {
        ("PopRSP", "PopREO"): [item for item in items if item in known],
        ("RSP", "REO"): items,
    }.items():
        preds, ground = _matrices(users, among, scores, truth)
        taken = torch.tensor([[(user, item) in had for item in among] for user in users])
        preds[taken] = -torch.inf
        shared = _shared(tables, users, among)
        for k in CUTOFFS:
            if min(sum(of == user for of, _ in scores) for user in users) >= k:
                result |= {f"{n}@{k}": _value(n, preds, ground, {"k": k, **shared}) for n in names}
    # If a group's denominator is 0, or there is no value.
    return {key: value for key, value in result.items() if not np.isnan(value)}


def _matrices(users, items, scores, truth):
    low = min(scores.values())
    preds = torch.zeros(len(users), len(items))
    ground = torch.zeros(len(users), len(items))
    for row, user in enumerate(users):
        for column, item in enumerate(items):
            grade = truth.get((user, item), 0)
            preds[row, column] = scores.get((user, item), low - (2 if grade > 0 else 1))
            ground[row, column] = grade
    return preds, ground


def _ranked(tables, users, items, scores, truth):
    preds, ground = _matrices(users, items, scores, truth)
    # Only ratings with a score.
    rated = torch.tensor([[(user, item) in scores for item in items] for user in users])
    lengths = {user: sum(of == user for of, _ in scores) for user in users}
    shared = _shared(tables, users, items)
    clusters = ["xyz".index(user_group(user)) for user in users]
    in_groups = {**shared, "user_cluster": torch.tensor(clusters)}
    result = {}
    for k in CUTOFFS:
        shown = SHOWN if min(lengths.values()) >= k else []
        for name in HITS + shown:
            if name in OF_RELEVANT and not BaseMetric.valid_users(ground).all():
                continue
            inputs = in_groups if name in USER_MADS else shared
            result[f"{name}@{k}"] = _value(name, preds, ground, {"k": k, **inputs})
        if shown:
            for name in DISPARITIES:
                result[f"{name}@{k}"] = _value(name, preds, ground, {"k": k, **shared})
        listed = torch.where(rated, preds, -torch.inf)
        result[f"NumRetrieved@{k}"] = _value("NumRetrieved", listed, ground, {"k": k, **shared})
        if min(scores.values()) > 0:
            count = _value("UserCoverageAtN", preds, ground, {"k": k, **shared})
            result[f"UserCoverageAtN@{k}"] = count
        beta = _value("F1", preds, ground, {"k": k, "beta": 2, **shared})
        result[f"F1 beta=2@{k}"] = beta
    for name in ("AUC", "GAUC"):
        result[name] = _value(name, preds, ground, shared)
    if min(lengths.values()) > 0:
        result["BiasDisparityBS"] = _value("BiasDisparityBS", preds, ground, shared)
    both = torch.tensor(
        [[(user, item) in scores and (user, item) in truth for item in items] for user in users]
    )
    result["LogLoss"] = _value("LogLoss", torch.where(both, preds, -torch.inf), ground, shared)
    for name in RATINGS if min(truth.values()) > 0 else []:
        result[name] = _value(name, preds, ground * rated, shared)
    return result


def _shared(tables, users, items):
    had = set(tables["history"])
    described = set(tables["items"])
    group = groups(tables["items"])
    counts = [float(sum(of == item for _, of in had)) for item in items]
    return {
        "item_cluster": torch.tensor([CATEGORIES.index(group[item]) + 1 for item in items]),
        "user_cluster": torch.ones(len(users), dtype=torch.long),
        "train_matrix": csr_matrix([[(user, item) in had for item in items] for user in users]),
        "propensity": build_propensity(np.array(counts)),
        "num_users": len({user for user, _ in had}),
        "num_items": len(items),
        "item_interactions": torch.tensor(counts),
        "feature_lookup": torch.tensor(
            [[float((item, name) in described) for name in CATEGORIES] for item in items]
            + [[0.0] * len(CATEGORIES)]
        ),
    }


def _value(name, preds, ground, inputs):
    metric = metric_registry.get(name, **inputs)
    k = inputs.get("k", 1)
    binary, discounted = (
        BaseMetric.binary_relevance(ground),
        BaseMetric.discounted_relevance(ground),
    )
    highest, indices = torch.topk(preds, k, dim=1)
    blocks = {
        "ground": ground,
        "binary_relevance": binary,
        "discounted_relevance": discounted,
        "valid_users": BaseMetric.valid_users(ground),
        f"top_{k}_values": highest,
        f"top_{k}_indices": indices,
        f"top_{k}_binary_relevance": torch.gather(binary, 1, indices),
        f"top_{k}_discounted_relevance": torch.gather(discounted, 1, indices),
    }
    metric.update(preds, user_indices=torch.arange(len(preds)), **blocks)
    values = metric.compute()
    # The value of all groups together, or for a bias that of the first group.
    value = values[name] if name in values else next(iter(values.values()))
    return float(np.nanmean(value.numpy())) if isinstance(value, torch.Tensor) else value
