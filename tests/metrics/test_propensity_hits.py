from pytest import approx

import sqlrec

from ..tables import lists, rows, values, wanted

# a has four of the five interactions, b one.
HISTORY = lists({"1": "ab", "2": "a", "3": "a", "4": "a"})
RECS = lists({"ann": "abx", "bob": "b"})


def hits(metric, truth, **options):
    return sqlrec.evaluate(metric, recs=RECS, truth=wanted(truth), history=HISTORY, **options)


def test_counts_hits_by_the_inverse_of_their_share_of_the_history():
    found = hits("propensity_hits@1 propensity_hits@3", {"ann": "ab"})
    assert values(found) == approx([5 / 4, 5 / 4 + 5])


def test_counts_an_item_at_most_by_the_cap():
    assert values(hits("propensity_hits(cap=2)@3", {"ann": "ab"})) == approx([5 / 4 + 2])


def test_a_hit_without_history_counts_nothing():
    assert values(hits("propensity_hits@3", {"ann": "x"})) == [0]


def test_a_user_without_list_or_relevant_item_counts_0():
    truth = {"ann": "a", "cid": "b", "dee": {"a": 0.0}}
    found = hits("propensity_hits@3", truth, population="judged")
    assert rows(found, "value", "users") == [(approx(5 / 4 / 3), 3)]
