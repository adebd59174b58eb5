from pytest import approx

from .test_herfindahl import herfindahl as diversity


def test_is_the_mean_distance_of_all_pairs_of_lists():
    # 1 of 2 items in common, none, none.
    shown = {"ann": "ab", "bob": "cb", "cid": "de"}
    assert diversity("personalization@2", shown) == approx([(1 / 2 + 1 + 1) / 3])


def test_of_lists_of_the_same_items_is_0_in_whatever_order():
    assert diversity("personalization@3", {"ann": "abc", "bob": "cba"}) == approx([0], abs=1e-15)


def test_of_lists_without_common_items_is_1():
    assert diversity("personalisation@1", {"ann": "abc", "bob": "cba"}) == [1]


def test_of_lists_of_different_lengths_is_the_cosine_distance():
    assert diversity("personalization", {"ann": "abcd", "bob": "a"}) == approx([1 - 1 / 2])


def test_of_a_single_list_is_undefined():
    assert diversity("personalization@2", {"ann": "ab"}) == [None]


def test_may_divide_by_k_and_then_takes_lists_to_have_as_many_items():
    # 1, 0 and 0 items in common, of 2.
    shown = {"ann": "ab", "bob": "cb", "cid": "de"}
    assert diversity("personalization(divide_by=k)@2", shown) == approx([1 - 1 / 2 / 3])
    # Items are shown 1, 2, 1, 1 and 1 times, and of three lists of 4 items: (8 / 4 - 3) / 6.
    assert diversity("personalization(divide_by=k)@4", shown) == approx([1 + 1 / 6])
    assert diversity("personalization(divide_by=k)@2", {"ann": "ab"}) == [None]
