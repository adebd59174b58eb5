from pytest import approx

from ..tables import value, without_list

GRADED = {"a": 1, "b": 3, "c": 2}


def test_of_equation_8_divides_gains_by_the_places_that_are_seen():
    # The second place is always seen, the third by two of three, the fourth by nobody.
    assert value("nearly_err(max_grade=3)@4", "xaby", GRADED) == approx(
        (1 / 3 + 2 / 3 * 1) / (1 + 1 + 2 / 3)
    )


def test_of_equation_9_weighs_places_by_their_reciprocals_as_err_does():
    assert value("nearly_err(max_grade=3,equation=9)@4", "xaby", GRADED) == approx(
        (1 / 3 / 2 + 2 / 3 / 3) / (1 + 1 / 2 + 2 / 3 / 3)
    )


def test_of_equation_10_goes_on_with_probability_p():
    assert value("nearly_err(max_grade=3,equation=10,p=0.5)@4", "xaby", GRADED) == approx(
        (1 / 3 / 2 + 2 / 3 / 4) / (1 + 1 / 2 + 2 / 3 / 4)
    )


def test_of_equation_11_weighs_places_as_insq_does():
    # 2 * 1.5 + place - 1 is 3, 4 and 5.
    weights = [1, (3 / 4) ** 2, (3 / 5) ** 2 * 2 / 3]
    assert value("nearly_err(max_grade=3,equation=11,goal=1.5)@4", "xaby", GRADED) == approx(
        (weights[1] / 3 + weights[2]) / sum(weights)
    )


def test_counts_places_past_the_end_of_the_list():
    assert value("nearly_err(max_grade=3)@4", "a", GRADED) == approx(
        1 / 3 / (1 + 2 / 3 + 2 / 3 + 2 / 3)
    )


def test_has_1000_places_in_a_whole_list():
    items = [f"i{number}" for number in range(1001)]
    assert value("nearly_err@all", items, [items[-1]]) == 0
    assert value("nearly_err@all", items, [items[-2]]) == approx(1 / 1000)
    assert value("nearly_err@all", "ab", {"b": 0.5}) == approx(0.5 / (2 + 998 / 2))


def test_counts_higher_grades_as_the_highest_and_grades_below_0_as_0():
    assert value("nearly_err(max_grade=3)@2", "ab", {"a": 1, "b": 5}) == approx(
        value("nearly_err(max_grade=3)@2", "ab", {"a": 1, "b": 3})
    )
    assert value("nearly_err@2", "ab", {"a": -1, "b": 1}) == approx(1 / 2)


def test_is_0_without_list_or_hit():
    assert without_list("nearly_err@2", {"a": 1}) == 0
    assert value("nearly_err@2", "xy", "a") == 0
