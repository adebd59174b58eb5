from pytest import approx

import sqlrec

from ..tables import JUDGED, lists, rows, value, wanted


def test_is_the_share_of_places_that_are_not_judged():
    judged = {"a": 1, "c": 0, "e": 2}
    assert value("unjudged@4", "abcde", judged) == approx(2 / 4)
    assert value("unjudged@all", "abcde", judged) == approx(2 / 5)


def test_divides_a_short_list_by_its_places_or_by_k():
    assert value("unjudged@4", "abc", "a") == approx(2 / 3)
    assert value("unj(divide_by=k)@4", "abc", "a") == approx(2 / 4)
    assert value("unj@1", "a", "b") == value("unj(divide_by=k)@1", "a", "b") == 1
    assert value("unj@9", "abcde", JUDGED) == approx(2 / 5)
    assert value("unj(divide_by=k)@9", "abcde", JUDGED) == approx(2 / 9)


def test_takes_a_grade_below_0_for_no_judgement_unless_it_is_relevant():
    judged = {"a": 1, "b": -1}
    assert value("unjudged@2", "ab", judged) == approx(1 / 2)
    assert value("unj(divide_by=k)@2", "ab", judged) == approx(1 / 2)
    assert value("unjudged@2", "ab", judged, relevance_threshold=-1) == 0


def test_is_1_where_nothing_is_judged_and_leaves_out_users_without_list():
    truth = wanted({"ann": "z", "bob": "b"})
    asked = "unjudged@2 unjudged(divide_by=k)@2"
    result = sqlrec.evaluate(asked, recs=lists({"ann": "a"}), truth=truth)
    assert rows(result, "value", "users") == [(1, 1), (0.5, 1)]
