from math import sqrt

from pytest import approx, mark

from ..tables import predicted

# Scores around 2, grades around 3.
ANN = {"a": (3.0, 4.0), "b": (2.0, 5.0), "c": (1.0, 0.0)}


@mark.parametrize("name", ["pearson", "pearson_r"])
def test_is_the_correlation_of_scores_and_grades(name):
    expected = (1 * 1 + 0 * 2 + -1 * -3) / sqrt(2 * 14)
    assert predicted(name, ANN) == approx(expected)


def test_is_1_or_minus_1_on_a_line():
    assert predicted("pearson", {"a": (1.0, 10.0), "b": (2.0, 30.0), "c": (4.0, 70.0)}) == approx(1)
    assert predicted("pearson", {"a": (1.0, -1.0), "b": (2.0, -3.0)}) == approx(-1)


def test_of_two_pairs_of_items_alike_is_1():
    alike = {"a": (1.0, 1.0), "b": (1.0, 1.0), "c": (0.0, 0.0), "d": (0.0, 0.0)}
    assert predicted("pearson", alike) == approx(1)


def test_averages_over_users():
    bob = {"a": (1.0, 2.0), "b": (2.0, 1.0)}
    assert predicted("pearson", ANN, bob) == approx((4 / sqrt(28) - 1) / 2)


def test_is_undefined_for_one_item_and_for_equal_scores_or_grades():
    # The mean of three times 0.1 is not 0.1, once it is rounded.
    for nothing in [
        {"a": (1.0, 1.0)},
        {"a": (0.1, 1.0), "b": (0.1, 2.0), "c": (0.1, 3.0)},
        {"a": (1.0, 0.1), "b": (2.0, 0.1), "c": (3.0, 0.1)},
    ]:
        assert predicted("pearson", nothing) is None
        assert predicted("pearson", ANN, nothing) == predicted("pearson", ANN)


def test_keeps_its_digits_far_from_0():
    far = {item: (1e9 + score, 1e9 + grade) for item, (score, grade) in ANN.items()}
    assert predicted("pearson", far) == approx(4 / sqrt(28), abs=1e-12)


def test_looks_at_the_items_within_k():
    assert predicted("pearson@2", ANN) == approx(-1)
    assert predicted("pearson@1", ANN) is None
