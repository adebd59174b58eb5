from pytest import approx

import sqlrec

from ..tables import lists, priced, rows, values, wanted

ITEMS = priced(("a", 10), ("b", 2), ("c", 5), ("free", 0))
RECS = lists({"ann": ["a", "c", "free"], "bob": ["b", "a"], "cid": ["free"]})


def precision(metric, truth):
    return sqlrec.evaluate(metric, recs=RECS, truth=wanted(truth), items=ITEMS)


def test_is_the_share_of_what_places_cost_that_is_of_hits():
    # Ann is shown a and c, which she wants, bob b and a, of which he wants b.
    found = precision("value_precision@2", {"ann": "ac", "bob": "b"})
    assert values(found) == approx([(1 + 2 / 12) / 2])


def test_pooled_divides_what_all_users_find_by_what_they_are_shown():
    found = precision("value_precision(average=pooled)@2", {"ann": "a", "bob": "b"})
    assert values(found) == approx([(10 + 2) / (15 + 12)])


def test_leaves_out_users_without_relevant_item_or_with_a_list_that_costs_nothing():
    found = precision("value_precision@2", {"bob": "a", "cid": ["free"]})
    assert rows(found, "value", "users") == [(approx(10 / 12), 1)]


def test_is_the_weighted_precision_of_scikit_learn():
    items = priced(*zip("abcdef", (12.5, 3, 7.25, 40, 1, 9.5), strict=True))
    recs, truth = lists({"ann": "abcdef"}), wanted({"ann": "acdf"})
    found = sqlrec.evaluate("value_precision@3", recs=recs, truth=truth, items=items)
    assert values(found) == approx([0.8681318681318682], abs=1e-12)
