"""Items that are not in a list, which some libraries add below it."""

from math import log2

from pytest import approx, mark

from ..metrics.cases import case, given, worked
from ..tables import evaluate, rows, scored, wanted

D2, D3, D4 = 1 / log2(3), 1 / 2, 1 / log2(5)
WHOLE = (1 + D2 + D3) / 3

# There are four items. Ann's list lacks c and d. Bob's list in y lacks b and c; in x, he has no
# list.
X = scored({"ann": {"a": 2, "b": 1}})
Y = scored({"ann": {"c": 1}, "bob": {"a": 2, "d": 1}})
TRUTH = wanted({"ann": "bc", "bob": "d"})


def test_share_the_ranks_of_all_items_below_the_list():
    result = evaluate("dcg@1,2,3,4", recs=X, truth=TRUTH, rules="sklearn").per_user()
    shares = {(row["user_id"], row["k"]): row["value"] for row in result.to_arrow().to_pylist()}
    of_ann = [0, D2, D2 + D3 / 2, D2 + (D3 + D4) / 2]
    of_bob = [1 / 4, (1 + D2) / 4, (1 + D2 + D3) / 4, (1 + D2 + D3 + D4) / 4]
    assert [shares["ann", k] for k in (1, 2, 3, 4)] == approx(of_ann, abs=1e-15)
    assert [shares["bob", k] for k in (1, 2, 3, 4)] == approx(of_bob)


def test_unlisted_items_are_those_of_each_model():
    requests = {"recs": {"x": X, "y": Y}, "truth": TRUTH, "convention": "sklearn"}
    result = evaluate("dcg@2 dcg@4", **requests)
    of_x = [(D2 + (1 + D2) / 4) / 2, (D2 + (D3 + D4) / 2 + (1 + D2 + D3 + D4) / 4) / 2]
    # Three items, b among them, are tied below the only item of ann's list in y.
    of_y = [(1 + D2 / 3 + D2) / 2, (1 + (D2 + D3 + D4) / 3 + D2) / 2]
    assert rows(result, "model", "value") == [
        *[("x", approx(value)) for value in of_x],
        *[("y", approx(value)) for value in of_y],
    ]


@mark.parametrize("k, expected", [(1, 1 / 3), (2, (1 + D2) / 3), (3, (1 + D2 + D3) / 3)])
def test_items_with_equal_scores_share_their_ranks_past_the_cutoff_too(k, expected):
    recs = scored({user: {"c": 1, "b": 1, "a": 1} for user in "abc"})
    inputs = {"recs": recs, "truth": wanted({item: item for item in "abc"}), "rules": "sklearn"}
    for metrics, means in ((f"dcg@{k}", [expected]), (f"dcg@{k} dcg@4", [expected, WHOLE])):
        result = evaluate(metrics, **inputs).per_user().to_arrow()["value"].to_pylist()
        assert sorted(result) == approx(sorted(means * 3))


test_items_of_the_truth = worked(
    given(recs={"a": 2, "b": 1}, convention="torchmetrics"),
    "are below the list in the order of ids",
    given(truth={"d": 1, "c": 0}),
    case({"hit_rate@2 hit_rate@3": 0, "hit_rate@4": 1}),
    case({"hit_rate@1": 1}, {"d": 2}),
    "are tied with each other",
    # c and d are tied below a and b, at ranks 3 and 4; the best list has them first.
    given(truth={"c": 2, "d": 1}),
    case({"ndcg@3": 3 / 2 * D3 / (2 + D2), "ndcg@4": 3 / 2 * (D3 + D4) / (2 + D2)}),
)


@mark.parametrize("models", [("x",), ("y",), ("x", "y")])
def test_of_the_truth_are_those_that_the_list_of_the_model_lacks(models):
    recs = {name: table for name, table in (("x", X), ("y", Y)) if name in models}
    requests = {"recs": recs, "truth": TRUTH, "convention": "torchmetrics"}
    result = rows(evaluate("hit_rate@1,2", **requests), "model", "k", "value")
    # In x, ann's b is second and c third; bob has no list, so d is first.
    expected = {("x", 1): 1 / 2, ("x", 2): 1, ("y", 1): 1 / 2, ("y", 2): 1}
    assert result == [(name, k, expected[name, k]) for name in models for k in (1, 2)]


@mark.parametrize("rules", [{"convention": "torchmetrics"}, {"population": "all"}])
def test_everybody_is_who_wants_something_or_has_a_list(rules):
    recs = scored({"ann": {"b": 2}, "bob": {"a": 1}, "cid": {"a": 1}})
    result = evaluate("recall@1 hit_rate@1", recs=recs, truth=TRUTH, **rules).per_user()
    shares = {
        (row["metric"], row["user_id"]): row["value"] for row in result.to_arrow().to_pylist()
    }
    undefined = 0 if "convention" in rules else None
    assert [shares.get(("recall", user)) for user in ("ann", "bob", "cid")] == [1 / 2, 0, undefined]
    assert [shares["hit_rate", user] for user in ("ann", "bob", "cid")] == [1, 0, 0]
