from pytest import approx, mark

from ..tables import predicted

# From the top: high in both, in the score, in both, in the grade, in neither.
ANN = {"a": (5.0, 4.0), "b": (4.0, 3.0), "c": (3.5, 3.5), "d": (3.0, 5.0), "e": (1.0, 1.0)}


@mark.parametrize(("at", "expected"), [("@1", 1 / 3), ("@2", 1 / 3), ("@3", 2 / 3), ("", 2 / 3)])
def test_is_the_share_of_high_scores_among_high_grades(at, expected):
    assert predicted(f"threshold_recall{at}", ANN) == approx(expected)


def test_counts_items_of_the_truth_that_the_list_does_not_have():
    assert predicted("threshold_recall", ANN | {"f": (None, 5.0)}) == 2 / 4


def test_takes_another_threshold_also_below_0():
    assert predicted("threshold_recall(threshold=5)", ANN) == 0
    ann = {"a": (-1.0, -0.5), "b": (-2.0, 1.0), "c": (-0.5, -3.0)}
    assert predicted("threshold_recall(threshold=-1)", ann) == 1 / 2


def test_is_0_without_high_grade_and_for_a_user_without_list():
    others = {"a": (5.0, 3.0)}, {"a": (None, 5.0)}
    assert predicted("threshold_recall", ANN, *others) == approx(2 / 3 / 3)


def test_averages_over_the_users_that_population_says():
    # Relevant is what has a relevance above 0.
    others = {"a": (5.0, 0.0)}, {"a": (5.0, None)}
    for population, users in [("truth", 1), ("truth_and_recs", 1), ("judged", 2), ("recs", 3)]:
        found = predicted("threshold_recall", ANN, *others, population=population)
        assert found == approx(2 / 3 / users)
