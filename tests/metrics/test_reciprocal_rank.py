from pytest import approx, mark

from ..tables import value


@mark.parametrize("shown, expected", [("abc", 1), ("bac", 1 / 2), ("bca", 1 / 3), ("bcd", 0)])
def test_is_one_over_the_place_of_the_first_hit(shown, expected):
    assert value("reciprocal_rank@3", shown, "a") == approx(expected)


def test_later_hits_change_nothing():
    assert value("mrr@4", "xabc", "abc") == value("mrr@4", "xabc", "a") == approx(1 / 2)


def test_a_hit_beyond_k_is_none():
    assert value("RR@2", "bca", "a") == 0


def test_takes_whole_lists():
    assert value("mrr@all", "bcdefgha", "a") == approx(1 / 8)
