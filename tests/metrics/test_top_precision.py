from pytest import approx

from ..tables import value, without_list


def test_counts_items_with_the_highest_grade_of_the_user():
    assert value("top_precision@2", "abc", {"a": 1, "b": 3, "c": 3}) == approx(1 / 2)
    assert value("top_precision@4", "abc", {"a": 1, "b": 3, "c": 3}) == approx(2 / 4)


def test_the_highest_grade_may_be_that_of_an_item_that_is_not_shown():
    assert value("top_precision@2", "ab", {"a": 2, "x": 3}) == 0
    assert value("top_precision@2", "ab", {"a": 0.5, "x": 0}) == approx(1 / 2)


def test_without_grades_is_precision():
    assert value("top_precision@3", "abc", "ac") == approx(2 / 3)


def test_without_a_relevant_item_is_undefined():
    assert value("top_precision@2", "ab", {"a": 2}, relevance_threshold=3, population="all") is None
    assert value("top_precision@2", "ab", {"a": 0}, population="all") is None


def test_without_list_is_0():
    assert without_list("top_precision@5", {"a": 1}) == 0
