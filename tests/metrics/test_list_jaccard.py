from pytest import approx

from ..tables import lists
from .test_unexpectedness import ask


def test_is_the_share_of_all_items_that_both_lists_have_within_k():
    ann = lists({"ann": "abcd"})
    assert ask("jaccard@1 jaccard@2 jaccard@3", ann) == approx([0, 1 / 3, 2 / 4])


def test_lists_of_other_lengths_than_k_have_their_own():
    assert ask("jaccard@9", lists({"ann": "abcde"})) == approx([2 / (5 + 4 - 2)])


def test_without_baseline_it_is_0():
    assert ask("jaccard@3") == approx([(2 / 4) / 2])


def test_the_same_items_in_another_order_are_the_same_set():
    assert ask("jaccard@all", lists({"ann": "cyxb"})) == [1]
