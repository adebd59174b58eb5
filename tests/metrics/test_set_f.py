from pytest import approx, mark, raises

import sqlrec

from ..tables import JUDGED, value, without_list


@mark.parametrize("relevant", ["bdx", JUDGED])
def test_is_the_harmonic_mean_of_precision_and_recall(relevant):
    precision, recall = 2 / 5, 2 / 3
    expected = 2 * precision * recall / (precision + recall)
    assert value("set_f", "abcde", relevant) == approx(expected)


@mark.parametrize("x", [0.25, 2, 1000000])
def test_x_is_the_weight_of_recall(x):
    precision, recall = 2 / 4, 2 / 3
    expected = (1 + x) / (1 / precision + x / recall)
    assert value(f"set_f(x={x})", "abcd", "bdx") == approx(expected)


def test_x_is_not_squared_as_beta_is():
    assert value("set_f(x=4)@4", "abcd", "bdx") == approx(value("f_beta(beta=2)@4", "abcd", "bdx"))
    assert value("set_f(x=2)@4", "abcd", "bdx") != approx(value("f_beta(beta=2)@4", "abcd", "bdx"))


def test_divides_by_the_places_of_the_list_whatever_the_cutoff():
    assert value("set_f@9", "abcd", "bdx") == value("set_f", "abcd", "bdx")
    assert value("set_f@2", "abcd", "bdx") == approx(2 * 1 / (3 + 2))


def test_is_0_without_hit_without_list_and_without_relevant_item():
    assert value("set_f", "ab", "x") == 0
    assert without_list("set_f", "ab") == 0
    assert value("set_f", "ab", {"a": 0}, population="judged") == 0
    assert without_list("set_f", {"a": 0}, population="judged") == 0


@mark.parametrize("x", [0, -1, 1000001])
def test_asks_for_a_weight_above_0(x):
    with raises(sqlrec.MetricError, match="x is a number above 0 to 1000000"):
        value(f"set_f(x={x})", "a", "a")
