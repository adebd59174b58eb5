from pytest import approx

import sqlrec

from ..tables import lists, values

# a had by 3 users, b and c by 2, d by 1.
HISTORY = lists({"u1": "abcd", "u2": "abb", "u3": "ac"})


def rank(shown, params="", at="all", history=HISTORY):
    metric = f"popularity_rank{params}@{at}"
    return values(sqlrec.evaluate(metric, recs=lists({"ann": shown}), history=history))


def test_is_the_mean_place_among_all_items_by_users():
    assert rank("a") == [1]
    assert rank("ad") == approx([(1 + 4) / 2])


def test_items_that_as_many_users_had_share_the_first_of_their_ranks():
    assert rank("b") == rank("c") == [2]


def test_an_item_without_history_comes_last():
    assert rank("z") == [5]


def test_the_quantile_is_the_rank_from_below_among_equals_the_mean():
    of = "(unit=quantile)"
    assert rank("a", of) == [4 / 4]
    assert rank("b", of) == rank("c", of) == [(2 + 3) / 2 / 4]
    assert rank("d", of) == [1 / 4]
    assert rank("z", of) == [0]
    assert rank("az", of) == [1 / 2]
    assert rank("a", of, history=lists({"u1": "a", "u2": "a"})) == [1]


def test_is_of_the_places_that_a_short_list_has():
    assert rank("abd", at=9) == approx([(1 + 2 + 4) / 3])
    assert rank("abd", "(unit=quantile)", at=9) == approx([(1 + 5 / 8 + 1 / 4) / 3])
