from math import sqrt

import pyarrow as pa
from pytest import approx, mark, raises

import sqlrec

from ..tables import lists, rows, table, values


def vectors(**items):
    found = [
        (item, f"f{number}", value)
        for item, own in items.items()
        for number, value in enumerate(own)
    ]
    return table(found, item_id=pa.string(), feature=pa.string(), value=pa.float64())


ITEMS = vectors(a=(1, 0), b=(0, 5), c=(3, 4), d=(2, 0), e=(-1, 0), z=(0, 0))


def cosine(shown, items=ITEMS, metric="cosine_diversity@all"):
    return values(sqlrec.evaluate(metric, recs=lists({"ann": shown}), items=items))


def test_is_1_less_the_mean_cosine_of_two_items():
    assert cosine("ac") == approx([1 - 3 / 5])
    assert cosine("abc") == approx([1 - (0 + 3 / 5 + 4 / 5) / 3])
    assert cosine("cab", metric="cosine_diversity@2 cosine_diversity@3") == approx([2 / 5, 8 / 15])


def test_the_length_of_a_vector_does_not_count():
    assert cosine("ad") == approx([0])


def test_pairs_of_an_item_with_itself_may_be_left_out():
    asked = [f"cosine_diversity(convention=jurity, pairs={x})@all" for x in ("places", "items")]
    # Of ten pairs four are at distance 1, three of a and b and one of b and d; three of a and d are
    # at 0, and so are three of a with itself.
    assert cosine("abada", metric=asked) == approx([4 / 10, 4 / 7])
    assert cosine("aa", metric=asked) == [0, None]


def test_is_up_to_2_where_values_are_below_0():
    assert cosine("ae") == approx([2])


@mark.parametrize("shown", ["az", "ax", "zx", "xy"])
def test_an_item_without_feature_is_at_distance_1(shown):
    assert cosine(shown) == [1]


def test_a_missing_value_is_0():
    assert cosine("ac", vectors(a=(1, None), c=(3, float("nan")))) == approx([0])


def test_the_mean_counts_where_a_feature_has_several_values():
    several = pa.concat_tables([vectors(a=(1, 0), c=(3, 4)), vectors(a=(1, 2))])
    assert cosine("ac", several) == approx([1 - (3 + 4) / (5 * sqrt(2))])


def test_values_may_be_as_large_or_small_as_can_be():
    assert cosine("ac", vectors(a=(1e100, 1e100), c=(1e-90, 0))) == approx([1 - 1 / sqrt(2)])
    with raises(sqlrec.DataError, match="items: item a has a value or distance beyond 1e100"):
        cosine("ac", vectors(a=(1e101, 0), c=(1, 0)))


def test_a_list_of_one_item_is_left_out():
    recs = lists({"ann": "a", "bob": "ab"})
    result = sqlrec.evaluate("cosine_diversity@1 cosine_diversity@2", recs=recs, items=ITEMS)
    assert rows(result, "value", "users") == [(None, 0), (1, 1)]


def test_may_divide_the_sum_of_distances_by_the_places():
    metric = "cosine_diversity(divide_by=places)@all"
    assert cosine("abc", metric=metric) == approx([(1 + 2 / 5 + 1 / 5) / 3])
    assert cosine("a", metric=metric) == [0]
    both = "cosine_diversity(convention=jurity, pairs={}, divide_by=places)@all"
    asked = [both.format(pairs) for pairs in ("places", "items")]
    # Of pairs of a and a, a and b and a and b, two are at distance 1.
    assert cosine("aab", metric=asked) == approx([2 / 3, 2 / 3])
