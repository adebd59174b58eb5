from pytest import approx, mark

from ..tables import value


@mark.parametrize("shown, expected", [("abc", 1), ("bac", 1 / 2), ("bca", 1 / 3), ("bcd", 0)])
def test_is_one_over_the_place_of_the_first_hit(shown, expected):
    assert value("reciprocal_rank@3", shown, "a") == approx(expected)


def test_later_hits_change_nothing():
    assert value("mrr@4", "xabc", "abc") == value("mrr@4", "xabc", "a") == approx(1 / 2)


def test_a_hit_beyond_k_is_none():
    assert value("RR@2", "bca", "a") == 0


def test_of_items_with_equal_scores_each_is_expected_as_often():
    # The only hit is as often at place 2, 3 or 4.
    shown = {"x": 2, "a": 1, "b": 1, "c": 1}
    assert value("mrr@4", shown, "a", ties="expected") == approx((1 / 2 + 1 / 3 + 1 / 4) / 3)
    # The first of two is at place 2 in two of three orders, and else at place 3.
    graded = {"a": 3, "b": 1}
    assert value("mrr@4", shown, graded, ties="expected") == approx((2 / 2 + 1 / 3) / 3)


@mark.parametrize("relevant", ["bdx", {"b": 3, "c": 0, "d": 0.5}])
def test_grades_do_not_matter(relevant):
    assert value("mrr@4", "abcd", relevant) == approx(1 / 2)


def test_of_all_relevant_items_it_is_their_mean_where_the_list_has_them():
    assert value("mrr(items=all)@4", "xabc", "ac") == approx((1 / 2 + 1 / 4) / 2)
    assert value("mrr(items=all)@3", "xabc", "ac") is None


def test_takes_whole_lists():
    assert value("mrr@all", "bcdefgha", "a") == approx(1 / 8)
