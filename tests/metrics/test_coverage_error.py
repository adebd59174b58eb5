from functools import partial

from ..tables import lists, scored
from .test_catalog_auc import auc

depth = partial(auc, "coverage_error")


def test_is_the_place_of_the_last_relevant_item():
    assert depth(lists({"ann": "abcd"}), "ac") == [3]


def test_is_the_whole_catalog_where_the_list_lacks_one():
    assert depth(lists({"ann": "abcd"}), "ah") == [8]


def test_counts_all_items_of_a_score_by_the_worst_order():
    recs = scored({"ann": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.5}})
    assert depth(recs, "a", ties="worst") == [3]


def test_is_undefined_without_a_relevant_item():
    assert depth(lists({"ann": "ab"}), {"a": 0}, population="judged") == [None]
