from math import sqrt

from pytest import approx, mark

from ..tables import PAIRS, predicted

# Pairs: ab, ac, ad, bc, bd concordant, cd discordant.
ANN = {"a": (4.0, 5.0), "b": (3.0, 4.0), "c": (2.0, 1.0), "d": (1.0, 2.0)}
# ab has equal scores, cd equal grades, ac, ad and bc, bd are concordant.
BOB = {"a": (4.0, 5.0), "b": (4.0, 4.0), "c": (2.0, 1.0), "d": (1.0, 1.0)}


@mark.parametrize("name", ["kendall", "kendall_tau"])
@mark.parametrize("variant", ["", "(variant=tau_a)"])
def test_is_the_difference_of_concordant_and_discordant_pairs(name, variant):
    assert predicted(f"{name}{variant}", ANN) == approx((5 - 1) / 6)


def test_divides_by_pairs_that_are_not_tied_or_by_all():
    assert predicted("kendall", BOB) == approx(4 / sqrt(5 * 5))
    assert predicted("kendall(variant=tau_a)", BOB) == approx(4 / 6)


def test_tells_pairs_with_equal_scores_from_those_with_equal_grades_or_both():
    assert predicted("kendall", PAIRS) == approx((10 - 3) / sqrt((10 + 3 + 2) * (10 + 3 + 5)))
    assert predicted("kendall(variant=tau_a)", PAIRS) == approx((10 - 3) / 21)


def test_averages_over_users():
    assert predicted("kendall", ANN, BOB) == approx((4 / 6 + 4 / 5) / 2)


def test_is_1_for_the_same_order_and_minus_1_for_its_reverse():
    assert predicted("kendall", {"a": (3.0, 5.0), "b": (2.0, 4.0), "c": (1.0, -1.0)}) == 1
    assert predicted("kendall", {"a": (3.0, -1.0), "b": (2.0, 4.0), "c": (1.0, 5.0)}) == -1
    for variant in ("tau_a", "tau_b"):
        assert predicted(f"kendall(variant={variant})", {"a": (2.0, 2.0), "b": (1.0, 1.0)}) == 1


EQUAL = [
    {"a": (1.0, 1.0), "b": (1.0, 2.0)},
    {"a": (1.0, 1.0), "b": (2.0, 1.0)},
    {"a": (1.0, 1.0), "b": (1.0, 1.0)},
]


def test_is_undefined_for_equal_scores_or_grades_and_0_without_the_correction():
    for user in EQUAL:
        assert predicted("kendall", user) is None
        assert predicted("kendall", ANN, user) == predicted("kendall", ANN)
        assert predicted("kendall(variant=tau_a)", user) == 0
        assert predicted("kendall(variant=tau_a)", ANN, user) == approx((4 / 6 + 0) / 2)


@mark.parametrize("variant", ["tau_a", "tau_b"])
def test_is_undefined_for_one_item(variant):
    metric = f"kendall(variant={variant})"
    assert predicted(metric, {"a": (1.0, 1.0)}) is None
    assert predicted(metric, ANN, {"a": (1.0, 1.0)}) == predicted(metric, ANN)


def test_looks_at_the_items_within_k():
    assert predicted("kendall@3", ANN) == 1
    assert predicted("kendall@1", ANN) is None


@mark.parametrize("k", [2, 4, 5, 6, 16, 17, 18])
def test_tells_as_many_grades_apart_as_there_are_places(k):
    reverse = {f"i{place}": (float(-place), float(place)) for place in range(20)}
    assert predicted(f"kendall@{k}", reverse) == -1
