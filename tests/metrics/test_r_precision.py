from pytest import approx, mark

import sqlrec

from ..tables import JUDGED, lists, rows, value, wanted


@mark.parametrize("relevant", ["bdx", JUDGED])
def test_is_the_precision_where_a_perfect_list_would_end(relevant):
    # Three relevant items, so three places: one hit in them, and one after them that is too late.
    assert value("r_precision", "abcde", relevant) == approx(1 / 3)
    assert value("r_precision(average=users_with_hit)", "abcde", relevant) == approx(1 / 3)


def test_a_cutoff_is_a_limit_to_the_places():
    assert value("r_precision@2", "abcd", "bdx") == approx(1 / 2)
    assert value("Rprec@10", "abcd", "bdx") == approx(1 / 3)


def test_a_perfect_list_has_1():
    assert value("r_precision", "ab", "ab") == value("r_precision", "a", "a") == 1


def test_can_divide_by_all_relevant_items_where_the_cutoff_is_smaller():
    assert value("r_precision(divide_by=relevant)@2", "abcd", "bdx") == approx(1 / 3)
    assert value("r_precision(divide_by=relevant)@10", "abcd", "bdx") == approx(1 / 3)


@mark.parametrize("relevant", ["bdx", JUDGED])
def test_a_multiple_of_the_places_is_rounded_up_from_a_tenth_on(relevant):
    # 3 * 1.5 = 4.5 places, so five; 3 * 1.03 = 3.09 places, so three.
    assert value("r_precision(multiple=1.5)", "abcxd", relevant) == approx(3 / 5)
    assert value("r_precision(multiple=1.03)", "abcxd", relevant) == approx(1 / 3)
    assert value("r_precision(multiple=1.5)@4", "abcxd", relevant) == approx(2 / 4)
    asked = "r_precision(multiple=1.5, divide_by=relevant)@4"
    assert value(asked, "abcxd", relevant) == approx(2 / 5)


def test_is_undefined_without_relevant_item():
    for asked in ("r_precision@2", "r_precision(divide_by=relevant)@2"):
        assert value(asked, "ab", {"a": 0}, population="judged") is None


def test_can_be_the_mean_of_those_who_have_a_hit():
    given = {
        # Hits within the places that count, below them, and none.
        "recs": lists({"ann": "abcd", "bob": "abcd", "eve": "abcd"}),
        "truth": wanted({"ann": "bx", "bob": "dx", "eve": "xy"}),
    }
    asked = "r_precision@4 r_precision(average=users_with_hit)@4"
    result = sqlrec.evaluate(asked, **given)
    assert rows(result, "value", "users") == [(approx(1 / 6), 3), (1 / 2, 1)]
    # Bob's hit is within k and too late; without any hit within k there is a mean.
    assert value("r_precision(average=users_with_hit)@4", "abcd", "dx") is None
    assert value("r_precision(average=users_with_hit)@3", "abcd", "dx") == 0
    assert value("r_precision(average=users_with_hit)@3", "abc", {"a": 0, "x": 1}) == 0
