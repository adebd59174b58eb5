from pytest import approx, mark

from ..tables import value

GRADES = {"b": 3, "d": 1, "x": 2}


@mark.parametrize("k, expected", [(1, 0), (2, 3), (3, 3), (4, 4)])
def test_adds_up_the_relevance_of_the_items_shown(k, expected):
    assert value(f"cumulative_gain@{k}", "abcd", GRADES) == expected


@mark.parametrize("gain, expected", [("linear", 4), ("binary", 2), ("exponential", 7 + 1)])
def test_gain_says_what_an_item_is_worth(gain, expected):
    assert value(f"cg(gain={gain})@4", "abcd", GRADES) == approx(expected)


def test_without_grades_it_counts_hits():
    assert value("cg@4", "abcd", "bdx") == 2


def test_of_items_with_equal_scores_each_is_expected_as_often():
    # One of a, b and d, alike, stands at place 1, another at place 2.
    shown = dict.fromkeys("abd", 1)
    assert value("cg@1", shown, GRADES, ties="expected") == approx(4 / 3)
    assert value("cg(gain=exponential)@2", shown, GRADES, ties="expected") == approx(2 * 8 / 3)


def test_a_relevance_below_0_takes_nothing_away():
    assert value("cg@4", "abcd", {"a": -5, "b": 3}) == 3
