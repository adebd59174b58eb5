from math import log2

from pytest import approx

import sqlrec

from ..tables import labelled, lists, rows, values

ITEMS = labelled("category", {"a": "12", "b": "1", "c": "3", "d": "4"})


def entropy(metric, **shown):
    return values(sqlrec.evaluate(metric, recs=lists(shown), items=ITEMS))


def test_is_0_for_one_category_and_grows_with_their_number():
    assert entropy("category_entropy@1 category_entropy@2 category_entropy@3", ann="bcd") == approx(
        [0, 1, log2(3)]
    )


def test_an_item_of_two_categories_counts_in_both():
    # Category 1 twice, category 2 once.
    expected = 2 / 3 * log2(3 / 2) + 1 / 3 * log2(3)
    assert entropy("category_entropy@2", ann="ab") == approx([expected])


def test_an_item_without_category_counts_in_none():
    assert entropy("category_entropy@3", ann="bxc") == approx([1])


def test_a_list_without_category_is_left_out():
    result = sqlrec.evaluate(
        "category_entropy@2", recs=lists({"ann": "xy", "bob": "bc"}), items=ITEMS
    )
    assert rows(result, "value", "users") == [(1, 1)]
    assert sorted(rows(result.per_user(), "user_id", "value")) == [("ann", None), ("bob", 1)]


def test_smoothing_adds_to_each_category_there_is():
    # Categories 1 to 4: two places of the first, one of the second, none of the others.
    counts = [2.5, 1.5, 0.5, 0.5]
    expected = sum(count / 5 * log2(5 / count) for count in counts)
    assert entropy("category_entropy(smoothing=0.5)@2", ann="ab") == approx([expected])
    # A list without category has all of them alike.
    for smoothing in (0.25, 0.5):
        assert entropy(f"category_entropy(smoothing={smoothing})@2", ann="xy") == approx([2])
