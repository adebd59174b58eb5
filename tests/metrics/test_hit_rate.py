from pytest import approx, mark

from ..tables import JUDGED, value


@mark.parametrize("k, expected", [(1, 0), (2, 1), (3, 1)])
@mark.parametrize("relevant", ["b", JUDGED])
def test_is_1_from_the_first_hit_on(k, expected, relevant):
    assert value(f"hit_rate@{k}", "abc", relevant) == expected


def test_several_hits_count_once():
    assert value("hit_rate@3", "abc", "abc") == 1


def test_of_items_with_equal_scores_each_is_expected_as_often():
    # Each of three items is as often in first place, and two of them are wanted.
    shown = dict.fromkeys("abc", 1)
    assert value("hit_rate@1", shown, {"a": 3, "b": 1}, ties="expected") == approx(2 / 3)
    assert value("hit_rate@2", shown, "ab", ties="expected") == approx(1)
    assert value("hit_rate@2", shown, "a", ties="expected") == approx(2 / 3)


def test_is_0_without_hit():
    assert value("hit_rate@3", "abc", "x") == 0


@mark.parametrize("name", ["hr", "HR", "hitrate", "success", "Success"])
def test_goes_by_other_names(name):
    assert value(f"{name}@2", "abc", "b") == 1


def test_takes_whole_lists():
    assert value("hit_rate@all", "abcdefg", "g") == 1


def test_is_at_most_1_where_a_place_was_not_judged():
    assert value("hit_rate(unjudged=hit)@2", "ca", JUDGED) == 1
    assert value("hit_rate@2", "ca", JUDGED) == 0
    assert value("hit_rate(unjudged=hit)@2", "cwa", JUDGED) == 0
    assert value("hit_rate(unjudged=hit)@2", "cb", JUDGED) == 1
