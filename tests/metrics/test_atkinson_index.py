from math import sqrt

import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, values

# a is shown three times, b twice, c once.
RECS = lists({"ann": "ab", "bob": "ab", "cid": "ac"})


def test_holds_the_even_exposure_that_is_worth_as_much_against_the_mean():
    found = sqlrec.evaluate("atkinson_index@2 atkinson_index(aversion=0.75)@2", recs=RECS)
    half = ((sqrt(3) + sqrt(2) + 1) / 3) ** 2
    quarter = ((3**0.25 + 2**0.25 + 1) / 3) ** 4
    assert values(found) == approx([1 - half / 2, 1 - quarter / 2])


def test_counts_items_of_the_catalog_that_nobody_is_shown():
    catalog = pa.table({"item_id": ["a", "b", "d", "e"]})
    found = sqlrec.evaluate("atkinson_index(items=catalog)@2", recs=RECS, catalog=catalog)
    assert values(found) == approx([1 - ((sqrt(3) + sqrt(2)) / 4) ** 2 / (5 / 4)])


def test_of_items_that_are_shown_alike_is_0():
    recs = lists({"ann": "ab", "bob": "ba"})
    assert values(sqlrec.evaluate("atkinson_index(weight=rank)@2", recs=recs)) == approx([0])


def test_where_nothing_of_the_catalog_is_shown_is_undefined():
    catalog = pa.table({"item_id": ["d"]})
    found = sqlrec.evaluate("atkinson_index(items=catalog)@2", recs=RECS, catalog=catalog)
    assert values(found) == [None]
