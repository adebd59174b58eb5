"""ragas 0.4.3, its context precision and recall by ids: how their values are found.

Each user of the truth is a sample, with the items of the list as retrieved contexts; the mean
leaves out samples without a value, as its results do.
"""

from __future__ import annotations

import asyncio
import logging
import warnings

import numpy as np

warnings.simplefilter("ignore")
from ragas.dataset_schema import SingleTurnSample  # noqa: E402
from ragas.metrics import IDBasedContextPrecision, IDBasedContextRecall  # noqa: E402

LIBRARY = "ragas"
REQUIREMENTS = ["ragas==0.4.3"]


def values(tables):
    logging.disable(logging.WARNING)
    lists, wanted = {}, {}
    for user, item, _ in sorted(tables["recs"], key=lambda row: -row[2]):
        lists.setdefault(user, []).append(item)
    for user, item, _ in tables["truth"]:
        wanted.setdefault(user, []).append(item)
    found = {}
    for metric in (IDBasedContextPrecision(), IDBasedContextRecall()):
        scores = [
            asyncio.run(
                metric._single_turn_ascore(
                    SingleTurnSample(
                        retrieved_context_ids=lists.get(user, []),
                        reference_context_ids=wanted[user],
                    ),
                    None,
                )
            )
            for user in sorted(wanted)
        ]
        found[type(metric).__name__] = np.nanmean(scores)
    return found
