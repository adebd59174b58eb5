from pytest import approx

import sqlrec

from ..tables import lists, values

RECS = lists({"ann": "abc", "bob": "ab", "cid": "a"})


def test_is_the_share_of_lists_that_reach_down_to_k_or_of_the_places_that_are_filled():
    result = sqlrec.evaluate("list_fill@1,2,4 list_fill(of=places)@1,2,4", recs=RECS)
    assert values(result) == approx([1, 2 / 3, 0, 1, 5 / 6, 6 / 12])
