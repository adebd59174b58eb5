from pytest import approx

from ..tables import value, without_list


def test_is_1_for_the_users_items_from_best_to_worst():
    assert value("compatibility@3", "abc", {"a": 3, "b": 2, "c": 1}) == approx(1)
    assert value("compatibility@2", "abc", {"a": 3, "b": 2, "c": 1}) == approx(1)


def test_takes_items_of_equal_grades_in_the_order_of_the_list():
    assert value("compatibility@3", "cab", {"a": 1, "b": 1, "c": 1}) == approx(1)


def test_weighs_the_items_of_both_lists_at_each_depth():
    # The list has none, one and two items of the best list, ab.
    found = 0 / 1 + 0.5 * 1 / 2 + 0.5**2 * 2 / 3
    best = 1 / 1 + 0.5 * 2 / 2 + 0.5**2 * 2 / 3
    graded = {"a": 2, "b": 1}
    assert value("compatibility(p=0.5)@3", "xba", graded) == approx((0.25 + 1 / 6) / best)
    assert found == approx(0.25 + 1 / 6)
    of_weights = "compatibility(p=0.5,divide_by=weights)@3"
    assert value(of_weights, "xba", graded) == approx(found / (1 + 0.5 + 0.25))


def test_goes_on_to_the_end_of_the_best_list():
    # The list has one of its three items, and nothing past that.
    found = 1 + 0.5 / 2 + 0.25 / 3
    assert value("compatibility(p=0.5)@all", "a", "abc") == approx(found / (1 + 0.5 + 0.25))
    assert value("compatibility(p=0.5)@2", "a", "abc") == approx((1 + 0.5 / 2) / 1.5)


def test_ignores_the_threshold_and_grades_of_0():
    graded = {"a": 1, "b": 3, "c": 0}
    assert value("compatibility@3", "cba", graded, relevance_threshold=2) == value(
        "compatibility@3", "cba", {"a": 1, "b": 3}
    )


def test_is_undefined_without_a_grade_above_0():
    for metric in ("compatibility@2", "compatibility(divide_by=weights)@2"):
        assert value(metric, "ab", {"a": 0, "b": -1}, population="judged") is None


def test_is_0_without_list():
    assert without_list("compatibility@2", {"a": 1}) == 0
