from pytest import approx, mark

import sqlrec

from ..tables import JUDGED, lists, rows, value, wanted, without_list


def test_is_the_share_of_pairs_of_a_hit_and_a_miss_that_stand_right():
    # a stands above x and y, b above y.
    assert value("list_auc@4", "axby", "ab") == approx(3 / 4)
    assert value("roc_auc@all", "xyab", "ab") == 0
    assert value("roc_auc@all", "abxy", "ab") == 1


def test_looks_at_the_places_within_k_alone():
    assert value("list_auc@3", "xabcd", "abcd") == 0
    assert value("list_auc@4", "xayb", "abz") == approx(1 / 4)


def test_takes_items_judged_not_relevant_and_not_judged_alike():
    assert value("list_auc@4", "axby", {"a": 1, "b": 1, "x": 0}) == approx(3 / 4)


@mark.parametrize("no_pairs", ["undefined", "bounds"])
def test_grades_do_not_matter(no_pairs):
    # b stands above c and e, d above e, and a above both.
    metric = f"list_auc(no_pairs={no_pairs})@9"
    assert value(metric, "abcde", JUDGED) == approx(3 / (2 * 3))
    assert value(metric, "xa", {"a": 2, "b": 1}) == 0


def test_counts_places_and_not_ranks_where_ranks_are_left_out():
    recs = lists({"ann": "yzxab"}).slice(2)
    result = sqlrec.evaluate("list_auc@9", recs=recs, truth=wanted({"ann": "a"}))
    assert rows(result, "value") == [(0.5,)]


def test_has_no_value_without_hit_or_without_miss():
    assert value("list_auc@2", "xy", "a") is None
    assert value("list_auc@2", "ab", "ab") is None
    assert without_list("list_auc@2", "ab") is None


def test_can_have_bounds_there():
    assert value("list_auc(no_pairs=bounds)@2", "xy", "a") == 0
    assert value("list_auc(no_pairs=bounds)@2", "xy", {"x": 0, "a": 1}) == 0
    assert value("list_auc(no_pairs=bounds)@2", "ab", "ab") == 1
    assert without_list("list_auc(no_pairs=bounds)@2", "ab") == 0
    assert value("list_auc(no_pairs=bounds)@2", "xa", "a") == 0
