from pytest import approx

import sqlrec

from ..tables import JUDGED, lists, rows, value, wanted


def test_compares_all_relevant_items_to_the_first_misses():
    # b stands above y alone, c above neither, d is not in the list.
    assert value("pauc(misses=2)", "xbyc", "bcd") == approx((1 + 0 + 0) / (2 * 3))
    assert value("pauc(misses=3)", "xbyc", "bcd") == approx((2 + 1 + 0) / (3 * 3))


def test_all_relevant_items_are_enough_where_there_are_too_few_misses():
    exclude = "pauc(misses={}, insufficient=exclude)".format
    assert value(exclude(4), "abc", {"a": 1, "b": 2, "c": 0}) == 1
    # The grades of two hits add up to three, and three are relevant.
    assert value(exclude(4), "abcd", {"a": 2, "b": 1, "x": 1}) is None


def test_neither_grades_nor_items_judged_not_relevant_matter():
    # b stands above two of the first three misses, d above one; three are relevant.
    assert value("pauc(misses=3)@9", "abcde", JUDGED) == approx((2 + 1) / (3 * 3))
    exclude = "pauc(misses={}, insufficient=exclude)@9"
    assert value(exclude.format(3), "abcde", JUDGED) == approx((2 + 1) / (3 * 3))
    assert value(exclude.format(4), "abcde", JUDGED) is None


def test_a_hit_below_all_misses_that_count_has_nothing():
    assert value("pauc(misses=2)", "axyzb", "ab") == approx(2 / (2 * 2))


def test_counts_misses_that_the_list_has_not_as_below_all():
    assert value("pauc", "ab", "ab") == 1
    assert value("pauc(misses=4)", "xa", "a") == approx(3 / 4)


def test_can_leave_out_who_has_too_few_misses_and_not_all_relevant_items():
    recs = lists({"ann": "xa", "bob": "xb", "cid": "xyc", "dan": "abcd"})
    truth = wanted({"ann": "a", "bob": "bz", "cid": "cz", "eve": "e"})
    result = sqlrec.evaluate("pauc(misses=2)", recs=recs, truth=truth).per_user()
    assert sorted(rows(result, "user_id", "value")) == [
        ("ann", 1 / 2),
        ("bob", 1 / 4),
        ("cid", 0),
        ("eve", 0),
    ]
    asked = "pauc(misses=2, insufficient=exclude)"
    result = sqlrec.evaluate(asked, recs=recs, truth=truth).per_user()
    assert sorted(rows(result, "user_id", "value")) == [
        ("ann", 1 / 2),
        ("bob", None),
        ("cid", 0),
        ("eve", None),
    ]


def test_the_cutoff_makes_the_list_shorter():
    assert value("pauc(misses=2)@3", "xbyc", "b") == approx(1 / 2)
    assert value("pauc(misses=2)@1", "xbyc", "b") == 0


def test_counts_places_and_not_ranks_where_ranks_are_left_out():
    recs = lists({"ann": "uvwxya"}).slice(4)
    result = sqlrec.evaluate("pauc(misses=2)", recs=recs, truth=wanted({"ann": "a"}))
    assert rows(result, "value") == [(0.5,)]


def test_is_undefined_without_relevant_item():
    assert value("pauc", "ab", {"a": 0}, population="judged") is None
