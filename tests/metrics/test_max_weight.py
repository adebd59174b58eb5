from pytest import approx

import sqlrec

from ..tables import decisions, lists, values


def test_is_the_largest_weight():
    logs = decisions("propensity target_probability", (0.5, 0.25), (0.125, 0.5), (0.01, 0))
    assert values(sqlrec.evaluate("max_weight", logs=logs)) == approx([4])


def test_is_0_where_nothing_has_weight():
    logs = decisions("user_id item_id propensity", ("ann", "b", 0.5))
    recs = lists({"ann": "ab"})
    assert values(sqlrec.evaluate("max_weight@1 max_weight@2", recs=recs, logs=logs)) == [0, 2]
