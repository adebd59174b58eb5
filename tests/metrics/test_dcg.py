from math import log2

from pytest import approx, mark

from ..tables import value

GRADES = {"b": 3, "d": 1, "x": 2}


def test_discounts_the_relevance_by_the_place():
    assert value("dcg@4", "abcd", GRADES) == approx(3 / log2(3) + 1 / log2(5))


def test_the_first_place_is_not_discounted():
    assert value("dcg@1", "b", GRADES) == 3


@mark.parametrize("gain, b, d", [("binary", 1, 1), ("exponential", 2**3 - 1, 2**1 - 1)])
def test_gain_says_what_an_item_is_worth(gain, b, d):
    assert value(f"dcg(gain={gain})@4", "abcd", GRADES) == approx(b / log2(3) + d / log2(5))


def test_of_items_with_equal_scores_each_is_expected_as_often_at_a_place():
    shown = {"a": 2, "b": 1, "d": 1, "c": 1}
    mean, places = (3 + 1 + 0) / 3, 1 / log2(3) + 1 / log2(4)
    assert value("dcg@3", shown, GRADES, ties="expected") == approx(mean * places)
    late = value("dcg(discount=late)@3", shown, GRADES, ties="expected")
    assert late == approx(mean * (1 / 1 + 1 / log2(3)))


def test_the_late_discount_begins_at_the_third_place():
    assert value("dcg(discount=late)@4", "abcd", GRADES) == approx(3 / 1 + 1 / log2(4))


def test_places_are_weighed_by_their_reciprocals_if_asked_to():
    assert value("dcg(discount=reciprocal)@4", "abcd", GRADES) == approx(3 / 2 + 1 / 4)


def test_places_beyond_k_do_not_count():
    assert value("DCG@3", "abcd", GRADES) == approx(3 / log2(3))
