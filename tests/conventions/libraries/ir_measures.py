"""ir_measures 0.4.3: values by calc_aggregate, one measure at a time, each by its provider.

recs are the run and truth the qrels; for measures of aspects, the iteration is a category of the
item. Ids of queries are the digits of the users' names, as gdeval.pl, which computes ERR, requires.
The run's rows are grouped by query, as in a file: cwl_eval, which computes RBP, reads each block of
rows as a query. Rows are not sorted otherwise, so tied items of RBP, SDCG, the NERRs, INST, INSQ,
BPM and Accuracy are in row order. Of a repeated item of a list, pytrec_eval, judged, msmarco and
compat read the last row. alpha_DCG and ERR_IA are excluded at a cutoff of 1, at which ndeval does
not divide them.
"""

from ir_measures import Qrel, ScoredDoc, parse_measure
from tables import CUTOFFS

LIBRARY = "ir_measures"
REQUIREMENTS = """
    ir_measures==0.4.3 pytrec-eval-terrier==0.5.11 cwl-eval==1.0.12 pyndeval==0.0.8 numpy==2.4.6
    scipy==1.17.1
"""

CUT = [
    *("P", "R", "Success", "AP", "nDCG", "nDCG(dcg='exp-log2')", "RR", "Judged", "ERR", "Accuracy"),
    *("P(rel=2)", "R(rel=2)", "AP(rel=2)", "RR(rel=2)", "Success(rel=2)"),
    *("SDCG(max_rel=1)", "SDCG(max_rel=3)", "NERR8(max_rel=3)", "NERR9(max_rel=3)"),
    *("BPM(max_rel=3)", "BPM(T=2.5,max_rel=3)"),
    *("alpha_nDCG", "P_IA", "StRecall", "alpha_DCG", "alpha_DCG(alpha=0.25)", "ERR_IA"),
]
WHOLE = [
    *("AP", "nDCG", "RR", "Rprec", "Bpref", "infAP", "Judged", "Accuracy", "RBP(rel=1)", "Compat"),
    *("AP(rel=2)", "RR(rel=2)", "Rprec(rel=2)", "Bpref(rel=2)", "infAP(rel=2)", "RBP(rel=2)"),
    *("RBP(rel=1,p=0.5)", "NERR10(max_rel=3)", "NERR11(max_rel=3)", "Compat(normalize=False)"),
    *("AP_IA", "NRBP", "NRBP(alpha=0.25,beta=0.75)"),
    *("INST(max_rel=3)", "INST(T=2.5,max_rel=3)", "INSQ(max_rel=3)", "INSQ(T=2.5,max_rel=3)"),
    *("SetP", "SetP(relative=True)", "SetR", "SetF", "SetF(beta=2.0)", "SetAP"),
    *(f"IPrec(recall={tenths / 10})" for tenths in range(11)),
    *("NumQ", "NumRel", "NumRet", "NumRelRet"),
]

# Measures of items with several iterations.
OF_ASPECTS = ("alpha", "P_IA", "StRecall", "AP_IA", "NRBP", "ERR_IA")

# Measures that ndeval divides from the second rank on.
DIVIDED = ("alpha_DCG", "ERR_IA")


def values(tables):
    """Return all measures, by name and cutoff."""
    qrels = [Qrel(user[1:], str(item), relevance) for user, item, relevance in tables["truth"]]
    categories = {}
    for item, category in tables["items"]:
        categories.setdefault(item, []).append(category)
    with_categories = [
        Qrel(user[1:], str(item), relevance, category)
        for user, item, relevance in tables["truth"]
        for category in categories[item]
    ]
    run = [
        ScoredDoc(user[1:], str(item), score)
        for user, item, score in sorted(tables["recs"], key=lambda row: row[0])
    ]
    result = {}
    for key in [*WHOLE, *(f"{name}@{k}" for name in CUT for k in CUTOFFS)]:
        if key.startswith(DIVIDED) and key.endswith("@1"):
            continue
        measure = parse_measure(key)
        try:
            result[key] = measure.calc_aggregate(
                with_categories if key.startswith(OF_ASPECTS) else qrels, run
            )
        except ZeroDivisionError:
            # Accuracy fails for a list of only hits.
            assert key.startswith("Accuracy"), key
    return result
