"""ragas 0.4.3: values of its context precision and recall.

Each user of the truth is a sample. Its retrieved contexts are the items of the list, and its
reference contexts the items of the truth. The mean excludes samples without a value, as in ragas'
results. NonLLM metrics compare contexts as texts, here by ExactMatch. ContextPrecision asks a
language model for a verdict on each context: here it is 1 for contexts of the truth.
NonLLMContextRecall fails for a sample without retrieved contexts.
"""

import asyncio
import logging
import os
import warnings

import numpy as np

os.environ["RAGAS_DO_NOT_TRACK"] = "true"
warnings.simplefilter("ignore")
from ragas.dataset_schema import SingleTurnSample  # noqa: E402
from ragas.metrics import (  # noqa: E402
    ContextPrecision,
    ExactMatch,
    IDBasedContextPrecision,
    IDBasedContextRecall,
    NonLLMContextPrecisionWithReference,
    NonLLMContextRecall,
)
from ragas.metrics._context_precision import Verification  # noqa: E402
from shapes import lists, wanted  # noqa: E402

LIBRARY = "ragas"
REQUIREMENTS = "ragas==0.4.3 langchain-community==0.4.1"


def values(tables):
    logging.disable(logging.WARNING)
    shown, relevant = lists(tables, str), wanted(tables, str)
    samples = [
        SingleTurnSample(
            retrieved_contexts=shown.get(user, []),
            retrieved_context_ids=shown.get(user, []),
            reference_contexts=relevant[user],
            reference_context_ids=relevant[user],
        )
        for user in sorted(relevant)
    ]
    metrics = (
        IDBasedContextPrecision(),
        IDBasedContextRecall(),
        NonLLMContextPrecisionWithReference(distance_measure=ExactMatch()),
    )
    result = {type(metric).__name__: _mean(metric, samples) for metric in metrics}
    if all(sample.retrieved_contexts for sample in samples):
        recall = NonLLMContextRecall(_distance_measure=ExactMatch())
        result["NonLLMContextRecall"] = _mean(recall, samples)
    judged = [
        ContextPrecision()._calculate_average_precision(
            [
                Verification(reason="", verdict=int(item in sample.reference_contexts))
                for item in sample.retrieved_contexts
            ]
        )
        for sample in samples
    ]
    return result | {"ContextPrecision": np.nanmean(judged)}


def _mean(metric, samples):
    return np.nanmean([asyncio.run(metric._single_turn_ascore(one, None)) for one in samples])
