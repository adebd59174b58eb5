from pytest import approx

from ..tables import value, without_list


def test_compares_the_first_hits_to_the_first_misses():
    # a stands above both misses, b above one, and c is the third hit.
    assert value("pap(n=2)", "axbyc", "abc") == approx((2 + 1) / (2 * 2))
    assert value("pap(n=3)", "axbyc", "abc") == approx((3 + 2 + 1) / (3 * 3))


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
