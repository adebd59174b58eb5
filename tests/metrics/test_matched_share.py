from pytest import approx

import sqlrec

from ..tables import decisions, lists, values


def test_is_the_share_of_decisions_with_a_target_probability():
    logs = decisions("target_probability", (0.5,), (0,), (1e-9,), (1,))
    assert values(sqlrec.evaluate("matched_share", logs=logs)) == approx([3 / 4])


def test_is_the_share_of_decisions_in_lists():
    logs = decisions("user_id item_id", ("ann", "a"), ("ann", "a"), ("ann", "b"), ("bob", "a"))
    recs = lists({"ann": "ab"})
    result = sqlrec.evaluate("matched_share@1 matched_share", recs=recs, logs=logs)
    assert values(result) == approx([2 / 4, 3 / 4])
