from pytest import approx

from ..tables import JUDGED, value, without_list


def test_is_the_weight_of_the_places_that_are_not_judged_and_of_all_past_the_list():
    judged = {"a": 1, "c": 0}
    assert value("rbp_residual(p=0.5)", "abc", judged) == approx(0.25 + 0.125)
    assert value("rbp_residual(p=0.5)@2", "abc", judged) == approx(0.25 + 0.25)


def test_is_the_weight_past_the_list_where_all_is_judged():
    assert value("rbp_residual", "ab", "ab") == approx(0.8**2)


def test_takes_a_grade_below_0_for_no_judgement_unless_it_is_relevant():
    judged = {"a": 1, "b": -1}
    assert value("rbp_residual(p=0.5)", "ab", judged) == approx(0.25 + 0.25)
    assert value("rbp_residual(p=0.5)", "ab", judged, relevance_threshold=-1) == approx(0.25)


def test_grades_do_not_matter():
    # b, c and d are judged.
    assert value("rbp_residual(p=0.5)@9", "abcde", JUDGED) == approx(1 - 0.25 - 0.125 - 0.0625)


def test_may_be_0_where_the_whole_list_is_judged():
    metric = "rbp_residual(p=0.5, all_judged=zero)"
    assert value(metric, "bcd", JUDGED) == 0
    assert value(metric, "abcde", JUDGED) == approx(1 - 0.25 - 0.125 - 0.0625)
    assert value(metric, "ab", {"a": 1, "b": -1}) == approx(0.5)
    assert without_list(metric, "a") == 0


def test_is_1_without_list():
    assert without_list("rbp_residual", "a") == 1


def test_added_to_rbp_it_is_what_rbp_would_be_if_the_rest_were_relevant():
    found = value("rbp", "abcd", {"b": 1, "c": 0}) + value("rbp_residual", "abcd", {"b": 1, "c": 0})
    assert found == approx(1 - 0.2 * 0.8**2)
