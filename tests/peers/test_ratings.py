"""Rating errors, AUC and agreement: recorded values of other libraries.

The values are by scikit-surprise 1.1.5, scikit-learn 1.9.1, scipy 1.17.1, and Jurity 2.1.0 with
pandas 2.3.3, on the rows below.
"""

import pyarrow as pa
from pytest import approx, mark

import sqlrec

from ..tables import rows, table

# User, item, score and grade, with ties in both; grades of 4 and 5 are relevant.
RATED = [
    *[(1, 8, 4.5, 4), (1, 9, 5.0, 5), (2, 4, 4.5, 5), (2, 3, 2.25, 1), (2, 9, 4.5, 3)],
    *[(3, 3, 4.25, 4), (3, 2, 2.25, 5), (3, 9, 1.0, 5), (3, 1, 1.5, 1), (4, 1, 3.75, 4)],
    *[(4, 4, 3.0, 5), (4, 11, 3.0, 3), (4, 12, 4.5, 1), (4, 8, 1.5, 4), (5, 11, 3.5, 3)],
    *[(5, 5, 3.0, 5), (5, 7, 3.5, 1), (5, 9, 1.5, 5), (5, 2, 1.5, 4), (5, 6, 1.5, 3)],
    *[(6, 7, 4.5, 4), (6, 2, 4.25, 4), (6, 1, 1.5, 5), (6, 10, 3.0, 3), (6, 4, 3.75, 1)],
    *[(6, 11, 3.5, 3), (6, 9, 1.0, 4), (7, 2, 2.25, 5), (7, 3, 3.0, 4), (7, 4, 5.0, 2)],
    *[(7, 12, 2.25, 4), (7, 1, 4.25, 1), (7, 8, 4.25, 4), (7, 10, 3.0, 1), (7, 6, 3.5, 5)],
    *[(8, 5, 1.5, 1), (8, 1, 2.25, 2), (8, 4, 4.5, 3), (8, 3, 1.0, 5), (8, 7, 3.75, 3)],
    *[(8, 8, 4.25, 1), (8, 12, 1.5, 1), (8, 6, 3.0, 5)],
]

OF_ALL = {
    "Surprise": {
        "mse": 4.251453488372093,
        "rmse": 2.0619053053843412,
        "mae": 1.6453488372093024,
        "fcp(average=means, ties=discordant)": 0.33147632311977715,
        # The functions of its example for precision and recall, from version 1.1.5.
        "threshold_precision@2": 0.5,
        "threshold_recall@2": 0.3958333333333333,
        "threshold_precision@3": 0.5,
        "threshold_recall@3": 0.4208333333333333,
        "threshold_recall": 0.4458333333333333,
    },
    "scikit-learn": {
        "mse": 4.251453488372093,
        "rmse": 2.0619053053843412,
        "mae": 1.6453488372093024,
        "r2": -0.8833103737422134,
        "auc": 0.42065217391304344,
    },
    "Jurity": {"auc": 0.42065217391304344},
}

OF_USERS = {
    # roc_auc_score of scikit-learn; kendalltau, spearmanr and pearsonr of scipy.
    "gauc": [None, 0.75, 0.6666666666666666, 0.25, 0.22222222222222224, 0.5, 0.2, 0.25],
    "kendall": [
        *(1.0, 0.816496580927726, -0.18257418583505539, -0.4444444444444444),
        *(-0.4181210050035454, -0.15877683720748895, -0.3336230624913197, 0.040128617695256406),
    ],
    "spearman": [
        *(1.0, 0.8660254037844387, -0.21081851067789195, -0.5263157894736843),
        *(-0.5244044240850758, -0.20583232685540792, -0.4214586738204884, 0.0),
    ],
    "pearson": [
        *(1.0, 0.8660254037844388, 0.1232374550896439, -0.6001482030404226),
        *(-0.484543711852349, -0.38633066270717664, -0.4610878947475896, -0.03721907384588291),
    ],
}


def evaluate(metrics, rated=RATED, **rules):
    ids = {"user_id": pa.int64(), "item_id": pa.int64()}
    recs = table([row[:3] for row in rated], **ids, score=pa.float64())
    truth = table([(*row[:2], row[3]) for row in rated], **ids, relevance=pa.int64())
    return sqlrec.evaluate(metrics, recs=recs, truth=truth, **rules)


@mark.parametrize("peer", OF_ALL)
def test_errors_of_all_users_equal_other_libraries(peer):
    # Only auc depends on another threshold.
    result = evaluate(
        list(OF_ALL[peer]), rules=sqlrec.Rules(population="judged", relevance_threshold=4)
    )
    assert [value for (value,) in rows(result, "value")] == approx([*OF_ALL[peer].values()])


def test_errors_of_each_user_equal_other_libraries():
    result = evaluate(list(OF_USERS), rules=sqlrec.Rules(relevance_threshold=4)).per_user()
    results = {row[:2]: row[2] for row in rows(result, "metric", "user_id", "value")}
    expected = {
        (metric, user): value
        for metric, values in OF_USERS.items()
        for user, value in enumerate(values, 1)
    }
    assert results == approx(expected, abs=1e-12)


def test_errors_of_first_ranks_equal_other_libraries():
    # Jurity's order of equal scores is arbitrary, so lists have no equal scores here.
    apart = [(user, item, score - item / 1024, grade) for user, item, score, grade in RATED]
    result = evaluate("auc@2 auc@3 auc@5", apart, rules=sqlrec.Rules(relevance_threshold=4))
    expected = [0.5234375, 0.5606060606060606, 0.5017301038062284]
    assert [value for (value,) in rows(result, "value")] == approx(expected)
