from math import log, log2

from pytest import approx

from .test_herfindahl import herfindahl as entropy


def test_is_in_bits_the_logarithm_of_how_many_items_are_shown_alike():
    shown = {"ann": "abcd", "bob": "dcba"}
    assert entropy("entropy@1 entropy@4", shown) == approx([1, 2])


def test_of_shares_that_differ():
    # a has half of the places, b and c a quarter each.
    assert entropy("entropy@2", {"ann": "ab", "bob": "ca"}) == approx([3 / 2])


def test_of_a_single_item_is_0():
    assert entropy("entropy@1", {"ann": "ab", "bob": "a"}) == [0]


def test_may_be_in_nats_and_divided_by_the_items_shown():
    shown = {"ann": "ab", "bob": "ca"}
    assert entropy("entropy(unit=nats)@2", shown) == approx([3 / 2 * log(2)])
    assert entropy("entropy(of=item)@2", shown) == approx([3 / 2 / 3])
    assert entropy("entropy(unit=nats, of=item)@2", shown) == approx([log(2) / 2])


def test_by_rank_weighs_a_list_by_the_place_in_it():
    first = 1 / (1 + 1 / log2(3))
    expected = -first * log2(first) - (1 - first) * log2(1 - first)
    assert entropy("entropy(weight=rank)@2", {"ann": "ab"}) == approx([expected])
