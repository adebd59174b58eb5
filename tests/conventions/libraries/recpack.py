"""RecPack 0.3.6: its values.

It reads matrices of users and items. There a score of 0 is no score, repeated items have the sum of
their scores, and equal scores have no order: such data have no values.
"""

import importlib.util
import sys
import types
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix
from tables import CUTOFFS, ITEMS, USERS

# The package imports its algorithms, whose requirements the metrics do not have.
_root = Path(importlib.util.find_spec("recpack").origin).parent
for _name in ("recpack", "recpack.metrics"):
    sys.modules[_name] = types.ModuleType(_name)
    sys.modules[_name].__path__ = [str(_root.joinpath(*_name.split(".")[1:]))]
from recpack.metrics.coverage import CoverageK  # noqa: E402
from recpack.metrics.dcg import DCGK, NDCGK  # noqa: E402
from recpack.metrics.diversity import IntraListDiversityK  # noqa: E402
from recpack.metrics.hit import DiscountedGainK, HitK  # noqa: E402
from recpack.metrics.ips import IPSHitRateK  # noqa: E402
from recpack.metrics.percentile_ranking import PercentileRanking  # noqa: E402
from recpack.metrics.precision import PrecisionK  # noqa: E402
from recpack.metrics.recall import CalibratedRecallK, RecallK  # noqa: E402
from recpack.metrics.reciprocal_rank import ReciprocalRankK  # noqa: E402

LIBRARY = "recpack"
REQUIREMENTS = """
    --no-deps recpack==0.3.6 numpy==2.4.6 scipy pandas==2.3.3 python-dateutil pytz tzdata six
    scikit-learn joblib cloudpickle threadpoolctl narwhals pyyaml tqdm
"""
METRICS = (
    *(NDCGK, DCGK, HitK, PrecisionK, RecallK, CalibratedRecallK, ReciprocalRankK, CoverageK),
    *(DiscountedGainK, IPSHitRateK, IntraListDiversityK, PercentileRanking),
)


def values(tables):
    scores = [(user, score) for user, _, score in tables["recs"]]
    pairs = {row[:2] for row in tables["recs"]}
    if len({*scores}) < len(scores) or len(pairs) < len(scores) or min(s for _, s in scores) <= 0:
        return {}
    shape = (len(USERS), len(ITEMS))
    cells = [(USERS.index(u), ITEMS.index(i), score) for u, i, score in tables["recs"]]
    wanted = sorted({(USERS.index(u), ITEMS.index(i)) for u, i, _ in tables["truth"]})
    rows, columns, inputs = map(np.array, zip(*cells, strict=True))
    recs = csr_matrix((inputs, (rows, columns)), shape=shape)
    truth = _ones(wanted, *shape)
    users = sorted({user for user, _ in tables["history"]})
    had = _ones(
        [(users.index(u), ITEMS.index(i)) for u, i in {*tables["history"]}], len(users), len(ITEMS)
    )
    names = sorted({name for _, name in tables["items"]})
    features = [(ITEMS.index(item), names.index(name)) for item, name in {*tables["items"]}]
    fitted = {
        "IPSHitRateK": had,
        "IntraListDiversityK": _ones(features, len(ITEMS), len(names)).astype(bool),
    }
    result = {}
    for metric in METRICS:
        name = metric.__name__
        if name == "IntraListDiversityK" and {row for row, _ in wanted} - {*rows}:
            # It counts 0 for a user without a list, whose diversity is undefined.
            continue
        for k in CUTOFFS if name.endswith("K") else ("",):
            one = metric(*[k] * (k != ""))
            if name in fitted:
                one.fit(fitted[name])
            one.calculate(truth, recs)
            result[f"{name}@{k}".rstrip("@")] = float(one.value)
    return result


def _ones(cells, rows, columns):
    """Return a matrix with 1 in the given cells."""
    where = tuple(map(np.array, zip(*cells, strict=True)))
    return csr_matrix((np.ones(len(cells)), where), shape=(rows, columns))
