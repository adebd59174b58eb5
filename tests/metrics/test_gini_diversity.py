from math import log2

from pytest import approx, mark

from .test_gini import gini as found


@mark.parametrize("name", ["gini_diversity", "gini_complement"])
def test_is_1_less_the_mean_difference_of_other_items_relative_to_twice_the_mean(name):
    # Differences 1, 1 and 2 of three pairs; the mean is 2.
    assert found(f"{name}@3") == approx([1 - 4 / 3 / 4])


def test_is_1_where_all_are_shown_alike_and_0_where_one_gets_everything():
    assert found("gini_diversity@1", {"ann": "a", "bob": "b", "cid": "c"}) == approx([1])
    assert found("gini_diversity@1", {"ann": "a", "bob": "a"}) == approx([0])


def test_may_weigh_places():
    # a is worth 1, b as much as the second place, and c nothing.
    weight = 1 / log2(3)
    apart = (1 - weight) + 1 + weight
    expected = 1 - apart / 3 / (2 * (1 + weight) / 3)
    assert found("gini_diversity(weight=rank)@2", {"ann": "ab"}) == approx([expected])


def test_is_undefined_for_one_item_and_where_nothing_of_the_catalog_is_shown():
    assert found("gini_diversity@1", catalog="a") == [None]
    assert found("gini_diversity@1", catalog="xy") == [None]
