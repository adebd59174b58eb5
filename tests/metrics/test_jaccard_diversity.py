from pytest import approx

import sqlrec

from ..tables import labelled, lists, rows, values

ITEMS = labelled("category", {"a": "12", "b": "1", "c": "3", "d": "12"})


def jaccard(shown, metric="jaccard_diversity@all"):
    return values(sqlrec.evaluate(metric, recs=lists({"ann": shown}), items=ITEMS))


def test_is_1_less_the_share_of_categories_that_two_items_have_in_common():
    assert jaccard("ab") == approx([1 / 2])
    assert jaccard("abc") == approx([(1 / 2 + 1 + 1) / 3])


def test_is_0_for_items_of_the_same_categories():
    assert jaccard("ad") == [0]


def test_an_item_without_category_has_nothing_in_common():
    assert jaccard("bx") == [1]
    assert jaccard("xy") == [1]
    assert jaccard("adx") == approx([2 / 3])


def test_is_of_the_places_within_k():
    metrics = "jaccard_diversity@2 jaccard_diversity@3 jaccard_diversity@9 hamming_diversity@9"
    assert jaccard("adb", metrics)[:3] == approx([0, (0 + 1 / 2 + 1 / 2) / 3, 1 / 3])


def test_a_list_of_one_item_is_left_out():
    recs = lists({"ann": "a", "bob": "ab"})
    result = sqlrec.evaluate("jaccard_diversity@1 jaccard_diversity@2", recs=recs, items=ITEMS)
    assert rows(result, "value", "users") == [(None, 0), (1 / 2, 1)]
