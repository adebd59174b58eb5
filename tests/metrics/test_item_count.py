from pytest import mark

import sqlrec

from ..tables import lists, rows, value, wanted, without_list

# Of abcd, b and d are hits, c is judged not relevant, and a is not judged.
JUDGED = {"b": 3, "c": 0, "d": 1, "x": 2, "y": 0, "z": 1}
CHOICES = [("hits", 2, 1), ("retrieved", 4, 3), ("relevant", 4, 4), ("nonrelevant", 1, 1)]


@mark.parametrize("of, whole, first_three", CHOICES)
def test_counts_what_it_is_asked_to(of, whole, first_three):
    assert value(f"item_count(of={of})", "abcd", JUDGED) == whole
    assert value(f"item_count(of={of})@3", "abcd", JUDGED) == first_three
    assert value(f"item_count(of={of})@9", "abcd", JUDGED) == whole


def test_counts_hits_unless_asked_for_more():
    assert value("item_count", "abcd", JUDGED) == 2


def test_is_the_sum_over_users():
    given = {
        "recs": lists({"ann": "abc", "bob": "ab"}),
        "truth": wanted({"ann": "ab", "bob": "b", "eve": "c"}),
    }
    asked = "item_count item_count(of=retrieved) item_count(of=relevant)"
    found = rows(sqlrec.evaluate(asked, **given), "value", "users")
    assert found == [(3, 3), (5, 3), (4, 3)]


def test_a_grade_below_0_is_no_judgement_unless_it_is_relevant():
    judged = {"a": -1, "b": 0, "c": 1}
    metrics = ("item_count", "item_count(of=nonrelevant)")
    assert [value(metric, "abc", judged) for metric in metrics] == [1, 1]
    assert [value(metric, "abc", judged, relevance_threshold=-1) for metric in metrics] == [3, 0]


def test_the_threshold_says_what_is_not_relevant():
    metric = "item_count(of=nonrelevant)"
    assert value(metric, "abcd", JUDGED, relevance_threshold=2) == 2


@mark.parametrize(
    "of, without_a_list, without_a_relevant_item",
    [("hits", 0, 0), ("retrieved", 0, 2), ("relevant", 2, 0), ("nonrelevant", 0, 1)],
)
def test_counts_0_where_there_is_none(of, without_a_list, without_a_relevant_item):
    metric = f"item_count(of={of})"
    assert without_list(metric, "ab") == without_a_list
    assert value(metric, "ab", {"a": 0}, population="judged") == without_a_relevant_item


def test_counts_lists_that_have_k_places():
    recs = lists({"ann": "ab", "bob": "abc"})
    truth = wanted({"ann": "a", "bob": "x", "cid": "a"})
    metrics = [f"item_count(of=full_lists)@{k}" for k in (2, 3, 4, "all")]
    result = sqlrec.evaluate(metrics, recs=recs, truth=truth)
    assert [row["value"] for row in result.to_arrow().to_pylist()] == [2, 1, 0, 2]


def test_may_be_a_mean():
    recs = lists({"ann": "ab", "bob": "abc"})
    truth = wanted({"ann": "a", "bob": "x"})
    result = sqlrec.evaluate("item_count(of=retrieved, per=user)@3", recs=recs, truth=truth)
    assert [row["value"] for row in result.to_arrow().to_pylist()] == [5 / 2]
