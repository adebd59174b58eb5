from pytest import approx

import sqlrec

from ..tables import lists, rows, wanted
from .test_cosine_diversity import ITEMS

# a is (1, 0), b (0, 5), c (3, 4) and x unknown.
HISTORY = lists({"ann": "ab", "bob": "x", "eve": "a"})
RECS = lists({"ann": "cb", "bob": "ac", "dot": "a"})


def distance(metric, **given):
    found = sqlrec.evaluate(metric, recs=RECS, history=HISTORY, items=ITEMS, **given)
    return sorted(rows(found.per_user(), "user_id", "value"))


def test_is_1_less_the_mean_cosine_with_what_the_user_had():
    c, b = 1 - (3 / 5 + 4 / 5) / 2, 1 - (0 + 1) / 2
    assert distance("history_distance@2") == [
        ("ann", approx((c + b) / 2)),
        ("bob", 1),
        ("dot", None),
    ]
    assert distance("history_distance@1")[0] == ("ann", approx(c))


def test_of_relevant_items_counts_others_nothing():
    truth = wanted({"ann": "b", "bob": "z"})
    ann, bob, _ = distance("history_distance(of=relevant)@2", truth=truth)
    assert (ann, bob) == (("ann", approx(1 / 2 / 2)), ("bob", 0))


def test_of_hits_takes_the_sum_of_their_likeness_from_1():
    truth = wanted({"ann": "bc", "bob": "z", "dot": "a"})
    near = (3 / 5 + 4 / 5) / 2 + (0 + 1) / 2
    assert distance("history_distance(of=hits)@2", truth=truth) == [
        ("ann", approx(1 - near)),
        ("bob", None),
        ("dot", None),
    ]
