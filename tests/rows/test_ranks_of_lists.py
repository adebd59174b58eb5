"""Attributes of the ranks of lists."""

from math import sqrt

import pyarrow as pa
from pytest import approx, raises

import sqlrec

from ..metrics.cases import SECOND, case, given, worked
from ..tables import decisions, evaluate, in_rows, lists, rows, wanted

USERS = pa.table({"user_id": ["ann"], "land": ["US"]})


def test_members_of_the_history_may_be_of_no_segment():
    inputs = {"recs": lists({"ann": "a", "bob": "a"})}
    inputs |= {"history": wanted({"ann": "a", "bob": "a", "cid": "a"}), "users": USERS}
    result = evaluate("novelty(users=history)@1", **inputs, by="land")
    # Bob, whose history has a, and cid, who has no list, have no country.
    assert rows(result, "land", "value", "users") == [("US", 0, 1), (None, 1 / 2, 2)]


TWO = {"a": 1, "b": 1}
GRADED = wanted({"ann": {"b": 2}, "bob": {"a": 1}})
COPIED = in_rows("a 1 3, a 2 2, b 3 1", "rank score")
test_lists = worked(
    "a rank below the cutoff repeats nothing",
    given(recs={"ann": "aba", "bob": "ab"}, convention="jurity"),
    case({"inter_list_diversity@2": 0.0, "inter_list_diversity@3": 1 - 3 / sqrt(5 * 2)}),
    "an item is there at its first rank only",
    given(recs="aba", convention="replay", order="rank"),
    case({"precision@2": 1 / 2, "precision@3": 1 / 3}, truth="a"),
    case({"novelty@2": 1 / 2, "novelty@3": 2 / 3}, history=wanted({"ann": "a"})),
    case({"unexpectedness@2": 1 / 2, "unexpectedness@3": 2 / 3}, baseline={"ann": "a"}),
    "a perfect or best list of nobody leaves others counted",
    given(recs={"ann": "ab", "cid": "ab"}, population="recs"),
    given(recs={"ann": "ab", "cid": "ab"}, truth={"ann": "b", "bob": "a"}, population="recs"),
    case({"hit_rate@2": (1 / 2, 2), "ndcg(gain=binary)@2": (SECOND, 1)}),
    given(recs=lists({"ann": "ab", "cid": "ab"}), truth=GRADED, population="recs"),
    case({"hit_rate@2": (1 / 2, 2), "ndcg(ideal=list_length)@2": (SECOND, 1)}),
    "the best of equal scores is relevant before it is judged",
    given(recs=TWO, relevance_threshold=0),
    case({"hit_rate@1": 1}, truth={"b": 0}, ties="best"),
    case({"hit_rate@1": 0}, truth={"a": 0}, ties="worst"),
    "the best list has items with a gain that are not relevant",
    given(relevance_threshold=2),
    case({"ndcg(ideal=list_length)@all": 1.0}, "ba", {"a": 1, "b": 3}),
    "the best list has relevant items without a gain",
    given(truth={"a": 0, "b": 0, "c": -1}, relevance_threshold=0),
    case({"ndcg(gain=binary, ideal=list_length)@all": 1.0}, "ab"),
    case({"ndcg(gain=binary, ideal=list_length)@all": SECOND / (1 + SECOND)}, "xa"),
    "items without a hit among them have a gain",
    given(ties="expected", relevance_threshold=2),
    case({"cumulative_gain@2": 2 + 1 / 2}, {"c": 2, "a": 1, "b": 1}, {"a": 1, "c": 2}),
    case({"cumulative_gain@1": 1 / 4}, TWO, {"a": 0.5, "c": 2}),
    "each of several tied items counts for half",
    # a is tied with b and c, and above d.
    case({"auc": 2 / 3}, {"a": 1, "b": 1, "c": 1, "d": 0}, {"a": 1, "b": 0, "c": 0, "d": 0}),
    "lists that may repeat items meet in each once",
    given(convention="lenskit"),
    case({"rbo@2": 1.0}, "ab", baseline={"ann": "ab"}),
    case({"rbo@2": 0.85 / 2 / 1.85}, "xa", baseline={"ann": "ba"}),
    case({"rbo@2": 0.85 / 2 / 1.85}, "xa", baseline={"ann": "ab"}),
    "equal scores may go by rows",
    given(ties="first"),
    *(
        case({"mrr@3": 1 / rank}, dict.fromkeys(order, 1), item)
        for order in ("cab", "bca")
        for rank, item in enumerate(order, 1)
    ),
    "of items that as many had the first by id is popular",
    # a, b and c have one user each, and a is above the limit; ann's list has a and b.
    given(recs="ab", history=wanted({"u": "a", "v": "b", "w": "c"})),
    case({"pop_rsp(head=0.3)@2": (1 - 1 / 2) / (1 + 1 / 2)}),
    "the last row of an item may count",
    given(truth="a", convention="ranx"),
    case({"mrr@2": 1}, in_rows("a 0.1, b 0.5, a 0.9")),
    case({"mrr@2": 1 / 2}, in_rows("a 0.9, b 0.5, a 0.1")),
    "a repeated item has its best score at its best rank",
    given(recs=COPIED, truth={"a": 5, "b": 2}, duplicates="best"),
    case({"mae@all": (2 + 1) / 2}),
)

SEGMENTS = {"users": USERS, "by": "land"}
LOGS = decisions("user_id item_id reward propensity", "ann a 1 0.5, bob a 1 0.25, cid b 1 1")


def test_ranks_of_a_segment_are_those_of_its_model_and_cutoff():
    recs = {"x": lists({"ann": "abc", "bob": "ab"}), "y": lists({"ann": "b", "bob": "a"})}
    requests = {"recs": recs, "logs": LOGS} | SEGMENTS
    result = evaluate("ips(divide_by=recommended)@1,2", **requests)
    expected = [("x", "US", 1, 2), ("x", "US", 2, 2 / 2), ("x", None, 1, 4), ("x", None, 2, 4 / 2)]
    expected += [("y", "US", 1, 0), ("y", "US", 2, 0), ("y", None, 1, 4), ("y", None, 2, 4)]
    assert rows(result, "model", "land", "k", "value") == expected


def test_a_list_that_starts_below_the_cutoff_is_none_of_it():
    recs = pa.concat_tables([lists({"ann": "ab"}), lists({"dot": "abc"}).slice(2)])
    result = evaluate("mrr@1 mrr@3", recs=recs, truth=wanted({"ann": "a"}))
    assert rows(result.user_counts, "k", "unjudged_lists") == [(1, 0), (3, 1)]


def test_facts_about_lists_are_by_model_and_cutoff():
    recs = {"x": lists({"ann": "abc", "bob": "b"}), "y": lists({"ann": "cab", "bob": "ab"})}
    given = {
        "truth": wanted({"ann": {"a": 1, "c": 2}, "bob": {"a": 1, "b": 2}}),
        "history": wanted({"cid": "abc", "dan": "ab", "eve": "a", "fay": "a"}),
    }
    requests = "stratified_recall@1,2 expected_exposure_loss@1,2"
    result = rows(evaluate(requests, recs=recs, **given), "model", "metric", "k", "value")
    # a, b and c have 4, 2 and 1 users; a and c are relevant to ann, and one of them is first.
    of_ann = {"x": (1 / 2) / (1 / 2 + 1), "y": 1 / (1 / 2 + 1)}
    of_bob = {"x": sqrt(1 / 2) / (1 / 2 + sqrt(1 / 2)), "y": (1 / 2) / (1 / 2 + sqrt(1 / 2))}
    for model in recs:
        expected = (of_ann[model] + of_bob[model]) / 2
        assert (model, "stratified_recall", 1, approx(expected)) in result
        for metric in requests.split():
            alone = evaluate(metric, recs={model: recs[model]}, **given)
            assert {*rows(alone, "model", "metric", "k", "value")} <= {*result}


def test_a_value_of_an_item_is_small_enough_to_be_added_up():
    items = pa.table({"item_id": ["a", "b"], "feature": ["x", "x"], "value": [1.0, 1e200]})
    with raises(sqlrec.DataError, match="items"):
        evaluate("cosine_diversity@2", recs=lists({"ann": "ab"}), items=items)
