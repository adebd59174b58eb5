from pytest import mark, raises

import sqlrec

from ..tables import JUDGED, value, without_list


def test_is_how_many_more_hits_than_other_items_there_are():
    assert value("set_utility", "abcde", "bdx") == 2 - 3
    assert value("set_utility@2", "abcde", "bdx") == 1 - 1
    assert value("set_utility@9", "abcde", "bdx") == 2 - 3


@mark.parametrize(
    "params, expected",
    [
        ("hit=2.5", 2 * 2.5 - 3),
        ("noise=-0.5", 2 - 3 * 0.5),
        ("noise=0.25", 2 + 3 * 0.25),
        ("miss=-4", 2 - 3 - 4),
        # Of ten items five are shown, and x is missed.
        ("rest=0.5, collection=10", 2 - 3 + 4 * 0.5),
        ("hit=0, noise=0, miss=0, rest=1, collection=10", 4),
        ("collection=10", 2 - 3),
    ],
)
@mark.parametrize("relevant", ["bdx", JUDGED])
def test_each_kind_of_item_has_its_price(params, expected, relevant):
    assert value(f"set_utility({params})@9", "abcde", relevant) == expected


def test_the_kinds_are_all_items_of_the_collection():
    every = "hit=1, noise=1, miss=1, rest=1, collection=10"
    assert value(f"set_utility({every})@2", "abcde", "bdx") == 10


def test_without_list_everything_is_missed_or_left():
    assert without_list("set_utility", "ab") == 0
    assert without_list("set_utility(miss=-1, rest=0.5, collection=10)", "ab") == -2 + 8 * 0.5


def test_without_relevant_item_all_that_is_shown_is_noise():
    assert value("set_utility", "ab", {"a": 0}, population="judged") == -2


@mark.parametrize(
    "param, limits",
    [("hit=1000001", "from -1000000 to 1000000"), ("collection=-1", "from 0 to 1000000000000")],
)
def test_prices_and_the_collection_have_limits(param, limits):
    with raises(sqlrec.MetricError, match=f"{param[:3]}.* is a number {limits}"):
        value(f"set_utility({param})", "a", "a")
