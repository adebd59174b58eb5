from pytest import approx

import sqlrec

from ..tables import lists, values

# Of 10 pairs a has 6, b 2, c and d 1 each.
HISTORY = lists({"1": "abcd", "2": "ab", "3": "a", "4": "a", "5": "a", "6": "a"})


def pop_rsp(metric, shown, history=HISTORY):
    return values(sqlrec.evaluate(metric, recs=lists(shown), history=history))


def test_compares_what_is_shown_of_popular_and_of_other_items():
    # Of 4 pairs of a or b 3 are shown, of 4 of c or d 1.
    assert pop_rsp("pop_rsp@2", {"ann": "ab", "bob": "ac"}) == approx([(3 - 1) / (3 + 1)])


def test_adds_up_the_lists_of_all_items_of_a_part():
    # Of 4 pairs of a or b 2 are shown, of 4 of c or d 3.
    shown = {"ann": "abc", "bob": "cd"}
    assert pop_rsp("pop_rsp@3", shown) == approx([(3 / 4 - 2 / 4) / (3 / 4 + 2 / 4)])


def test_one_popular_item_and_one_other_are_enough():
    history = lists({"1": "ac", "2": "a", "3": "a", "4": "a"})
    assert pop_rsp("pop_rsp@2", {"ann": "c"}, history) == [1]


def test_leaves_out_what_users_have_had():
    # User 2 can be shown c and d alone: the head has 2 pairs, the rest 4.
    assert pop_rsp("pop_rsp@2", {"ann": "ac", "2": "c"}) == approx([0])


def test_does_not_count_items_without_history():
    assert pop_rsp("pop_rsp@3", {"ann": "xab", "bob": "ayc"}) == approx([(3 - 1) / (3 + 1)])


def test_of_lists_without_popular_items_is_1():
    assert pop_rsp("pop_rsp@2", {"ann": "cd"}) == [1]


def test_where_no_list_shows_an_item_of_the_history_is_undefined():
    assert pop_rsp("pop_rsp@2", {"ann": "xy"}) == [None]
