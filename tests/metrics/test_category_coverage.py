import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import labelled, lists, rows, table, values

ITEMS = labelled("category", {"a": "12", "b": "1", "c": "3", "d": "4"})


def coverage(metric, **shown):
    return values(sqlrec.evaluate(metric, recs=lists(shown), items=ITEMS))


def test_is_the_number_of_different_categories_by_place():
    assert coverage("category_coverage@1 category_coverage@2", ann="bac") == [1, 1]
    assert coverage("category_coverage@3", ann="bac") == [1]


def test_can_be_above_1_where_items_have_several_categories():
    assert coverage("category_coverage@1", ann="a") == [2]


def test_divides_by_the_places_of_a_short_list_or_by_all_categories():
    metrics = "category_coverage@5 category_coverage(divide_by=list_length)@5"
    assert coverage(metrics, ann="bc") == approx([2 / 5, 2 / 2])
    assert coverage("category_coverage(divide_by=categories)@all", ann="bac") == approx([3 / 4])


def test_an_item_may_take_a_place_for_each_of_its_categories():
    metrics = [f"category_coverage(places=categories)@{k}" for k in (1, 2, 3, 4)]
    assert coverage(metrics, ann="abc") == approx([1, 2 / 2, 2 / 3, 3 / 4])


def test_an_item_without_category_adds_none():
    assert coverage("category_coverage@2", ann="bx") == approx([1 / 2])
    for params in ("", "(divide_by=list_length)", "(divide_by=categories)"):
        assert coverage(f"category_coverage{params}@2", ann="xy") == [0]


def test_a_user_without_list_is_left_out():
    # Bob has nothing in first place.
    recs = lists({"ann": "b", "bob": "xa"}).take([0, 2])
    result = sqlrec.evaluate("category_coverage@1", recs=recs, items=ITEMS)
    assert rows(result, "value", "users") == [(1, 1)]


def test_is_undefined_as_a_share_where_there_is_no_category_at_all():
    nothing = table([("a", None)], item_id=pa.string(), category=pa.string())
    metrics = "category_coverage(divide_by=categories)@2 category_coverage@2"
    result = sqlrec.evaluate(metrics, recs=lists({"ann": "ab"}), items=nothing)
    assert rows(result, "value", "users") == [(None, 0), (0, 1)]
