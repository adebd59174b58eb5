"""Ranking metrics of other libraries: computed here, or recorded."""

import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, rows, table, wanted

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
