from math import log, log2

from pytest import approx

import sqlrec

from ..tables import labelled, lists, rows, values

ITEMS = labelled("category", {"a": "1", "b": "2", "c": "12", "d": "3"})


def kl(shown, had, metric="calibration_kl@all"):
    result = sqlrec.evaluate(
        metric, recs=lists({"ann": shown}), history=lists({"ann": had}), items=ITEMS
    )
    return values(result)


def test_is_0_where_the_list_has_the_mix_of_the_history():
    assert kl("abc", "ab") == approx([0], abs=1e-15)


def test_is_the_divergence_of_the_history_from_the_list_with_a_bit_of_the_history():
    expected = 3 / 4 * log2(3 / 4 / (0.99 / 2 + 0.01 * 3 / 4))
    expected += 1 / 4 * log2(1 / 4 / (0.99 / 2 + 0.01 / 4))
    assert kl("ab", "ac") == approx([expected])


def test_has_an_end_where_the_list_has_nothing_of_the_history():
    metrics = "calibration_kl@1 calibration_kl(unit=nats)@1 calibration_kl(alpha=0.5)@1"
    assert kl("d", "ab", metrics) == approx([log2(100), log(100), 1])


def test_an_item_is_worth_1_in_equal_parts_to_its_categories():
    # The list: 1 and 1/2 of category 1, 1/2 of category 2.
    expected = log2(1 / (0.99 * 3 / 4 + 0.01))
    assert kl("ac", "a") == approx([expected])


def test_an_item_of_the_history_counts_once():
    assert kl("ab", "abbb") == approx([0], abs=1e-15)


def test_items_without_category_are_left_out():
    assert kl("axb", "aybz") == approx([0], abs=1e-15)


def test_who_has_no_category_in_the_list_or_the_history_is_left_out():
    result = sqlrec.evaluate(
        "calibration_kl@1 calibration_kl@2",
        recs=lists({"ann": "xa", "bob": "a", "cid": "a", "dot": "a"}),
        history=lists({"ann": "a", "bob": "xy", "dot": "a"}),
        items=ITEMS,
    )
    expected = [("ann", 1, None), ("bob", 1, None), ("cid", 1, None), ("dot", 1, approx(0))]
    expected += [("ann", 2, approx(0)), *((name, 2, value) for name, _, value in expected[1:])]
    assert sorted(rows(result.per_user(), "k", "user_id", "value"), key=str) == sorted(
        ((k, name, value) for name, k, value in expected), key=str
    )
    assert rows(result, "users") == [(1,), (2,)]
