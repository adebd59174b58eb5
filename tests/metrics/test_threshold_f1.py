from pytest import approx

from ..tables import predicted

# Precision 1 and recall 1 / 3; precision 1 / 2 and recall 1; nothing.
ANN = {"a": (5.0, 4.0), "b": (3.0, 4.0), "c": (3.0, 5.0)}
BOB = {"a": (5.0, 4.0), "b": (4.0, 3.0)}
CID = {"a": (4.0, 3.0), "b": (3.0, 4.0)}


def test_is_the_mean_of_the_users_harmonic_means():
    expected = (2 * (1 / 3) / (4 / 3) + 2 * (1 / 2) / (3 / 2) + 0) / 3
    assert predicted("threshold_f1", ANN, BOB, CID) == approx(expected)


def test_or_the_harmonic_mean_of_the_two_means():
    precision, recall = (1 + 1 / 2) / 3, (1 / 3 + 1) / 3
    found = predicted("threshold_f1(of=means)", ANN, BOB, CID)
    assert found == approx(2 * precision * recall / (precision + recall))


def test_of_means_a_user_without_high_score_or_high_grade_counts_0_in_one_of_them():
    low_score, low_grade = {"a": (3.0, 4.0)}, {"a": (4.0, 3.0)}
    precision, recall = 1 / 3, (1 / 3) / 3
    found = predicted("threshold_f1(of=means)", ANN, low_score, low_grade)
    assert found == approx(2 * precision * recall / (precision + recall))


def test_is_0_where_precision_and_recall_are():
    for metric in ("threshold_f1", "threshold_f1(of=means)"):
        assert predicted(metric, CID) == 0
        assert predicted(metric, {"a": (1.0, 1.0)}) == 0


def test_takes_another_threshold_and_looks_at_the_items_within_k():
    assert predicted("threshold_f1(threshold=3)@2", ANN) == approx(2 * (2 / 3) / (5 / 3))
