from math import sqrt

from pytest import approx, mark

from ..tables import predicted

ANN = {"a": (4.0, 5.0), "b": (3.0, 4.0), "c": (2.0, 1.0), "d": (1.0, 2.0)}


@mark.parametrize("name", ["spearman", "spearman_rho"])
def test_is_the_correlation_of_places(name):
    # Without ties it is 1 - 6 * sum of squared differences / (n * (n^2 - 1)).
    assert predicted(name, ANN) == approx(1 - 6 * 2 / (4 * 15))


def test_gives_equal_scores_and_equal_grades_their_mean_place():
    # Places 1.5, 1.5 and 3 against 1, 2.5 and 2.5.
    bob = {"a": (1.0, 1.0), "b": (1.0, 2.0), "c": (5.0, 2.0)}
    expected = (-0.5 * -1 + -0.5 * 0.5 + 1 * 0.5) / sqrt(1.5 * 1.5)
    assert predicted("spearman", bob) == approx(expected)
    assert predicted("spearman", ANN, bob) == approx((0.8 + expected) / 2)


def test_is_undefined_for_one_item_and_for_equal_scores_or_grades():
    for nothing in [
        {"a": (1.0, 1.0)},
        {"a": (0.1, 1.0), "b": (0.1, 2.0), "c": (0.1, 3.0)},
        {"a": (1.0, 0.1), "b": (2.0, 0.1), "c": (3.0, 0.1)},
    ]:
        assert predicted("spearman", nothing) is None
        assert predicted("spearman", ANN, nothing) == predicted("spearman", ANN)


def test_looks_at_the_items_within_k():
    assert predicted("spearman@3", ANN) == 1
    assert predicted("spearman@1", ANN) is None
