"""BEIR 2.2.0, its EvaluateRetrieval: how its values are found.

qrels and results are dicts by user, of the truth and of the lists, so that a row that names an item
again has its say last; users and items are texts. evaluate has trec_eval behind it. The metrics of
evaluate_custom fail where a list is of a user without truth, and R_cap where a user has nothing
relevant.

BEIR rounds means to five decimals. Here they are as it finds them.
"""

from unittest.mock import patch

from beir.retrieval import custom_metrics, evaluation
from tables import CUTOFFS

LIBRARY = "beir"
# Without what it declares: models are not needed for its metrics.
REQUIREMENTS = """
    --no-deps beir==2.2.0 pytrec-eval-terrier==0.5.11 numpy==2.4.6 scipy==1.17.1 tqdm==4.67.1
"""

CUSTOM = ("mrr", "recall_cap", "hole", "top_k_accuracy")


def values(tables):
    qrels = _by_user(tables["truth"])
    results = _by_user(tables["recs"])
    library = evaluation.EvaluateRetrieval
    found = {}
    with (
        patch.object(evaluation, "round", lambda value, digits: value, create=True),
        patch.object(custom_metrics, "round", lambda value, digits: value, create=True),
    ):
        for part in library.evaluate(qrels, results, [*CUTOFFS]):
            found |= part
        for name in CUSTOM:
            try:
                found |= library.evaluate_custom(qrels, results, [*CUTOFFS], name)
            except (KeyError, ZeroDivisionError):
                continue
    return found


def _by_user(rows):
    found = {}
    for user, item, value in rows:
        found.setdefault(user, {})[str(item)] = value
    return found
