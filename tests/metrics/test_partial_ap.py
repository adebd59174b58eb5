from pytest import approx

from ..tables import JUDGED, value, without_list


def test_compares_the_first_hits_to_the_first_misses():
    # a stands above both misses, b above one, and c is the third hit.
    assert value("pap(n=2)", "axbyc", "abc") == approx((2 + 1) / (2 * 2))
    assert value("pap(n=3)", "axbyc", "abc") == approx((3 + 2 + 1) / (3 * 3))


def test_all_relevant_items_are_enough_where_there_are_too_few_misses():
    exclude = "pap(n={}, insufficient=exclude)".format
    assert value(exclude(4), "abc", {"a": 1, "b": 2, "c": 0}) == 1
    # The grades of two hits add up to three, and three are relevant.
    assert value(exclude(4), "abcd", {"a": 2, "b": 1, "x": 1}) is None


def test_neither_grades_nor_items_judged_not_relevant_matter():
    # b stands above two of the first three misses, d above one; three are relevant.
    assert value("pap(n=3)@9", "abcde", JUDGED) == approx((2 + 1) / (3 * 3))
    assert value("pap(n=3, insufficient=exclude)@9", "abcde", JUDGED) == approx((2 + 1) / (3 * 3))
    assert value("pap(n=4, insufficient=exclude)@9", "abcde", JUDGED) is None


def test_a_hit_below_the_last_miss_that_counts_has_nothing():
    # Were n + 1 misses to count, b would stand above one.
    assert value("pap(n=2)", "axyzb", {"a": 9, "b": 1}) == approx(2 / (2 * 2))
    # Nor does the hit after the nth, whatever it stands above.
    assert value("pap(n=2)", "abcxy", "abc") == approx((2 + 2) / (2 * 2))


def test_is_the_partial_auc_where_no_more_than_n_items_are_relevant():
    assert value("pap(n=3)", "xbyc", "bcd") == value("pauc(misses=3)", "xbyc", "bcd")


def test_is_like_a_precision_where_many_items_are_relevant():
    assert value("pap(n=1)", "ax", "abcd") == 1
    assert value("pap(n=1)", "xa", "abcd") == 0


def test_can_leave_out_who_has_too_few_misses_and_not_all_relevant_items():
    assert value("pap(n=2)", "xa", "ab") == approx(1 / 4)
    assert value("pap(n=2, insufficient=exclude)", "xa", "ab") is None
    assert value("pap(n=2, insufficient=exclude)", "xab", "ab") == approx(2 / 4)
    assert value("pap(n=2, insufficient=exclude)", "xya", "ab") == 0


def test_is_undefined_without_relevant_item_and_0_without_list():
    assert value("pap", "ab", {"a": 0}, population="judged") is None
    assert without_list("pap", "a") == 0
