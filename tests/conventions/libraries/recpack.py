"""RecPack 0.3.6: how its values are found.

It takes matrices of users and items, in which a score of 0 is none, one of an item that is named
twice the sum, and equal scores stand in no order: such data have no values.
"""

from __future__ import annotations

import importlib.util
import sys
import types
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from tables import CUTOFFS, ITEMS, USERS

# The package imports its algorithms, which ask for far more than the metrics.
_root = Path(importlib.util.find_spec("recpack").origin).parent
for _name in ("recpack", "recpack.metrics"):
    sys.modules[_name] = types.ModuleType(_name)
    sys.modules[_name].__path__ = [str(_root.joinpath(*_name.split(".")[1:]))]
from recpack.metrics.coverage import CoverageK  # noqa: E402
from recpack.metrics.dcg import DCGK, NDCGK  # noqa: E402
from recpack.metrics.hit import HitK  # noqa: E402
from recpack.metrics.precision import PrecisionK  # noqa: E402
from recpack.metrics.recall import CalibratedRecallK, RecallK  # noqa: E402
from recpack.metrics.reciprocal_rank import ReciprocalRankK  # noqa: E402

LIBRARY = "recpack"
REQUIREMENTS = [
    "--no-deps",
    "recpack==0.3.6",
    "numpy==2.4.6",
    "scipy",
    "pandas==2.3.3",
    "python-dateutil",
    "six",
    "scikit-learn",
    "joblib",
    "threadpoolctl",
    "tqdm",
]
METRICS = (NDCGK, DCGK, HitK, PrecisionK, RecallK, CalibratedRecallK, ReciprocalRankK, CoverageK)


def values(tables):
    scores = [(user, score) for user, _, score in tables["recs"]]
    pairs = {row[:2] for row in tables["recs"]}
    if len({*scores}) < len(scores) or len(pairs) < len(scores) or min(s for _, s in scores) <= 0:
        return {}
    shape = (len(USERS), len(ITEMS))
    places = [(USERS.index(u), ITEMS.index(i), score) for u, i, score in tables["recs"]]
    wanted = sorted({(USERS.index(u), ITEMS.index(i)) for u, i, _ in tables["truth"]})
    rows, columns, given = map(np.array, zip(*places, strict=True))
    recs = csr_matrix((given, (rows, columns)), shape=shape)
    truth = csr_matrix(
        (np.ones(len(wanted)), tuple(map(np.array, zip(*wanted, strict=True)))), shape=shape
    )
    found = {}
    for metric in METRICS:
        for k in CUTOFFS:
            one = metric(k)
            one.calculate(truth, recs)
            found[f"{metric.__name__}@{k}"] = float(one.value)
    return found
