from functools import partial

from pytest import approx

from ..tables import lists, scored
from .test_catalog_auc import auc

loss = partial(auc, "label_ranking_loss")


def test_is_the_share_of_pairs_with_the_relevant_item_not_above():
    # b has one of six above, and none of the others is below h.
    assert loss(lists({"ann": "abc"}), "bh") == approx([(1 + 6) / (2 * 6)])


def test_equal_scores_are_lost_by_the_worst_order():
    recs = scored({"ann": {"a": 1.0, "b": 1.0, "c": 1.0}})
    assert loss(recs, "b", ties="worst") == approx([2 / 7])


def test_is_undefined_without_two_sorts_of_items():
    assert loss(lists({"ann": "abc"}), "abcdefgh") == [None]
