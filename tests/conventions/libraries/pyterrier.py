"""PyTerrier 1.1.2: pt.Evaluate of the recs as results and the truth as qrels, without Java.

Measures have the names of trec_eval, and PyTerrier passes them to ir_measures; `P.5` is P@5 here.
Each is requested separately. Ids are texts, as in its data frames, and rows keep their order. Its
names for measures of ir_measures, such as nDCG@10, have the values of ir_measures. success has a
value only at a cutoff, and mrt needs a timed run.
"""

import logging
import warnings

import pandas as pd
import pyterrier as pt
from tables import CUTOFFS

LIBRARY = "pyterrier"
REQUIREMENTS = """
    pyterrier==1.1.2 ir_measures==0.4.3 pytrec-eval-terrier==0.5.11 numpy==2.4.6 pandas==2.3.3
    scipy==1.17.1
"""

# Measures that have a name in it and a value.
CUT = ["P", "recall", "success", "map_cut", "ndcg_cut"]
WHOLE = [
    *("map", "ndcg", "recip_rank", "Rprec", "bpref", "infAP"),
    *("set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
    *("num_q", "num_rel", "num_ret", "num_rel_ret"),
    *(f"iprec_at_recall.{tenths / 10:.2f}" for tenths in range(11)),
]


def values(tables):
    logging.disable(logging.WARNING)
    results = pd.DataFrame(tables["recs"], columns=["qid", "docno", "score"]).astype({"docno": str})
    qrels = pd.DataFrame(tables["truth"], columns=["qid", "docno", "label"]).astype({"docno": str})
    result = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in WHOLE:
            result[name.replace("recall.", "recall_")] = _value(name, results, qrels)
        for k in CUTOFFS:
            for name in CUT:
                result[f"{name}@{k}"] = _value(f"{name}.{k}", results, qrels)
    return result


def _value(name, results, qrels):
    (value,) = pt.Evaluate(results, qrels, metrics=[name]).values()
    return value
