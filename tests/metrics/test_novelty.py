from pytest import approx

import sqlrec

from ..tables import lists, values

RECS = lists({"ann": "abcd", "bob": "xy"})
HISTORY = lists({"ann": "bx", "cid": "a"})


def novelty(metric):
    return values(sqlrec.evaluate(metric, recs=RECS, history=HISTORY))


def test_is_the_share_of_items_that_the_user_has_not_had():
    assert novelty("novelty@2 novelty@4") == approx([(1 / 2 + 1) / 2, (3 / 4 + 1) / 2])


def test_divides_by_the_places_of_a_short_list_or_by_k():
    assert novelty("novelty@8 novelty(divide_by=k)@8") == approx([7 / 8, (3 / 8 + 2 / 8) / 2])
