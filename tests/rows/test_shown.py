"""What is known of the places of lists."""

from math import log2, sqrt

import pyarrow as pa
from pytest import approx, mark, raises

import sqlrec

from .. import flat
from ..tables import decisions, lists, rows, scored, value, values, wanted

USERS = pa.table({"user_id": ["ann"], "land": ["US"]})


def test_members_of_the_history_may_be_of_no_segment():
    found = sqlrec.evaluate(
        "novelty(users=history)@1",
        recs=lists({"ann": "a", "bob": "a"}),
        history=wanted({"ann": "a", "bob": "a", "cid": "a"}),
        users=USERS,
        by="land",
    )
    # Of no land are bob, who had a, and cid, who has no list.
    assert rows(found, "land", "value", "users") == [("US", 0, 1), (None, 1 / 2, 2)]


def test_a_place_below_the_cutoff_repeats_nothing():
    recs = lists({"ann": "aba", "bob": "ab"})
    found = sqlrec.evaluate("inter_list_diversity@2,3", recs=recs, rules="jurity")
    assert values(found) == approx([0, 1 - 3 / sqrt(5 * 2)], abs=1e-15)


def test_an_item_is_there_at_its_first_place_alone():
    assert value("precision@2", "aba", "a", convention="replay", order="rank") == 1 / 2
    assert value("precision@3", "aba", "a", convention="replay", order="rank") == approx(1 / 3)
    recs, known = lists({"ann": "aba"}), lists({"ann": "a"})
    asked = {"recs": recs, "convention": "replay", "order": "rank"}
    found = flat.evaluate("novelty@2 novelty@3", history=known.drop_columns("rank"), **asked)
    assert values(found) == approx([1 / 2, 2 / 3])
    found = flat.evaluate("unexpectedness@2 unexpectedness@3", baseline=known, **asked)
    assert values(found) == approx([1 / 2, 2 / 3])


SEGMENTS = {"users": USERS, "by": "land"}
LOGS = decisions(
    "user_id item_id reward propensity",
    ("ann", "a", 1, 0.5),
    ("bob", "a", 1, 0.25),
    ("cid", "b", 1, 1),
)


def test_places_of_a_segment_are_those_of_its_model_and_cutoff():
    recs = {"x": lists({"ann": "abc", "bob": "ab"}), "y": lists({"ann": "b", "bob": "a"})}
    asked = {"recs": recs, "logs": LOGS} | SEGMENTS
    found = flat.evaluate("ips(divide_by=recommended)@1,2", **asked)
    assert rows(found, "model", "land", "k", "value") == [
        ("x", "US", 1, 2),
        ("x", "US", 2, 2 / 2),
        ("x", None, 1, 4),
        ("x", None, 2, 4 / 2),
        ("y", "US", 1, 0),
        ("y", "US", 2, 0),
        ("y", None, 1, 4),
        ("y", None, 2, 4),
    ]


def test_a_list_that_starts_below_the_cutoff_is_none_of_it():
    recs = pa.concat_tables([lists({"ann": "ab"}), lists({"dot": "abc"}).slice(2)])
    found = sqlrec.evaluate("mrr@1 mrr@3", recs=recs, truth=wanted({"ann": "a"}))
    assert rows(found.user_counts, "k", "unjudged_lists") == [(1, 0), (3, 1)]


def test_a_perfect_list_of_nobody_leaves_others_counted():
    recs, truth = lists({"ann": "ab", "cid": "ab"}), wanted({"ann": "b", "bob": "a"})
    given = {"recs": recs, "truth": truth, "population": "recs"}
    found = flat.evaluate("hit_rate@2 ndcg(gain=binary)@2", **given)
    assert rows(found, "value", "users") == [(1 / 2, 2), (approx(1 / log2(3)), 1)]


def test_the_best_of_equal_scores_is_relevant_before_it_is_judged():
    items = {"a": 1, "b": 1}
    rules = {"relevance_threshold": 0}
    assert value("hit_rate@1", items, {"b": 0}, ties="best", **rules) == 1
    assert value("hit_rate@1", items, {"a": 0}, ties="worst", **rules) == 0


def test_the_best_list_has_items_with_a_gain_that_are_not_relevant():
    metric = "ndcg(ideal=list_length)@all"
    assert value(metric, "ba", {"a": 1, "b": 3}, relevance_threshold=2) == approx(1)


def test_the_best_list_has_relevant_items_without_gain():
    grades = {"a": 0, "b": 0, "c": -1}
    metric = "ndcg(gain=binary, ideal=list_length)@all"
    assert value(metric, "ab", grades, relevance_threshold=0) == approx(1)
    assert value(metric, "xa", grades, relevance_threshold=0) == approx(
        1 / log2(3) / (1 + 1 / log2(3))
    )


def test_items_without_a_hit_among_them_have_a_gain():
    items, grades = {"c": 2, "a": 1, "b": 1}, {"a": 1, "c": 2}
    found = value("cumulative_gain@2", items, grades, ties="expected", relevance_threshold=2)
    assert found == 2 + 1 / 2
    small = value(
        "cumulative_gain@1",
        {"a": 1, "b": 1},
        {"a": 0.5, "c": 2},
        ties="expected",
        relevance_threshold=2,
    )
    assert small == 1 / 4


def test_each_of_several_tied_items_counts_for_half():
    # A stands with b and c, and above d.
    assert value(
        "auc", {"a": 1, "b": 1, "c": 1, "d": 0}, {"a": 1, "b": 0, "c": 0, "d": 0}
    ) == approx(2 / 3)


@mark.parametrize(
    "ours, theirs, agreements",
    [("ab", "ab", (1, 1)), ("xa", "ba", (0, 1 / 2)), ("xa", "ab", (0, 1 / 2))],
)
def test_lists_that_may_repeat_items_meet_in_each_once(ours, theirs, agreements):
    p = 0.85
    weights = [p**depth for depth in (0, 1)]
    found = sqlrec.evaluate(
        "rbo@2", recs=lists({"ann": ours}), baseline=lists({"ann": theirs}), rules="lenskit"
    )
    assert values(found) == approx(
        [sum(w * a for w, a in zip(weights, agreements, strict=True)) / sum(weights)]
    )


@mark.parametrize("order", ["cab", "bca"])
def test_equal_scores_may_go_by_rows(order):
    recs = scored({"ann": dict.fromkeys(order, 1)})
    for place, item in enumerate(order, 1):
        found = sqlrec.evaluate(
            "mrr@3", recs=recs, truth=wanted({"ann": item}), rules=sqlrec.Rules(ties="first")
        )
        assert values(found) == approx([1 / place])


def test_what_lists_have_is_that_of_each_model_and_cutoff():
    recs = {"x": lists({"ann": "abc", "bob": "b"}), "y": lists({"ann": "cab", "bob": "ab"})}
    given = {
        "truth": wanted({"ann": {"a": 1, "c": 2}, "bob": {"a": 1, "b": 2}}),
        "history": wanted({"cid": "abc", "dan": "ab", "eve": "a", "fay": "a"}),
    }
    asked = "stratified_recall@1,2 expected_exposure_loss@1,2"
    found = rows(flat.evaluate(asked, recs=recs, **given), "model", "metric", "k", "value")
    # Of a, b and c, which 4, 2 and 1 had, ann wants a and c and finds one of them first.
    of_ann = {"x": (1 / 2) / (1 / 2 + 1), "y": 1 / (1 / 2 + 1)}
    of_bob = {"x": sqrt(1 / 2) / (1 / 2 + sqrt(1 / 2)), "y": (1 / 2) / (1 / 2 + sqrt(1 / 2))}
    for model in recs:
        expected = (of_ann[model] + of_bob[model]) / 2
        assert (model, "stratified_recall", 1, approx(expected)) in found
        for metric in asked.split():
            alone = flat.evaluate(metric, recs={model: recs[model]}, **given)
            assert {*rows(alone, "model", "metric", "k", "value")} <= {*found}


def test_a_repeated_item_has_its_best_score_at_its_best_rank():
    recs = pa.table(
        {
            "user_id": ["ann"] * 3,
            "item_id": ["a", "a", "b"],
            "rank": [1, 2, 3],
            "score": [3.0, 2.0, 1.0],
        }
    )
    found = sqlrec.evaluate(
        "mae@all",
        recs=recs,
        truth=wanted({"ann": {"a": 5, "b": 2}}),
        rules=sqlrec.Rules(duplicates="best"),
    )
    assert values(found) == [(2 + 1) / 2]


def test_a_best_list_of_nobody_leaves_others_counted():
    recs, truth = lists({"ann": "ab", "cid": "ab"}), wanted({"ann": {"b": 2}, "bob": {"a": 1}})
    asked = "hit_rate@2 ndcg(ideal=list_length)@2"
    found = sqlrec.evaluate(asked, recs=recs, truth=truth, rules=sqlrec.Rules(population="recs"))
    assert rows(found, "value", "users") == [(1 / 2, 2), (approx(1 / log2(3)), 1)]


def test_of_items_that_as_many_had_the_first_by_id_is_popular():
    # Of a, b and c, each had by one, a is above the line; ann is shown a and b.
    asked = {"recs": lists({"ann": "ab"}), "history": wanted({"u": "a", "v": "b", "w": "c"})}
    found = flat.evaluate("pop_rsp(head=0.3)@2", **asked)
    assert values(found) == approx([(1 - 1 / 2) / (1 + 1 / 2)])


@mark.parametrize("scores, expected", [((0.1, 0.5, 0.9), 1), ((0.9, 0.5, 0.1), 1 / 2)])
def test_the_last_row_of_an_item_may_count(scores, expected):
    recs = pa.table({"user_id": ["ann"] * 3, "item_id": [*"aba"], "score": scores})
    found = sqlrec.evaluate("mrr@2", recs=recs, truth=wanted({"ann": "a"}), rules="ranx")
    assert values(found) == [expected]


def test_a_value_of_an_item_is_small_enough_to_be_added_up():
    items = pa.table({"item_id": ["a", "b"], "feature": ["x", "x"], "value": [1.0, 1e200]})
    with raises(sqlrec.DataError, match="items"):
        sqlrec.evaluate("cosine_diversity@2", recs=lists({"ann": "ab"}), items=items)
