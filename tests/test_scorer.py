"""Scorers: a number that is better if higher."""

from pytest import approx, raises

import sqlrec

from .tables import lists, scored, wanted

TRUTH = wanted({"ann": "a", "bob": "b"})


class Model:
    def recommend(self, users):
        return lists({user: "xa" for user in users})


def test_a_scorer_is_called_as_scikit_learn_does():
    score = sqlrec.scorer("mrr@2")
    assert score(Model(), ["ann", "bob"], TRUTH) == (1 / 2 + 0) / 2
    backwards = sqlrec.scorer("mrr@2", recommend=lambda model, users: lists({"bob": users}))
    assert backwards(None, "ab", TRUTH) == 1 / 4
    grades = wanted({"ann": {"a": 3, "b": 1}})
    errors = sqlrec.scorer("mae", recommend=lambda model, X: scored({"ann": {"a": 1, "b": 1}}))
    assert errors(None, None, grades) == approx(-1)


def test_what_is_no_score_is_refused():
    for metric, message in (
        ("ndcg@5,10", "a scorer needs one metric"),
        ("popularity_count@5", "its direction is neither"),
    ):
        with raises(sqlrec.InputError, match=message):
            sqlrec.scorer(metric)
    several = sqlrec.scorer("mrr@1", recommend=lambda model, X: {"a": X, "b": X})
    with raises(sqlrec.InputError, match="several models, a, b: a score needs one model"):
        several(None, lists({"ann": "a"}), TRUTH)
