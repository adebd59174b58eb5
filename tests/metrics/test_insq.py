from pytest import approx

from ..tables import value, without_list


def test_weighs_places_by_the_inverse_square_of_their_distance_from_the_goal():
    # 2 * 1 + place - 1 is 2, 3 and 4.
    weights = [1 / 4, 1 / 9, 1 / 16]
    assert value("insq@3", "xay", "a") == approx(weights[1] / sum(weights))
    assert value("insq(max_grade=3)@3", "bxa", {"a": 3, "b": 1}) == approx(
        (weights[0] / 3 + weights[2]) / sum(weights)
    )


def test_goes_further_down_the_list_for_a_larger_goal():
    weights = [1 / 5**2, 1 / 6**2]
    assert value("insq(goal=2.5)@2", "xa", "a") == approx(weights[1] / sum(weights))


def test_counts_places_past_the_end_of_the_list():
    assert value("insq@3", "a", "a") == approx(1 / 4 / (1 / 4 + 1 / 9 + 1 / 16))


def test_has_1000_places_in_a_whole_list():
    items = [f"i{number}" for number in range(1001)]
    assert value("insq@all", items, [items[-1]]) == 0
    places = sum(1 / (place + 1) ** 2 for place in range(1, 1001))
    assert value("insq@all", "a", "a") == approx(1 / 4 / places)


def test_is_0_without_list():
    assert without_list("insq@2", {"a": 1}) == 0
