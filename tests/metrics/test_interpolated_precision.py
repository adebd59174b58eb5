from pytest import approx, mark, raises

import sqlrec

from ..tables import value, without_list

# Hits at 1, 4 and 5 of four relevant items: the precisions are 1, 1/2 and 3/5.
SHOWN, WANTED = "axybc", "abcd"
GRADED = {"a": 3, "b": 0.5, "c": 2, "d": 2, "x": 0, "w": 0, "z": 0}


@mark.parametrize(("recall", "expected"), [(0, 1), (0.25, 1), (0.5, 3 / 5), (0.75, 3 / 5), (1, 0)])
@mark.parametrize("relevant", [WANTED, GRADED])
def test_is_the_best_precision_from_where_on_so_much_is_found(recall, expected, relevant):
    assert value(f"iprec(recall={recall})", SHOWN, relevant) == approx(expected)


@mark.parametrize(("recall", "nearest", "up"), [(0.3, 1, 3 / 5), (0.1, 1, 1), (0.9, 0, 0)])
def test_brings_the_recall_to_whole_items(recall, nearest, up):
    assert value(f"iprec(recall={recall})", SHOWN, WANTED) == approx(nearest)
    assert value(f"iprec(recall={recall}, rounding=up)", SHOWN, WANTED) == approx(up)


def test_rounds_halves_up():
    assert value("iprec(recall=0.5)", "axb", "abc") == approx(2 / 3)
    assert value("iprec(recall=0.125)", "xyab", "abcd") == approx(1 / 2)


def test_is_not_led_astray_by_the_digits_of_a_double():
    # 0.7 * 10 is a little more or less than 7.
    wanted = "abcdefghij"
    assert value("iprec(recall=0.7, rounding=up)", wanted[:7], wanted) == 1
    assert value("iprec(recall=0.1, rounding=up)", wanted[:1], wanted) == 1


def test_of_a_tenth_goes_up_from_a_tenth_on_as_doubles_have_it():
    # 0.05 of an item goes down, 0.1 goes up, but not that of 0.7 * 3 = 2.0999999999999996.
    metric = "iprec(recall={}, rounding=tenth)"
    assert value(metric.format(0.2625), "axb", "abcd") == 1
    assert value(metric.format(0.275), "axb", "abcd") == approx(2 / 3)
    assert value(metric.format(0.7), "axbyzc", "abc") == approx(2 / 3)
    assert value("iprec(recall=0.7, rounding=up)", "axbyzc", "abc") == approx(3 / 6)
    assert value(metric.format(0), "axb", "abcd") == 1


def test_ends_at_the_cutoff_if_one_is_asked():
    assert value("iprec(recall=0.5)@4", SHOWN, WANTED) == approx(1 / 2)


def test_is_undefined_without_relevant_item_and_0_without_hit():
    assert value("iprec(recall=0)", "ab", {"a": 0}, population="judged") is None
    assert value("iprec(recall=0)", "ab", "c") == 0
    assert value("iprec", "xa", "a") == 1 / 2
    assert without_list("iprec(recall=0)", "c") == 0


def test_asks_for_a_recall_from_0_to_1():
    with raises(sqlrec.MetricError, match="recall is a number from 0 to 1"):
        value("iprec(recall=1.5)", "ab", "c")
