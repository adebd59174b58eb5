from pytest import approx

from ..tables import value, without_list


def test_is_1_for_the_users_items_from_best_to_worst():
    assert value("nerr@3", "abc", {"a": 3, "b": 2, "c": 1}) == approx(1)
    assert value("nerr@1", "abc", {"a": 3, "b": 2, "c": 1}) == approx(1)


def test_divides_by_the_best_list_of_k_items():
    best = 3 / 16 + (13 / 16) * (1 / 16) / 2
    assert value("nerr@2", "xb", {"a": 1, "b": 2, "c": 1}) == approx(3 / 16 / 2 / best)
    assert value("nerr@1", "cb", {"b": 2, "c": 1}) == approx(1 / 3)


def test_divides_by_all_items_where_the_whole_list_is_asked():
    best = 1 / 2 + 1 / 4 / 2 + 1 / 8 / 3
    assert value("nerr(max_grade=1)@all", "xa", "abc") == approx(1 / 4 / best)


def test_takes_more_items_of_the_highest_grade_than_a_double_can_multiply():
    items = [f"i{number}" for number in range(400)]
    assert value("nerr@all", items, dict.fromkeys(items, 4)) == approx(1)


def test_is_undefined_without_a_grade_above_0():
    assert value("nerr@2", "ab", {"a": 0, "b": -1}, population="judged") is None


def test_is_0_without_list():
    assert without_list("nerr@2", {"a": 1}) == 0
