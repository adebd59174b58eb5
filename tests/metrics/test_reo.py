from math import sqrt

import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, table, values, wanted

GROUPS = [("a", "g"), ("b", "g"), ("c", "h"), ("d", "h"), ("e", "unwanted")]
TEXT = {"item_id": pa.string(), "item_group": pa.string()}
ITEMS = table(GROUPS, **TEXT)
RECS = lists({"ann": "abe", "bob": "cae"})


def reo(truth, items=ITEMS):
    return values(sqlrec.evaluate("reo@2", recs=RECS, truth=wanted(truth), items=items))


def test_is_the_relative_standard_deviation_of_what_is_found_in_the_groups():
    # Of g 3 of 3 are found, of h 1 of 2: a mean of 3/4, and 1/4 away from it.
    assert reo({"ann": "abd", "bob": "ac"}) == approx([1 / 3])


def test_goes_by_what_is_found_and_not_by_what_is_shown():
    items = table([*GROUPS, ("f", "k")], **TEXT)
    # Of g 3 of 3 are found, of h 1 of 2, and of k none of 2.
    expected = sqrt((1 / 4 + 0 + 1 / 4) / 3) / (1 / 2)
    assert reo({"ann": "abdf", "bob": "acf"}, items) == approx([expected])


def test_does_not_count_users_without_list():
    assert reo({"ann": "abd", "bob": "ac", "cid": "cd"}) == approx([1 / 3])


def test_of_groups_that_are_found_alike_is_0():
    assert reo({"ann": "a", "bob": "c"}) == [0]


def test_where_nothing_is_found_is_undefined():
    assert reo({"ann": "cd"}) == [None]


def test_where_nothing_of_any_group_is_wanted_is_undefined():
    assert reo({"ann": "x"}) == [None]


def test_without_any_group_is_undefined():
    assert reo({"ann": "a"}, table([("a", None)], **TEXT)) == [None]
