from pytest import approx

from ..tables import lists
from .test_unexpectedness import ask


def test_is_the_share_of_places_that_changed():
    assert ask("churn@1 churn@2 churn@3", lists({"ann": "abcd"})) == approx([1, 1 / 2, 1 / 3])


def test_without_baseline_all_has_changed():
    assert ask("churn@3", lists({"bob": "x"})) == [1]


def test_items_that_left_count_too():
    # One of both; three left and none came.
    assert ask("churn@4", lists({"ann": "b"})) == approx([3 / 5])


def test_lists_of_other_lengths_than_k_have_their_own():
    # Two of both; three of five came, and two of four left.
    assert ask("churn@9 churn(divide_by=k)@9", lists({"ann": "abcde"})) == approx([5 / 9, 7 / 9])


def test_divided_by_k_a_missing_place_has_changed():
    assert ask("churn(divide_by=k)@4", lists({"ann": "bc"})) == approx([1 / 2])
