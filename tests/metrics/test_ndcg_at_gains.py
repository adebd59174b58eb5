from pytest import approx, mark

from ..tables import value, without_list
from .test_ndcg import GRADES
from .test_ndcg import perfect as dcg


@mark.parametrize("name", ["ndcg_at_gains", "ndcg_rel"])
def test_is_the_mean_ndcg_where_the_items_with_a_gain_stand(name):
    # b stands at place 2 and d at place 4, past the best list's end; x is not shown.
    at_b = dcg(0, 3) / dcg(3, 2)
    at_d = whole = dcg(0, 3, 0, 1) / dcg(3, 2, 1)
    assert value(name, "abcde", GRADES) == approx((at_b + at_d + whole) / 3)


def test_items_judged_without_gain_do_not_count():
    at_b, whole = dcg(0, 3) / dcg(3, 2), dcg(0, 3, 0, 1) / dcg(3, 2, 1)
    graded = GRADES | {"a": 0, "c": 0, "y": 0}
    assert value("ndcg_rel", "abcde", graded) == approx((at_b + 2 * whole) / 3)


def test_the_best_list_has_1():
    assert value("ndcg_rel", "bxdq", GRADES) == approx(1)


def test_without_grades_each_relevant_item_has_a_gain():
    expected = (dcg(0, 1) / dcg(1, 1) + dcg(0, 1, 0, 1) / dcg(1, 1)) / 2
    assert value("ndcg_rel", "abcd", "bd") == approx(expected)


def test_within_a_cutoff_the_whole_list_ends_there_and_the_best_one_does_not():
    at_b, whole = dcg(0, 3) / dcg(3, 2), dcg(0, 3, 0) / dcg(3, 2, 1)
    assert value("ndcg_rel@3", "abcd", GRADES) == approx((at_b + 2 * whole) / 3)


def test_asks_for_a_gain_and_not_whether_an_item_is_relevant():
    at_a, at_b = 1 / 3, dcg(1, 3) / dcg(3, 1)
    graded = {"a": 1, "b": 3, "c": 0}
    assert value("ndcg_rel", "ab", graded, relevance_threshold=2) == approx((at_a + at_b) / 2)
    # An item of relevance 0 is relevant then, and has no gain all the same.
    assert value("ndcg_rel", "cab", graded, relevance_threshold=0) == approx(
        (dcg(0, 1) / dcg(3, 1) + dcg(0, 1, 3) / dcg(3, 1)) / 2
    )


def test_is_undefined_without_gain_and_0_without_list_or_hit():
    assert value("ndcg_rel", "ab", {"a": 0}, population="judged") is None
    assert value("ndcg_rel", "ab", {"a": 0}, relevance_threshold=0) is None
    assert without_list("ndcg_rel", "ab") == 0
    assert value("ndcg_rel", "xy", "ab") == 0
