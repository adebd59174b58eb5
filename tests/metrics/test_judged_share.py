from pytest import approx

import sqlrec

from ..tables import JUDGED, lists, rows, value, wanted


def test_is_the_share_of_places_that_are_judged_relevant_or_not():
    judged = {"a": 1, "c": 0, "e": 2}
    assert value("judged@4", "abcde", judged) == approx(2 / 4)
    assert value("judged@all", "abcde", judged) == approx(3 / 5)


def test_divides_a_short_list_by_its_places_or_by_k():
    assert value("judged@4", "ab", "a") == approx(1 / 2)
    assert value("judged(divide_by=k)@4", "ab", "a") == approx(1 / 4)
    assert value("judged@1", "a", "a") == value("judged(divide_by=k)@1", "a", "a") == 1
    assert value("judged@9", "abcde", JUDGED) == approx(3 / 5)
    assert value("judged(divide_by=k)@9", "abcde", JUDGED) == approx(3 / 9)


def test_takes_a_grade_below_0_for_no_judgement_unless_it_is_relevant():
    judged = {"a": 1, "b": -1}
    assert value("judged@2", "ab", judged) == approx(1 / 2)
    assert value("judged(divide_by=k)@2", "ab", judged) == approx(1 / 2)
    assert value("judged@2", "ab", judged, relevance_threshold=-1) == 1


def test_leaves_out_users_without_list():
    truth = wanted({"ann": "a", "bob": "b"})
    asked = "judged@2 judged(divide_by=k)@2"
    result = sqlrec.evaluate(asked, recs=lists({"ann": "ab"}), truth=truth)
    assert rows(result, "value", "users") == [(0.5, 1), (0.5, 1)]


def test_is_0_for_users_that_the_truth_does_not_know():
    recs = lists({"ann": "ab", "bob": "ab"})
    result = sqlrec.evaluate("judged@2", recs=recs, truth=wanted({"ann": "a"}), population="recs")
    assert rows(result, "value", "users") == [(0.25, 2)]
