from pytest import approx

from ..tables import predicted

# Items have a score and a grade; None where one of them is missing. Three items are in the truth.
ANN = {"a": (0.9, 1.0), "b": (0.5, None), "c": (0.25, 0.0), "x": (None, 1.0)}


def test_corrects_scores_by_their_errors_where_the_truth_knows_them():
    known = 0.9 + 0.1 * 3, 0.25 - 0.25 * 3
    assert predicted("list_doubly_robust", ANN) == approx((sum(known) + 0.5) / 3)
    assert predicted("list_doubly_robust@1", ANN) == approx(known[0])


def test_is_the_mean_score_where_scores_have_no_error():
    assert predicted("list_doubly_robust", {"a": (0.5, 0.5), "b": (1.0, None)}) == approx(3 / 4)
