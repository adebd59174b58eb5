import sqlrec

from ..tables import labelled, lists, rows, values, wanted
from .test_alpha_ndcg import ITEMS
from .test_alpha_ndcg import alpha_ndcg as found


def test_is_the_share_of_aspects_that_a_hit_has():
    assert found("xab", "abc", "subtopic_recall@3") == [1 / 2]
    assert found("abc", "abc", "subtopic_recall@3") == [1]
    assert found("d", "abd", "subtopic_recall@1") == [1]


def test_items_that_are_not_relevant_have_no_say():
    assert found("ca", "ab", "subtopic_recall@2") == [1]
    assert found("ca", "ab", "subtopic_recall@1") == [0]


def test_takes_whole_lists_and_several_cutoffs():
    assert found("xyca", "abc", ["st_recall@all", "st_recall@3", "st_recall@2"]) == [1, 1 / 2, 0]


def test_goes_with_other_metrics_of_aspects():
    metrics = ["subtopic_recall@2", "alpha_ndcg(form=rs_metrics)@2", "nrbp@2", "map_ia@2"]
    metrics += ["alpha_ndcg(alpha=0.25)@2", "p_ia@3", "subtopic_recall@1"]
    alone = [(metric, *found("xac", "abc", metric)) for metric in metrics]
    result = sqlrec.evaluate(
        metrics, recs=lists({"ann": "xac"}), truth=wanted({"ann": "abc"}), items=ITEMS
    )
    assert sorted(rows(result, "asked", "value")) == sorted(alone)


def test_is_undefined_without_a_relevant_item_that_has_an_aspect():
    result = sqlrec.evaluate(
        "subtopic_recall@2 intent_precision@2 intent_average_precision@2 nrbp@2",
        recs=lists({"ann": "xa", "bob": "a"}),
        truth=wanted({"ann": "x", "bob": "a", "cid": "c"}),
        items=labelled("aspect", {"a": "1", "b": "2", "c": "1"}),
    )
    assert values(result) == [1 / 2, 1 / 4, 1 / 2, 3 / 8]
    assert sorted(rows(result.per_user(), "metric", "user_id", "value"))[-3:] == [
        ("subtopic_recall", "ann", None),
        ("subtopic_recall", "bob", 1),
        ("subtopic_recall", "cid", 0),
    ]


def test_may_be_the_share_of_all_aspects_that_there_are():
    # Of 1 and 2, a has one; c would have the other. x has none, whether or not somebody wants it.
    assert found("xab", "ab", "subtopic_recall(divide_by=all)@3") == [1 / 2]
    assert found("abc", "abc", "subtopic_recall(divide_by=all)@3") == [1]
    assert found("ab", "x", "subtopic_recall(divide_by=all)@2") == [0]
