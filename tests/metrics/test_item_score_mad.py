from pytest import approx

import sqlrec

from ..tables import labelled, scored, values, wanted

RECS = {"ann": {"a": 9, "b": 8}, "bob": {"c": 5, "a": 4}, "cid": {"c": 3, "x": -1}}
GROUPS = {"a": "g", "b": "g", "c": "h", "d": "h", "x": "i", "y": "j"}
TRUTH = {"ann": "ad", "bob": "c", "cid": "cx"}


def mad(metric="item_score_mad@2", recs=RECS, groups=GROUPS, truth=TRUTH):
    items = labelled("item_group", groups)
    return values(sqlrec.evaluate(metric, recs=scored(recs), truth=wanted(truth), items=items))


def test_is_the_mean_difference_of_the_scores_of_hits_of_two_groups():
    # a has 9 for ann and nothing for bob, b nothing, c 4 on average: g 9/4, h 4, i -1.
    assert mad() == approx([(7 / 4 + 13 / 4 + 5) / 3])
    assert mad(groups={"a": "g", "b": "g", "c": "h"}) == approx([7 / 4])


def test_may_average_over_hits_alone():
    # g 9, h 4, i -1, and b has no hit.
    assert mad("item_score_mad(places=hits)@2") == approx([20 / 3])


def test_counts_places_within_the_cutoff():
    # g 9, h 4.
    assert mad("item_score_mad@1") == approx([5])


def test_leaves_out_users_without_a_relevant_item():
    assert mad(truth={"ann": "ad", "bob": "c"}) == approx([5 - 9 / 4])


def test_takes_a_hit_without_score_for_nothing():
    recs = {"ann": {"a": 9, "b": 8}, "bob": {"c": 5}, "cid": {"c": 3, "x": None}}
    items = labelled("item_group", GROUPS)
    found = sqlrec.evaluate(
        "item_score_mad", recs=scored(recs), truth=wanted(TRUTH), items=items, null_scores="last"
    )
    # g 9/2, h 4, i 0.
    assert values(found) == approx([(1 / 2 + 9 / 2 + 4) / 3])


def test_of_less_than_two_groups_is_undefined():
    assert mad(groups={"a": "g", "b": "g"}) == [None]
    assert mad("item_score_mad(places=hits)@2", groups={"b": "g", "c": "h"}) == [None]
