from pytest import approx

from ..tables import predicted

# Items have a score and a grade; None where one of them is missing.
ANN = {"a": (0.9, 1.0), "b": (0.5, None), "c": (0.25, 0.0), "x": (None, 1.0)}
BOB = {"a": (0.5, 3.0)}


def test_is_the_mean_over_the_places_that_the_truth_knows():
    assert predicted("list_ctr", ANN, BOB) == approx(4 / 3)
    assert predicted("list_ctr@2", ANN) == 1


def test_is_undefined_where_the_truth_knows_none_of_the_places():
    assert predicted("list_ctr", {"a": (1.0, None), "x": (None, 1.0)}) is None
