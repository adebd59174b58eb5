from math import log2

from pytest import approx

import sqlrec

from ..tables import lists, values

# Four users: a had by 4, b by 2, c by 1 and more than once; nobody had z.
HISTORY = lists({"u1": "ab", "u2": "ab", "u3": "acc", "u4": "a"})


def ask(metric, shown, history=HISTORY):
    return values(sqlrec.evaluate(metric, recs=lists({"ann": shown}), history=history))


def test_is_the_mean_of_bits():
    assert ask("surprisal@1 surprisal@2 surprisal@3", "abc") == approx([0, 1 / 2, (1 + 2) / 3])


def test_an_item_without_history_counts_as_had_by_one_user():
    assert ask("surprisal@1", "z") == ask("surprisal@1", "c") == [2]


def test_as_a_share_an_item_that_one_user_had_counts_1():
    assert ask("surprisal(unit=share)@3", "abc") == approx([(0 + 1 / 2 + 1) / 3])


def test_as_a_share_it_is_undefined_where_there_is_one_user():
    one = lists({"u1": "ab"})
    assert ask("surprisal@2", "ab", one) == [0]
    assert ask("surprisal(unit=share)@2", "ab", one) == [None]


def test_divides_by_the_places_of_a_short_list_or_by_k():
    assert ask("miuf@4 miuf(divide_by=k)@4", "bc") == approx([3 / 2, 3 / 4])


def test_bits_need_no_round_numbers():
    history = lists({"u1": "a", "u2": "a", "u3": "b"})
    assert ask("surprisal@all", "ab", history) == approx([(log2(3 / 2) + log2(3)) / 2])


def test_can_count_how_often_items_were_had():
    # Eight times something was had: a four times, b and c twice.
    metrics = "surprisal(count=events)@1 surprisal(count=events)@3"
    assert ask(metrics, "abc") == approx([1, (1 + 2 + 2) / 3])
    assert ask("surprisal(count=events, unit=share)@1", "c") == approx([2 / 3])
    assert ask("surprisal(count=events)@1", "z") == [3]


def test_an_item_without_history_can_count_0():
    assert ask("surprisal(without_history=zero)@3", "bcz") == [(1 + 2 + 0) / 3]


def test_can_be_the_mean_of_all_places():
    recs = lists({"ann": "abc", "bob": "c"})
    asked = "surprisal@3 surprisal(average=pooled)@3 surprisal(average=pooled, divide_by=k)@3"
    found = values(sqlrec.evaluate(asked, recs=recs, history=HISTORY))
    assert found == approx([(1 + 2) / 2, (0 + 1 + 2 + 2) / 4, (0 + 1 + 2 + 2) / 6])


def test_an_item_without_history_can_be_left_out():
    assert ask("surprisal(without_history=omit)@3", "bcz") == [(1 + 2) / 2]
    assert ask("surprisal(without_history=omit, divide_by=k)@4", "bcz") == [(1 + 2) / 4]
    assert ask("surprisal(without_history=omit)@1", "z") == [None]
    recs = lists({"ann": "bz", "bob": "cab"})
    found = sqlrec.evaluate(
        "surprisal(without_history=omit, average=pooled)@3", recs=recs, history=HISTORY
    )
    assert values(found) == approx([(1 + 2 + 0 + 1) / 4])
