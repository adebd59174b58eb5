from pytest import approx

from ..tables import PAIRS, predicted


def test_is_0_for_the_same_order_and_1_for_its_reverse():
    assert predicted("ndpm", {"a": (3.0, 5.0), "b": (2.0, 4.0), "c": (1.0, 1.0)}) == 0
    assert predicted("ndpm", {"a": (3.0, 1.0), "b": (2.0, 4.0), "c": (1.0, 5.0)}) == 1


def test_counts_half_for_equal_scores_of_different_grades():
    assert predicted("ndpm", {"a": (1.0, 1.0), "b": (1.0, 2.0), "c": (1.0, 3.0)}) == 0.5


def test_tells_pairs_with_equal_scores_from_those_with_equal_grades_or_both():
    assert predicted("ndpm", PAIRS) == approx((2 * 3 + 5) / (2 * (10 + 3 + 5)))


def test_does_not_count_pairs_of_equal_grades():
    ann = {"a": (4.0, 3.0), "b": (3.0, 3.0), "c": (2.0, 5.0), "d": (2.0, 3.0)}
    # c and a, c and b are discordant, c and d have equal scores, and all others equal grades.
    assert predicted("ndpm", ann) == approx((2 * 2 + 1) / (2 * 3))


def test_leaves_out_users_without_two_different_grades():
    ann = {"a": (2.0, 1.0), "b": (1.0, 5.0)}
    assert predicted("ndpm", ann, {"a": (1.0, 1.0)}, {"a": (1.0, 2.0), "b": (3.0, 2.0)}) == 1
    assert predicted("ndpm", {"a": (1.0, 1.0)}) is None


def test_looks_at_the_items_within_k():
    ann = {"a": (3.0, 1.0), "b": (2.0, 5.0), "c": (1.0, -1.0)}
    assert predicted("ndpm@2", ann) == 1
    assert predicted("ndpm@3", ann) == approx(1 / 3)
