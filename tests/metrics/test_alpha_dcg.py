from math import log2

from pytest import approx

import sqlrec

from ..tables import labelled, lists, rows, wanted
from .test_alpha_ndcg import ITEMS
from .test_alpha_ndcg import alpha_ndcg as found


def test_divides_by_a_list_of_hits_with_all_aspects():
    # b gains half, since a above has its aspect; c has an aspect of its own.
    gains = 1 + 1 / 2 / log2(3) + 1 / 2
    full = 1 + 1 / 2 / log2(3) + 1 / 4 / 2
    assert found("abc", "abc", "alpha_dcg@3") == approx([gains / (2 * full)])
    assert found("xyd", "ad", "alpha_dcg@3") == approx([2 / 2 / (2 * full)])


def test_alpha_says_how_much_a_further_hit_loses():
    full = 1 + 1 / log2(3)
    assert found("ab", "abc", "alpha_dcg(alpha=0)@2") == approx([full / (2 * full)])
    assert found("ab", "abc", "alpha_dcg(alpha=1)@2") == approx([1 / 2])
    assert found("ab", "ab", "alpha_dcg(alpha=0.25)@2") == approx([1])


def test_shorter_lists_are_held_against_k_places():
    full = 1 + 1 / 2 / log2(3) + 1 / 4 / 2
    assert found("d", "d", ["alpha_dcg@3", "alpha_dcg@1"]) == approx([1 / full, 1])


def test_is_1_where_all_items_are_hits_with_all_aspects():
    items = labelled("aspect", dict.fromkeys("abcd", "12"))
    assert found("abcd", "abcd", "alpha_dcg@4", items=items) == approx([1])
    assert found("abcd", "abcd", "intent_err(alpha=0.9)@3", items=items) == approx([1])


def test_goes_with_other_metrics_of_aspects():
    metrics = ["alpha_dcg@2", "intent_err@2", "intent_err@3", "alpha_dcg(alpha=0.3)@3"]
    metrics += ["intent_err(alpha=1)@2", "alpha_ndcg@2", "nrbp@all"]
    alone = [(metric, *found("xac", "abc", metric)) for metric in metrics]
    result = sqlrec.evaluate(
        metrics, recs=lists({"ann": "xac"}), truth=wanted({"ann": "abc"}), items=ITEMS
    )
    assert sorted(rows(result, "asked", "value")) == sorted(alone)


def test_is_0_without_a_list_and_undefined_without_a_relevant_item_that_has_an_aspect():
    result = sqlrec.evaluate(
        "alpha_dcg@2 intent_err@2",
        recs=lists({"ann": "xa", "bob": "a", "dan": "a"}),
        truth=wanted({"ann": "x", "bob": "a", "cid": "c"}),
        items=labelled("aspect", {"a": "1", "b": "2", "c": "1"}),
    )
    assert sorted(rows(result.per_user(), "metric", "user_id", "value")) == [
        ("alpha_dcg", "ann", None),
        ("alpha_dcg", "bob", approx(1 / (1 + 1 / 2 / log2(3)))),
        ("alpha_dcg", "cid", 0),
        ("intent_err", "ann", None),
        ("intent_err", "bob", approx(1 / (1 + 1 / 4))),
        ("intent_err", "cid", 0),
    ]
