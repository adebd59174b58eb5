import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, table, values, wanted

GROUPS = [("a", "g"), ("b", "g"), ("c", "h"), ("d", "h"), ("e", "unwanted"), ("f", None)]
ITEMS = table(GROUPS, item_id=pa.string(), item_group=pa.string())
RECS = lists({"ann": "abf", "bob": "caf"})


def impact(truth):
    return values(
        sqlrec.evaluate("disparate_impact@3", recs=RECS, truth=wanted(truth), items=ITEMS)
    )


def test_is_the_least_share_found_divided_by_the_largest():
    # Of g 3 of 3 are found, of h 1 of 2.
    assert impact({"ann": "abd", "bob": "acf"}) == approx([1 / 2])


def test_of_groups_that_are_found_alike_is_1():
    assert impact({"ann": "a", "bob": "c"}) == [1]


def test_of_a_group_that_is_never_found_is_0():
    assert impact({"ann": "ae"}) == [0]


def test_where_nothing_is_found_or_wanted_is_undefined():
    assert impact({"ann": "d"}) == [None]
    assert impact({"ann": "f"}) == [None]
