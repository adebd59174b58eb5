from math import log2

from pytest import approx

import sqlrec

from ..tables import labelled, lists, rows, values

ITEMS = labelled("category", {"a": "1", "b": "2", "c": "12", "d": "3"})


def js(shown, had, metric="calibration_js@all"):
    result = sqlrec.evaluate(
        metric, recs=lists({"ann": shown}), history=lists({"ann": had}), items=ITEMS
    )
    return values(result)


def test_is_0_where_the_list_has_the_mix_of_the_history():
    assert js("abc", "ab") == [0]


def test_is_1_where_they_have_no_category_in_common():
    assert js("d", "ab") == [1]


def test_is_the_mean_divergence_from_the_mix_half_way():
    # History: 1 in 4 of category 2; list: half of each. Half way between: 5 and 3 in 8.
    history = 3 / 4 * log2(3 / 4 / (5 / 8)) + 1 / 4 * log2(1 / 4 / (3 / 8))
    shown = 1 / 2 * log2(1 / 2 / (5 / 8)) + 1 / 2 * log2(1 / 2 / (3 / 8))
    assert js("ab", "ac") == approx([(history + shown) / 2])


def test_is_of_the_places_within_k():
    assert js("ab", "a", "calibration_js@1 calibration_js@2") == approx(
        [0, (log2(4 / 3) + (log2(2 / 3) + 1) / 2) / 2]
    )


def test_items_without_category_are_left_out_and_those_of_the_history_count_once():
    assert js("axb", "aybbz") == [0]


def test_who_has_no_category_in_the_list_or_the_history_is_left_out():
    result = sqlrec.evaluate(
        "calibration_js@2",
        recs=lists({"ann": "x", "bob": "a", "cid": "a", "dot": "a"}),
        history=lists({"ann": "a", "bob": "x", "dot": "a", "eve": "a"}),
        items=ITEMS,
    )
    assert rows(result, "value", "users") == [(0, 1)]
    expected = [("ann", None), ("bob", None), ("cid", None), ("dot", 0)]
    assert sorted(rows(result.per_user(), "user_id", "value")) == expected
