from pytest import mark

from ..tables import value


@mark.parametrize("k, expected", [(1, 0), (2, 1), (3, 1)])
def test_is_1_from_the_first_hit_on(k, expected):
    assert value(f"hit_rate@{k}", "abc", "b") == expected


def test_several_hits_count_once():
    assert value("hit_rate@3", "abc", "abc") == 1


def test_is_0_without_hit():
    assert value("hit_rate@3", "abc", "x") == 0


@mark.parametrize("name", ["hr", "HR", "hitrate", "success", "Success"])
def test_goes_by_other_names(name):
    assert value(f"{name}@2", "abc", "b") == 1


def test_takes_whole_lists():
    assert value("hit_rate@all", "abcdefg", "g") == 1
