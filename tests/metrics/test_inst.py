from pytest import approx

from ..tables import value, without_list


def test_goes_on_less_after_each_item_that_gains():
    # a is place + 2 * goal - gains: 3, then 4 - 1, then 5 - 1.
    weights = [1, (2 / 3) ** 2, (2 / 3) ** 2 * (2 / 3) ** 2]
    assert value("inst@3", "xab", "ab") == approx((weights[1] + weights[2]) / sum(weights))


def test_weighs_gains_by_grade_and_goal():
    # a is 1 + 5 - 1/3, then 2 + 5 - 1/3.
    first, second = 6 - 1 / 3, 7 - 1 / 3
    weights = [1, (1 - 1 / first) ** 2, ((1 - 1 / first) * (1 - 1 / second)) ** 2]
    assert value("inst(goal=2.5,max_grade=3)@3", "axb", {"a": 1, "b": 9}) == approx(
        (weights[0] / 3 + weights[2]) / sum(weights)
    )


def test_is_insq_where_nothing_is_gained_before_the_last_place():
    assert value("inst(goal=2)@3", "xya", "a") == approx(value("insq(goal=2)@3", "xya", "a"))


def test_has_1000_places_in_a_whole_list():
    items = [f"i{number}" for number in range(1001)]
    assert value("inst@all", items, [items[-1]]) == 0
    places = 1 + sum((1 / place) ** 2 for place in range(2, 1001))
    assert value("inst@all", "a", "a") == approx(1 / places)


def test_is_0_without_list():
    assert without_list("inst@2", {"a": 1}) == 0


def test_goes_on_past_what_a_double_can_multiply():
    items = [f"i{number}" for number in range(600)]
    assert value("inst@all", items, items) == approx(1)
