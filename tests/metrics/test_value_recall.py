from pytest import approx

import sqlrec

from ..tables import lists, priced, rows, values, wanted

ITEMS = priced(("a", 10), ("b", 2), ("c", 5), ("free", 0))
RECS = lists({"ann": "ab", "bob": "b"})


def recall(metric, truth, items=ITEMS):
    return sqlrec.evaluate(metric, recs=RECS, truth=wanted(truth), items=items)


def test_is_the_share_of_what_relevant_items_cost():
    truth = {"ann": "ac", "bob": "bc"}
    assert values(recall("value_recall@2", truth)) == approx([(10 / 15 + 2 / 7) / 2])


def test_pooled_divides_the_hits_of_all_users_by_their_relevant_items():
    truth = {"ann": "ac", "bob": "bc", "cid": "a"}
    found = recall("value_recall(average=pooled)@2", truth)
    assert values(found) == approx([(10 + 2 + 0) / (15 + 7 + 10)])


def test_with_equal_prices_is_the_recall():
    items = priced(*((item, 7) for item in "abc"))
    found = recall("value_recall@1 recall@1", {"ann": "ac", "bob": "bc"}, items)
    assert values(found) == [0.5, 0.5]


def test_leaves_out_users_whose_relevant_items_cost_nothing():
    found = recall("value_recall@2", {"ann": "ab", "bob": ["free"]})
    assert rows(found, "value", "users") == [(1, 1)]


def test_is_the_weighted_recall_of_scikit_learn():
    items = priced(*zip("abcdef", (12.5, 3, 7.25, 40, 1, 9.5), strict=True))
    recs = lists({"ann": "abcdef"})
    found = sqlrec.evaluate("value_recall@3", recs=recs, truth=wanted({"ann": "acdf"}), items=items)
    assert values(found) == approx([0.2851985559566787], abs=1e-12)
