import pyarrow as pa
from pytest import approx, raises

import sqlrec

from ..tables import lists, rows, table, values


def apart(**distances):
    found = [(pair[0], pair[1], distance) for pair, distance in distances.items()]
    return table(found, item_id=pa.string(), other_item_id=pa.string(), distance=pa.float64())


ITEMS = apart(ab=1, ac=4, bc=2)


def ild(shown, items=ITEMS, metric="ild@all"):
    return values(sqlrec.evaluate(metric, recs=lists({"ann": shown}), items=items))


def test_is_the_mean_distance_of_two_items_of_the_list():
    assert ild("abc") == approx([(1 + 4 + 2) / 3])
    assert ild("cab", metric="ild@2 ild@3") == approx([4, 7 / 3])


def test_a_distance_is_the_same_both_ways():
    assert ild("ab") == ild("ba") == [1]


def test_the_mean_counts_where_a_pair_has_several_distances():
    assert ild("ab", apart(ab=1, ba=4)) == approx([5 / 2])
    assert ild("ab", pa.concat_tables([apart(ab=1, ac=2), apart(ab=1)])) == [1]


def test_a_pair_without_distance_is_left_out():
    assert ild("abx") == [1]
    assert ild("abc", apart(ab=1, ac=None, bc=float("nan"))) == [1]


def test_a_list_without_pair_that_has_a_distance_is_left_out():
    result = sqlrec.evaluate(
        "ild@2", recs=lists({"ann": "a", "bob": "ax", "cid": "ab"}), items=ITEMS
    )
    assert rows(result, "value", "users") == [(1, 1)]
    expected = [("ann", None), ("bob", None), ("cid", 1)]
    assert sorted(rows(result.per_user(), "user_id", "value")) == expected


def test_a_distance_that_can_t_be_added_up_is_an_error():
    with raises(sqlrec.DataError, match="items: item a has a value or distance beyond 1e100"):
        ild("ab", apart(ab=float("inf")))
