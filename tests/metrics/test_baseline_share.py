from pytest import approx

import sqlrec

from ..tables import lists, rows, values

RECS = lists({"ann": "abcd", "bob": "xy", "cid": "a"})
BASELINE = lists({"ann": "bxa", "bob": "xy", "dot": "a"})


def test_is_the_share_of_the_list_that_the_baseline_has_too():
    result = sqlrec.evaluate("baseline_share@2", recs=RECS, baseline=BASELINE)
    assert sorted(rows(result.per_user(), "user_id", "value")) == [
        ("ann", 1 / 2),
        ("bob", 1),
        ("cid", 0),
    ]
    whole = sqlrec.evaluate("baseline_share@all", recs=RECS, baseline=BASELINE)
    assert values(whole) == approx([(2 / 4 + 1 + 0) / 3])
