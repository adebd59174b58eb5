from pytest import approx

from ..tables import value


def test_is_the_precision_where_a_perfect_list_would_end():
    # Three relevant items, so three places: one hit in them, and one after them that is too late.
    assert value("r_precision", "abcd", "bdx") == approx(1 / 3)


def test_a_cutoff_is_a_limit_to_the_places():
    assert value("r_precision@2", "abcd", "bdx") == approx(1 / 2)
    assert value("Rprec@10", "abcd", "bdx") == approx(1 / 3)


def test_a_perfect_list_has_1():
    assert value("r_precision", "ab", "ab") == 1
