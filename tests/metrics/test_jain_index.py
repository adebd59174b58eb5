import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, values

# a is shown three times, b twice, c once.
RECS = lists({"ann": "ab", "bob": "ab", "cid": "ac"})


def test_is_the_square_of_the_sum_by_the_sum_of_squares():
    assert values(sqlrec.evaluate("jain_index@2", recs=RECS)) == approx([36 / (3 * (9 + 4 + 1))])


def test_counts_items_of_the_catalog_that_nobody_is_shown():
    catalog = pa.table({"item_id": ["a", "b", "d", "e"]})
    found = sqlrec.evaluate("jain_index(items=catalog)@2", recs=RECS, catalog=catalog)
    assert values(found) == approx([25 / (4 * (9 + 4))])


def test_of_items_that_are_shown_alike_is_1():
    recs = lists({"ann": "ab", "bob": "ba"})
    found = sqlrec.evaluate("jain_index(weight=rank)@2 jain_index@1", recs=recs)
    assert values(found) == approx([1, 1])


def test_where_nothing_of_the_catalog_is_shown_is_undefined():
    catalog = pa.table({"item_id": ["d"]})
    found = sqlrec.evaluate("jain_index(items=catalog)@2", recs=RECS, catalog=catalog)
    assert values(found) == [None]
