"""MTEB 2.26.24: its scores of retrieval.

qrels and results are dicts by user, made from the truth and the lists. The last row of a repeated
item counts. Users and items are texts. Scores are computed by trec_eval, except mrr. They fail for
a list of a user without truth. Only the module of these scores and its imports are loaded, because
the whole package requires models.

MTEB rounds means to five decimals, except mrr; the values here are not rounded. ndcg_at_10 is
called ndcg_at@10 here.
"""

import sys
from importlib.util import find_spec, module_from_spec
from unittest.mock import patch

from shapes import by_user
from tables import CUTOFFS

for package in ("mteb", "mteb._evaluators"):
    # A package whose __init__ has not run.
    sys.modules[package] = module_from_spec(find_spec(package))
from mteb._evaluators import retrieval_metrics as library  # noqa: E402

LIBRARY = "mteb"
# Installed without its declared requirements: its scores need no models.
REQUIREMENTS = """
    --no-deps mteb==2.26.24 pytrec-eval-terrier==0.5.11 numpy==2.4.6 scipy==1.17.1 pandas==2.3.3
    scikit-learn==1.9.1 joblib==1.6.0 cloudpickle==3.1.3 threadpoolctl==3.8.0 narwhals==2.29.0
    python-dateutil==4.0.0 pytz==2026.6 tzdata==2026.6 packaging==26.4 pydantic==2.14.4
    pydantic-core==2.50.5 annotated-types==0.8.0 typing-extensions==4.16.0 typing-inspection==0.4.5
"""


def values(tables):
    qrels, results = by_user(tables["truth"]), by_user(tables["recs"])
    if not results.keys() <= qrels.keys():
        return {}
    with patch.object(library, "round", _kept, create=True):
        scores = library.calculate_retrieval_scores(results, qrels, [*CUTOFFS])
    named = library.make_score_dict(
        ndcg=scores.ndcg,
        _map=scores.map,
        recall=scores.recall,
        precision=scores.precision,
        mrr=scores.mrr,
        hit_rate=scores.hit_rate,
        naucs={},
        naucs_mrr={},
        task_scores={},
    )
    del named["accuracy"]
    return {"@".join(name.rsplit("_", 1)): value for name, value in named.items()}


def _kept(value, digits=None):
    return value if digits else round(value)
