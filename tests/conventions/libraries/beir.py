"""BEIR 2.2.0: the values of EvaluateRetrieval.

qrels and results are dicts by user, made from the truth and the lists. The last row of a repeated
item counts. Users and items are texts. evaluate calls trec_eval. The metrics of evaluate_custom
fail for a list of a user without truth, and R_cap for a user without a relevant item.

BEIR rounds means to five decimals; the values here are not rounded.
"""

from unittest.mock import patch

from beir.retrieval import custom_metrics, evaluation
from shapes import by_user
from tables import CUTOFFS

LIBRARY = "beir"
# Installed without its declared requirements: its metrics need no models.
REQUIREMENTS = """
    --no-deps beir==2.2.0 pytrec-eval-terrier==0.5.11 numpy==2.4.6 scipy==1.17.1 tqdm==4.67.1
"""

CUSTOM = ("mrr", "recall_cap", "hole", "top_k_accuracy")


def values(tables):
    qrels = by_user(tables["truth"])
    results = by_user(tables["recs"])
    library = evaluation.EvaluateRetrieval
    result = {}
    with (
        patch.object(evaluation, "round", lambda value, digits: value, create=True),
        patch.object(custom_metrics, "round", lambda value, digits: value, create=True),
    ):
        for part in library.evaluate(qrels, results, [*CUTOFFS]):
            result |= part
        for name in CUSTOM:
            try:
                result |= library.evaluate_custom(qrels, results, [*CUTOFFS], name)
            except (KeyError, ZeroDivisionError):
                continue
    return result
