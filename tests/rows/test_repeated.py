"""Repeated rows of lists and truth, under the conventions of libraries."""

from math import log2, sqrt

from pytest import approx, mark

from ..metrics.cases import case, given, worked
from ..tables import decisions, evaluate, in_rows, labeled, lists, values, wanted

SECOND, THIRD = 1 / log2(3), 1 / 2
VECTORS = decisions("item_id feature value", "a x 1, b y 1, d x 2, z x 0")
OF_ITEMS = "cosine_diversity(pairs=items)@all"
OF_RANKS = "cosine_diversity(pairs=ranks)@all"
test_recall = worked(
    given(recs="aba", truth="ac"),
    "an item is to be found as often as a whole list has it",
    given(convention="rectools"),
    case({"recall@1": 1 / 3, "recall@3": 2 / 3}),
    case({"recall@3": 4 / 5}, truth="aac"),
    # It counts each row of the truth as relevant, regardless of its grade.
    case({"recall@1": 1 / 3, "recall@3": 2 / 3}, truth={"a": 0, "c": 0}),
    "an item is to be found as often as a list has it within k",
    given(convention="jurity"),
    case({"recall@1": 1 / 2, "recall@3": 2 / 3}),
    given(truth={"a": 0, "c": 0}, relevance_threshold=float("-inf"), convention="jurity"),
    case({"recall@1": 1 / 2, "recall@3": 2 / 3}),
)

test_ndcg = worked(
    given(recs="aba", truth="ac"),
    "the best list has an item as often as the list",
    case({"ndcg(convention=rectools, ideal=achievable)@3": (1 + THIRD) / (1 + SECOND + THIRD)}),
    given(truth={"a": 1, "c": 3}),
    case({"ndcg(convention=torchmetrics)@3": (1 + THIRD) / (3 + SECOND + THIRD)}),
    # Items below the threshold have gains too.
    given(truth={"a": 1, "c": 3}, relevance_threshold=2),
    case({"ndcg(convention=torchmetrics)@3": (1 + THIRD) / (3 + SECOND + THIRD)}),
    "a rank is crossed with what list and truth have of its item",
    given(convention="recommenders"),
    # The rank within k counts for both ranks of its item.
    case({"ndcg@1": 2, "ndcg@3": 2 * (1 + THIRD) / (1 + SECOND + THIRD)}),
    # Two rows of the truth match two ranks.
    case({"ndcg@1": 8.0}, truth="aac"),
)

test_rows_of_the_truth = worked(
    "a rank counts once with all of them so far",
    given(convention="rectools"),
    case({"map@2": 7 / 6}, "ab", "aab"),
    case({"map@2": 1 / 2}, "ba", "aa"),
    "make lines of the list",
    given(recs="abc", truth="aac", convention="jurity"),
    case({"precision@2": 2 / 3, "precision@all": 3 / 4, "map@2": 1}),
    case({"map@2": (1 / 2 + 2 / 3) / 2}, "ba", "aad"),
    # A row that is not relevant adds no line.
    given(recs="xab", truth=in_rows("a 1, a 0, b 1", "relevance"), convention="jurity"),
    case({"precision@3": 2 / 3, "map@3": (1 / 2 + 2 / 3) / 2}),
    "are rows of serendipity",
    # d is of level 3 and at rank 1, and two rows of three; b is of level 2 and at rank 2.
    given(history={"u1": "abcd", "u2": "abc", "u3": "a"}, catalog="abcdwxyz"),
    case({"serendipity(convention=rectools)@2": 2 * (3 - 1) / 8 / 3}, "db", "ddb"),
)

test_lists = worked(
    "an aspect counts at rank 1 of its item",
    given(recs="aab", truth="ab", items=labeled("aspect", {"a": "x", "b": "x"})),
    case({"alpha_ndcg(convention=ir_measures)@3": (1 + 0.5 * THIRD) / (1 + 0.5 * SECOND)}),
    "pairs of an item with itself may be excluded",
    given(items=VECTORS, convention="jurity"),
    case({OF_ITEMS: 1.0, OF_RANKS: 2 / 3}, "aba"),
    case({OF_ITEMS: 0, OF_RANKS: 0}, "ada"),
    case({OF_ITEMS: 1, OF_RANKS: 1}, "azz"),
    case({OF_ITEMS: None, OF_RANKS: 0}, "aa"),
    case({OF_ITEMS: 4 / 7, OF_RANKS: 2 / 5}, "abada"),
    "a list is a vector of counts",
    given(convention="jurity"),
    case({"inter_list_diversity@3": 1 - 3 / sqrt(5 * 2)}, {"ann": "aab", "bob": "ab"}),
    "a repeated item counts as one of both lists",
    # For ann and bob, one of two items at depth 2 is common; cid's lists agree at both depths.
    given(convention="lenskit"),
    given(baseline={"ann": "bc", "bob": "cc", "cid": "ab"}, convention="lenskit"),
    case({"rbo@2": (0.85 / 2 / 1.85 * 2 + 1) / 3}, {"ann": "aa", "bob": "ab", "cid": "aa"}),
)


def test_repeats_are_counted_for_each_list():
    recs = {"one": lists({"ann": "aa", "bob": "ba"}), "two": lists({"ann": "ba", "bob": "aa"})}
    truth = wanted({"ann": "ac", "bob": "ac"})
    result = evaluate("recall@1", recs=recs, truth=truth, rules="rectools").per_user()
    shares = {(row["model"], row["user_id"]): row["value"] for row in result.to_arrow().to_pylist()}
    assert shares == {
        ("one", "ann"): approx(1 / 3),
        ("one", "bob"): 0,
        ("two", "ann"): 0,
        ("two", "bob"): approx(1 / 3),
    }


def test_of_several_grades_the_least_above_0_the_best_or_the_last_counts():
    truth = in_rows("a 3, a 1, a 0", "relevance")
    metrics = ["err@1", "mrr@1", "recall@1", "cumulative_gain(convention=ranx)@1"]
    result = evaluate(metrics, recs=lists({"ann": "a"}), truth=truth, rules="ir_measures")
    assert values(result) == [1 / 16, 1, 0, 0]


COPIES, EQUAL = in_rows("a 3, a 2, b 1"), in_rows("a 2, c 1, b 1")


@mark.parametrize(
    "recs, metrics, ties, expected",
    [
        (COPIES, ["mrr@2"], "first", [0]),
        (COPIES, ["mrr@2", "mrr@3"], "first", [1 / 2, 1 / 2]),
        (lists({"ann": "aab"}), ["mrr@3"], "first", [1 / 3]),
        (lists({"ann": "aabx"}), ["mrr@2"], "first", [0]),
        # Even if grades order equal scores, the cutoff is by item, or by row.
        (EQUAL, ["mrr@2"], "best", [1 / 2]),
        (EQUAL, ["mrr@2"], "first", [0]),
    ],
)
def test_a_list_is_cut_at_the_largest_cutoff_before_its_copies_go(recs, metrics, ties, expected):
    given = {"recs": recs, "truth": wanted({"ann": "b"}), "ties": ties}
    assert values(evaluate(metrics, **given, convention="replay-0.11")) == approx(expected)
