import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, scored, table, values, wanted

CATALOG = table([(item,) for item in "abcdefgh"], item_id=pa.string())


def loss(recs, relevant, **options):
    given = {"recs": recs, "truth": wanted({"ann": relevant}), "catalog": CATALOG}
    return values(sqlrec.evaluate("label_ranking_loss", **given, **options))


def test_is_the_share_of_pairs_with_the_relevant_item_not_above():
    # b has one of six above, and none of the others is below h.
    assert loss(lists({"ann": "abc"}), "bh") == approx([(1 + 6) / (2 * 6)])


def test_equal_scores_are_lost_by_the_worst_order():
    recs = scored({"ann": {"a": 1.0, "b": 1.0, "c": 1.0}})
    assert loss(recs, "b", ties="worst") == approx([2 / 7])


def test_is_undefined_without_two_sorts_of_items():
    assert loss(lists({"ann": "abc"}), "abcdefgh") == [None]
