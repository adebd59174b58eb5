from pytest import approx

from ..tables import value, without_list


def test_is_the_share_of_items_that_are_both_shown_and_relevant():
    assert value("truth_jaccard@3", "abcd", "bcxy") == approx(2 / 5)
    assert value("truth_jaccard@all", "abcd", "bcxy") == approx(2 / 6)


def test_is_0_for_a_user_without_a_list():
    assert without_list("truth_jaccard@3", "ab") == 0
