from math import log2

from pytest import approx, mark

import sqlrec

from ..tables import lists, value, values, wanted, without_list


def test_discounts_gains_by_how_far_the_list_is_behind_the_best():
    # The best list has 3, 5, 6 and with an empty place 7 down to its places; abcd has 0, 3, 3, 4.
    expected = (3 / log2(2 + 5 - 3) + 1 / log2(2 + 7 - 4)) / (3 + 2 + 1)
    assert value("normalized_gain", "abcd", {"b": 3, "d": 1, "x": 2}) == approx(expected)


def test_gains_of_the_best_list_below_1_count_as_1():
    assert value("normalized_gain", "ab", {"a": 0.5, "b": 0.25}) == approx(
        (0.5 / log2(2 + 1 - 0.5) + 0.25 / log2(2 + 2 - 0.75)) / 0.75
    )


def test_the_best_list_has_1():
    assert value("normalized_gain", "bxdq", {"b": 3, "x": 2, "d": 1}) == approx(1)


def test_with_binary_gain_places_without_hit_count():
    expected = (1 / log2(2 + 1) + 1 / log2(2 + 2)) / 3
    for metric in ("normalized_gain(gain=binary)", "normalized_gain"):
        assert value(metric, "abcd", "bdx") == approx(expected)
    graded = {"b": 3, "d": 1, "x": 2}
    assert value("normalized_gain(gain=binary)", "abcd", graded) == approx(expected)


def test_ranks_that_are_left_out_are_places_without_hit():
    recs = lists({"ann": "vwaxb"}).take([2, 4])
    asked = "normalized_gain normalized_gain(gain=binary)"
    expected = (1 / log2(2 + 2) + 1 / log2(2 + 3)) / 2
    assert values(sqlrec.evaluate(asked, recs=recs, truth=wanted({"ann": "ab"}))) == approx(
        [expected] * 2
    )


def test_gain_does_not_ask_for_the_threshold_unless_it_is_binary():
    graded = {"a": 1, "b": 3}
    rules = {"relevance_threshold": 2}
    linear = (1 / log2(2 + 3 - 1) + 3 / log2(2 + 4 - 4)) / 4
    assert value("normalized_gain", "ab", graded, **rules) == approx(linear)
    binary = value("normalized_gain(gain=binary)", "ab", graded, **rules)
    assert binary == approx(1 / log2(2 + 1))


def test_ends_at_the_cutoff_if_one_is_asked():
    assert value("normalized_gain@1", "ab", {"a": 1, "b": 1}) == approx(1 / 2)
    assert value("normalized_gain(gain=binary)@1", "ab", "ab") == approx(1 / 2)


@mark.parametrize("shown", ["cfdaeb", "fcdaeb", "bcaefd"])
def test_rounding_of_large_gains_leaves_a_list_behind_the_best(shown):
    # The sums of two lists down to a place differ by what a double has no room for, if at all.
    gains = {"a": 6e14, "b": 4e14, "c": 8.2e18, "d": 7.6e16, "e": 5e14, "f": 3.8e18}
    gains = {item: gain / 1.7 for item, gain in gains.items()}
    assert 0 < value("normalized_gain", shown, gains) <= 1


@mark.parametrize("gain", ["linear", "binary"])
def test_is_undefined_without_gain_and_0_without_list_or_hit(gain):
    metric = f"normalized_gain(gain={gain})"
    assert value(metric, "ab", {"a": 0}, population="judged") is None
    assert without_list(metric, "ab") == 0
    assert value(metric, "xy", "ab") == 0
