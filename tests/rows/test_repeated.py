"""Rows that lists and truth have more than once, as libraries count them."""

from math import log2, sqrt

import pyarrow as pa
from pytest import approx, mark

import sqlrec

from .. import flat
from ..tables import labelled, lists, table, value, values, wanted

SECOND, THIRD = 1 / log2(3), 1 / 2


@mark.parametrize("k, expected", [(1, 1 / 3), (3, 2 / 3)])
def test_an_item_is_to_be_found_as_often_as_a_whole_list_has_it(k, expected):
    assert value(f"recall@{k}", "aba", "ac", convention="rectools") == approx(expected)


@mark.parametrize("k, expected", [(1, 1 / 2), (3, 2 / 3)])
def test_an_item_is_to_be_found_as_often_as_a_list_has_it_within_k(k, expected):
    assert value(f"recall@{k}", "aba", "ac", convention="jurity") == approx(expected)


@mark.parametrize("convention, first", [("rectools", 1 / 3), ("jurity", 1 / 2)])
def test_what_is_to_be_found_within_several_cutoffs_is_told_apart(convention, first):
    given = {"recs": lists({"ann": "aba"}), "truth": wanted({"ann": "ac"})}
    found = flat.evaluate("recall@1 recall@3", **given, convention=convention)
    assert values(found) == approx([first, 2 / 3])


def test_rows_of_the_truth_and_places_of_their_item_are_multiplied():
    assert value("recall@3", "aba", "aac", convention="rectools") == approx(4 / 5)


def test_a_user_has_the_repeats_of_each_list_alone():
    recs = {"one": lists({"ann": "aa", "bob": "ba"}), "two": lists({"ann": "ba", "bob": "aa"})}
    truth = wanted({"ann": "ac", "bob": "ac"})
    found = sqlrec.evaluate("recall@1", recs=recs, truth=truth, rules="rectools").per_user()
    told = {(row["model"], row["user_id"]): row["value"] for row in found.to_arrow().to_pylist()}
    assert told == {
        ("one", "ann"): approx(1 / 3),
        ("one", "bob"): 0,
        ("two", "ann"): 0,
        ("two", "bob"): approx(1 / 3),
    }


def test_the_best_list_has_an_item_as_often_as_the_list():
    binary = value("ndcg(convention=rectools, ideal=achievable)@3", "aba", "ac")
    assert binary == approx((1 + THIRD) / (1 + SECOND + THIRD))
    graded = value("ndcg(convention=torchmetrics)@3", "aba", {"a": 1, "c": 3})
    assert graded == approx((1 + THIRD) / (3 + SECOND + THIRD))


@mark.parametrize(
    "k, relevant, expected",
    [
        # The place within k counts for both places of its item.
        (1, "ac", 2),
        (3, "ac", 2 * (1 + THIRD) / (1 + SECOND + THIRD)),
        # Two rows of the truth meet two places, and each other.
        (1, "aac", 8),
    ],
)
def test_a_place_is_crossed_with_what_list_and_truth_have_of_its_item(k, relevant, expected):
    found = value(f"ndcg@{k}", "aba", relevant, convention="recommenders")
    assert found == approx(expected)


@mark.parametrize("shown, relevant, expected", [("ab", "aab", 7 / 6), ("ba", "aa", 1 / 2)])
def test_a_place_counts_once_with_all_rows_of_the_truth_so_far(shown, relevant, expected):
    assert value("map@2", shown, relevant, convention="rectools") == approx(expected)


@mark.parametrize(
    "metric, shown, relevant, expected",
    [
        ("precision@2", "abc", "aac", 2 / 3),
        ("precision@all", "abc", "aac", 3 / 4),
        ("map@2", "abc", "aac", 1),
        ("map@2", "ba", "aad", (1 / 2 + 2 / 3) / 2),
    ],
)
def test_rows_of_the_truth_make_lines_of_the_list(metric, shown, relevant, expected):
    assert value(metric, shown, relevant, convention="jurity") == approx(expected)


def test_of_several_grades_the_least_above_0_the_best_or_the_last_counts():
    truth = table(
        [("ann", "a", 3), ("ann", "a", 1), ("ann", "a", 0)],
        **{"user_id": pa.string(), "item_id": pa.string(), "relevance": pa.int64()},
    )
    metrics = ["err@1", "mrr@1", "recall@1", "cumulative_gain(convention=ranx)@1"]
    found = sqlrec.evaluate(metrics, recs=lists({"ann": "a"}), truth=truth, rules="ir_measures")
    assert values(found) == [1 / 16, 1, 0, 0]


def test_an_aspect_counts_at_the_first_place_of_its_item():
    found = sqlrec.evaluate(
        "alpha_ndcg(convention=ir_measures)@3",
        recs=lists({"ann": "aab"}),
        truth=wanted({"ann": "ab"}),
        items=labelled("aspect", {"a": "x", "b": "x"}),
    )
    assert values(found) == [approx((1 + 0.5 * THIRD) / (1 + 0.5 * SECOND))]


VECTORS = table(
    [("a", "x", 1.0), ("b", "y", 1.0), ("d", "x", 2.0), ("z", "x", 0.0)],
    **{"item_id": pa.string(), "feature": pa.string(), "value": pa.float64()},
)


@mark.parametrize(
    "shown, of_items, of_places",
    [("aba", 1, 2 / 3), ("ada", 0, 0), ("azz", 1, 1), ("aa", None, 0), ("abada", 4 / 7, 2 / 5)],
)
def test_pairs_of_an_item_with_itself_may_be_left_out(shown, of_items, of_places):
    metrics = [f"cosine_diversity(convention=jurity, pairs={x})@all" for x in ("items", "places")]
    found = values(sqlrec.evaluate(metrics, recs=lists({"ann": shown}), items=VECTORS))
    assert found == [value if value is None else approx(value) for value in (of_items, of_places)]


def test_a_list_is_a_vector_of_counts():
    recs = lists({"ann": "aab", "bob": "ab"})
    found = sqlrec.evaluate("inter_list_diversity@3", recs=recs, rules="jurity")
    assert values(found) == [approx(1 - 3 / sqrt(5 * 2))]


def test_a_repeated_item_counts_as_one_of_both_lists():
    found = sqlrec.evaluate(
        "rbo@2",
        recs=lists({"ann": "aa", "bob": "ab", "cid": "aa"}),
        baseline=lists({"ann": "bc", "bob": "cc", "cid": "ab"}),
        rules="lenskit",
    )
    # Of ann and bob one item of two at depth 2; cid's lists agree at both depths.
    assert values(found) == [approx((0.85 / 2 / 1.85 * 2 + 1) / 3)]


def test_rows_of_the_truth_are_rows_of_serendipity():
    found = sqlrec.evaluate(
        "serendipity(convention=rectools)@2",
        recs=lists({"ann": "db"}),
        truth=wanted({"ann": "ddb"}),
        history=lists({"u1": "abcd", "u2": "abc", "u3": "a"}),
        catalog=table([(item,) for item in "abcdwxyz"], item_id=pa.string()),
    )
    # d is of level 3 and at place 1, and two rows of three; b is of level 2 and at place 2.
    assert values(found) == [approx(2 * (3 - 1) / 8 / 3)]


def test_a_list_is_cut_at_the_largest_cutoff_before_its_copies_go():
    places = [("ann", item, score) for item, score in zip("aab", (3.0, 2.0, 1.0), strict=True)]
    recs = table(places, user_id=pa.string(), item_id=pa.string(), score=pa.float64())
    given = {"recs": recs, "truth": wanted({"ann": "b"})}
    for metrics, expected in [("mrr@2", [0]), (["mrr@2", "mrr@3"], [1 / 2, 1 / 2])]:
        found = flat.evaluate(metrics, **given, convention="replay-0.11")
        assert values(found) == approx(expected)
    ranked = {**given, "recs": lists({"ann": "aab"})}
    assert values(flat.evaluate("mrr@3", **ranked, convention="replay-0.11")) == approx([1 / 3])
