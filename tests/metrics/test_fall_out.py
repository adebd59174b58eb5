from pytest import approx

from ..tables import lists, scored
from .test_catalog_auc import auc as fall_out


def test_is_the_share_of_irrelevant_items_that_the_list_shows():
    recs = lists({"ann": "abcd"})
    found = fall_out("fall_out@1 fall_out@3 fall_out", recs, "bh")
    assert found == approx([1 / 6, 2 / 6, 3 / 6])


def test_a_tied_place_is_missed_as_often_as_chance_has_it():
    recs = scored({"ann": {"a": 1.0, "b": 1.0, "c": 1.0}})
    assert fall_out("fall_out@1", recs, "b", ties="expected") == approx([2 / 3 / 7])


def test_is_undefined_where_all_is_relevant_or_the_catalog_lacks_items():
    assert fall_out("fall_out", lists({"ann": "ab"}), "abcdefgh") == [None]
    assert fall_out("fall_out", lists({"ann": "abcdefghxyz"}), "a") == [None]
