from pytest import approx

import sqlrec

from ..tables import lists, values

# Of 10 pairs a has 5, b and c have 2 each, d has 1.
HISTORY = lists({"u1": "abcd", "u2": "abc", "u3": "a", "u4": "aa", "u5": "a"})


def tail(shown, params="", at="@all", history=HISTORY):
    metric = f"tail_share({params}){at}" if params else f"tail_share{at}"
    return values(sqlrec.evaluate(metric, recs=lists({"ann": shown}), history=history))[0]


def test_the_head_is_what_just_reaches_the_share_of_all_that_was_had():
    assert [tail(item, "head=0.5") for item in "abcd"] == [0, 1, 1, 1]
    assert [tail(item, "head=0.51") for item in "abcd"] == [0, 0, 0, 1]


def test_items_that_as_many_users_had_stay_together():
    assert [tail(item, "head=0.6") for item in "abcd"] == [0, 0, 0, 1]


def test_by_default_the_head_holds_four_fifths():
    assert [tail(item) for item in "abcd"] == [0, 0, 0, 1]


def test_the_share_may_be_one_of_the_items():
    assert [tail(item, "head=0.25, of=items") for item in "abcd"] == [0, 1, 1, 1]
    assert [tail(item, "head=0.75, of=items") for item in "abcd"] == [0, 0, 0, 1]
    assert [tail(item, "head=0.76, of=items") for item in "abcd"] == [0, 0, 0, 0]


def test_an_item_without_history_is_of_the_tail():
    assert tail("az") == 1 / 2
    assert tail("azb", "head=0.5") == approx(2 / 3)


def test_the_only_item_is_the_head():
    one = lists({"u1": "a"})
    for params in ("", "of=items"):
        assert [tail(item, params, history=one) for item in "az"] == [0, 1]


def test_divides_by_the_places_of_a_short_list_or_by_k():
    assert tail("ad", at="@4") == 1 / 2
    assert tail("ad", "divide_by=k", "@4") == 1 / 4


def test_the_tail_may_be_the_rarest_items_of_the_history():
    # From the fewest users on: d, then b and c by id, then a.
    assert [tail(item, "rarest=0.5") for item in "abcdz"] == [0, 1, 0, 1, 0]
    assert [tail(item, "rarest=0.1") for item in "abcdz"] == [0, 0, 0, 1, 0]
    assert tail("adz", "rarest=0.5, divide_by=k", at="@4") == 1 / 4


def test_or_those_that_at_most_so_many_users_had():
    assert [tail(item, "rarest=2") for item in "abcdz"] == [0, 1, 1, 1, 0]


def test_items_that_as_many_users_had_may_be_parted_by_id():
    # a has 5 of 10 pairs, a and b have 7.
    assert [tail(item, "head=0.6, equals=by_id") for item in "abcd"] == [0, 0, 1, 1]
    assert [tail(item, "head=0.5, of=items, equals=by_id") for item in "abcd"] == [0, 0, 1, 1]
    assert tail("z", "equals=by_id") == 1


def test_may_be_a_number_of_places():
    assert tail("abdz", "divide_by=nothing") == 2
    assert tail("abdz", "divide_by=nothing", at="@3") == 1
