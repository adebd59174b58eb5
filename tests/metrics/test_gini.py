import pyarrow as pa
from pytest import approx, mark

import sqlrec

from ..tables import lists, table, values

# Shown to 3, 2 and 1 users.
SHOWN = {"ann": "abc", "bob": "ab", "cid": "a"}


def gini(metric, shown=SHOWN, catalog="abc"):
    items = table([(item,) for item in catalog], item_id=pa.string())
    return values(sqlrec.evaluate(metric, recs=lists(shown), catalog=items))


def test_is_half_the_mean_difference_relative_to_the_mean():
    # Differences 1, 1 and 2, each in two orders, and 0 of an item to itself; the mean is 2.
    assert gini("gini@3") == approx([8 / 9 / 2 / 2])


def test_of_the_catalog_counts_items_that_nobody_is_shown_and_no_others():
    assert gini("gini(items=catalog)@3", catalog="abcz") == approx([(4 + 3 + 2 + 1) / 16 / 1.5])
    assert gini("gini(items=catalog)@3", catalog="bc") == approx([1 / 4 / 1.5])
    assert gini("gini(items=catalog)@3", catalog="yz") == [None]


@mark.parametrize("metric", ["gini@2", "gini(items=catalog)@2", "gini(weight=rank)@2"])
def test_of_items_that_are_shown_alike_is_0(metric):
    assert gini(metric, {"ann": "abc", "bob": "bca", "cid": "cab"}) == [0]


def test_of_one_item_that_takes_everything_is_the_others_share():
    assert gini("gini(items=catalog)@1", {"ann": "a", "bob": "a"}, "abcd") == approx([3 / 4])


def test_by_rank_weighs_a_list_by_the_place_in_it():
    # a has 1 and b has 1 / log2(3).
    low = 1 / 1.584962500721156
    found = gini("gini(weight=rank)@2", {"ann": "ab"})
    assert found == approx([(1 - low) / 2 / (1 + low)])
