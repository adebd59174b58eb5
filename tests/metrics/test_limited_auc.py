import pyarrow as pa
from pytest import approx, mark

import sqlrec

from ..tables import lists, table, values, wanted

CATALOG = table([(item,) for item in "abcdefgh"], item_id=pa.string())


def auc(metric, shown, relevant, **options):
    given = {"recs": lists({"ann": shown}), "truth": wanted({"ann": relevant}), "catalog": CATALOG}
    return values(sqlrec.evaluate(metric, **given | options))


@mark.parametrize("name", ["limited_auc", "lauc"])
def test_is_how_few_of_the_irrelevant_items_stand_above_the_hits(name):
    # Of six irrelevant items none is above a, and two are above d.
    assert auc(f"{name}@4", "abcd", "ad") == approx([(1 + 4 / 6) / 2])


def test_takes_what_is_past_the_cutoff_as_nothing():
    assert auc("limited_auc@3", "abcd", "ad") == approx([1 / 2])
    assert auc("limited_auc@1 limited_auc@all", "abcd", "adh") == approx([1, (1 + 3 / 5) / 3])


def test_counts_items_beside_those_of_the_catalog():
    assert auc("limited_auc(padding=1)@4", "abcd", "ad") == approx([(1 + 5 / 7) / 2])


def test_is_undefined_without_relevant_or_other_item_or_room_in_the_catalog():
    none = {"truth": wanted({"ann": {"a": 0}}), "population": "judged"}
    assert auc("limited_auc@3", "abc", "", **none) == [None]
    few = table([("a",), ("b",)], item_id=pa.string())
    assert auc("limited_auc@2", "ab", "ab", catalog=few) == [None]
    assert auc("limited_auc@3", "abc", "a", catalog=few) == [None]
