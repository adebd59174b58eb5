import pyarrow as pa

import sqlrec

from ..tables import lists, scored, table, values, wanted

CATALOG = table([(item,) for item in "abcdefgh"], item_id=pa.string())


def depth(recs, relevant, **options):
    given = {"recs": recs, "truth": wanted({"ann": relevant}), "catalog": CATALOG}
    return values(sqlrec.evaluate("coverage_error", **given, **options))


def test_is_the_place_of_the_last_relevant_item():
    assert depth(lists({"ann": "abcd"}), "ac") == [3]


def test_is_the_whole_catalog_where_the_list_lacks_one():
    assert depth(lists({"ann": "abcd"}), "ah") == [8]


def test_counts_all_items_of_a_score_by_the_worst_order():
    recs = scored({"ann": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.5}})
    assert depth(recs, "a", ties="worst") == [3]


def test_is_undefined_without_a_relevant_item():
    truth = wanted({"ann": {"a": 0}})
    given = {"recs": lists({"ann": "ab"}), "truth": truth, "catalog": CATALOG}
    assert values(sqlrec.evaluate("coverage_error", **given, population="judged")) == [None]
