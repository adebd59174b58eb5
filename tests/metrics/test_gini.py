import pyarrow as pa
from pytest import approx, mark, raises

import sqlrec

from ..tables import lists, table, values, wanted

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


def test_is_not_below_0_where_rounding_would_have_it_there():
    turned = {str(turn): "abcde"[turn:] + "abcde"[:turn] for turn in range(5)}
    assert gini("gini(weight=rank)@5", turned) == [0]


def test_of_one_item_that_takes_everything_is_the_others_share():
    assert gini("gini(items=catalog)@1", {"ann": "a", "bob": "a"}, "abcd") == approx([3 / 4])


def test_padding_is_items_of_the_catalog_that_nobody_is_shown():
    padded = gini("gini(items=catalog, padding=2)@3")
    assert padded == gini("gini(items=catalog)@3", catalog="abcyz")
    assert padded == approx([(1 + 2 + 3 + 3 + 1 + 2 + 2 + 1 + 1) / 5 / 6])


def test_geometric_weighs_a_list_by_the_patience_that_its_places_leave():
    # a has 1 and 0.5, b has 0.5, c has 1 and 0.25; 0.85 and 0.7225 by default.
    shown = {"ann": "abc", "bob": "ca"}
    found = gini("gini(weight=geometric, patience=0.5)@3", shown)
    assert found == approx([(1.0 + 0.25 + 0.75) / 3 / (1.5 + 0.5 + 1.25)])
    found = gini("gini(weight=geometric)@3", {"ann": "abc"})
    assert found == approx([(0.15 + 0.2775 + 0.1275) / 3 / (1 + 0.85 + 0.7225)])


def test_geometric_counts_the_catalog():
    found = gini("gini(items=catalog, weight=geometric, patience=0.5)@2", {"ann": "abc"}, "abz")
    assert found == approx([(0.5 + 1 + 0.5) / 3 / 1.5])


def test_of_recbole_counts_lists_of_users_of_the_truth_alone():
    asked = "gini(convention=recbole)@2"
    given = {"recs": lists({"ann": "ab", "bob": "a", "cid": "b"})}
    given["catalog"] = table([(item,) for item in "abc"], item_id=pa.string())
    found = sqlrec.evaluate(asked, **given, truth=wanted({"ann": "z", "bob": "z"}))
    assert values(found) == approx([(1 + 2 + 2 + 1 + 1) / 4 / 3])
    with raises(sqlrec.InputError, match="truth is missing"):
        sqlrec.evaluate(asked, **given)


def test_by_rank_weighs_a_list_by_the_place_in_it():
    # a has 1 and b has 1 / log2(3).
    low = 1 / 1.584962500721156
    found = gini("gini(weight=rank)@2", {"ann": "ab"})
    assert found == approx([(1 - low) / 2 / (1 + low)])


def test_may_divide_by_n_less_1_so_that_one_item_with_everything_makes_1():
    assert gini("gini(divide_by=others)@3") == approx([8 / 9 / 2 / 2 * 3 / 2])
    taken = {"ann": "a", "bob": "a"}
    assert gini("gini(items=catalog, divide_by=others)@1", taken, "abcd") == approx([1])
    assert gini("gini(divide_by=others)@1", taken) == [None]
