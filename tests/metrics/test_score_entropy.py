from math import exp, log

from pytest import approx

import sqlrec

from ..tables import scored, values

RECS = {"ann": {"a": log(4), "b": log(2), "c": 0}, "bob": {"a": log(2)}}


def entropy(metric="score_entropy@2", recs=RECS, **rules):
    return values(sqlrec.evaluate(metric, recs=scored(recs), **rules))


def test_is_the_entropy_of_the_softmax_of_all_scores_within_the_cutoff():
    # 4, 2 and 2 of 8.
    assert entropy() == approx([log(2) / 2 + log(4) / 2])
    # 4, 2, 1 and 2 of 9.
    assert entropy("score_entropy") == approx(
        [4 / 9 * log(9 / 4) + 4 / 9 * log(9 / 2) + 1 / 9 * log(9)]
    )


def test_of_equal_scores_is_the_logarithm_of_their_number():
    assert entropy("score_entropy", {"ann": {"a": 7, "b": 7}, "bob": {"c": 7}}) == approx([log(3)])


def test_of_one_score_is_0():
    assert entropy("score_entropy", {"ann": {"a": -3}}) == [0]


def test_does_not_change_where_all_scores_grow_by_a_number_however_large():
    for far in (-(2.0**40), 2.0**40):
        recs = {"ann": {"a": far + 1, "b": far}}
        first, second = 1 / (1 + exp(-1)), 1 / (1 + exp(1))
        assert entropy("score_entropy", recs) == approx(
            [-first * log(first) - second * log(second)]
        )


def test_a_score_far_below_the_highest_adds_nothing():
    assert entropy("score_entropy", {"ann": {"a": 1e100, "b": 0, "c": -1e100}}) == approx([0])


def test_leaves_out_places_without_score():
    recs = {"ann": {"a": 1, "b": None}, "bob": {"c": 1}}
    assert entropy("score_entropy", recs, null_scores="last") == approx([log(2)])
    assert entropy("score_entropy", {"ann": {"a": None}}, null_scores="last") == [None]
