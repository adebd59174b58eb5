from pytest import approx, mark, raises

import sqlrec

from ..tables import JUDGED, value, without_list


def test_weighs_each_place_by_the_chance_to_read_so_far():
    assert value("rbp", "abcd", "bd") == approx(0.2 * (0.8 + 0.8**3))
    assert value("rbp(p=0.5)", "abcd", "ad") == approx(0.5 * (1 + 0.125))


def test_has_a_cutoff_if_one_is_asked():
    assert value("rbp@3", "abcd", "bd") == approx(0.2 * 0.8)
    assert value("rbp@all", "abcd", "bd") == value("rbp", "abcd", "bd")


def test_can_multiply_by_the_relevance():
    graded = {"b": 3, "d": 0.5, "a": -1}
    assert value("rbp", "abcd", graded) == approx(0.2 * (0.8 + 0.8**3))
    assert value("rbp(gain=linear)", "abcd", graded) == approx(0.2 * (0.8 * 3 + 0.8**3 * 0.5))


def test_can_be_held_against_what_the_user_could_have_been_shown():
    perfect = 1 + 0.5
    # Of three relevant items two can be in a list of two, and two within the second place.
    assert value("rbp(p=0.5, ideal=achievable_in_list)", "ab", "bcd") == approx(0.5 / perfect)
    assert value("rbp(p=0.5, ideal=achievable_in_list)@9", "ab", "bcd") == approx(0.5 / perfect)
    assert value("rbp(p=0.5, ideal=achievable_in_list)@2", "abcd", "bcd") == approx(0.5 / perfect)
    assert value("rbp(p=0.5, ideal=achievable_in_list)", "abcd", "ad") == approx(1.125 / perfect)
    assert value("rbp(ideal=achievable_in_list)", "abc", "abcd") == approx(1)


def test_neither_grades_nor_items_judged_not_relevant_matter():
    expected = 0.5 * (0.5 + 0.5**3)
    assert value("rbp(p=0.5)@9", "abcde", JUDGED) == approx(expected)
    # Of three relevant items all can be in a list of five.
    achieved = value("rbp(p=0.5, ideal=achievable_in_list)@9", "abcde", JUDGED)
    assert achieved == approx(expected / (1 - 0.5**3))


def test_can_multiply_by_the_share_of_the_best_grade():
    # x is the best of all, so that b has three quarters of it and d one.
    graded = {"b": 1.5, "d": 0.5, "c": 0, "x": 2}
    expected = 0.5 * (0.5 * 3 / 4 + 0.5**3 * 1 / 4)
    assert value("rbp(p=0.5, gain=normalized)@9", "abcde", graded) == approx(expected)
    # A best grade below 1 is taken for 1.
    assert value("rbp(p=0.5, gain=normalized)", "ab", {"a": 0.5}) == approx(0.5 * 0.5)


@mark.parametrize("params", ["", "(ideal=achievable_in_list)"])
def test_is_0_without_hit_or_list(params):
    assert value(f"rbp{params}", "ab", "c") == 0
    assert value(f"rbp{params}", "ab", {"a": 0}, population="judged") == 0
    assert without_list(f"rbp{params}", "c") == 0


def test_asks_for_a_chance_between_0_and_1():
    for p in (0, 1):
        with raises(sqlrec.MetricError, match="p is a number above 0 below 1"):
            value(f"rbp(p={p})", "ab", "a")
