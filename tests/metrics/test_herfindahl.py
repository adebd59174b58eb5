from math import log2

from pytest import approx

import sqlrec

from ..tables import lists, values


def herfindahl(metric, shown):
    return values(sqlrec.evaluate(metric, recs=lists(shown)))


def test_is_one_divided_by_how_many_items_are_shown_alike():
    shown = {"ann": "abcd", "bob": "dcba"}
    assert herfindahl("hhi@1 hhi@4", shown) == approx([1 / 2, 1 / 4])


def test_of_shares_that_differ():
    shown = {"ann": "ab", "bob": "ca"}
    assert herfindahl("hhi@2", shown) == approx([(1 / 2) ** 2 + 2 * (1 / 4) ** 2])


def test_by_rank_weighs_a_list_by_the_place_in_it():
    first = 1 / (1 + 1 / log2(3))
    assert herfindahl("hhi(weight=rank)@2", {"ann": "ab"}) == approx([first**2 + (1 - first) ** 2])
