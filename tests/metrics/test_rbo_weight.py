from math import log

from pytest import approx, mark

import sqlrec

from ..tables import lists, values
from .test_rbo import ask


def test_of_one_place_is_the_weight_of_the_first_place():
    # (1 - p) / p * (p + p^2 / 2 + p^3 / 3 + ...)
    assert ask("rbo_weight(p=0.5)@1", "a", "b") == approx([log(2)])


def test_of_two_places_adds_that_of_the_second():
    # 1 - p + (1 - p) / p * 2 * (p^2 / 2 + p^3 / 3 + ...)
    assert ask("rbo_weight(p=0.5)@2", "ab", "cd") == approx([1 - 0.5 + 2 * (log(2) - 0.5)])


@mark.parametrize("ours, theirs", [("ab", "cdef"), ("abcd", "cd"), ("ab", "ab")])
def test_is_of_the_depths_that_both_lists_reach_whatever_they_hold(ours, theirs):
    assert ask("rbo_weight@2", "xy", "zx") == approx(ask("rbo_weight@all", ours, theirs))


def test_agrees_with_the_rbo_library():
    # rbo 0.1.3: RankingSimilarity(letters, letters).top_weightness(p, depth)
    letters = "abcdefghijklmnopqrstuvwxyz"
    metrics = "rbo_weight@1 rbo_weight@10 rbo_weight(p=0.5)@3 rbo_weight(p=0.98)@26"
    assert ask(metrics, letters, letters) == approx(
        [0.25584278811044947, 0.8555854467473518, 0.9544415416798359, 0.6839808488335309], rel=1e-12
    )


def test_is_near_all_of_long_lists():
    items = [f"i{number}" for number in range(1000)]
    assert ask("rbo_weight@all", items, items) == approx([1], abs=1e-12)


def test_without_list_of_the_baseline_is_0():
    result = sqlrec.evaluate(
        "rbo_weight@2", recs=lists({"bob": "c"}), baseline=lists({"ann": "ab"})
    )
    assert values(result) == [0]
