import pyarrow as pa
from pytest import approx, warns

import sqlrec

from ..tables import JUDGED, lists, table, values, wanted, without_list


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


def test_of_a_user_without_relevant_item_is_the_share_that_is_not_shown():
    assert accuracy("accuracy@2", "ab", {"a": 0}, 10) == approx(8 / 10)
    given = {"recs": lists({"ann": "ab"}), "truth": wanted({"bob": "x"}), "catalog": catalog(10)}
    with warns(UserWarning, match="no user with a list has anything relevant"):
        assert values(sqlrec.evaluate("accuracy@2", **given, population="recs")) == approx([8 / 10])


def test_neither_grades_nor_items_judged_not_relevant_matter():
    # Two hits, three other places, one item that is not found, fourteen others.
    assert accuracy("accuracy@9", "abcde", JUDGED, 20) == approx((2 + 14) / 20)
    # Two hits, seven other places, one item that is not found, ten others.
    assert accuracy("accuracy(shown=k)@9", "abcde", JUDGED, 20) == approx((2 + 10) / 20)


def test_is_undefined_where_the_catalog_is_too_small():
    assert accuracy("accuracy@2", "ab", "cd", 3) is None
    # Five items are shown, and one is wanted beside them.
    assert accuracy("accuracy@9", "abcde", JUDGED, 6) == approx(2 / 6)
    assert accuracy("accuracy@9", "abcde", JUDGED, 5) is None
    assert accuracy("accuracy@1", "a", "a", 1) == 1
