import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, rows, table, values

CATALOG = table([(item,) for item in "abcdea"], item_id=pa.string())


def coverage(metric, shown, **options):
    return values(sqlrec.evaluate(metric, recs=lists(shown), catalog=CATALOG, **options))


def test_is_the_share_of_the_catalog_that_some_list_shows():
    shown = {"ann": "abc", "bob": "bd"}
    assert coverage("coverage@1 coverage@2 coverage", shown) == approx([2 / 5, 3 / 5, 4 / 5])


def test_does_not_count_items_that_the_catalog_does_not_have():
    assert coverage("coverage@2", {"ann": "xa", "bob": "yz"}) == approx([1 / 5])


def test_is_of_the_lists_of_each_segment_together():
    users = table([("ann", "x"), ("bob", None)], user_id=pa.string(), land=pa.string())
    shown = {"ann": "ab", "bob": "b", "cid": "c"}
    result = sqlrec.evaluate(
        "coverage@2", recs=lists(shown), catalog=CATALOG, users=users, by=["land"]
    )
    found = {land: rest for land, *rest in rows(result, "land", "value", "users")}
    assert found == {"x": [2 / 5, 1], None: [2 / 5, 2]}
