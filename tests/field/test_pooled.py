"""Recall and precision of all users together: hits divided by relevant items, or by ranks."""

import math
from contextlib import closing

from pytest import approx

import sqlrec

from ..tables import in_sqlite, lists, rows, values, wanted

# ann: 1 hit of 4 relevant items, in 3 ranks; bob: 1 of 1, in 1 rank; cyd: 0 of 1, without a list.
INPUTS = {
    "recs": lists({"ann": "axy", "bob": "b"}),
    "truth": wanted({"ann": "abcd", "bob": "b", "cyd": "c"}),
}


def evaluated(metric, **options):
    (result,) = values(sqlrec.evaluate(metric, **{"interval": None} | INPUTS | options))
    return result


class TestRecall:
    def test_pooled_recall_divides_by_all_relevant_items(self):
        assert evaluated("recall(average=pooled)@3") == approx(2 / 6)
        assert evaluated("recall@3") == approx((1 / 4 + 1) / 3)

    def test_may_be_of_those_that_fit_into_lists(self):
        # As in OTTO: min(20, relevant items) for each session, here with 3 ranks.
        assert evaluated("recall(divide_by=achievable, average=pooled)@3") == approx(2 / 5)
        metric = "recall(divide_by=achievable_in_list, average=pooled)@3"
        assert evaluated(metric) == approx(2 / 4)

    def test_leaves_users_without_relevant_items_out(self):
        truth = wanted({"ann": dict.fromkeys("abcd", 1), "bob": {"b": 0}})
        assert evaluated("recall(average=pooled)@3", truth=truth) == approx(1 / 4)
        # Without relevant items, the value of such a user has weight 0.
        assert evaluated("recall(average=pooled)@3", truth=truth, undefined=1) == approx(1 / 4)

    def test_is_a_mean_of_users_where_ties_are_chance(self):
        # One of the tied a, b and x is at rank 1, each with probability 1/3.
        recs = in_any_order("ann", "abx")
        given = {"recs": recs, "truth": wanted({"ann": "ab", "bob": "b"}), "ties": "expected"}
        assert evaluated("recall(average=pooled)@1", **given) == approx(2 / 3 / 3)

    def test_takes_weights_of_users(self):
        users = wanted({"ann": "1", "bob": "1", "cyd": "1"}).drop(["item_id"])
        users = users.append_column("n", [[1.0, 3.0, 2.0]])
        # (1 * 1 + 3 * 1) / (1 * 4 + 3 * 1 + 2 * 1)
        assert evaluated("recall(average=pooled)@3", users=users, weights="n") == approx(4 / 9)


class TestPrecision:
    def test_pooled_precision_divides_by_all_ranks(self):
        assert evaluated("precision(average=pooled)@3") == approx(2 / 9)
        metric = "precision(divide_by=list_length, average=pooled)@3"
        assert evaluated(metric) == approx(2 / 4)
        assert evaluated("precision(divide_by=list_length)@3") == approx((1 / 3 + 1 + 0) / 3)

    def test_is_the_mean_where_all_have_as_many_ranks(self):
        assert evaluated("precision(average=pooled)@2") == approx(evaluated("precision@2"))


def in_any_order(user, items):
    """Return a list of items with equal scores."""
    return lists({user: items}).drop(["rank"]).append_column("score", [[1.0] * len(items)])


def test_the_error_is_that_of_a_ratio():
    result = sqlrec.evaluate("recall(average=pooled)@3", **INPUTS)
    ((value, error, users, how),) = rows(result, "value", "standard_error", "users", "interval")
    # Hits 1, 1, 0 of 4, 1, 1 relevant items.
    off = [1 - value * 4, 1 - value, 0 - value]
    assert error == approx(math.sqrt(sum(x * x for x in off) * 3 / 2) / 6)
    assert (users, how) == (3, "t")


def test_models_are_compared():
    recs = {"als": INPUTS["recs"], "pop": lists({"ann": "abc", "bob": "x"})}
    options = INPUTS | {"recs": recs, "baseline": "pop"}
    result = sqlrec.compare("recall(average=pooled)@3", **options)
    assert rows(result, "value", "baseline_value", "method") == [
        (approx(2 / 6), approx(3 / 6), "delta")
    ]


def test_sqlite_has_the_same_pooled_values():
    tables = in_sqlite(INPUTS)
    with closing(tables["engine"]):
        assert evaluated("recall(average=pooled)@3", **tables) == approx(2 / 6)
