from pytest import approx

import sqlrec

from ..tables import lists, values

# a had by 3 users, b and c by 2, d by 1.
HISTORY = lists({"u1": "abcd", "u2": "abb", "u3": "ac"})


def rank(shown):
    return values(
        sqlrec.evaluate("popularity_rank@all", recs=lists({"ann": shown}), history=HISTORY)
    )


def test_is_the_mean_place_among_all_items_by_users():
    assert rank("a") == [1]
    assert rank("ad") == approx([(1 + 4) / 2])


def test_items_that_as_many_users_had_share_the_first_of_their_ranks():
    assert rank("b") == rank("c") == [2]


def test_an_item_without_history_comes_last():
    assert rank("z") == [5]
