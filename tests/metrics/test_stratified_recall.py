from pytest import approx

import sqlrec

from ..tables import lists, rows, values, wanted

# a has four users, b one.
HISTORY = lists({"1": "ab", "2": "a", "3": "a", "4": "a"})
RECS = lists({"ann": "ax", "bob": "b"})


def recall(metric, truth, **options):
    return sqlrec.evaluate(metric, recs=RECS, truth=wanted(truth), history=HISTORY, **options)


def test_counts_popular_items_less():
    # Ann is shown a, which counts 4^-0.5, but not b, which counts 1.
    found = recall("stratified_recall@2 stratified_recall(exponent=1)@2", {"ann": "ab"})
    assert values(found) == approx([0.5 / 1.5, 0.25 / 1.25])


def test_with_an_exponent_of_0_is_the_recall():
    truth = {"ann": "abx", "bob": "bc", "cid": "a"}
    same = recall("stratified_recall(exponent=0)@2 recall@2", truth)
    assert values(same) == approx([(2 / 3 + 1 / 2 + 0) / 3] * 2)


def test_pooled_divides_the_hits_of_all_users_by_their_relevant_items():
    found = recall("stratified_recall(average=pooled)@2", {"ann": "ab", "bob": "b", "cid": "a"})
    assert values(found) == approx([(0.5 + 1) / (1.5 + 1 + 0.5)])


def test_counts_an_item_without_history_as_one_of_a_single_user():
    assert values(recall("stratified_recall@2", {"ann": "xb"})) == approx([1 / 2])


def test_leaves_out_users_without_relevant_item():
    truth = {"ann": {"a": 1.0}, "bob": {"b": 0.0}}
    result = recall("stratified_recall@2", truth, population="judged")
    assert rows(result, "value", "users") == [(1, 1)]
