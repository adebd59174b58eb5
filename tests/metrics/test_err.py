from pytest import approx, mark

from ..tables import value, without_list


def test_expects_the_reciprocal_of_the_place_where_the_user_is_content():
    first, third = 7 / 16, 1 / 16
    expected = first + (1 - first) * third / 3
    assert value("err@3", "abc", {"a": 3, "b": 0, "c": 1}) == approx(expected)
    assert value("err@2", "abc", {"a": 3, "b": 0, "c": 1}) == approx(first)
    assert value("err@all", "abc", {"a": 3, "b": 0, "c": 1}) == approx(expected)


def test_is_almost_certain_at_the_highest_grade_of_the_scale():
    assert value("err(max_grade=1)@2", "ab", "ab") == approx(1 / 2 + 1 / 2 * 1 / 2 / 2)
    assert value("err(max_grade=3)@2", "ab", {"b": 3}) == approx(7 / 8 / 2)


def test_takes_higher_grades_for_the_highest_and_those_below_0_for_0():
    assert value("err(max_grade=2)@2", "ab", {"a": -1, "b": 9}) == approx(3 / 4 / 2)


def test_takes_grades_that_are_no_whole_numbers():
    expected = (2**1.5 - 1) / 2**2.5
    assert value("err(max_grade=2.5)@1", "a", {"a": 1.5}) == approx(expected)


def test_does_not_ask_what_is_relevant():
    graded = {"a": 1, "b": 2}
    assert value("err@2", "ab", graded, relevance_threshold=2) == value("err@2", "ab", graded)


def test_two_scales_are_two_metrics():
    assert value("err(max_grade=2)@1", "a", {"a": 1}) == approx(1 / 4)
    assert value("err(max_grade=3)@1", "a", {"a": 1}) == approx(1 / 8)


def test_stays_a_number_down_a_long_list_of_the_best():
    items = [f"i{number}" for number in range(400)]
    expected = sum(15 / 16 / (place + 1) / 16**place for place in range(20))
    assert value("err@all", items, dict.fromkeys(items, 4)) == approx(expected, abs=1e-12)


# The last two are 0.015625 and 0.046875: of two that are as near it is the even one.
@mark.parametrize(
    "grades, rounded", [({"a": 3, "c": 1}, 0.44922), ({"d": 1}, 0.01562), ({"d": 2}, 0.04688)]
)
def test_has_five_decimals_if_asked_to(grades, rounded):
    assert value("err(digits=five)@4", "abcd", grades) == approx(rounded, abs=1e-15)
    assert value("err@4", "abcd", grades) != approx(rounded, abs=1e-7)


def test_is_0_without_list():
    assert without_list("err@5", {"a": 1}) == 0


def test_the_scale_may_end_with_the_best_of_the_users_own_items():
    # The best grade is 3, of an item that is not shown.
    assert value("err(scale=own)@2", "ab", {"b": 2, "x": 3}) == approx(3 / 8 / 2)
    assert value("err(scale=own)@2", "ab", {"b": 0}, population="judged") == 0
