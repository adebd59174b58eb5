"""Ranking metrics of other libraries: computed here, or recorded."""

from pathlib import Path

import pyarrow as pa
from hypothesis import assume, given
from hypothesis import strategies as st
from pytest import approx, mark

import sqlrec

from ..examples import examples
from ..packages import pytrec_eval
from ..tables import lists, rows, table, wanted
from .test_libraries import by_user

TREC_EVAL = Path(__file__).parents[3] / "shared" / "data" / "trec_eval"
shared = mark.skipif(not TREC_EVAL.is_dir(), reason="its data is not part of the repository")

IDS = {"user_id": pa.string(), "item_id": pa.string()}

# Measures of trec_eval 10 of whole lists, and their names in sqlrec.
WHOLE = {
    "map": "map",
    "gm_map": "gmap",
    "bpref": "bpref",
    "infAP": "infap",
    "recip_rank": "mrr",
    "ndcg": "ndcg",
    "11pt_avg": "11pt",
    "rbp": "rbp(p=0.9)",
    "set_P": "precision(divide_by=list_length)",
    "set_recall": "recall",
} | {f"iprec_at_recall_{n / 10:.2f}": f"iprec(recall={n / 10})" for n in range(11)}
# Measures that trec_eval does not print, or computes differently, for a topic without a list.
OF_LISTS = {"rbp_resid": "rbp_residual(p=0.9)"}
CUT = {
    "P": ("precision", (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    "recall": ("recall", (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    "relative_P": ("recall(divide_by=achievable)", (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    "map_cut": ("map", (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    "ndcg_cut": ("ndcg", (5, 10, 15, 20, 30, 100, 200, 500, 1000)),
    "success": ("hit_rate", (1, 5, 10)),
}
UNJUDGED = {f"unj_{k}": f"unjudged(divide_by=k)@{k}" for k in (5, 10, 20)}


def measures(depth):
    """Return all measures, of lists to a depth."""
    whole = {measure: f"{name}@{depth}" for measure, name in WHOLE.items()}
    cut = {f"{measure}_{k}": f"{name}@{k}" for measure, (name, ks) in CUT.items() for k in ks}
    # Lists end at the depth.
    few = {m: n for m, n in cut.items() if depth == "all" or int(m.split("_")[-1]) <= depth}
    if depth == "all":
        return whole | few | {"Rprec": "r_precision"}
    # The best list of ndcg continues after the depth.
    return whole | few | {"ndcg": f"ndcg(ideal=relevant)@{depth}"}


def printed(name):
    """Parse trec_eval's output, by measure and topic."""
    found = {}
    for line in (TREC_EVAL / name).read_text().splitlines():
        measure, topic, value = line.split("\t")
        found[measure.strip(), topic] = value
    return found


def read(run, qrels):
    with (TREC_EVAL / run).open() as file:
        recs = [
            (topic, item, float(score)) for topic, _, item, _, score, *_ in map(str.split, file)
        ]
    with (TREC_EVAL / qrels).open() as file:
        truth = [(topic, item, int(grade)) for topic, _, item, grade in map(str.split, file)]
    return {
        "recs": table(recs, **IDS, score=pa.float64()),
        "truth": table(truth, **IDS, relevance=pa.int64()),
    }


def check_topics(names, inputs, expected, **rules):
    """Compare values of topics and of all with four decimals; return their number."""
    asked = list(dict.fromkeys(names.values()))
    result = sqlrec.evaluate(asked, **inputs, ties="item_desc", **rules)
    keys = dict(zip(asked, rows(result, "metric", "k"), strict=True))
    found = {("all", *row[:2]): row[2] for row in rows(result, "metric", "k", "value")}
    for user, metric, k, value in rows(result.per_user(), "user_id", "metric", "k", "value"):
        found[user, metric, k] = value
    compared = 0
    for (measure, topic), value in expected.items():
        if measure in names and not (measure == "gm_map" and topic != "all"):
            ours = found[topic, *keys[names[measure]]]
            assert ours == approx(float(value), abs=0.000051), (measure, topic)
            compared += 1
    return compared


@shared
class TestTheRegressionSuiteOfTrecEval:
    def test_topics_and_means_equal_trec_eval(self):
        names = measures("all") | OF_LISTS | UNJUDGED
        inputs = read("results.test", "qrels.test")
        expected = printed("out.test.aq")
        assert printed("out.test").items() <= expected.items()
        assert printed("out.test.a").items() <= expected.items()
        assert check_topics(names, inputs, expected, population="judged") == 4 * len(names) - 3

    def test_topics_without_a_list_equal_trec_eval(self):
        names = measures("all")
        inputs = read("results.trunc", "qrels.test")
        assert check_topics(names, inputs, printed("out.test.aqc")) == 4 * len(names) - 3

    def test_lists_of_a_hundred_ranks_equal_trec_eval(self):
        names = measures(100)
        inputs = read("results.trunc", "qrels.test")
        assert check_topics(names, inputs, printed("out.test.aqcM")) == 4 * len(names) - 3

    def test_other_cutoffs_equal_trec_eval(self):
        names = (
            {f"iprec_at_recall_{r:.2f}": f"iprec(recall={r})" for r in (0.1, 0.2, 0.25, 0.5, 0.75)}
            | {f"P_{k}": f"P@{k}" for k in (3, 5, 7)}
            | {f"recall_{k}": f"recall@{k}" for k in (20, 2000)}
            | {f"ndcg_cut_{k}": f"ndcg@{k}" for k in (10, 20, 23)}
            | {f"success_{k}": f"success@{k}" for k in (2, 5, 20)}
        )
        inputs = read("results.test", "qrels.test")
        assert check_topics(names, inputs, printed("out.test.meas_params")) == 4 * len(names)

    def test_grades_and_levels_equal_trec_eval(self):
        """From trec_eval 10.0-rc3, run with -q -l2 on qrels.rel_level."""
        topics = ("301", "302", "303", "all")
        expected = {
            (measure, topic): value
            for measure, values in GRADED.items()
            for topic, value in zip(topics, values, strict=True)
        }
        names = measures("all") | UNJUDGED
        inputs = read("results.test", "qrels.rel_level")
        compared = check_topics(names, inputs, expected, relevance_threshold=2, population="judged")
        assert compared == len(GRADED) * 4 - 3


GRADED = {
    "map": (0.0003, 0.4175, 0.0823, 0.1667),
    "gm_map": (None, None, None, 0.021),
    "bpref": (0.0, 0.4712, 0.0, 0.1571),
    "infAP": (0.0003, 0.4175, 0.12, 0.1792),
    "recip_rank": (0.0033, 1.0, 0.0526, 0.352),
    "ndcg": (0.1396, 0.6617, 0.3669, 0.3894),
    "11pt_avg": (0.0006, 0.437, 0.1076, 0.1817),
    "iprec_at_recall_0.10": (0.0033, 0.8421, 0.1136, 0.3197),
    "iprec_at_recall_0.30": (0.0, 0.7419, 0.1136, 0.2852),
    "iprec_at_recall_0.50": (0.0, 0.5417, 0.1136, 0.2184),
    "Rprec": (0.0, 0.5065, 0.0, 0.1688),
    "P_5": (0.0, 0.8, 0.0, 0.2667),
    "P_30": (0.0, 0.7333, 0.0333, 0.2556),
    "recall_100": (0.0, 0.5455, 0.875, 0.4735),
    "map_cut_30": (0.0, 0.2298, 0.0066, 0.0788),
    "ndcg_cut_20": (0.0746, 0.8082, 0.0585, 0.3138),
    "success_1": (0.0, 1.0, 0.0, 0.3333),
    "success_10": (0.0, 1.0, 0.0, 0.3333),
    "unj_5": (0.0, 0.0, 0.2, 0.0667),
    "unj_10": (0.0, 0.0, 0.5, 0.1667),
    "unj_20": (0.1, 0.0, 0.5, 0.2),
}

# pytrec_eval contains trec_eval 9, which rounds the recall up.
OF_PYTREC_EVAL = {
    "bpref": "bpref",
    "infAP": "infap",
    "11pt_avg": "11pt(rounding=up)",
    "iprec_at_recall_0.30": "iprec(recall=0.3,rounding=up)",
    "iprec_at_recall_0.00": "iprec(recall=0,rounding=up)",
    "iprec_at_recall_1.00": "iprec(recall=1,rounding=up)",
}
PAIRS = st.tuples(
    st.sampled_from(["q1", "q2", "q3"]), st.sampled_from([f"d{number}" for number in range(9)])
)


def reads_recalls(grades):
    """Return whether trec_eval 9 has the number of items of a recall: 0.7 of 3 items is 2 in it."""
    relevant = sum(grade > 0 for grade in grades)
    return all(int(n / 10 * relevant + 0.9) == -(-n * relevant // 10) for n in range(11))


@given(
    run=st.dictionaries(PAIRS, st.sampled_from([-1.0, 0.25, 0.5, 2.0]), min_size=1, max_size=20),
    qrels=st.dictionaries(PAIRS, st.integers(-1, 2), min_size=1, max_size=20),
)
@examples(30)
def test_trec_eval_finds_the_same_for_every_user(run, qrels):
    wants = {user for (user, _), grade in qrels.items() if grade > 0}
    users = wants & {user for user, _ in run}
    assume(users)
    # It reads uninitialized memory for a topic whose grades are all below 0.
    judged = {pair: grade for pair, grade in qrels.items() if pair[0] in wants}
    asked = {"bpref", "infAP", "11pt_avg", "iprec_at_recall"}
    expected = pytrec_eval.RelevanceEvaluator(by_user(judged), asked).evaluate(by_user(run))
    result = sqlrec.evaluate(
        list(OF_PYTREC_EVAL.values()),
        recs=table([(*pair, score) for pair, score in run.items()], **IDS, score=pa.float64()),
        truth=table([(*pair, n) for pair, n in qrels.items()], **IDS, relevance=pa.int64()),
        rules=sqlrec.Rules(population="truth_and_recs", ties="item_desc"),
    )
    names = dict(zip(rows(result, "metric"), OF_PYTREC_EVAL, strict=True))
    for user, metric, value in rows(result.per_user(), "user_id", "metric", "value"):
        measure = names[(metric,)]
        if measure != "11pt_avg" or reads_recalls(by_user(qrels)[user].values()):
            assert value == approx(expected[user][measure], abs=1e-9), (user, metric)


# Eight lists of 4 to 11 of sixteen items, and truth of 3 to 7 items with grades from 0 to 4.
RECS = {str(u): [f"i{(5 * u + 3 * n) % 16:02d}" for n in range(u + 3)] for u in range(1, 9)}
TRUTH = {
    str(u): {f"i{(3 * u + 5 * n) % 16:02d}": (u + 2 * n) % 5 for n in range(3 + u % 5)}
    for u in range(1, 9)
}
# Libraries' values of users 1 to 8 on these tables; None for excluded users.
PEERS = {
    ("RecTools 0.19 PAP", "pap(n=2)"): [0.25, 0.0, 0.25, 0.0, 0.5, 0.25, 0.0, 0.5],
    ("RecTools 0.19 PAP", "pap(n=5)"): [
        *(0.26666666666666666, 0.25, 0.28, 0.24),
        *(0.5, 0.4666666666666667, 0.05, 0.4),
    ],
    ("RecTools 0.19 PAP", "pap(n=5, insufficient=exclude)"): [
        *(None, None, None, None),
        *(0.5, 0.4666666666666667, 0.05, 0.4),
    ],
    ("RecTools 0.19 PartialAUC", "pauc(misses=2)"): [
        *(0.16666666666666666, 0.0, 0.1, 0.0),
        *(0.5, 0.16666666666666666, 0.0, 0.2),
    ],
    ("RecTools 0.19 PartialAUC", "pauc(misses=5)"): [
        *(0.26666666666666666, 0.25, 0.28, 0.2),
        *(0.5, 0.4666666666666667, 0.05, 0.4),
    ],
    ("RecTools 0.19 PartialAUC", "pauc(misses=5, insufficient=exclude)"): [
        *(None, None, None, None),
        *(0.5, 0.4666666666666667, 0.05, 0.4),
    ],
    ("RecTools 0.19 Accuracy", "accuracy@3"): [
        *(0.75, 0.6875, 0.625, 0.5625),
        *(0.8125, 0.75, 0.5625, 0.625),
    ],
    ("RecTools 0.19 MCC", "mcc@3"): [
        *(0.1794871794871795, 0.09245003270420485, 0.021591675854376522, -0.041344911529736156),
        *(0.30261376633440124, 0.1794871794871795, -0.2773500981126145, 0.021591675854376522),
    ],
    ("RePlay 0.22 RocAuc", "roc_auc(no_pairs=bounds)@5"): [
        *(0.6666666666666667, 0.16666666666666663, 0.5, 0.16666666666666663),
        *(1.0, 0.5, 0.0, 0.6666666666666667),
    ],
    ("ir_measures 0.4.3 RBP(rel=1)", "rbp"): [
        *(0.15999999999999995, 0.20991999999999997, 0.26239999999999997, 0.26234879999999994),
        *(0.19999999999999993, 0.26239999999999997, 0.1343488, 0.36793599999999993),
    ],
    ("ir_measures 0.4.3 RBP(rel=1, p=0.5)", "rbp(p=0.5)"): [
        *(0.25, 0.15625, 0.3125, 0.1640625),
        *(0.5, 0.3125, 0.0390625, 0.578125),
    ],
    ("gdeval.pl 1.2a err", "err@5"): [
        *(0.21875, 0.05599, 0.35059, 0.05599),
        *(0.9375, 0.18262, 0.0125, 0.49902),
    ],
    ("ir_measures 0.4.3 Judged", "judged@5"): [0.25, 0.6, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4],
    ("ir_measures 0.4.3 Bpref", "bpref"): [
        *(0.3333333333333333, 0.0, 0.4, 0.5),
        *(0.5, 0.6666666666666666, 0.0, 0.6),
    ],
    ("ir_measures 0.4.3 infAP", "infap"): [
        *(0.16666666666666666, 0.18333416665000035, 0.1999995000099998, 0.19365022223126968),
        *(0.5, 0.3333325000166663, 0.12142907141857162, 0.3999991666799998),
    ],
    ("ir_measures 0.4.3 IPrec@0.3", "iprec(recall=0.3, rounding=up)"): [
        *(0.5, 0.4, 0.5, 0.42857142857142855),
        *(1.0, 0.5, 0.2857142857142857, 0.5),
    ],
    ("ranx 0.3.21 rbp.80", "rbp(gain=linear)"): [
        *(0.48, 0.29184000000000004, 0.8895999999999998, 0.4491264000000001),
        *(0.7999999999999998, 0.6272, 0.18677760000000007, 1.169344),
    ],
}


def test_per_user_values_equal_other_libraries():
    catalog = table([(f"i{number:02d}",) for number in range(16)], item_id=pa.string())
    asked = list(dict.fromkeys(metric for _, metric in PEERS))
    result = sqlrec.evaluate(asked, recs=lists(RECS), truth=wanted(TRUTH), catalog=catalog)
    keys = dict(zip(asked, rows(result, "metric", "k"), strict=True))
    found = {}
    for user, metric, k, value in rows(result.per_user(), "user_id", "metric", "k", "value"):
        found.setdefault((metric, k), {})[user] = value
    for (peer, metric), values in PEERS.items():
        expected = dict(zip(sorted(RECS), values, strict=True))
        digits = 0.000006 if peer.startswith("gdeval") else 1e-12
        assert found[keys[metric]] == approx(expected, abs=digits), peer


def test_page_ndcg_is_that_of_its_authors():
    # NDCG_2D of RecSysCarouselEvaluation (1834970), in doubles and with empty ranks set to 0.
    asked = {
        (("abcd", "eafg", "hicb"), 0.48120497746409485): {"f": 1, "c": 2, "h": 3, "z": 2},
        (("jbc", "cej"), 0.5770911145986676): dict.fromkeys("cjegfih", 1),
        (("abcde",), 0.4933965394160924): {"e": 2, "b": 1},
    }
    for (page, expected), truth in asked.items():
        cells = sorted((r + c, r, item) for r, row in enumerate(page) for c, item in enumerate(row))
        result = sqlrec.evaluate(
            f"page_ndcg(rows={len(page)}, columns={len(page[0])}, gain=exponential)",
            recs=lists({"ann": [item for *_, item in cells]}),
            truth=wanted({"ann": truth}),
            rules=sqlrec.Rules(duplicates="best"),
        )
        assert rows(result, "value") == [(approx(expected, rel=1e-12),)]
