from pytest import approx

import sqlrec

from ..tables import rows, scored, table, values, wanted

RECS = {"ann": {"a": 5, "b": 2, "c": -1}, "bob": {"c": 4}}


def of_users(metric, recs=RECS, **rules):
    return dict(
        rows(sqlrec.evaluate(metric, recs=scored(recs), **rules).per_user(), "user_id", "value")
    )


def test_is_the_mean_of_the_scores_within_the_cutoff():
    assert of_users("mean_score@2") == approx({"ann": 7 / 2, "bob": 4})
    assert of_users("mean_score") == approx({"ann": 2, "bob": 4})


def test_of_all_users_is_the_mean_of_their_means():
    assert values(sqlrec.evaluate("mean_score@2", recs=scored(RECS))) == approx([15 / 4])


def test_knows_no_truth():
    result = sqlrec.evaluate("mean_score@2", recs=scored(RECS), truth=wanted({"ann": "c"}))
    assert values(result) == approx([15 / 4])


def test_leaves_out_places_without_score_and_users_without_any():
    recs = {"ann": {"a": 5, "b": None}, "bob": {"c": None}}
    assert of_users("mean_score", recs, null_scores="last") == {"ann": 5, "bob": None}
    assert values(sqlrec.evaluate("mean_score", recs=scored(recs), null_scores="last")) == [5]


def test_of_groups_of_users_is_apart_by_the_mean_difference_of_their_pairs():
    recs = RECS | {"cid": {"a": 1}, "dan": {"b": 9}}
    lands = [("ann", "x"), ("bob", "x"), ("cid", "y"), ("dan", "z")]
    users = table(lands, **dict.fromkeys(("user_id", "land"), scored({}).schema.field(0).type))
    result = sqlrec.evaluate("mean_score@2", recs=scored(recs), users=users, by="land")
    # x 15/4, y 1, z 9.
    assert rows(result.gaps(), "mean_difference") == [(approx((11 / 4 + 21 / 4 + 8) / 3),)]
