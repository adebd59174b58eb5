import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, table, values, wanted, without_list


def catalog(items):
    return table([(f"c{number}",) for number in range(items)], item_id=pa.string())


def accuracy(metric, shown, relevant, items):
    recs, truth = lists({"ann": shown}), wanted({"ann": relevant})
    (found,) = values(
        sqlrec.evaluate(metric, recs=recs, truth=truth, catalog=catalog(items), population="judged")
    )
    return found


def test_is_the_share_of_the_catalog_that_is_shown_and_wanted_or_neither():
    # One hit, two other places, one item that is not found, six others.
    assert accuracy("accuracy@3", "abcd", "ax", 10) == approx((1 + 6) / 10)


def test_counts_the_places_that_a_short_list_has():
    assert accuracy("accuracy@5", "ab", "ax", 10) == approx((1 + 7) / 10)
    assert accuracy("accuracy@all", "ab", "ax", 10) == approx((1 + 7) / 10)
    assert without_list("accuracy@5", "ab", catalog=catalog(10)) == approx(8 / 10)


def test_may_count_the_empty_places_of_a_short_list_as_shown():
    # One hit, four other places, one item that is not found, four others.
    assert accuracy("accuracy(shown=k)@5", "ab", "ax", 10) == approx((1 + 4) / 10)
    assert accuracy("accuracy(shown=k)@3", "abcd", "ax", 10) == approx((1 + 6) / 10)
    # More places than items of the catalog.
    assert accuracy("accuracy(shown=k)@5", "ab", "ax", 4) == approx((1 + 4 - 5 - 1) / 4)
    assert without_list("accuracy(shown=k)@5", "ab", catalog=catalog(10)) == approx(3 / 10)


def test_is_1_where_everything_is_right_and_0_where_nothing_is():
    assert accuracy("accuracy@2", "ab", "ab", 2) == 1
    assert accuracy("accuracy@2", "ab", "cd", 4) == 0


def test_is_undefined_where_the_catalog_is_too_small():
    assert accuracy("accuracy@2", "ab", "cd", 3) is None
