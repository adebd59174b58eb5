from pytest import approx, mark

from ..tables import predicted

# From the top: high in both, in the score, in both, in the grade, in neither.
ANN = {"a": (5.0, 4.0), "b": (4.0, 3.0), "c": (3.5, 3.5), "d": (3.0, 5.0), "e": (1.0, 1.0)}


@mark.parametrize(("at", "expected"), [("@1", 1), ("@2", 1 / 2), ("@3", 2 / 3), ("", 2 / 3)])
def test_is_the_share_of_high_grades_among_high_scores(at, expected):
    assert predicted(f"threshold_precision{at}", ANN) == approx(expected)


def test_takes_another_threshold_also_below_0():
    assert predicted("threshold_precision(threshold=4)", ANN) == 1 / 2
    ann = {"a": (-1.0, -2.0), "b": (-2.0, 1.0), "c": (-0.5, -0.25)}
    assert predicted("threshold_precision(threshold=-1)", ann) == 1 / 2
    assert predicted("threshold_precision(threshold=-0.5)", ann) == 1


def test_is_0_without_high_score():
    assert predicted("threshold_precision", ANN, {"a": (3.0, 5.0)}) == approx(2 / 3 / 2)


def test_is_0_for_a_user_without_list():
    assert predicted("threshold_precision", ANN, {"a": (None, 5.0)}) == approx(2 / 3 / 2)
    found = predicted("threshold_precision", ANN, {"a": (None, 5.0)}, population="truth_and_recs")
    assert found == approx(2 / 3)


def test_does_not_count_items_without_grade():
    assert predicted("threshold_precision@3", ANN | {"f": (9.0, None)}) == 1 / 2
    assert predicted("threshold_precision", ANN | {"f": (9.0, None)}) == approx(2 / 3)
