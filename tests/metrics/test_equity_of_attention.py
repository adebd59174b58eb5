from math import log2

from pytest import approx

import sqlrec

from ..tables import lists, values, wanted

# a is shown twice, b and c once each.
RECS = lists({"ann": "ab", "bob": "ac"})


def equity(truth, metric="equity_of_attention@2"):
    return values(sqlrec.evaluate(metric, recs=RECS, truth=wanted(truth)))


def test_is_the_distance_of_shares_of_attention_and_of_merit():
    # Of attention a has 2 and b and c have 1 / log2(3); of merit a, b and d have a third each.
    whole = 2 + 2 / log2(3)
    side = 1 / log2(3) / whole
    expected = abs(2 / whole - 1 / 3) + abs(side - 1 / 3) + side + 1 / 3
    assert equity({"ann": "ab", "bob": "d"}) == approx([expected])


def test_may_count_all_places_alike():
    # Shares of 1/2, 1/4 and 1/4, and of 1/2, 1/2 and 0.
    found = equity({"ann": "a", "bob": "b"}, "equity_of_attention(weight=plain)@2")
    assert found == approx([1 / 2])


def test_of_items_that_are_shown_as_they_merit_is_0():
    assert equity({"ann": "a", "bob": "a"}, "equity_of_attention@1") == [0]


def test_of_items_that_nobody_wants_is_2():
    assert equity({"ann": "x", "bob": "y"}) == approx([2])


def test_counts_what_users_with_a_list_want_alone():
    assert equity({"ann": "a", "cid": "b"}, "equity_of_attention@1") == [0]
    assert equity({"cid": "b"}) == [None]
