from pytest import approx

import sqlrec

from ..tables import lists, values

RECS = lists({"ann": "abz", "bob": "c"})
# Four users: a had by 4, b by 2, c by 1 and more than once; nobody had z.
HISTORY = lists({"u1": "ab", "u2": "ab", "u3": "acc", "u4": "a"})


def ask(metric, **inputs):
    return values(sqlrec.evaluate(metric, **({"recs": RECS, "history": HISTORY} | inputs)))


def test_is_the_mean_number_of_users_who_had_the_item():
    assert ask("popularity_count@1 popularity_count@3") == approx([(4 + 1) / 2, (6 / 3 + 1) / 2])


def test_counts_users_once_or_how_often_they_had_it():
    assert ask("arp@1 arp(count=events)@1", recs=lists({"ann": "c"})) == [1, 2]


def test_divides_by_the_places_of_a_short_list_or_by_k():
    assert ask("arp@5 arp(divide_by=k)@5", recs=lists({"ann": "ab"})) == approx([3, 6 / 5])


def test_an_item_without_history_can_count_as_had_once():
    assert ask("arp(without_history=once)@3") == approx([((4 + 2 + 1) / 3 + 1) / 2])


def test_an_item_without_history_can_be_left_out():
    assert ask("arp(without_history=omit)@3") == approx([((4 + 2) / 2 + 1) / 2])
    assert ask("arp(without_history=omit, divide_by=k)@3", recs=lists({"ann": "abz"})) == [6 / 3]
    assert ask("arp(without_history=omit)@1", recs=lists({"ann": "z"})) == [None]


def test_may_be_a_share_of_what_the_most_popular_item_has():
    assert ask("arp(unit=most)@3") == approx([(6 / 3 + 1) / 2 / 4])
    assert ask("arp(unit=most)@1", recs=lists({"ann": "z"})) == [0]
    assert ask("arp(unit=most, without_history=once)@1", recs=lists({"ann": "z"})) == [1 / 4]
    assert ask("arp(unit=most, count=events)@1", recs=lists({"ann": "c"})) == [2 / 4]
