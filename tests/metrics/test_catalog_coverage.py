import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, rows, table, values

CATALOG = table([(item,) for item in "abcdea"], item_id=pa.string())
HISTORY = lists({"ann": "abx", "eve": "ay"})


def coverage(metric, shown, **options):
    given = {"catalog": CATALOG, "history": HISTORY} | options
    return values(sqlrec.evaluate(metric, recs=lists(shown), **given))


def test_is_the_share_of_the_catalog_that_some_list_shows():
    shown = {"ann": "abc", "bob": "bd"}
    assert coverage("coverage@1 coverage@2 coverage", shown) == approx([2 / 5, 3 / 5, 4 / 5])


def test_does_not_count_items_that_the_catalog_does_not_have():
    assert coverage("coverage@2", {"ann": "xa", "bob": "yz"}) == approx([1 / 5])


def test_of_a_catalog_of_one_item_is_1_where_it_is_shown():
    one = table([("a",)], item_id=pa.string())
    assert coverage("coverage@2", {"ann": "xa"}, catalog=one) == [1]


def test_counts_items_outside_if_asked_to():
    metric = "coverage(outside=counted)@2 coverage(items=history, outside=counted)@2"
    assert coverage(metric, {"ann": "xa", "bob": "yz"}) == approx([4 / 5, 4 / 4])
    assert coverage(metric, {"ann": "ab", "bob": "cb", "cid": "de"}) == approx([5 / 5, 5 / 4])


def test_of_the_history_is_the_share_of_its_items_and_needs_no_catalog():
    shown = {"ann": "xa", "bob": "ax", "cid": "cd"}
    assert coverage("coverage(items=history)@2", shown, catalog=None) == approx([2 / 4])
    assert coverage("coverage@2 coverage(items=history)@2", shown) == approx([3 / 5, 2 / 4])


def test_is_of_the_lists_of_each_segment_together():
    users = table([("ann", "x"), ("bob", None)], user_id=pa.string(), land=pa.string())
    shown = {"ann": "ab", "bob": "b", "cid": "c"}
    result = sqlrec.evaluate(
        "coverage@2", recs=lists(shown), catalog=CATALOG, users=users, by=["land"]
    )
    found = {land: rest for land, *rest in rows(result, "land", "value", "users")}
    assert found == {"x": [2 / 5, 1], None: [2 / 5, 2]}


def test_padding_is_items_that_nobody_is_shown():
    shown = {"ann": "ab", "bob": "ac"}
    assert coverage("coverage(padding=1)@1 coverage(padding=3)@2", shown) == approx([1 / 6, 3 / 8])
    assert coverage("coverage(items=history, padding=1)@2", shown) == approx([2 / 5])


def test_may_be_a_number_of_items():
    recs, catalog = lists({"ann": "abx"}), table([("a",), ("b",), ("c",)], item_id=pa.string())
    metric = "catalog_coverage(unit=items)@3"
    assert values(sqlrec.evaluate(metric, recs=recs, catalog=catalog)) == [2]


def test_may_be_in_percent_of_two_decimals():
    three = table([(item,) for item in "abc"], item_id=pa.string())
    assert coverage("coverage(unit=percent)", {"ann": "ax"}, catalog=three) == [approx(33.33)]
    outside = "coverage(unit=percent, outside=counted)"
    assert coverage(outside, {"ann": "ax"}, catalog=three) == [approx(66.67)]
