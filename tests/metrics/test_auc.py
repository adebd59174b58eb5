from pytest import approx

import sqlrec

from ..tables import predicted, scored, wanted

# Relevant: b of ann, and a of bob.
ANN = {"a": (4.0, 0.0), "b": (3.0, 1.0), "c": (2.0, 0.0)}
BOB = {"a": (3.5, 1.0), "b": (1.0, 0.0)}


def test_is_the_share_of_pairs_of_all_users_with_the_relevant_item_higher():
    # 3 is above 2 and 1, 3.5 too, and neither above 4.
    assert predicted("auc", ANN, BOB) == approx((2 + 2) / 6)


def test_counts_half_for_equal_scores():
    ann = {"a": (2.0, 1.0), "b": (2.0, 0.0), "c": (2.0, 1.0), "d": (1.0, 0.0), "e": (1.0, 1.0)}
    assert predicted("auc", ann) == approx((2 * 1.5 + 0.5) / 6)


def test_looks_at_the_items_within_k():
    assert predicted("auc@2", ANN, BOB) == approx((1 + 1) / 4)


def test_an_item_is_relevant_from_the_threshold_on():
    ann = {"a": (3.0, 4.0), "b": (2.0, 3.0), "c": (1.0, 4.0)}
    assert predicted("auc", ann, relevance_threshold=4) == 0.5
    assert predicted("auc", ann) is None


def test_is_undefined_without_relevant_items_and_without_others():
    assert predicted("auc", {"a": (1.0, 0.0), "b": (2.0, 0.0)}, population="judged") is None
    assert predicted("auc", {"a": (1.0, 1.0), "b": (2.0, 1.0)}) is None


def test_counts_users_lists_and_ties_as_metrics_of_users_do():
    recs = scored(
        {"ann": dict.fromkeys("abc", 1.0), "bob": {"a": 2.0}, "cid": {"c": 1.0}, "dan": {}}
    )
    truth = wanted({"ann": {"a": 1, "b": 0}, "bob": {"a": 0}, "cid": {"a": 1}, "dan": {"a": 1}})
    users = sqlrec.evaluate("gauc@1 gauc@2", recs=recs, truth=truth).user_counts.to_arrow()
    result = sqlrec.evaluate("auc@1 auc@2", recs=recs, truth=truth)
    assert result.user_counts.to_arrow() == users
    assert users["users_evaluated"].to_pylist() == [2, 2]
    assert users["short_lists"].to_pylist() == [0, 1]
    assert users["ties_at_cutoff"].to_pylist() == [1, 1]
    assert result.to_arrow()["users"].to_pylist() == [2, 2]
