"""ranx 0.3.21: how its values are found.

`recs` is the Run and `truth` the Qrels, both from frames, and the two are made comparable, without
which ranx rejects users who are missing on either side. Its other inputs, plain dicts, are paired
by rank and not by user. The other tables have no use here.
"""

import numpy as np
import pandas as pd
from ranx import Qrels, Run, evaluate
from ranx.metrics import interpolated_precision_at_recall
from tables import CUTOFFS

LIBRARY = "ranx"
# It asserts that texts are of dtype object, which they are not from pandas 3 on.
REQUIREMENTS = "ranx==0.3.21 pandas==2.3.3 numpy==2.4.6 numba==0.68.1"

WITH_CUTOFF = """
    hits hit_rate precision recall f1 mrr map dcg dcg_burges ndcg ndcg_burges
""".split()
# These take whole lists; the number behind "rbp." is the digits of its p.
WITHOUT_CUTOFF = ["r-precision", "bpref", "rbp.50", "rbp.80", "rbp.95"]
# "-l2" asks for relevance 2 or more.
OF_LEVEL = ["precision", "recall", "map", "mrr", "ndcg", "ndcg_burges"]


def values(tables):
    # ranx rejects grades that are no whole numbers.
    qrels = Qrels.from_df(_frame(tables["truth"]))
    run = Run.from_df(_frame(tables["recs"]))
    names = {name: name for name in WITHOUT_CUTOFF}
    for name in WITH_CUTOFF:
        names[name] = name
        names |= {f"{name}@{k}": f"{name}@{k}" for k in CUTOFFS}
    for name in OF_LEVEL:
        names[f"{name}-l2"] = f"{name}-l2"
        names |= {f"{name}-l2@{k}": f"{name}@{k}-l2" for k in CUTOFFS}
    found = {key: evaluate(qrels, run, name, make_comparable=True) for key, name in names.items()}
    # A user with nothing relevant stops the thread that comes upon it, without a word, and those
    # who come after in this thread count 0.
    if len({row[0] for row in tables["truth"] if row[2] > 0}) < len(qrels):
        del found["bpref"]
    # Not among the names that `evaluate` knows, but documented.
    levels = interpolated_precision_at_recall(qrels.to_typed_list(), run.to_typed_list())
    for level, value in enumerate(np.mean(levels, axis=0)):
        found[f"interpolated_precision_at_recall {level / 10}"] = value
    return found


def _frame(rows):
    frame = pd.DataFrame(rows, columns=["q_id", "doc_id", "score"])
    return frame.assign(doc_id=frame["doc_id"].astype(str))
