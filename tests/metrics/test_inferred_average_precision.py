from pytest import approx

from ..tables import value, without_list

E = 0.00001


def test_is_the_average_precision_where_all_of_the_pool_is_judged():
    judged = {"b": 1, "c": 0, "d": 1}
    assert value("infap", "abcd", judged) == approx(value("ap@all", "abcd", judged), abs=E)


def test_expects_of_items_that_were_not_judged_what_the_judged_ones_are():
    # Above d stand three of the pool, of which one of two judged is relevant.
    judged = {"a": 1, "b": -1, "c": 0, "d": 1}
    expected = 1 / 4 + 3 / 4 * (1 + E) / (2 + 2 * E)
    assert value("infap", "abcd", judged) == approx((1 + expected) / 2)


def test_neither_the_grades_of_hits_nor_items_judged_below_them_matter():
    # Above b stands one of the pool, of which nothing is judged; above d three, two judged, one of
    # them relevant. x is relevant too.
    judged = {"a": -1, "b": 3, "c": 0, "d": 0.5, "e": 0, "x": 2}
    at_b, at_d = 1 / 2 + 1 / 2 * 1 / 2, 1 / 4 + 3 / 4 * (1 + E) / (2 + 2 * E)
    assert value("infap@9", "abcde", judged) == approx((at_b + at_d) / 3)


def test_takes_items_outside_the_pool_for_not_relevant():
    expected = 1 / 3 + 1 / 3 * (1 + E) / (1 + 2 * E)
    assert value("infap", "axb", "ab") == approx((1 + expected) / 2)


def test_expects_half_where_nothing_above_is_judged():
    assert value("infap", "ab", {"a": -1, "b": 1}) == approx(1 / 2 + 1 / 2 * 1 / 2)


def test_counts_a_grade_below_0_that_is_relevant():
    found = value("infap", "ab", {"a": -1, "b": 1}, relevance_threshold=-1)
    assert found == approx(1, abs=E)


def test_ends_at_the_cutoff_if_one_is_asked():
    assert value("infap@1", "ab", "ab") == approx(1 / 2)


def test_is_undefined_without_relevant_item_and_0_without_list():
    assert value("infap", "ab", {"a": 0}, population="judged") is None
    assert without_list("infap", "a") == 0
