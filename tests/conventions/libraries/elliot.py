"""Elliot 0.3.1: values by its evaluator.

Elliot is not a package, and its setup.py does not run with a recent pip: PYTHONPATH has its source
at tag v0.3.1, github.com/sisinflab/elliot. Its metrics need only REQUIREMENTS.

A metric reads the inputs of Elliot's evaluator: the lists of users in the test set, by score, ties
in row order; the test set, with a relevance threshold of 1 unless the name has another; and the
history as training set. A model scores an item once, so lists with repeated items have no value.
Of a repeated item of the truth the last row counts, as in Elliot's dicts. SEntropy has no value if
a list is shorter than k.

For PopRSP and PopREO, lists and test set have only items that the user has not had before and that
some user has had, as in all data that Elliot splits and recommends. Items are in order of their
ids, which decides between equally popular items at the end of the short head.

RSP, REO, bias disparity and SRecall use the first category of an item as its cluster, and its
categories as its features. Bias disparity is the value of the first category's cluster, over the
users with a list. REO has no value if a cluster has no relevant item, and ItemMAD none if no item
of a cluster is in a list; both then return NaN. UserMAD uses the groups of users in `user_group`
as clusters.

AUC and GAUC, like LAUC, get lists of all items: items that are not in a list come below it, the
relevant ones last, and the history is empty. MAE, MSE and RMSE are values of a model that scores
all items: here the test set has only rows whose item has a score, with a threshold of 0, so that
each row counts.
"""

import tempfile
import warnings
from pathlib import Path
from types import SimpleNamespace

import elliot
import numpy as np
from elliot.evaluation import metrics
from elliot.evaluation.popularity_utils.popularity import Popularity
from elliot.evaluation.relevance import Relevance
from scipy.sparse import csr_matrix
from shapes import repeats_items
from tables import CATEGORIES, CUTOFFS, USERS, groups, user_group

LIBRARY = "elliot"
VERSION = elliot.__version__
REQUIREMENTS = "numpy==2.4.6 pandas==2.3.3 scipy==1.17.1 pyyaml==6.0.3"

HITS = ["Precision", "Recall", "HR", "MRR", "MAR", "F1", "nDCG", "nDCGRendle2020"]
HITS += ["MAP", "NumRetrieved", "UserCoverageAtN"]
SHOWN = ["ItemCoverage", "UserCoverage", "SEntropy", "EPC", "EFD", "ARP", "Gini", "APLT", "ACLT"]
GROUPS = ["PopRSP", "PopREO"]
# Metrics with further arguments: `_files` is replaced by the path of a file of clusters or
# features.
GIVEN = {
    "DSC beta=2": {"beta": 2},
    "ExtendedF1": {"metric_0": "Precision", "metric_1": "Recall"},
    "ExtendedEPC": {},
    "ExtendedEPC relevance=discounted": {"relevance": "discounted"},
    "ExtendedEFD": {},
    "ExtendedEFD relevance=discounted": {"relevance": "discounted"},
    "SRecall": {"feature_data": "features"},
    "RSP": {"clustering_file": "clusters", "clustering_name": "category"},
    "BiasDisparityBR": {"item_clustering_file": "clusters", "item_clustering_name": "category"},
}
MADS = ("ItemMADranking", "ItemMADranking threshold=0", "ItemMADrating")
USER_MADS = ("UserMADranking", "UserMADrating")
GIVEN_NEW = {
    "ExtendedPopRSP": {},
    "ExtendedPopRSP pop_ratio=0.5": {"pop_ratio": 0.5},
    "ExtendedPopREO": {},
    "ExtendedPopREO pop_ratio=0.5": {"pop_ratio": 0.5},
    "REO": {"clustering_file": "clusters", "clustering_name": "category"},
}
BIASES = ("BiasDisparityBS", "BiasDisparityBD")
RATINGS = ["MAE", "MSE", "RMSE"]


class Trained(dict):
    """The training set; other users have no history."""

    def __missing__(self, user):
        return {}


def values(tables):
    if repeats_items(tables["recs"]):
        return {}
    lists, test = _split(tables, lambda row: True)
    data = _data(tables["history"], {item for item, _ in tables["items"]})
    had, known = set(tables["history"]), {item for _, item in tables["history"]}
    new, new_test = _split(tables, lambda row: row[1] in known and row[:2] not in had)
    known_data = _data(tables["history"], known)
    of_listed = _data([row for row in tables["history"] if row[0] in lists], data.items)
    shortest = min(map(len, lists.values()))
    result = {}
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        inputs = _files(Path(folder), tables)
        for k in CUTOFFS:
            for name in GROUPS:
                result[f"{name}@{k}"] = _value(name, new, Relevance(new_test, 1), known_data, k)
            for name in HITS + SHOWN:
                if name == "SEntropy" and shortest < k:
                    continue
                result[f"{name}@{k}"] = _value(name, lists, Relevance(test, 1), data, k)
            result[f"nDCG threshold=0@{k}"] = _value("nDCG", lists, Relevance(test, 0), data, k)
            for name in GIVEN:
                result[f"{name}@{k}"] = _value(name, lists, Relevance(test, 1), data, k, inputs)
            for name in GIVEN_NEW:
                held = _value(name, new, Relevance(new_test, 1), known_data, k, inputs)
                if name != "REO" or not np.isnan(held):
                    result[f"{name}@{k}"] = held
            for name in (*MADS, *USER_MADS):
                relevance = Relevance(test, 0 if name.endswith("=0") else 1)
                held = _value(name, lists, relevance, data, k, inputs)
                if not np.isnan(held):
                    result[f"{name}@{k}"] = held
            disparity = _value("BiasDisparityBD", lists, Relevance(test, 1), of_listed, k, inputs)
            result[f"BiasDisparityBD@{k}"] = disparity
        whole, nothing = _completed(lists, test, data.items), _data([], data.items)
        for name in ("AUC", "GAUC"):
            result[name] = _value(name, whole, Relevance(test, 1), nothing, None)
        for k in CUTOFFS:
            result[f"LAUC@{k}"] = _value("LAUC", lists, Relevance(test, 1), nothing, k)
        bias = _value("BiasDisparityBS", lists, Relevance(test, 1), of_listed, None, inputs)
        result["BiasDisparityBS"] = bias
        scored = {user: dict(rows) for user, rows in lists.items()}
        rated = {
            user: {item: grade for item, grade in rows.items() if item in scored.get(user, {})}
            for user, rows in test.items()
        }
        for name in RATINGS:
            result[name] = _value(name, lists, Relevance(rated, 0), data, None)
    return result


def _completed(lists, test, items):
    result = {}
    for user, rows in lists.items():
        listed = {item for item, _ in rows}
        rest = [item for item in items if item not in listed]
        rest.sort(key=lambda item, user=user: test[user].get(item, 0) >= 1)
        result[user] = rows + [(item, None) for item in rest]
    return result


def _files(folder, tables):
    clusters, features = folder / "clusters.tsv", folder / "features.tsv"
    cluster = groups(tables["items"])
    rows = [f"{item}\t{CATEGORIES.index(name)}\n" for item, name in cluster.items()]
    clusters.write_text("".join(rows))
    rows = {item: [] for item, _ in tables["items"]}
    for item, name in tables["items"]:
        rows[item].append(str(CATEGORIES.index(name)))
    features.write_text("".join(f"{item}\t" + "\t".join(row) + "\n" for item, row in rows.items()))
    users = folder / "users.tsv"
    users.write_text("".join(f"{user}\t{'xyz'.index(user_group(user))}\n" for user in USERS))
    paths = {"clusters": str(clusters), "features": str(features), "users": str(users)}
    options = GIVEN | GIVEN_NEW | dict.fromkeys(BIASES, GIVEN["BiasDisparityBR"])
    options |= dict.fromkeys(MADS, GIVEN["RSP"])
    in_groups = {"clustering_file": "users", "clustering_name": "group"}
    options |= dict.fromkeys(USER_MADS, in_groups)
    return {
        name: {option: paths.get(value, value) for option, value in chosen.items()}
        for name, chosen in options.items()
    }


def _value(name, lists, relevance, data, k, options=None):
    inputs = SimpleNamespace(
        relevance=relevance, pop=Popularity(data), num_items=data.num_items, data=data, cutoff=k
    )
    config = SimpleNamespace(config_test=True)
    beside = () if options is None else (options[name],)
    metric = metrics.parse_metric(name.split()[0])(lists, config, None, inputs, *beside)
    # If a metric has several values: the value of the first cluster for a bias, else of all
    # clusters.
    several = (
        metric.get()
        if name in (*BIASES, "BiasDisparityBR", "RSP", "REO", "ExtendedF1")
        else [metric]
    )
    return several[0 if name.startswith("Bias") else -1].eval()


def _split(tables, kept):
    test, lists = {}, {}
    for user, item, relevance in filter(kept, tables["truth"]):
        test.setdefault(user, {})[item] = relevance
    for user, item, score in sorted(filter(kept, tables["recs"]), key=lambda row: -row[2]):
        if user in test:
            lists.setdefault(user, []).append((item, score))
    return lists, test


def _data(history, items):
    items = sorted(items)
    train = Trained()
    for user, item in sorted(history):
        train.setdefault(user, {})[item] = 1
    had = np.array([[item in rows for item in items] for rows in train.values()])
    return SimpleNamespace(
        train_dict=train,
        items=items,
        num_items=len(items),
        transactions=int(had.sum()),
        private_items=dict(enumerate(items)),
        sp_i_train=csr_matrix(had),
    )
