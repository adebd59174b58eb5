"""Expected, best and worst values over equal scores, computed by hand."""

from fractions import Fraction
from math import comb, log2

import pyarrow as pa
from pytest import approx, mark, raises

import sqlrec
from sqlrec import InputError

from ..metrics.cases import case, given, worked
from ..tables import evaluate, in_rows, lists, rows, scored, table, values, wanted


def expected(metrics, items, relevant, ties="expected", **rules):
    """Return the metrics of ann, from the scores of her items and her relevant items."""
    recs, truth = scored({"ann": items}), wanted({"ann": relevant})
    return values(evaluate(metrics, recs=recs, truth=truth, ties=ties, **rules))


TWO = {"a": 1, "b": 1}

# b, c and d come after a.
ONE_AND_THREE = {"a": 2, "b": 1, "c": 1, "d": 1}
ONE_AND_TWO_TWICE = {"a": 3, "b": 2, "c": 2, "d": 1, "e": 1}
SIX = dict.fromkeys("abcdef", 0)
UNSCORED = {"a": 1.0, "b": None, "c": float("nan"), "d": None}
test_ties = worked(
    given(ties="expected"),
    "either of two tied items can be first",
    given(recs=TWO, truth="b"),
    case({"precision@1 recall@1 hit_rate@1 mrr@1 cumulative_gain@1": 1 / 2}),
    case({"precision@1 recall@1 hit_rate@1 mrr@1 cumulative_gain@1": 0}, ties="worst"),
    case({"mrr@2 map@all": (1 + 1 / 2) / 2, "dcg@2 ndcg@2": (1 + 1 / log2(3)) / 2}),
    case({"mrr@2 map@all": 1 / 2, "dcg@2 ndcg@2": 1 / log2(3)}, ties="worst"),
    case({"hit_rate@2 ndcg(discount=late)@2": 1}),
    case({"hit_rate@2 ndcg(discount=late)@2": 1}, ties="worst"),
    case({"precision@1 recall@1 hit_rate@1 mrr@1 cumulative_gain@1": 1}, ties="best"),
    case({"mrr@2 map@all dcg@2 ndcg@2 hit_rate@2 ndcg(discount=late)@2": 1}, ties="best"),
    "a group across the cut has some of its ranks within it",
    # Two of three items are relevant; ranks 2 and 3 are within the cutoff.
    given(recs=ONE_AND_THREE, truth="bc"),
    case({"precision@3": 2 * (2 / 3) / 3, "hit_rate@2": 2 / 3, "hit_rate@3": 1}),
    # The first hit is at rank 2, or with one order in three at rank 3.
    case({"mrr@3": 2 / 3 / 2 + 1 / 3 / 3}),
    # A hit at rank 3 has another hit above it with probability 1/2.
    case({"map@3": (2 / 3 * 1 / 2 + 2 / 3 * (1 + 1 / 2) / 3) / 2}),
    case({"dcg@3": 4 / 3 * (1 / log2(3) + 1 / log2(4))}, truth={"b": 3, "c": 1}),
    case({"dcg(gain=exponential)@2": 8 / 3 / log2(3)}, truth={"b": 3, "c": 1}),
    case({"dcg(gain=binary)@2": 2 / 3 / log2(3)}, truth={"b": 3, "c": 1}),
    "hits of a group are added to the hits above",
    # a is a hit, one of b and c, and one of d and e.
    given(recs=ONE_AND_TWO_TWICE),
    case({"map@all": (1 + (2 / 2 + 2 / 3) / 2 + (3 / 4 + 3 / 5) / 2) / 3}, truth="ace"),
    case({"mrr@all": 1}, truth="ace"),
    case({"hit_rate@all": 1.0, "mrr@all": (1 / 2 + 1 / 3) / 2}, truth="ce"),
    "all items tied are drawn at random",
    case({"precision@2": 1 / 2, "hit_rate@2": 1 - comb(4, 3) / comb(6, 3)}, SIX, "abc"),
    case({"recall@5": 5 / 6}, SIX, "abc"),
    "missing scores are a group at the end",
    given(recs=UNSCORED, truth="d", null_scores="last"),
    case({"mrr@3": (1 / 2 + 1 / 3) / 3}),
    case({"mrr@all": 1 / 2}, ties="best"),
    case({"mrr@all": 1 / 4}, ties="worst"),
    case({"mrr@all": 1}, truth="a", null_scores="drop"),
    case("a negative zero is tied with zero", {"precision@1": 1 / 2}, {"a": 0.0, "b": -0.0}, "a"),
    "lists that end at a depth end inside of a group",
    given(recs=dict.fromkeys("abcd", 1), truth="ab", depth=2),
    case({"precision@3": 1 / 3, "recall@all precision(divide_by=list_length)@3": 1 / 2}),
    "a relevant item is one that reaches the threshold",
    given(recs=TWO, truth={"a": 1, "b": 2}, relevance_threshold=2),
    case({"hit_rate@1": 1 / 2, "ndcg@1": (1 / 2 + 2 / 2) / 2}),
    case({"hit_rate@1": 0}, ties="worst"),
    # The item is relevant although its gain is 0.
    case({"hit_rate@1": 1 / 2}, truth={"a": 0, "b": -1}, relevance_threshold=0),
    case({"hit_rate@1": 1}, truth={"a": 0, "b": -1}, relevance_threshold=-1, ties="best"),
    "conventions of one call all go by it",
    given(recs=TWO, truth="b"),
    case({"mrr@2 mrr(convention=rs_metrics)@2 map(convention=rectools)@2": 3 / 4}),
    case({"ndcg(convention=replay)@2": (1 + 1 / log2(3)) / 2}),
    case({"mrr@2 mrr(convention=rs_metrics)@2 map(convention=rectools)@2": 1}, ties="best"),
)

EVERY = "map@3 mrr@2 hit_rate@3 precision@3 recall@2 dcg@4 ndcg@3 cumulative_gain@2".split()
EVERY.append("ndcg@all")


def test_without_ties_it_is_the_plain_value():
    items = {item: -rank for rank, item in enumerate("abcdef")}
    grades = {"b": 2, "d": 1, "e": 3, "x": 1}
    plain = expected(EVERY, items, grades, ties="item_asc")
    for ties in ("expected", "best", "worst"):
        assert expected(EVERY, items, grades, ties=ties) == approx(plain, rel=1e-14, nan_ok=True)


def test_lists_with_ranks_have_no_ties():
    recs, truth = lists({"ann": "abc"}), wanted({"ann": "b"})
    plain = evaluate(EVERY, recs=recs, truth=truth)
    for ties in ("expected", "best", "worst"):
        result = evaluate(EVERY, recs=recs, truth=truth, ties=ties)
        assert rows(result, "metric", "k", "value") == rows(plain, "metric", "k", "value")


def test_a_repeated_item_is_tied_at_its_best_score():
    recs, truth = in_rows("a 1, a 2, b 2"), wanted({"ann": "a"})
    for ties, value in (("expected", 1 / 2), ("best", 1), ("worst", 0)):
        rules = {"ties": ties, "duplicates": "best"}
        assert values(evaluate("hit_rate@1", recs=recs, truth=truth, **rules)) == [value]


def test_users_without_list_or_hit_have_0_and_are_counted():
    recs = scored({"ann": TWO, "eve": TWO})
    truth = wanted({"ann": "a", "bob": "a", "eve": "x"})
    result = evaluate("ndcg@1 mrr@1 map@1", recs=recs, truth=truth, ties="expected")
    assert rows(result, "value", "users") == [(approx(1 / 6), 3)] * 3
    account = result.user_counts.to_arrow().to_pylist()[0]
    assert (account["users_without_list"], account["ties_at_cutoff"]) == (1, 2)


def test_expected_values_are_by_model_and_segment():
    recs = {"one": scored({"ann": TWO, "bob": TWO}), "two": scored({"ann": {"a": 1, "b": 0}})}
    users = table([("ann", "x"), ("bob", "y")], user_id=pa.string(), land=pa.string())
    truth = wanted({"ann": "a", "bob": "ab"})
    inputs = {"recs": recs, "truth": truth, "users": users}
    result = evaluate("precision@1", **inputs, by="land", ties="expected")
    expected = [("one", "x", 1 / 2), ("one", "y", 1), ("two", "x", 1), ("two", "y", 0)]
    assert rows(result, "model", "land", "value") == expected


def test_the_list_that_another_is_held_against_is_ordered_by_its_items():
    tables = {"recs": scored({"ann": TWO}), "truth": wanted({"ann": "b"})}
    tables["baseline"] = scored({"ann": TWO})
    results = (
        evaluate("baseline_serendipity@1", **tables, ties=ties)
        for ties in ("item_asc", "best", "worst")
    )
    result = [values(one) for one in results]
    # The other list begins with a; b is relevant and unexpected.
    assert result == [[0], [1], [0]]


@mark.parametrize(("size", "relevant", "above"), [(2000, 3, 0), (3000, 1000, 5), (1500, 1499, 1)])
def test_large_groups_are_exact(size, relevant, above):
    items = {f"above{n}": 2 for n in range(above)} | {f"{n}": 1 for n in range(size)}
    wants = [str(n) for n in range(relevant)]
    result, known = [], []
    for k in (10, 700):
        result += [f"hit_rate@{k}", f"mrr@{k}", f"map@{k}"]
        ranks = k - above
        none = [
            Fraction(comb(size - rank, relevant), comb(size, relevant)) for rank in range(ranks + 1)
        ]
        first = ((none[rank - 1] - none[rank]) / (above + rank) for rank in range(1, ranks + 1))
        hits = (
            Fraction(relevant, size)
            * (1 + Fraction((rank - 1) * (relevant - 1), size - 1))
            / (above + rank)
            for rank in range(1, ranks + 1)
        )
        known += [float(1 - none[-1]), float(sum(first)), float(sum(hits) / relevant)]
    assert expected(result, items, wants) == approx(known, abs=1e-11)


def test_a_chance_that_is_next_to_nothing_is_0():
    # The probability of no hit in the first thousand, if half of the items are, has a logarithm
    # below -700.
    items = dict.fromkeys(map(str, range(4000)), 1)
    wants = [str(n) for n in range(2000)]
    far, near = expected(["mrr@2000", "mrr@300"], items, wants)
    assert far == approx(near, abs=1e-15)


@mark.parametrize(
    ("metric", "ties", "message"),
    [
        ("err@5", "expected", "is not supported for err; choose from average_precision,"),
        ("map(divide_by=hits)@5", "expected", "with divide_by=hits; change divide_by or ties"),
        ("p(divide_by=known)@5", "expected", "with divide_by=known; change divide_by or ties"),
        ("novelty@5", "best", "ties='best': novelty does not read the truth, which"),
        ("ndcg(convention=sklearn)@5", "best", "items below the list, which have no"),
    ],
)
def test_metrics_without_expected_values_are_refused(metric, ties, message):
    recs, truth = scored({"ann": TWO}), wanted({"ann": "b"})
    with raises(InputError, match=message):
        evaluate(metric, recs=recs, truth=truth, history=truth, ties=ties)


def test_an_item_twice_in_the_truth_is_said_to_be_there():
    for ties in ("expected", "best", "worst"):
        with raises(sqlrec.DataError, match="truth: user ann has item b more than once"):
            expected("ndcg@1", TWO, "bb", ties)
