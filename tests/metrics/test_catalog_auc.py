import pyarrow as pa
from pytest import approx

import sqlrec

from ..tables import lists, scored, table, values, wanted

CATALOG = table([(item,) for item in "abcdefgh"], item_id=pa.string())


def auc(metric, recs, relevant, **options):
    truth = wanted({"ann": relevant})
    return values(sqlrec.evaluate(metric, recs=recs, truth=truth, catalog=CATALOG, **options))


def test_is_the_share_of_pairs_with_the_relevant_item_above():
    # b is below a and above five; h, which the list lacks, is below a and c, and level with four.
    recs = lists({"ann": "abc"})
    assert auc("catalog_auc", recs, "bh") == approx([(5 + 4 / 2) / (2 * 6)])
    assert auc("catalog_auc(items=list)", recs, "bh") == approx([1 / (2 * 2)])


def test_pairs_of_which_the_list_has_neither_count_nothing_if_asked():
    recs = lists({"ann": "abc"})
    assert auc("catalog_auc(neither=nothing)", recs, "bh") == approx([5 / (2 * 6)])
    even = scored({"ann": {"a": 2.0, "b": 1.0, "c": 1.0}})
    expected = auc("catalog_auc(neither=nothing)", even, "bh", ties="expected")
    assert expected == approx([(1 / 2 + 4) / (2 * 6)])


def test_weighs_users_by_their_relevant_items_if_asked():
    recs, truth = lists({"ann": "ab", "bob": "ab"}), wanted({"ann": "a", "bob": "bc"})
    given = {"recs": recs, "truth": truth, "catalog": CATALOG}
    metrics = "catalog_auc catalog_auc(weight=positives)"
    ann, bob = 1, (5 + 5 / 2) / (2 * 6)
    assert values(sqlrec.evaluate(metrics, **given)) == approx(
        [(ann + bob) / 2, (ann + 2 * bob) / 3]
    )


def test_half_of_pairs_with_equal_scores_are_in_order_if_expected():
    recs = scored({"ann": {"a": 2.0, "b": 1.0, "c": 1.0}})
    assert auc("catalog_auc", recs, "b", ties="expected") == approx([(1 / 2 + 5) / 7])


def test_is_undefined_without_two_sorts_of_items():
    assert auc("catalog_auc", lists({"ann": "abc"}), "abcdefgh") == [None]
    assert auc("catalog_auc(items=list)", lists({"ann": "a"}), "a") == [None]


def test_may_have_more_items_below_all_others():
    # As above, with two further pairs of b and two of h, of which all are in order.
    recs = lists({"ann": "abc"})
    assert auc("catalog_auc(padding=2)", recs, "bh") == approx([(5 + 4 / 2 + 4) / (2 * 8)])
    assert auc("catalog_auc(padding=2, neither=nothing)", recs, "bh") == approx([(5 + 4) / 16])
    assert auc("catalog_auc(padding=2, items=list)", recs, "bh") == approx([(1 + 4) / (2 * 4)])
    assert auc("catalog_auc(padding=1)", lists({"ann": "abc"}), "abcdefgh") == [1]
