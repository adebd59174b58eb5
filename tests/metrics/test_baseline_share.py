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


def test_takes_a_cutoff_of_its_own_for_the_baseline():
    deeper = sqlrec.evaluate("intersection(baseline_k=3)@1", recs=RECS, baseline=BASELINE)
    assert values(deeper) == approx([(1 + 1 + 0) / 3])
    several = "intersection(baseline_k=1)@2 intersection(baseline_k=1)@all intersection@2"
    shorter = sqlrec.evaluate(several, recs=RECS, baseline=BASELINE)
    assert values(shorter) == approx(
        [(1 / 2 + 1 / 2 + 0) / 3, (1 / 4 + 1 / 2 + 0) / 3, (1 / 2 + 1 + 0) / 3]
    )
