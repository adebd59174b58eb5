from pytest import approx, mark

from ..tables import value


@mark.parametrize("k, expected", [(1, 0), (2, 1 / 3), (3, 1 / 3), (4, 2 / 3), (10, 2 / 3)])
def test_is_the_share_of_relevant_items_that_stand_within_k(k, expected):
    assert value(f"recall@{k}", "abcd", "bdx") == approx(expected)


def test_more_relevant_items_than_places_keep_it_below_1():
    assert value("recall@2", "ab", "abcd") == approx(2 / 4)


def test_or_it_is_divided_by_what_k_places_can_hold():
    assert value("recall(divide_by=achievable)@2", "ab", "abcd") == 1
    assert value("recall(divide_by=achievable)@10", "ab", "abcd") == approx(2 / 4)


def test_is_undefined_for_a_user_without_relevant_item():
    assert value("recall@2", "ab", {"a": 0}, population="judged") is None
