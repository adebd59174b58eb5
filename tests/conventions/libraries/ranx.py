"""ranx 0.3.21: its values.

`recs` is the Run and `truth` the Qrels, both from frames. They are made comparable, because ranx
rejects users who are missing on either side. Its other inputs, plain dicts, are paired by position,
not by user. The other tables are not read.
"""

import numpy as np
import pandas as pd
from ranx import Qrels, Run, evaluate
from ranx.metrics import interpolated_precision_at_recall
from tables import CUTOFFS

LIBRARY = "ranx"
# It asserts that texts have dtype object; from pandas 3 on they do not.
REQUIREMENTS = "ranx==0.3.21 pandas==2.3.3 numpy==2.4.6 numba==0.68.1"

WITH_CUTOFF = """
    hits hit_rate precision recall f1 mrr map dcg dcg_burges ndcg ndcg_burges
""".split()
# These read whole lists; the number after "rbp." is the digits of its p.
WITHOUT_CUTOFF = ["r-precision", "bpref", "rbp.50", "rbp.80", "rbp.95"]
# "-l2" requires a relevance of at least 2.
OF_LEVEL = ["precision", "recall", "map", "mrr", "ndcg", "ndcg_burges"]


def values(tables):
    # ranx rejects grades that are not integers.
    qrels = Qrels.from_df(_frame(tables["truth"]))
    run = Run.from_df(_frame(tables["recs"]))
    names = {name: name for name in WITHOUT_CUTOFF}
    for name in WITH_CUTOFF:
        names[name] = name
        names |= {f"{name}@{k}": f"{name}@{k}" for k in CUTOFFS}
    for name in OF_LEVEL:
        names[f"{name}-l2"] = f"{name}-l2"
        names |= {f"{name}-l2@{k}": f"{name}@{k}-l2" for k in CUTOFFS}
    result = {key: evaluate(qrels, run, name, make_comparable=True) for key, name in names.items()}
    # A user without a relevant item stops its thread without an error, and later users of the
    # thread count 0.
    if len({row[0] for row in tables["truth"] if row[2] > 0}) < len(qrels):
        del result["bpref"]
    # Documented, but not among the names of `evaluate`.
    levels = interpolated_precision_at_recall(qrels.to_typed_list(), run.to_typed_list())
    for level, value in enumerate(np.mean(levels, axis=0)):
        result[f"interpolated_precision_at_recall {level / 10}"] = value
    return result


def _frame(rows):
    frame = pd.DataFrame(rows, columns=["q_id", "doc_id", "score"])
    return frame.assign(doc_id=frame["doc_id"].astype(str))
