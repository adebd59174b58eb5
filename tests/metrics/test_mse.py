import pyarrow as pa
from pytest import approx, mark, raises

import sqlrec

from ..tables import predicted, scored, table, wanted

# Errors of 1, -2 and 0; and of 3.
ANN = {"a": (4.0, 3.0), "b": (3.0, 5.0), "c": (1.0, 1.0)}
BOB = {"a": (5.0, 2.0)}


@mark.parametrize("name", ["mse", "mean_squared_error"])
def test_is_the_mean_of_the_squared_errors_of_all_users(name):
    assert predicted(name, ANN, BOB) == approx((1 + 4 + 0 + 9) / 4)


def test_or_the_mean_of_the_users_own():
    assert predicted("mse(average=users)", ANN, BOB) == approx(((1 + 4 + 0) / 3 + 9) / 2)


def test_looks_at_the_items_within_k():
    assert predicted("mse@2", ANN, BOB) == approx((1 + 4 + 9) / 3)


def test_leaves_out_items_without_score_or_grade_and_users_without_any_other():
    ann = ANN | {"d": (9.0, None), "e": (None, 9.0)}
    nobody = {"a": (1.0, None), "b": (None, 3.0)}
    for metric in ("mse", "mse(average=users)"):
        assert predicted(metric, ann, BOB, nobody) == predicted(metric, ANN, BOB)


def test_takes_grades_below_0_as_they_are():
    assert predicted("mse", {"a": (-1.0, -3.0), "b": (1.0, -1.0)}) == approx((4 + 4) / 2)


def test_counts_users_with_a_rated_item():
    recs = scored({"ann": {"a": 1.0}, "bob": {"b": 1.0}, "cid": {"a": 1.0}})
    result = sqlrec.evaluate("mse", recs=recs, truth=wanted({"ann": {"a": 2}, "bob": {"a": 2}}))
    (row,) = result.to_arrow().to_pylist()
    (counted,) = result.user_counts.to_arrow().to_pylist()
    assert (row["users"], counted["users_evaluated"], counted["population"]) == (1, 1, "rated")


def test_refuses_a_truth_that_rates_nothing_of_the_lists():
    with raises(sqlrec.DataError, match="no item of a list is in the truth of its user"):
        predicted("mse", {"a": (1.0, None), "b": (None, 3.0)})


RANKED = ("ann", "a", 1, 2.0), ("ann", "b", 2, 5.0), ("ann", "c", 3, None)


class TestScoresBesideRanks:
    def mse(self, metric, recs, **rules):
        ids = {"user_id": pa.string(), "item_id": pa.string()}
        recs = table(recs, **ids, rank=pa.int64(), score=pa.float64())
        truth = wanted({"ann": {"a": 3, "b": 3, "c": 3}})
        result = sqlrec.evaluate(metric, recs=recs, truth=truth, order="rank", **rules)
        return result.to_arrow()["value"][0].as_py()

    def test_are_taken_in_the_order_of_the_ranks(self):
        assert self.mse("mse@1", RANKED[:2]) == 1
        assert self.mse("mse@2", RANKED[:2]) == approx((1 + 4) / 2)

    @mark.parametrize("null_scores", ["last", "drop"])
    def test_may_be_missing_where_the_rules_say_so(self, null_scores):
        assert self.mse("mse", RANKED, null_scores=null_scores) == approx((1 + 4) / 2)

    def test_may_not_be_missing_by_default(self):
        with raises(sqlrec.DataError, match="item c of user ann has no score, or one beyond"):
            self.mse("mse", RANKED)


def test_refuses_lists_of_items_which_have_no_score_each():
    recs = pa.table({"user_id": ["ann"], "item_id": [["a", "b"]], "score": [1.0]})
    with raises(sqlrec.InputError, match="item_id is a list, and mse needs a score of each item"):
        sqlrec.evaluate("hit_rate@1 mse", recs=recs, truth=wanted({"ann": {"a": 1}}), order="rank")


@mark.parametrize("score", [float("inf"), -float("inf"), 1e101])
def test_refuses_scores_that_cannot_be_added_up(score):
    with raises(sqlrec.DataError, match="item b of user u0 has no score, or one beyond"):
        predicted("mse", {"a": (1.0, 1.0), "b": (score, None)})
