from math import log2

from pytest import approx

import sqlrec

from ..tables import lists, priced, rows, values, wanted

ITEMS = priced(*zip("abcdef", (12.5, 3, 7.25, 40, 1, 9.5), strict=True), ("free", 0))


def ndcg(metric, truth, shown="abcdef"):
    recs = lists({"ann": shown})
    return sqlrec.evaluate(metric, recs=recs, truth=wanted(truth), items=ITEMS)


def test_holds_the_list_against_the_dearest_first():
    # b is found at place 2 of 2; the best two would be a and b.
    found = ndcg("value_ndcg@2", {"ann": "abe"}, "cba")
    assert values(found) == approx([3 / log2(3) / (12.5 + 3 / log2(3))])


def test_is_that_of_scikit_learn_with_prices_as_grades():
    found = ndcg("value_ndcg@3 value_ndcg@all", {"ann": "acdf"})
    assert values(found) == approx([0.3063456470405139, 0.6588355751451016], abs=1e-12)


def test_counts_users_without_list_and_leaves_out_those_whose_items_cost_nothing():
    found = ndcg("value_ndcg@2", {"ann": ["free"], "bob": "a"})
    assert rows(found, "value", "users") == [(0, 1)]
