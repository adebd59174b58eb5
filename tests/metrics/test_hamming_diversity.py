from pytest import approx

import sqlrec

from ..tables import labelled, lists, rows, values

# a and b differ in one category, a and c in three; d has no category, and x is not among the items.
ITEMS = labelled("category", {"a": "12", "b": "1", "c": "3"})


def hamming(shown, metric="hamming_diversity@all", **rules):
    return values(sqlrec.evaluate(metric, recs=lists(shown), items=ITEMS, **rules))


def test_is_the_mean_number_of_categories_in_which_two_items_differ():
    assert hamming({"ann": "ab"}) == [1]
    assert hamming({"ann": "abc"}) == approx([(1 + 3 + 2) / 3])


def test_an_item_without_category_differs_by_those_of_the_other():
    assert hamming({"ann": "ax"}) == [2]
    assert hamming({"ann": "dx"}) == [0]
    assert hamming({"ann": "abx"}) == approx([(1 + 2 + 1) / 3])


def test_is_of_the_places_within_k():
    found = hamming({"ann": "abc"}, "hamming_diversity@2 hamming_diversity@3 hamming_diversity@9")
    assert found == approx([1, 2, 2])


def test_a_list_of_one_item_is_left_out():
    result = sqlrec.evaluate(
        "hamming_diversity@1 hamming_diversity@2",
        recs=lists({"ann": "a", "bob": "ab"}),
        items=ITEMS,
    )
    assert rows(result, "value", "users") == [(None, 0), (1, 1)]


def test_a_category_told_twice_counts_once():
    twice = labelled("category", {"a": "1122", "b": "1"})
    assert values(
        sqlrec.evaluate("hamming_diversity@2", recs=lists({"ann": "ab"}), items=twice)
    ) == [1]
