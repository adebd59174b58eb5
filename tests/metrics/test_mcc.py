from math import sqrt

from pytest import approx

from ..tables import JUDGED, without_list
from .test_accuracy import accuracy as mcc
from .test_accuracy import catalog


def test_correlates_what_is_shown_with_what_is_relevant():
    # One hit, two other places, one item that is not found, six others.
    expected = (1 * 6 - 2 * 1) / sqrt((1 + 2) * (1 + 1) * (6 + 2) * (6 + 1))
    assert mcc("mcc@3", "abcd", "ax", 10) == approx(expected)


def test_counts_the_places_that_a_short_list_has():
    expected = (1 * 7 - 1 * 1) / sqrt(2 * 2 * 8 * 8)
    assert mcc("mcc@5", "ab", "ax", 10) == approx(expected)
    assert mcc("mcc@all", "ab", "ax", 10) == approx(expected)


def test_may_count_the_empty_places_of_a_short_list_as_shown():
    # One hit, four other places, one item that is not found, four others.
    expected = (1 * 4 - 4 * 1) / sqrt((1 + 4) * (1 + 1) * (4 + 4) * (4 + 1))
    assert mcc("mcc(shown=k)@5", "ab", "ax", 10) == approx(expected)
    assert mcc("mcc(shown=k)@3", "ab", "a", 10) == approx((1 * 7 - 0) / sqrt(3 * 1 * 9 * 7))


def test_neither_grades_nor_items_judged_not_relevant_matter():
    # Two hits, three other places, one item that is not found, fourteen others.
    expected = (2 * 14 - 3 * 1) / sqrt(5 * 3 * 15 * 17)
    assert mcc("mcc@9", "abcde", JUDGED, 20) == approx(expected)
    # Two hits, seven other places, one item that is not found, ten others.
    expected = (2 * 10 - 7 * 1) / sqrt(9 * 3 * 11 * 17)
    assert mcc("mcc(shown=k)@9", "abcde", JUDGED, 20) == approx(expected)


def test_of_k_places_is_0_where_a_sum_is_and_undefined_where_one_is_below():
    assert mcc("mcc(shown=k)@5", "ab", "ax", 5) == 0
    assert mcc("mcc(shown=k)@5", "ab", "ax", 4) is None
    assert mcc("mcc(shown=k)@5", "ab", {"a": 0}, 10) == 0


def test_is_1_where_everything_is_right_and_minus_1_where_nothing_is():
    assert mcc("mcc@2", "ab", "ab", 5) == approx(1)
    assert mcc("mcc@1", "a", "a", 2) == mcc("mcc(shown=k)@1", "a", "a", 2) == approx(1)
    assert mcc("mcc@2", "ab", "cd", 4) == approx(-1)


def test_is_0_where_one_of_the_sums_is():
    assert without_list("mcc@2", "a", catalog=catalog(5)) == 0
    assert mcc("mcc@2", "ab", {"a": 0}, 5) == 0
    assert mcc("mcc@2", "ab", "a", 2) == 0
    assert mcc("mcc@2", "a", "ab", 2) == 0


def test_is_undefined_where_the_catalog_is_too_small():
    assert mcc("mcc@2", "ab", "cd", 3) is None
    # Five items are shown, and one is wanted beside them.
    assert mcc("mcc@9", "abcde", JUDGED, 5) is None
    assert mcc("mcc@9", "abcde", JUDGED, 6) == approx((2 * 0 - 3 * 1) / sqrt(5 * 3 * 1 * 3))
    assert mcc("mcc@1", "a", {"a": 1, "x": 0}, 2) == approx(1)
