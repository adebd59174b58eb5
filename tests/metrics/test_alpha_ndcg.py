from math import log2

from pytest import approx

import sqlrec

from ..tables import labelled, lists, rows, values, wanted

ITEMS = labelled("aspect", {"a": "1", "b": "1", "c": "2", "d": "12"})


def alpha_ndcg(shown, relevant, metric="alpha_ndcg@3", items=ITEMS):
    result = sqlrec.evaluate(
        metric, recs=lists({"ann": shown}), truth=wanted({"ann": relevant}), items=items
    )
    return values(result)


def test_a_hit_counts_half_where_one_above_has_its_aspect():
    # The best list takes c before the second item of aspect 1.
    shown = 1 + 1 / 2 / log2(3) + 1 / 2
    best = 1 + 1 / log2(3) + 1 / 2 / 2
    assert alpha_ndcg("abc", "abc") == approx([shown / best])
    assert alpha_ndcg("acb", "abc") == approx([1])


def test_an_item_gains_the_sum_of_its_aspects():
    # d gains 2 in first place, and then a and c half each.
    shown = 1 + (1 / 2 + 1) / log2(3)
    best = 2 + 1 / 2 / log2(3) + 1 / 2 / 2
    assert alpha_ndcg("ad", "acd", "alpha_ndcg@3") == approx([shown / best])
    assert alpha_ndcg("ad", "acd", "alpha_ndcg@2") == approx([shown / (best - 1 / 4)])


def test_items_that_are_not_relevant_do_not_count_as_earlier_ones():
    assert alpha_ndcg("bac", "ac", "alpha_ndcg@3") == approx(
        [(1 / log2(3) + 1 / 2) / (1 + 1 / log2(3))]
    )


def test_alpha_says_how_much_a_further_hit_loses():
    assert alpha_ndcg("ab", "abc", "alpha_ndcg(alpha=0)@2") == approx([1])
    assert alpha_ndcg("ab", "abc", "alpha_ndcg(alpha=1)@2") == approx([1 / (1 + 1 / log2(3))])
    assert alpha_ndcg("ab", "abc", "alpha_ndcg(alpha=0.25)@2") == approx(
        [(1 + 3 / 4 / log2(3)) / (1 + 1 / log2(3))]
    )


def test_cutoffs_and_alphas_together_are_what_they_are_alone():
    metrics = ["alpha_ndcg@3", "alpha_ndcg(alpha=1)@2", "alpha_ndcg@1", "alpha_ndcg(alpha=1)@3"]
    together = alpha_ndcg("bcad", "abcd", metrics)
    assert together == approx([alpha_ndcg("bcad", "abcd", metric)[0] for metric in metrics])


def test_of_items_that_gain_as_much_the_last_by_its_id_comes_first():
    # b, a, c gain 2 each at first. c goes first, and leaves 2 to a and 1 + 1/2 to b.
    items = labelled("aspect", {"a": "12", "b": "23", "c": "34"})
    best = 2 + 2 / log2(3) + (1 / 2 + 1 / 2) / 2
    shown = 2 + (1 / 2 + 1) / log2(3) + (1 / 2 + 1) / 2
    assert alpha_ndcg("abc", "abc", items=items) == approx([shown / best])
    # Had a and c changed places, the rest would be the same; but with b first it is less.
    items = labelled("aspect", {"a": "12", "c": "23", "b": "34"})
    best = 2 + (1 / 2 + 1) / log2(3) + (1 / 2 + 1) / 2
    assert alpha_ndcg("cab", "abc", items=items) == approx([1])
    assert alpha_ndcg("abc", "abc", items=items)[0] == approx(
        (2 + 2 / log2(3) + (1 / 2 + 1 / 2) / 2) / best
    )


def test_can_be_above_1_as_the_best_list_is_built_place_by_place():
    items = labelled("aspect", {"a": "12", "c": "23", "b": "34"})
    # The one that is built is c, b, a.
    assert alpha_ndcg("abc", "abc", "alpha_ndcg@2", items=items)[0] > 1


def test_an_item_without_aspect_gains_nothing_and_an_aspect_told_twice_counts_once():
    twice = labelled("aspect", {"a": "11", "c": "2"})
    assert alpha_ndcg("xac", "acx", items=twice) == approx(
        [(1 / log2(3) + 1 / 2) / (1 + 1 / log2(3))]
    )


def test_is_0_without_hit_or_list_and_undefined_without_relevant_item_that_has_an_aspect():
    result = sqlrec.evaluate(
        "alpha_ndcg@2",
        recs=lists({"ann": "xy", "cid": "x", "dot": "ax"}),
        truth=wanted({"ann": "a", "bob": "a", "cid": "x", "dot": "ax"}),
        items=ITEMS,
    )
    assert rows(result, "value", "users") == [(approx(1 / 3), 3)]
    expected = [("ann", 0), ("bob", 0), ("cid", None), ("dot", 1)]
    assert sorted(rows(result.per_user(), "user_id", "value")) == expected


def test_grades_do_not_count_beyond_relevant_or_not():
    assert alpha_ndcg("ab", {"a": 1, "b": 5, "c": 0}, "alpha_ndcg@2") == approx([1])


def test_a_deep_list_of_one_aspect_is_the_best():
    items = [f"{number:03}" for number in range(120)]
    one_aspect = labelled("aspect", dict.fromkeys(items, "1"))
    found = alpha_ndcg(items, items, "alpha_ndcg(alpha=0.999)@100", one_aspect)
    assert found == approx([1])


def test_as_rs_metrics_has_it_items_that_are_not_relevant_count_as_earlier_ones_too():
    # b has the aspect of a; three places are one round of both aspects, and one place of the next.
    best = 1 + 1 / log2(3) + 1 / 2 / 2
    listed = alpha_ndcg("bac", "ac", "alpha_ndcg(form=rs_metrics)@3")
    assert listed == approx([(1 / 2 / log2(3) + 1 / 2) / best])
    # With alpha 0 each hit counts for both aspects of the list, and the best has 1 in each place.
    every = alpha_ndcg("bac", "ac", "alpha_ndcg(form=rs_metrics, alpha=0)@3")
    assert every == approx([2 * (1 / log2(3) + 1 / 2) / (1 + 1 / log2(3) + 1 / 2)])


def test_as_rs_metrics_has_it_short_lists_have_short_best_ones_and_no_list_has_no_value():
    result = sqlrec.evaluate(
        "a_ndcg@5",
        recs=lists({"ann": "d", "cid": "x"}),
        truth=wanted({"ann": "ad", "bob": "a", "cid": "a"}),
        items=ITEMS,
        convention="rs_metrics",
    )
    found = sorted(rows(result.per_user(), "user_id", "value"))
    assert found == [("ann", 2), ("bob", None), ("cid", 0)]
    assert values(result) == [None]
