from pytest import approx

from ..tables import value, without_list


def test_divides_gains_by_the_places_down_to_the_goal():
    assert value("bpm@4", "xabc", "abc") == approx(1 / 2)
    assert value("bpm(goal=2)@4", "xabc", "abc") == approx(2 / 3)


def test_stops_at_k_where_less_was_gained():
    assert value("bpm(goal=5)@4", "xabc", "abc") == approx(3 / 4)
    assert value("bpm(goal=5)@6", "xabc", "abc") == approx(3 / 6)


def test_adds_grades_before_it_divides_them_by_the_highest():
    graded = {"a": 2, "b": 2, "c": 1, "d": 1, "e": 3}
    # 2 + 2 + 1 + 1 thirds are two, though not as doubles one after the other.
    assert value("bpm(goal=2,max_grade=3)@5", "abcde", graded) == approx(2 / 4)


def test_has_1000_places_in_a_whole_list():
    items = [f"i{number}" for number in range(1001)]
    assert value("bpm@all", items, [items[-1]]) == 0
    assert value("bpm(goal=2)@all", "a", "a") == approx(1 / 1000)


def test_is_0_without_list():
    assert without_list("bpm@2", {"a": 1}) == 0
