from math import log2

import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, table, values, wanted

GROUPS = [("a", "g"), ("b", "g"), ("c", "h"), ("d", "h"), ("e", "unwanted"), ("f", None)]
TEXT = {"item_id": pa.string(), "item_group": pa.string()}
# a stands first for ann and second for bob, c first for bob, f second for ann.
RECS = lists({"ann": "af", "bob": "ca"})


def treatment(truth, metric="disparate_treatment@2", groups=GROUPS):
    items = table(groups, **TEXT)
    return values(sqlrec.evaluate(metric, recs=RECS, truth=wanted(truth), items=items))


def test_is_the_least_exposure_by_merit_divided_by_the_largest():
    # Of g a relevant item gets (1 + 1 / log2(3)) / 3, of h 1 / 1.
    assert treatment({"ann": "abx", "bob": "ac"}) == approx([(1 + 1 / log2(3)) / 3])


def test_may_count_places_alike():
    found = treatment({"ann": "ab", "bob": "ac"}, "disparate_treatment(weight=plain)@2")
    assert found == approx([2 / 3])


def test_of_items_of_equal_merit_is_demographic_parity():
    # An item of g has one place of the two, one of h a half, and e none.
    metric = "disparate_treatment(merit=items, weight=plain)@2"
    assert treatment({"ann": "a"}, metric, GROUPS[:4]) == approx([1 / 2])
    assert treatment({"ann": "a"}, metric) == [0]


def test_counts_an_item_in_each_of_its_groups():
    # Of g two relevant items have two places, of h two have three.
    found = treatment(
        {"ann": "a", "bob": "a"}, "disparate_treatment(weight=plain)@2", [*GROUPS, ("a", "h")]
    )
    assert found == approx([2 / 3])


def test_without_merit_or_exposure_is_undefined():
    assert treatment({"ann": "x"}) == [None]
    assert treatment({"ann": "e"}) == [None]
